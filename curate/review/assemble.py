"""Rows of the review from the state of the store, the groups of the inbox and what is proposed for them.

Runs away from the screen; what comes out is plain and frozen, so the screen never looks into a state that is moving.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from curate.review.rows import Reach, Rival, Row, Scoped, short_project
from store.ids import now
from store.text import one_line

if TYPE_CHECKING:
    from curate.review.inbox import Group
    from curate.review.propose import Glance
    from store.model import Op
    from store.state import State

CUES_SHOWN = 3


def records(state: State) -> list[Row]:
    """The memory tab: what is in force first, by project, newest first within one."""
    found = [_of_record(versions.id, versions.data, versions) for versions in state.live_records()]
    found.sort(key=lambda row: row.newest, reverse=True)
    found.sort(key=lambda row: (row.status not in {"active", "contested"}, row.bundle))
    return found


def row_of(state: State, group: Group, ops: Sequence[Op], glance: Glance | None, key_of: Callable[[str], str]) -> Row:
    """The row of a group, with what is proposed for it. `key_of` gives the key of the row of another group.

    A group is known by its oldest candidate, which stays the same when the thing is said again.
    """
    scoped = scoped_of(group.scope, group.targets)
    evidence = [state.evidence[ident] for ident in group.evidence if ident in state.evidence]
    statement = one_line(group.statement)
    flags = tuple(group.flags)
    known = tuple(dict.fromkeys(ident for ident in group.match.record_ids if ident in state.records))
    return Row(
        key=min(group.candidates),
        tab=group.tab,
        statement=statement,
        scoped=scoped,
        cues=cues_in(statement, evidence),
        candidates=tuple(group.candidates),
        records=known,
        bases=tuple((ident, state.records[ident].head.hash) for ident in known),
        rivals=tuple(Rival(key_of(r.group), one_line(r.statement), r.newest) for r in group.rivals),
        match=group.match.kind,
        ops=ops,
        op=glance.op if glance else "reject_candidate" if group.tab == "noise" else "add",
        reason=one_line((glance.reason if glance else None) or group.why or group.match.why),
        risk=glance.risk if glance else "low",
        safe=glance is not None and glance.safe,
        quotes=max(group.recurrence, 1),
        sessions=max(len(group.sessions), 1),
        newest=group.newest,
        bundle=group.why if group.tab == "noise" else _where(scoped),
        intent=group.intent,
        rule=group.rule_type or "",
        trust=group.trust,
        confidence=group.confidence,
        layer=group.layer,
        agents=tuple(sorted({str(piece["agent"]) for piece in evidence if piece.get("agent")})),
        tags=_tags(state, group.candidates),
        flags=flags,
        hidden="tombstoned" in flags or not group.visible,
        haystack=_haystack(statement, scoped, flags, evidence),
    )


def _of_record(ident: str, data: Mapping[str, Any], versions: Any) -> Row:
    from store.log.fold import status

    scope = data.get("scope") or {}
    scoped = scoped_of(scope, ())
    statement = one_line(str(data.get("statement", "")))
    flags = tuple(data.get("tags") or ())
    standing, review = status(versions), data.get("review") or {}
    heads = sorted(versions.heads, key=lambda head: (head.at, head.hash)) if versions.forked else ()
    return Row(
        key=ident,
        tab="contested" if standing == "contested" else "memory",
        statement=statement,
        scoped=scoped,
        kind="record",
        records=(ident,),
        bases=((ident, versions.head.hash),),
        heads=tuple(head.hash for head in heads),
        condition=str(review.get("change_condition") or ""),
        overdue=bool(review.get("cadence_days")) and "" < str(review.get("next_review") or "") < now(),
        match="fork" if versions.forked else "known",
        op="update",
        quotes=len(data.get("evidence") or ()),
        newest=str(data.get("updated_at") or ""),
        bundle=_where(scoped),
        rule=str(data.get("rule_type") or ""),
        confidence=float(data.get("confidence") or 0.0),
        layer=str(data.get("layer") or "L2"),
        status=standing,
        pinned=bool(data.get("pinned")),
        tags=flags,
        flags=("tombstoned",) if any(head.data.get("status") == "deleted" for head in heads) else (),
        haystack=_haystack(statement, scoped, (*flags, ident, str(data.get("body") or "")), ()),
    )


def scoped_of(scope: Mapping[str, Any], targets: Sequence[str]) -> Scoped:
    """The scope of a line, with the projects it is meant for."""
    kind = scope.get("type", "project")
    if kind == "global":
        return Scoped("global")
    if kind == "domain":
        return Scoped("domain", domains=tuple(scope.get("domains") or ()))
    projects = tuple(dict.fromkeys([*targets, *([scope["project"]] if scope.get("project") else [])]))
    paths = tuple(scope.get("paths") or ())
    reach: Reach = "unassigned" if not projects else "path" if paths else "project"
    return Scoped(reach, projects, paths)


def cues_in(statement: str, evidence: Iterable[Mapping[str, Any]]) -> tuple[tuple[int, int], ...]:
    """Where the words that make a rule of the statement stand in it, three at most.

    Of the quote that is the statement by their place; of others by their words, whole ones, since those were tidied up.
    """
    found: dict[tuple[int, int], None] = {}
    for piece in evidence:
        excerpt, cues = str(piece.get("excerpt") or ""), piece.get("cues") or ()
        first, last = piece.get("statement_span") or (0, 0)
        if excerpt[first:last] == statement:
            found.update(dict.fromkeys((s - first, e - first) for s, e in cues if first <= s < e <= last))
        else:
            found.update(dict.fromkeys(_spelled(statement, (excerpt[s:e] for s, e in cues))))
    chosen: list[tuple[int, int]] = []
    for start, end in found:
        if len(chosen) < CUES_SHOWN and all(end <= a or start >= b for a, b in chosen):
            chosen.append((start, end))
    return tuple(sorted(chosen))


def _spelled(statement: str, words: Iterable[str]) -> Iterable[tuple[int, int]]:
    for word in map(one_line, words):
        if not word:
            continue
        # Scripts without spaces have no ends of words to look for.
        edges = [r"(?<!\w)" if word[0].isascii() else "", r"(?!\w)" if word[-1].isascii() else ""]
        match = re.search(re.escape(word).join(edges), statement, re.IGNORECASE)
        if match is not None:
            yield match.span()


def _where(scoped: Scoped) -> str:
    if scoped.reach == "path" and len(scoped.projects) == 1:
        return short_project(scoped.projects[0])
    return scoped.in_words()


def _tags(state: State, candidates: Iterable[str]) -> tuple[str, ...]:
    found = (state.candidates[ident].data.get("tags") or () for ident in candidates if ident in state.candidates)
    return tuple(dict.fromkeys(tag for tags in found for tag in tags))


def _haystack(statement: str, scoped: Scoped, flags: Sequence[str], evidence: Iterable[Mapping[str, Any]]) -> str:
    quotes = (str(piece.get("excerpt") or "") for piece in evidence)
    told = (quote for quote in quotes if quote != statement)
    return "\n".join([statement, scoped.in_words(), *scoped.projects, *flags, *told]).casefold()
