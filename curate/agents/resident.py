"""What a hook does, for agents that call over HTTP a service that a person started: the same answers, without a process
for each. Whatever goes wrong the agent gets an empty object, and the log says what it was.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path
from typing import Any

from curate.agents import breaker, fired
from curate.agents.hook import DEADLINE, MARGIN, PROMPTS, TURN_ENDS, folder_of, plain, start_capture, transcript_of
from curate.agents.prompt import NotNow, answer
from curate.logfile import FOLDER, append, describe
from curate.recall.plainjson import loads


def heard(root: Path, agent: str, event: dict[str, Any]) -> dict[str, Any]:
    """What to answer an event with, in the agent's own format: memory for a prompt, an empty object for all else. The
    end of a turn starts a capture. Raises nothing.
    """
    store = str(root)
    started = time.monotonic()
    try:
        name = plain(str(event.get("hook_event_name")))
        transcript = transcript_of(event)
        if name in TURN_ENDS and transcript is not None:
            process = start_capture(transcript, store, folder_of(event))
            threading.Thread(target=process.wait, daemon=True).start()  # so that nothing of it is left once it is done
            fired.note(store, agent, fired.END, (time.monotonic() - started) * 1000)
        elif name in PROMPTS and breaker.rests_until(store, breaker.failures(store)) <= time.time():
            said = _told(store, agent, event, transcript, started)
            fired.note(store, agent, fired.PROMPT, (time.monotonic() - started) * 1000)
            return said
    except Exception as fault:  # noqa: BLE001 - never hurt the agent
        breaker.failed(store, type(fault).__name__)
        with contextlib.suppress(OSError):
            append(root / FOLDER / "hook.log", f"service: {describe(fault)}")
    return {}


def _told(
    store: str, agent: str, event: dict[str, Any], transcript: bytes | str | None, started: float
) -> dict[str, Any]:
    path = os.fsdecode(transcript) if transcript is not None else None
    called = str(event["hook_event_name"])
    try:
        printed = answer(agent, event, store, path, called, started + DEADLINE - MARGIN)
    except NotNow:  # no failure, and no success either
        return {}
    breaker.reset(store)
    return loads(printed.decode()) if printed else {}
