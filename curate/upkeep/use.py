"""What the turns tell of a record: never put in, put in and corrected all the same, or confirmed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from curate.matching.normal import meaning
from curate.matching.same import agree
from curate.upkeep.finding import Finding, Sketch, days_between, moment
from store.log.fold import status
from store.patch.trust import STRONG, weight

if TYPE_CHECKING:
    from curate.review.known import Records
    from curate.upkeep.turns import Sent
    from store.log.fold import Versions
    from store.state import State

ENOUGH = 20
"""Turns in a record's place that must have been seen before it counts as unused."""
OLD = 60
"""Days that a record must have stood for that."""
OFTEN = 2
"""Corrections after an injection from which a rule wants rewriting."""


def unused(records: Iterable[Versions], turns: Sequence[Sent], at: str) -> Iterator[Finding]:
    """Records that were in no turn although there were many where they hold."""
    used = frozenset[str]().union(*(turn.ids for turn in turns))
    by_project: dict[str | None, int] = {}
    for turn in turns:
        by_project[turn.project] = by_project.get(turn.project, 0) + 1
    for versions in records:
        data = versions.data
        if versions.id in used or data.get("pinned") or days_between(data.get("created_at"), at) < OLD:
            continue
        project = (data.get("scope") or {}).get("project")
        chances = by_project.get(project, 0) if project else len(turns)
        if chances >= ENOUGH:
            why = f"in none of the last {chances} turns where it holds; no longer needed, or never found?"
            yield Finding("unused", [versions.id], data["statement"], why, Sketch("deprecate", versions.id, doubt=True))


def corrected(state: State, records: Records, turns: Sequence[Sent]) -> Iterator[Finding]:
    """Records that a person said again after the agent had been told them: as a correction, or as a confirmation."""
    told: dict[str, list[Sent]] = {}
    for turn in turns:
        for ident in turn.ids:
            told.setdefault(ident, []).append(turn)
    said = _said_again(state, records, told.keys())
    for ident, pieces in sorted(said.items()):
        versions = state.records[ident]
        after = [piece for piece in pieces if _after(piece, told[ident])]
        wrong = [piece for piece in after if piece.get("trust") == "user_correction"]
        right = len(after) - len(wrong)
        times = len(told[ident])
        if len(wrong) >= OFTEN:
            why = (
                f"put into {_turns(times)} and corrected {len(wrong)} times after that: "
                "reword it so that it is followed, or let a lint or a hook enforce it"
            )
            sketch = (
                None if (versions.data.get("review") or {}).get("next_review") else Sketch("flag_for_review", ident)
            )
            yield Finding("still_corrected", [ident], versions.data["statement"], why, sketch)
        elif after:
            what = [f"corrected {len(wrong)}x"] * bool(wrong) + [f"said again {right}x"] * bool(right)
            why = f"{' and '.join(what)} after it was put into {_turns(times)}"
            yield Finding("reinforced", [ident], versions.data["statement"], why)


def _said_again(state: State, records: Records, told: Iterable[str]) -> dict[str, list[Mapping[str, Any]]]:
    """What a person said of each of these records: its own evidence, and that of candidates that mean the same."""
    wanted = {ident for ident in told if ident in state.records and status(state.records[ident]) == "active"}
    found: dict[str, dict[str, Mapping[str, Any]]] = {
        ident: {piece["id"]: piece for piece in state.spoken(state.records[ident].data)} for ident in wanted
    }
    for versions in state.candidates.values():
        data = versions.data
        if data.get("status", "waiting") not in {"waiting", "deferred"} or weight(data.get("trust")) < STRONG:
            continue
        asked = meaning(data["statement"], data.get("language"))
        for ident in records.near(asked):
            if ident in wanted and agree(asked, records.meaning_of(ident)):
                for evidence in data.get("evidence") or ():
                    if evidence in state.evidence:
                        found[ident][evidence] = state.evidence[evidence]
    return {
        ident: [piece for piece in pieces.values() if weight(piece.get("trust")) >= STRONG]
        for ident, pieces in found.items()
    }


def _after(piece: Mapping[str, Any], turns: Sequence[Sent]) -> bool:
    """Whether it was said in a session that had been told the record before."""
    time = piece.get("time")
    return bool(time) and any(turn.session == piece.get("session") and moment(turn.at) < moment(time) for turn in turns)


def _turns(number: int) -> str:
    return "1 turn" if number == 1 else f"{number} turns"
