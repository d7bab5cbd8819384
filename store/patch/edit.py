"""The ops that change one record in place: each gives the record's next content."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from store.patch.build import accepted, candidates, days_after, joined, moment, tidy, tombstoned
from store.patch.draft import Change, Outcome, Skip, Write
from store.patch.trust import expected_confidence
from store.state import places
from store.text import one_line

DECAY = {"low": 0.15, "semi-stable": 0.15, "stable": 0.05}
"""Confidence lost per missed review cycle, by stability."""

VAULT_TAG = "vault-candidate"
"""Marks a record that may deserve a page in the vault."""


def update(change: Change) -> Outcome:
    """Fields get new values (null clears one); candidates named strengthen the record with their evidence."""
    fields = tidy({key: value for key, value in change.op.updates.items() if key != "lift_tombstone"})
    old = change.item.content
    writes: list[Write] = []
    scope = fields.get("scope")
    if scope and scope.get("project"):
        home, writes = change.draft.project(scope["project"])
        fields["scope"] = {**scope, "project": home}
    words, where = fields.get("statement", old["statement"]), fields.get("scope") or old["scope"]
    if words != old["statement"] or not places(where) <= places(old["scope"]):
        lifted = tombstoned(change, words, [where])
        if isinstance(lifted, Skip):
            return lifted
        writes = [*writes, *lifted]
    if fields.get("review"):
        fields["review"] = {**old.get("review", {}), **fields["review"]}
    done = _next(change, "it changes nothing", **fields)
    return done if isinstance(done, Skip) else [*writes, *done]


def deprecate(change: Change) -> Outcome:
    """The record no longer holds, and nothing takes its place."""
    return _next(change, "", status="deprecated", valid_to=change.at, contested_because=None)


def contest(change: Change) -> Outcome:
    """The record is disputed: warned about, never given as a rule. Candidates named are its evidence against; with
    `updates.next_review` it is looked at again on that day.
    """
    why = one_line(change.op.reason or "") or "disputed"
    fields: dict[str, Any] = {"status": "contested", "contested_because": why}
    if due := change.op.updates.get("next_review"):
        fields["review"] = {**change.item.content.get("review", {}), "next_review": due}
    return _next(change, "", **fields)


def uncontest(change: Change) -> Outcome:
    """The dispute is settled in the record's favour, and its next review counts from now."""
    review = dict(change.item.content.get("review", {}))
    if review.get("next_review") and review.get("cadence_days"):
        review["next_review"] = days_after(change.at, review["cadence_days"])
    return _next(change, "", status="active", contested_because=None, review=review or None)


def decay(change: Change) -> Outcome:
    """Confidence falls for every review cycle missed by now (or `updates.cycles`), and the next review moves on.

    It moves so far that a missed cycle is never counted twice.
    """
    old = change.item.content
    review = dict(old.get("review", {}))
    cycles = change.op.updates.get("cycles") or missed_cycles(review, change.at)
    lost = DECAY[old.get("stability", "semi-stable")] * cycles
    confidence = old.get("confidence", 0.5)
    if not cycles:
        return Skip("not_applicable", "no review of it is overdue")
    if confidence <= 0:
        return Skip("not_applicable", "its confidence is 0 already")
    if review.get("next_review") and review.get("cadence_days"):
        review["next_review"] = days_after(review["next_review"], cycles * review["cadence_days"])
    return _next(change, "", confidence=round(max(0.0, confidence - lost), 4), review=review)


def add_exception(change: Change) -> Outcome:
    """The record gets a case in which it does not hold: `known_exceptions` or `does_not_apply_when`."""
    told = tidy({key: [value] if isinstance(value, str) else value for key, value in change.op.updates.items()})
    fields = {name: joined(change.item.content.get(name, ()), lines) for name, lines in told.items()}
    return _next(change, "it has that exception already", **fields)


def update_stability(change: Change) -> Outcome:
    """How soon the record is expected to change."""
    return _next(change, "that is its stability already", stability=change.op.updates["stability"])


def flag_for_review(change: Change) -> Outcome:
    """The record is looked at again at `updates.next_review`, or now."""
    told = {"next_review": change.at, **change.op.updates}
    review = {**change.item.content.get("review", {}), **told}
    return _next(change, "it is flagged for that moment already", review=review)


def pin(change: Change) -> Outcome:
    """The record keeps its place whatever the budget."""
    return _next(change, "it is pinned already", pinned=True)


def unpin(change: Change) -> Outcome:
    """The record competes for its place again."""
    return _next(change, "it is not pinned", pinned=False)


def promote_to_vault_candidate(change: Change) -> Outcome:
    """The record is marked for the vault; the dossier is written in a step of its own."""
    tags = joined(change.item.content.get("tags", ()), [VAULT_TAG])
    return _next(change, "it is marked already", tags=tags)


def missed_cycles(review: dict[str, Any], at: str) -> int:
    """Review cycles that have passed without a review by the moment `at`; the first counts as soon as it is due."""
    due, cadence = review.get("next_review"), review.get("cadence_days")
    if not due or not cadence or moment(due) > moment(at):
        return 0
    return int((moment(at) - moment(due)) / timedelta(days=cadence)) + 1


def _next(change: Change, unchanged: str, **fields: Any) -> Outcome:
    """The record with new values and the evidence of the candidates named; a skip when nothing would differ."""
    old = change.item.content
    sources = candidates(change)
    if isinstance(sources, Skip):
        return sources
    if sources:
        name = "evidence_against" if change.op.op == "contest" else "evidence"
        fields[name] = joined(old.get(name, ()), *(item.content.get("evidence", ()) for item in sources))
        if change.op.op == "update" and "confidence" not in fields:
            expected = expected_confidence(change.draft.state.spoken({**old, **fields}))
            fields["confidence"] = max(old.get("confidence", 0.5), expected)
    record = change.item.with_(**fields)
    if not sources and record == old:
        return Skip("not_applicable", unchanged)
    writes = [Write("record", {**record, "updated_at": change.at})]
    return writes + accepted(change, sources, [change.item.id])
