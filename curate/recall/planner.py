"""From a request to a plan. Pure but for reading the index: no clock, no disk, no chance; same inputs, same bytes."""

from __future__ import annotations

from curate.recall.gate import own_words, skip_reason
from curate.recall.planned import Plan
from curate.recall.selection import Selection
from curate.recall.topic import looked_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from types import ModuleType

    from curate.recall.request import Request


def plan(db: Connection, request: Request) -> Plan:
    """What one turn gets, and why. Raises `schema.Fault` when the index cannot be read."""
    layout = layout_of(request.layout)
    answer = Plan(request.layout, request.project, layout.UNIT, request.budget or layout.default_budget())
    request.prompt = looked_at(own_words(request.prompt))
    answer.skipped = skip_reason(request.prompt)
    if answer.skipped is not None:
        return answer
    selection = Selection(db, request)
    answer.stages = selection.stages()
    found = selection.candidates.found
    answer.counts = {"semantic": found.by_meaning, "keyword": found.by_words, "fused": len(found.hits)}
    layout.render(selection, answer)
    return answer


def layout_of(name: str) -> ModuleType:
    """The module of a layout; each loads only its own."""
    if name == "context":
        import curate.recall.layouts.context as layout
    elif name == "knowledge":
        import curate.recall.layouts.knowledge as layout  # type: ignore[no-redef]
    else:
        import curate.recall.layouts.governed as layout  # type: ignore[no-redef]
    return layout
