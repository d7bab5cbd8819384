"""How the content of a new record comes together from an op, its candidates, and the record it follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain
from typing import Any

from store.patch.draft import Change, Item, Skip, Write
from store.patch.trust import expected_confidence
from store.state import places
from store.text import clean, fingerprint, one_line

FROM_CANDIDATE = ("statement", "body", "rule_type", "layer", "profile", "tags", "scope")
CADENCE_DAYS = {"low": 30, "semi-stable": 90, "stable": 180}
"""How long a new record is left alone when nobody says otherwise, by stability."""


def tidy(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Record fields with their text made harmless: one line where one is meant, no hidden characters, no doubles."""
    return {
        name: one_line(value) if type(value) is str and name != "body" else _tidy(value, keep_lines=name == "body")
        for name, value in fields.items()
    }


def joined(*lists: Iterable[str]) -> list[str]:
    """The lists as one, each value once, in the order first met."""
    return list(dict.fromkeys(chain.from_iterable(lists)))


def candidates(change: Change) -> list[Item] | Skip:
    """The candidates that an op rests on, or why they cannot be taken in.

    A candidate accepted earlier in the same patch may be used again: one change of mind can replace several records.
    """
    lift = bool(change.op.updates.get("lift_tombstone"))
    found = []
    for ident in change.op.candidate_ids:
        item = change.draft.item("candidate", ident)
        if item is None:
            return Skip("unknown_target", f"no candidate {ident}")
        if item.forked:
            return Skip("not_applicable", f"candidate {ident} has two versions; resolve the fork first")
        if ident in change.draft.state.purged:
            return Skip("not_applicable", f"candidate {ident} was purged")
        again = item.fresh and item.status == "accepted"
        if not (item.status in ("waiting", "deferred") or again or (lift and item.status == "rejected")):
            detail = f"candidate {ident} is already {item.status}"
            return Skip("already_applied" if _made_by(change, ident) else "not_applicable", detail)
        found.append(item)
    return found


def accepted(change: Change, sources: Iterable[Item], became: list[str]) -> list[Write]:
    """The candidates as accepted, each naming the records it became part of."""
    writes = []
    for item in sources:
        known = item.content.get("became") or []
        fields = item.with_(
            status="accepted", became=joined(known, became), reason=None, defer_until=None, updated_at=change.at
        )
        writes.append(Write("candidate", fields))
    return writes


def new_content(change: Change, sources: list[Item], inherited: Mapping[str, Any]) -> dict[str, Any]:
    """Everything of a new record but its id, scope and group: what the op says, else its candidates, else the record
    it follows, else a default.
    """
    fields = dict(inherited)
    for name in FROM_CANDIDATE if sources else ():
        values = [item.content[name] for item in sources if item.content.get(name)]
        if values and (name in ("statement", "body") or name not in fields):
            fields[name] = joined(*values) if name == "tags" else values[0]
    said = {name: value for name, value in (change.op.record or {}).items() if value is not None}
    fields |= said
    there = change.draft.state.evidence
    own = [ident for ident in said.get("evidence", ()) if ident in there]
    if "evidence_against" in said:
        fields["evidence_against"] = [ident for ident in said["evidence_against"] if ident in there]
    fields["evidence"] = joined(own, *(item.content.get("evidence", ()) for item in sources))
    if "confidence" not in said:
        known = change.draft.state.spoken(fields)
        if known:
            fields["confidence"] = expected_confidence(known)
    fields.setdefault("stability", "semi-stable")
    fields["review"] = _review(fields.get("review"), fields["stability"], change.at)
    fields.setdefault("created_at", change.at)
    fields.setdefault("updated_at", change.at)
    return tidy(fields)


def scopes(change: Change, fields: Mapping[str, Any], sources: list[Item]) -> list[dict[str, Any]] | Skip:
    """One scope per record to make: the targets named by the op, else by the scope, else by the candidates."""
    scope = dict(fields.get("scope") or ({"type": "project"} if change.op.targets else {"type": "global"}))
    said = (change.op.record or {}).get("scope") is not None
    if change.op.targets and not said:
        scope["type"] = "project"
    if scope.get("type", "project") != "project":
        return [scope]
    named: list[str] = list(change.op.targets)
    if not named and scope.get("project"):
        named = [scope["project"]]
    if not named:
        for item in sources:
            own = (item.content.get("scope") or {}).get("project")
            named += [*(item.content.get("targets") or ()), *([own] if own else ())]
    if not named:
        return Skip("not_applicable", "nobody said for which project; name targets, or make its scope global")
    homes = joined(change.draft.project(target)[0] for target in named)
    rest = {key: value for key, value in scope.items() if key not in ("type", "project")}
    return [{"type": "project", "project": home, **rest} for home in homes]


def registered(change: Change, scope: Mapping[str, Any]) -> list[Write]:
    """The line that registers a scope's project when the registry does not know it."""
    return change.draft.project(scope["project"])[1] if scope.get("project") else []


def tombstoned(change: Change, statement: str, wanted: Iterable[dict[str, Any]]) -> Skip | list[Write]:
    """Nothing when the statement may be written; otherwise why not, or the tombstones lifted where the op says so."""
    wanted = list(wanted)
    marks = [mark for scope in wanted if (mark := change.draft.tombstone_for(fingerprint(statement), scope))]
    if change.op.updates.get("lift_tombstone"):
        prints = {fingerprint(statement)}
        for ident in change.op.candidate_ids:
            item = change.draft.item("candidate", ident)
            prints |= {fingerprint(item.content["statement"])} if item else set()
        return lifted(change, prints, wanted)
    if not marks:
        return []
    mark = marks[0]
    return Skip(
        "tombstoned",
        f"the same statement was {mark['cause']} on {mark['created_at'][:10]} ({mark['of']}); "
        'to bring it back set "updates": {"lift_tombstone": true}',
    )


def moment(text: str) -> datetime:
    """A point in time from RFC 3339, or a bare date taken as midnight UTC. Raises ValueError."""
    parsed = datetime.fromisoformat(text)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


@lru_cache(maxsize=64)
def days_after(text: str, days: int) -> str:
    """The same time of day some days later, RFC 3339 in UTC."""
    return (moment(text) + timedelta(days=days)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _tidy(value: Any, *, keep_lines: bool = False) -> Any:
    if isinstance(value, str):
        return (clean(value).strip() or None) if keep_lines else one_line(value)
    if isinstance(value, list):
        if all(isinstance(item, str) for item in value):
            return joined(filter(None, map(one_line, value)))
        return [_tidy(item) for item in value]
    return tidy(value) if isinstance(value, dict) else value


def _review(given: Mapping[str, Any] | None, stability: str, at: str) -> dict[str, Any]:
    review = dict(given or {})
    if "cadence_days" not in review and "next_review" not in review:
        review["cadence_days"] = CADENCE_DAYS.get(stability, 90)
    if review.get("cadence_days") and not review.get("next_review"):
        review["next_review"] = days_after(at, review["cadence_days"])
    return review


def lifted(change: Change, prints: set[str], wanted: list[dict[str, Any]]) -> list[Write]:
    """The live marks of these statements in these places, as lifted."""
    where = set().union(*(places(scope) for scope in wanted))
    writes = []
    for ident, versions in change.draft.state.tombstones.items():
        item = change.draft.item("tombstone", ident)
        if item is None or item.content.get("lifted") or versions.data.get("fingerprint") not in prints:
            continue
        if where & places(item.content.get("scope") or {}, item.content.get("targets") or ()):
            writes.append(Write("tombstone", item.with_(lifted=True, updated_at=change.at)))
    return writes


def _made_by(change: Change, ident: str) -> bool:
    versions = change.draft.state.candidates.get(ident)
    return versions is not None and versions.head.patch == change.draft.patch_id
