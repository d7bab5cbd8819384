"""What shares a key, kept small: most keys have one member, and twenty thousand lists of one are a lot of memory."""

from __future__ import annotations

from collections.abc import Mapping

Blocks = dict[int, str | list[str]]


def members(blocks: Mapping[int, str | list[str]], key: int) -> list[str]:
    """A copy of one block."""
    block = blocks.get(key)
    return [] if block is None else [block] if isinstance(block, str) else list(block)


def insert(blocks: Blocks, key: int, ident: str) -> None:
    """Put something into a block."""
    block = blocks.setdefault(key, ident)
    if isinstance(block, list):
        block.append(ident)
    elif block is not ident and block != ident:
        blocks[key] = [block, ident]


def discard(blocks: Blocks, key: int, ident: str) -> None:
    """Take something out of a block."""
    left = [other for other in members(blocks, key) if other != ident]
    if len(left) > 1:
        blocks[key] = left
    elif left:
        blocks[key] = left[0]
    else:
        blocks.pop(key, None)
