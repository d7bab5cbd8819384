"""Where the remote is, read off a repository's own settings when they say it plainly; else git is asked."""

from __future__ import annotations

import re

_SECTION = re.compile(r"^[ \t]*\[")
_URL = re.compile(r"^[ \t]*url[ \t]*=[ \t]*(.*?)[ \t]*$", re.IGNORECASE)
_HARD = re.compile(r"[\"\\#;]")
"""Signs with a meaning of their own in a value."""


def address_in(text: str, remote: str) -> str | None:
    """The address of a remote in a `.git/config`; None when it is not there, or not in so many words.

    What is set last counts. Settings that include others, or that a work tree has for itself, are git's to read.
    """
    if "include" in text.lower() or "worktreeconfig" in text.lower():
        return None
    found, inside = None, False
    for line in text.splitlines():
        if _SECTION.match(line):
            if remote in line and line.strip() != f'[remote "{remote}"]' and "branch" not in line:
                return None
            inside = line.strip() == f'[remote "{remote}"]'
        elif inside and (said := _URL.match(line)):
            if _HARD.search(said[1]):
                return None
            found = said[1]
    return found or None
