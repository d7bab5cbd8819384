"""Whether two statements ask for the same thing; in doubt they do not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from curate.matching.ask import NONE, Ask, Words
from curate.matching.clash import clash
from curate.matching.normal import Meaning, meaning

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
    if len(ours) > 1:
        if _shifted(ours, theirs) or _shifted(theirs, ours):
            return True
        ours, theirs = _distinct(ours), _distinct(theirs)
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


def _shifted(a: tuple[Ask, ...], b: tuple[Ask, ...]) -> bool:
    """`amounts use decimal, not float` is `never float for amounts, use decimal`: what both are about is said once."""
    if len(a) != 2 or len(b) != 2 or any(ask.before or ask.besides or ask.numbers for ask in (*a, *b)):
        return False
    ours, theirs = {ask.kind: ask.words for ask in a}, {ask.kind: ask.words for ask in b}
    if not ours.keys() == theirs.keys() == {"need", "bar"}:
        return False
    moved = ours["need"] - theirs["need"]
    return bool(moved and theirs["need"]) and (
        ours["need"] == theirs["need"] | moved and theirs["bar"] == ours["bar"] | moved and bool(ours["bar"])
    )


def _distinct(asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
    """A prohibition beside a wish, by what only it names: `fix failing tests` needs no `failing tests` repeated."""
    wanted = NONE.union(*(ask.words for ask in asks if ask.kind == "need"))
    return tuple(
        replace(ask, words=ask.words - wanted or ask.words, acts=False) if ask.kind == "bar" else ask for ask in asks
    )


def _ask_agrees(a: Ask, b: Ask) -> bool:
    if {a.kind, b.kind} == {"need", "bar"}:
        need, bar = (a, b) if a.kind == "need" else (b, a)
        return _rejects(need, bar)
    return (
        a.kind == b.kind
        and a.numbers == b.numbers
        and (_parts_agree(a, b) or _moved(a, b))
        and _words_agree(a.besides, b.besides)
        and (not a.over or not b.over or _words_agree(a.over - a.words, b.over - b.words))
        and _verbs_agree(a.verbs, b.verbs, USE | {"write", "keep"} if a.numbers else USE)
        and _verbs_agree(a.before_verbs, b.before_verbs, USE)
    )


def _rejects(need: Ask, bar: Ask) -> bool:
    """`function components, no class components` is `no class components`: the head is the same, the rest is told."""
    plain = not (need.before or bar.before or need.besides or bar.besides or need.numbers or bar.numbers or bar.acts)
    return plain and bool(need.over & need.words) and need.over == bar.words


def _parts_agree(a: Ask, b: Ask) -> bool:
    one, other = a.words, b.words
    if a.over or b.over or (a.verbs | b.verbs == USE and not (a.acts or b.acts)):
        one, other = one - ONLY, other - ONLY
    if a.kind == "bar" and len(one | other) > 1:
        one, other = one - DIRECT, other - DIRECT
    said = one or a.before or a.numbers
    return bool(said) and _words_agree(one, other) and _words_agree(a.before, b.before)


USE = frozenset({"use"})
ONLY = frozenset({"only"})
"""Says nothing where an alternative is rejected anyway, or something is simply used."""
DIRECT = frozenset({"direct"})
"""`never push to main`, directly or not."""


def _moved(a: Ask, b: Ask) -> bool:
    """`test a bug before fixing it` is `before fixing a bug, test it`."""
    if (a.refers or b.refers) and a.before & b.before:
        return a.words | a.before == b.words | b.before
    return _each(a, b) or _each(b, a)


def _each(a: Ask, gate: Ask) -> bool:
    """`every schema change needs a migration` is `no schema change without a migration`."""
    rest = a.words - a.every
    return bool(a.every and rest) and not (a.before or gate.timed) and gate.before == a.every and gate.words == rest


def _verbs_agree(a: Words, b: Words, plain: Words) -> bool:
    """A verb that says little may be missing, not be another."""
    one, other = a - plain, b - plain
    return not one or not other or bool(one & other)


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
