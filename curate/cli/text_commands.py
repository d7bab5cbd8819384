"""Commands on text alone: `classify` and `group` read JSON lines, answer, and touch no store."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from curate.cli.lines import Lines
from curate.cli.options import Shell, command
from curate.cli.output import emit, say

if TYPE_CHECKING:
    from curate.capture.intent import Item, Verdict


@command("classify")
def classify(shell: Shell) -> None:
    """Say of each message on stdin whether it holds something worth remembering.

    stdin: one {"id", "text"} a line. stdout: a line for each, {"id", "durable", "confidence", "items": [{"statement",
    "start", "end", "intent", "rule_type", "scope", "durability", "confidence", "cues"}]}; offsets count characters of
    the text. No store is touched.
    """
    del shell
    from curate.capture.intent import classify as judge

    _mention_waiting("classify")
    lines = Lines(sys.stdin.buffer)
    for _, line in lines:
        emit({"id": line["id"], **verdict_json(judge(line["text"]))})
        sys.stdout.flush()
    lines.close()


@command("group")
def group(shell: Shell) -> None:
    """Put statements on stdin that ask for the same thing together, and name those that contradict each other.

    stdin: one {"id", "text", "scope"?} a line; scope is "global", "project" or a scope object. stdout: one object,
    {"groups": [[id, ...]], "conflicts": [[id, id]]}. No store is touched.
    """
    del shell
    from curate.matching.group import Claim
    from curate.matching.group import group as gather

    _mention_waiting("group")
    lines = Lines(sys.stdin.buffer)
    claims, ids = [], {}
    for number, line in lines:
        key = str(number)
        scope = scope_key(line.get("scope"))
        if scope is None:
            lines.refuse(number, 'scope is none of "global", "project" or a scope object')
            continue
        ids[key] = line["id"]
        claims.append(Claim(key, line["text"], scope))
    grouping = gather(claims)
    emit(
        {
            "groups": [[ids[key] for key in members] for members in grouping.groups],
            "conflicts": [[ids[key] for key in pair] for pair in grouping.conflicts],
        }
    )
    lines.close()


def scope_key(scope: object) -> str | None:
    """A text that is the same for two scopes when they are the same place; None for what is no scope."""
    if scope is None:
        return ""
    if isinstance(scope, str):
        scope = {"type": scope}
    if not isinstance(scope, dict) or scope.get("type", "project") not in ("global", "domain", "project"):
        return None
    lists = [*sorted(map(str, scope.get("domains") or ())), *map(str, scope.get("paths") or ())]
    return "\x1f".join([scope.get("type", "project"), scope.get("project") or "", *lists]).rstrip("\x1f")


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict as the command-line contract has it."""
    return {
        "durable": verdict.durable,
        "confidence": round(verdict.confidence, 4),
        "intent": verdict.intent,
        "language": verdict.language,
        "items": [_item_json(item) for item in verdict.items],
    }


def _item_json(item: Item) -> dict[str, Any]:
    return {
        "statement": item.statement,
        "start": item.start,
        "end": item.end,
        "intent": item.intent,
        "rule_type": item.rule_type,
        "scope": item.scope,
        "durability": item.durability,
        "confidence": round(item.confidence, 4),
        "cues": [{"name": cue.name, "start": cue.start, "end": cue.end, "weight": cue.weight} for cue in item.cues],
        "polarity": item.polarity,
        "flags": list(item.flags),
        "language": item.language,
    }


def _mention_waiting(name: str) -> None:
    """A person who types the command alone would wait for an answer that never comes."""
    if sys.stdin.isatty():
        say(f'curate {name}: reading JSON lines such as {{"id": 1, "text": "..."}} from the keyboard; end with Ctrl-D')
