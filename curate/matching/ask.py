"""One thing that a statement asks for, and how its parts come together once a clause has been read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from curate.matching.words import choices, lexicon

Kind = Literal["need", "bar", "allow", "optional"]
Words = frozenset[str]
Numbers = frozenset[tuple[str, str]]
NONE: Words = frozenset()
NO_NUMBERS: Numbers = frozenset()


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that is asked for (`need`), ruled out (`bar`), permitted, or left open.

    `words` is all its content; `places` the part of it that says where or when; `every` the part that is said of all.
    """

    kind: Kind
    words: Words
    verbs: Words = NONE
    """Verbs that say little, by class."""
    places: Words = NONE
    every: Words = NONE
    over: Words = NONE
    """What is rejected in favour of `words`."""
    before: Words = NONE
    """A gate: `words` must be done, or hold, before this may be."""
    before_verbs: Words = NONE
    besides: Words = NONE
    """Exceptions."""
    numbers: Numbers = NO_NUMBERS
    """Pairs of comparison (`max`, `min`, or nothing) and value."""
    acts: bool = False
    """It has a verb that says something, such as `delete`."""
    refers: bool = False
    """A pronoun in it stands for something said before."""
    timed: bool = False
    """A gate that says `before`, and not only `never without`."""

    @property
    def everything(self) -> Words:
        """All content words of it."""
        return self.words | self.over | self.before | self.besides


@dataclass(slots=True)
class Draft:
    """An ask while its clause is being read; each list takes the words of one relation."""

    kind: Kind = "need"
    words: list[str] = field(default_factory=list)
    verbs: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    every: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    before_verbs: list[str] = field(default_factory=list)
    when: list[str] = field(default_factory=list)
    cond: list[str] = field(default_factory=list)
    """Condition of a gate that is still to be turned round: `never push without ...`."""
    cond_verbs: list[str] = field(default_factory=list)
    besides: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    numbers: list[tuple[str, str]] = field(default_factory=list)
    only: bool = False
    doubt: bool = False
    opened: bool = False
    """Something has been said in it."""
    verbless: bool = True
    acts: bool = False
    refers: bool = False
    starter: str = ""
    """The marker it began with."""
    joined: str = ""
    """How it follows the clause before: `,`, `.`, `and`, `but`."""

    @property
    def empty(self) -> bool:
        """Nothing has been said that could be compared."""
        parts = (self.words, self.over, self.before, self.when, self.cond, self.besides, self.lacking, self.numbers)
        return not any(parts)


def finish(drafts: list[Draft], origin: list[str]) -> tuple[Ask, ...]:
    """The asks of a statement. A rejected alternative joins what it is rejected for; `origin` is what was left."""
    asks: list[Ask] = []
    for draft in drafts:
        ask = make(draft)
        if asks and ask.refers and not ask.before:
            ask = _resolved(ask, asks[-1])
        if asks and _is_alternative(asks[-1], ask, draft):
            asks[-1] = replace(asks[-1], over=asks[-1].over | ask.words)
        elif asks and _is_choice_after(asks[-1], ask):
            asks[-1] = replace(ask, over=ask.over | asks[-1].words)
        else:
            asks.append(ask)
    asks = [_turned(ask) for ask in asks]
    asks = [ask for at, ask in enumerate(asks) if ask not in asks[:at]]
    if origin and asks:
        asks[0] = replace(asks[0], over=asks[0].over | frozenset(origin))
    return tuple(asks)


def _resolved(ask: Ask, previous: Ask) -> Ask:
    """`don't delete failing tests, fix them`: fix failing tests."""
    things = previous.words - choices().family.keys() - choices().complement.keys() - previous.places
    if previous.acts:
        things -= {word for word in previous.words if word in lexicon("en").verbs} - {"test"}
    return replace(ask, words=ask.words | things)


def _is_alternative(need: Ask, bar: Ask, draft: Draft) -> bool:
    """`..., not npm`; `..., no default exports`; `..., don't use npm`: an alternative, not a second rule."""
    if need.kind != "need" or bar.kind != "bar" or draft.joined == "but" or need.every:
        return False
    if len(bar.words) > 4 or not _is_plain(bar):
        return False
    return (draft.starter == "NOT" and draft.verbless) or _choose_between(bar, need)


def _is_choice_after(bar: Ask, need: Ask) -> bool:
    return bar.kind == "bar" and need.kind == "need" and _is_plain(bar) and _choose_between(bar, need)


def _is_plain(ask: Ask) -> bool:
    return bool(ask.words) and not (ask.places or ask.before or ask.besides or ask.numbers)


def _choose_between(bar: Ask, need: Ask) -> bool:
    """Both sides name members of one family, or the one side only says `another`."""
    known = choices()
    one, other = bar.words - need.words, need.words - bar.words
    if {known.family[word] for word in one if word in known.family} & {
        known.family[word] for word in other if word in known.family
    }:
        return True
    if any(known.complement.get(word) in other for word in one):
        return True
    if "new" in bar.words and bar.words - {"new"} <= need.words:
        return True
    return bool(bar.words & need.words) and len(one) == len(other) == 1 and not (bar.acts or need.acts)


def make(draft: Draft) -> Ask:
    """The ask of one clause."""
    kind, words, verbs, places = draft.kind, list(draft.words), list(draft.verbs), list(draft.places)
    before, before_verbs, numbers, acts = list(draft.before), list(draft.before_verbs), _numbers(draft), draft.acts
    if kind == "bar" and draft.lacking:  # without X, never Y
        draft.cond, draft.lacking = draft.cond + draft.lacking, []
    if kind == "bar" and draft.cond:  # never X without Y: Y before X
        before, before_verbs = words + before, verbs + before_verbs
        words, verbs, places = list(draft.cond), list(draft.cond_verbs), []
        kind, acts = "need", False
    elif draft.only and draft.when and kind in ("need", "allow"):  # X only when Y: Y before X
        before, before_verbs = words, verbs
        words, verbs, places = [word.removeprefix("after:") for word in draft.when], draft.cond_verbs, []
        kind, acts = "need", False
    else:
        words += draft.when + (["only"] if draft.only else [])
        places += draft.when
    if kind == "bar" and any(compare for compare, _ in numbers):  # not below 80: at least 80
        numbers = frozenset((_TURNED.get(compare, compare), value) for compare, value in numbers)
        kind = "need"
    if draft.lacking:
        kind, words, places = _without(draft, kind, words, places)
    if not before and "requested" in words and "requested" not in places:  # I told you, ...
        words = [word for word in words if word != "requested"] or words
    if before:
        words = [word for word in words if word != "first"] or words
    if draft.doubt:
        words.append("sometimes")
    if kind == "bar" and ONLY_WITHOUT & set(words):  # nothing outside src: only in src
        kind, words = "need", ["only", *(word for word in words if word not in ONLY_WITHOUT)]
    kind, words = _opposite(kind, words, acts=acts)
    words = _plain_words(words, numbers)
    return Ask(
        kind,
        _set(words),
        _set(verbs),
        _set(word for word in places if word in words) if places else NONE,
        _set(draft.every),
        _set(draft.over),
        _set(before),
        _set(before_verbs),
        _set(draft.besides),
        numbers,
        acts,
        draft.refers,
        bool(draft.before),
    )


def _set(words: Iterable[str]) -> Words:
    """Most parts of an ask are empty, and an empty set takes as much memory as one of four."""
    return frozenset(words) or NONE


_TURNED = {"max": "min", "min": "max"}


def _numbers(draft: Draft) -> Numbers:
    """One per something means at most one."""
    if not draft.numbers:
        return NO_NUMBERS
    return frozenset(
        ("max" if value == "1" and not compare and draft.every else compare, value) for compare, value in draft.numbers
    )


def _without(draft: Draft, kind: Kind, words: list[str], places: list[str]) -> tuple[Kind, list[str], list[str]]:
    """`answers without emojis` rules emojis out of answers; what is done without something keeps the relation."""
    if kind == "need" and not draft.acts and not set(draft.verbs) - {"use", "write", "keep"}:
        return "bar", words + draft.lacking, places + words
    lacking = [f"without:{word}" for word in draft.lacking]
    return kind, words + lacking, places + lacking


ONLY_WITHOUT = frozenset({"outside", "not"})
"""In a prohibition they leave what remains as the only thing allowed (`not` is that of `files you don't own`)."""


def _opposite(kind: Kind, words: list[str], *, acts: bool) -> tuple[Kind, list[str]]:
    """`no long answers` asks for short ones: a ruled-out degree is its opposite."""
    known = choices()
    if kind != "bar":
        return kind, words
    turned = [known.opposite.get(word, word) if word in ACTS else word for word in words]
    if not acts:
        turned = [known.opposite.get(word, word.removeprefix("non") if len(word) > 7 else word) for word in turned]
    return ("need", turned) if turned != words else (kind, words)


def _turned(ask: Ask) -> Ask:
    """`no default exports` asks for named ones: of two ways, one ruled out leaves the other."""
    complement = choices().complement
    if ask.kind != "bar" or ask.acts or not ask.words & complement.keys():
        return ask
    return replace(ask, kind="need", words=frozenset(complement.get(word, word) for word in ask.words))


ACTS = frozenset({"ignore"})
"""Verbs whose opposite can be asked for."""


def _plain_words(words: list[str], numbers: Numbers) -> list[str]:
    """Words that repeat what another one says left out: Postgres is a database; a line is counted in characters."""
    known = choices()
    plain = set(words)
    if numbers and {"line", "character"} <= plain:
        plain.discard("character")
    if numbers and len(plain) > 1:
        plain.discard("time")  # at most three times
    for word in words:
        for names in known.names.get(known.family.get(word, ""), ()):
            if names < plain and word not in names:
                plain -= names
    return [word for word in words if word in plain]
