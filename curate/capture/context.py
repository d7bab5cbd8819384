"""What a sentence has from its surroundings: neighbours, the head of its list, the message as a whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from curate.capture.sentences import Sentence

if TYPE_CHECKING:
    from curate.capture.features import Features

_MACHINE = re.compile(
    r"""\s*(?:base\ directory\ for\ this\ skill|caveat:\ the\ messages\ below|this\ session\ is\ being\ continued
    |\[request\ interrupted|continuation\ of\ an?\ |you\ are\ (?:an?|the|now)\s|you're\ an?\s
    |your\ (?:task|job|role|assignment)\ is
    |act\ as\ |\#\ ide\ context|\#+\s*context\ from|run\ the\ skill|the\ user\ (?:is\ viewing|opened|selected|wants)
    |automated\ message
    |\w+\ hook\b|\[?system\b|@agent\b|[\w-]*bot\ left|<[a-z][\w-]+[ >]|contents\ of\ /|\[image|goal:
    |\#+\s[^\n]{0,200}\n|---\n|\*\*\w
    |(?:before|when)\ \w+ing\ you\ must)""",
    re.VERBOSE | re.IGNORECASE,
)
_NEAR = frozenset(
    (
        "colon",
        "rulesfile",
        "quoted",
        "youdid",
        "again",
        "othersystem",
        "question",
        "temp",
        "convention",
        "record",
        "joke",
        "task",
    )
)
_HEADS = (
    "rulesfile",
    "record",
    "convention",
    "project",
    "standing",
    "stop",
    "never",
    "whenever",
    "whenagent",
    "quoted",
    "othersystem",
    "product",
    "task",
    "thistask",
    "bug",
    "question",
    "me",
    "agent",
    "tool",
)
_WHOLE = ("othersystem", "quoted", "rulesfile", "record", "youdid", "again", "narrate")


def message_flags(text: str, sentences: list[Sentence], kept: list[Sentence]) -> list[str]:
    """What holds for the message as a whole: its size, its number of sentences, and what was dropped from it."""
    size = sum(s.end - s.start for s in kept)
    n = len(kept)
    flags = [
        f"m.size{(size > 60) + (size > 150) + (size > 400) + (size > 1200)}",
        f"m.n{(n > 1) + (n > 2) + (n > 5) + (n > 12)}",
    ]
    if _MACHINE.match(text):
        flags.append("m.machine")
    if len(kept) != len(sentences):
        reasons = {s.dropped for s in sentences if s.dropped}
        flags += ["m." + r for r in sorted(reasons) if r != "ruler"]
        if size * 2 < sum(s.end - s.start for s in sentences):
            flags.append("m.mostly")
    if sum(s.bullet for s in kept) > 3:
        flags.append("m.list")
    return flags


def add_context(found: list[Features], flags: list[str]) -> None:
    """Flags that a sentence has from its place, the head of its list, its neighbours and its message.

    Its own flags end with its place and its head; the others are weighed alone, not in pairs.
    """
    shared = [k for k in flags if not k.startswith(("m.size", "m.n"))]
    if len(found) == 1:
        (f,) = found
        f.flags.append("only")
        f.own = len(f.flags)
        f.flags += shared
        return
    classes = [set(f.flags) for f in found]
    whole = {name: sum(name in c for c in classes) for name in _WHOLE}
    whole = {name: count for name, count in whole.items() if count}
    near = [_NEAR & own for own in classes]
    last = len(found) - 1
    head: set[str] = set()
    for i, f in enumerate(found):
        own = classes[i]
        extra = f.flags
        if i in (0, last):
            extra.append("first" if i == 0 else "last")
        if "bullet" not in own:
            head = own if "colon" in own else set()
        elif head:
            extra.append("head")
            extra += ["head:" + name for name in _HEADS if name in head]
        f.own = len(extra)
        extra += shared
        if i:
            extra += map("prev:".__add__, near[i - 1])
        if i < last:
            extra += map("next:".__add__, near[i + 1])
        if whole:
            extra += ["m:" + name for name, count in whole.items() if count > (name in own)]
