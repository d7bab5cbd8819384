"""What agents call at their events: `curate-hook AGENT EVENT`, the agent's own JSON on stdin.

Standard library only, and of that as little as can be. Whatever happens, it prints one JSON document that the agent
asked for, or nothing, and leaves with 0 within two seconds: an agent is never blocked or slowed.
"""

from __future__ import annotations

import _thread
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen
    from typing import Any, NoReturn

DEADLINE = 1.8
"""Seconds after which it leaves, done or not."""
MARGIN = 0.3
"""Seconds before that by which whatever may take long (a model that is asked) has to be done."""
STDIN_WAIT = 1.0
"""Seconds that stdin is waited for: some agents never close it."""
STDIN_LIMIT = 16 * 1024 * 1024
"""Bytes of an event that are read."""

TURN_ENDS = frozenset(
    {"stop", "agentstop", "afteragent", "agentend", "agentturncomplete", "sessionidle", "sessionend", "sessionshutdown"}
    | {"afteragentresponse", "precompact", "precompress", "agentsettled"}
)
"""Events after which the transcript holds something new, without case and punctuation. Compaction rewrites it."""
PROMPTS = frozenset(
    {"userpromptsubmit", "userpromptsubmitted", "beforeagent", "beforeagentstart", "beforesubmitprompt", "chatmessage"}
)
"""Events that bring a person's prompt."""
SPOKEN = frozenset({"sessionstart", "posttooluse"})
"""Events that answer a prompt too, in versions of Copilot that listen nowhere else."""
TRANSCRIPT_KEYS = ("transcript_path", "transcriptPath", "session_file", "sessionFile", "rollout_path")


def main(args: list[str] | None = None) -> NoReturn:
    """Handle one event and leave with 0."""
    started = time.monotonic()
    _thread.start_new_thread(_watch, ())
    home = None
    try:
        # A stray print, of ours or of a library, must not reach the agent as its answer.
        sys.stdout = sys.stderr
        agent, event, home = arguments(sys.argv[1:] if args is None else args)
        answer = handle(agent, event, home, started)
        if answer:
            _write(answer)
    except BaseException as fault:  # noqa: BLE001 - never hurt the agent: log, leave with 0
        _note(home, fault)
    os._exit(0)


def handle(agent: str, event: str, home: str | None, started: float) -> bytes:
    """What to print. A prompt is answered; the end of a turn starts a capture; any other event needs nothing."""
    if event and plain(event) not in (TURN_ENDS | PROMPTS | SPOKEN if agent == "copilot" else TURN_ENDS | PROMPTS):
        return b""
    payload = parse(read_stdin(0, started + STDIN_WAIT))
    name = plain(event or str(payload.get("hook_event_name")))
    transcript = transcript_of(payload)
    if name in PROMPTS or (name in SPOKEN and agent == "copilot"):
        return _answer(agent, event, name, payload, home, transcript, started)
    if name in TURN_ENDS and transcript is not None:
        start_capture(transcript, home, folder_of(payload))
        _fired(agent, "end", _root(home, payload), started)
    return b""


def _answer(
    agent: str,
    event: str,
    name: str,
    payload: dict[str, Any],
    home: str | None,
    transcript: bytes | str | None,
    started: float,
) -> bytes:
    from curate.agents.prompt import NotNow, answer, speaker

    root = _root(home, payload)
    rests, slow = _rests(root)
    if rests:
        _fired(agent, "prompt", root, started)
        return b""
    _tried.append(root)
    path = os.fsdecode(transcript) if transcript is not None else None
    leave_by = started + DEADLINE - MARGIN

    def answered(known: dict[str, Any]) -> bytes:
        return answer(agent, known, root, path, event, leave_by, behind=slow)

    said = b""
    try:
        if speaker(agent, payload) == "copilot":
            from curate.agents.copilot_turn import told

            said = told(name, payload, root, answered)
        else:
            said = answered(payload)
    except NotNow as fault:  # no failure, and no success either
        if fault.args:
            _log(home, str(fault))
    else:
        _works(root)
    _tried.clear()
    _fired(agent, "prompt", root, started)
    return said


def _rests(root: str) -> tuple[bool, bool]:
    """Whether it rests after failures, and whether the last of them was that the time was up."""
    if not os.path.exists(f"{root}/logs/breaker"):  # the module is loaded only where there is one
        return False, False
    from curate.agents.breaker import DEADLINE, failures, rests_until

    failed = failures(root)
    return rests_until(root, failed) > time.time(), bool(failed) and failed[-1].endswith(f" {DEADLINE}")


def _works(root: str) -> None:
    if not os.path.exists(f"{root}/logs/breaker"):
        return
    from curate.agents.breaker import reset

    reset(root)


def _root(home: str | None, payload: dict[str, Any]) -> str:
    from curate.agents.home import root_of

    folder = folder_of(payload)
    return root_of(home, os.fsdecode(folder) if folder is not None else ".")


def _fired(agent: str, kind: str, root: str, started: float) -> None:
    from curate.agents.fired import note

    note(root, agent, kind, (time.monotonic() - started) * 1000)


def _watch() -> None:
    """Leave when the time is up, whatever else is going on."""
    time.sleep(DEADLINE)
    if not _answering:
        # In a thread of its own: the disk may be what keeps us waiting.
        _thread.start_new_thread(_failed, ("deadline",))
        time.sleep(_LAST_WORD)
        os._exit(0)


def _failed(kind: str) -> None:
    from curate.agents.breaker import DEADLINE, failed
    from store.index.builder import another_builds

    for root in _tried[:1]:
        if kind != DEADLINE or not another_builds(root):  # then the machine was busy with what all are waiting for
            failed(root, kind)


_LAST_WORD = 0.05
"""Seconds to note that the time was up."""
_tried: list[str] = []
"""The store that a prompt is being answered from."""
_answering: list[bool] = []
"""Not empty once the answer is on its way: half a document would be worse than a late one."""


def _write(answer: bytes) -> None:
    _answering.append(True)
    while answer:
        answer = answer[os.write(1, answer) :]


def plain(event: str) -> str:
    """The name of an event without case and punctuation: `agent_end`, `AgentEnd` and `agentEnd` are one."""
    return "".join(char for char in event.lower() if char.isalnum())


def arguments(args: list[str]) -> tuple[str, str, str | None]:
    """Agent, event and `--home` from `AGENT EVENT` in any order; what is missing is empty."""
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
    agent, event = (*words, "", "")[:2]
    return agent, event, home


def read_stdin(descriptor: int, until: float) -> bytes:
    """What stands on stdin: to its end, its limit, the end of a JSON object, or the moment `until`."""
    chunks: list[bytes] = []
    done = _thread.allocate_lock()
    done.acquire()

    def drain() -> None:
        try:
            _drain(descriptor, chunks)
        finally:
            done.release()

    _thread.start_new_thread(drain, ())
    done.acquire(timeout=max(0.0, until - time.monotonic()))
    return b"".join(chunks)


def _drain(descriptor: int, chunks: list[bytes]) -> None:
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


def parse(raw: bytes) -> dict[str, Any]:
    """The object that the agent sent; an empty one when it cannot be read."""
    from curate.recall.plainjson import loads

    try:
        value = loads(raw.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def transcript_of(payload: dict[str, Any]) -> bytes | str | None:
    """The transcript that the event names and that is there."""
    named = [payload.get(key) for key in TRANSCRIPT_KEYS]
    session = payload.get("sessionId")
    if isinstance(session, str) and session.replace("-", "").isalnum():
        # Copilot names its log when a turn ends, and not when the session does.
        named.append(f"{os.environ.get('COPILOT_HOME') or '~/.copilot'}/session-state/{session}/events.jsonl")
    for name in named:
        path = as_path(name)
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


def start_capture(transcript: bytes | str, home: str | None, cwd: bytes | str | None) -> Popen[bytes]:
    """Start reading the transcript in a process of its own, which outlives the agent; gives the process."""
    import subprocess

    # -P: a folder named `curate` where the agent works must not be taken for this package.
    compiled = ["-B"] if sys.dont_write_bytecode else []
    command: list[bytes | str] = [sys.executable, *compiled, "-P", "-X", "utf8", "-m", "curate.agents.after_turn"]
    if home:
        command += ["--home", os.path.abspath(os.path.expanduser(home))]
    command += ["--", transcript]
    detached: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        detached = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    return subprocess.Popen(
        command,
        cwd=cwd,  # a local store is found from where the agent works
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **detached,
    )


def _note(home: str | None, fault: BaseException) -> None:
    try:
        _failed(type(fault).__name__)
        from curate.logfile import describe

        words = describe(fault)
        _log(home, words)
        os.write(2, f"curate-hook: {words}\n".encode("utf-8", "replace"))
    except BaseException:  # noqa: BLE001 - there is nobody left to tell
        return


def _log(home: str | None, words: str) -> None:
    from curate.logfile import FOLDER, append
    from store.layout import find_root

    try:
        append(find_root(home) / FOLDER / "hook.log", f"hook: {words}")
    except OSError:  # a full disk, or one that is only read
        return


if __name__ == "__main__":
    main()
