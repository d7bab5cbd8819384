"""Upkeep notices what has aged, is due, said twice, unused, still corrected or ripe, and only ever proposes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from curate.cli.app import app
from curate.recall import journal
from curate.recall.planned import Entry, Plan
from curate.upkeep.finding import Finding
from curate.upkeep.maintain import Upkeep, maintain
from curate.upkeep.turns import sent
from tests.curate.command import curate, curate_process
from tests.curate.inboxes import NOW, SHOP, SITE, TOOLS, Inbox

LATER = "2027-03-29T12:00:00.000Z"
"""Four months after everything in these stores was approved."""


@pytest.fixture
def desk(tmp_path: Path) -> Inbox:
    return Inbox(tmp_path / "store")


def told(desk: Inbox, ident: str, at: str, *, session: str = "s1", project: str | None = SHOP) -> None:
    """An agent was told a record (or, with an empty id, nothing) in a turn."""
    plan = Plan("governed", project, "bytes", 14336)
    plan.entries = [Entry(ident, 1, "Selected Memory", "words", "- x\n")] if ident else []
    journal.write(str(desk.store.root), plan, session=session, agent="claude-code", at=at)


def upkeep(desk: Inbox, at: str = NOW) -> Upkeep:
    desk.store.refresh()
    return maintain(desk.store.state, sent(desk.store.root), at=at)


def of(found: Upkeep, kind: str) -> list[Finding]:
    return [one for one in found.findings if one.kind == kind]


def op_of(found: Upkeep, finding: Finding) -> Any:
    name = found.op_ids[found.findings.index(finding)]
    return next((op for op in found.patch.ops if op.op_id == name), None)


def test_a_fresh_store_needs_nothing(desk: Inbox):
    desk.known("Use pnpm for installs")
    found = upkeep(desk)
    assert (found.findings, found.patch.ops, found.patch.summary) == ([], [], "Upkeep: nothing to do")


def test_every_missed_review_costs_confidence_and_applying_moves_the_next_one(desk: Inbox):
    review = {"cadence_days": 30, "next_review": "2026-12-29T12:00:00.000Z"}
    ident = desk.known("Use pnpm for installs", review=review, stability="semi-stable", confidence=0.9)
    desk.known("Run the linter before a commit", review={"next_review": "2026-12-29T12:00:00.000Z"})
    found = upkeep(desk, "2027-02-05T12:00:00.000Z")
    (missed,) = of(found, "overdue")
    assert missed.record_ids == [ident]
    assert "2 missed cycles of 30 days; confidence 0.90 would fall to 0.60" in missed.why
    assert len(of(found, "due")) == 1
    op = op_of(found, missed)
    assert (op.op, op.target_id, op.base, op.default_selected) == (
        "decay", ident, desk.store.state.records[ident].head.hash, True,
    )  # fmt: skip


def test_what_nobody_touched_for_long_is_marked_and_after_90_days_put_up_for_review(desk: Inbox):
    ident = desk.known("Use pnpm for installs")
    (marked,) = of(upkeep(desk, "2027-01-05T12:00:00.000Z"), "stale_30")
    assert (marked.record_ids, marked.why, marked.sketch) == ([ident], "not touched for 37 days", None)
    found = upkeep(desk, LATER)
    (old,) = of(found, "stale_90")
    assert old.record_ids == [ident]
    assert op_of(found, old) is None  # its review is overdue, and that is answered already
    assert [op_of(found, one).op for one in of(found, "overdue")] == ["decay"]
    assert of(found, "stale_30") == []


def test_a_record_in_no_turn_is_unused_only_where_there_were_many(desk: Inbox):
    used = desk.known("Use pnpm for installs")
    idle = desk.known("Name branches after the ticket")
    elsewhere = desk.known("Deploys go through staging", project=SITE)
    for minute in range(25):
        told(desk, used, f"2027-03-20T10:{minute:02}:00Z")
    found = upkeep(desk, LATER)
    assert [one.record_ids for one in of(found, "unused")] == [[idle]]
    assert elsewhere not in str(of(found, "unused"))
    op = op_of(found, of(found, "unused")[0])
    assert (op.op, op.default_selected) == ("deprecate", False)


def test_a_rule_that_agents_are_told_and_still_corrected_for_wants_rewriting_or_a_lint(desk: Inbox):
    ident = desk.known("Never use npm here, use pnpm")
    told(desk, ident, "2026-11-21T09:00:00Z", session="a")
    told(desk, ident, "2026-11-22T09:00:00Z", session="b")
    for session, on in (("a", "2026-11-21"), ("b", "2026-11-22")):
        desk.say("Never use npm here, use pnpm", on=on, session=session, trust="user_correction")
    (wrong,) = of(upkeep(desk), "still_corrected")
    assert wrong.record_ids == [ident]
    assert "put into 2 turns and corrected 2 times after that" in wrong.why
    assert "lint" in wrong.why


@pytest.mark.parametrize(
    ("session", "on", "why"),
    [
        ("a", "2026-11-21", "corrected 1x after it was put into 1 turn"),
        ("other", "2026-11-21", None),
        ("a", "2026-11-20", None),
    ],
)
def test_a_correction_counts_only_in_a_session_that_had_been_told(desk: Inbox, session: str, on: str, why: str | None):
    ident = desk.known("Never use npm here, use pnpm")
    told(desk, ident, "2026-11-21T09:00:00Z", session="a")
    desk.say("Never use npm here, use pnpm", on=on, session=session, trust="user_correction")
    assert [one.why for one in of(upkeep(desk), "reinforced")] == ([why] if why else [])


def test_of_two_records_that_say_the_same_the_wider_or_better_founded_stays(desk: Inbox):
    wide = desk.known("Use pnpm for installs", project=None)
    narrow = desk.known("Always use pnpm for installs")
    other = desk.known("Use pnpm for installs, never npm", project=TOOLS, known_exceptions=["in the legacy folder"])
    found = upkeep(desk)
    (twice,) = of(found, "duplicate")
    assert twice.record_ids == [narrow, wide]
    assert other not in twice.record_ids
    op = op_of(found, twice)
    assert (op.op, op.target_id, op.default_selected) == ("deprecate", narrow, False)


def within(*paths: str) -> dict[str, Any]:
    return {"type": "project", "project": SHOP, "paths": list(paths)}


def test_what_holds_in_part_of_a_project_is_given_up_for_what_holds_in_all_of_it(desk: Inbox):
    part = desk.known("Use pnpm for installs", scope=within("packages/api/**"))
    whole = desk.known("Always use pnpm for installs")
    (twice,) = of(upkeep(desk), "duplicate")
    assert twice.record_ids == [part, whole]
    assert f"{whole} says the same in the whole project" in twice.why


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(["a/**", "b/**"], ["b/**", "a/**"], True), (["a/**"], ["b/**"], False)],
    ids=["the same paths in another order", "other paths"],
)
def test_paths_are_the_same_place_in_any_order(desk: Inbox, one: list[str], other: list[str], same: bool):
    desk.known("Use pnpm for installs", scope=within(*one))
    desk.known("Always use pnpm for installs", scope=within(*other))
    assert len(of(upkeep(desk), "duplicate")) == same


def test_three_that_say_the_same_leave_one(desk: Inbox):
    texts = ("Use pnpm for installs", "Always use pnpm for installs", "use pnpm to install")
    ids = [desk.known(text) for text in texts]
    found = of(upkeep(desk), "duplicate")
    kept = {one.record_ids[1] for one in found}
    assert len(kept) == 1
    assert {one.record_ids[0] for one in found} == {*ids} - kept


def test_records_of_different_projects_or_worlds_are_no_duplicates(desk: Inbox):
    desk.known("Use pnpm for installs")
    desk.known("Use pnpm for installs", project=SITE)
    desk.known("Use pnpm for installs", project=None, profile="private")
    assert of(upkeep(desk), "duplicate") == []


def settled(desk: Inbox, text: str, **record: Any) -> str:
    """A preference that was said in three sessions and holds everywhere."""
    for day, session in enumerate(("s1", "s2", "s3"), 1):
        desk.say(text, project=None, on=f"2026-11-0{day}", session=session, intent="user_preference")
    return desk.known(text, project=None, rule_type="preference", stability="stable", **record)


def test_a_settled_preference_may_become_identity_with_its_evidence_and_a_condition(desk: Inbox):
    ident = settled(desk, "I prefer short answers without praise")
    found = upkeep(desk, LATER)
    (rising,) = of(found, "identity")
    assert rising.record_ids == [ident]
    op = op_of(found, rising)
    assert (op.op, op.default_selected, op.risk) == ("add", False, "high")
    assert op.record["layer"] == "L1"
    assert len(op.record["evidence"]) >= 3
    assert op.record["review"]["change_condition"]
    refused = desk.store.apply(found.patch, select=[op.op_id])
    assert [receipt.reason for receipt in refused.receipts] == ["needs_confirmation"]
    done = desk.store.apply(found.patch, select=[op.op_id], confirm="identity")
    assert [receipt.applied for receipt in done.receipts] == [True]


def test_one_counterexample_is_enough_against_identity(desk: Inbox):
    settled(desk, "I prefer short answers without praise", known_exceptions=["in code reviews"])
    (held,) = of(upkeep(desk, LATER), "identity")
    assert held.sketch is None
    assert "does not hold: in code reviews" in held.why


def test_what_meets_the_conditions_of_the_vault_is_proposed_for_it_once(desk: Inbox):
    text = "Database migrations run in a job of their own"
    first = desk.known(text)
    desk.known(text, project=SITE)
    found = upkeep(desk, LATER)
    (ripe,) = of(found, "promote")
    assert ripe.record_ids == [first]
    desk.store.apply(found.patch, select=[op_of(found, ripe).op_id])
    assert of(upkeep(desk, LATER), "promote") == []


def test_the_same_store_gives_the_same_findings_and_nothing_is_written(desk: Inbox):
    for text in ("Use pnpm for installs", "Name branches after the ticket", "Deploys go through staging"):
        desk.known(text)
    before = {path: path.read_bytes() for path in desk.store.root.rglob("*.jsonl")}
    first, second = upkeep(desk, LATER), upkeep(desk, LATER)
    assert first.findings == second.findings
    assert first.findings
    assert {path: path.read_bytes() for path in desk.store.root.rglob("*.jsonl")} == before


def test_a_journal_that_somebody_broke_costs_its_turns_and_no_command(desk: Inbox):
    ident = desk.known("Use pnpm for installs")
    told(desk, ident, "2026-11-21T09:00:00Z", session="bad")
    broken = [
        "null", "[]", "{", '{"turn":1}', '{"turn":2,"entries":5,"project":[1],"at":{},"session":7,"traces":"x"}',
        '{"turn":3,"at":"2026-13-45","entries":[3,{"id":["x"]},{}],"traces":[null]}',
    ]  # fmt: skip
    with Path(journal.path_of(str(desk.store.root), "bad")).open("a") as file:
        file.write("".join(f"{line}\n" for line in broken))
    assert len(sent(desk.store.root)) == 4
    assert of(upkeep(desk, LATER), "overdue")
    home = str(desk.store.root)
    assert [turn["turn"] for turn in curate("explain", "--json", CURATE_HOME=home).json["turns"]] == [1, 1, 2, 3]


@pytest.mark.parametrize(
    "broken",
    [{"review": {"next_review": 5, "cadence_days": 0}}, {"review": {"next_review": "soon", "cadence_days": 3}},
     {"confidence": None}, {"updated_at": None}, {"tags": "x"}],
    ids=str,
)  # fmt: skip
def test_a_record_that_somebody_broke_costs_itself_and_no_command(desk: Inbox, broken: dict[str, Any]):
    desk.known("Use pnpm for installs")
    (path,) = (desk.store.root / "memory" / "projects").glob("*.jsonl")
    line = {**json.loads(path.read_text().splitlines()[0]), **broken, "id": "mem_broken"}
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    for command in (["maintain", "--json"], ["verify", "--json"]):
        done = CliRunner().invoke(app, [*command, "--home", str(desk.store.root)])
        assert done.exit_code in {0, 1}, done.output
        assert json.loads(done.stdout)


def test_the_command_tells_people_and_gives_programs_the_patch(desk: Inbox):
    desk.known("Use pnpm for installs", review={"cadence_days": 7, "next_review": "2026-11-01T00:00:00.000Z"})
    home = str(desk.store.root)
    answer = curate_process("maintain", "--json", CURATE_HOME=home).json
    (finding,) = [one for one in answer["findings"] if one["kind"] == "overdue"]
    assert finding["op_id"] == answer["patch"]["ops"][0]["op_id"]
    patch = curate("maintain", "--patch", CURATE_HOME=home)
    done = curate("apply", "-", "--json", stdin=patch.out, CURATE_HOME=home).json
    assert done["applied"] == [finding["op_id"]]
    assert curate("history", "--json", CURATE_HOME=home).json["patches"][0]["generated_by"] == "maintainer"
