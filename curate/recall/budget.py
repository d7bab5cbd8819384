"""What a block may cost: bytes in all, and never more characters than the agent takes whole. Whole lines only."""

from __future__ import annotations

GOVERNED_BYTES = 14 * 1024
HARD_BYTES = 2 * 1024
TAKEN_WHOLE = {"claude-code": 9_900, "codex": 9_900, "cursor": 9_900, "copilot": 30_000}
"""Characters that agents put into the prompt as they are; beyond 10,000 Claude Code and Codex send a stub instead. Some
room is left for what they wrap around it."""
COUNTED_IN_BYTES = frozenset({"codex"})
"""Agents that count UTF-8 bytes where others count characters."""
OTHERS = 9_900
"""For agents that nobody has measured."""


def characters(text: str) -> int:
    """Characters as agents count them (UTF-16 units)."""
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


def taken_whole(agent: str) -> int | None:
    """Characters that an agent takes whole; None where no agent is named, and so no limit of one."""
    return TAKEN_WHOLE.get(agent, OTHERS) if agent else None


class Budget:
    """What is left of the bytes and characters of a block."""

    __slots__ = ("bytes_left", "characters_left", "limit", "spent")

    def __init__(self, limit: int, agent: str = "") -> None:
        self.limit = limit
        self.characters_left = TAKEN_WHOLE.get(agent, OTHERS)
        self.bytes_left = min(limit, self.characters_left) if agent in COUNTED_IN_BYTES else limit
        self.spent = 0

    def take(self, text: str) -> bool:
        """Spend what a text costs, if all of it fits."""
        size = len(text.encode("utf-8", "replace"))
        length = characters(text)
        if size > self.bytes_left or length > self.characters_left:
            return False
        self.bytes_left -= size
        self.characters_left -= length
        self.spent += size
        return True
