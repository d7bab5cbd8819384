"""Records that say the same in the same place: one of them is enough. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from curate.matching.same import agree
from curate.upkeep.finding import Finding, Sketch

if TYPE_CHECKING:
    from curate.review.known import Records
    from store.log.fold import Versions

_EXCEPTED = ("known_exceptions", "does_not_apply_when", "applies_when")
"""What makes a rule another one."""


class Place(NamedTuple):
    """Where a record holds."""

    type: str
    project: str | None
    paths: tuple[str, ...]
    domains: tuple[str, ...]

    def covers(self, other: Place) -> bool:
        """Whether what holds here holds there, too."""
        if self.type == "global" or self == other:
            return True
        return self.type == other.type == "project" and self == other._replace(paths=(), domains=())


def duplicates(records: Sequence[Versions], known: Records) -> Iterator[Finding]:
    """For each pair, the one to give up: the narrower, else the one with less evidence, else the younger.

    Those that mean the same share a key, and only those of one world are laid side by side: so ten thousand records of
    forty projects are not forty times as much work as one project's.
    """
    alike: dict[tuple[Any, ...], list[tuple[Place, dict[str, Any]]]] = {}
    plain = (versions.data for versions in records if not any(versions.data.get(name) for name in _EXCEPTED))
    for data in sorted(plain, key=_rank):
        asked, place = known.meaning_of(data["id"]), _place(data)
        worlds = [(*_world(data), key) for key in asked.keys]
        for kept_place, kept in (each for world in worlds for each in _around(alike, world, place)):
            if kept_place.covers(place) and agree(asked, known.meaning_of(kept["id"])):
                why = f"{kept['id']} says the same{_reach(kept_place, place)}: {kept['statement']}"
                yield Finding("duplicate", [data["id"], kept["id"]], data["statement"], why,
                              Sketch("deprecate", data["id"], doubt=True))  # fmt: skip
                break
        else:
            for world in worlds:
                alike.setdefault((*world, place.type, place.project), []).append((place, data))


def _around(
    alike: dict[tuple[Any, ...], list[tuple[Place, dict[str, Any]]]], world: tuple[Any, ...], place: Place
) -> Iterator[tuple[Place, dict[str, Any]]]:
    """What was met before that may cover a place: what holds everywhere, and what holds in that project."""
    for home in dict.fromkeys([("global", None), (place.type, place.project)]):
        yield from alike.get((*world, *home), ())


def _world(data: dict[str, Any]) -> tuple[Any, ...]:
    """Profile, layer and time of validity: records that differ in these have nothing to do with each other."""
    return data.get("profile"), data.get("layer", "L2"), data.get("valid_from"), data.get("valid_to")


def _place(data: dict[str, Any]) -> Place:
    scope = data.get("scope") or {}
    return Place(
        scope.get("type", "global"), scope.get("project"),
        tuple(sorted(scope.get("paths") or ())), tuple(sorted(scope.get("domains") or ())),
    )  # fmt: skip


def _reach(kept: Place, lost: Place) -> str:
    if kept == lost:
        return ""
    return " everywhere" if kept.type == "global" else " in the whole project"


def _rank(data: dict[str, Any]) -> tuple[Any, ...]:
    """Whoever comes first stays."""
    place = _place(data)
    return (
        place.type != "global", bool(place.paths or place.domains), not data.get("pinned"),
        -len(data.get("evidence") or ()), data.get("created_at"), data["id"],
    )  # fmt: skip
