"""What is kept of a fault that nobody foresaw, so that it can be reported."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from curate import __version__
from curate.logfile import append, describe


def record_crash(fault: BaseException, args: Sequence[str]) -> str:
    """Append the fault to the log; gives the one line to show."""
    command = next((word for word in args if word.isalpha()), "")
    entry = f"curate {__version__}, python {sys.version.split()[0]}, {command or 'review'}: {describe(fault)}"
    for folder in _folders():
        path = folder / "curate.log"
        try:
            append(path, entry)
        except OSError:
            continue
        return f"internal fault ({type(fault).__name__}), nothing you did; please report it with {path}"
    return f"internal fault, nothing you did; please report it with this: {describe(fault)}"


def _folders() -> list[Path]:
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    if sys.platform == "win32":
        state = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    return [Path(state).expanduser() / "curate", Path(tempfile.gettempdir())]
