"""What is written about a record that may deserve a page: what it says, on what ground, and where it would fit.

Same memory, same bytes: it names dates, never ages. Text of others is shown and does nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curate.vault.criteria import source
from curate.vault.note import front_matter
from store.patch.edit import VAULT_TAG
from store.projection.markdown import code, escape, quote
from store.projection.markers import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curate.vault.criteria import Criterion, Family
    from curate.vault.suggest import Suggestion

SOURCES_SHOWN = 20

_NO_LINK = re.compile(r"[\[\]|#^]")
_NO_TAG = re.compile(r"[^\w/-]+")

CRITERIA = {
    "projects": "Seen in two or more independent projects",
    "stable": "Stable for 30 days or more",
    "knowledge": "Knowledge rather than taste",
    "provenance": "Provenance can be shown",
}


@dataclass(frozen=True, slots=True)
class Dossier:
    """The parts of a dossier. `keys` and `lines` are ours for good; the rest is written once and then the person's."""

    record: str
    title: str
    keys: dict[str, str]
    first: dict[str, str | list[str]]
    """Keys that only a new note gets."""
    lines: list[str]

    def text(self) -> str:
        """The whole text of a new note."""
        head = front_matter({**self.first, **self.keys})
        return f"{head}# {escape(self.title)}\n\n{render(self.record, self.lines)}"


def dossier(title: str, found: Family, judged: Sequence[Criterion], since: str, near: Sequence[Suggestion]) -> Dossier:
    """The dossier of a record."""
    data = found.record.data
    first: dict[str, str | list[str]] = {"created": str(data.get("created_at", ""))[:10]}
    tags = [tag for each in data.get("tags") or () if (tag := tag_of(each)) and each != VAULT_TAG]
    if tags:
        first["tags"] = list(dict.fromkeys(tags))
    standing = str(data.get("status", "active"))
    keys = {"curate_id": found.record.id, "curate_status": standing, "curate_since": since[:10]}
    lines = ["", *_says(data), *_holds(found), "", "## Why it may stay", ""]
    for one in judged:
        lines.append(f"- [{'x' if one.met else ' '}] {CRITERIA[one.name]}: {escape(one.why)}")
        lines += [f"    - {escape(each)}" for each in one.evidence[:SOURCES_SHOWN] if one.name != "provenance"]
    lines += ["", "## Provenance", "", *_sources(found)]
    if near:
        lines += ["", "## Near it in the vault", ""]
        lines += [f"- {link(one.page.path)}: {escape(one.why)}" for one in near]
    return Dossier(found.record.id, title, keys, first, [*lines, ""])


def link(path: str) -> str:
    """A wikilink to a note; its path as code when its name would break one."""
    target = path[: -len(".md")] if path.lower().endswith(".md") else path
    if _NO_LINK.search(target):
        return code(path)
    name = target.rpartition("/")[2]
    return f"[[{target}]]" if name == target else f"[[{target}|{name}]]"


def tag_of(text: str) -> str:
    """A tag as Obsidian takes it: no spaces or marks, and not a bare number."""
    tag = _NO_TAG.sub("-", text.strip()).strip("-/")
    return tag if tag and not tag.isdigit() else ""


def _says(data: dict[str, Any]) -> list[str]:
    lines = [escape(data["statement"])]
    if data.get("body"):
        lines += ["", *quote(str(data["body"]), "")]
    return lines


def _holds(found: Family) -> list[str]:
    data = found.record.data
    lines = [""]
    if found.projects:
        lines.append(f"- Holds in {', '.join(code(name) for name in found.projects)}")
    told = (("applies_when", "Applies when"), ("does_not_apply_when", "Not when"), ("known_exceptions", "Except"))
    lines += [f"- {says}: {escape('; '.join(data[name]))}" for name, says in told if data.get(name)]
    condition = (data.get("review") or {}).get("change_condition")
    if condition:
        lines.append(f"- Would change if: {escape(str(condition))}")
    return lines if len(lines) > 1 else []


def _sources(found: Family) -> list[str]:
    shown = [f"- {escape(source(one))}" for one in found.evidence[:SOURCES_SHOWN]]
    left = len(found.evidence) - len(shown)
    if left > 0:
        shown.append(f"- and {left} more")
    records = ", ".join(code(ident) for ident in found.ids)
    return [*(shown or ["- No evidence is kept."]), f"- From {records}"]
