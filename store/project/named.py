"""A project as a person or a program names it, not as a directory tells it: an id, or the address of a clone."""

from __future__ import annotations

import re

from store.project.remote import normalise
from store.secrets import mask
from store.text import one_line, shorten

LIMIT = 500
"""Characters of an id."""
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[\w.-]+@[\w.-]+:")


def named(text: str) -> str | None:
    """The id that is meant; None when nothing is. Hidden characters and secrets do not stay in it.

    What stands there becomes part of lines and of file names, so it is one line of bounded length.
    """
    plain = one_line(text)
    found = (normalise(plain) if _ADDRESS.match(plain) else None) or plain
    return shorten(one_line(mask(found).text), LIMIT) or None
