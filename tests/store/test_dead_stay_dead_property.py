"""Whatever is done and undone in whatever order: nothing comes to life while a mark stands for its statement."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from store.state import State, places
from store.text import fingerprint
from tests.store.patching import API, SHOP, World

STATEMENTS = ("Use tabs", "Use bun")
LIVING = frozenset({"active", "contested", "deprecated"})
IN_SHOP = {"type": "project", "project": SHOP}
IN_API = {"type": "project", "project": API}


def furnished() -> World:
    world = World()
    for number, statement in enumerate(STATEMENTS, 1):
        world.record(f"mem_{number}", statement, scope=IN_SHOP)
        world.record(f"mem_{number}a", statement, scope=IN_API)
        world.candidate(f"cand_{number}", f"{statement}!", scope=IN_SHOP, targets=[SHOP])
    return world


records = st.sampled_from(["mem_1", "mem_2", "mem_1a", "mem_2a"])
candidates = st.sampled_from(["cand_1", "cand_2"])
statements = st.sampled_from(STATEMENTS)
scopes = st.sampled_from([IN_SHOP, IN_API])

ops = st.one_of(
    st.builds(lambda one: {"op": "delete", "target_id": one}, records),
    st.builds(lambda one: {"op": "deprecate", "target_id": one}, records),
    st.builds(
        lambda one, text: {"op": "update", "target_id": one, "updates": {"statement": text}}, records, statements
    ),
    st.builds(lambda one, where: {"op": "update", "target_id": one, "updates": {"scope": where}}, records, scopes),
    st.builds(
        lambda one, text: {"op": "supersede", "target_id": one, "record": {"statement": text}}, records, statements
    ),
    st.builds(lambda one, by: {"op": "supersede", "target_id": one, "updates": {"by": by}}, records, records),
    st.builds(lambda text, where: {"op": "add", "record": {"statement": text, "scope": where}}, statements, scopes),
    st.builds(lambda one: {"op": "add", "candidate_ids": [one]}, candidates),
    st.builds(lambda one: {"op": "reject_candidate", "target_id": one}, candidates),
)
steps = st.lists(st.one_of(st.lists(ops, min_size=1, max_size=2), st.integers(0, 9)), min_size=3, max_size=9)
"""A list of ops to apply, or the number of an earlier patch to take back."""


def alive(state: State) -> set[tuple[str, str, tuple[str, ...]]]:
    return {
        (one.id, fingerprint(one.data["statement"]), place)
        for one in state.records.values()
        if one.data["status"] in LIVING
        for place in places(one.data["scope"])
    }


def marks(state: State) -> set[tuple[str, str, tuple[str, ...]]]:
    return {
        (mark["id"], mark["fingerprint"], place)
        for mark in state.live_tombstones()
        for place in places(mark.get("scope") or {}, mark.get("targets") or ())
    }


@given(steps)
@settings(max_examples=120, deadline=None)
def test_nothing_comes_to_life_under_a_mark(chosen: list[Any]):
    world = furnished()
    logs: list[dict[str, Any]] = []
    for number, step in enumerate(chosen):
        world.at = f"2026-11-29T12:{number:02}:00.000Z"
        lived, stood = alive(world.state), marks(world.state)
        if isinstance(step, int):
            if not logs:
                continue
            world.log = logs[step % len(logs)]
            done = world.undo()
        else:
            done = world.apply(*step)
        if done.revisions:
            logs.append(world.log)
        still = {(print_, place) for _, print_, place in stood & marks(world.state)}
        came = {(print_, place) for _, print_, place in alive(world.state) - lived}
        assert came.isdisjoint(still), (step, came & still)
