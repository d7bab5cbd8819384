"""Runs the command line in this process: the real commands, without the cost of a new Python for each."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from typing import Any

from curate.cli.run import run


@dataclass(frozen=True)
class Ran:
    """What a call left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        assert self.out.count("\n") == 1, (self.out, self.err)
        return json.loads(self.out)


def curate(*args: object, stdin: str = "") -> Ran:
    """Run `curate` with these arguments."""
    kept = (sys.stdout, sys.stderr, sys.stdin)
    out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    sys.stdout, sys.stderr, sys.stdin = out, err, TextIOWrapper(BytesIO(stdin.encode()), "utf-8")
    try:
        code = run([str(arg) for arg in args])
        out.flush()
        err.flush()
    finally:
        sys.stdout, sys.stderr, sys.stdin = kept
    return Ran(code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())  # type: ignore[attr-defined]
