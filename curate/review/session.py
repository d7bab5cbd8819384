"""A review in progress, without a screen: one decision after the other, back and forth, each said in words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from curate.review.allowed import ONE_AT_A_TIME, why_not
from curate.review.choice import DONE_WORDS, Choice, Verb
from curate.review.deciding import WITH_CONDITION, Sight, Wish, decide, with_bases
from curate.review.desk import Desk
from curate.review.naming import key_of
from curate.review.outcome import STEP_WORDS, Outcome, at_the_end
from curate.review.sides import Side, Sides, gives_way, sides_of, wishes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from curate.review.ledger import Step
    from curate.review.rows import Scoped


ROOMY = 100
"""Cells from which a message may say it in full."""


class Session(Desk):
    """The reader's review. Methods named after keys do what the key does and say what that was."""

    # Deciding

    def decide(
        self,
        verb: Verb,
        *,
        statement: str | None = None,
        target: str | None = None,
        text: str | None = None,
        scoped: Scoped | None = None,
        other: Scoped | None = None,
    ) -> Outcome:
        """Take a decision on the marked rows, or on the one under the cursor, and go on to the next open one."""
        subject = self.subject(verb)
        if not subject.keys:
            return Outcome(False, "no row here")
        if len(subject.keys) > 1 and (verb in ONE_AT_A_TIME or statement is not None):
            return Outcome(
                False, f"this works on one row at a time: {key_of('unmark')} takes the {len(subject.keys)} marks off"
            )
        asked = (verb, subject.keys)
        if subject.hidden and self._asked != asked:
            self._asked = asked
            count = len(subject.keys)
            say = f"{count} marked, {subject.hidden} of them hidden: the same key again takes all {count}, "
            return Outcome(False, f"{say}{key_of('unmark')} unmarks", asks=True, tone="warn")
        if (held := self._at_rest(verb, subject.keys)) is not None:
            return held
        self._asked = None
        wish = Wish(verb, statement, target, text, scoped, other)
        after, refused = self._choices([(key, wish) for key in subject.keys])
        if not after:
            return Outcome(False, next(iter(refused.values())), tone="warn")
        return self._decided(verb, after, refused, whole_page=self.queue.tab == "noise" and len(subject.keys) > 1)

    def sides(self) -> Sides | None:
        """The two sides that the row under the cursor stands between."""
        row = self.queue.current
        return sides_of(row, self.queue.rows) if row is not None else None

    def replaced(self, key: str) -> bool:
        """Whether a row was accepted only to be remembered as what held before."""
        return gives_way(self.queue.rows[key], self.ledger.choices, self.queue.rows)

    def why_not_keep(self) -> str | None:
        """Why there are no sides to choose from."""
        row = self.queue.current
        if row is None:
            return "no row here"
        if row.kind == "record" and row.status == "contested" and not row.forked:
            return (
                f"one memory stands here: {key_of('uncontest')} settles the dispute, "
                f"{key_of('supersede')} replaces it, {key_of('deprecate')} retires it"
            )
        return self.refusal(row.key) or (None if self.sides() else "there are no two sides here to choose from")

    def keep(self, side: Side) -> Outcome:
        """Keep the left or the right side; what the other becomes goes with it as one step."""
        row, sides = self.queue.current, self.sides()
        if row is None or sides is None or self.queue.marked_size()[0]:
            say = (
                f"one at a time: {key_of('unmark')} takes the marks off"
                if self.queue.marks
                else "there are no two sides here"
            )
            return Outcome(False, say, tone="warn")
        wished = wishes(sides, side, row, self.queue.rows)
        keys = tuple(key for key, _ in wished)
        if (held := self._at_rest(f"keep {side}", keys)) is not None:
            return held
        after, refused = self._choices(wished)
        if refused:
            # Half of it would leave both or neither.
            return Outcome(False, next(iter(refused.values())), tone="warn")
        verb = after[keys[0]].verb
        assert verb is not None, "a wish always names a verb"
        if sides.kind != "waiting":
            return self._decided(verb, after, {}, whole_page=False)
        one, other = ("first", "later") if side == "left" else ("later", "first")
        fate = "becomes history" if after[keys[1]].verb == "accept" else "is turned away"
        kept = f"the {one} kept, the {other} {fate}"
        return self._decided(verb, after, {}, whole_page=False, kept=kept)

    def keep_both(self, where: Mapping[str, Scoped]) -> Outcome:
        """Accept candidates that contradict each other, each where it holds, as one step."""
        after, refused = self._choices([(key, Wish("both", scoped=scoped)) for key, scoped in where.items()])
        if refused:
            return Outcome(False, next(iter(refused.values())), tone="warn")
        return self._decided("both", after, {}, whole_page=False)

    def rescope(self, scoped: Scoped) -> Outcome:
        """Change where the rows are to hold: of a candidate the proposal, while for a record this is a decision."""
        subject = self.queue.marked()
        keys = subject.keys or ((self.queue.cursor,) if self.queue.cursor else ())
        after: dict[str, Choice | None] = {}
        refused = ""
        for key in keys:
            row = self.queue.rows[key]
            problem = self.refusal(key) or (why_not("update", row, records=True) if row.kind == "record" else None)
            if problem:
                refused = problem
                continue
            known = self.choice(key) or Choice()
            proposed = scoped == row.scoped
            choice = replace(known, scoped=None if proposed else scoped)
            if row.kind == "record":
                verb: Verb | None = "update" if known.verb in (None, "update") else known.verb
                if proposed and known.verb == "update" and known.statement is None:
                    verb = None
                choice = with_bases(replace(choice, verb=verb), row, self.queue.rows, self._now())
            if choice != known:
                after[key] = choice
        if not after:
            return Outcome(False, refused or f"the scope is {scoped.in_words()} already")
        self._do("scope", after)
        words = f"{len(after)} rows: " if len(after) > 1 else ""
        return Outcome(True, f"{words}scope {scoped.in_words()}", tuple(after), tone="good")

    def why_not_repeat(self) -> str | None:
        """Why there is nothing to repeat."""
        return None if self._last is not None else "nothing to repeat yet"

    def repeat(self) -> Outcome:
        """The last decision once more: the same verb, scope and target, never the same words."""
        last = self._last
        if last is None or last.verb is None:
            return Outcome(False, "nothing to repeat yet")
        if last.verb in ONE_AT_A_TIME:
            return Outcome(False, f"`{DONE_WORDS[last.verb]}` is not repeated: it is particular to its row")
        # What would make one identity memory false says nothing of another.
        text = None if last.verb in WITH_CONDITION else last.text
        return self.decide(last.verb, target=last.target, text=text, scoped=last.scoped)

    def clear(self) -> Outcome:
        """Take the decision (or the changed scope) off the row, as a step of its own."""
        keys = [key for key in self.subject("accept").keys if key in self.ledger.choices]
        if not keys:
            return Outcome(False, "nothing was decided here")
        self._do("clear", dict.fromkeys(keys))
        return Outcome(True, f"open again: {self._name(keys)}", tuple(keys))

    def forget(self, key: str) -> None:
        """Let go of whatever was decided on a row, without a way back: it is about to be purged."""
        self._keep(self.ledger.settle({key}))
        self.notes.pop(key, None)
        self._sync()

    # Back and forth

    def undo(self) -> Outcome:
        """Take the last step back, and go to where it was taken."""
        return self._walk("undone", self.ledger.undo(), "nothing to undo")

    def redo(self) -> Outcome:
        """Do again what was last taken back."""
        return self._walk("done again", self.ledger.redo(), "nothing to do again")

    # Inside

    def _at_rest(self, what: str, keys: tuple[str, ...]) -> Outcome | None:
        """After the last open row of a tab the cursor stays on it: a key pressed once more would change what was just
        decided, so it says where to go instead; pressed again it does it after all.
        """
        ended, self._ended = self._ended, None
        if ended is None or keys[:1] != ended[:1] or ended[1] != self.queue.moves or self._asked == (what, keys):
            return None
        if ended[0] not in self.decided:
            return None
        self._ended, self._asked = ended, (what, keys)
        again = "the same key again changes it" if self.room > ROOMY else "again changes it"
        say = f"decided already, {again}{at_the_end(self.queue)}"
        return Outcome(False, say, asks=True, tone="warn")

    def _choices(self, wished: Sequence[tuple[str, Wish]]) -> tuple[dict[str, Choice], dict[str, str]]:
        """The choices of the rows that take what is wished of them, and why the others do not."""
        after: dict[str, Choice] = {}
        refused: dict[str, str] = {}
        records, rows = self.has_records, self.queue.rows
        for key, wish in wished:
            row = rows[key]
            aim = wish.target or (row.records[0] if row.records and row.takes != "add" else None)
            bulk = len(wished) > 1 and len({str(each.verb) for _, each in wished}) == 1
            sight = Sight(bulk, key in self.queue.seen, key in self.read, records, rows.get(aim or ""))
            found = self.refusal(key) or decide(wish, row, self.choice(key) or Choice(), sight)
            if isinstance(found, str):
                refused[key] = found
            else:
                after[key] = with_bases(found, row, self.queue.rows, self._now())
        return after, refused

    def _decided(
        self, verb: Verb, after: Mapping[str, Choice], refused: Mapping[str, str], *, whole_page: bool, kept: str = ""
    ) -> Outcome:
        self.pace.decided(self._clock(), len(after))
        self._do("keep" if kept else verb, after)
        self._last = next(iter(after.values()))
        queue = self.queue
        queue.marks.difference_update(after)
        queue.anchor = None
        page = whole_page and len(after) > 1
        at = max((queue.position, *(i for i, row in enumerate(queue.visible) if page and row.key in after)))
        following = None
        if queue.cursor is None or queue.cursor in self.decided or page:
            index = queue.next_open(at + 1 if queue.cursor in after or page else at)
            following = queue.visible[index].key if index is not None else None
        if queue.filter.moving:
            queue.refresh()
        ended = False
        if following is not None:
            queue.go_to(following)
        else:
            ended = queue.cursor is None or queue.cursor in self.decided
        more = f" · {len(refused)} not: {next(iter(refused.values()))}" if refused else ""
        if ended and not refused:
            more = at_the_end(self.queue)
            self._ended = (queue.cursor, queue.moves) if queue.cursor is not None else None
        say = (kept or f"{DONE_WORDS[verb]}: {self._name(after, len(DONE_WORDS[verb]) + len(more) + 5)}") + more
        return Outcome(True, say, tuple(after), page=page, tone="warn" if refused else "good")

    def _walk(self, word: str, walked: tuple[Step, dict[str, Any]] | None, nothing: str) -> Outcome:
        if walked is None:
            return Outcome(False, nothing)
        step, event = walked
        self._keep(event)
        self._sync()
        keys = [key for key in step.keys if key in self.queue.rows]
        if self.queue.filter.moving:
            self.queue.refresh()
        where = step.cursor if step.cursor in step.changes else keys[0] if keys else None
        if where is not None:
            self.queue.go_to(where)
        return Outcome(True, f"{word}: {STEP_WORDS.get(step.label, step.label)} · {self._name(keys)}", tuple(keys))
