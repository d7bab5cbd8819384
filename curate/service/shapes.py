"""Plans and lines of the journal in the shapes that clients of the service read. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    """What a line of a block is about: its words behind id and confidence, the first of them."""
    words = line.strip().removeprefix("- ").partition("] ")[2] or line.strip()
    return words[:80].rpartition(" ")[0] + " …" if len(words) > 80 else words


def trace(document: Mapping[str, Any]) -> dict[str, Any]:
    """The funnel: how many went in and out at each stage, and which were dropped."""
    stages = [stage(each) for each in document.get("traces") or ()]
    budget = int(document.get("budget") or 0)
    working = int(document.get("working_tokens") or 0)
    semantic = budget - round(budget * WORKING_SHARE) if document.get("layout") == "knowledge" else budget
    return {
        "candidates": {"semantic": 0, "keyword": 0, "fused": 0, **(document.get("candidates") or {})},
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
        "working_memory_tokens": int(document.get("working_tokens") or 0),
        "latency_ms": latency_ms,
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
    kept = line.get("retrieval") or {}
    return {
        "task_id": line.get("session"),
        "turn": line.get("turn"),
        "capturedAt": line.get("at"),
        "agent": line.get("agent"),
        "meta": {"query": None, **meta(line, int(kept.get("latency_ms") or 0))},
        "items": kept.get("items") or [_item(entry) for entry in line.get("entries") or ()],
        "trace": trace(line),
        "markdown": line.get("block"),
    }


def _item(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of a turn that a hook asked for."""
    payload = {"topic": None, "rev": entry.get("rev"), "section": entry.get("section"), "reason": entry.get("reason")}
    score = round(float(entry.get("score") or 0.0), 3)
    return {"id": entry.get("id"), "tier": entry.get("tier") or "insights", "rrfScore": score, "score": score,
            "payload": payload}  # fmt: skip
