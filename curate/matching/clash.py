"""Whether two statements of one place contradict each other, and in what."""

from __future__ import annotations

from typing import Literal

from curate.matching.ask import Ask, Words
from curate.matching.normal import LEVELLED, Meaning
from curate.matching.words import choices

Clash = Literal["polarity", "choice", "number", "order", "degree"]
CLASHES: dict[str, str] = {
    "polarity": "one asks for what the other rules out",
    "choice": "both cannot be chosen",
    "number": "the numbers differ",
    "order": "they prefer the opposite",
    "degree": "they pull in opposite directions",
}
"""What each kind is, in words."""

ANY_VERB = frozenset({"use", "write", "keep", "edit", "work"})


def clash(a: Meaning, b: Meaning) -> Clash | None:
    """In what two statements contradict each other, or None when both can hold."""
    for one in a.asks:
        for other in b.asks:
            if (found := _asks(one, other)) is not None:
                return found
    return None


def _asks(a: Ask, b: Ask) -> Clash | None:
    if a.kind == b.kind == "need":
        return _both_needed(a, b)
    kinds = {a.kind, b.kind}
    if kinds in ({"need", "bar"}, {"allow", "bar"}, {"need", "optional"}):
        bar, other = (a, b) if a.kind in ("bar", "optional") else (b, a)
        return "polarity" if _rules_out(bar, other) else None
    if kinds == {"need", "allow"}:
        need, allowed = (a, b) if a.kind == "need" else (b, a)
        return "polarity" if _frees(allowed, need) else None
    return None


def _frees(allowed: Ask, gate: Ask) -> bool:
    """`you may push without asking` against `ask before you push`."""
    waived = {word.removeprefix("without:") for word in allowed.words if word.startswith("without:")}
    rest = {word for word in allowed.words if not word.startswith("without:")}
    return bool(gate.before) and waived == gate.words and rest == gate.before


def _rules_out(bar: Ask, other: Ask) -> bool:
    if bar.before != other.before or bar.besides or other.besides or bar.numbers != other.numbers:
        return False
    if not _verbs_meet(bar, other):
        return False
    return bool(_plain(bar) & _plain(other))


def _plain(ask: Ask) -> set[Words]:
    """What it is about: with and without words that only say `all of them`; `edit` and `keep` add nothing."""
    words = ask.words - {"edit", "direct"}
    return {plain for plain in (words, words - ask.every) if plain - LEVELLED}


def _verbs_meet(a: Ask, b: Ask) -> bool:
    one, other = a.verbs - ANY_VERB, b.verbs - ANY_VERB
    return not one or not other or bool(one & other)


def _both_needed(a: Ask, b: Ask) -> Clash | None:
    if a.besides or b.besides:
        return None
    if a.over and b.over and a.words == b.over and b.words == a.over:
        return "order"
    if a.before and b.before and a.before == b.words and b.before == a.words:
        return "order"
    if a.over and a.over == b.words and a.words != b.words and not b.over:
        return "order"
    if b.over and b.over == a.words and a.words != b.words and not a.over:
        return "order"
    if a.before != b.before or not _verbs_meet(a, b):
        return None
    one, other = a.words - b.words, b.words - a.words
    if not one and not other:
        return "number" if a.words - LEVELLED and _numbers_clash(a, b) else None
    if a.numbers != b.numbers:
        return _length_clash(a, b) or _length_clash(b, a)
    if len(one) != 1 or len(other) != 1:
        return _length_clash(a, b) or _length_clash(b, a)
    mine, theirs = min(one), min(other)
    known = choices()
    family = known.family.get(mine)
    if family is not None and family == known.family.get(theirs) and family not in known.open:
        return "choice"
    if known.complement.get(mine) == theirs:
        return "choice"
    if known.axis.get(mine) is not None and known.axis.get(mine) == known.axis.get(theirs):
        return "degree" if not (a.acts or b.acts) else None
    plain = not (a.places or b.places or a.acts or b.acts)
    return "choice" if plain and (a.words & b.words) & known.unique else None


def _numbers_clash(a: Ask, b: Ask) -> bool:
    one, other = a.numbers - b.numbers, b.numbers - a.numbers
    if len(one) != 1 or len(other) != 1:
        return False
    (first, low), (second, high) = min(one), min(other)
    if first == second:
        return True
    if {first, second} == {"max", "min"}:
        top, bottom = (low, high) if first == "max" else (high, low)
        try:
            return float(bottom) > float(top)
        except ValueError:
            return False
    return not first or not second


LENGTH = frozenset({"line", "character", "word", "sentence", "statement", "page"})


def _length_clash(bounded: Ask, long: Ask) -> Clash | None:
    """`functions at most 20 lines` and `keep long functions whole`: a bound on length against leave for length."""
    if not any(compare == "max" for compare, _ in bounded.numbers) or long.numbers:
        return None
    about = bounded.words - LENGTH
    kept = "keep" in long.verbs or "whole" in long.words
    return "degree" if kept and "long" in long.words and about and about <= long.words else None
