"""File names of projects: readable, legal on every system, and never shared by two projects. Standard library only."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

NAME_BYTES = 96
"""UTF-8 bytes of the readable part: with hash, suffix and a temporary file's ending it stays below every limit."""

_SAFE_PUNCTUATION = "-_.+"
_RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|clock\$|conin\$|conout\$)(\..*)?$")


@lru_cache(maxsize=4096)
def file_stem(project_id: str) -> str:
    """`<safe name>-<8 hex of the id's SHA-256>`, without an extension.

    The hash keeps names apart whatever the readable part lost: case, script, punctuation, length.
    """
    digest = hashlib.sha256(project_id.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{_readable(display_name(project_id))}-{digest}"


def display_name(project_id: str) -> str:
    """The short name that people know a project by: the last part of its id, without scheme and root-commit mark."""
    kind, colon, rest = project_id.partition(":")
    if colon and kind == "local":
        rest = re.sub(r"-[0-9a-f]{8}(?=$|#)", "", rest)
    elif not (colon and kind == "path"):
        rest = project_id
    head, mark, branch = rest.partition("#")
    last = re.split(r"[/\\]", head.rstrip("/\\"))[-1]
    return (last or head or project_id) + mark + branch


def _readable(name: str) -> str:
    text = unicodedata.normalize("NFC", name)
    kept = "".join(char if _keeps(char) else "-" for char in text)
    kept = re.sub(r"-{2,}", "-", kept).strip("-. ")
    raw = kept.encode("utf-8")[:NAME_BYTES]
    kept = raw.decode("utf-8", "ignore").rstrip("-. ")
    if not kept or _RESERVED.match(kept):
        kept = f"project-{kept}".rstrip("-")
    return kept


def _keeps(char: str) -> bool:
    if char.isascii():
        return char.isalnum() or char in _SAFE_PUNCTUATION
    return unicodedata.category(char)[0] in "LN" or unicodedata.category(char) in ("Mn", "Mc")
