"""What is proposed for each waiting group: which op, on which record, and why, in words.

A proposal is a patch and nothing else. Risk and preselection are the store's rules; a conflict is never preselected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from curate.review.confidence import confidence_of
from curate.review.inbox import Group, inbox, no_collection
from store import ids

if TYPE_CHECKING:
    from curate.review.match import Relation
    from store.model import Op, OpName, Patch, Risk
    from store.state import State


@dataclass(frozen=True, slots=True)
class Sketch:
    """An op before it is a model: twenty thousand proposals are looked at one by one, if at all."""

    op: OpName
    candidate_ids: Sequence[str]
    target_id: str | None = None
    reason: str | None = None
    record: Mapping[str, Any] | None = None
    updates: Mapping[str, Any] = field(default_factory=dict)
    targets: Sequence[str] = ()
    doubt: bool = False
    """Never preselected, whatever the rules say of such an op."""

    def full(self, op_id: str = "op") -> Op:
        """The op, as yet without what the store fills in."""
        from store.model import Op

        told: dict[str, Any] = {
            "reason": self.reason, "record": self.record and dict(self.record), "updates": dict(self.updates),
            "targets": list(self.targets), "default_selected": False if self.doubt else None,
        }  # fmt: skip
        told = {key: value for key, value in told.items() if value not in (None, [], {})}
        return Op(op_id=op_id, op=self.op, target_id=self.target_id, candidate_ids=list(self.candidate_ids), **told)


@dataclass(frozen=True, slots=True)
class Glance:
    """What a list shows of a proposal."""

    op: OpName
    reason: str | None
    risk: Risk
    safe: bool
    """All of it is preselected."""


def propose(
    state: State,
    groups: Sequence[Group] | None = None,
    *,
    at: str | None = None,
    new_id: ids.NewId = ids.new_id,
) -> Patch:
    """A patch for what is visible, one op or more per group. Hidden groups are left to wait."""
    from store.model import Patch
    from store.patch import fill

    moment = at or ids.now()
    shown = [group for group in (inbox(state, at=moment) if groups is None else groups) if group.visible]
    maker = Maker(state, moment, new_id, {group.id: group for group in shown}.get)
    with no_collection():
        newest_first = sorted(shown, key=lambda group: group.newest, reverse=True)
        sketches = [sketch for group in newest_first for sketch in maker.sketches(group)]
        ops = [sketch.full(f"op_{number:03}") for number, sketch in enumerate(sketches, 1)]
        patch = Patch(
            patch_id=new_id("pat"), created_at=moment, generated_by="curator", summary=_summary(shown), ops=ops
        )
        return fill(state, patch)


def glance(state: State, sketches: Sequence[Sketch]) -> Glance | None:
    """Op, risk and preselection of a proposal as `propose` would fill them in, without making the ops."""
    if not sketches:
        return None
    from store.patch.draft import Draft
    from store.patch.policy import default_selected, effect, risk

    draft = Draft(state, "", "", _no_ids)
    ops = cast("Sequence[Op]", sketches)  # judged by what both of them have
    effects = [effect(op, draft) for op in ops]
    safe = all(
        not sketch.doubt and default_selected(op, draft, seen)
        for sketch, op, seen in zip(sketches, ops, effects, strict=True)
    )
    return Glance(ops[0].op, ops[0].reason, risk(ops[0], draft, effects[0]), safe)


class Proposed(Sequence["Op"]):
    """The ops of one proposal, made when somebody looks at them."""

    __slots__ = ("_at", "_ops", "_sketches", "_state")

    def __init__(self, state: State, sketches: Sequence[Sketch], at: str) -> None:
        self._state = state
        self._sketches = sketches
        self._at = at
        self._ops: list[Op] | None = None

    def __len__(self) -> int:
        return len(self._sketches)

    def __getitem__(self, at: Any) -> Any:
        return self._made()[at]

    def _made(self) -> list[Op]:
        if self._ops is None:
            from store.model import Patch
            from store.patch import fill

            ops = [sketch.full(f"op_{number:03}") for number, sketch in enumerate(self._sketches, 1)]
            patch = Patch(patch_id="pat", created_at=self._at, generated_by="curator", summary="", ops=ops)
            self._ops = fill(self._state, patch).ops
        return self._ops


Find = Callable[[str], Group | None]
"""Gives a visible group by its id."""


class Maker:
    """Makes proposals. In a patch the newest group comes first: what takes a place is there before what it replaces."""

    def __init__(self, state: State, at: str, new_id: ids.NewId, find: Find) -> None:
        self.state = state
        self.at = at
        self.new_id = new_id
        self.find = find
        self.ops: list[Sketch] = []
        self.record_of: dict[str, str] = {}
        """Ids given beforehand to records that another op refers to."""

    def sketches(self, group: Group) -> list[Sketch]:
        """The ops for one group."""
        self.ops = []
        self._group(group)
        return self.ops

    def _group(self, group: Group) -> None:
        if group.tab == "noise":
            self._op("reject_candidate", group, reason=group.why, doubt="waiting" in group.why)
            return
        later = [rival for rival in group.rivals if rival.newest > group.newest and self.find(rival.group)]
        newest = max(later, key=lambda rival: rival.newest, default=None)
        if group.match.kind in ("new", "ambiguous") and newest is not None and self._settled(newest.group):
            why = f'later it was said: "{newest.statement}" ({newest.newest[:10]}); kept as history'
            self._history(group, self._id_for(newest.group), why)
            return
        self._matched(group)

    def _settled(self, group_id: str) -> bool:
        group = self.find(group_id)
        return group is not None and group.match.kind in ("new", "ambiguous") and group.tab != "noise"

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
        evidence = [self.state.evidence[ident] for ident in group.evidence if ident in self.state.evidence]
        record: dict[str, Any] = {"statement": group.statement}
        if group.rule_type:
            record["rule_type"] = group.rule_type
        if evidence:
            record["confidence"] = confidence_of(evidence, at=self.at, approved=True)
        if scoped:
            record["scope"] = {key: value for key, value in group.scope.items() if key != "project"}
        return record

    def _id_for(self, group_id: str) -> str:
        if group_id not in self.record_of:
            self.record_of[group_id] = self.new_id("mem")
        return self.record_of[group_id]

    def _op(self, name: OpName, group: Group, target: str | None = None, **fields: Any) -> None:
        self.ops.append(Sketch(name, group.candidates, target, **fields))


def _summary(groups: Sequence[Group]) -> str:
    count = len(groups)
    return f"{count} group{'' if count == 1 else 's'} from the inbox"


def _no_ids(prefix: str) -> str:
    raise AssertionError(f"judging a proposal makes no {prefix}")
