"""A purge carried into git: files first, then every commit, then all that git keeps beside, and a search that shows it.

The words to look for are found in the history itself, so a purge that was cut off needs no note of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curate.sync import history, objects
from curate.sync.repository import INCOMING, MAIN, REMOTE, SEEN
from curate.sync.rule import Rule
from store.gathering import gather
from store.log.stub import MARK
from store.patch import purge_patch
from store.patch.policy import PURGE_WORD
from store.text import fingerprint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from curate.sync.note import Note
    from curate.sync.repository import Repository
    from store.ids import Clock, NewId
    from store.store import Store


@dataclass(slots=True)
class Cleaned:
    """What became of the history."""

    ids: list[str]
    changed: int = 0
    """Files and messages of commits that were written anew."""
    left: list[str] = field(default_factory=list)
    """Objects that hold some of it all the same."""
    waits: bool = False
    """True when the remote still has the old history."""


def unclean(store: Store, note: Note) -> set[str]:
    """Ids that are purged in the store, and whose words the history may still hold."""
    return store.state.purged - note.cleaned


def rule_for(repo: Repository, store: Store, ids: Collection[str]) -> tuple[Rule, list[dict[str, Any]]] | None:
    """How these ids leave the history, and the lines of theirs that are in it; None when no word of them is there."""
    state = store.state
    own = {
        ident
        for folded in (state.records, state.candidates)
        for versions in (folded[one] for one in ids if one in folded)
        for revision in versions.revisions
        for ident in revision.data.get("evidence") or ()
    }
    evidence = own | {ident for ident, data in state.evidence.items() if MARK in data}
    lines = objects.lines_of(repo, {*ids, *evidence}, repo.folder)
    said = [line for line in lines if line["id"] in ids]

    def excerpts(goes: set[str]) -> Iterator[str]:
        for line in lines:
            if line["id"] in goes:
                yield from (str(line[key]) for key in ("excerpt", "context") if line.get(key))

    gathered = gather(state, frozenset(ids), said, excerpts)
    return (Rule(gathered), lines) if gathered.said else None


def clean_history(
    repo: Repository, note: Note, rule: Rule | None, ids: Collection[str], *, moved: bool = False
) -> Cleaned:
    """Take what was purged out of everything git has here, and show by a search that it is gone.

    `moved` says that the branch has left an old history behind, which goes even when no word of it is known. When
    commits that the remote has are among those that changed, the note says that it waits for them.
    """
    done = Cleaned(sorted(ids))
    if rule is None and not moved:
        note.cleaned |= set(ids)
        note.save()
        return done
    if rule is not None:
        done.changed = history.rewrite(repo, rule)
    seen, main = repo.ref(SEEN), repo.ref(MAIN)
    if seen is not None and (main is None or not repo.is_ancestor(seen, main)):
        note.lease = note.lease or seen
        note.save()
        seen = None
    gone = [INCOMING, *([] if seen else [SEEN])]
    gone += repo.run("for-each-ref", "--format=%(refname)", f"refs/remotes/{REMOTE}/").decode().split()
    repo.point({name: None for name in gone if name.endswith("/HEAD") or repo.ref(name)})
    history.forget(repo)
    done.left = objects.holding(repo, rule.said) if rule else []
    done.waits = note.lease is not None
    note.cleaned |= set(ids)
    note.save()
    return done


def end_returned(store: Store, *, at: Clock, new_id: NewId) -> list[str]:
    """Purge what waits and says again what was purged: another machine captured it and could not know."""
    state = store.state
    if not state.purged:
        return []
    found = []
    for versions in state.waiting():
        data = versions.data
        mark = state.tombstone_for(
            fingerprint(str(data.get("statement"))), data.get("scope") or {}, data.get("targets") or ()
        )
        if mark is not None and mark.get("cause") == "purged" and versions.id not in state.purged:
            found.append(versions.id)
    if found:
        patch = purge_patch(found, at=at(), new_id=new_id)
        store.apply(patch, select=[op.op_id for op in patch.ops], confirm=PURGE_WORD)
    return found
