"""What is proposed for each waiting group: which op, on which record, and why, in words.

A proposal is a patch and nothing else. Risk and preselection are the store's rules; a conflict is never preselected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from curate.review.confidence import confidence
from curate.review.inbox import Group, inbox
from curate.review.match import Relation
from store import ids
from store.model import Op, Patch
from store.patch import fill

if TYPE_CHECKING:
    from store.state import State


def propose(
    state: State,
    groups: Sequence[Group] | None = None,
    *,
    at: str | None = None,
    new_id: ids.NewId = ids.new_id,
) -> Patch:
    """A patch for what is visible, one op or more per group. Hidden groups are left to wait."""
    moment = at or ids.now()
    shown = [group for group in (inbox(state, at=moment) if groups is None else groups) if group.visible]
    maker = _Maker(state, moment, new_id, {group.id: group for group in shown})
    for group in sorted(shown, key=lambda group: group.newest, reverse=True):
        maker.group(group)
    ops = [op.model_copy(update={"op_id": f"op_{number:03}"}) for number, op in enumerate(maker.ops, 1)]
    patch = Patch(patch_id=new_id("pat"), created_at=moment, generated_by="curator", summary=_summary(shown), ops=ops)
    return fill(state, patch)


class _Maker:
    """Collects ops, newest group first, so that what takes a place is there before what it replaces."""

    def __init__(self, state: State, at: str, new_id: ids.NewId, groups: dict[str, Group]) -> None:
        self.state = state
        self.at = at
        self.new_id = new_id
        self.groups = groups
        self.ops: list[Op] = []
        self.record_of: dict[str, str] = {}
        """Ids given beforehand to records that another op refers to."""

    def group(self, group: Group) -> None:
        """The ops for one group."""
        if group.tab == "noise":
            self._op("reject_candidate", group, reason=group.why, doubt="waiting" in group.why)
            return
        later = [rival for rival in group.rivals if rival.newest > group.newest and rival.group in self.groups]
        newest = max(later, key=lambda rival: rival.newest, default=None)
        if group.match.kind in ("new", "ambiguous") and newest is not None and self._settled(newest.group):
            why = f'later it was said: "{newest.statement}" ({newest.newest[:10]}); kept as history'
            self._history(group, self._id_for(newest.group), why)
            return
        self._matched(group)

    def _settled(self, group_id: str) -> bool:
        return self.groups[group_id].match.kind in ("new", "ambiguous") and self.groups[group_id].tab != "noise"

    def _matched(self, group: Group) -> None:
        kind = group.match.kind
        relations = [relation for relation in group.match.relations if relation.kind == kind]
        if kind in ("new", "ambiguous"):
            self._add(group, None, group.match.why if kind == "ambiguous" else group.why, doubt=kind == "ambiguous")
            return
        left = list(group.targets)
        for relation in relations:
            scope = self.state.records[relation.record_id].data.get("scope") or {}
            if scope.get("project") in left:
                left.remove(scope["project"])
            self._on_record(group, relation)
        wider = any(relation.wider for relation in relations)
        if left and len(left) < len(group.targets) and not wider:
            self._add(group, left, f"new in {len(left)} of {len(group.targets)} projects", doubt=kind != "strengthens")

    def _on_record(self, group: Group, relation: Relation) -> None:
        target, why = relation.record_id, relation.why
        if relation.kind in ("duplicate", "strengthens"):
            self._op("update", group, target, reason=why)
        elif relation.kind == "updates" and relation.exception:
            self._op("add_exception", group, target, reason=why, updates={"known_exceptions": [group.statement]})
        elif relation.kind == "supersedes":
            self._op("supersede", group, target, reason=why, record=self._record(group, scoped=False))
        elif relation.outdated:
            self._history(group, target, why)
        elif relation.wider:
            self._add(group, None, why, doubt=True)
        elif self.state.records[target].data.get("status", "active") == "contested":
            self._add(group, None, f"{why}; the record is contested already", doubt=True)
        else:
            self._op("contest", group, target, reason=why, doubt=True)

    def _add(self, group: Group, targets: list[str] | None, why: str, *, doubt: bool) -> None:
        record = self._record(group, scoped=True)
        if group.id in self.record_of or group.rivals:
            record["id"] = self._id_for(group.id)
        named = group.targets if targets is None else targets
        if group.rivals and len(named) > 1:
            record.pop("id", None)
        project = group.scope.get("type", "project") == "project"
        if project and not named:
            why, doubt = "no project could be told; choose one", True
        self._op(
            "add", group, None, reason=why, record=record, targets=named if project else [],
            doubt=doubt or bool(group.rivals),
        )  # fmt: skip

    def _history(self, group: Group, successor: str, why: str) -> None:
        """What was said earlier than its contradiction becomes a record that is superseded from the start."""
        ident = self._id_for(group.id)
        record = {**self._record(group, scoped=True), "id": ident, "valid_from": group.newest}
        project = group.scope.get("type", "project") == "project"
        place = (self.state.records[successor].data.get("scope") or {}) if successor in self.state.records else {}
        targets = [place["project"]] if place.get("project") in group.targets else group.targets[:1]
        self._op("add", group, None, reason=why, record=record, targets=targets if project else [], doubt=True)
        self._op("supersede", group, ident, reason=why, updates={"by": successor}, doubt=True)

    def _record(self, group: Group, *, scoped: bool) -> dict[str, Any]:
        evidence = self.state.evidence_of(group.evidence)
        record: dict[str, Any] = {"statement": group.statement}
        if group.rule_type:
            record["rule_type"] = group.rule_type
        if evidence:
            record["confidence"] = confidence(evidence, at=self.at, approved=True)
        if scoped:
            record["scope"] = {key: value for key, value in group.scope.items() if key != "project"}
        return record

    def _id_for(self, group_id: str) -> str:
        if group_id not in self.record_of:
            self.record_of[group_id] = self.new_id("mem")
        return self.record_of[group_id]

    def _op(self, name: Any, group: Group, target: str | None = None, *, doubt: bool = False, **fields: Any) -> None:
        told = {key: value for key, value in fields.items() if value not in (None, [], {})}
        op = Op(op_id="op", op=name, target_id=target, candidate_ids=list(group.candidates), **told)
        self.ops.append(op.model_copy(update={"default_selected": False}) if doubt else op)


def _summary(groups: Sequence[Group]) -> str:
    count = len(groups)
    return f"{count} group{'' if count == 1 else 's'} from the inbox"
