"""The main path in a real terminal: tmux runs the command, keys go in, screens come out, the terminal is left whole."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.store import Store

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

PATIENCE = 30.0
"""Seconds until a screen has to be there, on a machine that does other things too."""


class Terminal:
    """A tmux server of its own, with one window."""

    def __init__(self, socket: Path, command: str) -> None:
        self._socket = str(socket)
        self._tmux("-f", "/dev/null", "new-session", "-d", "-s", "t", "-x", "100", "-y", "30", command)

    def press(self, *keys: str) -> None:
        for key in keys:
            self._tmux("send-keys", "-t", "t", key)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-t", "t", "-p")

    def wait(self, words: str) -> str:
        end = time.monotonic() + PATIENCE
        while words not in (shown := self.screen()):
            assert time.monotonic() < end, f"{words!r} never came:\n{shown}"
            time.sleep(0.05)
        return shown

    def close(self) -> None:
        self._tmux("kill-server")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-S", self._socket, *words], capture_output=True, text=True, check=True)
        return done.stdout


@pytest.fixture
def terminal(store: Path, tmp_path: Path) -> Iterator[Terminal]:
    command = f"{sys.executable} -m curate --home {store}; echo left with $?; exec cat"
    found = Terminal(tmp_path / "tmux", command)
    yield found
    found.close()


def test_a_review_from_start_to_end(terminal: Terminal, store: Path) -> None:
    terminal.wait("0/15 decided")
    terminal.press("]", "a")
    shown = terminal.wait("accepted: ")
    assert "saved" in terminal.wait("1/15 decided")
    assert "✓" in shown
    terminal.press("]", "x", "u")
    terminal.wait("undone: rejected")
    terminal.press("p")
    terminal.wait("1 accepted: 2 lines in 2 files")
    terminal.press("w")
    terminal.wait("written: 1 of 1")
    terminal.press("Escape")
    terminal.wait("1/15 decided")
    terminal.press("q")
    terminal.wait("left with 0")
    assert sum(versions.data["status"] == "active" for versions in Store.open(store).state.records.values()) == 4
