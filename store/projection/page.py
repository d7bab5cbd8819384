"""What one Markdown page says of a set of records. Same records, same bytes: no clock, no order of reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from store.log.fold import status
from store.log.stub import MARK
from store.projection.markdown import code, escape, quote

if TYPE_CHECKING:
    from store.log.fold import Versions

HEADINGS = {
    "avoid_pattern": "Avoid",
    "prefer_pattern": "Prefer",
    "convention": "Conventions",
    "correction": "Corrections",
    "workflow": "Workflows",
    "testing": "Testing",
    "tool": "Tools",
    "architecture": "Architecture",
    "preference": "Preferences",
    "": "Other rules",
}
"""Heading of each rule type, in the order of the page."""

IDENTITY = "Identity"
CONTESTED = "Contested"
ENDED = "No longer holds"
NOTHING = "Nothing is remembered here."

_order = attrgetter("order")

ENTRIES_KEPT = 20_000
_ENTRIES: dict[str | tuple[str, ...], Entry] = {}


@dataclass(frozen=True, slots=True)
class Entry:
    """How a page shows one record: where, and in which words."""

    order: tuple[bool, str, str]
    section: str
    text: str


def page(title: str, about: Sequence[str], records: Iterable[Versions]) -> bytes:
    """The page: a title, sentences about it, and every record that is not deleted, once."""
    shown = sorted((_entry(record) for record in records if status(record) != "deleted"), key=_order)
    lines = [f"# {escape(title)}", ""]
    for sentence in about:
        lines += [sentence, ""]
    sections: dict[str, list[str]] = {}
    for entry in shown:
        sections.setdefault(entry.section, []).append(entry.text)
    for heading in (IDENTITY, *HEADINGS.values(), CONTESTED, ENDED):
        if heading in sections:
            lines += [f"## {heading}", "", *sections[heading]]
    if not shown:
        lines += [NOTHING, ""]
    return "\n".join(lines).encode("utf-8")


def _section(record: Versions) -> str:
    now = status(record)
    if now == "contested":
        return CONTESTED
    if now != "active":
        return ENDED
    if record.data.get("layer") == "L1":
        return IDENTITY
    return HEADINGS.get(str(record.data.get("rule_type") or ""), HEADINGS[""])


def _entry(record: Versions) -> Entry:
    """The entry of a record, remembered by its newest revisions: a page is made again for each patch."""
    heads = record.heads
    if any(MARK in head.data for head in heads):  # a purge took words out of it: the same hash, another text
        return _made(record)
    key = heads[0].hash if len(heads) == 1 else tuple(head.hash for head in heads)
    entry = _ENTRIES.get(key)
    if entry is None:
        if len(_ENTRIES) >= ENTRIES_KEPT:
            _ENTRIES.clear()
        entry = _ENTRIES[key] = _made(record)
    return entry


def _made(record: Versions) -> Entry:
    data = record.data
    order = (not data.get("pinned"), str(data.get("created_at", "")), record.id)
    return Entry(order, _section(record), "\n".join([*_lines(record), ""]))


def _lines(record: Versions) -> list[str]:
    if record.forked:
        lines = [f"- Two versions of {code(record.id)}; neither is given as a rule until one is chosen"]
        for head in record.heads:
            lines.append(f"  - version {code(head.hash[:12])} of {_day(head.at)}: {escape(head.data['statement'])}")
            lines += [f"    {line}" for line in _details(head.data)]
        return lines
    data = record.data
    return [f"- {escape(data['statement'])}", f"  - {_facts(data)}", *[f"  {line}" for line in _details(data)]]


def _facts(data: Mapping[str, Any]) -> str:
    count = len(data.get("evidence", ()))
    status_ = data.get("status", "active")
    return (
        f"{code(data['id'])} · confidence {float(data.get('confidence', 0)):.2f} · "
        f"{count} piece{'' if count == 1 else 's'} of evidence · {data.get('stability', 'semi-stable')}"
        f"{'' if status_ == 'active' else f' · {status_}'}{' · pinned' if data.get('pinned') else ''}"
        f" · updated {_day(data.get('updated_at'))}"
    )


def _details(data: Mapping[str, Any]) -> list[str]:
    lines = []
    scope = data.get("scope") or {}
    for name, values in (
        ("applies when", data.get("applies_when")),
        ("not when", data.get("does_not_apply_when")),
        ("except", data.get("known_exceptions")),
        ("only in", scope.get("paths")),
        ("domains", scope.get("domains")),
        ("tags", data.get("tags")),
    ):
        if values:
            lines.append(f"- {name}: {'; '.join(map(escape, values))}")
    review = data.get("review") or {}
    for name, text in (
        ("contested because", data.get("contested_because")),
        ("would be false if", review.get("change_condition")),
        ("profile", data.get("profile")),
        ("vault", data.get("vault_ref")),
    ):
        if text:
            lines.append(f"- {name}: {escape(text)}")
    if group := data.get("group"):
        lines.append(f"- group: {code(group)}")
    if (supersedes := data.get("supersedes")) and all(supersedes):
        lines.append(f"- replaces: {', '.join(map(code, supersedes))}")
    if by := data.get("superseded_by"):
        lines.append(f"- replaced by: {code(by)}")
    if due := review.get("next_review"):
        lines.append(f"- review on {_day(due)}")
    if ended := data.get("valid_to"):
        lines.append(f"- held until {_day(ended)}")
    return lines + (quote(data["body"], "") if data.get("body") else [])


def _day(moment: object) -> str:
    day = str(moment or "unknown")[:10]
    return day if day.replace("-", "").isdigit() else escape(day)
