"""A line of the journal with every field in the shape that pages rely on: the file may be of another version, or come
from another machine. Pure.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TEXTS = ("at", "agent", "session", "layout", "unit", "block", "skipped")
COUNTS = ("total", "budget")
STAGE_COUNTS = ("input_count", "output_count", "dropped_total")


def sound(turn: Mapping[str, Any]) -> dict[str, Any]:
    """The same turn; what is not as it should be is empty or left out."""
    found: dict[str, Any] = {"turn": turn.get("turn"), "truncated": turn.get("truncated") is True}
    found |= {name: _text(turn.get(name)) for name in TEXTS}
    found |= {name: _count(turn.get(name)) for name in COUNTS}
    found["project"] = _text(turn.get("project")) or None
    found["identifiers"] = [_text(each) for each in _list(turn.get("identifiers"))]
    found["entries"] = [_entry(each) for each in _list(turn.get("entries")) if isinstance(each, dict)]
    found["traces"] = [_stage(each) for each in _list(turn.get("traces")) if isinstance(each, dict)]
    return found


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    score = entry.get("score")
    return {
        **{name: _text(entry.get(name)) for name in ("id", "section", "reason")},
        **{name: _count(entry.get(name)) for name in ("rev", "cost")},
        "score": float(score) if isinstance(score, int | float) and abs(score) < 1e9 else 0.0,
    }


def _stage(stage: Mapping[str, Any]) -> dict[str, Any]:
    reasons = stage.get("exclusion_reasons")
    named = reasons.items() if isinstance(reasons, dict) else ()
    return {
        "processor": _text(stage.get("processor")), "note": _text(stage.get("note")),
        **{name: _count(stage.get(name)) for name in STAGE_COUNTS},
        "exclusion_reasons": {str(ident): _text(reason) for ident, reason in named},
    }  # fmt: skip


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 53 else 0


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
