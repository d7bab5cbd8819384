"""Colours and their names. A colour never means anything alone: a sign, a word or a weight says the same.

Inks are named after what they say, not after what they look like; each theme gives them their looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from textual.color import Color
from textual.style import Style
from textual.theme import BUILTIN_THEMES, Theme

if TYPE_CHECKING:
    from rich.style import Style as RichStyle

InkName = Literal[
    "text", "muted", "faint", "cue", "good", "bad", "warn", "key", "title", "scope", "old", "new", "cursor", "mark",
    "tab", "here", "quote",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """How an ink looks in one theme."""

    colour: str | None = None
    on: str | None = None
    bold: bool | None = None
    dim: bool | None = None
    underline: bool | None = None
    strike: bool | None = None
    reverse: bool | None = None
    italic: bool | None = None


class Inks:
    """The inks of one theme, as styles of Textual and of Rich."""

    def __init__(self, looks: dict[InkName, Look]) -> None:
        self._looks = looks

    def __getitem__(self, name: InkName) -> Style:
        return self._styles[name]

    def rich(self, name: InkName) -> RichStyle:
        """The ink for line renderers."""
        return self._rich[name]

    @cached_property
    def _styles(self) -> dict[InkName, Style]:
        return {
            name: Style(
                background=Color.parse(look.on) if look.on else None,
                foreground=Color.parse(look.colour) if look.colour else None,
                bold=look.bold, dim=look.dim, underline=look.underline, strike=look.strike, reverse=look.reverse,
                italic=look.italic,
            )
            for name, look in self._looks.items()
        }  # fmt: skip

    @cached_property
    def _rich(self) -> dict[InkName, RichStyle]:
        return {name: style.rich_style for name, style in self._styles.items()}


def _looks(
    *, text: str, muted: str, faint: str, cue: str, good: str, bad: str, warn: str, key: str, cursor: str,
    old: str, new: str,
) -> dict[InkName, Look]:  # fmt: skip
    return {
        "text": Look(text),
        "muted": Look(muted),
        "faint": Look(faint),
        "cue": Look(cue, bold=True),
        "good": Look(good),
        "bad": Look(bad),
        "warn": Look(warn),
        "key": Look(key, bold=True),
        "title": Look(text, bold=True),
        "scope": Look(key),
        "old": Look(bad, on=old, strike=True),
        "new": Look(good, on=new, bold=True),
        "cursor": Look(None, on=cursor),
        "mark": Look(warn, bold=True),
        "tab": Look(muted),
        "here": Look(text, bold=True, underline=True),
        "quote": Look(text, italic=True),
    }


INKS: dict[str, Inks] = {
    "curate-dark": Inks(
        _looks(
            text="#d6dae3",
            muted="#949cad",
            faint="#6d7485",
            cue="#f0c674",
            good="#8fcf8f",
            bad="#f28b82",
            warn="#e8a95b",
            key="#7fb4f5",
            cursor="#2b3446",
            old="#3a2328",
            new="#20352a",
        )
    ),
    "curate-light": Inks(
        _looks(
            text="#1f2328",
            muted="#59616b",
            faint="#7d8590",
            cue="#8a4600",
            good="#11662d",
            bad="#ad1f1f",
            warn="#8a4600",
            key="#0a53be",
            cursor="#dbe7f8",
            old="#fbe3e1",
            new="#dcf3e1",
        )
    ),
    "curate-ansi": Inks(
        {
            "text": Look("ansi_default"),
            "muted": Look("ansi_default", dim=True),
            "faint": Look("ansi_default", dim=True),
            "cue": Look("ansi_yellow", bold=True, underline=True),
            "good": Look("ansi_green"),
            "bad": Look("ansi_red"),
            "warn": Look("ansi_yellow"),
            "key": Look("ansi_cyan", bold=True),
            "title": Look("ansi_default", bold=True),
            "scope": Look("ansi_cyan"),
            "old": Look("ansi_red", strike=True),
            "new": Look("ansi_green", bold=True, underline=True),
            "cursor": Look(reverse=True),
            "mark": Look("ansi_yellow", bold=True),
            "tab": Look("ansi_default", dim=True),
            "here": Look("ansi_default", bold=True, underline=True),
            "quote": Look("ansi_default", italic=True),
        }
    ),
}

THEMES: tuple[Theme, ...] = (
    Theme(
        name="curate-dark", dark=True, primary="#7fb4f5", secondary="#8ecdd8", accent="#f0c674", warning="#e8a95b",
        error="#f28b82", success="#8fcf8f", foreground="#d6dae3", background="#14171d", surface="#191d24",
        panel="#20252e",
        variables={"rule": "#343b48", "border": "#3d4554", "border-blurred": "#343b48", "scrollbar": "#343b48",
                   "scrollbar-background": "#14171d", "block-cursor-background": "#2b3446",
                   "block-cursor-foreground": "#d6dae3", "block-cursor-text-style": "none",
                   "input-cursor-background": "#d6dae3", "input-cursor-foreground": "#14171d"},
    ),
    Theme(
        name="curate-light", dark=False, primary="#0a53be", secondary="#0b6b78", accent="#8a4600", warning="#8a4600",
        error="#ad1f1f", success="#11662d", foreground="#1f2328", background="#fcfcfb", surface="#f4f4f2",
        panel="#ebebe8",
        variables={"rule": "#d0d0cb", "border": "#bdbdb7", "border-blurred": "#d0d0cb", "scrollbar": "#d0d0cb",
                   "scrollbar-background": "#fcfcfb", "block-cursor-background": "#dbe7f8",
                   "block-cursor-foreground": "#1f2328", "block-cursor-text-style": "none",
                   "input-cursor-background": "#1f2328", "input-cursor-foreground": "#fcfcfb"},
    ),
    Theme(
        name="curate-ansi", ansi=True, dark=True, primary="ansi_blue", secondary="ansi_cyan", warning="ansi_yellow",
        error="ansi_red", success="ansi_green", accent="ansi_yellow", foreground="ansi_default",
        background="ansi_default", surface="ansi_default", panel="ansi_default", boost="ansi_default",
        variables={**BUILTIN_THEMES["ansi-dark"].variables, "rule": "ansi_bright_black",
                   "border": "ansi_bright_black", "border-blurred": "ansi_bright_black",
                   # The cursor of a list: it shows where colours do not, and a text in the terminal's own ink stays
                   # readable on the terminal's own ground. Lists do not know how to reverse.
                   "block-cursor-foreground": "ansi_default", "block-cursor-background": "ansi_default",
                   "block-cursor-text-style": "bold underline", "block-cursor-blurred-text-style": "bold underline",
                   "input-cursor-background": "ansi_white", "input-cursor-foreground": "ansi_black"},
    ),
)  # fmt: skip

NAMES = {"dark": "curate-dark", "light": "curate-light", "ansi": "curate-ansi"}
"""What settings call the themes."""


def inks(theme: str) -> Inks:
    """The inks of a theme; one that is not ours gets those of the dark one."""
    return INKS.get(theme, INKS["curate-dark"])
