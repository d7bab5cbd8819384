"""The layout `knowledge`: working memory from the repository within 300 tokens, and what is known under a heading for
each tier within 700. What does not fit as a whole preview is shown by its gist, or not at all.

All tiers compete for the room by one score: how well the prompt matches, the weight of the tier, for this agent, what
the surroundings add, and how recent it is.
"""

from __future__ import annotations

from curate.recall.budget import taken_whole
from curate.recall.funnel import Stage
from curate.recall.judging import judged
from curate.recall.planned import Entry, Plan
from curate.recall.tiered import Tiered, components
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
HEADINGS = {
    "insights": "Insights", "digests": "Digests", "kg_entities": "Entities", "observations": "Observations",
}  # fmt: skip
"""Of the tiers, in the order of the block."""
PREVIEW = 1200
"""Characters of one record; a longer body is represented by its gist. Other items are kept as previews of that size."""
LIMIT = 12
OF_A_TIER = 5
"""Items of one tier below insights: the block is to be broad."""


def default_budget() -> int:
    """Tokens of a block when nobody says otherwise."""
    return WHOLE


def render(selection: Selection, plan: Plan) -> None:
    """Fill a plan: working memory first, then the tiers in what is left."""
    request = selection.request
    whole = taken_whole(request.agent)
    if whole is not None:
        plan.budget = min(plan.budget, whole // 4)  # no token is counted for more than four characters
    working = min(WORKING_TOKENS, plan.budget * WORKING_TOKENS // WHOLE)
    heading = f"## {WORKING}\n"
    lines = []
    if selection.speaks or request.previous:
        lines = working_memory(
            request.root, request.project_name, request.previous, working - tokens(heading), components(selection)
        )
    parts = [heading, *(f"{line}\n" for line in lines)] if lines else []
    plan.working = sum(map(tokens, parts))
    tiered = Tiered(selection)
    plan.counts = {
        "semantic": plan.counts.get("semantic", 0) + tiered.by_meaning,
        "keyword": plan.counts.get("keyword", 0) + tiered.by_words,
        "fused": plan.counts.get("fused", 0) + len(tiered.things),
    }
    found = sorted([*_insights(selection), *_things(selection, tiered)], key=lambda each: (-each[0].score, each[0].id))
    gists = {entry.id: gist for entry, gist in found}
    found = [(entry, gists[entry.id]) for entry in judged(selection, [entry for entry, _ in found])]
    stage = Stage("assembly", len(found))
    chosen = _chosen(found, plan, stage, first=not parts)
    for tier, title in HEADINGS.items():
        lead = f"{chr(10) if parts else ''}## {title}\n"
        for entry in chosen:
            if entry.tier == tier:
                parts.append(lead + entry.text)
                plan.entries.append(entry)
                lead = ""
    plan.stages += [*tiered.told, *selection.later, stage]
    plan.block = "".join(parts)
    plan.total = tokens(plan.block)


def _chosen(found: list[tuple[Entry, str]], plan: Plan, stage: Stage, *, first: bool) -> list[Entry]:
    """What fits, the best first; each with its gist where it does not fit whole."""
    left = plan.budget - plan.working
    chosen: list[Entry] = []
    of_tier: dict[str, int] = {}
    for entry, gist in found:
        count = of_tier.get(entry.tier, 0)
        if entry.tier != "insights" and count >= OF_A_TIER:
            stage.drop(entry.id, f"at most {OF_A_TIER} {HEADINGS[entry.tier].lower()}")
            continue
        lead = "" if count else f"{'' if first and not chosen else chr(10)}## {HEADINGS[entry.tier]}\n"
        for text in (entry.text, gist):
            cost = tokens(lead) + tokens(text)
            if len(chosen) < LIMIT and cost <= left:
                entry.text, entry.cost = text, tokens(text)
                left -= cost
                of_tier[entry.tier] = count + 1
                chosen.append(entry)
                break
        else:
            stage.drop(entry.id, "budget")
            plan.truncated = True
    return chosen


def _insights(selection: Selection) -> list[tuple[Entry, str]]:
    """Approved records that the prompt is about; each with its line by gist alone."""
    found = []
    for row in selection.rows:
        name = selection.name(row)
        gist = f"- {name} [conf {row.confidence:.2f}] {row.gist}\n"
        whole = row.body if row.body.startswith(row.gist) else f"{row.gist} — {row.body}" if row.body else row.gist
        text = f"- {name} [conf {row.confidence:.2f}] {whole}\n" if len(whole) <= PREVIEW else gist
        found.append((_entry(selection, row, "insights", text), gist))
    return found


def _things(selection: Selection, tiered: Tiered) -> list[tuple[Entry, str]]:
    found = []
    for thing in tiered.things:
        row = thing.row
        lead = f"- {selection.name(row)} [{thing.mark}] "
        text = f"{lead}{row.body or row.gist}\n"
        found.append((_entry(selection, row, thing.tier, text), f"{lead}{row.gist}\n"))
    return found


def _entry(selection: Selection, row: Row, tier: str, text: str) -> Entry:
    request = selection.request
    score = row.score * weight(request.agent, tier, request.weights) * boost(row, request) * recency(row, request)
    return Entry(row.id, row.rev, HEADINGS[tier], row.reason, text, score, relevance=row.score, tier=tier)
