"""A person's prompt answered in the agent's own JSON: what recall has for this turn, once it stands in the journal.

Standard library only, and little of it: the whole process has to be done before anybody notices.
"""

from __future__ import annotations

import os
import time

from curate.recall import journal
from curate.recall.gate import MACHINE, own_words
from curate.recall.plainjson import dumps
from curate.recall.planner import plan
from curate.recall.turn import request_for
from store.index import schema
from store.index.fresh import stale, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Any

    from curate.recall.planned import Plan

SESSION_KEYS = ("session_id", "sessionId", "sessionID", "conversation_id")
INLINE_BYTES = 400_000
"""Bytes of logs that are read while the agent waits. More is read by a process of its own: a missing index is there for
the next turn, and an old one answers meanwhile.
"""
WAIT = 0.3
"""Seconds to wait for another process that is writing to the index."""


class NotNow(Exception):
    """Another process has the index, or is building it: nothing can be said in this turn, and nothing is wrong."""


def answer(
    agent: str, payload: dict[str, Any], root: str, transcript: str | None, event: str = "",
    leave_by: float | None = None, *, behind: bool = False,
) -> bytes:  # fmt: skip
    """What to print for a prompt; nothing when there is nothing to say. Raises `NotNow`, and whatever goes wrong.

    `leave_by` is a reading of the monotonic clock: whatever may take long has to be done by then. `behind` leaves
    all building to a process of its own, where it took too long before.
    """
    prompt = payload.get("prompt")
    if not isinstance(prompt, str) or payload.get("messageType") == "custom":
        return b""
    own = own_words(prompt)
    if not own or own.startswith(MACHINE) or not os.path.isdir(root):
        return b""
    asked, agent = agent, speaker(agent, payload)
    if asked != agent == "copilot" and copilot_is_connected():
        return b""  # its own hook answers; two would be two answers
    try:
        db = open_index(root, behind=behind)
        return _answered(db, agent, payload, root, transcript, event, leave_by)
    except NotNow:
        _keep_silence(root, agent, payload)
        raise
    except schema.Fault as fault:
        if schema.is_busy(fault):
            _keep_silence(root, agent, payload)
            raise NotNow(str(fault)) from fault
        schema.discard(root)
        raise


def speaker(agent: str, payload: dict[str, Any]) -> str:
    """Who really calls: Copilot and Cursor run hooks that were written for Claude Code.

    What is in the surroundings is inherited by agents that one agent starts; Claude Code names its session there.
    """
    if agent == "copilot":
        return agent
    if os.environ.get("COPILOT_CLI") == "1" and os.environ.get("CLAUDE_CODE_SESSION_ID") != payload.get(
        "session_id", ""
    ):
        return "copilot"
    return "cursor" if agent == "claude-code" and "cursor_version" in payload else agent


def copilot_is_connected() -> bool:
    """Whether Copilot has a hook of its own from us."""
    folder = os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot")
    return os.path.isfile(os.path.join(folder, "hooks", "curate.json"))


def _answered(
    db: Connection, agent: str, payload: dict[str, Any], root: str, transcript: str | None, event: str,
    leave_by: float | None,
) -> bytes:  # fmt: skip
    now = time.gmtime()
    prompt = str(payload["prompt"])
    session = _session(payload)
    request = request_for(
        db, root, prompt, folder=_folder(payload), today=time.strftime("%Y-%m-%d", now), agent=agent, session=session,
        transcript=transcript, patient=False, at=time.strftime("%Y-%m-%dT%H:%M:%SZ", now),
        leave_by=leave_by,
    )  # fmt: skip
    planned = plan(db, request)
    journal.write(root, planned, session=session, agent=request.agent, at=time.strftime("%Y-%m-%dT%H:%M:%SZ", now))
    return shape(request.agent, planned, str(payload.get("hook_event_name") or event)) if planned.block else b""


def _keep_silence(root: str, agent: str, payload: dict[str, Any]) -> None:
    """Have the journal say why this turn got nothing, although nothing was looked up."""
    from curate.recall.planned import Plan
    from curate.recall.silence import NO_INDEX

    nothing = Plan("", None, "", 0)
    nothing.skipped = NO_INDEX
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    journal.write(root, nothing, session=_session(payload), agent=agent, at=at)


def _session(payload: dict[str, Any]) -> str:
    return next((str(payload[key]) for key in SESSION_KEYS if payload.get(key)), "")


def shape(agent: str, planned: Plan, event: str) -> bytes:
    """The block as each agent takes it. An object for two agents fits neither."""
    block = planned.block
    if agent == "copilot":
        value: dict[str, Any] = {"additionalContext": block}
    elif agent == "pi":
        value = {"message": {"customType": "curate-memory", "content": block, "display": False}}
    elif agent == "opencode":
        value = {"parts": [{"type": "text", "text": block, "synthetic": True}]}
    elif agent == "cursor":
        value = {"continue": True, "additional_context": block}
    else:
        name = "BeforeAgent" if agent == "gemini" else "UserPromptSubmit"
        value = {"hookSpecificOutput": {"hookEventName": event if event in {name, "UserPromptSubmit"} else name,
                                        "additionalContext": block}}  # fmt: skip
    return dumps(value, plain=True).encode("ascii") + b"\n"


def open_index(root: str, *, behind: bool = False) -> Connection:
    """The index, up to date if that can be done at once. Raises `NotNow` where it is built first, for the next turn."""
    inline = -1 if behind else INLINE_BYTES
    path = schema.current(root)
    late = None
    if path is not None:
        try:
            db = schema.connect(path, wait=WAIT)
            changed = stale(db, root)
            if not changed:
                return db
            late = db
            if _growth(db, root, changed) > inline:
                _build_behind(root)
                return late
        except (schema.NoIndex, schema.Fault) as fault:
            if schema.is_busy(fault):
                raise
            path = None
    if path is None and _bytes_of_logs(root) > inline:
        _build_behind(root)
        raise NotNow
    from pathlib import Path

    from store.index.refresh import refreshed

    try:
        return refreshed(Path(root), wait=WAIT, hurried=True)
    except schema.Fault as fault:
        if schema.is_busy(fault) and late is not None:
            return late  # another process is taking in the news: this turn goes by what was known
        raise


def _folder(payload: dict[str, Any]) -> str:
    named = payload.get("cwd")
    if not isinstance(named, str) or not named:
        roots = payload.get("workspace_roots")
        named = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else os.getcwd()
    return named


def _growth(db: Connection, root: str, names: list[str]) -> int:
    """Bytes that were added to these files since the index read them."""
    known = dict(db.execute("SELECT name, size FROM file").fetchall())
    return sum(max(0, stamp(f"{root}{os.sep}{name}")[1] - known[name]) for name in names)


def _bytes_of_logs(root: str) -> int:
    total = 0
    for folder in ("memory", "memory/projects"):
        try:
            with os.scandir(f"{root}/{folder}") as entries:
                total += sum(entry.stat().st_size for entry in entries if entry.name.endswith(".jsonl"))
        except OSError:
            continue
    return total


def _build_behind(root: str) -> None:
    """Build the index in a process of its own, which outlives the agent; unless one is at it."""
    import subprocess
    import sys

    from store.index.builder import BEHIND, another_builds

    if another_builds(root, BEHIND):
        return
    compiled = ["-B"] if sys.dont_write_bytecode else []
    command = [sys.executable, *compiled, "-P", "-X", "utf8", "-m", "curate.recall.building", root]
    detached: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        detached = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    env = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))}
    subprocess.Popen(
        command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **detached
    )
