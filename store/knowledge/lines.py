"""The three logs of knowledge and what their lines come to. Standard library only.

A line's id is made from what it is about, so the same turn read twice is one observation. Of several lines with one id
the one that knows most counts, whatever their order, so that two machines' copies merge by lines.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any

from store.line import SCHEMA
from store.log.stub import GONE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

Item = dict[str, Any]
"""One observation, digest or entity as its line holds it."""

OBSERVATIONS, DIGESTS, ENTITIES = "observations", "digests", "kg_entities"
FILES = {
    OBSERVATIONS: "knowledge/observations.jsonl",
    DIGESTS: "knowledge/digests.jsonl",
    ENTITIES: "knowledge/entities.jsonl",
}
"""The log of each tier."""
_MAJOR = SCHEMA.partition(".")[0] + "."
_GONE = GONE.encode()


def parse(raw: bytes) -> Item | None:
    """The object of a line; None for what is none of ours, or of a format that is not ours yet."""
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not isinstance(data.get("id"), str) or not data["id"].isascii():
        return None
    return data if str(data.get("schema", "")).startswith(_MAJOR) else None


def rank(tier: str, data: Item, raw: bytes) -> str:
    """What decides among lines of one id: the greatest counts. Where words were purged they do not come back."""
    steps = data.get("steps")
    known = f"{steps if isinstance(steps, int) else 0:09d}"
    gone = "1" if _GONE in raw else "0"
    last = hashlib.sha256(raw).hexdigest()[:16]
    if tier == OBSERVATIONS:
        return f"{gone}{known}{last}"
    if tier == DIGESTS:  # one that goes on after its first turns were let go knows less, and is right
        return f"{data.get('until') or ''!s:<30}{known}{gone}{last}"
    return f"{data.get('at') or ''!s:<30}{last}"


def fold(tier: str, raws: Iterable[bytes]) -> dict[str, Item]:
    """What lines come to, by id, in the order in which the ids first occur."""
    raw_of: dict[str, bytes] = {}
    found: dict[str, Item] = {}
    for raw in raws:
        data = parse(raw)
        if data is None:
            continue
        ident = data["id"]
        known = found.get(ident)
        if known is None or rank(tier, data, raw) > rank(tier, known, raw_of[ident]):
            found[ident], raw_of[ident] = data, raw
    return found


def read(root: Path | str, tier: str, having: Collection[bytes] = ()) -> dict[str, Item]:
    """What is known of a tier; given some bytes, only of lines that hold any of them. Empty where there is no file."""
    lines = lines_of(root, tier)
    if having:
        lines = (line for line in lines if any(part in line for part in having))
    return fold(tier, lines)


def lines_of(root: Path | str, tier: str) -> Iterator[bytes]:
    """The whole lines of a tier's log; none where there is no file, or none that can be read."""
    try:
        with open(os.path.join(root, FILES[tier]), "rb") as file:  # noqa: PTH118, PTH123 - shared with the hook's side
            for line in file:
                if line.endswith(b"\n"):
                    yield line.rstrip(b"\r\n")
    except OSError:
        return


def texts(item: Item, *names: str) -> list[str]:
    """The texts of a field, or of several: a list's items, or the one string. Purged ones are left out."""
    found: list[str] = []
    for name in names:
        value = item.get(name)
        if value:
            given = value if isinstance(value, list) else (value,)
            found += [one for one in given if isinstance(one, str) and one and GONE not in one]
    return found


def text(item: Item, name: str) -> str:
    """The text of one field as it stands; empty where there is none."""
    value = item.get(name)
    return value if isinstance(value, str) else ""


def in_time(item: Item) -> tuple[str, str]:
    """What observations are sorted by: when it was, and then something that never changes."""
    return text(item, "time"), str(item["id"])
