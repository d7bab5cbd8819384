"""Runs the real command: in this process, which is quick, or in one of its own, as other programs do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.cli.main import hook_arguments
from curate.cli.run import run

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Run `curate` with these arguments within this process; keywords are environment variables.

    Each file of tests has some that use `curate_process` all the same, so that the two are known to agree.
    """
    words = [str(arg) for arg in args]
    if hook_arguments(words) is not None:  # a hook ends its process itself
        return curate_process(*args, stdin=stdin, cwd=cwd, **env)
    out, err = BytesIO(), BytesIO()
    with _surroundings(env, cwd), _streams(stdin, out, err):
        code = run(words)
    return Done(code, out.getvalue(), err.getvalue().decode("utf-8"))


def curate_process(*args: object, stdin: bytes = b"", cwd: Path | None = None, **env: str) -> Done:
    """The same in a process of its own: what is tested begins before or ends behind the command line."""
    done = subprocess.run(
        [sys.executable, "-m", "curate", *map(str, args)],
        input=stdin,
        capture_output=True,
        env=_environment(env),
        cwd=cwd,
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode("utf-8"))


def _environment(env: dict[str, str]) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("CURATE_", "XDG_"))}
    return {**kept, "HOME": NOBODY.name, **env}


@contextmanager
def _surroundings(env: dict[str, str], cwd: Path | None) -> Iterator[None]:
    before, here, temporary = dict(os.environ), Path.cwd(), tempfile.tempdir
    during = _environment(env)
    os.environ.clear()
    os.environ.update(during)
    os.chdir(cwd or here)
    tempfile.tempdir = None  # it remembers the folder that `TMPDIR` named first
    try:
        yield
    finally:
        tempfile.tempdir = temporary
        os.chdir(here)
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _streams(stdin: bytes, out: BytesIO, err: BytesIO) -> Iterator[None]:
    """The streams as `curate.cli.main` sets them up."""
    kept = (sys.stdin, sys.stdout, sys.stderr)
    ours = [TextIOWrapper(stream, "utf-8", "backslashreplace", newline="\n") for stream in (out, err)]
    sys.stdin, sys.stdout, sys.stderr = TextIOWrapper(BytesIO(stdin), "utf-8"), *ours
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept
        for stream in ours:
            stream.flush()
            stream.detach()  # the bytes outlive the text
