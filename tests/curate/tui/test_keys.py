"""Every key of the table does what it says, and undo takes it back."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.review.choice import VERBS
from curate.tui.actions import ACTIONS, BY_ID
from curate.tui.screens.review import ReviewScreen
from tests.curate.tui.running import carded, go_to, review, screen_text


def test_every_action_can_be_done() -> None:
    assert len(BY_ID) == len(ACTIONS)
    for action in ACTIONS:
        if action.id != "palette":
            assert action.id in VERBS or hasattr(ReviewScreen, f"do_{action.id}"), action.id
        assert action.title
        assert action.keys


DECISIONS = [
    # where, keys, verb
    ("use pnpm", ["a"], "accept"),
    ("use pnpm", ["x"], "reject"),
    ("use pnpm", ["s"], "later"),
    ("use pnpm", ["m", "enter"], "merge"),
    ("use pnpm", ["S", "enter"], "supersede"),
    ("use pnpm", ["E", "enter", "enter"], "exception"),
    ("use pnpm", ["e", "end", "!", "enter"], "accept"),
    ("MySQL", ["a"], "accept"),
    ("MySQL", ["x"], "reject"),
    ("MySQL", ["S"], "supersede"),
    ("MySQL", ["E", "enter"], "exception"),
    ("MySQL", ["c"], "contest"),
    ("for now just", ["a"], "accept"),
    ("linter", ["c"], "contest"),
    ("linter", ["d"], "deprecate"),
    ("linter", ["D", "y"], "delete"),
    ("linter", ["!"], "pin"),
    ("linter", ["f"], "flag"),
    ("linter", ["v"], "vault"),
    ("linter", ["E", "x", "enter"], "exception"),
    ("linter", ["e", "end", "!", "enter"], "update"),
    ("linter", ["3"], "update"),
]


@pytest.mark.parametrize("part", range(3))
async def test_a_decision_and_its_undo(store: Path, part: int) -> None:
    async with review(store) as (app, pilot):
        for where, keys, verb in DECISIONS[part::3]:
            row = await go_to(app, pilot, where)
            await pilot.press(*keys)
            choice = app.session.choice(row.key)
            assert choice is not None, screen_text(app)
            assert choice.verb == verb
            assert list(app.session.pending()) == [row.key]
            await pilot.press("u")
            assert not app.session.ledger.choices
            assert app.session.queue.cursor == row.key
            assert "undone" in screen_text(app)
            await pilot.press("U")
            assert app.session.choice(row.key) == choice
            await pilot.press("u")


REFUSED = [
    ("use pnpm", ".", "nothing to repeat"),
    ("use pnpm", "U", "nothing was undone"),
    ("use pnpm", "u", "nothing to undo"),
    ("use pnpm", "c", "contradicts nothing"),
    ("use pnpm", "D", "not a memory yet"),
    ("use pnpm", "C", "only a contested memory"),
    ("use pnpm", "p", "nothing is decided"),
    ("use pnpm", "w", "nothing is decided"),
    ("use pnpm", "~", "nothing is marked"),
    ("linter", "a", "this is a memory already"),
    ("linter", "x", "d deprecates it"),
    ("linter", "C", "it is not contested"),
    ("linter", "r", "one version only"),
    ("blue theme", "a", "no project could be told"),
]


async def test_a_key_that_does_nothing_says_why(store: Path) -> None:
    async with review(store) as (app, pilot):
        for where, key, why in REFUSED:
            await go_to(app, pilot, where)
            await pilot.press(key)
            assert not app.session.ledger.choices
            assert why in screen_text(app), key


async def test_a_digit_changes_the_proposal_and_accept_takes_it(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "staging cluster")
        await pilot.press("3")
        assert app.session.scoped(row).reach == "global"
        assert not app.session.pending()
        assert app.session.queue.cursor == row.key
        await pilot.press("a")
        assert app.session.pending()[row.key].scoped is not None
        await pilot.press("u", "u")
        assert app.session.scoped(row) == row.scoped


async def test_a_project_is_chosen_for_what_has_none(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "blue theme")
        await pilot.press("2", *"web", "enter")
        assert app.session.scoped(row).projects == ("github.com/acme/web",)
        await pilot.press("a")
        assert row.key in app.session.pending()


async def test_paths_are_asked_for(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "staging cluster")
        await pilot.press("1", *"api/**", "enter")
        assert app.session.scoped(row).in_words() == "shop-api: api/**"


async def test_repeat_takes_the_verb_and_not_the_words(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "always write tests")
        await pilot.press("e", "end", "!", "enter", ".")
        choices = list(app.session.pending().values())
        assert [choice.verb for choice in choices] == ["accept", "accept"]
        assert [bool(choice.statement) for choice in choices] == [True, False]


async def test_marks_and_ranges_are_decided_at_once(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "always write tests")
        await pilot.press("space", "space")
        assert len(app.session.queue.marks) == 2
        await pilot.press("V", "j")
        assert len(app.session.queue.marked().keys) == 4
        assert "x reject 4" in screen_text(app)
        await pilot.press("x")
        assert len(app.session.pending()) == 4
        assert not app.session.queue.marks
        await pilot.press("u")
        assert not app.session.pending()
        assert app.session.queue.tab_of(row.key) == app.session.queue.tab


async def test_hidden_marks_need_a_second_key(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "prefer fetch")
        await pilot.press("space", "[", "space")
        assert len(app.session.queue.marks) == 2
        await pilot.press("x")
        assert not app.session.pending()
        assert "1 of them hidden" in screen_text(app)
        assert "2 marked (1 hidden)" in screen_text(app)
        await pilot.press("x")
        assert len(app.session.pending()) == 2


async def test_the_filter_narrows_as_one_types_and_esc_clears_it(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "prefer fetch")
        await pilot.press("/", *"project:web")
        assert [row.scoped.in_words() for row in app.session.queue.visible] == ["web", "web"]
        await pilot.press("enter", "j")
        assert "2 of 9" in screen_text(app)
        await pilot.press("escape")
        assert len(app.session.queue.visible) == 9
        await pilot.press("/", *"nothing like it", "enter")
        assert "esc clears the filter" in screen_text(app)
        await pilot.press("a")
        assert "no row here" in screen_text(app)


async def test_a_filter_for_open_rows_moves_on_by_itself(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "always write tests")
        await pilot.press("/", *"is:open", "enter", "a", "a")
        assert len(app.session.pending()) == 2
        assert all(row.key not in app.session.decided for row in app.session.queue.visible)


async def test_help_is_searchable_and_does_what_is_chosen(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "use pnpm")
        await pilot.press("?", *"put off")
        assert "comes back in a week" in screen_text(app)
        await pilot.press("enter")
        assert app.session.pending()[row.key].verb == "later"


async def test_the_palette_knows_the_long_names(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "use pnpm")
        await pilot.press("ctrl+p", *"Reject")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause(0.2)
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert app.session.pending()[row.key].verb == "reject"


async def test_all_evidence_and_the_life_of_a_memory(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        await pilot.press("enter")
        assert "Evidence 3" in screen_text(app)
        await pilot.press("escape")
        await go_to(app, pilot, "linter")
        await pilot.press("enter")
        assert "imported by hand" in screen_text(app)


async def test_tabs_keep_their_cursors(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "prefer fetch")
        here = app.session.queue.cursor
        await pilot.press("]", "[")
        assert app.session.queue.cursor == here


async def test_clicks_do_what_keys_do(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "always write tests")
        line = app.session.queue.position
        await pilot.click("#queue", offset=(40, line + 1))
        assert app.session.queue.position == line + 1
        await pilot.click("#actions", offset=(3, 0))
        assert len(app.session.pending()) == 1
        await pilot.click("#tabs", offset=(3, 0))
        assert app.session.queue.tab == "noise"


async def test_a_conflict_is_not_accepted_before_its_card_was_there(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = next(row for row in app.session.queue.rows.values() if row.tab == "conflicts")
        app.session.queue.go_to(row.key)
        assert "read its card first" in app.session.decide("accept").say
        await carded(app, pilot)
        assert app.session.decide("accept").done
