"""Why a turn of the journal got nothing, in a sentence: no prompt that gets memory, or the stage that held all back."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NO_INDEX = "no_index"
SKIPPED = {
    "machine_prompt": "the agent wrote the prompt itself",
    "too_short": "the prompt is too short to be about anything",
    "slash_command": "the prompt is a slash command",
    "acknowledgement": "the prompt only says yes, thanks, or the like",
    NO_INDEX: "the index was being built, or written to for too long",
}


def silence(turn: Mapping[str, Any]) -> str:
    """Why nothing was sent; empty when something was."""
    if turn.get("block"):
        return ""
    skipped = str(turn.get("skipped") or "")
    if skipped:
        return SKIPPED.get(skipped, skipped.replace("_", " "))
    stages = [stage for stage in turn.get("traces") or () if isinstance(stage, dict)]
    if not stages:
        return "no stage left a trace"
    if not stages[0].get("input_count"):
        return "the store holds no record"
    for stage in stages:
        came, went = int(stage.get("input_count") or 0), int(stage.get("output_count") or 0)
        if stage.get("note") == "nothing matches well enough":
            return "nothing matches well enough"
        if came and not went:
            return f"all {came} that came to the stage “{stage.get('processor')}” were left out there"
    return "no section had anything to say"
