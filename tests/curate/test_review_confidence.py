"""Confidence follows from evidence alone."""

from __future__ import annotations

import pytest

from curate.review.confidence import confidence, trust
from store.model import Evidence, TrustClass

AT = "2026-11-29T00:00:00Z"


def said(
    session: str = "s1",
    time: str | None = "2026-11-28T00:00:00Z",
    by: TrustClass = "user_correction",
    against: bool = False,
) -> Evidence:
    return Evidence(
        id=f"{session}{time}{by}{against}", excerpt="x", session=session, time=time, trust=by,
        polarity="against" if against else "for",
    )  # fmt: skip


def test_nothing_gives_nothing() -> None:
    assert confidence([], at=AT) == 0.0


def test_said_once_by_a_person_it_is_likely_and_approved_it_is_a_hard_rule() -> None:
    assert 0.75 <= confidence([said()], at=AT) <= 0.85
    assert confidence([said()], at=AT, approved=True) >= 0.85


def test_another_session_adds_more_than_the_same_one() -> None:
    once, again = confidence([said()], at=AT), confidence([said(), said(time="2026-11-27T00:00:00Z")], at=AT)
    elsewhere = confidence([said(), said("s2")], at=AT)

    assert once < again < elsewhere < 1.0


def test_trust_decides_more_than_number() -> None:
    guesses = [said(f"s{n}", by="agent_inference") for n in range(3)]

    assert confidence(guesses[:1], at=AT) < confidence(guesses, at=AT) < confidence([said()], at=AT)


def test_contradiction_takes_away() -> None:
    once = confidence([said()], at=AT)
    assert confidence([said(), said("s2", against=True)], at=AT) == pytest.approx(once / 2, rel=0.01)
    assert confidence([said()], at=AT, against=1) < confidence([said()], at=AT)


def test_old_evidence_counts_less_but_never_for_nothing() -> None:
    year, ages = said(time="2025-11-29T00:00:00Z"), said(time="1999-01-01T00:00:00Z")

    assert confidence([ages], at=AT) == confidence([year], at=AT) == pytest.approx(0.4, abs=0.01)
    assert confidence([said(time="not a time")], at=AT) > 0


def test_order_of_evidence_does_not_matter() -> None:
    pieces = [said("s1"), said("s2", by="agent_inference"), said("s1", time=None), said("s3", against=True)]

    assert confidence(pieces, at=AT) == confidence(pieces[::-1], at=AT)


def test_a_person_saying_it_twice_is_a_repeated_preference() -> None:
    assert trust([said()], "agent_inference") == "user_correction"
    assert trust([said(), said("s2")], "agent_inference") == "repeated_user_preference"
    assert trust([said(by="agent_inference"), said("s2", by="repository_text")], "user_correction") == "agent_inference"
    assert trust([], "repository_text") == "repository_text"
