"""Every op: what it does, on what it may act, and what it risks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from store.patch import create, edit, inbox, versions

if TYPE_CHECKING:
    from store.model import OpName, Risk
    from store.patch.draft import Apply

On = Literal["nothing", "record", "candidate", "record or candidate", "anything"]


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule of one op. `updates` are the keys its `updates` may have; `statuses` those its target may be in."""

    apply: Apply
    does: str
    on: On
    statuses: frozenset[str]
    risk: Risk
    preselected: bool
    updates: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    """Keys that `updates` must have."""
    candidates: bool = False
    """Whether `candidate_ids` may be named."""
    forked: bool = False
    """Whether it may act on a thing that has two newest versions."""


CURRENT = frozenset({"active", "contested"})
KEPT = CURRENT | {"deprecated"}
ANY = KEPT | inbox.DECIDED | {"superseded", "deleted"}

UPDATABLE = frozenset({
    "layer", "kind", "rule_type", "scope", "profile", "statement", "body", "tags", "applies_when",
    "does_not_apply_when", "known_exceptions", "confidence", "vault_ref", "review", "valid_from", "valid_to",
})  # fmt: skip
"""Fields of a record that `update` may set; the others have ops of their own or belong to the store."""

LIFT = frozenset({"lift_tombstone"})
EXCEPTIONS = frozenset({"known_exceptions", "does_not_apply_when"})

RULES: dict[OpName, Rule] = {
    "add": Rule(
        create.add, "Adds a rule", "nothing", ANY, "low", True, updates=LIFT, candidates=True
    ),
    "update": Rule(
        edit.update, "Changes a rule", "record", KEPT, "medium", True, updates=UPDATABLE | LIFT, candidates=True
    ),
    "supersede": Rule(
        create.supersede, "Replaces a rule", "record", KEPT, "high", False, updates=LIFT | {"by"}, candidates=True
    ),
    "deprecate": Rule(edit.deprecate, "Retires a rule", "record", CURRENT, "medium", True, candidates=True),
    "decay": Rule(
        edit.decay, "Lowers confidence after missed reviews", "record", CURRENT, "low", True,
        updates=frozenset({"cycles"}),
    ),
    "contest": Rule(
        edit.contest, "Marks a rule as disputed", "record", frozenset({"active"}), "medium", True,
        updates=frozenset({"next_review"}), candidates=True,
    ),
    "uncontest": Rule(
        edit.uncontest, "Settles a dispute", "record", frozenset({"contested"}), "medium", True,
        candidates=True,
    ),
    "add_exception": Rule(
        edit.add_exception, "Adds an exception to a rule", "record", CURRENT, "low", True,
        updates=EXCEPTIONS, candidates=True,
    ),
    "update_stability": Rule(
        edit.update_stability, "Changes how stable a rule is", "record", KEPT, "low", True,
        updates=frozenset({"stability"}), needs=frozenset({"stability"}), candidates=True,
    ),
    "flag_for_review": Rule(
        edit.flag_for_review, "Asks for a review", "record", KEPT, "low", True,
        updates=frozenset({"next_review", "cadence_days", "change_condition"}), candidates=True,
    ),
    "pin": Rule(edit.pin, "Pins a rule", "record", CURRENT, "low", True, candidates=True),
    "unpin": Rule(edit.unpin, "Unpins a rule", "record", CURRENT, "low", True, candidates=True),
    "resolve_fork": Rule(
        versions.resolve_fork, "Chooses between two versions", "anything", ANY, "high", False,
        updates=frozenset({"keep"}) | LIFT, forked=True,
    ),
    "delete": Rule(
        versions.delete, "Deletes it", "record or candidate", ANY, "high", False,
        updates=frozenset({"mode"}), candidates=True, forked=True,
    ),
    "reject_candidate": Rule(
        inbox.reject_candidate, "Turns it away", "candidate", inbox.OPEN, "low", True, candidates=True
    ),
    "defer_candidate": Rule(
        inbox.defer_candidate, "Puts it off", "candidate", inbox.OPEN, "low", True,
        updates=frozenset({"defer_until"}), candidates=True,
    ),
    "promote_to_vault_candidate": Rule(
        edit.promote_to_vault_candidate, "Marks a rule for the vault", "record", frozenset({"active"}), "low", True,
        candidates=True,
    ),
    "restore": Rule(
        versions.restore, "Goes back to an earlier version", "anything", ANY, "medium", False,
        updates=frozenset({"to", "together"}) | LIFT, needs=frozenset({"to"}),
    ),
}  # fmt: skip
