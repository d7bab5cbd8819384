"""Statements that come, change and go are grouped as if all of them had come at once."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from curate.matching.clash import Clash
from curate.matching.group import Clusters
from curate.matching.normal import meaning
from curate.matching.pool import Pool, Said

PAIRS = Path(__file__).parents[1] / "data" / "grouping" / "pairs.jsonl"

Outcome = tuple[list[list[str]], list[tuple[str, str, Clash]]]


def texts() -> list[str]:
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    return [row[side] for row in rows for side in ("a", "b")]


def at_once(said: dict[str, Said]) -> Outcome:
    clusters = Clusters()
    for ident, one in sorted(said.items(), key=lambda item: (item[1].at, item[0])):
        clusters.add(ident, one.scope, meaning(one.text, one.language))
    first = [cluster.members[0] for cluster in clusters.all]
    found = [(first[one], first[other], kind) for one, other, kind in clusters.conflicts()]
    return [cluster.members for cluster in clusters.all], found


def outcome(pool: Pool) -> Outcome:
    return [list(pool.members(group)) for group in pool.groups()], pool.conflicts()


def looks(pool: Pool, said: dict[str, Said]) -> dict[str, object]:
    """What there is to see of each group: its wordings, and what it contradicts."""
    rivals: dict[str, set[tuple[str, str]]] = {}
    for one, other, kind in pool.conflicts():
        rivals.setdefault(one, set()).add((other, kind))
        rivals.setdefault(other, set()).add((one, kind))
    return {
        group: ([(ident, said[ident]) for ident in pool.members(group)], rivals.get(group)) for group in pool.groups()
    }


@pytest.mark.parametrize("seed", range(6))
def test_any_row_of_changes_ends_in_the_groups_of_what_is_there(seed: int) -> None:
    chance = random.Random(seed)
    words = chance.sample(texts(), 160)
    said: dict[str, Said] = {}
    pool = Pool(said.__getitem__)
    for step in range(12):
        gone = chance.sample(sorted(said), min(len(said), chance.choice([0, 1, 5, 30])))
        before = looks(pool, said)
        for ident in gone:
            del said[ident]
        changed = chance.sample(sorted(said), min(len(said), chance.choice([0, 0, 1, 4])))
        fresh = {
            ident: Said(f"{chance.randint(1, 5)}", chance.choice("ab"), chance.choice(words))
            for ident in (*changed, *(f"{step:02}-{number:02}" for number in range(chance.choice([0, 1, 6, 40]))))
        }
        said.update(fresh)

        told = pool.update(fresh, gone)
        pool.release()

        assert outcome(pool) == at_once(said)
        after = looks(pool, said)
        assert {group for group in after if after[group] != before.get(group)} <= told.groups <= after.keys()
        assert told.gone == before.keys() - after.keys()


def test_a_crowd_on_one_topic_is_compared_as_if_it_had_come_at_once() -> None:
    """Beyond some number each is held against its neighbours only, and that number may be passed both ways."""
    said = {f"{n:04}": Said("1", "", f"use port {n} for the server") for n in range(230)}
    pool = Pool(said.__getitem__)
    rows: Iterable[list[str]] = (sorted(said)[start : start + 23] for start in range(0, 230, 23))
    present: dict[str, Said] = {}
    for row in rows:
        fresh = {ident: said[ident] for ident in row}
        present |= fresh
        pool.update(fresh)
        assert outcome(pool) == at_once(present)
    for ident in sorted(said)[40:120:2]:
        del present[ident]
    pool.update({}, sorted(said.keys() - present.keys()))
    assert outcome(pool) == at_once(present)
    assert len(pool.conflicts()) > 100


def test_what_is_far_from_a_change_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words = dict.fromkeys(texts())
    said = {f"{number:04}": Said("1", "", text) for number, text in enumerate(words)}
    pool = Pool(said.__getitem__)
    pool.update(said)
    pool.release()
    asked: list[str] = []
    monkeypatch.setattr(pool, "_said", lambda ident: (asked.append(ident), said[ident])[1])

    told = pool.update({"new": Said("2", "", "Bump the changelog of the frobnicator by hand")})

    assert told.groups == {"new"}
    assert asked == []
