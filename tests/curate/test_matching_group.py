"""Grouping as a whole: every id once, no chains, nothing across scopes, any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.matching.group import Claim, group
from curate.matching.normal import meaning
from curate.matching.same import agree, conflict, same

PIECES = st.sampled_from(
    "use npm pnpm not never don't `any` in tests before committing over instead of , . ; : only without docs 3.11 100 "
    "at most every unless except it they is are no 不要 使用 ではなく кроме nicht sans y o 말고 '' \" ( ) - — "
    "/src --flag 80% a".split()
)


@given(st.lists(PIECES, max_size=20).map(" ".join) | st.text(max_size=300))
@settings(max_examples=250, deadline=None)
def test_any_text_has_a_meaning_and_equals_itself(text: str) -> None:
    one = meaning(text)

    assert agree(one, meaning(text))
    assert len(set(one.keys)) == len(one.keys)


@given(st.lists(PIECES, min_size=1, max_size=8).map(" ".join), st.lists(PIECES, min_size=1, max_size=8).map(" ".join))
@settings(max_examples=250, deadline=None)
def test_same_is_symmetric_and_found_by_grouping(a: str, b: str) -> None:
    one, other = Claim("a", a), Claim("b", b)

    assert same(one, other) == same(other, one)
    grouping = group([one, other])
    assert (len(grouping.groups) == 1) == same(one, other)
    assert sorted(ident for members in grouping.groups for ident in members) == ["a", "b"]
    if not same(one, other):
        assert conflict(one, other) == conflict(other, one) == bool(grouping.conflicts)


def test_an_empty_run_has_no_groups() -> None:
    assert group([]).groups == []


def test_a_doubled_id_text_stays_in_one_group() -> None:
    assert group([Claim("a", "Use tabs."), Claim("b", "use tabs"), Claim("c", "USE TABS!")]).groups == [["a", "b", "c"]]


def test_likeness_does_not_chain_unlike_things() -> None:
    """The middle one is like both ends, and the ends are not like each other."""
    ends = Claim("a", "Use pnpm, not npm."), Claim("c", "Use pnpm, not yarn.")
    middle = Claim("b", "Use pnpm.")
    assert same(ends[0], middle)
    assert same(middle, ends[1])
    assert not same(*ends)

    for order in ((ends[0], middle, ends[1]), (middle, *ends), (*ends, middle)):
        for members in group(order).groups:
            assert set(members) != {"a", "b", "c"}
            assert not {"a", "c"} <= set(members)


@pytest.mark.parametrize("scopes", [("project x", "project y"), ("global", "project")])
def test_scopes_never_meet(scopes: tuple[str, str]) -> None:
    grouping = group(
        [Claim("a", "Use tabs.", scopes[0]), Claim("b", "Use tabs.", scopes[1]), Claim("c", "Use spaces.", scopes[1])]
    )

    assert grouping.groups == [["a"], ["b"], ["c"]]
    assert grouping.conflicts == [("b", "c")]


def test_contradicting_groups_name_every_pair() -> None:
    texts = {"a": "Use tabs.", "b": "use tabs please", "c": "Use spaces.", "d": "use spaces here"}
    grouping = group([Claim(ident, text) for ident, text in texts.items()])

    assert sorted(grouping.conflicts) == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]


def test_many_contradictions_still_name_everybody_and_stay_few() -> None:
    claims = [Claim(f"t{n}", "Use tabs.") for n in range(300)] + [Claim(f"s{n}", "Use spaces.") for n in range(300)]

    conflicts = group(claims).conflicts

    assert {ident for pair in conflicts for ident in pair} == {claim.id for claim in claims}
    assert len(conflicts) < 700


@pytest.mark.parametrize(
    "unit", ["a", ",", "not ", "`", '"', "(", "use ", "不要", ". ", "unless x, ", "a-", "_", "1.", "n't "]
)
def test_a_megabyte_of_anything_is_quick(unit: str) -> None:
    started = time.perf_counter()

    for size in (1_900, 1_000_000):
        meaning(unit * (size // len(unit)))

    assert time.perf_counter() - started < 2


def test_a_long_text_is_compared_by_its_wording() -> None:
    text = "Use tabs and mind the gap. " * 200

    assert len(group([Claim("a", text), Claim("b", text.upper()), Claim("c", text + "x")]).groups) == 2


@pytest.mark.parametrize("a", ["Use npm.", "用npm", "npm을 써", "Nutze npm."])
@pytest.mark.parametrize("b", ["Don't use npm.", "不要用npm", "npm을 쓰지 마", "Nutze npm nicht."])
def test_polarity_holds_across_languages(a: str, b: str) -> None:
    assert not same(Claim("a", a), Claim("b", b))
    assert conflict(Claim("a", a), Claim("b", b))


def test_claims_that_work_is_done_are_one_thing_however_they_are_put() -> None:
    wordings = [
        "always run the tests before you call it done!",
        "run the tests before you tell me it's done",
        "u have to run the tests before u say it is done, always",
        "please always run the test suite before you say something is finished",
        "ALWAYS run the tests before saying done",
        "run the tests before you report the task as completed",
        "never claim that the work is complete without running the tests",
    ]
    found = group([Claim(str(number), text) for number, text in enumerate(wordings)])
    assert [len(members) for members in found.groups] == [len(wordings)]


def test_an_apostrophe_that_opens_a_quote_is_no_contraction() -> None:
    (ask,) = meaning("say 'done' in German").asks
    assert "wouldone" not in ask.everything
