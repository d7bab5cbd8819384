"""A record on its way into the vault in words: its conditions with what shows them, notes near it, its dossier; and a
note that cannot be read, with the line that says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from curate.tui.cells import safe, safe_line
from curate.vault.dossier import CRITERIA

if TYPE_CHECKING:
    from pathlib import Path

    from curate.tui.widgets.card_text import Lines
    from curate.vault.folder import Broken
    from curate.vault.promote import Case
    from curate.vault.survey import Standing

AROUND = 3
"""Lines shown before and after the one that cannot be read."""
SHOWN = 200_000
"""Bytes of such a note that are read for that."""


def write_conditions(lines: Lines, made: Case) -> None:
    """Each condition: met or not, why, and what shows it."""
    for one in made.criteria:
        lines.gap()
        sign = ("✓ met      ", "good") if one.met else ("× not met  ", "bad")
        lines.text(lines.joined(sign, (CRITERIA[one.name], "title")))  # type: ignore[arg-type]
        lines.text(f"  {safe_line(one.why)}")
        for each in one.evidence:
            _hung(lines, "    - ", safe_line(each))
    lines.gap()
    if made.met:
        lines.text("All conditions are met.", "good")
    else:
        lines.text("Not all are met; that is said in the dossier, and does not stop you.", "warn")


def write_near(lines: Lines, made: Case, *, vault: bool) -> None:
    """The notes that are about it, best first."""
    lines.gap()
    if not vault:
        lines.text("No vault is named, so nothing can be near it.", "muted")
    elif not made.near:
        lines.text("No note of the vault is about that.", "muted")
    for number, one in enumerate(made.near, 1):
        lines.text(lines.joined((f"{number}  ", "muted"), (safe_line(one.page.path), "title"),
                                (f"  {one.score:.2f}", "muted")))  # fmt: skip
        _hung(lines, "   ", safe_line(one.why))
        if one.page.aliases:
            _hung(lines, "   ", f"also called {safe_line(', '.join(one.page.aliases))}")
        lines.gap()


def write_dossier(lines: Lines, made: Case) -> None:
    """The note as it would be written where there is none yet."""
    lines.gap()
    for text in made.dossier.text().splitlines():
        lines.text(safe(text) or " ", "title" if text.startswith("#") else "text")


def write_standing(lines: Lines, one: Standing) -> None:
    """What the record says, and where its note is."""
    lines.text(safe_line(one.statement), "title")
    lines.text(safe_line(one.id), "muted")
    if one.why:
        lines.text(lines.joined(("× " if one.kind == "lost" else "→ ", "bad" if one.kind == "lost" else "good"),
                                (safe_line(one.why), "warn" if one.kind == "lost" else "text")))  # fmt: skip
    if one.note and one.kind != "linked":
        lines.text(f"{'it may be' if one.kind == 'lost' else 'its note is'} {safe_line(one.note)}", "muted")


def write_broken(lines: Lines, root: Path, one: Broken) -> None:
    """A note that is left alone: where, why, and the lines around."""
    lines.text(safe_line(one.path), "title")
    lines.text(f"! line {one.line}: {safe_line(one.reason)}", "warn")
    lines.text("It is neither read nor written until that is mended.", "muted")
    lines.gap()
    try:
        with (root / one.path).open("rb") as file:
            text = file.read(SHOWN).decode("utf-8", "replace").splitlines()
    except OSError as fault:
        lines.text((fault.strerror or "cannot be read").lower(), "warn")
        return
    for number in range(max(1, one.line - AROUND), min(len(text), one.line + AROUND) + 1):
        here = number == one.line
        lead = f"{'>' if here else ' '}{number:>5} "
        body = lines.joined((lead, "warn" if here else "faint"), (safe(text[number - 1]), "text" if here else "muted"))
        lines.out.append(body.truncate(lines.width, ellipsis=True))


def _hung(lines: Lines, lead: str, text: str) -> None:
    for number, part in enumerate(lines.plain(text, "muted").wrap(max(10, lines.width - len(lead)))):
        lines.out.append(Content.assemble(lines.plain(lead if number == 0 else " " * len(lead), "muted"), part))
