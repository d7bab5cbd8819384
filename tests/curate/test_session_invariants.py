"""Whatever the keys: one decision a row at most, undo gives back what was, counts add up, nothing is written unseen."""

from __future__ import annotations

import itertools
import json
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from curate.review.choice import VERBS, Choice
from curate.review.drafting import draft
from curate.review.ledger import Ledger
from curate.review.rows import QUEUE, TABS, Rival, Row, Scoped
from curate.review.session import Session

SHOP = Scoped("project", ("github.com/acme/shop",))
SCOPES = st.sampled_from(
    [
        SHOP,
        Scoped("global"),
        Scoped("path", SHOP.projects, ("api/**",)),
        Scoped("unassigned"),
        Scoped("domain", domains=("web",)),
    ]
)


class Lines:
    """A log in memory, as lines of JSON, so that replaying it takes the same way as from disk."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def append(self, event: dict[str, Any]) -> None:
        self.lines.append(json.dumps(event))

    def replayed(self) -> Ledger:
        ledger = Ledger()
        for line in self.lines:
            ledger.replay(json.loads(line))
        return ledger


@st.composite
def rows(draw: st.DrawFn, number: int) -> Row:
    tab = draw(st.sampled_from(TABS))
    record = tab in {"memory", "contested"}
    scoped = draw(SCOPES)
    return Row(
        key=f"r{number}",
        tab=tab,
        statement=f"rule {number}",
        scoped=SHOP if record and scoped.reach == "unassigned" else scoped,
        kind="record" if record else "candidate",
        candidates=() if record else (f"cand_{number}",),
        records=(f"r{number}",) if record else draw(st.sampled_from([(), ("r0",)])),
        rivals=() if record else draw(st.sampled_from([(), (Rival("r1", "rule 1", "2"),)])),
        heads=draw(st.sampled_from([(), ("one", "two")])) if record else (),
        newest=str(number % 4),
        op=draw(st.sampled_from(["add", "update", "supersede", "reject_candidate"])),
        status=draw(st.sampled_from(["active", "contested", "deprecated"])) if record else "",
        bundle=draw(st.sampled_from(["shop", "api"])),
        hidden=not record and draw(st.booleans()),
        haystack=f"rule {number}",
    )


class Review(RuleBasedStateMachine):
    """Keys in any order, with the store moving underneath."""

    def __init__(self) -> None:
        super().__init__()
        self.log = Lines()
        self.numbers = itertools.count()
        self.ticks = itertools.count()
        self.session = Session(self.log, clock=lambda: float(next(self.ticks)), now=lambda: "2026-11-29T10:00:00Z")
        self.written: list[str] = []

    @initialize(data=st.data())
    def fill(self, data: st.DataObject) -> None:
        self.session.load([data.draw(rows(next(self.numbers))) for _ in range(12)])

    @rule(verb=st.sampled_from(VERBS), text=st.sampled_from([None, "except in tests"]), scoped=st.none() | SCOPES)
    def decide(self, verb: Any, text: str | None, scoped: Scoped | None) -> None:
        before = dict(self.session.ledger.choices)
        steps = len(self.session.ledger.done)
        subject = self.session.subject(verb)
        outcome = self.session.decide(verb, text=text, scoped=scoped)
        after = self.session.ledger.choices
        changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        assert changed <= set(outcome.keys) <= set(subject.keys)
        assert outcome.say
        if not outcome.done:
            assert not changed
            assert len(self.session.ledger.done) == steps
            return
        assert len(self.session.ledger.done) == steps + 1
        self.session.undo()
        assert self.session.ledger.choices == before
        self.session.redo()
        assert {key: after[key] for key in outcome.keys} == {
            key: self.session.ledger.choices[key] for key in outcome.keys
        }

    @rule(statement=st.sampled_from(["use pnpm", "rule 3"]))
    def edit(self, statement: str) -> None:
        row = self.session.queue.current
        self.session.decide("update" if row and row.kind == "record" else "accept", statement=statement)

    @rule(scoped=SCOPES)
    def rescope(self, scoped: Scoped) -> None:
        before = dict(self.session.ledger.choices)
        if self.session.rescope(scoped).done:
            self.session.undo()
            assert self.session.ledger.choices == before
            self.session.redo()

    @rule()
    def undo(self) -> None:
        steps = len(self.session.ledger.done)
        assert self.session.undo().done == (steps > 0)

    @rule()
    def redo(self) -> None:
        steps = len(self.session.ledger.undone)
        assert self.session.redo().done == (steps > 0)

    @rule()
    def undo_all_and_come_back(self) -> None:
        before, steps = dict(self.session.ledger.choices), len(self.session.ledger.done)
        for _ in range(steps):
            self.session.undo()
        for _ in range(steps):
            self.session.redo()
        assert self.session.ledger.choices == before

    @rule(side=st.sampled_from(["left", "right"]))
    def keep(self, side: Any) -> None:
        before = dict(self.session.ledger.choices)
        outcome = self.session.keep(side)
        assert outcome.say
        if outcome.done:
            self.session.undo()
            assert self.session.ledger.choices == before
            self.session.redo()
        else:
            assert self.session.ledger.choices == before

    @rule()
    def repeat(self) -> None:
        self.session.repeat()

    @rule()
    def clear(self) -> None:
        self.session.clear()

    @rule(by=st.integers(-5, 5))
    def move(self, by: int) -> None:
        self.session.queue.move(by)

    @rule(way=st.sampled_from([-1, 1]))
    def bundle(self, way: int) -> None:
        self.session.queue.next_bundle(way)

    @rule(tab=st.sampled_from(TABS))
    def tab(self, tab: Any) -> None:
        self.session.set_tab(tab)

    @rule(
        text=st.sampled_from(
            ["", "rule 1", "is:open", "is:decided", "-is:marked", "scope:global", "nothing at all", "op:"]
        )
    )
    def filter(self, text: str) -> None:
        self.session.set_filter(text)

    @rule(what=st.sampled_from(["toggle_mark", "toggle_range", "mark_visible", "unmark"]))
    def mark(self, what: str) -> None:
        getattr(self.session.queue, what)()

    @rule(show=st.booleans())
    def tombstoned(self, show: bool) -> None:
        self.session.queue.show_tombstoned(show)

    @rule(top=st.integers(0, 5), height=st.integers(0, 20))
    def look(self, top: int, height: int) -> None:
        self.session.show(top, height)
        if self.session.queue.cursor:
            self.session.card_shown(self.session.queue.cursor)

    @rule(data=st.data(), gone=st.integers(0, 3), added=st.integers(0, 3))
    def the_store_moves(self, data: st.DataObject, gone: int, added: int) -> None:
        cursor, tab = self.session.queue.cursor, self.session.queue.tab
        keys = list(self.session.queue.rows)
        leaving = set(data.draw(st.permutations(keys))[:gone]) if keys else set()
        stay = [row for row in self.session.queue.rows.values() if row.key not in leaving]
        self.session.load([*(data.draw(rows(next(self.numbers))) for _ in range(added)), *stay])
        assert self.session.queue.tab == tab
        if any(row.key == cursor for row in self.session.queue.visible):  # the filter may have hidden it since
            assert self.session.queue.cursor == cursor
        assert leaving.isdisjoint(self.session.ledger.choices)

    @rule(keys=st.sets(st.sampled_from([f"r{number}" for number in range(12)])))
    def another_review_decides(self, keys: set[str]) -> None:
        self.session.elsewhere(keys)

    @rule()
    def preview(self) -> None:
        self.session.previewed()

    @rule(apply=st.booleans(), skip=st.integers(0, 2))
    def write(self, apply: bool, skip: int) -> None:
        version = self.session._version
        try:
            pending = self.session.writing()
        except ValueError:
            assert self.session.why_not_write()
            return
        assert self.session._previewed == version, "written without a preview of just this"
        assert pending
        made = draft(self.session.queue.rows, pending, now=lambda: "2026-11-29T10:00:00Z", new_id=lambda p: f"{p}_1")
        assert set(made.rows.values()) == set(pending)
        assert len({op.op_id for op in made.patch.ops}) == len(made.patch.ops)
        keys = list(pending)
        assert all(self.session.refusal(key) for key in keys)
        if not apply:
            self.session.not_written()
            assert self.session.pending() == pending
            return
        self.session.written("pat_1", keys[skip:], dict.fromkeys(keys[:skip], "stale"))
        assert not set(keys) & set(self.session.ledger.choices)
        self.written.extend(keys[skip:])

    @rule()
    def crash_and_resume(self) -> None:
        here = list(self.session.queue.rows.values())
        resumed = Session(self.log, self.log.replayed(), clock=self.session._clock, now=self.session._now)
        resumed.load(here)
        self.session = resumed

    @invariant()
    def the_log_tells_the_same(self) -> None:
        replayed = self.log.replayed()
        assert replayed.choices == self.session.ledger.choices
        assert [step.changes for step in replayed.done] == [step.changes for step in self.session.ledger.done]
        assert [step.changes for step in replayed.undone] == [step.changes for step in self.session.ledger.undone]

    @invariant()
    def counts_add_up(self) -> None:
        queue = self.session.queue
        rows = [row for row in queue.rows.values() if queue.show_hidden or not row.hidden]
        for tab, (waiting, total) in queue.counts().items():
            of_tab = [row for row in rows if queue.shows(tab, row.key)]
            assert total == len(of_tab)
            assert waiting == sum(row.key not in self.session.decided for row in of_tab)
        done, total = self.session.progress()
        assert 0 <= done <= total
        assert self.session.left() == sum(queue.counts()[tab][0] for tab in QUEUE)
        assert (
            set(self.session.pending())
            == self.session.decided
            == {key for key, choice in self.session.ledger.choices.items() if choice.verb}
        )

    @invariant()
    def the_cursor_is_on_a_visible_row(self) -> None:
        queue = self.session.queue
        if queue.visible:
            assert queue.cursor == queue.visible[queue.position].key
        else:
            assert queue.cursor is None

    @invariant()
    def marks_are_counted_honestly(self) -> None:
        marked = self.session.queue.marked()
        visible = {row.key for row in self.session.queue.visible}
        assert marked.hidden == sum(key not in visible for key in marked.keys)
        assert len(set(marked.keys)) == len(marked.keys)

    @invariant()
    def choices_survive_the_disk(self) -> None:
        for choice in self.session.ledger.choices.values():
            assert Choice.from_json(json.loads(json.dumps(choice.to_json()))) == choice


Review.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestReview = Review.TestCase
