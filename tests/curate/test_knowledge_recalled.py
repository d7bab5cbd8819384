"""The tiers in a block: under their headings, by weight, within the budget, of this project and profile only."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.recall.layouts import knowledge as layout
from curate.recall.planner import plan
from curate.recall.tiers import weight
from curate.recall.turn import request_for
from store.index import knowledge as index
from store.index.opened import open_knowledge
from store.index.refresh import refreshed
from store.index.schema import KNOWLEDGE, current
from store.knowledge import preview as policy
from store.knowledge.lines import DIGESTS, ENTITIES, FILES, OBSERVATIONS
from store.knowledge.preview import PREVIEW, preview
from store.line import SCHEMA, canonical
from store.text import fingerprint
from tests.curate.knowing import PROJECT, digest, entity, furnished, know, observation, told
from tests.curate.recalling import TODAY, add, checkout, reasons

ASKED = "fix the invoice parser"
RECORD = {"id": "mem_a", "statement": "The invoice parser rounds half up.", "confidence": 0.9}


def test_each_tier_stands_under_its_heading_insights_first(tmp_path: Path):
    answer = told(add(furnished(tmp_path), RECORD), ASKED)
    headings = [line for line in answer.block.splitlines() if line.startswith("#")]
    assert headings == ["## Working Memory", "## Insights", "## Digests", "## Entities", "## Observations"]
    assert {entry.id: entry.tier for entry in answer.entries} == {
        "mem_a": "insights", "dig_a": "digests", "ent_a": "kg_entities", "obs_a": "observations"
    }  # fmt: skip
    assert "- obs_a [2026-11-28, codex] Make the invoice parser accept empty vouchers. Changed: src/p.ts\n" in (
        answer.block
    )
    assert "Decided: The parser keeps cents" in answer.block
    assert answer.total <= 1000
    assert answer.counts["keyword"] >= 4


def test_what_the_prompt_is_not_about_is_left_out_with_the_reason(tmp_path: Path):
    answer = told(furnished(tmp_path), "deploy the kubernetes cluster to production")
    assert answer.entries == []
    assert any(reason.startswith("knowledge_floor: floor:") for reason in reasons(answer)["obs_a"])


def test_another_project_or_profile_never_sees_it(tmp_path: Path):
    root = know(
        furnished(tmp_path),
        OBSERVATIONS,
        observation("obs_b", "fix the invoice parser of the bank", project="github.com/acme/bank"),
        observation("obs_c", "fix the invoice parser at home", profile="private"),
        observation("obs_d", "fix the invoice parser somewhere", project=None),
    )
    answer = told(root, ASKED)
    assert {"obs_b", "obs_c", "obs_d"}.isdisjoint(entry.id for entry in answer.entries)
    assert "knowledge_scope: scope:project:github.com/acme/bank" in reasons(answer)["obs_b"]
    assert "knowledge_profile: profile_mismatch:private" in reasons(answer)["obs_c"]
    assert "knowledge_scope: scope:unassigned" in reasons(answer)["obs_d"]
    assert "obs_c" in {entry.id for entry in told(root, ASKED, profile="private").entries}
    assert not told(root, ASKED, project="github.com/acme/other").entries


def test_what_was_rejected_is_not_told_and_comes_back_when_the_decision_is_undone(tmp_path: Path):
    root = furnished(tmp_path)
    mark = {"schema": SCHEMA, "id": "tomb_a", "rev": 1, "fingerprint": fingerprint("The parser keeps cents."),
            "cause": "rejected", "of": "cand_a"}  # fmt: skip
    (root / "memory").mkdir(exist_ok=True)
    stones = root / "memory" / "tombstones.jsonl"
    stones.write_bytes(canonical(mark) + b"\n")
    answer = told(root, ASKED)
    assert "dig_a" not in {entry.id for entry in answer.entries}
    assert "knowledge_status: status:says what was rejected" in reasons(answer)["dig_a"]
    with stones.open("ab") as file:
        file.write(canonical({**mark, "rev": 2, "lifted": True}) + b"\n")
    assert "dig_a" in {entry.id for entry in told(root, ASKED).entries}


def test_what_the_session_itself_did_is_in_its_transcript_and_not_told(tmp_path: Path):
    answer = told(furnished(tmp_path), ASKED, session="s-obs_a")
    assert "knowledge_status: status:of this session" in reasons(answer)["obs_a"]


def test_two_of_the_same_are_told_once_the_later(tmp_path: Path):
    root = know(
        tmp_path,
        OBSERVATIONS,
        *(observation(f"obs_{n}", "fix the invoice parser", day=f"2026-11-2{n}") for n in (1, 3, 2)),
    )
    assert [entry.id for entry in told(root, ASKED).entries] == ["obs_3"]


def test_agents_weigh_the_tiers_differently(tmp_path: Path):
    root = know(tmp_path, DIGESTS, digest("dig_a", asked=["fix the invoice parser"]))
    know(root, ENTITIES, entity("ent_a", "invoice parser", description="Fix the invoice parser here."))
    scores = {
        agent: {entry.id: entry.score for entry in told(root, ASKED, agent=agent).entries}
        for agent in ("copilot", "pi")
    }
    assert scores["copilot"]["ent_a"] / scores["pi"]["ent_a"] == pytest.approx(1.3)
    assert scores["pi"]["dig_a"] / scores["copilot"]["dig_a"] == pytest.approx(1.3)
    assert weight("nobody", "digests") > weight("nobody", "kg_entities") > weight("nobody", "observations")


def test_the_settings_may_weigh_the_tiers_of_an_agent_otherwise(tmp_path: Path):
    root = know(tmp_path / "store", DIGESTS, digest("dig_a", asked=["fix the invoice parser"]))
    shop = checkout(tmp_path / "shop")

    def score(agent: str) -> float:
        request = request_for(refreshed(root), str(root), ASKED, folder=str(shop), today=TODAY, agent=agent,
                              layout="knowledge")  # fmt: skip
        (entry,) = plan(refreshed(root), request).entries
        return entry.score

    before = score("pi"), score("mine")
    (root / "config.yaml").write_text("recall:\n  agents:\n    pi:\n      digests: 2.6\n    mine: {x: 1}\n")
    assert score("pi") == pytest.approx(2 * before[0])
    assert score("mine") == before[1]


def test_a_preview_holds_1200_characters_and_the_gist_takes_its_place_where_it_does_not_fit(tmp_path: Path):
    long = [f"decision {number} on the invoice parser, which is a long one to tell of" for number in range(40)]
    root = know(tmp_path, DIGESTS, digest("dig_a", asked=["fix the invoice parser"], decisions=long))
    gist, text = preview(DIGESTS, digest("dig_a", asked=["fix the invoice parser"], decisions=long))
    assert PREVIEW - 40 <= len(text) <= PREVIEW
    assert text in told(root, ASKED).block
    small = told(root, ASKED, budget=80)
    assert text not in small.block
    assert gist in small.block
    assert small.total <= 80


def test_another_policy_for_previews_indexes_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    root = furnished(tmp_path)
    db = index.refreshed(root)
    assert index.catch_up(db, root) is None
    monkeypatch.setattr(policy, "PREVIEW", 20)
    monkeypatch.setattr(index, "PREVIEW_VERSION", policy.PREVIEW_VERSION + 1)
    taken = index.catch_up(db, root)
    assert taken is not None
    assert sum(taken.written.values()) == 3
    assert db.execute("SELECT max(length(body)) FROM record").fetchone()[0] <= 20
    assert index.catch_up(db, root) is None


def test_only_new_lines_are_read_and_a_rewritten_log_is_compared(tmp_path: Path):
    root = furnished(tmp_path)
    db = index.refreshed(root)
    know(root, OBSERVATIONS, observation("obs_b", "write the invoice"))
    taken = index.catch_up(db, root)
    assert taken is not None
    assert (taken.written, taken.unchanged) == ({"observations": 1}, {})
    path = root / FILES[OBSERVATIONS]
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[1])
    taken = index.catch_up(db, root)
    assert taken is not None
    assert (taken.written, taken.unchanged, taken.removed) == ({}, {"observations": 1}, {"observations": 1})
    assert [row[0] for row in db.execute("SELECT id FROM source WHERE tier = 'observations'")] == ["obs_b"]


def test_an_index_that_followed_and_one_built_anew_tell_the_same(tmp_path: Path):
    root = add(furnished(tmp_path), RECORD)
    told(root, ASKED)
    for number in range(30):
        know(root, OBSERVATIONS, observation(f"obs_{number:02}", f"fix the invoice parser for case {number % 7}"))
        if number % 5 == 0:
            told(root, ASKED)
    followed = told(root, ASKED).document()
    index.build(root).close()
    assert told(root, ASKED).document() == followed


def test_a_broken_index_of_knowledge_costs_the_turn_nothing(tmp_path: Path):
    root = add(furnished(tmp_path / "store"), RECORD)
    told(root, ASKED)
    path = current(str(root), KNOWLEDGE)
    assert path is not None
    Path(path).write_bytes(b"no database" * 2000)
    db = refreshed(root)
    shop = str(checkout(tmp_path / "shop"))
    first = request_for(db, str(root), ASKED, folder=shop, today=TODAY, layout="knowledge", patient=False)
    assert first.knowledge is None
    again = request_for(db, str(root), ASKED, folder=shop, today=TODAY, layout="knowledge")
    assert again.knowledge is not None


def test_what_is_wrong_with_the_index_of_knowledge_is_survived(tmp_path: Path):
    root = add(furnished(tmp_path / "store"), RECORD)
    told(root, ASKED)
    path = current(str(root), KNOWLEDGE)
    assert path is not None
    locking = sqlite3.connect(path)
    locking.execute("BEGIN EXCLUSIVE")
    assert open_knowledge(str(root), patient=False) is None
    locking.execute("ROLLBACK")
    with locking:
        locking.execute("DROP TABLE words")
    locking.close()
    answer = told(root, ASKED)
    assert [entry.id for entry in answer.entries] == ["mem_a"]
    assert answer.document()["traces"][-2]["note"] == "it could not be read"
    assert {entry.id for entry in told(root, ASKED).entries} > {"mem_a", "obs_a"}
    with sqlite3.connect(str(current(str(root), KNOWLEDGE))) as newer:
        newer.execute("UPDATE meta SET value = '999' WHERE key = 'version'")
    newer.close()
    assert open_knowledge(str(root), patient=False) is None
    assert open_knowledge(str(root), patient=True) is not None


def test_lines_that_somebody_else_wrote_do_no_harm(tmp_path: Path):
    root = furnished(tmp_path)
    odd = [
        {"schema": SCHEMA, "id": "o1", "asked": "\ud800 invoice parser \x00", "project": PROJECT, "steps": "many"},
        {"schema": SCHEMA, "id": "o2", "asked": ["invoice parser", 3, None], "project": PROJECT, "session": "\udfff"},
        {"schema": SCHEMA, "id": "o3", "asked": {"a": 1}, "files": "x", "name": "n", "relations": 3, "day": 4},
        {"schema": SCHEMA, "id": "\ud800"}, {"id": 3}, {"schema": SCHEMA, "id": "o4"},
    ]  # fmt: skip
    for name in FILES.values():
        with (root / name).open("ab") as file:
            file.write(b"".join(json.dumps(each).encode() + b"\n" for each in odd) + b'{"torn')
    (root / "memory").mkdir(exist_ok=True)
    (root / "memory" / "tombstones.jsonl").write_text(
        '{"schema":"1.0","id":"t","rev":"x","fingerprint":"f"}\nnonsense\n'
    )
    assert {"obs_a", "dig_a", "ent_a"} <= {entry.id for entry in told(root, ASKED).entries}


def test_the_hook_leaves_much_that_is_new_to_the_end_of_the_turn(tmp_path: Path):
    root = furnished(tmp_path)
    index.refreshed(root).close()
    know(root, OBSERVATIONS, *(observation(f"obs_{n:04}", "word " * 40) for n in range(200)))
    late = open_knowledge(str(root), patient=False)
    assert late is not None
    assert late.execute("SELECT count(*) FROM source").fetchone()[0] == 3
    whole = open_knowledge(str(root), patient=True)
    assert whole is not None
    assert whole.execute("SELECT count(*) FROM source").fetchone()[0] == 203
    assert open_knowledge(str(tmp_path / "nowhere"), patient=True) is None


def test_todays_sessions_of_this_project_are_counted_and_named(tmp_path: Path):
    root = add(tmp_path / "store", RECORD)
    know(
        root,
        OBSERVATIONS,
        observation("obs_1", "first words", day=TODAY, session="one"),
        observation("obs_2", "## last words", day=TODAY, session="one", time=f"{TODAY}T11:00:00Z"),
        observation("obs_3", "mine", day=TODAY, session="mine"),
        observation("obs_4", "of the bank", day=TODAY, session="three", project="github.com/acme/bank"),
        observation("obs_5", "of yesterday", session="four"),
        observation("obs_6", "private", day=TODAY, session="five", profile="private"),
    )
    db = refreshed(root)
    shop = str(checkout(tmp_path / "shop"))
    request = request_for(db, str(root), ASKED, folder=shop, today=TODAY, session="mine")
    assert request.notes.daily == ("Sessions today: 2",)
    assert request.notes.sessions == ("- [shop] ＃＃ last words",)
    from curate.recall.planner import plan

    block = plan(db, request).block
    assert f"## Daily Log ({TODAY})\nSessions today: 2\n" in block
    assert "## Today's Sessions\n- [shop] ＃＃ last words\n" in block


@settings(max_examples=15, deadline=None)
@given(
    asked=st.lists(st.text(max_size=300), min_size=1, max_size=4),
    names=st.lists(st.text(max_size=60), max_size=4),
    budget=st.integers(1, 1200),
)
def test_no_words_open_a_section_or_exceed_a_budget(
    tmp_path_factory: pytest.TempPathFactory, asked: list[str], names: list[str], budget: int
):
    root = tmp_path_factory.mktemp("s")
    know(root, OBSERVATIONS, *(observation(f"o{n}", f"invoice parser {text}") for n, text in enumerate(asked)))
    know(root, ENTITIES, *(entity(f"e{n}", f"{name} invoice parser") for n, name in enumerate(names)))
    know(root, DIGESTS, digest("d", asked=[f"invoice parser {text}" for text in asked], decisions=names))
    answer = told(root, "the invoice parser", budget=budget)
    assert answer.total <= budget
    known = {f"## {title}" for title in (layout.WORKING, *layout.HEADINGS.values())}
    for line in answer.block.splitlines():
        assert not line.startswith("#") or line in known
        assert not line or line.startswith(("- ", "## "))


def test_the_shape_of_the_service_has_the_tiers(tmp_path: Path):
    from curate.service.shapes import retrieval

    found = retrieval(told(furnished(tmp_path), ASKED), query=ASKED, latency_ms=1)
    assert {item["tier"] for item in found["items"]} == {"digests", "kg_entities", "observations"}
    assert all(0 < item["score"] <= 1 for item in found["items"])
    assert json.dumps(found)
    assert found["trace"]["candidates"]["keyword"] == 3


def test_a_preview_says_nothing_twice():
    said = "Never edit generated files."
    gist, text = preview(
        OBSERVATIONS, observation("o", f"No. {said} Then go on.", corrections=[said], commits=["Go on"])
    )
    assert (gist, text) == (f"No. {said} Then go on.", f"No. {said} Then go on. Committed: Go on")
    asked = ["fix it", said, "and test it"]
    _, text = preview(DIGESTS, digest("d", asked=asked, corrections=[said], files=["a"], more_files=2))
    assert text == f"Session of 3 turns: fix it. Corrected: {said[:-1]}. Changed: a and 2 more. Asked: and test it"
    assert preview(DIGESTS, digest("d")) == ("", "")
