"""How much each kind of knowledge counts, for which agent, and what the surroundings of a turn add."""

from __future__ import annotations

from curate.recall.staleness import days_between
from store.index.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from curate.recall.candidates import Row
    from curate.recall.request import Request

TIERS = {"insights": 1.3, "digests": 1.15, "kg_entities": 1.0, "observations": 0.85}
"""Insights above digests above entities above observations."""
PROFILES = {
    "claude-code": {"insights": 1.3, "digests": 1.2, "kg_entities": 1.0, "observations": 0.9},
    "opencode": {"insights": 1.0, "digests": 1.0, "kg_entities": 1.2, "observations": 1.1},
    "copilot": {"insights": 0.9, "digests": 1.0, "kg_entities": 1.3, "observations": 1.1},
    "pi": {"insights": 1.1, "digests": 1.3, "kg_entities": 1.0, "observations": 1.0},
}
"""By how each agent tends to work, where the settings say nothing else; for other agents everything counts alike."""
PROJECT_BOOST, FOLDER_BOOST, FILES_BOOST = 1.15, 1.10, 1.20
HALF_LIFE = 90.0
"""Days in which the part of a score that recency has halves."""
RECENCY = 0.2
"""That part."""


def weight(agent: str, tier: str, own: Mapping[str, float] | None = None) -> float:
    """What a tier's score is multiplied by for an agent; `own` is what the settings say, by `AGENT.TIER`."""
    usual = PROFILES.get(agent, {}).get(tier, 1.0)
    return TIERS[tier] * (own.get(f"{agent}.{tier}", usual) if own else usual)


def boost(row: Row, request: Request) -> float:
    """What a record's score gains by naming the project, the working directory or a file in work."""
    own = set(row.terms.split())
    factor = 1.0
    for text, gain in (
        (request.project_name, PROJECT_BOOST),
        (request.cwd.rpartition("/")[2], FOLDER_BOOST),
        (" ".join(path.rpartition("/")[2] for path in request.files[:10]), FILES_BOOST),
    ):
        if text and not own.isdisjoint(terms(text)):
            factor *= gain
    return factor


def recency(row: Row, request: Request) -> float:
    """From 1 for what was changed today down to 0.8."""
    age = days_between(row.updated, request.today)
    return 1.0 if age is None or age <= 0 else float(1 - RECENCY + RECENCY * 0.5 ** (age / HALF_LIFE))
