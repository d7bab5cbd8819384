"""What leaves for others: no words of a conversation, no paths of a home, no secrets. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from store.secrets import mask
from store.text import clean

PRIVATE = frozenset({"evidence", "evidence_against", "sources", "profile", "contested_because", "vault_ref"})
"""Fields of a record that say who said what, or lead into somebody's own files."""
REDACTED = "redacted"

_HOME = re.compile(r"(?:/home|/Users|[A-Za-z]:\\Users)[/\\][^/\\\s:'\"`]+")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def public(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record that may be shown to others."""
    return {key: _shown(value) for key, value in record.items() if key not in PRIVATE}


def harmless(text: str) -> str:
    """Text without hidden characters and secrets."""
    return mask(clean(text)).text


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return _MAIL.sub("[address]", _HOME.sub("~", harmless(value)))
    if isinstance(value, Mapping):
        return {key: _shown(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shown(each) for each in value]
    return value
