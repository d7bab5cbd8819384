"""What may be applied without a person, where the settings allow it (`auto_apply`): a new rule for a project, in the
very words that a person said to an agent. Whatever else is asked to apply itself is left to a person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.patch.draft import Draft, Item, before
from store.patch.policy import default_selected, risk
from store.text import one_line

if TYPE_CHECKING:
    from store.model import Op

SAID = frozenset({"direct_user_instruction", "user_correction"})
"""Trust that every piece of evidence must have."""
SAID_AGAIN = SAID | {"repeated_user_preference"}
"""Trust that the candidate must have."""


def why_not_by_itself(op: Op, draft: Draft) -> str | None:
    """Why the op needs a person, in words; None when it does not."""
    if op.op != "add":
        return "only what adds a rule applies itself"
    if op.updates or op.default_selected is False or not default_selected(op, draft) or risk(op, draft) != "low":
        return "it is not among what is low in risk and preselected"
    record = op.record or {}
    if record.get("evidence") or record.get("status", "active") != "active" or record.get("supersedes"):
        return "it brings more than what was said"
    items = [draft.item("candidate", ident) for ident in op.candidate_ids]
    there = [item for item in items if item is not None]
    if not there or len(there) < len(items):
        return "nothing that was captured stands for it"
    if "statement" in record and record["statement"] not in {one_line(item.content["statement"]) for item in there}:
        return "its words are not those that were said"
    return next((why for item in there if (why := _why_not(item, draft))), None)


def _why_not(item: Item, draft: Draft) -> str | None:
    data = item.content
    scope = data.get("scope") or {}
    evidence = [draft.state.evidence.get(ident, {}) for ident in data.get("evidence", ())]
    if data.get("trust") not in SAID_AGAIN or not evidence or any(one.get("trust") not in SAID for one in evidence):
        return "not all of it was said by a person"
    if scope.get("type", "project") != "project" or not (scope.get("project") or data.get("targets")):
        return "it is for no project that is known"
    if data.get("flags") or data.get("durability", "durable") != "durable":
        return "it is in doubt"
    if data.get("poisoning_risk", "low") != "low" or data.get("layer", "L2") != "L2":
        return "it is too weighty"
    versions = before(draft.state, "candidate", item.id)
    if item.status != "waiting" or versions is None or any(revision.patch for revision in versions.revisions):
        return "somebody has decided on it before"
    return None
