"""What an op risks, whether it is chosen unless a person says otherwise, and which ops need a typed word.

The rules of governance in one place; the ops themselves know nothing of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from store.patch.check import check_op
from store.patch.draft import Draft, Item, Skip, before
from store.patch.identity import WORD, barred_from_identity, layers, said
from store.patch.returning import lifted_by
from store.patch.table import RULES
from store.patch.trust import LOW_TRUST, weight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from store.model import Op, Risk
    from store.state import State

IDENTITY_WORD = WORD
PURGE_WORD = "purge"
PLANTABLE = frozenset({"repository_text", "generated_content", "third_party_documentation"})
"""Sources in which somebody else can plant an instruction."""
_RISKS: tuple[Risk, ...] = ("low", "medium", "high")


@dataclass(frozen=True, slots=True)
class Effect:
    """What an op would touch: enough to judge it without applying it."""

    layer: str
    wide: bool
    """Global or domain scope."""
    poisoning: Risk
    trust: float
    """The lowest trust weight among the candidates; 1.0 for what a person wrote by hand."""
    sessions: int
    projects: int


def effect(op: Op, draft: Draft) -> Effect:
    """Judges an op by its target, its candidates, the evidence it names and what it says itself; the most dangerous of
    them counts.
    """
    items = [item for ident in op.candidate_ids if (item := draft.item("candidate", ident))]
    target = draft.find(op.target_id, ("record", "candidate")) if op.target_id else None
    record = target if target is not None and target.kind == "record" else None
    told = said(op)
    brought = [draft.state.evidence.get(ident, {}) for ident in told.get("evidence") or ()]
    risks = [item.content.get("poisoning_risk", "low") for item in items]
    risks += ["high" for piece in brought if piece.get("trust") in PLANTABLE]
    trusts = [weight(item.content.get("trust")) for item in items]
    trusts += [weight(piece.get("trust", "direct_user_instruction")) for piece in brought if piece]
    evidence = [draft.state.evidence.get(e, {}) for item in items for e in item.content.get("evidence", ())]
    return Effect(
        layer="L1" if "L1" in layers(op, draft) else "L2",
        wide=_wide(op, told, record, items, draft),
        poisoning="high" if "high" in risks else "medium" if "medium" in risks else "low",
        trust=min(trusts, default=1.0),
        sessions=len({e.get("session") or e.get("id") for e in evidence if e}),
        projects=len(op.targets or _targets(items)),
    )


def risk(op: Op, draft: Draft, seen: Effect | None = None) -> Risk:
    """Low, medium or high. `seen` is the op's effect where it is known already, as in the functions below."""
    seen = seen or effect(op, draft)
    own = RULES[op.op].risk
    harmless = op.op in ("reject_candidate", "defer_candidate")
    if own == "high" or (not harmless and (seen.layer == "L1" or seen.poisoning == "high")):
        return "high"
    if own == "low" and not harmless and (seen.wide or seen.poisoning == "medium" or seen.trust < LOW_TRUST):
        return "medium"
    return own


def default_selected(op: Op, draft: Draft, seen: Effect | None = None, *, conflict: bool = False) -> bool:
    """Whether the op is applied unless a person unselects it.

    Never for what ends a memory (supersede, delete), identity, anything global, high poisoning risk, low trust, what
    lifts the mark of something dead, or a `conflict` that the caller has found. Turning a candidate away or putting it
    off takes nothing from anybody.
    """
    rule = RULES[op.op]
    if not rule.preselected or conflict or op.updates.get("lift_tombstone"):
        return False
    if op.op in ("reject_candidate", "defer_candidate"):
        return True
    seen = seen or effect(op, draft)
    return not (seen.layer == "L1" or seen.wide or seen.poisoning == "high" or seen.trust < LOW_TRUST)


def preselected(op: Op, draft: Draft) -> bool:
    """Whether an op whose document may say something of it is chosen: a document can take an op out, never in."""
    return op.default_selected is not False and default_selected(op, draft)


def least_risk(told: Risk | None, known: Risk) -> Risk:
    """The risk of an op whose document may say one: a document can call it higher, never lower."""
    return known if told is None or _RISKS.index(told) < _RISKS.index(known) else told


def rationale(op: Op, draft: Draft, seen: Effect | None = None) -> str:
    """One sentence for the reviewer: what the op does and on what ground."""
    seen = seen or effect(op, draft)
    parts = [RULES[op.op].does]
    if op.op in ("add", "supersede", "update") and seen.projects > 1:
        parts.append(f"in {seen.projects} projects")
    elif op.op in ("add", "supersede") and seen.wide:
        parts.append("for every project")
    if seen.layer == "L1":
        parts.append("as identity memory")
    text = " ".join(parts)
    if op.candidate_ids:
        said = len({e for ident in op.candidate_ids for e in _evidence(draft, ident)})
        text += f": said {_times(said)} in {seen.sessions} session{'' if seen.sessions == 1 else 's'}"
    if seen.poisoning == "high":
        text += "; its source could carry planted instructions"
    return f"{text}."


def gate(state: State, op: Op) -> str | None:
    """The word that a person must type before the op is applied, or nothing when it needs none. Raises `BadPatch`."""
    check_op(op)
    draft = Draft(state, "", "", _no_ids)
    barred_by = barred(op, draft, ())
    if barred_by is None or barred_by.reason != "needs_confirmation":
        return None
    return PURGE_WORD if op.op == "delete" else IDENTITY_WORD


def barred(op: Op, draft: Draft, words: Iterable[str], *, undoing: bool = False) -> Skip | None:
    """What still stands between a selected op and its application: a typed word, or what identity memory requires."""
    words = set(words)
    if op.op == "delete" and op.updates.get("mode") == "purge" and PURGE_WORD not in words:
        return Skip("needs_confirmation", f"a purge cannot be undone; confirm it with the word {PURGE_WORD}")
    if not undoing and not op.updates.get("lift_tombstone") and (mark := lifted_by(op, draft)):
        return Skip("tombstoned", f'{mark} keeps something dead; to lift it set "updates": {{"lift_tombstone": true}}')
    return barred_from_identity(op, draft, words, undoing=undoing)


def _wide(op: Op, told: Mapping[str, Any], record: Item | None, items: list[Item], draft: Draft) -> bool:
    kinds = set()
    if record is not None:
        kinds.add((record.content.get("scope") or {}).get("type", "global"))
    if op.op == "restore" and record is not None:
        versions = before(draft.state, "record", record.id)
        to = str(op.updates.get("to"))
        if versions is not None and to in versions:
            kinds.add((versions[to].data.get("scope") or {}).get("type", "global"))
    if told.get("scope"):
        kinds.add(told["scope"].get("type", "project"))
    elif op.op == "add" and not op.targets:
        kinds |= {(item.content.get("scope") or {}).get("type", "project") for item in items} or {"global"}
    return bool(kinds & {"global", "domain"})


def _targets(items: list[Item]) -> set[str]:
    return {target for item in items for target in item.content.get("targets", ())}


def _evidence(draft: Draft, ident: str) -> list[str]:
    item = draft.item("candidate", ident)
    return list(item.content.get("evidence", ())) if item else []


def _times(count: int) -> str:
    return {0: "no times", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _no_ids(prefix: str) -> str:
    raise AssertionError(f"judging an op makes no {prefix}")
