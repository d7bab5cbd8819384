"""A block of ours between markers in somebody else's text: found, written, taken out; the rest is never touched. Pure.

The opening marker holds a hash of what we wrote, so an edit by others shows without any memory of our own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from store.errors import InputError

_BEGIN = re.compile(
    r"^[ \t]*<!-- curate:begin (?P<owner>[^\s>]+)(?: (?P<hash>[0-9a-f]{12}))?(?P<flags>(?: [a-z]+)*) -->[ \t]*\r?$",
    re.MULTILINE,
)
_END = re.compile(r"^[ \t]*<!-- curate:end -->[ \t]*\r?$", re.MULTILINE)
_ANY = re.compile(r"^.*(?<!\\)<!--\s*curate:(?:begin|end)\b.*$", re.MULTILINE)
"""A marker wherever it stands in a line, so that no second block is made beside one that was moved.

One that a statement holds is escaped.
"""
_KEPT_PLAIN = "/:@.#+~,="
"""Characters of an owner's name that no marker has to escape."""


class BadMarkers(InputError):
    """The markers in a text do not make one block, so nothing in it may be changed."""

    def __init__(self, where: str, line: int, reason: str) -> None:
        super().__init__(f"{where}, line {line}: {reason}; mend the markers and run again")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Block:
    """Where a block stands in a text (`start` to `end`, its markers included) and what it says."""

    start: int
    end: int
    line: int
    owner: str
    flags: frozenset[str]
    inner: str
    """The text between the markers, with plain newlines."""
    intact: bool
    """True when the text is what we wrote."""


def find(text: str, where: str = "the text") -> Block | None:
    """The one block in a text, or None. Raises `BadMarkers` on more than one, or half of one."""
    marks = list(_ANY.finditer(text))
    if not marks:
        return None
    first = marks[0]
    begin = _BEGIN.fullmatch(text, first.start(), first.end())
    if begin is None:
        raise BadMarkers(where, line_of(text, first.start()), "a closing marker of curate without its opening one"
                         if "curate:end" in first[0] else "a marker of curate that was changed")  # fmt: skip
    if len(marks) == 1:
        raise BadMarkers(where, line_of(text, first.start()), "an opening marker of curate without its closing one")
    last = marks[1]
    if _END.fullmatch(text, last.start(), last.end()) is None or len(marks) > 2:
        odd = marks[1] if len(marks) == 2 else marks[2]
        raise BadMarkers(where, line_of(text, odd.start()), "a second block of curate, or a part of one")
    inner_start = first.end() + 1
    inner = text[inner_start : last.start()].replace("\r\n", "\n")
    end = last.end() + (1 if text[last.end() : last.end() + 1] == "\n" else 0)
    return Block(
        start=first.start(),
        end=end,
        line=line_of(text, first.start()),
        owner=unquote(begin["owner"]),
        flags=frozenset(begin["flags"].split()),
        inner=inner,
        intact=begin["hash"] == mark_of(inner),
    )


def render(owner: str, lines: Sequence[str], *, flags: Sequence[str] = (), newline: str = "\n") -> str:
    """The text of a block, markers included, ending in a newline."""
    inner = "".join(f"{line}\n" for line in lines)
    name = quote(owner, safe=_KEPT_PLAIN).replace("--", "-%2D")
    told = " ".join(["<!-- curate:begin", name, mark_of(inner), *sorted(flags), "-->"])
    return f"{told}\n{inner}<!-- curate:end -->\n".replace("\n", newline)


def newline_of(text: str) -> str:
    """How the lines of a text end, by most of them; a plain newline when it has none."""
    carried = text.count("\r\n")
    return "\r\n" if carried > text.count("\n") - carried else "\n"


def line_of(text: str, at: int) -> int:
    """The 1-based line that a position stands in."""
    return text.count("\n", 0, at) + 1


def mark_of(inner: str) -> str:
    """The hash of what stands between the markers, whatever its line ends."""
    return hashlib.sha256(inner.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()[:12]
