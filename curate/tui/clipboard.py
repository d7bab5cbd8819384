"""Copying: by the system's own tool when there is one, else by asking the terminal, which does not answer."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.app import App

TOOLS: tuple[tuple[str, ...], ...] = (
    ("wl-copy",), ("xclip", "-selection", "clipboard"), ("xsel", "-ib"), ("pbcopy",), ("clip.exe",),
)  # fmt: skip
WAIT = 1.0
"""Seconds to wait for a tool; without a display some never return."""


def copy(app: App[int], text: str) -> str:
    """Copy the text, and say which way it went."""
    remote = bool(os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"))
    for tool in () if remote else TOOLS:
        needs = {"wl-copy": "WAYLAND_DISPLAY", "xclip": "DISPLAY", "xsel": "DISPLAY"}.get(tool[0])
        if shutil.which(tool[0]) is None or (needs and not os.environ.get(needs)):
            continue
        try:
            done = subprocess.run(tool, input=text.encode(), timeout=WAIT, check=False, capture_output=True)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return f"copied with {tool[0]}"
    app.copy_to_clipboard(text)
    return "sent to the terminal's clipboard; if nothing arrives, hold shift or option and drag to select"
