"""The labelled messages with their features, and how they are parted so that no project is on both sides."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curate.capture import lexicon
from curate.capture.features import Features, Message, analyse

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data" / "capture"
LEARNED = ("dev.jsonl", "extra.jsonl", "work.jsonl", "short.jsonl", "stream.jsonl", "voices.jsonl", "desk.jsonl")
"""What the weights are learned from; check.jsonl and handed.jsonl never are."""
FOLDS = 5
MIXED = 2.0
"""What a message of dev.jsonl counts: those have the mix of real ones, the others dwell on what is hard."""

_SERIES = re.compile(r"^(?:work|short|stream|voices|desk|extra)-")


def load(*names: str) -> list[dict[str, Any]]:
    """Labelled messages of the named files."""
    rows: list[dict[str, Any]] = []
    for name in names:
        path = DATA / name
        if path.exists():
            rows += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return rows


def project(row: dict[str, Any]) -> str:
    """The imagined project of a message, by the beginning of its name: several files may tell of the same one."""
    return _SERIES.sub("", row["topic"])[:5]


def fold(row: dict[str, Any]) -> int:
    """Which part a message belongs to: all of a project go into the same."""
    return zlib.crc32(project(row).encode()) % FOLDS


class Prepared:
    """A labelled message with its features."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.message: Message = analyse(row["text"], lexicon.default())
        spans = [(at, at + len(s)) for s in row["statements"] if (at := row["text"].find(s)) >= 0]
        self.gold = [_states(f, spans) for f in self.message.kept]
        self.durable = bool(row["durable"])
        self.weight = (0.6 if row.get("borderline") else 1.0) * (MIXED if row["id"].startswith("m") else 1.0)


def _states(f: Features, spans: list[tuple[int, int]]) -> bool:
    """The sentence carries at least half of a statement, or is half covered by one."""
    lo, hi = f.sentence.start, f.sentence.end
    for a, b in spans:
        shared = min(b, hi) - max(a, lo)
        if shared > 0 and shared * 2 >= min(b - a, hi - lo):
            return True
    return False


def parts(prepared: list[Prepared]) -> Iterator[tuple[list[Prepared], list[Prepared]]]:
    """What to learn from and what to hold out, once for each part."""
    places = [fold(p.row) for p in prepared]
    for k in range(FOLDS):
        yield (
            [p for p, place in zip(prepared, places, strict=True) if place != k],
            [p for p, place in zip(prepared, places, strict=True) if place == k],
        )
