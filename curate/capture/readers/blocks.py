"""Texts out of message contents that are a string or a list of blocks."""

from __future__ import annotations

from typing import Any

from curate.capture.speech import Speech, join, speech


def named(data: dict[str, Any], key: str) -> str | None:
    """The string under a key that names a kind; anything else that stands there is no kind we know."""
    value = data.get(key)
    if value is None or isinstance(value, str):
        return value
    return f"a {type(value).__name__}"


def texts(content: Any, kinds: frozenset[str | None]) -> list[str]:
    """The texts of a content: a string is one, of a list those blocks count whose type is among `kinds`."""
    if isinstance(content, str):
        return [content]
    found: list[str] = []
    for block in content if isinstance(content, list) else ():
        if isinstance(block, str):
            found.append(block)
        elif isinstance(block, dict) and named(block, "type") in kinds and isinstance(block.get("text"), str):
            found.append(block["text"])
    return found


def words(content: Any, kinds: frozenset[str | None]) -> Speech:
    """What the person wrote in a content."""
    return join([speech(text) for text in texts(content, kinds)])


TEXT: frozenset[str | None] = frozenset({"text"})
