"""All of upkeep: one look at a store, what was found, and the patch that would answer it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curate.review.known import Records
from curate.upkeep.ageing import reviews, stale
from curate.upkeep.finding import ORDER, Finding
from curate.upkeep.repeats import duplicates
from curate.upkeep.rising import identity, promotions
from curate.upkeep.use import corrected, unused
from store.ids import NewId, new_id
from store.log.fold import content, status
from store.model import Op, Patch, Record
from store.patch import fill

if TYPE_CHECKING:
    from curate.upkeep.turns import Sent
    from store.log.fold import Versions
    from store.state import State


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What upkeep found and proposes; `op_ids` names the op of each finding, None where there is nothing to do."""

    findings: list[Finding]
    op_ids: list[str | None]
    patch: Patch


def maintain(state: State, turns: Sequence[Sent], *, at: str, new_id: NewId = new_id) -> Upkeep:
    """Look at every live record. `turns` is what the journal has; `at` is now. Nothing is changed."""
    live = sorted(
        (one for one in state.live_records() if status(one) in {"active", "contested"} and _is_record(one)),
        key=lambda versions: versions.id,
    )
    active = [versions for versions in live if status(versions) == "active"]
    known = Records()
    known.update(state)
    found = [
        *corrected(state, known, turns),
        *reviews(live, at),
        *duplicates(active, known),
        *identity(state, active, known, at),
        *promotions(state, known, at),
        *unused(active, turns, at),
        *stale(active, at),
    ]
    found.sort(key=lambda one: (ORDER.index(one.kind), one.record_ids))
    ops: list[Op] = []
    names: list[str | None] = []
    taken: set[tuple[str, str]] = set()
    for one in found:
        key = (one.sketch.op, one.sketch.target_id or one.record_ids[0]) if one.sketch else None
        if one.sketch is None or key is None or key in taken:
            names.append(None)
            continue
        taken.add(key)
        names.append(f"op_{len(ops) + 1:03}")
        ops.append(one.sketch.full(f"op_{len(ops) + 1:03}", one.why))
    patch = Patch(patch_id=new_id("pat"), created_at=at, generated_by="maintainer", summary=_summary(found), ops=ops)
    return Upkeep(found, names, fill(state, patch))


def _is_record(versions: Versions) -> bool:
    """Whether its line is one; a line that somebody broke is for `curate verify` to name, and costs only itself."""
    try:
        Record.model_validate(content(versions.data))
    except ValueError:
        return False
    return True


def _summary(found: Sequence[Finding]) -> str:
    counts: dict[str, int] = {}
    for one in found:
        if one.sketch is not None:
            counts[one.kind] = counts.get(one.kind, 0) + 1
    parts = [f"{number} {kind.replace('_', ' ')}" for kind, number in counts.items()]
    return f"Upkeep: {', '.join(parts)}" if parts else "Upkeep: nothing to do"
