"""Whether two statements ask for the same thing; in doubt they do not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from curate.matching.clash import clash
from curate.matching.ask import NONE, Ask, Words
from curate.matching.normal import Meaning, meaning
from curate.matching.words import choices

if TYPE_CHECKING:
    from curate.matching.group import Claim


def agree(a: Meaning, b: Meaning) -> bool:
    """True when both ask for the same thing; in doubt False."""
    if a.folded == b.folded:
        return True
    if not a.asks or not b.asks:
        return False
    ours, theirs = a.asks, b.asks
    if len(ours) != len(theirs):
        ours, theirs = _apart(ours), _apart(theirs)
        if len(ours) != len(theirs):
            return False
    left = list(theirs)
    for ask in ours:
        found = next((other for other in left if _ask_agrees(ask, other)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _apart(asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
    """`don't guess, ask` is `ask instead of guessing`: rejected alternatives as prohibitions of their own."""
    out = []
    for ask in asks:
        out.append(replace(ask, over=NONE))
        if ask.over:
            out.append(Ask("bar", ask.over))
    return tuple(out)


def _ask_agrees(a: Ask, b: Ask) -> bool:
    if a.kind == b.kind:
        return (
            a.numbers == b.numbers
            and _words_agree(a.words, b.words)
            and _words_agree(a.before, b.before)
            and _words_agree(a.besides, b.besides)
            and (not a.over or not b.over or _words_agree(a.over, b.over))
            and _verbs_agree(a, b)
        )
    if {a.kind, b.kind} == {"need", "bar"}:
        need, bar = (a, b) if a.kind == "need" else (b, a)
        return _rules_out(need, bar)
    return False


def _rules_out(need: Ask, bar: Ask) -> bool:
    """`named exports, no default exports` and `no default exports`: with only two ways, one rejected is the other."""
    if not need.over or need.numbers != bar.numbers or need.before or bar.before or need.besides or bar.besides:
        return False
    head = need.words & bar.words
    if need.over | head != bar.words or need.places != bar.places:
        return False
    complement = choices().complement
    rejected, wanted = need.over - need.words, need.words - need.over
    return len(rejected) == len(wanted) == 1 and complement.get(min(rejected)) == min(wanted)


def _verbs_agree(a: Ask, b: Ask) -> bool:
    """A verb that says little may be missing, not be another."""
    return not a.verbs or not b.verbs or bool(a.verbs & b.verbs)


def _words_agree(a: Words, b: Words) -> bool:
    if a == b:
        return True
    one, other = a - b, b - a
    if one | other == {"code"} and len(a & b) > 1:  # refactor unrelated code: refactor what is unrelated
        return True
    if len(one) != len(other) or not a & b and len(one) > 1:
        return False
    return all(any(slip(word, twin) for twin in other) for word in one)


def slip(a: str, b: str) -> bool:
    """True when two long words differ by a slip of the keyboard only."""
    if len(a) < 7 or len(b) < 7 or a[0] != b[0] or a[-1] != b[-1] or not (a.isalpha() and b.isalpha()):
        return False
    return sorted(set(a)) == sorted(set(b)) and OSA.distance(a, b, score_cutoff=1) <= 1


def same(a: Claim, b: Claim) -> bool:
    """True when two statements of one scope ask for the same thing."""
    return a.scope == b.scope and agree(meaning(a.text, a.language), meaning(b.text, b.language))


def conflict(a: Claim, b: Claim) -> bool:
    """True when two statements of one scope cannot both hold."""
    return a.scope == b.scope and clash(meaning(a.text, a.language), meaning(b.text, b.language)) is not None
