"""Which key does what: a preset, the reader's own keys on top, and what clashes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from curate.tui.actions import ACTIONS, BY_ID, Action

PRESETS = ("vim", "plain")

_SHOWN = {
    "space": "space", "enter": "enter", "escape": "esc", "backspace": "backspace", "tab": "tab", "up": "↑",
    "down": "↓", "left": "←", "right": "→", "pageup": "pgup", "pagedown": "pgdn", "delete": "del", "insert": "ins",
}  # fmt: skip

RESERVED = {"ctrl+c": "the terminal", "ctrl+q": "quitting at once", "ctrl+z": "suspending"}


@dataclass(frozen=True, slots=True)
class Keymap:
    """Keys by action, actions by key, and what was wrong with the reader's own keys, in words."""

    keys: Mapping[str, tuple[str, ...]]
    actions: Mapping[str, str]
    problems: tuple[str, ...] = ()

    def action(self, key: str, character: str | None) -> str | None:
        """The action of a key as the terminal reports it: by its character when it has a visible one."""
        if character is not None and character.isprintable() and not character.isspace():
            found = self.actions.get(character)
            if found is not None:
                return found
        return self.actions.get(key)

    def shown(self, action: str) -> str:
        """The first key of an action, as the footer writes it."""
        keys = self.keys.get(action, ())
        return _SHOWN.get(keys[0], keys[0]) if keys else ""

    def named(self, action: str) -> str:
        """The key of an action within a sentence; one that has none is in the palette."""
        return self.shown(action) or f"“{BY_ID[action].title}” ({self.shown('palette') or 'ctrl+p'})"

    def all_shown(self, action: str) -> str:
        """All keys of an action."""
        return " ".join(_SHOWN.get(key, key) for key in self.keys.get(action, ()))


def keymap(preset: str = "vim", own: Mapping[str, Any] | None = None, actions: Iterable[Action] = ACTIONS) -> Keymap:
    """The keys of a preset with the reader's own. A key that is given twice goes to the reader's choice."""
    table = {action.id: action for action in actions}
    problems: list[str] = []
    if preset not in PRESETS:
        problems.append(f"no key preset `{preset}`: {' or '.join(PRESETS)}; vim is used")
        preset = "vim"
    chosen: dict[str, tuple[str, ...]] = {}
    for name, wanted in (own or {}).items():
        keys = _keys(wanted)
        if name not in table:
            problems.append(f"keys: no action `{name}`")
        elif keys is None:
            problems.append(f"keys: {name} takes a key or a list of keys")
        else:
            chosen[name] = tuple(key for key in keys if _free(key, name, problems))
    keys_of: dict[str, tuple[str, ...]] = {}
    owner: dict[str, str] = {}
    for name in (*chosen, *(name for name in table if name not in chosen)):
        action = table[name]
        wanted_keys = chosen.get(name, action.plain if preset == "plain" and action.plain is not None else action.keys)
        kept = []
        for key in wanted_keys:
            if key in owner:
                problems.append(f"key {key}: {owner[key]} and {name} both ask for it; {owner[key]} has it")
                continue
            owner[key] = name
            kept.append(key)
        keys_of[name] = tuple(kept)
    return Keymap(keys_of, owner, tuple(problems))


def _keys(wanted: Any) -> list[str] | None:
    if isinstance(wanted, str | int):
        return str(wanted).split()
    if isinstance(wanted, list) and all(isinstance(key, str | int) for key in wanted):
        return [str(key) for key in wanted]
    return None


def _free(key: str, name: str, problems: list[str]) -> bool:
    if key in RESERVED:
        problems.append(f"key {key}: belongs to {RESERVED[key]}, so {name} cannot have it")
        return False
    return True
