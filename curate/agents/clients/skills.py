"""The two texts that agents are given: how to open the review, and what belongs where."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from curate.agents.install.command import Hook
from curate.agents.install.pieces import MARK, Whole

OPEN = "Open the review of what you told your agents that should hold from now on."


def review_skill(file: Path, body: str, front: tuple[str, ...] = ()) -> Whole:
    """`curate-memory`: what opens the review, as a skill."""
    head = ["---", "name: curate-memory", f"description: {OPEN}", *front, "---", ""]
    return Whole(file, "\n".join([*head, f"<!-- {MARK}. -->", "", body, ""]))


def run_and_tell(hook: Hook) -> str:
    """The body for agents that have to run the command themselves."""
    return f"Run this command, tell the person what it says, and do nothing else:\n\n    {hook.quoted(hook.review())}"


def memory_skill(file: Path, review: str) -> Whole:
    """The routing rule, as a skill."""
    text = files("curate.agents").joinpath("bundle/skills/memory-governance.md").read_text("utf-8")
    return Whole(file, text.replace("{MARK}", MARK).replace("{REVIEW}", review))
