"""Bytes of a line to its object, or the reason why not. Standard library only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from store.errors import ConflictMarkers, NewerSchema
from store.line import SCHEMA

if TYPE_CHECKING:
    from pathlib import Path

_scan: Any = json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # the C scanner, without the checks around it
_MAJOR = SCHEMA.split(".", maxsplit=1)[0]
MARKERS = (b"<<<<<<< ", b"||||||| ", b">>>>>>> ")


class NotALine(ValueError):
    """The bytes are not an object that this version can take in; the argument says why."""


def parse(raw: bytes, path: Path, number: int) -> dict[str, Any]:
    """The object of a line.

    Raises `NotALine` with the reason; `ConflictMarkers` and `NewerSchema` when the whole file must be refused.
    """
    try:
        text = raw.decode("utf-8")
        data, end = _scan(text, 0)
    except UnicodeDecodeError as fault:
        raise NotALine(f"not valid UTF-8 at byte {fault.start}") from None
    except (ValueError, StopIteration, RecursionError):
        if raw.startswith(MARKERS) or raw == b"=======":
            raise ConflictMarkers(path, number) from None
        raise NotALine("not valid JSON") from None
    if end != len(text):
        raise NotALine("something follows the object on the same line")
    if type(data) is not dict:
        raise NotALine("not a JSON object")
    schema = data.get("schema")
    if schema != SCHEMA:
        _check_schema(schema, path, number)
    return _sharing(data)


_REPEATED = frozenset({
    "schema", "op", "at", "patch", "intent", "rule_type", "layer", "durability", "trust", "poisoning_risk", "status",
    "language", "created_at", "updated_at", "polarity", "agent", "session", "turn", "time", "cwd", "path", "type",
    "project",
})  # fmt: skip
"""Keys whose values come again in other lines."""
_SHARED_MOST = 20_000
_shared: dict[str, str] = {}


def _sharing(data: dict[str, Any]) -> dict[str, Any]:
    """The object with one copy of each key and of each word that many lines repeat: half the memory of a big store."""
    if len(_shared) > _SHARED_MOST:
        _shared.clear()
    keep = _shared.setdefault
    return {keep(key, key): _share(key, value) for key, value in data.items()}


def _share(key: str, value: Any) -> Any:
    kind = type(value)
    if kind is str:
        return _shared.setdefault(value, value) if key in _REPEATED else value
    if kind is list and key in ("targets", "projects"):
        return [_shared.setdefault(item, item) if type(item) is str else item for item in value]
    if kind is dict and key == "scope":
        return _sharing(value)
    return value


def parse_revision(raw: bytes, path: Path, number: int) -> dict[str, Any]:
    """As `parse`, for a line that must have an id and a revision number."""
    data = parse(raw, path, number)
    if type(data.get("id")) is not str or type(data.get("rev")) is not int:
        raise NotALine("a revision needs `id` and `rev`")
    return data


def parse_evidence(raw: bytes, path: Path, number: int) -> dict[str, Any]:
    """As `parse`, for a line that must have an id."""
    data = parse(raw, path, number)
    if type(data.get("id")) is not str:
        raise NotALine("evidence needs `id`")
    return data


def is_whole(raw: bytes, path: Path, number: int) -> bool:
    """True when bytes without a newline are a complete object all the same. Raises as `parse` for a refused file."""
    try:
        parse(raw, path, number)
    except NotALine:
        return False
    return True


def _check_schema(schema: object, path: Path, number: int) -> None:
    major, dot, minor = schema.partition(".") if isinstance(schema, str) else ("", "", "")
    if not (dot and major.isdecimal() and minor.isdecimal()):
        raise NotALine("no schema version")
    if int(major) > int(_MAJOR):
        raise NewerSchema(path, number, str(schema), SCHEMA)
    if major != _MAJOR:
        raise NotALine(f"schema {schema} was never used")
