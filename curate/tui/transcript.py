"""Opening a transcript at a line in the reader's own editor or pager; the app waits and comes back whole."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

if TYPE_CHECKING:
    from textual.app import App

_PLUS_LINE = {
    "vi",
    "vim",
    "nvim",
    "nano",
    "emacs",
    "emacsclient",
    "less",
    "more",
    "kak",
    "micro",
    "pico",
    "joe",
    "view",
}
_COLON_LINE = {"hx", "helix", "subl", "zed"}


def below_home(path: str) -> str:
    """A path as people write it, the home folder shortened."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith((home + "/", home + os.sep)) else path


def command(path: str, line: int | None, env: dict[str, str]) -> list[str] | None:
    """The command that shows a file at a line: $EDITOR, else $PAGER, else less. None when there is none."""
    for wanted in (env.get("VISUAL"), env.get("EDITOR"), env.get("PAGER"), "less", "more"):
        words = shlex.split(wanted) if wanted else []
        if not words or shutil.which(words[0]) is None:
            continue
        name = Path(words[0]).name
        if line is None:
            return [*words, path]
        if name in {"code", "codium", "cursor"}:
            return [*words, "--wait", "--goto", f"{path}:{line}"]
        if name in _COLON_LINE:
            return [*words, f"{path}:{line}"]
        return [*words, f"+{line}", path] if name in _PLUS_LINE else [*words, path]
    return None


def show(app: App[int], path: str, line: int | None) -> str:
    """Show it, and say what came of it."""
    if not Path(path).is_file():
        return f"{path} is no longer there; the quote is all that is left of it"
    words = command(path, line, dict(os.environ))
    if words is None:
        return f"neither $EDITOR nor $PAGER can be run; the transcript is {path}, line {line}"
    try:
        with app.suspend():
            done = subprocess.run(words, check=False)
    except (OSError, SuspendNotSupported) as fault:
        return f"{words[0]} could not be run: {fault}; the transcript is {path}, line {line}"
    return f"{path}:{line}" if done.returncode == 0 else f"{words[0]} ended with {done.returncode}"
