"""One turn from the outside world's words to a request: which index, which project, which files. All I/O of recall that
is not the index itself or the journal stands here; hook, command line, service and app come in through it.
"""

from __future__ import annotations

from curate.recall.continuity import inside, is_starting, previous_session, state_path
from curate.recall.notes import read_notes
from curate.recall.place import place_of, profile_of
from curate.recall.request import Request
from curate.recall.settings import Settings, read_settings
from curate.recall.visible_text import recent_files, visible_text
from store.index.opened import open_knowledge
from store.index.projects import canonical, is_other

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection


def request_for(
    db: Connection,
    root: str,
    prompt: str,
    *,
    folder: str,
    today: str,
    agent: str = "",
    session: str = "",
    transcript: str | None = None,
    layout: str | None = None,
    budget: int | None = None,
    files: tuple[str, ...] = (),
    profile: str | None = None,
    project: str | None = None,
    patient: bool = True,
    at: str = "",
    leave_by: float | None = None,
) -> Request:
    """The request for a turn in a folder of the user's, or of a named project; `root` is the store's. A folder that
    is not of that project, or of none, tells nothing of the work.

    Unless `patient`, what would take long is left out. Told the moment (`at`, RFC 3339 in UTC), it looks whether
    another agent has just left. `leave_by` is a reading of the monotonic clock, for whom nothing may take longer.
    """
    settings: Settings = read_settings(root)
    place = place_of(db, folder)
    stands = place.project
    if project:
        from store.project.named import named

        project = named(project)
    if project:
        place.name = place.name if place.project else project.rpartition("/")[2]
        place.project = canonical(db, project)
        place.profile = profile_of(db, place.project.partition("#")[0]) or place.profile
    chosen = layout or settings.layout
    request = Request(
        prompt,
        project=place.project,
        project_name=place.name,
        root=place.root if stands and stands == place.project else None,
        cwd=place.cwd,
        files=files,
        agent=agent,
        session=session,
        layout=chosen,
        profile=profile or place.profile or settings.profile,
        today=today,
        budget=budget or (settings.budget if layout is None else None),
        mode=settings.mode,
        fusion=settings.fusion,
        notes=read_notes(root, today, lambda name: is_other(db, name, place.project)),
    )
    request.weights = settings.weights
    if settings.meaning is not None:
        from curate.recall.meaning import semantic_of

        request.semantic = semantic_of(root, settings.meaning, leave_by)
    if settings.judge is not None and chosen != "context":
        from curate.recall.judge import asker

        request.judge = asker(settings.judge, leave_by)
    if chosen != "context":
        _knowledge(db, root, request, patient=patient)
    if chosen != "context" and at and place.project:
        paths = [state_path(root, place.project), inside(place.root, settings.session_state)]
        told = previous_session([path for path in paths if path], request, at)
        request.previous = told if told and is_starting(root, session) else ()
    if transcript and chosen == "context":
        request.transcript = visible_text(transcript, prompt)
    if transcript and not files and place.project and (chosen == "knowledge" or _has_paths(db)):
        request.files = recent_files(transcript, place.root)
    if chosen == "context":
        from curate.recall.weak_domains import read_outcomes, weak_domains

        request.weak = weak_domains(read_outcomes(root), place.project)
    if session and chosen == "context":
        from curate.recall.journal import used_in

        request.used = used_in(root, session)
    return request


def _knowledge(db: Connection, root: str, request: Request, *, patient: bool) -> None:
    """Open the index of what happened, and note today's sessions from it."""
    knowledge = open_knowledge(root, patient=patient)
    if knowledge is None:
        return
    if request.layout == "knowledge":
        request.knowledge = knowledge
        return
    from curate.recall.sittings import todays_sessions

    count, lines = todays_sessions(db, knowledge, request)
    if count:
        request.notes.daily = (f"Sessions today: {count}", *request.notes.daily)
        request.notes.sessions = lines
    knowledge.close()


def _has_paths(db: Connection) -> bool:
    return db.execute("SELECT 1 FROM bucket WHERE paths != '' LIMIT 1").fetchone() is not None
