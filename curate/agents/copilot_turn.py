"""One turn of Copilot, told where its version listens, and retrieved once.

What was retrieved for a prompt stands in the journal. Where a version takes context beside the result of a tool and not
with the prompt, a mark says that the turn has still to be told; the first tool call takes the mark and tells it.
"""

from __future__ import annotations

import os

from curate.agents.channels import PROMPT, START, TOOL, here
from curate.recall import journal
from curate.recall.plainjson import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MARKS = "logs/untold"
BASELINE = "Work on the code of this project."
"""What a session that begins without a prompt is taken to be about, where only its beginning can be told anything."""
_TAIL = 256 * 1024


def told(name: str, payload: dict[str, Any], root: str, answer: Callable[[dict[str, Any]], bytes]) -> bytes:
    """What to print at an event (its name without case and punctuation). `answer` retrieves for a payload."""
    where = here(os.environ)
    session = str(payload.get("sessionId") or payload.get("session_id") or "")
    if name == START:
        if START not in where or payload.get("source") == "resume":
            return b""
        return answer({**payload, "prompt": payload.get("initialPrompt") or payload.get("initial_prompt") or BASELINE})
    if name == TOOL:
        return _untold(root, session) if TOOL in where and session else b""
    if where == (START,) or not {PROMPT, TOOL} & set(where):
        return b""
    told = answer(payload)
    if TOOL in where and session:
        _mark(root, session, told=not told)
    return told if PROMPT in where else b""


def _mark(root: str, session: str, *, told: bool) -> None:
    path = _mark_of(root, session)
    try:
        if told:
            os.unlink(path)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    except OSError:
        return


def _untold(root: str, session: str) -> bytes:
    try:
        os.unlink(_mark_of(root, session))  # whoever removes it is the one to tell
    except OSError:
        return b""
    try:
        with open(journal.path_of(root, session), "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            line = loads(file.read().rstrip(b"\n").rpartition(b"\n")[2].decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        return b""
    block = line.get("block") if isinstance(line, dict) else None
    return dumps({"additionalContext": block}, plain=True).encode("ascii") + b"\n" if block else b""


def _mark_of(root: str, session: str) -> str:
    return os.path.join(root, MARKS, os.path.basename(journal.path_of(root, session)).removesuffix(".jsonl"))
