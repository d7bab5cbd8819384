"""Where the review can be opened beside a running agent: a pane of the multiplexer, else a terminal of its own."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence

PATIENCE = 5.0
"""Seconds that a multiplexer gets to open a pane."""
TERMINALS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("x-terminal-emulator", ("-e",)),
    ("gnome-terminal", ("--",)),
    ("konsole", ("-e",)),
    ("kitty", ()),
    ("alacritty", ("-e",)),
    ("wezterm", ("start", "--")),
    ("foot", ()),
    ("xterm", ("-e",)),
)
"""Programs that open a window, and what goes between them and the command."""


def opener(
    words: Sequence[str], env: Mapping[str, str], which: Callable[[str], str | None], platform: str
) -> tuple[list[str], str] | None:
    """The command that opens these words somewhere a person sees them, and where that is; None when there is no place.

    `which` finds a program on the search path.
    """
    if env.get("TMUX") and (tmux := which("tmux")):
        return [tmux, "split-window", "-h", "-l", "60%", shlex.join(words)], "a pane of tmux"
    if env.get("ZELLIJ") and (zellij := which("zellij")):
        return [zellij, "run", "--close-on-exit", "--", *words], "a pane of zellij"
    if env.get("WEZTERM_PANE") and (wezterm := which("wezterm")):
        return [wezterm, "cli", "split-pane", "--right", "--percent", "60", "--", *words], "a pane of WezTerm"
    if platform == "win32":
        return ["cmd", "/c", "start", "curate", *words], "a new window"
    if env.get("SSH_CONNECTION"):
        return None  # a window would open where nobody sits
    if platform == "darwin":
        quoted = shlex.join(words).replace("\\", "\\\\").replace('"', '\\"')
        script = f'tell application "Terminal"\nactivate\ndo script "{quoted}"\nend tell'
        return ["osascript", "-e", script], "a new window of Terminal"
    if env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"):
        for name, between in TERMINALS:
            if program := which(name):
                return [program, *between, *words], "a new terminal"
    return None


def run(command: Sequence[str], *, waits: bool) -> bool:
    """Start it, apart from us; whether that worked. `waits` for those that leave at once with a code."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=sys.platform != "win32",
        )  # fmt: skip
        return process.wait(timeout=PATIENCE) == 0 if waits else True
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False
