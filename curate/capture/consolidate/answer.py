"""What a model answered, taken for hostile: read by a strict schema, and held against what the person said. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from curate.capture.consolidate.fault import useless
from curate.capture.consolidate.session import Message
from curate.capture.consolidate.settings import Kind
from store.model import RuleType
from store.secrets import mask
from store.text import clean, one_line

STATEMENT_LIMIT = 400
QUOTE_LIMIT = 1000
QUOTE_LEAST = 8
"""Characters of a quote that supports anything; half of it in scripts that write a word in a sign or two."""

_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_THOUGHT = re.compile(r"\A<think>.*?</think>", re.DOTALL)
_QUOTE_MARKS = {"'": "['’‘]", "’": "['’‘]", "‘": "['’‘]", '"': '["“”„]', "“": '["“”„]', "”": '["“”„]'}
_WORD = re.compile(r"\w{4,}")
_REST = r"[^\s\"'`“”‘’,;:!?()\[\]{}<>]*"
_SPECIFIC = re.compile(rf"{_REST}[\d/\\_@$|~]{_REST}|--?[a-z][\w-]+|\w+\.\w+")
"""Paths, numbers, names in code, options, files: what a model may not add."""
_SHARE = 1 / 3


class Item(BaseModel):
    """One thing that the model holds to be standing guidance. What was not asked for is dropped."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    statement: str = Field(min_length=1, max_length=4 * STATEMENT_LIMIT)
    quote: str = Field(min_length=1, max_length=4 * QUOTE_LIMIT)
    intent: Literal["user_preference", "behavior_correction", "project_convention", "reusable_workflow"]
    rule_type: RuleType | None = None


@dataclass(frozen=True, slots=True)
class Supported:
    """An item with the person's words behind it."""

    item: Item
    statement: str
    """One line, cleaned, secrets masked."""
    message: Message
    start: int
    end: int
    """Where the quote stands in the message's text."""
    strange: bool
    """It names things, or is mostly made of words, that the person did not use."""
    redacted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """An item that is not taken, and why."""

    reason: str


def text_of(kind: Kind, raw: bytes) -> str:
    """The model's words in an answer of a protocol. Raises `NoAnswer`."""
    if kind == "command":
        return raw.decode("utf-8", "replace")
    data = _json(raw.decode("utf-8", "replace"))
    try:
        text, cut = _anthropic(data) if kind == "anthropic" else _openai(data)
    except (KeyError, IndexError, TypeError, AttributeError):
        raise useless(f"the answer is not one of the {kind} protocol") from None
    if cut:
        raise useless("the answer was cut off at the longest that the model gives")
    if not text.strip():
        raise useless("the answer holds no text")
    return text


def items(text: str, limit: int) -> list[Item | Refused]:
    """The items of an answer, each read by itself. Raises `NoAnswer` when the whole is none."""
    text = _THOUGHT.sub("", text.strip()).strip()
    fenced = _FENCE.match(text)
    data = _json(fenced[1] if fenced else text)
    if not isinstance(data, dict) or not isinstance(data.get("items"), list):
        raise useless('the answer is not of the form {"items": [...]}')
    given = data["items"]
    found = [_item(one) for one in given[:limit]]
    if len(given) > limit:
        found.append(Refused(f"{len(given) - limit} more than the {limit} items that were asked for"))
    return found


def supported(item: Item, messages: Sequence[Message]) -> Supported | Refused:
    """The item with its support, or why it has none."""
    masked = mask(one_line(item.statement))
    statement = masked.text
    if not any(char.isalpha() for char in statement):
        return Refused("the statement has no words")
    if len(statement) > STATEMENT_LIMIT:
        return Refused(f"the statement is longer than {STATEMENT_LIMIT} characters")
    quote = clean(item.quote).strip()
    if len(quote) > QUOTE_LIMIT:
        return Refused(f"the quote is longer than {QUOTE_LIMIT} characters")
    pattern = _pattern(quote)
    for message in reversed(messages):
        found = pattern.search(message.text)
        if found is None:
            continue
        if not _tells(quote) and quote.casefold() != one_line(message.text).casefold():
            return Refused("the quote is too short to support anything")
        novel = strange(statement, messages)
        return Supported(item, statement, message, found.start(), found.end(), novel, masked.kinds)
    return Refused("the quote is not in what the person said")


def strange(statement: str, messages: Sequence[Message]) -> bool:
    """Whether a statement brings in what the person did not say: paths, options, numbers, or most of its words."""
    said = "\n".join(message.text for message in messages).casefold()
    lower = statement.casefold()
    if any(found[0].strip(".") not in said for found in _SPECIFIC.finditer(lower)):
        return True
    words = _WORD.findall(lower)
    known = sum(word[:5] in said for word in words)
    return bool(words) and known < len(words) * _SHARE


def _pattern(quote: str) -> re.Pattern[str]:
    """The quote, whatever the white space and the form of quotation marks."""
    words = ("".join(_QUOTE_MARKS.get(char) or re.escape(char) for char in word) for word in quote.split())
    return re.compile(r"\s+".join(words) or r"(?!)")


def _tells(quote: str) -> bool:
    weight = sum(1 if char.isascii() else 2 for char in quote if char.isalnum())
    return weight >= QUOTE_LEAST


def _item(data: Any) -> Item | Refused:
    try:
        return Item.model_validate(data)
    except ValidationError as fault:
        first = fault.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "item"
        return Refused(f"not of the form that was asked for: {where}: {one_line(first['msg']).lower()}")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise useless("the answer is not JSON") from None


def _openai(data: Any) -> tuple[str, bool]:
    choice = data["choices"][0]
    content = choice["message"]["content"]
    if isinstance(content, list):
        content = "".join(part["text"] for part in content if part.get("type") == "text")
    return str(content or ""), choice.get("finish_reason") == "length"


def _anthropic(data: Any) -> tuple[str, bool]:
    texts = [str(block["text"]) for block in data["content"] if block.get("type") == "text"]
    return "".join(texts), data.get("stop_reason") == "max_tokens"
