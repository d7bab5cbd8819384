"""The command line that an agent runs at its events: absolute, quoted, and without effect once curate is gone."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import curate

COLD = str(Path(curate.__file__).parent / "agents" / "cold.py")
_OWN = re.compile(r"curate[/\\]+agents[/\\]+cold\.py|\bcurate-hook\b|\bcurate(?:\.exe)?[\"']? (?:--home \S+ )?hook ")
_KEYS = ("command", "bash", "powershell", "commandWindows")


@dataclass(frozen=True, slots=True)
class Hook:
    """How this curate is started: its interpreter, where it stands, and the store if it is not the usual one."""

    python: str
    cold: str = COLD
    home: str | None = None
    windows: bool = False

    def words(self, agent: str) -> list[str]:
        """The command as words, without the event."""
        return [self.python, "-I", "-S", self.cold, *(["--home", self.home] if self.home else []), agent]

    def line(self, agent: str, event: str) -> str:
        """The command for a shell.

        An interpreter that finds no file leaves with 2, which agents take as "block this prompt"; so whatever becomes
        of curate, the line itself leaves with 0 and says nothing.
        """
        return f"{self.quoted([*self.words(agent), event])} {'|| exit 0' if self.windows else '2>/dev/null || true'}"

    def powershell(self, agent: str, event: str) -> str:
        """The command for PowerShell."""
        words = " ".join("'" + word.replace("'", "''") + "'" for word in [*self.words(agent), event])
        return f"& {words}; exit 0"

    def review(self) -> list[str]:
        """The command that opens the review beside the agent."""
        return [self.python, "-I", "-X", "utf8", "-m", "curate", "review", "--beside", *self._store()]

    def quoted(self, words: list[str]) -> str:
        """Words as one line for the shell."""
        if not self.windows:
            return shlex.join(words)
        # Forward slashes are understood by Windows, and by the bash that some agents bring along.
        return " ".join(f'"{word.replace(chr(92), "/")}"' if _needs_quotes(word) else word for word in words)

    def _store(self) -> list[str]:
        return ["--home", self.home] if self.home else []


def _needs_quotes(word: str) -> bool:
    return not re.fullmatch(r"[\w.-]+", word)


def is_own(entry: Any) -> bool:
    """Whether an entry of an agent's hooks runs curate, however it got there."""
    if not isinstance(entry, dict):
        return False
    return any(isinstance(entry.get(key), str) and _OWN.search(entry[key]) for key in _KEYS)


def runs_curate(text: str) -> bool:
    """Whether a text has such a command in it."""
    return _OWN.search(text) is not None
