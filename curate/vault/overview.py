"""The vault as a whole: what is ripe for it, and whether what records refer to is still there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curate.matching.normal import meaning
from curate.vault.criteria import PROJECTS, criteria, family
from curate.vault.refs import resolve
from curate.vault.taste import is_taste
from store.log.fold import status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from curate.vault.folder import Vault
    from store.state import State

    KeysOf = Callable[[str], tuple[str, ...]]


def overview(state: State, vault: Vault, at: str) -> dict[str, Any]:
    """Counts, broken notes, references with their liveness, and the records that meet every condition."""
    pages = vault.pages
    staged = {page.record: page.path for page in pages if page.record}
    return {
        "vault": str(vault.root),
        "staging": vault.staging_name(),
        "notes": len(pages) + len(vault.broken),
        "broken": [{"path": one.path, "line": one.line, "reason": one.reason} for one in vault.broken],
        "refs": list(references(state, vault)),
        "ripe": [
            {"id": ident, "statement": state.records[ident].data["statement"], "note": staged.get(ident)}
            for ident in ripe(state, at)
        ],
    }


def references(state: State, vault: Vault) -> Iterator[dict[str, Any]]:
    """Every `vault_ref` of a record that is not deleted, and where it leads."""
    for versions in state.live_records():
        ref = versions.data.get("vault_ref")
        if ref:
            found = resolve(vault, str(ref), versions.id)
            yield {"id": versions.id, "vault_ref": ref, "alive": found.alive, "note": found.note, "why": found.why}


def ripe(state: State, at: str, keys_of: KeysOf | None = None) -> list[str]:
    """Records that meet every condition; of several that say the same, the one that was made first."""
    found: list[str] = []
    covered: set[str] = set()
    for ident, near in likely(state, keys_of).items():
        if ident in covered:
            continue
        kin = family(state, ident, near)
        if all(one.met for one in criteria(state, kin, at)):
            found.append(ident)
            covered |= set(kin.ids)
    return found


def likely(state: State, keys_of: KeysOf | None = None) -> dict[str, list[str]]:
    """Records that may have been seen in several projects, each with those that may say the same.

    Working out what they mean is most of it; who knows already gives the keys of a record's meaning.
    """
    keys_of = keys_of or (lambda ident: meaning(state.records[ident].data["statement"]).keys)
    sharing: dict[str, list[str]] = {}
    keys: dict[str, list[str]] = {}
    seen: dict[str, set[str]] = {}
    for versions in state.live_records():
        data = versions.data
        if status(versions) not in {"active", "contested"} or data.get("layer") == "L1" or is_taste(data["statement"]):
            continue
        project = (data.get("scope") or {}).get("project")
        evidence = (state.evidence.get(ident, {}) for ident in data.get("evidence", ()))
        seen[versions.id] = {name for piece in evidence for name in piece.get("projects", ())}
        seen[versions.id] |= {str(project)} if project else set()
        group = [f"group {data['group']}"] if data.get("group") else []
        keys[versions.id] = [*group, *keys_of(versions.id)]
        for key in keys[versions.id]:
            sharing.setdefault(key, []).append(versions.id)
    near = {ident: list(dict.fromkeys(each for key in named for each in sharing[key])) for ident, named in keys.items()}
    return {
        ident: others
        for ident, others in near.items()
        if status(state.records[ident]) == "active"
        and len(seen[ident].union(*(seen[other] for other in others))) >= PROJECTS
    }
