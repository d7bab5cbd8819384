"""What a row of tokens asks for: one `Ask` per clause, with its polarity, alternatives, conditions and exceptions.

The grammar is coarse on purpose. What it cannot place stays a content word, so that two statements differ rather than
merge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from curate.matching.tokens import SOFT, Token
from curate.matching.words import Lexicon, choices

Kind = Literal["need", "bar", "allow", "optional"]
Words = frozenset[str]
NONE: Words = frozenset()


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that is asked for (`need`), ruled out (`bar`), permitted, or left open.

    `words` is all its content; `places` the part of it that says where or when; `every` the part that is said of all.
    """

    kind: Kind
    words: Words
    verbs: Words = NONE
    places: Words = NONE
    every: Words = NONE
    over: Words = NONE
    """What is rejected in favour of `words`."""
    before: Words = NONE
    """A gate: `words` must be done, or hold, before this may be."""
    besides: Words = NONE
    """Exceptions."""
    numbers: frozenset[tuple[str, str]] = frozenset()
    """Pairs of comparison (`max`, `min`, or nothing) and value."""

    @property
    def core(self) -> Words:
        """What it is about, without where."""
        return self.words - self.places

    @property
    def everything(self) -> Words:
        """All content words of it."""
        return self.words | self.over | self.before | self.besides


@dataclass(slots=True)
class _Draft:
    kind: Kind = "need"
    words: list[str] = field(default_factory=list)
    verbs: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    every: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    when: list[str] = field(default_factory=list)
    cond: list[str] = field(default_factory=list)
    """Condition of a gate that is still to be turned round: `never push without ...`."""
    besides: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    numbers: list[tuple[str, str]] = field(default_factory=list)
    only: bool = False
    doubt: bool = False
    opened: bool = False
    """Something has been said in it."""
    verbless: bool = True
    starter: str = ""
    """The marker it began with."""
    joined: str = ""
    """How it follows the clause before: `,`, `.`, `and`, `but`."""

    @property
    def empty(self) -> bool:
        return not (
            self.words or self.over or self.before or self.when or self.cond or self.besides or self.lacking or self.numbers
        )


CAUTION = frozenset("ask check lint linter format test confirm verify wait rebase review approve ci_pass test_pass full".split())
"""Things done before others: `don't ask before ...` rules out the asking, not what comes after."""

_SUBORDINATE = {"BEFORE": "before", "AFTER": "after", "WHEN": "when", "UNLESS": "besides", "EXCEPT": "besides"}


class Parser:
    """Reads one statement."""

    def __init__(self, lex: Lexicon) -> None:
        self.lex = lex
        self.done: list[_Draft] = []
        self.draft = _Draft()
        self.bucket = "words"
        self.compare = ""
        self.pending: tuple[str, list[str]] | None = None
        """A subordinate clause in front, waiting for its main clause."""
        self.rationale = False
        self.segment_start = True
        self.first_segment = True
        self.every = False
        self.changed = False
        self.after_and = False
        self.origin: list[str] = []

    def parse(self, row: list[Token]) -> tuple[tuple[Ask, ...], bool]:
        """The asks of a statement, and whether it tells of a change of mind."""
        for number, token in enumerate(row):
            following = row[number + 1] if number + 1 < len(row) else None
            if token.kind == "stop":
                self._stop(token.text, row[number + 1 :])
            elif self.rationale:
                continue
            elif token.kind == "mark":
                self._mark(token.text, following, row[number + 1 :])
            elif token.kind == "verb":
                self._verb(token)
            elif token.kind == "number":
                self._number(token.text)
            else:
                self._word(token)
            if token.kind != "stop" and not (token.kind == "mark" and token.text in ("COP", "MUST")):
                self.segment_start = False
        self._close()
        return tuple(_finish(self.done, self.origin)), self.changed

    # --- tokens

    def _stop(self, kind: str, rest: list[Token]) -> None:
        draft = self.draft
        if draft.empty and not draft.opened:
            if draft.kind == "bar":  # a discourse "no," before what is really said
                self.draft = _Draft(joined=draft.joined)
            self.rationale = False
            self.segment_start = True
            return
        if kind == SOFT and self.bucket in ("before", "when", "after", "besides") and not (draft.words or draft.verbs):
            self._shelve()
            return
        if kind == SOFT and not self.rationale and self._goes_on(rest):
            self.segment_start = False
            return
        self._close()
        self.draft.joined = kind
        self.segment_start = True
        self.first_segment = False

    def _goes_on(self, rest: list[Token]) -> bool:
        """A comma within a list: `secrets, keys or tokens`; `small, focused commits`; or before an exception."""
        segment: list[Token] = []
        for token in rest:
            if token.kind == "stop":
                break
            segment.append(token)
        if not segment:
            return False
        first = segment[0]
        if first.kind == "mark":
            return first.text in ("EXCEPT", "OR", "AND", "OVER", "NEGEND", "ALLOWEND", "OPTIONALEND", "UNLESS", "WITHOUT",
                                  "ONLY", "MAX", "MIN", "PLACE", "AFTER", "BEFORE", "WHEN", "UNTIL", "EVERY") and not (
                first.text in ("AFTER", "BEFORE", "WHEN") and any(token.kind == "stop" for token in rest)
            ) and not (first.text in ("ONLY", "EVERY") and any(token.kind == "verb" or token.bare for token in segment))
        if first.kind == "verb" or first.bare:
            return False
        if self.draft.kind == "bar" or self.draft.over:
            words = [token for token in rest if token.kind != "stop"]
            return len(segment) <= 3 and any(token.kind == "mark" and token.text == "OR" for token in words[:8])
        marks = [token for token in segment if token.kind == "mark" and token.text not in ("AND", "OR", "PLACE", "EVERY")]
        return not marks and self.lex.language == "en" and len(self.draft.words) <= 3

    def _shelve(self) -> None:
        name = self.bucket
        held = {"before": self.draft.before, "when": self.draft.when, "after": self.draft.when,
                "besides": self.draft.besides}[name]  # fmt: skip
        self.pending = (name, list(held))
        joined, kind = self.draft.joined, self.draft.kind
        only = self.draft.only
        self.draft = _Draft(joined=joined, kind=kind, only=only)
        self.bucket = "words"
        self.segment_start = True

    def _mark(self, name: str, following: Token | None, rest: list[Token]) -> None:
        draft = self.draft
        if self.segment_start and not draft.starter and name not in ("COP", "MUST", "AND"):
            draft.starter = name
        handler = getattr(self, f"_on_{name.lower()}", None)
        if handler is not None:
            handler(following, rest)
        elif name in ("NEG", "NOT", "NO"):
            self._negate(name, following, rest)

    def _negate(self, name: str, following: Token | None, rest: list[Token]) -> None:
        draft = self.draft
        if draft.kind == "bar" and name == "NEG":  # never skip: two negations
            if not draft.words:
                draft.kind = "need"
                return
        if name == "NOT" and (draft.words or draft.verbs) and draft.kind == "need":
            self.bucket = "over"
            return
        if name == "NOT" and following is not None and following.kind == "mark" and following.text in ("ONLY",):
            return
        if self.bucket in ("before", "when", "cond") and (draft.words or draft.verbs):
            self._add("not", self.bucket)
            return
        if name == "NO" and draft.words and any(t.kind == "word" for t in rest) and self.bucket == "words":
            draft.kind = "bar"
            return
        draft.kind = "bar"

    def _on_negend(self, following: Token | None, rest: list[Token]) -> None:
        self.draft.kind = "need" if self.draft.kind == "bar" else "bar"

    def _on_allow(self, following: Token | None, rest: list[Token]) -> None:
        if self.draft.kind == "bar":
            return  # may not, can not
        self.draft.kind = "allow"

    def _on_allowend(self, following: Token | None, rest: list[Token]) -> None:
        if self.draft.kind == "need":
            self.draft.kind = "allow"

    def _on_optional(self, following: Token | None, rest: list[Token]) -> None:
        self.draft.kind = "optional"

    _on_optionalend = _on_optional

    def _on_over(self, following: Token | None, rest: list[Token]) -> None:
        if not (self.draft.words or self.draft.verbs) and self.draft.kind == "need":
            self.draft.kind = "bar"  # instead of X, do Y
            return
        self.bucket = "over"

    def _on_overpre(self, following: Token | None, rest: list[Token]) -> None:
        draft = self.draft
        draft.over += draft.words
        draft.words, draft.verbs = [], []
        draft.kind = "need"
        self.bucket = "words"

    def _on_only(self, following: Token | None, rest: list[Token]) -> None:
        self.draft.only = True

    def _on_before(self, following: Token | None, rest: list[Token]) -> None:
        if self.draft.kind == "bar" and self.draft.words:
            caution = bool(CAUTION & set(self.draft.words)) or "run" in self.draft.verbs
            self.bucket = "before" if caution else "cond"
            return
        self.bucket = "before"
        self._split_front(rest, "before")

    def _on_after(self, following: Token | None, rest: list[Token]) -> None:
        self.bucket = "after"
        self._split_front(rest, "after")

    def _on_when(self, following: Token | None, rest: list[Token]) -> None:
        self.bucket = "when"
        self._split_front(rest, "when")

    def _split_front(self, rest: list[Token], bucket: str) -> None:
        """`before committing run the linter`: without a comma the main clause starts at the next bare verb."""
        self.front = self.draft.empty and not self.draft.verbs

    def _on_until(self, following: Token | None, rest: list[Token]) -> None:
        self.bucket = "cond" if self.draft.kind == "bar" else "until"

    def _on_unless(self, following: Token | None, rest: list[Token]) -> None:
        self.bucket = "cond" if self.draft.kind == "bar" else "besides"

    def _on_without(self, following: Token | None, rest: list[Token]) -> None:
        self.bucket = "cond" if self.draft.kind == "bar" else "lacking"

    def _on_except(self, following: Token | None, rest: list[Token]) -> None:
        self.bucket = "besides"

    def _on_beforepre(self, following: Token | None, rest: list[Token]) -> None:
        self._front("before")

    def _on_afterpre(self, following: Token | None, rest: list[Token]) -> None:
        self._front("after")

    def _on_whenpre(self, following: Token | None, rest: list[Token]) -> None:
        self._front("when")

    def _on_exceptpre(self, following: Token | None, rest: list[Token]) -> None:
        self._front("besides")

    def _on_withoutpre(self, following: Token | None, rest: list[Token]) -> None:
        draft = self.draft
        words = list(draft.words)
        self.draft = _Draft(joined=draft.joined, lacking=words, opened=True)
        self.bucket = "words"

    def _on_placepre(self, following: Token | None, rest: list[Token]) -> None:
        self.draft.places += self.draft.words[-1:]

    def _front(self, bucket: str) -> None:
        draft = self.draft
        words = [f"{bucket}:{word}" if bucket == "after" else word for word in draft.words]
        self.pending = (bucket, words)
        self.draft = _Draft(joined=draft.joined, only=draft.only)
        self.bucket = "words"

    def _on_because(self, following: Token | None, rest: list[Token]) -> None:
        self.rationale = True

    def _on_place(self, following: Token | None, rest: list[Token]) -> None:
        if self.bucket == "words":
            self.bucket = "place"
        self.every = False

    def _on_from(self, following: Token | None, rest: list[Token]) -> None:
        marks = {token.text for token in rest if token.kind == "mark"}
        self.bucket = "from" if "TO" in marks and self.bucket in ("words", "place") else (
            "place" if self.bucket == "words" else self.bucket
        )

    def _on_to(self, following: Token | None, rest: list[Token]) -> None:
        if self.bucket == "from":
            self.bucket = "to"
        elif self.bucket == "origin":
            self.bucket = "words"
        elif self.bucket == "words" and self.draft.words:
            self.bucket = "place"

    def _on_and(self, following: Token | None, rest: list[Token]) -> None:
        self.after_and = True

    def _on_or(self, following: Token | None, rest: list[Token]) -> None:
        self.after_and = False

    def _on_but(self, following: Token | None, rest: list[Token]) -> None:
        if not self.draft.empty:
            self._close()
            self.segment_start = True
            self.first_segment = False
        self.draft.joined = "but"

    def _on_max(self, following: Token | None, rest: list[Token]) -> None:
        self._bound("max", rest)

    def _on_min(self, following: Token | None, rest: list[Token]) -> None:
        self._bound("min", rest)

    def _bound(self, name: str, rest: list[Token]) -> None:
        draft = self.draft
        if any(token.kind == "number" for token in rest[:3]):
            self.compare = name
            if draft.kind == "bar":  # not over 100
                pass
        elif draft.numbers and not draft.numbers[-1][0]:
            draft.numbers[-1] = (name, draft.numbers[-1][1])

    def _on_every(self, following: Token | None, rest: list[Token]) -> None:
        self.every = True

    def _on_change(self, following: Token | None, rest: list[Token]) -> None:
        self.changed = True
        if self.bucket == "origin":
            self.bucket = "words"

    def _on_changefrom(self, following: Token | None, rest: list[Token]) -> None:
        self.changed = True
        to = any(token.kind == "mark" and token.text in ("TO", "CHANGE", "PLACE", "BECAUSE") for token in rest)
        if to:
            self.bucket = "origin"
        else:
            self.draft.kind = "bar"

    def _on_doubt(self, following: Token | None, rest: list[Token]) -> None:
        self.draft.doubt = True

    def _on_must(self, following: Token | None, rest: list[Token]) -> None:
        if self.bucket in ("before", "when", "after") and self.draft.words:
            self.bucket = "words"

    def _on_pron(self, following: Token | None, rest: list[Token]) -> None:
        if self.segment_start and not self.first_segment and self.draft.empty:
            marks = {token.text for token in rest[:2] if token.kind == "mark"}
            if not marks & {"MUST", "NEG", "NEGEND", "ALLOW", "ALLOWEND", "NOT"}:
                self.rationale = True

    # --- content

    def _verb(self, token: Token) -> None:
        self._maybe_new_clause(token)
        self.draft.opened = True
        self.draft.verbless = False
        if token.text != "use" and self.bucket in ("words", "place"):
            self.draft.verbs.append(token.text)
        elif token.text == "run" and self.bucket in ("before", "when", "after", "cond"):
            self._add("run", self.bucket)

    def _word(self, token: Token) -> None:
        self._maybe_new_clause(token)
        self.draft.opened = True
        if token.bare:
            self.draft.verbless = False
        self._add(token.text, self.bucket)

    def _maybe_new_clause(self, token: Token) -> None:
        """A bare verb after `and`, or after a subordinate clause in front, starts what is asked."""
        verb = token.bare or (token.kind == "verb" and self.after_and)
        draft = self.draft
        if self.bucket in ("before", "when", "after") and getattr(self, "front", False) and verb:
            held = draft.before if self.bucket == "before" else draft.when
            if held:
                self._shelve()
        elif self.after_and and verb and draft.kind == "bar" and draft.opened and not draft.empty:
            if draft.starter not in ("NEG",) or self.lex.language != "en" or token.bare:
                joined = draft.starter
                self._close()
                self.draft.joined = "and"
                self.first_segment = False
                del joined
        self.after_and = False

    def _number(self, value: str) -> None:
        self.draft.opened = True
        self.draft.numbers.append((self.compare, value))
        self.compare = ""

    def _add(self, word: str, bucket: str) -> None:
        draft = self.draft
        if bucket == "over":
            draft.over.append(word)
        elif bucket == "before":
            draft.before.append(word)
        elif bucket in ("when", "after"):
            draft.when.append(word if bucket == "when" else f"after:{word}")
        elif bucket == "cond":
            draft.cond.append(word)
        elif bucket == "besides":
            draft.besides.append(word)
        elif bucket == "lacking":
            draft.lacking.append(word)
        elif bucket == "origin":
            self.origin.append(word)
        elif bucket in ("from", "to", "until"):
            draft.words.append(f"{bucket}:{word}")
            draft.places.append(f"{bucket}:{word}")
        else:
            draft.words.append(word)
            if bucket == "place":
                draft.places.append(word)
            if self.every:
                draft.every.append(word)

    def _close(self) -> None:
        draft = self.draft
        if self.pending is not None and not draft.empty:
            name, words = self.pending
            if name == "before":
                draft.before += words
            elif name == "besides":
                draft.besides += words
            else:
                draft.when += words
            self.pending = None
        if self.pending is not None and draft.empty and self.done:
            self.pending = None
        if not draft.empty:
            self.done.append(draft)
        self.draft = _Draft()
        self.bucket = "words"
        self.compare = ""
        self.rationale = False
        self.every = False
        self.after_and = False
        self.front = False


def _finish(drafts: list[_Draft], origin: list[str]) -> list[Ask]:
    asks: list[Ask] = []
    for draft in drafts:
        ask = _ask(draft)
        if asks and _rejects_alternative(asks[-1], ask, draft):
            last = asks[-1]
            asks[-1] = _replace(last, over=last.over | _alternative(last, ask))
        elif asks and asks[-1].kind == "bar" and ask.kind == "need" and _choice_between(asks[-1], ask):
            asks[-1] = _replace(ask, over=ask.over | _alternative(ask, asks[-1]))
        else:
            asks.append(ask)
    if origin and asks:
        asks[0] = _replace(asks[0], over=asks[0].over | frozenset(origin))
    return asks


def _replace(ask: Ask, **fields: Words) -> Ask:
    values = {name: getattr(ask, name) for name in Ask.__slots__}
    return Ask(**{**values, **fields})


def _alternative(need: Ask, bar: Ask) -> Words:
    """What the rejected side adds; words that both share are named once."""
    return bar.words - NONE


def _rejects_alternative(need: Ask, bar: Ask, draft: _Draft) -> bool:
    """`..., not npm`; `..., no default exports`; `..., don't use npm`: an alternative, not a second rule."""
    if need.kind != "need" or bar.kind != "bar" or draft.joined in ("but",) or bar.before or bar.besides or bar.numbers:
        return False
    if bar.places or need.every or not bar.words or len(bar.words) > 4:
        return False
    if draft.starter == "NOT" and draft.verbless:
        return True
    return _choice_between(bar, need)


def _choice_between(bar: Ask, need: Ask) -> bool:
    """Both sides name members of one family, share a head, or the one side only says `another`."""
    if bar.places or bar.before or bar.besides or not bar.words or not need.words:
        return False
    family = choices().family
    one, other = bar.words - need.words, need.words - bar.words
    if {family[word] for word in one if word in family} & {family[word] for word in other if word in family}:
        return True
    complement = choices().complement
    if any(complement.get(word) in other for word in one):
        return True
    return bar.words <= {"new"} or ("new" in bar.words and bar.words - {"new"} <= need.words)


def _ask(draft: _Draft) -> Ask:
    kind = draft.kind
    words, before, verbs = list(draft.words), list(draft.before), list(draft.verbs)
    places, numbers = list(draft.places), list(draft.numbers)
    if kind == "bar" and draft.cond:  # never X without Y: Y before X
        before, words, verbs, places = words + before, draft.cond, [], []
        kind = "need"
    elif draft.only and draft.when and kind in ("need", "allow"):  # X only when Y: Y before X
        gate = [word.removeprefix("after:") for word in draft.when]
        return Ask("need", frozenset(gate), before=frozenset(words), numbers=frozenset(numbers),
                   besides=frozenset(draft.besides), over=frozenset(draft.over))  # fmt: skip
    elif draft.only:
        words.append("only")
    if draft.when:
        words += draft.when
        places += draft.when
    if draft.lacking:
        if kind == "need" and not set(verbs) - {"write", "keep"} or not words:
            kind = "bar"
            places += words
            words += draft.lacking
        else:
            words += [f"without:{word}" for word in draft.lacking]
            places += [f"without:{word}" for word in draft.lacking]
    if draft.doubt:
        words.append("sometimes")
    over = list(draft.over)
    kind, words = _turned(kind, words, verbs)
    return Ask(
        kind,
        frozenset(words),
        verbs=frozenset(verbs),
        places=frozenset(places) & frozenset(words),
        every=frozenset(draft.every),
        over=frozenset(over),
        before=frozenset(before),
        besides=frozenset(draft.besides),
        numbers=frozenset(numbers),
    )


def _turned(kind: Kind, words: list[str], verbs: list[str]) -> tuple[Kind, list[str]]:
    """`no long answers` asks for short ones: a ruled-out degree is its opposite."""
    opposite = choices().opposite
    if kind == "bar" and any(word in opposite for word in words) and not set(verbs) - {"write", "keep"}:
        return "need", [opposite.get(word, word) for word in words]
    return kind, words
