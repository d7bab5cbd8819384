"""What the model can still see of a conversation, and the files it worked on, from the end of the agent's transcript.

The format does not matter: identifiers and paths are looked for in the bytes as they are.
"""

from __future__ import annotations

import os

from curate.recall.plainjson import dumps

TAIL = 512 * 1024
"""Bytes of a transcript that are looked at."""
FILES = 40
COMPACTIONS = ('"subtype":"compact_boundary"', '"isCompactSummary":true', '"type":"compaction"', '"type":"compacted"')
_PATH_KEYS = ('"file_path":"', '"filePath":"', '"path":"', '"notebook_path":"')


def visible_text(path: str, prompt: str) -> str | None:
    """The end of a transcript since it was last compacted, without the message of this turn; None when unreadable."""
    text = _tail(path)
    if text is None:
        return None
    for mark in COMPACTIONS:
        at = text.rfind(mark)
        if at >= 0:
            text = text[text.rfind("\n", 0, at) + 1 :]
    for plain in (False, True):
        said = dumps(prompt, plain=plain)[1:-1]
        at = text.rfind(said, max(0, len(text) - len(said) - 64 * 1024))
        if said and at >= 0 and '"' in text:  # agents may write the message down before they ask the hook
            return text[: text.rfind("\n", 0, at) + 1]
    return text


def recent_files(path: str, root: str) -> tuple[str, ...]:
    """Files inside a repository that the transcript's end names as worked on, relative to it, latest first."""
    text = _tail(path)
    found: dict[str, None] = {}
    if text is None or not root:
        return ()
    here = root.rstrip(os.sep) + os.sep
    at = len(text)
    while len(found) < FILES:
        key, at = max(((mark, text.rfind(mark, 0, at)) for mark in _PATH_KEYS), key=lambda each: each[1])
        if at < 0:
            break
        start = at + len(key)
        name = text[start : text.find('"', start)]
        if name.startswith(here):
            found[name[len(here) :].replace(os.sep, "/")] = None
    return tuple(found)


def _tail(path: str) -> str | None:
    try:
        with open(path, "rb", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL))
            raw = file.read(TAIL) or b""
    except OSError:
        return None
    text = raw.decode("utf-8", "replace")
    return text if size <= TAIL else text[text.find("\n") + 1 :]
