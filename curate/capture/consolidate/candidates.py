"""What a supported item becomes: an inferred candidate, with the person's own words as its evidence.

Nothing in it is trusted because a model says so: trust and confidence are fixed here, and the scope follows from the
words that were quoted and from what the agent changed, not from the model's wording.
"""

from __future__ import annotations

from collections.abc import Iterable

from curate.capture.consolidate.answer import Supported
from curate.capture.draft import Drafter
from curate.capture.excerpt import excerpt
from curate.capture.intent import classify
from curate.capture.scope import decide
from curate.capture.trust import Risk, poisoning_risk
from curate.matching.normal import meaning
from curate.matching.same import agree
from store.captures import Capture
from store.ids import NewId, content_id
from store.model import Candidate, Evidence, TrustClass
from store.patch.trust import weight
from store.state import State

TRUST: TrustClass = "agent_inference"


def capture_of(item: Supported, drafter: Drafter, *, at: str, new_id: NewId) -> Capture:
    """The candidate and its evidence."""
    message, turn = item.message, item.message.turn
    around = drafter.around(turn, message.own, message.session)
    words = message.text[item.start : item.end]
    said = next(iter(classify(words).items), None)
    where = decide(
        words,
        intent=item.item.intent,
        hint=said.scope if said else "unclear",
        hint_is_explicit=said is not None and said.scope_cue == "explicit",
        around=around,
    )
    evidence = _evidence(item, list(around.turn or around.session))
    candidate = Candidate(
        id=new_id("cand"),
        statement=item.statement,
        intent=item.item.intent,
        rule_type=item.item.rule_type,
        scope=where.scope,
        targets=list(where.targets),
        scope_reason=where.reason,
        profile=drafter.profile_of(where.targets),
        trust=TRUST,
        confidence=weight(TRUST),
        poisoning_risk=_risk(item),
        flags=["redacted"] if evidence.redacted or item.redacted else [],
        language=classify(item.statement).language,
        evidence=[evidence.id],
        created_at=at,
        updated_at=at,
    )
    return Capture(candidate, [evidence])


def captured_already(state: State, item: Supported) -> bool:
    """Whether the same turn already stands behind a candidate that asks for the same thing.

    What was said once must not count twice because both a cue and a model noticed it.
    """
    turn = item.message.turn
    said = {
        ident
        for ident, data in state.evidence.items()
        if data.get("turn") == turn.turn_id and data.get("agent") == turn.agent
    }
    if not said:
        return False
    asked = meaning(item.statement), meaning(item.message.text[item.start : item.end])
    return any(
        agree(one, meaning(str(data["statement"]), data.get("language")))
        for data in _with_evidence(state, said)
        for one in asked
    )


def _with_evidence(state: State, wanted: set[str]) -> Iterable[dict[str, object]]:
    return (one.data for one in state.candidates.values() if not wanted.isdisjoint(one.data.get("evidence", ())))


def _evidence(item: Supported, projects: list[str]) -> Evidence:
    """The person's words around the quote. Its span is a cue only: the statement beside it is the model's wording."""
    message, turn = item.message, item.message.turn
    part = excerpt(message.text, item.start, item.end)
    span = part.span(item.start, item.end)
    return Evidence(
        # The trust class is part of the id: captured as the person's own, the same words are evidence of another kind.
        id=content_id("ev", turn.agent, turn.turn_id, part.text, TRUST, item.statement),
        excerpt=part.text,
        cues=[span] if span else [],
        context=message.context,
        trust=TRUST,
        agent=turn.agent,
        session=turn.session,
        turn=turn.turn_id,
        time=turn.time,
        cwd=turn.cwd,
        projects=projects,
        path=turn.path,
        line=turn.line,
        redacted=[kind for kind in message.redacted if f"[masked {kind}]" in part.text],
    )


def _risk(item: Supported) -> Risk:
    """At least medium, since the wording is not the person's; high for what they never spoke of."""
    found = poisoning_risk(item.statement, ())
    return "high" if item.strange or found == "high" else "medium"
