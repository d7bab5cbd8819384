"""Pairs of statements in eleven languages: the same, contradicting, or neither."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from curate.matching.group import Claim, Grouping, group
from curate.matching.same import conflict, same

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data/grouping/pairs.jsonl").read_text("utf-8").splitlines()
]


def relation(grouping: Grouping, a: str, b: str) -> str:
    """What a grouping says of two ids."""
    if any(a in members and b in members for members in grouping.groups):
        return "same"
    return "conflict" if {a, b} in [set(pair) for pair in grouping.conflicts] else "different"


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{pair['relation']}-{pair['id']}" for pair in PAIRS])
def test_a_pair_comes_out_as_labelled_whichever_side_comes_first(pair: dict[str, str]) -> None:
    a, b = Claim("a", pair["a"]), Claim("b", pair["b"])

    assert relation(group([a, b]), "a", "b") == pair["relation"]
    assert relation(group([b, a]), "a", "b") == pair["relation"]
    assert same(a, b) == same(b, a) == (pair["relation"] == "same")
    assert conflict(a, b) == conflict(b, a) or pair["relation"] == "same"


@pytest.mark.parametrize("seed", range(4))
def test_all_pairs_together_come_out_as_alone_in_any_order(seed: int) -> None:
    claims = [Claim(f"{pair['id']}{side}", pair[side]) for pair in PAIRS for side in "ab"]
    random.Random(seed).shuffle(claims)

    grouping = group(claims)

    of = {ident: number for number, members in enumerate(grouping.groups) for ident in members}
    clashing = {frozenset(pair) for pair in grouping.conflicts}
    assert sorted(of) == sorted(claim.id for claim in claims)
    for pair in PAIRS:
        a, b = f"{pair['id']}a", f"{pair['id']}b"
        if pair["relation"] != "same":
            assert of[a] != of[b], pair
        if pair["relation"] == "conflict":
            assert frozenset((a, b)) in clashing, pair
        if pair["relation"] == "different":
            assert frozenset((a, b)) not in clashing, pair
    found = [of[f"{pair['id']}a"] == of[f"{pair['id']}b"] for pair in PAIRS if pair["relation"] == "same"]
    assert sum(found) / len(found) >= 0.97


def test_pairs_of_different_scope_never_meet() -> None:
    for pair in PAIRS:
        grouping = group([Claim("a", pair["a"], "project x"), Claim("b", pair["b"], "project y")])

        assert relation(grouping, "a", "b") == "different", pair
