"""What agents call at their events: `curate-hook AGENT EVENT`, the agent's own JSON on stdin.

Standard library only. Whatever happens, it prints nothing the agent did not ask for and leaves with 0 within two
seconds: an agent is never blocked or slowed.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Any, NoReturn

DEADLINE = 1.8
"""Seconds after which it leaves, done or not."""
STDIN_WAIT = 1.0
"""Seconds that stdin is waited for: some agents never close it."""
STDIN_LIMIT = 16 * 1024 * 1024
"""Bytes of an event that are read."""

TURN_ENDS = frozenset(
    {"stop", "agentstop", "afteragent", "agentend", "agentturncomplete", "sessionidle", "sessionend", "sessionshutdown"}
    | {"afteragentresponse", "precompact", "precompress"}
)
"""Events after which the transcript holds something new, without case and punctuation. Compaction rewrites it."""
TRANSCRIPT_KEYS = ("transcript_path", "transcriptPath", "session_file", "sessionFile", "rollout_path")


def main(args: list[str] | None = None) -> NoReturn:
    """Handle one event and leave with 0."""
    started = time.monotonic()
    watchdog = threading.Timer(DEADLINE, os._exit, (0,))
    watchdog.daemon = True
    watchdog.start()
    home = None
    try:
        # A stray print, of ours or of a library, must not reach the agent as its answer.
        sys.stdout = sys.stderr
        event, home = arguments(sys.argv[1:] if args is None else args)
        handle(event, home, started + STDIN_WAIT)
    except BaseException as fault:  # noqa: BLE001 - never hurt the agent: log, leave with 0
        _note(home, fault)
    os._exit(0)


def handle(event: str, home: str | None, until: float) -> None:
    """Start a capture when `event` ends a turn; any other event needs nothing."""
    if event and plain(event) not in TURN_ENDS:
        return
    payload = parse(read_stdin(0, until))
    if not event and plain(str(payload.get("hook_event_name"))) not in TURN_ENDS:
        return
    transcript = transcript_of(payload)
    if transcript is not None:
        start_capture(transcript, home, folder_of(payload))


def plain(event: str) -> str:
    """The name of an event without case and punctuation: `agent_end`, `AgentEnd` and `agentEnd` are one."""
    return "".join(char for char in event.lower() if char.isalnum())


def arguments(args: list[str]) -> tuple[str, str | None]:
    """Event and `--home` from `AGENT EVENT` in any order; what is missing is empty."""
    words: list[str] = []
    home: str | None = None
    rest = iter(args)
    for word in rest:
        if word == "--home":
            home = next(rest, None)
        elif word.startswith("--home="):
            home = word.removeprefix("--home=")
        elif not word.startswith("-"):
            words.append(word)
    return (words[1] if len(words) > 1 else ""), home


def read_stdin(descriptor: int, until: float) -> bytes:
    """What stands on stdin: to its end, its limit, the end of a JSON object, or the moment `until`."""
    chunks: list[bytes] = []

    def drain() -> None:
        size = 0
        while size < STDIN_LIMIT:
            try:
                chunk = os.read(descriptor, 1 << 16)
            except OSError:  # closed
                return
            if not chunk:
                return
            chunks.append(chunk)
            size += len(chunk)
            if chunk.rstrip().endswith(b"}") and parse(b"".join(chunks)):
                return

    reader = threading.Thread(target=drain, daemon=True)
    reader.start()
    reader.join(max(0.0, until - time.monotonic()))
    return b"".join(chunks)


def parse(raw: bytes) -> dict[str, Any]:
    """The object that the agent sent; an empty one when it cannot be read."""
    import json

    try:
        value = json.loads(raw.decode("utf-8", "surrogateescape").lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def transcript_of(payload: dict[str, Any]) -> bytes | str | None:
    """The transcript that the event names and that is there."""
    for key in TRANSCRIPT_KEYS:
        path = as_path(payload.get(key))
        if path is not None and os.path.isfile(path):
            return path
    return None


def folder_of(payload: dict[str, Any]) -> bytes | str | None:
    """The folder that the agent works in, when it is there."""
    path = as_path(payload.get("cwd"))
    return path if path is not None and os.path.isdir(path) else None


def as_path(named: object) -> bytes | str | None:
    """A path from JSON. Bytes where file names are bytes, so that the locale has no say in it."""
    if not isinstance(named, str) or not named or "\0" in named:
        return None
    path = os.path.expanduser(named)
    if sys.platform == "win32":
        return os.path.abspath(path)
    try:
        return os.path.abspath(path.encode("utf-8", "surrogateescape"))
    except (UnicodeEncodeError, FileNotFoundError):  # no file can have this name; or relative to a folder that is gone
        return None


def start_capture(transcript: bytes | str, home: str | None, cwd: bytes | str | None) -> None:
    """Start reading the transcript in a process of its own, which outlives the agent."""
    import subprocess

    # -P: a folder named `curate` where the agent works must not be taken for this package.
    command: list[bytes | str] = [sys.executable, "-P", "-X", "utf8", "-m", "curate.agents.after_turn"]
    if home:
        command += ["--home", os.path.abspath(os.path.expanduser(home))]
    command += ["--", transcript]
    detached: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        detached = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    subprocess.Popen(
        command,
        cwd=cwd,  # a local store is found from where the agent works
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **detached,
    )


def _note(home: str | None, fault: BaseException) -> None:
    try:
        from curate.logfile import FOLDER, append, describe
        from store.layout import find_root

        append(find_root(home) / FOLDER / "hook.log", f"hook: {describe(fault)}")
    except BaseException:  # noqa: BLE001 - there is nobody left to tell
        return


if __name__ == "__main__":
    main()
