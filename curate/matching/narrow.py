"""Whether one statement speaks of a special case of another: an exception to it, or a narrower form of it."""

from __future__ import annotations

from typing import Literal

from curate.matching.ask import Ask, Words
from curate.matching.normal import Meaning

WEAK = frozenset({
    "cast", "type", "keyword", "statement", "call", "operator", "option", "flag", "syntax", "expression", "assertion",
    "word", "command", "usage", "comment",
})  # fmt: skip
"""Names of a kind that add nothing to a thing that is named: "`as` casts" are `as`."""


def narrower(special: Meaning, general: Meaning) -> Literal["exception", "refines"] | None:
    """`exception`: allows or asks for a case of what is ruled out (or the reverse). `refines`: the same, for less."""
    for ask in special.asks:
        for rule in general.asks:
            if rule.before or ask.before:
                continue
            if {ask.kind, rule.kind} in ({"allow", "bar"}, {"need", "bar"}) and _case_of(ask, rule):
                return "exception"
    if len(special.asks) == len(general.asks) == 1:
        ask, rule = special.asks[0], general.asks[0]
        if ask.kind == rule.kind and rule.words and (rule.words < ask.words or ask.words < rule.words):
            return "refines"
        if ask.kind == rule.kind and ask.words == rule.words and ask.besides != rule.besides:
            return "exception" if ask.besides and not rule.besides else "refines"
    if len(special.asks) > len(general.asks) == 1 and any(ask == general.asks[0] for ask in special.asks):
        return "refines"
    return None


def _case_of(ask: Ask, rule: Ask) -> bool:
    ruled = strip(rule.words)
    return bool(ruled) and ruled < ask.words and not ask.numbers and not rule.numbers


def strip(words: Words) -> Words:
    """Words without names of a kind, unless nothing else is left."""
    return words - WEAK or words
