"""How an object becomes one line of a log, and a line its hash. Standard library only."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

SCHEMA = "1.0"
"""Version of the line format, `major.minor`. Another minor is read and its fields kept; another major is refused."""


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """A line to be appended: the name of its file below the root, the object, and its bytes without newline."""

    file: str
    data: dict[str, Any]
    raw: bytes


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def canonical(data: dict[str, Any]) -> bytes:
    """One line of canonical JSON without its newline: UTF-8, keys as given, no spaces, non-ASCII as itself."""
    return _encode(data).encode("utf-8")


def digest(line: bytes) -> str:
    """The hash that a later revision names as its parent: SHA-256 of the line without its newline, in hex."""
    return hashlib.sha256(line).hexdigest()
