"""Keys: presets that do not clash with themselves or the terminal, and the reader's own on top."""

from __future__ import annotations

from pathlib import Path

from curate.review import allowed
from curate.review.naming import key_of, spelled
from curate.tui.actions import ACTIONS
from curate.tui.keymap import PRESETS, RESERVED, keymap
from tests.curate.tui.running import carded, go_to, review, screen_text


def test_presets_are_without_clashes() -> None:
    for preset in PRESETS:
        found = keymap(preset)
        assert not found.problems
        assert all(found.keys[action.id] for action in ACTIONS)
        assert not set(found.actions) & set(RESERVED)
        assert not [key for key in found.actions if key.startswith("ctrl+") and key != "ctrl+p"]


def test_own_keys_win_and_what_loses_is_said() -> None:
    found = keymap("vim", {"accept": "y", "later": ["L", "s"]})
    assert found.action("y", "y") == "accept"
    assert found.action("L", "L") == "later"
    assert "y: accept and copy both ask for it" in " ".join(found.problems)
    assert found.keys["copy"] == ()


def test_nonsense_is_said() -> None:
    problems = " | ".join(keymap("emacs", {"fly": "f", "accept": {"a": 1}, "reject": "ctrl+c"}).problems)
    for part in ("no key preset `emacs`", "no action `fly`", "accept takes a key", "ctrl+c: belongs to the terminal"):
        assert part in problems


def test_keys_are_found_by_character_and_by_name() -> None:
    found = keymap()
    assert found.action("question_mark", "?") == "help"
    assert found.action("S", "S") == "supersede"
    assert found.action("space", " ") == "mark"
    assert found.action("enter", "\r") == "evidence"
    assert found.action("down", None) == "down"
    assert found.action("f5", None) is None


def test_sentences_name_the_keys_of_the_reader() -> None:
    found = keymap("plain", {"unmark": "0", "reject": []})
    say = f"{key_of('unmark')} takes the marks off, {key_of('reject')} rejects, {key_of('next_tab')} goes on"
    assert spelled(say, found.named) == "0 takes the marks off, “Reject” (ctrl+p) rejects, ] goes on"
    assert spelled("[~] 100 % {plain}", found.named) == "[~] 100 % {plain}"


def test_every_reason_names_actions_that_there_are() -> None:
    reasons = [*allowed._RECORD_INSTEAD.values(), *allowed._CANDIDATE_INSTEAD.values()]
    assert all("\x1f" not in spelled(reason, keymap().named) for reason in reasons)


async def test_own_keys_stand_in_refusals_and_hints(store: Path) -> None:
    own = {"deprecate": "z", "delete": "Z", "unmark": "0", "next_tab": "}", "previous_tab": "{", "scope_global": "9"}
    async with review(store, keys=own) as (app, pilot):
        await go_to(app, pilot, "linter")
        await pilot.press("x")
        assert "z deprecates it, Z deletes it for good" in screen_text(app)
        app.session.set_tab("singles")
        await pilot.press("*")
        assert "0 takes the marks off" in screen_text(app)
        await pilot.press("0")
        row = next(row for row in app.session.queue.rows.values() if row.scoped.reach == "unassigned")
        app.review.action_go(row.key)
        await carded(app, pilot)
        assert "9 makes it global" in screen_text(app)
        await pilot.press("a")
        assert "9 makes it global" in app.review.status_bar.say
