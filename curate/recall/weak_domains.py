"""Domains where an agent does badly here, from recorded outcomes: a moving average below 75 %, with at least three
samples, and what went wrong and what helped.
"""

from __future__ import annotations

import os

from curate.recall.plainjson import loads
from store.log.stub import GONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

FILE = "knowledge/outcomes.jsonl"
"""A line for each outcome: `domain`, `ok`, and perhaps `project`, `agent`, `pattern` (what went wrong), `strategy`."""
RELIABLE = 0.75
SAMPLES = 3
WINDOW = 20
"""Latest outcomes of a domain that count."""
NAMED = 2
"""Patterns and strategies that are named."""
TAIL = 256 * 1024


def weak_domains(outcomes: Iterable[dict[str, Any]], project: str | None) -> tuple[tuple[str, str], ...]:
    """Weak domains of a project, the weakest first, each with what to say of it."""
    by_domain: dict[str, list[dict[str, Any]]] = {}
    for outcome in outcomes:
        if (
            isinstance(outcome.get("domain"), str)
            and outcome["domain"] != GONE
            and outcome.get("project") in {None, project}
        ):
            by_domain.setdefault(outcome["domain"], []).append(outcome)
    found = []
    for domain, all_of in by_domain.items():
        latest = all_of[-WINDOW:]
        share = sum(bool(outcome.get("ok")) for outcome in latest) / len(latest)
        if len(latest) >= SAMPLES and share < RELIABLE:
            found.append((share, domain, latest))
    found.sort(key=lambda each: (each[0], each[1]))
    return tuple((domain, _line(domain, share, latest)) for share, domain, latest in found)


def read_outcomes(root: str) -> list[dict[str, Any]]:
    """Recorded outcomes, oldest first; none where there is no file."""
    try:
        with open(f"{root}/{FILE}", "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            lines = file.read(TAIL).decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            value = loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _line(domain: str, share: float, latest: list[dict[str, Any]]) -> str:
    from store.index.shown import shown

    parts = [f"{shown(domain)}: {round(100 * share)} % of {len(latest)} went well"]
    for key, lead in (("pattern", "fails by"), ("strategy", "helps")):
        counted: dict[str, int] = {}
        for outcome in latest:
            text = outcome.get(key)
            if (
                isinstance(text, str)
                and text.strip() not in {"", GONE}
                and (key == "strategy" or not outcome.get("ok"))
            ):
                counted[shown(text)] = counted.get(shown(text), 0) + 1
        best = sorted(counted, key=lambda text: (-counted[text], text))[:NAMED]
        if best:
            parts.append(f"{lead}: {', '.join(best)}")
    return "; ".join(parts)
