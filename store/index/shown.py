"""Text as a block may show it: on one line, and unable to open a heading, a fence or a tag. Cleaned once, when
indexed.
"""

from __future__ import annotations

import re

from store.text import one_line

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_FENCE = re.compile(r"`{3,}|~{3,}")
_HEADING = re.compile(r"(?:(?<=\s)|^)#{1,6}(?=\s|$)")
_LINK = re.compile(r"\]\(\s*javascript:", re.IGNORECASE)


def shown(text: str) -> str:
    """The text on one line, with marks that mean something to Markdown or to an agent's frame replaced by
    look-alikes.
    """
    text = one_line(text)
    text = _TAG.sub("‹", text)
    text = _FENCE.sub(lambda run: "ˋ" * len(run[0]) if run[0][0] == "`" else "∼" * len(run[0]), text)
    text = _HEADING.sub(lambda run: "＃" * len(run[0]), text)
    return _LINK.sub("](", text)
