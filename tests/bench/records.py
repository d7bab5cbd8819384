"""Many plausible records, always the same ones: what the benchmarks of the store and of search run on."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from store import layout
from store.ids import content_id
from store.line import SCHEMA, canonical
from store.project.naming import display_name, file_stem

if TYPE_CHECKING:
    from pathlib import Path

AREAS = ("auth", "billing", "cache", "checkout", "docs", "exports", "forms", "imports", "invoices", "jobs", "layout",
         "mail", "metrics", "migrations", "orders", "parsers", "profiles", "queues", "reports", "routes", "search",
         "sessions", "settings", "snapshots", "tokens", "uploads", "webhooks", "widgets")  # fmt: skip
TOOLS = (("uv", "pip"), ("bun", "npm"), ("pnpm", "yarn"), ("ruff", "black"), ("vitest", "jest"), ("httpx", "requests"),
         ("pytest", "unittest"), ("just", "make"), ("biome", "prettier"), ("ripgrep", "grep"))  # fmt: skip
SHAPES = (
    ("tool", "Use {good} instead of {bad} for {area}."),
    ("avoid_pattern", "Never call {bad} from {area}; it has cost us a release before."),
    ("convention", "Keep the fixtures of {area} under tests/{area}/data, not beside the code."),
    ("testing", "Run the {area} tests with {good} before every push, and read the whole output."),
    ("workflow", "After changing {area}, regenerate its snapshots with {good} and commit both together."),
    ("correction", "No, {area} stores times as UTC, not as local time; {bad} got that wrong."),
    ("preference", "Explain changes to {area} in short sentences, with the {good} command first."),
)
AT = "2026-09-01T08:00:00.000Z"


def record_line(number: int, project: str, rng: random.Random) -> dict[str, Any]:
    """The first revision of a record."""
    rule_type, shape = rng.choice(SHAPES)
    good, bad = rng.choice(TOOLS)
    area = rng.choice(AREAS)
    statement = f"{shape.format(area=area, good=good, bad=bad)} ({number})"
    return {
        "schema": SCHEMA, "id": f"mem_{number:026}", "rev": 1, "patch": f"pat_{number // 200:026}", "op": "add",
        "at": AT, "layer": "L2", "kind": "instruction", "rule_type": rule_type,
        "scope": {"type": "project", "project": project}, "statement": statement, "tags": [area, good],
        "applies_when": [f"working on {area}"], "evidence": [content_id("ev", statement)], "confidence": 0.85,
        "stability": "semi-stable", "status": "active", "pinned": False,
        "review": {"cadence_days": 90, "next_review": "2026-12-01T08:00:00.000Z"}, "created_at": AT, "updated_at": AT,
    }  # fmt: skip


def evidence_line(record: dict[str, Any]) -> dict[str, Any]:
    """What the record rests on."""
    return {
        "schema": SCHEMA, "id": record["evidence"][0], "excerpt": f"Please remember: {record['statement']}",
        "cues": [[0, 15]], "trust": "direct_user_instruction", "polarity": "for", "agent": "claude-code",
        "session": "5f0c", "turn": record["id"], "time": AT, "projects": [record["scope"]["project"]],
    }  # fmt: skip


def project_id(number: int) -> str:
    return f"github.com/acme/project-{number:05}"


def write_store(root: Path, count: int, *, per_project: int = 250, seed: int = 7) -> int:
    """A store of `count` records in projects of constant size; gives the number of projects."""
    rng = random.Random(seed)
    projects = max(1, count // per_project)
    files: dict[str, list[bytes]] = {}
    for number in range(projects):
        ident = project_id(number)
        line = {"schema": SCHEMA, "id": ident, "rev": 1, "op": "see", "at": AT, "name": display_name(ident),
                "file": file_stem(ident), "created_at": AT, "updated_at": AT}  # fmt: skip
        files.setdefault(layout.PROJECTS, []).append(canonical(line))
    for number in range(count):
        record = record_line(number, project_id(number % projects), rng)
        name = f"{layout.PROJECT_MEMORY}/{file_stem(record['scope']['project'])}.jsonl"
        files.setdefault(name, []).append(canonical(record))
        files.setdefault(layout.EVIDENCE, []).append(canonical(evidence_line(record)))
    for name, lines in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in lines))
    return projects
