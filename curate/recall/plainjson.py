"""JSON with the interpreter's own C code and nothing around it: the module `json` costs the hook as much as all of
recall.

Where that code is not what we know, the module takes over.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def loads(text: str) -> Any:
    """The value of a JSON text. Raises ValueError or RecursionError."""
    try:
        from _json import make_scanner
    except ImportError:  # pragma: no cover - another Python
        import json

        return json.loads(text)
    text = text.strip(" \t\r\n\ufeff")
    try:
        value, end = make_scanner(_Context())(text, 0)  # type: ignore[arg-type]  # typed as wanting itself
    except (StopIteration, SystemError):  # it would name the place, had the module been loaded whose fault it raises
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("something follows the value")
    return value


def dumps(value: Any, *, plain: bool = False) -> str:
    """A value as JSON without spaces. `plain` writes everything beyond ASCII as escapes."""
    try:
        from _json import encode_basestring, encode_basestring_ascii
    except ImportError:  # pragma: no cover - another Python
        import json

        return json.dumps(value, ensure_ascii=plain, separators=(",", ":"), allow_nan=False)
    return _written(value, encode_basestring_ascii if plain else encode_basestring)


class _Context:
    """What the scanner asks for."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}

    @staticmethod
    def parse_constant(name: str) -> float:
        return {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}[name]


def _written(value: Any, quoted: Any) -> str:
    if isinstance(value, str):
        return str(quoted(value))
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        if not abs(value) < float("inf"):
            raise ValueError("not a number that JSON has")
        return float.__repr__(value)
    if isinstance(value, dict):
        return "{" + ",".join([f"{quoted(str(key))}:{_written(each, quoted)}" for key, each in value.items()]) + "}"
    return "[" + ",".join([_written(each, quoted) for each in value]) + "]"
