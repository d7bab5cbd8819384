"""A review in progress, without a screen: queue, decisions, undo, pace, and the patch they lead to.

Every change goes through the ledger, so that what the reader sees, what is on disk and what undo gives back are one
thing. Nothing is ever written to memory that was not previewed as it stands.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from curate.review.allowed import ONE_AT_A_TIME, why_not
from curate.review.choice import DONE_WORDS, Choice, Verb
from curate.review.deciding import WITH_CONDITION, Sight, Wish, decide, with_bases
from curate.review.ledger import Ledger, Step
from curate.review.naming import key_of
from curate.review.pace import Pace
from curate.review.queue import Marked, News, Queue
from curate.review.rows import QUEUE, TABS, Row, Scoped, Tab
from curate.review.sides import Side, Sides, sides_of, wishes
from store import ids
from store.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from curate.review.filters import Filter

STRIP = 8
"""How many of the last decisions the done strip holds."""


_OTHER_STEPS = {"scope": "changed scope", "clear": "decision taken off", "resume": "resumed"}
_STEP_WORDS: dict[str, str] = {**_OTHER_STEPS, **{str(verb): word for verb, word in DONE_WORDS.items()}}


class Log(Protocol):
    """Where events of the ledger are kept."""

    def append(self, event: dict[str, Any]) -> None:
        """Keep an event, without holding up the caller."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a key did, in words, or why it did nothing. `page`: the queue should start a new page at the cursor."""

    done: bool
    say: str
    keys: tuple[str, ...] = ()
    asks: bool = False
    """The same key again does it after all."""
    page: bool = False
    tone: Literal["plain", "good", "warn"] = "plain"


class Session:
    """The reader's review. Methods named after keys do what the key does and say what that was."""

    def __init__(
        self,
        log: Log,
        ledger: Ledger | None = None,
        *,
        clock: Callable[[], float],
        now: ids.Clock = ids.now,
    ) -> None:
        self.ledger = ledger or Ledger()
        self.decided: set[str] = set()
        self.queue = Queue(self.decided)
        self.pace = Pace()
        self.read: set[str] = set()
        """Rows whose card has been on the screen."""
        self.notes: dict[str, str] = {}
        """What became of a row in the last write, when it was not applied."""
        self._finished: set[str] = set()
        """Rows of the queue that were decided and written since the review was opened."""
        self._log = log
        self._clock = clock
        self._now = now
        self._written: set[str] = set()
        self._refused: dict[str, str] = {}
        self._elsewhere: set[str] = set()
        self._gone: deque[str] = deque(maxlen=200)
        self._asked: tuple[str, tuple[str, ...]] | None = None
        self._ended: tuple[str, int] | None = None
        """The row that the cursor stayed on since none was left to go to, and the moves made by then."""
        self._last: Choice | None = None
        self._version = 0
        self._loads = 0
        self._previewed: int | None = None
        self._sync()

    # The store's side

    def load(self, rows: Sequence[Row], *, filling: bool = False) -> News:
        """Take in the rows as the store has them now. Decisions on rows that are gone are void, and said to be so.

        With `filling` more rows are to come: a decision whose row is not there yet waits for it.
        """
        self._refused.clear()
        self._loads += 1
        news = self.queue.load(rows, filling=filling)
        # What was written counts as done once it has left the queue, and no longer when an undo brings it back.
        done = self._written.intersection(news.gone)
        self._written -= done
        self._finished |= done
        self._finished.difference_update(news.added)
        gone = [key for key in self.ledger.choices if key not in self.queue.rows] if not filling else []
        if gone or news.gone:
            self._keep(self.ledger.settle({*gone, *news.gone}))
            self.read.difference_update(news.gone)
            self._gone.extend(news.gone)
            self._sync()
        return news

    def elsewhere(self, keys: Iterable[str]) -> None:
        """Another open review has decided these rows and not yet written them: they are left alone here."""
        self._elsewhere = set(keys)

    @property
    def loaded(self) -> int:
        """Grows with every reload."""
        return self._loads

    @property
    def taken(self) -> set[str]:
        """Rows that another open review has decided."""
        return self._elsewhere

    def refusal(self, key: str) -> str | None:
        """Why a row takes no decision just now."""
        if key in self._refused:
            return self._refused[key]
        if key in self._elsewhere and key not in self.decided:
            return "decided in another open review, not yet written there"
        if key not in self.queue.rows:
            return "it was decided elsewhere meanwhile" if key in self._gone else "it is no longer there"
        return None

    # What the screen shows

    def choice(self, key: str) -> Choice | None:
        """What was chosen for a row, if anything."""
        return self.ledger.choices.get(key)

    def scoped(self, row: Row) -> Scoped:
        """The scope that accepting the row would write."""
        choice = self.choice(row.key)
        return choice.scope_for(row) if choice else row.scoped

    def statement(self, row: Row) -> str:
        """The statement that accepting the row would write."""
        choice = self.choice(row.key)
        return choice.statement if choice and choice.statement else row.statement

    def progress(self) -> tuple[int, int]:
        """Rows of the queue decided so far (written ones too), and all of them."""
        waiting = total = 0
        for tab, (left, every) in self.queue.counts().items():
            if tab in QUEUE:
                waiting += left
                total += every
        finished = len(self._finished)
        return total - waiting + finished, total + finished

    def left(self) -> int:
        """Rows of the queue that wait for a decision."""
        done, total = self.progress()
        return total - done

    def strip(self, count: int = STRIP) -> list[tuple[str, Choice]]:
        """The last decisions, newest first: key and choice, as long as they stand."""
        out: dict[str, Choice] = {}
        for step in reversed(self.ledger.done):
            for key in reversed(step.keys):
                choice = self.ledger.choices.get(key)
                if choice is not None and choice.verb is not None and key in self.queue.rows:
                    out.setdefault(key, choice)
            if len(out) >= count:
                break
        return list(out.items())[:count]

    def subject(self, verb: Verb) -> Marked:
        """The rows that a verb would be done to: marks or the open range, a page of noise, else the cursor's row."""
        marked = self.queue.marked()
        if marked.keys:
            return marked
        if verb == "reject" and self.queue.tab == "noise":
            page = self.queue.premarked_page()
            if self.queue.cursor in page:
                return Marked(page)
        return Marked((self.queue.cursor,)) if self.queue.cursor else Marked()

    def subject_size(self, verb: Verb) -> tuple[int, int]:
        """How many rows a verb would be done to, and how many of them are out of sight."""
        marked = self.queue.marked_size()
        if marked[0]:
            return marked
        subject = self.subject(verb)
        return len(subject.keys), subject.hidden

    def why_not(self, verb: Verb) -> str | None:
        """Why a verb does nothing at the cursor, None when it does something."""
        row = self.queue.current
        if row is None:
            return "no row here"
        return self.refusal(row.key) or why_not(verb, row, records=self.has_records)

    @property
    def has_records(self) -> bool:
        """There is a memory that could be merged into, superseded or contested."""
        return self.queue.counts()["memory"][1] > 0

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
        return self._decided(verb, after, {}, whole_page=False)

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

    # Moving

    def set_filter(self, text: str) -> Filter:
        """Narrow the tab as one types."""
        self._asked = None
        return self.queue.set_filter(text)

    def set_tab(self, tab: Tab) -> None:
        """Go to another tab."""
        self._asked = None
        self.queue.set_tab(tab)

    def show(self, top: int, height: int) -> None:
        """The screen shows these rows now; the time of the first decision counts from the first time."""
        self.queue.window(top, height)
        if self.queue.visible:
            self.pace.start(self._clock())

    def card_shown(self, key: str) -> None:
        """The row's card is on the screen."""
        self.read.add(key)

    # Towards the store

    @property
    def version(self) -> int:
        """Grows with every change of the decisions: a preview holds for one version only."""
        return self._version

    def pending(self) -> dict[str, Choice]:
        """Decisions to be written, in queue order. A changed scope alone is none."""
        return {
            key: choice
            for key in self.queue.order
            if (choice := self.ledger.choices.get(key)) is not None and choice.verb is not None
        }

    def previewed(self) -> None:
        """The reader has the whole patch, as decided now, on the screen."""
        self._previewed = self._version

    def why_not_write(self) -> str | None:
        """Why nothing may be written now."""
        if not self.pending():
            return "nothing is decided yet"
        if self._previewed != self._version:
            return "the decisions have changed since the preview: look at it again first"
        return None

    def writing(self) -> dict[str, Choice]:
        """The decisions to write, which are locked until `written` is called. Raises `ValueError` without a preview."""
        if (problem := self.why_not_write()) is not None:
            raise ValueError(problem)
        pending = self.pending()
        self._refused |= dict.fromkeys(pending, "it is being written just now")
        return pending

    def not_written(self) -> None:
        """The store refused as a whole: everything is as it was."""
        self._refused.clear()

    def written(self, patch: str, applied: Iterable[str], skipped: Mapping[str, str]) -> None:
        """The patch was applied: its rows are settled. Skipped ones are open again, with the reason beside them."""
        applied = list(applied)
        rows = self.queue.rows
        self._written = {key for key in applied if key in rows and rows[key].kind == "candidate"}
        self._keep(self.ledger.settle({*applied, *skipped}, patch=patch))
        self._refused = dict.fromkeys(applied, "it has just been written")
        self.notes |= dict(skipped)
        self._sync()

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
        say = f"decided already{self._at_the_end()} · the same key again changes this one"
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
        self, verb: Verb, after: Mapping[str, Choice], refused: Mapping[str, str], *, whole_page: bool
    ) -> Outcome:
        self.pace.decided(self._clock(), len(after))
        name = self._name(after)
        self._do(verb, after)
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
        say = f"{DONE_WORDS[verb]}: {name}"
        if refused:
            say += f" · {len(refused)} not: {next(iter(refused.values()))}"
        elif ended:
            say += self._at_the_end()
            self._ended = (queue.cursor, queue.moves) if queue.cursor is not None else None
        return Outcome(True, say, tuple(after), page=page, tone="warn" if refused else "good")

    def _at_the_end(self) -> str:
        counts = self.queue.counts()
        here = counts[self.queue.tab][0]
        if self.queue.tab not in QUEUE:
            return " · end of the list"
        if here:
            return f" · end of the list, {here} still open above: {key_of('previous_open')} goes there"
        at = QUEUE.index(self.queue.tab) + 1
        following = next((tab for tab in (*QUEUE[at:], *QUEUE[:at]) if counts[tab][0]), None)
        if following is None:
            return f" · everything is decided: {key_of('preview')} shows what will be written"
        where = f"{self._way_to(following)} goes to {following.capitalize()}"
        return f" · this tab is done: {where}, {counts[following][0]} left"

    def _way_to(self, tab: Tab) -> str:
        """The keys that lead to a tab by the shorter way."""
        right = (TABS.index(tab) - TABS.index(self.queue.tab)) % len(TABS)
        left = len(TABS) - right
        return " ".join([key_of("next_tab")] * right if right <= left else [key_of("previous_tab")] * left)

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
        return Outcome(True, f"{word}: {_STEP_WORDS.get(step.label, step.label)} · {self._name(keys)}", tuple(keys))

    def _do(self, label: str, after: Mapping[str, Choice | None]) -> None:
        self._keep(self.ledger.do(label, after, cursor=self.queue.cursor, at=self._now()))
        self._asked = None
        for key in after:
            self.notes.pop(key, None)
        self._sync()

    def _keep(self, event: dict[str, Any] | None) -> None:
        if event is not None:
            self._version += 1
            self._log.append(event)

    def _sync(self) -> None:
        self.queue.recount()
        self.decided.clear()
        self.decided.update(key for key, choice in self.ledger.choices.items() if choice.verb is not None)

    def _name(self, keys: Iterable[str]) -> str:
        found = list(keys)
        if len(found) == 1 and found[0] in self.queue.rows:
            return shorten(self.statement(self.queue.rows[found[0]]), 48)
        return f"{len(found)} rows"
