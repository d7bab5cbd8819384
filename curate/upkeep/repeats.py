"""Records that say the same in the same place: one of them is enough. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from curate.matching.same import agree
from curate.upkeep.finding import Finding, Sketch

if TYPE_CHECKING:
    from curate.review.known import Records
    from store.log.fold import Versions


def duplicates(records: Sequence[Versions], known: Records) -> Iterator[Finding]:
    """For each pair, the one to give up: the narrower, else the one with less evidence, else the younger."""
    by_id = {versions.id: versions for versions in records}
    given_up: set[str] = set()
    for versions in records:
        if versions.id in given_up:
            continue
        asked = known.meaning_of(versions.id)
        for other in known.near(asked):
            if other <= versions.id or other not in by_id or other in given_up:
                continue
            a, b = versions.data, by_id[other].data
            if not _together(a, b) or not agree(asked, known.meaning_of(other)):
                continue
            kept, lost = sorted((a, b), key=_rank)
            where = "" if _place(kept) == _place(lost) else " everywhere"
            why = f"{kept['id']} says the same{where}: {kept['statement']}"
            given_up.add(lost["id"])
            yield Finding("duplicate", [lost["id"], kept["id"]], lost["statement"], why,
                          Sketch("deprecate", lost["id"], doubt=True))  # fmt: skip
            if lost["id"] == versions.id:
                break


def _together(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """In the same world, and one holds wherever the other does; exceptions of its own make a rule another one."""
    if a.get("profile") != b.get("profile") or a.get("layer", "L2") != b.get("layer", "L2"):
        return False
    if any(a.get(name) or b.get(name) for name in ("known_exceptions", "does_not_apply_when", "applies_when")):
        return False
    return _place(a) == _place(b) or "global" in {_place(a)[0], _place(b)[0]}


def _place(data: dict[str, Any]) -> tuple[Any, ...]:
    scope = data.get("scope") or {}
    return (
        scope.get("type", "global"), scope.get("project"), tuple(scope.get("paths") or ()),
        tuple(scope.get("domains") or ()),
    )  # fmt: skip


def _rank(data: dict[str, Any]) -> tuple[Any, ...]:
    return (
        _place(data)[0] != "global", bool(_place(data)[2]), not data.get("pinned"), -len(data.get("evidence") or ()),
        data.get("created_at"), data["id"],
    )  # fmt: skip
