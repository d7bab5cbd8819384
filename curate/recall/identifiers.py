"""Concrete things that a message names: URLs, hosts, paths, SCREAMING_SNAKE, camelCase, long kebab-case, codes.

Deterministic, so that nobody has to ask a model whether a memory's whole body is worth its price.
"""

from __future__ import annotations

import re
from itertools import pairwise

from store.index.terms import extension

LIMIT = 40
"""Identifiers of one message that count."""
LONGEST = 200
_EDGES = "\"'`“”‘’()[]{}<>,;:!?*…。，、"
_SPLIT = {ord(char): " " for char in '"`“”()[]{}<>,;|…。，、（）「」'}


def identifiers(message: str) -> list[str]:
    """The identifiers of a message, each once, in order."""
    found: dict[str, None] = {}
    for raw in message.translate(_SPLIT).split():
        word = raw.strip(_EDGES).rstrip(".").strip(_EDGES)
        if 3 <= len(word) <= LONGEST and word.isascii() and _is_identifier(word):
            found[word] = None
            if len(found) >= LIMIT:
                break
    return list(found)


def unseen(named: list[str], transcript: str | None) -> list[str]:
    """Those that the visible transcript does not contain: what the model can see already needs no memory."""
    if transcript is None:
        return named
    seen = transcript.casefold()
    return [word for word in named if word.casefold() not in seen]


def public(named: list[str], message: str) -> list[str]:
    """Those that are no secrets: a pasted token is as good an identifier as any, and what is kept must not hold it."""
    if not named or not _may_hold_secret(named, message):
        return named
    from store.secrets import mask

    masked = mask(message).text
    return [word for word in named if word in masked]


_HINTS = ("pass", "pw", "secret", "token", "key", "credential", "bearer", "auth", "@", "=")
_LONG = re.compile(r"[A-Za-z0-9]{16}")


def _may_hold_secret(named: list[str], message: str) -> bool:
    """Cheap, and true far too often: looking takes loading what takes longer than a whole turn."""
    folded = message.casefold()
    return any(hint in folded for hint in _HINTS) or not message.isascii() or any(map(_LONG.search, named))


def _is_identifier(word: str) -> bool:
    return (
        _is_url(word)
        or _is_path_or_host(word)
        or _is_snake(word)
        or _is_camel(word)
        or _is_kebab(word)
        or _is_code(word)
    )


def _is_url(word: str) -> bool:
    scheme, mark, rest = word.partition("://")
    return bool(mark and rest) and scheme.isalpha()


def _is_path_or_host(word: str) -> bool:
    if word.startswith(("./", "../", "~/", "/", "@")) and len(word.strip("./~@")) > 1:
        return "/" in word
    plain = word.strip("./~@")
    if "/" in plain:
        parts = [part for part in plain.split("/") if part]
        # `and/or`, `read/write` are words; a path has an ending, a root, or three parts
        return len(parts) > 2 or word[0] in "./~@" or any("." in part or "_" in part for part in parts)
    if extension(word):
        return True
    labels = plain.split(".")
    return (
        len(labels) > 1
        and all(label.replace("-", "").replace("_", "").isalnum() for label in labels)
        and (not plain.replace(".", "").isdigit() and all(len(label) > 1 for label in labels))
    )


def _is_snake(word: str) -> bool:
    return "_" in word.strip("_") and word.replace("_", "").replace("-", "").replace("()", "").isalnum()


def _is_camel(word: str) -> bool:
    plain = word.removesuffix("()")
    if not plain.isalnum() or plain.isupper() or plain.islower():
        return False
    return any(before.islower() and here.isupper() for before, here in pairwise(plain))


def _is_kebab(word: str) -> bool:
    parts = word.split("-")
    return all(part.isalnum() for part in parts) and (
        len(parts) > 2
        and len(word) >= 10
        or len(parts) > 1
        and any(char.isdigit() for char in word)
        and any(char.isalpha() for char in word)
    )


def _is_code(word: str) -> bool:
    plain = word.lstrip("#")
    if not plain.isalnum() or not any(char.isdigit() for char in plain):
        return False
    if len(plain) >= 7 and set(plain.lower()) <= set("0123456789abcdef") and not plain.isdigit():
        return True
    return any(char.isupper() for char in plain) and len(plain) >= 4
