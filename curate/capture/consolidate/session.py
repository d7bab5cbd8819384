"""What may leave of a session: the person's words, masked and without pasted matter, within bounds.

Pure. Secrets are masked before anything is cut, so that no half of one slips through.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from curate.capture.activity import Touched
from curate.capture.sentences import split
from curate.capture.turns import Turn
from store.secrets import mask
from store.text import clean, one_line, shorten

MESSAGE_LIMIT = 2000
"""Characters of one message; the rest of a longer one is not sent."""
CONTEXT_LIMIT = 300
"""Characters of what the agent said last before the person spoke."""
ANSWER_LIMIT = 200
"""A message up to this long may be an answer, so what it answers goes with it; a longer one speaks for itself."""
WORTH_ASKING = 12
"""A session with fewer characters in all ("ok, go on") is not worth a call."""

LEFT_OUT = "[…]"
"""Stands for quoted, pasted and fenced matter."""

_LONG_RUN = re.compile(r"[A-Za-z0-9+/=_-]{40,}")
"""What the agent said arrives cut at its beginning: a long run may be the rest of a secret."""
_SENTENCE_END = re.compile(r"[.!?:\n]\s+|[。！？]")


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that a person said, as it may be sent, and where it stands."""

    key: str
    """The turn's, the same wherever it is copied to."""
    turn: Turn
    text: str
    context: str | None
    redacted: tuple[str, ...]
    own: Touched
    """What the turn wrote, and `session` what its session wrote up to there."""
    session: Touched

    @property
    def size(self) -> int:
        """Characters that it costs."""
        return len(self.text) + len(self.context or "")


@dataclass(slots=True)
class Session:
    """The messages of one session that nobody has been asked about, oldest first, as many as fit in one call."""

    key: str
    agent: str
    label: str
    """What a person knows the session by."""
    path: str
    messages: list[Message] = field(default_factory=list)
    size: int = 0
    left: int = 0
    """Messages that did not fit: they have their turn at a later run."""

    def take(self, message: Message, max_chars: int) -> None:
        """Add a message, or count it as left once one did not fit."""
        if self.left or self.size + message.size > max_chars:
            self.left += 1
            return
        self.messages.append(message)
        self.size += message.size

    @property
    def newest(self) -> str:
        """When the last of its messages was said."""
        return max((message.turn.time or "" for message in self.messages), default="")

    @property
    def worth_asking(self) -> bool:
        """Whether there is enough to ask about."""
        return bool(self.left) or sum(len(message.text) for message in self.messages) >= WORTH_ASKING


def turn_key(agent: str, turn_id: str) -> str:
    """A short name of a turn that says nothing of what was said."""
    return _digest(f"{agent}\x1f{turn_id}")


def session_key(turn: Turn) -> str:
    """A short name of the session of a turn; without an id, its file is the session."""
    return _digest(f"{turn.agent}\x1f{turn.session or turn.path}")


def message_of(turn: Turn, own: Touched, session: Touched, *, key: str | None, max_chars: int) -> Message | None:
    """A turn as it may be sent; None when nothing of it is the person's own prose. `key` is masked too."""
    words, kinds = _masked(turn.text, key)
    text = shorten(own_words(words), min(MESSAGE_LIMIT, max_chars - CONTEXT_LIMIT))
    if not any(char.isalnum() for char in text):
        return None
    context = context_of(turn.previous, key) if turn.previous and len(text) <= ANSWER_LIMIT else None
    return Message(turn_key(turn.agent, turn.turn_id), turn, text, context, kinds, own, session)


def own_words(text: str) -> str:
    """The text without what its writer only quoted or pasted."""
    pieces: list[str] = []
    end, gap = 0, False
    for sentence in split(text):
        if sentence.dropped is not None:
            gap = True
            continue
        if gap or not pieces:
            between = f"\n{LEFT_OUT}\n" if gap else ""
        else:
            between = text[end : sentence.start]
            between = between if len(between.strip()) <= 12 else "\n"  # a bullet's mark, or what a splitter passed over
        pieces += [between, text[sentence.start : sentence.end]]
        end, gap = sentence.end, False
    return clean("".join(pieces)).strip()


def context_of(previous: str, key: str | None = None) -> str | None:
    """The end of what the agent said, from the start of a sentence where one is near."""
    words, _ = _masked(previous, key)
    words = one_line(_LONG_RUN.sub(LEFT_OUT, words))
    if len(words) > CONTEXT_LIMIT:
        words = words[-CONTEXT_LIMIT:]
        found = _SENTENCE_END.search(words, 0, CONTEXT_LIMIT // 2)
        words = words[found.end() :] if found else words.partition(" ")[2]
    return words.strip() or None


def _masked(text: str, key: str | None) -> tuple[str, tuple[str, ...]]:
    """Masked by the rules, and without the key that is used for the call itself."""
    found = mask(clean(text))
    if key and len(key) >= 8 and key in found.text:
        return found.text.replace(key, "[masked key]"), (*found.kinds, "key")
    return found.text, found.kinds


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
