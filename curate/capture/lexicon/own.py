"""Cues of a person's own, added to those of the package by files that the settings name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curate.capture import lexicon
from store.errors import InputError


class BadLexicon(InputError):
    """A lexicon file that the settings name cannot be used."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}; mend it, or take it out of capture.lexicon in the settings")


def extended_by(setting: Any, root: Path) -> lexicon.Lexicon | None:
    """The package's lexicon with the named files (one path or a list, from the store's root); None when none is named.

    Raises `BadLexicon`.
    """
    names = [setting] if isinstance(setting, str) else list(setting or ())
    if not names:
        return None
    additions = []
    for name in names:
        path = root / Path(str(name)).expanduser()
        try:
            data = lexicon.read(path)
        except OSError as fault:
            raise BadLexicon(path, (fault.strerror or type(fault).__name__).lower()) from fault
        except Exception as fault:  # the YAML library has many kinds, and bad text one of its own
            raise BadLexicon(path, f"not a lexicon in YAML ({type(fault).__name__})") from fault
        if not isinstance(data, dict) or not isinstance(data.get("language"), str):
            raise BadLexicon(path, "it names no language")
        try:
            lexicon.default().extended([data])
        except (ValueError, TypeError, AttributeError, KeyError) as fault:
            raise BadLexicon(path, str(fault)) from fault
        additions.append(data)
    return lexicon.default().extended(additions)
