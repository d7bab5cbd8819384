"""Reads a row of tokens clause by clause.

The grammar is coarse on purpose. What it cannot place stays a content word, so that two statements differ rather than
merge.
"""

from __future__ import annotations

from curate.matching.ask import Ask, Draft, finish
from curate.matching.pieces import COLON, SOFT, Token
from curate.matching.words import Lexicon

CAUTION = frozenset({
    "ask", "check", "lint", "linter", "format", "test", "confirm", "verify", "wait", "rebase", "review", "approve",
    "ci_pass", "test_pass", "type_check",
})  # fmt: skip
"""Things done before others: `don't ask before ...` rules out the asking, not what comes after."""

ENOUGH = frozenset({"enough", "suffice", "sufficient"})
"""`..., the names are enough` gives a reason and asks for nothing."""

CONTINUES = frozenset({
    "EXCEPT", "EXCEPTPRE", "OR", "AND", "OVER", "NEGEND", "ALLOWEND", "OPTIONALEND", "UNLESS", "WITHOUT", "ONLY", "MAX",
    "MIN", "PLACE", "PER", "AFTER", "BEFORE", "WHEN", "UNTIL", "EVERY",
})  # fmt: skip
"""Marks that a clause may go on with after a comma."""

SUBORDINATE = frozenset({"before", "after", "when", "besides", "lacking"})
FRONT = frozenset({"before", "after", "when"})

BUCKETS = {"BEFORE": "before", "AFTER": "after", "WHEN": "when", "EXCEPT": "besides"}
"""Marks whose words belong to another part of the ask."""
PRECEDING = {"BEFOREPRE": "before", "AFTERPRE": "after", "WHENPRE": "when", "EXCEPTPRE": "besides"}
"""The same, for languages that put the mark behind."""
GATES = {"UNTIL": "until", "UNLESS": "besides", "WITHOUT": "lacking"}
"""Marks that make a gate of a negated clause, and the part that their words belong to otherwise."""


class Parser:
    """Reads one statement; not to be used twice."""

    def __init__(self, lex: Lexicon) -> None:
        self.english = lex.language == "en"
        self.done: list[Draft] = []
        self.draft = Draft()
        self.bucket = "words"
        self.compare = ""
        self.pending: tuple[str, list[str]] | None = None
        """A subordinate clause in front, waiting for its main clause."""
        self.pending_verbs: list[str] = []
        self.rationale = False
        self.front = False
        self.every = False
        self.after_and = False
        self.changed = False
        self.start = True
        """Nothing of the present clause has been read."""
        self.origin: list[str] = []
        self.aside = False
        """Between two commas stood nothing that counts, so the clause goes on behind the second."""

    def parse(self, row: list[Token]) -> tuple[tuple[Ask, ...], bool]:
        """The asks of a statement, and whether it tells of a change of mind."""
        for at, token in enumerate(row):
            rest = row[at + 1 :]
            if token.kind == "stop":
                self._stop(token.text, rest)
            elif not self.rationale:
                self._token(token, rest)
        self._close()
        return finish(self.done, self.origin), self.changed

    def _token(self, token: Token, rest: list[Token]) -> None:
        if token.kind == "mark":
            self._mark(token.text, rest)
        elif token.kind == "verb":
            self._verb(token)
        elif token.kind == "number":
            self.draft.opened = True
            self.draft.numbers.append((self.compare, token.text))
            self.compare = ""
        else:
            self._word(token)
        if token.text not in ("COP", "MUST"):
            self.start = False

    # Boundaries

    def _stop(self, kind: str, rest: list[Token]) -> None:
        draft = self.draft
        if draft.empty and not draft.opened:
            if draft.kind == "bar":  # a discourse "no," before what is really said
                self.draft = Draft(joined=draft.joined)
            self.rationale = False
            self.start = True
            return
        if kind == COLON:
            if draft.verbless and len(draft.words) <= 3 and draft.kind == "need":
                return
            kind = SOFT
        if kind == SOFT and self.bucket in SUBORDINATE and not (draft.words or draft.verbs):
            self._shelve()
        elif kind != SOFT or self.rationale or not self._goes_on(rest):
            self._close()
            self.draft.joined = kind
            self.start = True

    def _goes_on(self, rest: list[Token]) -> bool:
        """A comma within a clause: `secrets, keys or tokens`; `small, focused commits`; before an exception."""
        begin = next((at for at, token in enumerate(rest) if token.kind != "stop"), len(rest))
        rest = rest[begin:]
        end = next((at for at, token in enumerate(rest) if token.kind == "stop"), len(rest))
        segment = rest[:end]
        if not segment:
            return False
        if begin or self.aside:
            self.aside = begin > 0
            return True
        first = segment[0]
        verbs = any(token.kind == "verb" or token.bare for token in segment)
        if first.kind == "mark":
            if first.text in BUCKETS and first.text != "EXCEPT":
                return not any(token.kind != "stop" for token in rest[end:])
            return first.text in CONTINUES and not (first.text in ("ONLY", "EVERY") and verbs)
        if first.kind == "verb" or first.bare:
            return False
        if self.draft.kind == "bar" or self.draft.over:
            return len(segment) <= 3 and any(token.text == "OR" for token in rest[:8])
        marks = any(token.kind == "mark" and token.text not in ("AND", "OR", "PLACE", "EVERY") for token in segment)
        return not marks and self.english and len(self.draft.words) <= 3

    def _shelve(self) -> None:
        """Keep a subordinate clause for the main clause that follows."""
        draft = self.draft
        held = _part(draft, self.bucket)
        self.pending = (self.bucket, list(held))
        self.pending_verbs = list(draft.before_verbs)
        self.draft = Draft(joined=draft.joined, kind=draft.kind, only=draft.only)
        self.bucket = "words"
        self.front = self.every = False
        self.start = True

    def _close(self) -> None:
        draft = self.draft
        if self.bucket == "before" and not draft.before and draft.words:
            draft.words.append("first")
            draft.before_verbs = []
        if not draft.empty and not (self.done and ENOUGH & set(draft.words)):
            if self.pending is not None:
                name, words = self.pending
                if name == "before" and not words:  # before you start, ...
                    draft.words.append("first")
                    self.pending_verbs = []
                _part(draft, name).extend(words)
                draft.before_verbs += self.pending_verbs
                self.pending_verbs = []
                self.pending = None
            self.done.append(draft)
        self.draft = Draft()
        self.bucket = "words"
        self.compare = ""
        self.rationale = self.front = self.every = self.after_and = False

    # Marks

    def _mark(self, name: str, rest: list[Token]) -> None:
        draft = self.draft
        if self.start and not draft.starter and name not in ("COP", "MUST", "AND"):
            draft.starter = name
        if name in ("NEG", "NOT", "NO", "SKIP"):
            self._negate(name, rest)
        elif name == "RELNOT":
            self._relative(rest)
        elif name in BUCKETS:
            self._subordinate(name)
        elif name in GATES:
            self.bucket = "cond" if draft.kind == "bar" else GATES[name]
        elif name in PRECEDING:
            self._precede(PRECEDING[name])
        else:
            handler = getattr(self, f"_on_{name.lower()}", None)
            if handler is not None:
                handler(rest)

    def _negate(self, name: str, rest: list[Token]) -> None:
        draft = self.draft
        if draft.kind == "bar" and name == "SKIP":  # never skip: two negations
            draft.kind = "need"
        elif name == "NOT" and (draft.words or draft.verbs) and draft.kind == "need":
            self.bucket = "over"
        elif name == "NOT" and rest and rest[0].text == "ONLY":
            return
        elif self.bucket in ("before", "when", "cond") and (draft.words or draft.verbs):
            self._add("not")
        else:
            draft.kind = "bar"
            if self.bucket == "lacking" and draft.lacking and not draft.words:
                self.bucket = "words"

    def _relative(self, rest: list[Token]) -> None:
        """`files you don't own`: said of the files; `we don't use npm`: said of all."""
        if self.draft.words:
            self._add("not")
        else:
            self._negate("NEG", rest)

    def _subordinate(self, name: str) -> None:
        draft = self.draft
        self.front = draft.empty and not draft.verbs and name != "EXCEPT"
        self.bucket = BUCKETS[name]
        if name == "BEFORE" and draft.kind == "bar" and draft.words:
            careful = CAUTION & set(draft.words) or "run" in draft.verbs
            self.bucket = "before" if careful else "cond"

    def _precede(self, bucket: str) -> None:
        draft = self.draft
        words = [f"after:{word}" for word in draft.words] if bucket == "after" else list(draft.words)
        self.pending = (bucket, words)
        self.pending_verbs = list(draft.verbs) if bucket == "before" else []
        self.draft = Draft(joined=draft.joined, only=draft.only)
        self.bucket = "words"

    def _on_negend(self, _rest: list[Token]) -> None:
        self.draft.kind = "bar"

    def _on_allow(self, _rest: list[Token]) -> None:
        if self.draft.kind == "need":  # not: may not
            self.draft.kind = "allow"

    _on_allowend = _on_allow

    def _on_optional(self, _rest: list[Token]) -> None:
        self.draft.kind = "optional"

    _on_optionalend = _on_optional

    def _on_over(self, _rest: list[Token]) -> None:
        if self.draft.words or self.draft.verbs or self.draft.kind != "need":
            self.bucket = "over"
        else:
            self.draft.kind = "bar"  # instead of X, do Y

    def _on_overpre(self, _rest: list[Token]) -> None:
        draft = self.draft
        draft.over += draft.words
        draft.words, draft.verbs, draft.kind = [], [], "need"
        self.bucket = "words"

    def _on_withoutpre(self, _rest: list[Token]) -> None:
        self.draft = Draft(joined=self.draft.joined, lacking=self.draft.words, opened=True)
        self.bucket = "words"

    def _on_placepre(self, _rest: list[Token]) -> None:
        self.draft.places += self.draft.words[-1:]

    def _on_only(self, _rest: list[Token]) -> None:
        self.draft.only = True

    def _on_because(self, _rest: list[Token]) -> None:
        self.rationale = True

    def _on_place(self, _rest: list[Token]) -> None:
        self.every = False
        if self.bucket == "words":
            self.bucket = "place"

    def _on_per(self, rest: list[Token]) -> None:
        self._on_place(rest)
        self.every = True

    def _on_from(self, rest: list[Token]) -> None:
        led = any(token.text == "TO" for token in rest) and self.bucket in ("words", "place")
        self.bucket = "from" if led else "place" if self.bucket == "words" else self.bucket

    def _on_to(self, _rest: list[Token]) -> None:
        if self.bucket == "from":
            self.bucket = "to"
        elif self.bucket == "origin":
            self.bucket = "words"
        elif self.bucket == "words" and self.draft.words:
            self.bucket = "place"

    def _on_and(self, _rest: list[Token]) -> None:
        self.after_and = True

    def _on_or(self, _rest: list[Token]) -> None:
        self.after_and = False

    def _on_but(self, _rest: list[Token]) -> None:
        if not self.draft.empty:
            self._close()
            self.start = True
        self.draft.joined = "but"

    def _on_max(self, rest: list[Token]) -> None:
        self._bound("max", rest)

    def _on_min(self, rest: list[Token]) -> None:
        self._bound("min", rest)

    def _bound(self, name: str, rest: list[Token]) -> None:
        numbers = self.draft.numbers
        if any(token.kind == "number" for token in rest[:5]):
            self.compare = name
        elif numbers and not numbers[-1][0]:
            numbers[-1] = (name, numbers[-1][1])
        elif self.bucket == "words":
            self.bucket = "place"

    def _on_every(self, _rest: list[Token]) -> None:
        self.every = True

    def _on_change(self, _rest: list[Token]) -> None:
        self.changed = True
        if self.bucket == "origin":
            self.bucket = "words"

    def _on_changefrom(self, rest: list[Token]) -> None:
        self.changed = True
        if any(token.text in ("TO", "CHANGE", "PLACE") for token in rest):
            self.bucket = "origin"
        else:
            self.draft.kind = "bar"

    def _on_doubt(self, _rest: list[Token]) -> None:
        self.draft.doubt = True

    def _on_must(self, _rest: list[Token]) -> None:
        self.every = False

    def _on_ref(self, _rest: list[Token]) -> None:
        self.draft.refers = True

    def _on_pron(self, rest: list[Token]) -> None:
        """`..., it breaks the build` gives a reason; `..., it must pass` asks for something."""
        asks = {"MUST", "NEG", "NEGEND", "ALLOW", "ALLOWEND", "NOT"}
        if self.start and self.done and self.draft.empty and not any(token.text in asks for token in rest[:2]):
            self.rationale = True
        elif self.draft.opened:
            self.draft.refers = True

    # Content

    def _verb(self, token: Token) -> None:
        self._maybe_new_clause(token)
        draft = self.draft
        draft.opened = True
        draft.verbless = False
        self.every = False
        if self.bucket in ("words", "place"):
            draft.verbs.append(token.text)
        elif token.text != "use" and self.bucket in ("cond", "when"):
            draft.cond_verbs.append(token.text)
        elif token.text != "use" and self.bucket == "before":
            draft.before_verbs.append(token.text)

    def _word(self, token: Token) -> None:
        self._maybe_new_clause(token)
        draft = self.draft
        draft.opened = True
        if token.bare:
            draft.verbless = False
            draft.acts = draft.acts or not draft.words
        self._add(token.text)
        if self.front and self.every and self.bucket in FRONT:
            self._shelve()  # before every commit ...

    def _maybe_new_clause(self, token: Token) -> None:
        """A bare verb after `and`, or after a subordinate clause in front, starts what is asked."""
        draft = self.draft
        verb = token.bare or (token.kind == "verb" and (self.after_and or not self.english))
        if verb and self.front and self.bucket in FRONT and (draft.before or draft.when):
            self._shelve()
        elif self.after_and and verb and draft.kind == "bar" and not draft.empty:
            self._close()
            self.draft.joined = "and"
        self.after_and = False

    def _add(self, word: str) -> None:
        draft, bucket = self.draft, self.bucket
        if bucket == "origin":
            self.origin.append(word)
        elif bucket in ("over", "before", "when", "cond", "besides", "lacking"):
            getattr(draft, bucket).append(word)
        elif bucket == "after":
            draft.when.append(f"after:{word}")
        else:
            word = f"{bucket}:{word}" if bucket in ("from", "to", "until") else word
            draft.words.append(word)
            if bucket != "words":
                draft.places.append(word)
            if self.every:
                draft.every.append(word)


def _part(draft: Draft, bucket: str) -> list[str]:
    parts = {"before": draft.before, "besides": draft.besides, "lacking": draft.lacking}
    return parts.get(bucket, draft.when)
