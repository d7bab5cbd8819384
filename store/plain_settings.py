"""Settings in the plain form that we write ourselves, read without a YAML library, which takes longer to load than all
else that most calls do. Only what surely means the same in YAML is understood. Standard library only.
"""

from __future__ import annotations

import re
from typing import Any

_LINE = re.compile(r"(?P<indent>(?:  )*)(?P<name>[a-z][a-z0-9_]*):(?: (?P<value>.*))?", re.ASCII)
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,8})\.[0-9]{1,9}", re.ASCII)
_QUOTED = re.compile(r"\"[ !#-\[\]-~]*\"")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_/-]{2,}|[/~][A-Za-z0-9_./-]+", re.ASCII)
_NO_WORDS = frozenset({"null", "true", "false", "yes", "off"})
"""Words that mean something else, or did once."""
_CONSTANTS = {"true": True, "false": False, "null": None}


def parse(text: str) -> dict[str, Any] | None:
    """What a plain file says; None for one that needs a YAML library, as with lists, or anything unusual."""
    found: dict[str, Any] = {}
    above: list[dict[str, Any]] = [found]
    """The mappings that a line of each depth belongs to."""
    last: tuple[dict[str, Any], str] | None = None
    """A name without a value, which may turn out to be that of a mapping."""
    for line in text.split("\n"):
        bare = line.lstrip(" ")
        if not bare or bare.startswith("#"):
            if bare.isprintable():
                continue
            return None
        read = _LINE.fullmatch(line)
        if read is None:
            return None
        depth = len(read["indent"]) // 2
        if depth == len(above) and last is not None:
            above.append({})
            last[0][last[1]] = above[-1]
        elif depth >= len(above):
            return None
        del above[depth + 1 :]
        name, value = read["name"], read["value"] or ""
        if name in above[depth] or name in _NO_WORDS or name in {"no", "on", "y", "n"}:
            return None
        scalar = _scalar(value)
        if scalar is _UNKNOWN:
            return None
        above[depth][name] = scalar
        last = None if value else (above[depth], name)
    return found


_UNKNOWN = object()


def _scalar(value: str) -> Any:
    if not value:
        return None
    if value in _CONSTANTS:
        return _CONSTANTS[value]
    if _INTEGER.fullmatch(value):
        return int(value)
    if _FRACTION.fullmatch(value):
        return float(value)
    if _QUOTED.fullmatch(value):
        return value[1:-1]
    if _WORD.fullmatch(value) and value.lower() not in _NO_WORDS:
        return value
    return _UNKNOWN
