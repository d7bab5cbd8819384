"""Today's sessions of a project, from their observations: how many, and what was asked last in each of the others."""

from __future__ import annotations

from store.index.opened import discard_broken
from store.index.projects import commit_of, names_of
from store.index.schema import Fault, is_busy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    from curate.recall.request import Request

LIMIT = 8
"""Sessions that are named."""
# Both texts were made harmless when they were indexed.
_QUERY = (
    "SELECT session, agent, name, id, gist, project FROM sitting WHERE day = ? AND profile IN ('', ?) "
    "ORDER BY day, time, id"
)
_BARRED = "SELECT id FROM barred CROSS JOIN stated USING (mark)"  # few are barred, much is stated


def todays_sessions(db: Connection, knowledge: Connection, request: Request) -> tuple[int, tuple[str, ...]]:
    """How many sessions there were today in the request's project, and a line for each but the one that asks, the
    latest first. Nothing when that cannot be told.
    """
    if request.project is None or not request.today:
        return 0, ()
    here = names_of(db, request.project)
    latest: dict[tuple[str, str], tuple[str, str]] = {}
    try:
        rows = knowledge.execute(_QUERY, (request.today, request.profile or "")).fetchall()
        barred = {row[0] for row in knowledge.execute(_BARRED)} if rows else ()
    except Fault as fault:
        if not is_busy(fault):
            discard_broken(knowledge)
        return 0, ()
    for session, agent, name, ident, gist, project in rows:
        if project in here or commit_of(project) and commit_of(project) in here:
            key = (agent, session)
            if ident not in barred or key not in latest:
                latest.pop(key, None)
                latest[key] = (name, "" if ident in barred else gist)
    others = [told for (_, session), told in reversed(latest.items()) if not session or session != request.session]
    return len(latest), tuple(f"- [{name}] {said}" for name, said in others[:LIMIT] if said)
