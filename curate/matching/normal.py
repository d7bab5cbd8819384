"""What a statement asks for, apart from how it is said."""

from __future__ import annotations

from dataclasses import dataclass

from store.text import fingerprint


@dataclass(frozen=True, slots=True)
class Meaning:
    """The content of a statement."""

    folded: str

    @property
    def keys(self) -> tuple[str, ...]:
        """Two statements that mean the same share at least one of these."""
        return (self.folded,)


def meaning(text: str, language: str | None = None) -> Meaning:
    """The meaning of a statement."""
    return Meaning(fingerprint(text))
