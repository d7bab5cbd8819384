"""Runs the real command in a process of its own, as other programs do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NOBODY = tempfile.TemporaryDirectory(prefix="curate-nobody-")
"""A home folder with nothing in it, so that no test reads or writes what belongs to the person who runs it."""


@dataclass(frozen=True)
class Done:
    """What a call left behind."""

    code: int
    out: bytes
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout; nothing else may stand there."""
        assert self.out.endswith(b"\n")
        assert self.out.count(b"\n") == 1, self.out
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """stdout as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def text(self) -> str:
        """stdout as text."""
        return self.out.decode("utf-8")

    def fails(self, code: int, *words: str) -> bool:
        """True when the call ended with this code, nothing on stdout and one line on stderr that holds the words."""
        assert (self.code, self.out) == (code, b""), (self.code, self.out, self.err)
        return self.is_one_line(*words)

    def is_one_line(self, *words: str) -> bool:
        """True when stderr is one line that starts with the program's name and holds the words."""
        assert self.err.startswith("curate: "), self.err
        assert self.err.count("\n") == 1, self.err
        assert self.err.endswith("\n")
        assert "Traceback" not in self.err
        assert "internal fault" not in self.err, self.err
        for word in words:
            assert word in self.err, self.err
        return True


def curate(*args: object, stdin: bytes = b"", cwd: Path | None = None, **env: str) -> Done:
    """Run `curate` with these arguments; keywords are environment variables."""
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith(("CURATE_", "XDG_"))}
    done = subprocess.run(
        [sys.executable, "-m", "curate", *map(str, args)],
        input=stdin,
        capture_output=True,
        env={**surroundings, "HOME": NOBODY.name, **env},
        cwd=cwd,
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode("utf-8"))
