"""Records that have proved themselves: ripe for the vault, or so settled that they speak of the person. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from curate.matching.clash import clash
from curate.matching.normal import meaning
from curate.upkeep.finding import Finding, Sketch, days_between
from curate.vault.criteria import family, since
from curate.vault.overview import ripe
from store.log.fold import status
from store.patch.edit import VAULT_TAG
from store.patch.trust import STRONG, weight

if TYPE_CHECKING:
    from curate.review.known import Records
    from curate.vault.criteria import Family
    from store.log.fold import Versions
    from store.state import State

SETTLED = 90
"""Days that a cluster must have stood unchanged before it says something of the person."""
SESSIONS = 3
"""Sessions in which a person must have said it."""
CONDITION = "two corrections against it within 90 days, or a project where the opposite is asked for"
PLACES = 3
"""Projects it must have been seen in, unless it was made to hold everywhere."""


def promotions(state: State, known: Records, at: str) -> Iterator[Finding]:
    """Records that meet every condition of the vault and are not on their way there."""
    for ident in ripe(state, at, lambda ident: known.meaning_of(ident).keys):
        data = state.records[ident].data
        if VAULT_TAG not in (data.get("tags") or ()) and not data.get("vault_ref"):
            why = "seen in two projects or more, unchanged for 30 days, and its sources are known"
            yield Finding("promote", [ident], data["statement"], why, Sketch("promote_to_vault_candidate", ident))


def identity(state: State, records: Sequence[Versions], known: Records, at: str) -> Iterator[Finding]:
    """Clusters of settled records that speak of the person, with what speaks against them."""
    covered: set[str] = set()
    for versions in records:
        data = versions.data
        if versions.id in covered or not _personal(state, data):
            continue
        asked = known.meaning_of(versions.id)
        found = family(state, versions.id, [each for each in known.near(asked) if each != versions.id])
        covered |= set(found.ids)
        if not _settled(found, at) or any(state.records[each].data.get("layer") == "L1" for each in found.ids):
            continue
        against = counterexamples(state, found, known)
        sessions = _sessions(found)
        stands = f"said in {len(sessions)} sessions, unchanged since {since(found)[:10]}"
        if against:
            why = f"{stands}, but no proposal as identity: {against[0]}"
            why += f" (and {len(against) - 1} more)" if len(against) > 1 else ""
            yield Finding("identity", found.ids, data["statement"], why)
            continue
        why = f"{stands}; nothing speaks against it: it may say something of you in every project"
        yield Finding("identity", found.ids, data["statement"], why, _proposal(found, data))


def counterexamples(state: State, found: Family, known: Records) -> list[str]:
    """What speaks against a cluster: contests, exceptions, evidence against it, and what asks for the opposite."""
    asked = meaning(found.record.data["statement"])
    told: list[str] = []
    for each in (found.record, *found.kin):
        data = each.data
        if status(each) == "contested":
            told.append(f"{each.id} is contested")
        told += [f"{each.id} does not hold: {text}" for name in ("known_exceptions", "does_not_apply_when")
                 for text in data.get(name) or ()]  # fmt: skip
        if data.get("evidence_against"):
            told.append(f"somebody spoke against {each.id}")
    for ident in known.near(asked):
        if ident not in found.ids and clash(asked, known.meaning_of(ident)) is not None:
            told.append(f"{ident} asks for something else: {state.records[ident].data['statement']}")
    for versions in state.waiting():
        if clash(asked, meaning(versions.data["statement"])) is not None:
            told.append(f"{versions.id} waits and asks for something else: {versions.data['statement']}")
    return told


def _personal(state: State, data: dict[str, Any]) -> bool:
    """About the person rather than a repository: a preference, stable, and not identity already."""
    from curate.vault.taste import is_taste

    if data.get("layer") == "L1" or data.get("stability") == "low" or status(state.records[data["id"]]) != "active":
        return False
    return data.get("rule_type") == "preference" or is_taste(data["statement"])


def _settled(found: Family, at: str) -> bool:
    everywhere = any((each.data.get("scope") or {}).get("type") == "global" for each in (found.record, *found.kin))
    wide = everywhere or len(found.projects) >= PLACES
    return wide and len(_sessions(found)) >= SESSIONS and days_between(since(found), at) >= SETTLED


def _sessions(found: Family) -> set[str]:
    return {
        piece.session
        for piece in found.evidence
        if piece.session and piece.polarity == "for" and weight(piece.trust) >= STRONG
    }


def _proposal(found: Family, data: dict[str, Any]) -> Sketch:
    """Identity memory as an op: it names its evidence and what would make it false, and waits for a typed word."""
    strong = [piece.id for piece in found.evidence if piece.polarity == "for" and weight(piece.trust) >= STRONG]
    record = {
        "layer": "L1", "kind": "fact", "rule_type": "preference", "scope": {"type": "global"},
        "statement": data["statement"], "evidence": strong, "stability": "stable",
        **({"profile": data["profile"]} if data.get("profile") else {}),
        "review": {
            "cadence_days": SETTLED,
            "change_condition": CONDITION,
        },
    }  # fmt: skip
    return Sketch("add", None, record=record, doubt=True)
