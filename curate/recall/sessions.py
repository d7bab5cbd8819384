"""Past sessions, from the observations of their turns: listed, searched, and read turn by turn.

Whoever asks says what may be seen: a person all of it, an agent only what belongs to its project and profile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from store.index import knowledge
from store.index.encoder import Encoder
from store.index.lookup import ALL, THOROUGH
from store.index.search import search as find
from store.knowledge.lines import OBSERVATIONS, in_time, read, text, texts
from store.text import shorten

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from store.knowledge.lines import Item

Allowed = Callable[[str, str], bool]
"""Whether what belongs to a project and a profile (either may be empty) may be seen."""
LIMIT = 20
NEAR = 0.35
"""Cosine from which a turn counts as found though it shares no word."""
ASKED = 160


def everything(_project: str, _profile: str) -> bool:
    """For a person at their own machine."""
    return True


def only(projects: Collection[str], profile: str | None = None) -> Allowed:
    """For an agent: one project, by all its names, and one profile."""

    def allowed(project: str, world: str) -> bool:
        return project in projects and (not world or world == profile)

    return allowed


def sessions(root: Path, *, since: str = "", limit: int = LIMIT, allowed: Allowed = everything) -> list[dict[str, Any]]:
    """Sessions with a turn on or after a day, the latest first."""
    groups: dict[tuple[str, str], list[Item]] = {}
    for one in read(root, OBSERVATIONS).values():
        if text(one, "day") >= since and allowed(text(one, "project"), text(one, "profile")):
            groups.setdefault((text(one, "agent"), text(one, "session")), []).append(one)
    found = [_summary(turns) for turns in groups.values()]
    found.sort(key=lambda each: (each["until"] or "", each["session"]), reverse=True)
    return found[:limit]


def session(root: Path, name: str, *, allowed: Allowed = everything) -> dict[str, Any] | None:
    """One session with its turns, by its name or what that begins with; None when there is none, or more than one."""
    known: dict[tuple[str, str], list[Item]] = {}
    for one in read(root, OBSERVATIONS).values():
        own = text(one, "session")
        if own.startswith(name) and own and allowed(text(one, "project"), text(one, "profile")):
            known.setdefault((own, text(one, "agent")), []).append(one)
    exact = {key: turns for key, turns in known.items() if key[0] == name}
    chosen = list((exact or known).values())
    if len(chosen) != 1:
        return None
    turns = sorted(chosen[0], key=in_time)
    return {**_summary(turns), "turns": [_turn(one) for one in turns]}


def search(
    root: Path, query: str, *, limit: int = LIMIT, allowed: Allowed = everything, encoder: Encoder | None = None
) -> list[dict[str, Any]]:
    """Turns and digests that a text is about, best first, without those that say what a person rejected.

    Raises `schema.Fault`, `StoreUnusable`, OSError.
    """
    db = knowledge.refreshed(root)
    try:
        buckets = [
            bucket
            for bucket, project, profile in db.execute(
                "SELECT bucket, project, profile FROM bucket WHERE layer IN ('observations', 'digests') AND count > 0"
            ).fetchall()
            if allowed(project, profile)
        ]
        if not buckets:
            return []
        asked = find(db, query, buckets=buckets, encoder=encoder or Encoder(), near=THOROUGH, postings=ALL)
        found = []
        barred = {row[0] for row in db.execute(_BARRED)}
        for hit in asked.hits:
            if hit.number not in barred and (hit.bm25 > 0 or hit.cosine >= NEAR):
                row = db.execute(_HIT, (hit.number,)).fetchone()
                found.append({**dict(zip(_FIELDS, row, strict=True)), "score": round(hit.score, 4)})
            if len(found) >= limit:
                break
        return found
    finally:
        db.close()


_BARRED = "SELECT record.n FROM barred CROSS JOIN stated USING (mark) CROSS JOIN record USING (id)"
_FIELDS = ("id", "tier", "session", "agent", "time", "day", "name", "text", "project")
_HIT = (
    "SELECT record.id, source.tier, source.session, source.agent, source.time, source.day, source.name, "
    "CASE WHEN record.body = '' THEN record.gist ELSE record.body END, bucket.project "
    "FROM record JOIN source USING (id) JOIN bucket USING (bucket) WHERE record.n = ?"
)


def _summary(turns: Iterable[Item]) -> dict[str, Any]:
    ordered = sorted(turns, key=in_time)
    asked = [text for one in ordered for text in texts(one, "asked")]
    last = ordered[-1]
    return {
        "session": text(last, "session"),
        "agent": text(last, "agent"),
        "project": last.get("project"),
        "name": last.get("name"),
        "since": ordered[0].get("time"),
        "until": last.get("time"),
        "count": len(ordered),
        "asked": shorten(asked[0], ASKED) if asked else "",
        "last": shorten(asked[-1], ASKED) if asked else "",
        "files": len({path for one in ordered for path in texts(one, "files")}),
        "commits": [text for one in ordered for text in texts(one, "commits")],
        "ended": text(last, "ended"),
    }


def _turn(one: Item) -> dict[str, Any]:
    lists = ("files", "commands", "commits", "decisions", "corrections")
    found = {"id": one["id"], "time": one.get("time"), "asked": next(iter(texts(one, "asked")), "")}
    return found | {name: texts(one, name) for name in lists if texts(one, name)} | {"ended": text(one, "ended")}
