"""The store, the hook as a process, its rests, captures that wait, and transcripts that were hardly understood."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from curate.agents import breaker
from curate.agents.after_turn import DRAFT, PENDING
from curate.agents.doctor.check import Check, moment
from curate.agents.install.command import COLD
from curate.logfile import FOLDER
from store.errors import CurateError

SLOW = 1.0
"""Seconds that the hook may take to start; half of what an agent is ever kept waiting."""
LATE = 300.0
"""Seconds after which a capture that has not begun is late."""
RECENT = 86_400.0
"""Seconds for which an entry in the hook's log is worth a line."""


def store_checks(root: Path, now: float) -> Iterator[Check]:
    """What is to know of a store; nothing in it is changed. `now` is in seconds since 1970."""
    yield hook_check()
    if not root.is_dir():
        yield Check("store", "note", f"{root} is not there yet", "run `curate init`, or wait for the first capture")
        return
    yield _health(root)
    yield _rest(root, now)
    yield from _captures(root, now)
    yield _log(root, now)


def hook_check(python: str = sys.executable, cold: str = COLD) -> Check:
    """Whether the hook runs as agents start it, and how long it takes."""
    started = time.monotonic()
    try:
        done = subprocess.run(
            [python, "-I", "-S", cold, "doctor", "UserPromptSubmit", "--home", str(Path(cold).parent / "no store")],
            input=b"{}", capture_output=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as fault:
        return Check("hook", "problem", f"it cannot be started: {fault}", "install curate again")
    took = time.monotonic() - started
    if done.returncode or done.stdout:
        return Check("hook", "problem", f"it left with {done.returncode}", "install curate again")
    if took > SLOW:
        return Check("hook", "problem", f"it takes {took * 1000:.0f} ms to start",
                     "find out what slows Python down: a network folder, a scanner of files")  # fmt: skip
    return Check("hook", "ok", f"starts and ends in {took * 1000:.0f} ms")


def _health(root: Path) -> Check:
    from store.layout import Layout
    from store.log.verify import verify

    try:
        problems = verify(Layout(root))
    except CurateError as fault:
        return Check("store", "problem", str(fault), "run `curate verify`")
    if problems:
        first = problems[0]
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        return Check("store", "problem", f"{first.file}: {first.problem}{more}", "run `curate verify`")
    return Check("store", "ok", f"{root} is sound")


def _rest(root: Path, now: float) -> Check:
    failed = breaker.failures(str(root))
    until = breaker.rests_until(str(root), failed)
    if not failed:
        return Check("breaker", "ok", "the hook has not failed")
    kinds = ", ".join(dict.fromkeys(line.partition(" ")[2] for line in failed))
    said = f"{len(failed)} failures in a row ({kinds})"
    mend = f"see {root / FOLDER / 'hook.log'}; `curate doctor --reset` lets it try at once"
    if until > now:
        return Check("breaker", "problem", f"{said}; the hook is silent until {moment(until)}", mend)
    return Check("breaker", "note", said, mend)


def _captures(root: Path, now: float) -> Iterator[Check]:
    from curate.capture.checkpoint import Checkpoints

    folder = root / FOLDER / PENDING
    notes = [path.stat().st_mtime for path in folder.iterdir() if path.suffix != DRAFT] if folder.is_dir() else []
    late = [written for written in notes if now - written > LATE]
    if late:
        mend = f"the end of the next turn reads them; {root / FOLDER / 'hook.log'} may say why they wait"
        yield Check("captures", "problem", f"{len(late)} waiting since {moment(min(late))}", mend)
    else:
        yield Check("captures", "ok", "none is waiting")
    misread = Checkpoints(root).misread()
    if misread:
        yield Check("formats", "problem", misread, "update curate: an agent writes its transcripts in another way")
    else:
        yield Check("formats", "ok", "every transcript was understood")


def _log(root: Path, now: float) -> Check:
    path = root / FOLDER / "hook.log"
    try:
        if now - path.stat().st_mtime > RECENT:
            return Check("log", "ok", "no entry of the hook in the last day")
        last = path.read_text("utf-8", "replace").splitlines()[-1]
    except (OSError, IndexError):
        return Check("log", "ok", "the hook had nothing to say")
    return Check("log", "note", last, f"see {path}")
