"""A real client as tests see it: where it runs, how it is set up, and what it sees of the machine."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.agents.dialects import Tool


@dataclass(frozen=True)
class Bench:
    """Where one client runs: its home folder, the project it works in, and the model it talks to."""

    home: Path
    project: Path
    url: str

    @property
    def bin(self) -> Path:
        return self.home / "bin"

    @property
    def path(self) -> str:
        """The search path, clients first."""
        return f"{self.bin}{os.pathsep}{os.defpath}"

    def put(self, name: str, value: object) -> Path:
        """Write a file below the home folder: text as it is, anything else as JSON."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value, indent=4) + "\n")
        return path

    def program(self, name: str, path: Path, *before: Path) -> None:
        """Put a client on the search path."""
        self.bin.mkdir(exist_ok=True)
        words = " ".join(f'"{each}"' for each in (*before, path))
        script = self.bin / name
        script.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        script.chmod(0o755)


def nothing(_bench: Bench) -> None:
    """Most clients need nothing more once they are connected."""


@dataclass(frozen=True)
class Program:
    """One client. `set_up` fetches it, puts it on the search path and writes its settings."""

    name: str
    version: str
    set_up: Callable[[Bench], None]
    arguments: Callable[[str, bool], list[str]]
    """For a prompt, and whether it is the first of the session or goes on with the last one."""
    writes: Callable[[Path], Tool]
    """The call of the client's own tool that writes `NOTE` into a file."""
    env: Callable[[Bench], dict[str, str]]
    settings: str
    """The file that hooks are merged into, or where ours goes, from the home folder."""
    block_is_in: str
    """Whose the message is that the memory comes in."""
    once_connected: Callable[[Bench], None] = nothing
    title_is_told: bool = False
    """Whether what it asks the model for a title holds the whole message, memory and all."""
    patience: float = 60
    """Seconds for one prompt."""


def environment(program: Program, bench: Bench) -> dict[str, str]:
    """All that a client sees: nothing of whoever runs the tests, and no way out but the model."""
    return {
        "PATH": bench.path,
        "HOME": str(bench.home),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "HTTPS_PROXY": bench.url,
        "https_proxy": bench.url,
        "HTTP_PROXY": bench.url,
        "http_proxy": bench.url,
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        **program.env(bench),
    }
