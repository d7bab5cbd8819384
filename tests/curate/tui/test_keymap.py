"""Keys: presets that do not clash with themselves or the terminal, and the reader's own on top."""

from __future__ import annotations

from curate.tui.actions import ACTIONS
from curate.tui.keymap import PRESETS, RESERVED, keymap


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
