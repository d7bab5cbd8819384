"""Text of strangers as Markdown that shows it and does nothing: no heading, fence, list, tag, link or comment opens.

What agents and people read stays plain where it can: only characters that would act are escaped.
"""

from __future__ import annotations

import re

from store.text import clean, one_line

_ACTIVE = re.compile(
    r"[\\`*\[\]<|~$^#]"  # spans, links, HTML, tables, mathematics, Obsidian's tags and block names
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # emphasis, not the middle of a name
    r"|&(?=#?\w+;)"  # entities
    r"|(?<=https):(?=//)|(?<=http):(?=//)|(?<=ftp):(?=//)|(?<=mailto):|(?<=xmpp):"  # addresses that turn into links
    r"|(?<=www)\.|@"
    r"|(?<=%)%|(?<==)=|(?<=:):",  # Obsidian's comments and highlights, inline fields
    re.IGNORECASE,
)
_OPENING = re.compile(r"^(?:[-+=>:]|\d{1,9}(?=[.)]))")
"""What opens a block at the start of a line. A number is kept; the mark behind it is escaped."""


_PLAIN = re.compile(r"[A-Za-z(\"'][A-Za-z0-9 ,;'\"()/?.!-]*")
"""Most text: nothing in it acts, except addresses that start with `www.`."""


def escape(text: str) -> str:
    """One line of text that shows as it is written, wherever in a paragraph it stands."""
    if _PLAIN.fullmatch(text) and "  " not in text and text[-1] != " " and "www." not in text.lower():
        return text
    line = _ACTIVE.sub(lambda found: "\\" + found[0], one_line(text))
    return _OPENING.sub(_disarmed, line)


def quote(text: str, indent: str) -> list[str]:
    """Text of several lines as a block quote, its line breaks kept."""
    lines = [escape(line) for line in clean(text).strip().split("\n")]
    shown = []
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        broken = "\\" if line and following else ""
        shown.append(f"{indent}> {line}{broken}".rstrip(" "))
    return shown


def code(text: str) -> str:
    """An id as a code span; one that could break out of it as escaped text."""
    line = one_line(text)
    return f"`{line}`" if line and "`" not in line else escape(line)


def _disarmed(found: re.Match[str]) -> str:
    opening = found[0]
    return f"{opening}\\" if opening.isdigit() else f"\\{opening}"
