"""The layout `knowledge`: working memory from the repository within 300 tokens, and what is known under a heading for
each tier within 700. What does not fit as a whole preview is shown by its gist, or not at all.
"""

from __future__ import annotations

from curate.recall.funnel import Stage
from curate.recall.planned import Entry, Plan
from curate.recall.tiers import boost, recency, weight
from curate.recall.tokens import tokens
from curate.recall.working_memory import BUDGET as WORKING_TOKENS
from curate.recall.working_memory import working_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curate.recall.candidates import Row
    from curate.recall.selection import Selection

UNIT = "tokens"
WHOLE = 1000
WORKING = "Working Memory"
INSIGHTS = "Insights"
PREVIEW = 1200
"""Characters of one item; a longer body is represented by its gist."""
PREVIEW_VERSION = 2
"""Changes with the rule above, so that what was made under another is told apart."""
LIMIT = 12


def default_budget() -> int:
    """Tokens of a block when nobody says otherwise."""
    return WHOLE


def render(selection: Selection, plan: Plan) -> None:
    """Fill a plan: working memory first, then the tiers in what is left."""
    request = selection.request
    working = min(WORKING_TOKENS, plan.budget * WORKING_TOKENS // WHOLE)
    heading = f"## {WORKING}\n"
    lines = []
    if selection.speaks:
        lines = working_memory(request.root, request.project_name, budget=working - tokens(heading))
    parts = [heading, *(f"{line}\n" for line in lines)] if lines else []
    plan.working = sum(map(tokens, parts))
    left = plan.budget - plan.working
    stage = Stage("assembly", 0)
    title = f"{chr(10) if parts else ''}## {INSIGHTS}\n"
    for entry, gist in _insights(selection):
        stage.came_in += 1
        lead = "" if plan.entries else title
        for text in (entry.text, gist):
            if len(plan.entries) < LIMIT and tokens(lead + text) <= left:
                entry.text, entry.cost = text, tokens(text)
                left -= tokens(lead + text)
                parts.append(lead + text)
                plan.entries.append(entry)
                break
        else:
            stage.drop(entry.id, "budget")
            plan.truncated = True
    plan.stages += [*selection.later, stage]
    plan.block = "".join(parts)
    plan.total = tokens(plan.block)


def _insights(selection: Selection) -> list[tuple[Entry, str]]:
    """Approved records that the prompt is about, by weighted score; each with its line by gist alone."""
    request = selection.request
    factor = weight(request.agent, "insights")
    scored: list[tuple[float, Row]] = [
        (row.score * factor * boost(row, request) * recency(row, request), row) for row in selection.rows
    ]
    scored.sort(key=lambda each: (-each[0], each[1].id))
    found = []
    for score, row in scored:
        name = selection.name(row)
        gist = f"- {name} [conf {row.confidence:.2f}] {row.gist}\n"
        whole = row.body if row.body.startswith(row.gist) else f"{row.gist} — {row.body}" if row.body else row.gist
        text = f"- {name} [conf {row.confidence:.2f}] {whole}\n" if len(whole) <= PREVIEW else gist
        found.append((Entry(row.id, row.rev, INSIGHTS, row.reason, text, score, relevance=row.score), gist))
    return found
