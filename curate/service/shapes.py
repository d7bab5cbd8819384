"""Plans and lines of the journal in the shapes that clients of the service read. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curate.recall.annotated import annotated
from curate.recall.sound import sound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from curate.recall.planned import Plan

WORKING_SHARE = 0.3
"""Part of a budget that working memory may take (300 of 1,000 tokens)."""


def retrieval(plan: Plan, *, query: str, latency_ms: int) -> dict[str, Any]:
    """The answer of `/api/retrieve`."""
    document = plan.document()
    return {
        "markdown": plan.block,
        "items": items(plan),
        "trace": trace(document),
        "meta": {"query": query, **meta(document, latency_ms)},
    }


def items(plan: Plan) -> list[dict[str, Any]]:
    """What was injected, best first in its section."""
    return [
        {
            "id": entry.id,
            "tier": entry.tier,
            "rrfScore": round(entry.score, 3),
            "score": round(entry.relevance, 3),
            "payload": {"topic": topic(entry.text), "rev": entry.rev, "section": entry.section, "reason": entry.reason},
        }
        for entry in plan.entries
    ]


def topic(line: str) -> str:
    """What a line of a block is about: its words behind id, reason and confidence, the first of them."""
    said = line.strip().removeprefix("- ")
    if said.startswith("(guardrail) "):
        words = said.removeprefix("(guardrail) ")
    elif said.startswith("("):
        words = said.partition(") ")[2].partition(": ")[2]
    else:
        words = said.partition("] ")[2]
    words = words or said
    return words[:80].rpartition(" ")[0] + " …" if len(words) > 80 else words


def trace(document: Mapping[str, Any]) -> dict[str, Any]:
    """The funnel: how many went in and out at each stage, and which were dropped."""
    stages = [stage(each) for each in document.get("traces") or ()]
    found = document.get("candidates")
    found = found if isinstance(found, dict) else {}
    budget = int(document.get("budget") or 0)
    working = _whole(document.get("working_tokens"))
    semantic = budget - round(budget * WORKING_SHARE) if document.get("layout") == "knowledge" else budget
    return {
        "candidates": {name: _whole(found.get(name)) for name in ("semantic", "keyword", "fused")},
        "stages": stages,
        "injected": len(document.get("entries") or ()),
        "tokens_used": int(document.get("total") or 0) - working,
        "budget": semantic,
        "judge_outcome": judge_outcome(document.get("traces") or ()),
        **({"skipped": document["skipped"]} if document.get("skipped") else {}),
    }


def stage(traced: Mapping[str, Any]) -> dict[str, Any]:
    """One stage of the funnel."""
    return {
        "name": str(traced["processor"]).replace("_", "-"),
        "in": traced["input_count"],
        "out": traced["output_count"],
        "dropped": [{"id": ident, "reason": why} for ident, why in traced["exclusion_reasons"].items()],
        "dropped_total": traced["dropped_total"],
    }


def judge_outcome(traces: Iterable[Mapping[str, Any]]) -> str:
    """`judged`, `failed`, or `skipped` where no judge was asked."""
    said = next((str(each.get("note") or "") for each in traces if each["processor"] == "judge"), "")
    return said.partition(":")[0] or "skipped"


def meta(document: Mapping[str, Any], latency_ms: int) -> dict[str, Any]:
    """Figures of one retrieval."""
    return {
        "budget": document.get("budget"),
        "results_count": len(document.get("entries") or ()),
        "tokens_used": document.get("total"),
        "working_memory_tokens": _whole(document.get("working_tokens")),
        "latency_ms": latency_ms,
        # A turn that a hook asked for may have been counted in bytes.
        **({"unit": document["unit"]} if document.get("unit") not in {None, "", "tokens"} else {}),
    }


def context(plan: Plan) -> dict[str, Any]:
    """The answer of `/v1/context`."""
    return {
        "text": plan.block,
        "entries": [
            {
                "id": entry.id, "rev": entry.rev, "section": entry.section, "reason": entry.reason,
                "tokens": entry.cost, "text": entry.text.rstrip("\n"),
            }
            for entry in plan.entries
        ],
        "totalTokens": plan.total,
        "truncated": plan.truncated,
        "budget": plan.budget,
        "unit": plan.unit,
        **({"skipped": plan.skipped} if plan.skipped else {}),
    }  # fmt: skip


def captured(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line of the journal as `/api/retrieve-capture` shows it. The message itself is kept nowhere."""
    kept = line.get("retrieval")
    kept = kept if isinstance(kept, dict) else {}
    known = {**line, **sound(line), "entries": _entries(line)}
    return {
        "task_id": line.get("session"),
        "turn": line.get("turn"),
        "capturedAt": line.get("at"),
        "agent": line.get("agent"),
        "meta": {"query": None, **meta(known, _whole(kept.get("latency_ms")))},
        "items": kept.get("items") or _items(known),
        "trace": trace(known),
        "markdown": known["block"],
    }


def _entries(line: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = line.get("entries")
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _items(line: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a turn that a hook asked for was given."""
    texts = {entry.get("id"): text for text, entry in annotated(line["block"], line["entries"]) if entry is not None}
    return [
        {
            "id": entry.get("id"),
            "tier": entry.get("tier") or "insights",
            "rrfScore": _figure(entry.get("score")),
            "score": _figure(entry.get("score")),
            "payload": {
                "topic": topic(texts[entry.get("id")]) if entry.get("id") in texts else None,
                "rev": entry.get("rev"), "section": entry.get("section"), "reason": entry.get("reason"),
            },
        }
        for entry in line["entries"]
    ]  # fmt: skip


def _figure(value: object) -> float:
    return round(float(value), 3) if isinstance(value, int | float) and abs(value) < 1e9 else 0.0


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
