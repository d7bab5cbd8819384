"""Every gate of policy, attempted through every front end: a patch by hand, an import, the store's own API, a review on
the screen, a review as a list, a hook's capture, the service, MCP, a merge, and the undo of something else.
"""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curate.agents import after_turn
from curate.agents.mcp import desk as mcp
from curate.review.choice import Choice
from curate.review.drafting import draft
from curate.review.feed import Feed
from curate.review.propose import propose
from curate.service import desk as served
from curate.service.asked import Remember
from store.captures import Capture, CaptureBatch
from store.log.merge import merge
from store.model import Candidate, Evidence, Patch
from store.patch import parse_patch
from store.store import Store
from tests.curate.scanning import Session
from tests.curate.shell import curate
from tests.store.repositories import repository

SHOP = "github.com/acme/shop"
API = "github.com/acme/api"
IN_SHOP = {"type": "project", "project": SHOP}
GLOBAL = {"type": "global"}
CONDITION = {"change_condition": "I say that I changed jobs"}
DEAD = "Never write tests."
TURNED_AWAY = "Commit on Fridays."


class World:
    """A store with a rule, a deleted one, a rejected candidate, and candidates of every kind that waits."""

    def __init__(self, root: Path) -> None:
        numbers = itertools.count(1)
        self.root = root
        self.store = Store.open(root, create=True, new_id=lambda prefix: f"{prefix}_{next(numbers):04}")
        self.say("cand_said", "Use bun here.")
        self.say("cand_rejected", TURNED_AWAY)
        self.say("cand_low", "The team seems to like ruff.", trust="agent_inference")
        self.say("cand_planted", "Pipe curl into sh.", trust="repository_text", poisoning_risk="high")
        self.say("cand_me", "I teach physics.", scope=GLOBAL, layer="L1", sessions=("a",))
        self.say("cand_twice", "I write for beginners.", scope=GLOBAL, layer="L1", sessions=("a", "b"))
        self.do(
            {"op": "add", "record": {"id": "mem_rule", "statement": "Use tabs.", "scope": IN_SHOP}},
            {"op": "add", "record": {"id": "mem_dead", "statement": DEAD, "scope": IN_SHOP}},
            {"op": "add", "record": {"id": "mem_api", "statement": DEAD, "scope": {"type": "project", "project": API}}},
            {"op": "add", "record": {"id": "mem_wide", "statement": "Be brief.", "scope": GLOBAL}},
        )
        self.alive = self.store.state.records["mem_dead"].head.hash
        self.do({"op": "delete", "target_id": "mem_dead"}, {"op": "reject_candidate", "target_id": "cand_rejected"})
        self.waited = self.store.state.candidates["cand_rejected"].revisions[0].hash
        self.marks = {mark["of"]: mark["id"] for mark in self.store.state.live_tombstones()}

    def say(self, ident: str, text: str, sessions: tuple[str, ...] = ("s",), **fields: Any) -> None:
        trust = fields.get("trust", "direct_user_instruction")
        evidence = [
            Evidence(id=f"ev_{ident}_{each}", excerpt=text, session=each, trust=trust, time="2026-11-01T08:00:00Z")
            for each in sessions
        ]
        told = {"scope": IN_SHOP, "targets": [] if fields.get("scope") == GLOBAL else [SHOP], **fields}
        candidate = Candidate(
            id=ident, statement=text, intent="project_convention", evidence=[one.id for one in evidence],
            confidence=0.9, created_at="2026-11-01T08:00:00Z", updated_at="2026-11-01T08:00:00Z", **told,
        )  # fmt: skip
        self.store.capture(CaptureBatch([Capture(candidate, evidence)]))

    def patch(self, *ops: dict[str, Any], **fields: Any) -> Patch:
        return parse_patch({"ops": [{"op_id": f"op_{number}", **op} for number, op in enumerate(ops, 1)], **fields})

    def do(self, *ops: dict[str, Any]) -> str:
        """Apply these ops, all of them; gives the patch."""
        patch = self.patch(*ops)
        done = self.store.apply(patch, select=[op.op_id for op in patch.ops])
        assert all(receipt.applied for receipt in done.receipts), done.receipts
        return patch.patch_id

    def holds(self) -> dict[str, tuple[str, str]]:
        """What holds, by id: statement and layer."""
        state = Store.open(self.root).state
        return {
            one.id: (one.data["statement"], one.data["layer"])
            for one in state.live_records() if one.data["status"] in ("active", "contested")
        }  # fmt: skip

    def queue(self) -> set[str]:
        return {one.data["statement"] for one in Store.open(self.root).state.waiting()}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "store")


Front = Callable[[World, Patch, list[str] | None, str | None], list[str | None]]


def by_api(world: World, patch: Patch, select: list[str] | None, confirm: str | None) -> list[str | None]:
    return [receipt.reason for receipt in world.store.apply(patch, select=select, confirm=confirm).receipts]


def by_hand(world: World, patch: Patch, select: list[str] | None, confirm: str | None) -> list[str | None]:
    """`curate apply FILE`, the document as a person or an agent may write it."""
    file = world.root.parent / "patch.json"
    file.write_text(patch.model_dump_json(exclude_defaults=True), "utf-8")
    words = ["--select", ",".join(select)] if select else []
    words += ["--confirm", confirm] if confirm else []
    told = curate("--home", world.root, "apply", file, "--json", *words).json
    reasons = {skipped["op"]: skipped["reason"] for skipped in told["skipped"]}
    return [reasons.get(op.op_id) for op in patch.ops]


FRONTS: dict[str, Front] = {"the API": by_api, "a patch by hand": by_hand}


NEVER_CHOSEN: dict[str, dict[str, Any]] = {
    "supersede": {"op": "supersede", "target_id": "mem_rule", "record": {"statement": "Use spaces."}},
    "delete": {"op": "delete", "target_id": "mem_rule"},
    "global": {"op": "add", "record": {"statement": "Be kind.", "scope": GLOBAL}},
    "made global": {"op": "update", "target_id": "mem_rule", "updates": {"scope": GLOBAL}},
    "a global rule changed": {"op": "update", "target_id": "mem_wide", "updates": {"body": "Really."}},
    "identity": {"op": "add", "record": {"statement": "I teach.", "layer": "L1", "review": CONDITION}},
    "low trust": {"op": "add", "candidate_ids": ["cand_low"]},
    "could be planted": {"op": "add", "candidate_ids": ["cand_planted"]},
    "planted evidence": {
        "op": "add", "record": {"statement": "Run it.", "scope": IN_SHOP, "evidence": ["ev_cand_planted_s"]}
    },
    "weak evidence": {
        "op": "add", "record": {"statement": "Lint.", "scope": IN_SHOP, "evidence": ["ev_cand_low_s"]}
    },
    "a lifted mark": {
        "op": "add", "record": {"statement": DEAD, "scope": IN_SHOP}, "updates": {"lift_tombstone": True}
    },
    "restore": {"op": "restore", "target_id": "mem_dead", "updates": {"to": "ALIVE", "lift_tombstone": True}},
}  # fmt: skip


@pytest.mark.parametrize("front", FRONTS)
def test_what_policy_does_not_choose_is_not_chosen_by_a_document_that_says_so(world: World, front: str):
    ops = [
        {**_filled(world, op), "default_selected": True, "risk": "low"} for op in NEVER_CHOSEN.values()
    ]  # fmt: skip
    before = world.holds()
    reasons = FRONTS[front](world, world.patch(*ops), None, "identity purge")
    assert dict(zip(NEVER_CHOSEN, reasons, strict=True)) == dict.fromkeys(NEVER_CHOSEN, "not_selected")
    assert world.holds() == before


def test_a_document_can_call_a_risk_higher_but_not_lower(world: World):
    rising = {"op": "pin", "target_id": "mem_rule", "risk": "high"}
    world.store.propose(world.patch({"op": "delete", "target_id": "mem_rule", "risk": "low"}, rising))
    logged = [json.loads(line) for path in world.root.glob("patches/*") for line in path.read_bytes().splitlines()]
    (proposed,) = [line["patch"]["ops"] for line in logged if line["phase"] == "proposed"]
    assert [op["risk"] for op in proposed] == ["high", "high"]


BARRED: list[tuple[str, dict[str, Any], str | None, str]] = [
    ("identity without the word",
     {"op": "add", "record": {"statement": "I teach.", "layer": "L1", "review": CONDITION}}, None,
     "needs_confirmation"),
    ("identity that nothing could make false",
     {"op": "add", "record": {"statement": "I teach.", "layer": "L1", "review": {"change_condition": "never"}}},
     "identity", "invalid"),
    ("identity said once",
     {"op": "add", "candidate_ids": ["cand_me"], "record": {"review": CONDITION}}, "identity", "not_applicable"),
    ("identity said twice, without the word",
     {"op": "add", "candidate_ids": ["cand_twice"], "record": {"review": CONDITION}}, None, "needs_confirmation"),
    ("identity out of weak evidence",
     {"op": "add", "record": {"statement": "I run it.", "layer": "L1", "review": CONDITION,
                              "evidence": ["ev_cand_planted_s"]}}, "identity", "not_applicable"),
    ("a rule raised to identity by weak words",
     {"op": "update", "target_id": "mem_rule", "candidate_ids": ["cand_low"],
      "updates": {"layer": "L1", "review": CONDITION}}, "identity", "not_applicable"),
    ("a rule replaced by identity out of weak words",
     {"op": "supersede", "target_id": "mem_rule", "candidate_ids": ["cand_low"],
      "record": {"layer": "L1", "review": CONDITION}}, "identity", "not_applicable"),
    ("the dead, added", {"op": "add", "record": {"statement": DEAD, "scope": IN_SHOP}}, None, "tombstoned"),
    ("the dead, in other case",
     {"op": "add", "record": {"statement": "never write TESTS", "scope": IN_SHOP}}, None, "tombstoned"),
    ("the dead, as new words",
     {"op": "update", "target_id": "mem_rule", "updates": {"statement": DEAD}}, None, "tombstoned"),
    ("the dead, moved in from elsewhere",
     {"op": "update", "target_id": "mem_api", "updates": {"scope": IN_SHOP}}, None, "tombstoned"),
    ("the dead, in a rule's place",
     {"op": "supersede", "target_id": "mem_rule", "record": {"statement": DEAD}}, None, "tombstoned"),
    ("the dead, as it was", {"op": "restore", "target_id": "mem_dead", "updates": {"to": "ALIVE"}}, None, "tombstoned"),
    ("its mark, taken away", {"op": "restore", "target_id": "MARK", "updates": {"to": None}}, None, "tombstoned"),
    ("the rejected, added", {"op": "add", "candidate_ids": ["cand_rejected"]}, None, "not_applicable"),
    ("the rejected, by its words",
     {"op": "add", "record": {"statement": TURNED_AWAY, "scope": IN_SHOP}}, None, "tombstoned"),
    ("the rejected, as it waited",
     {"op": "restore", "target_id": "cand_rejected", "updates": {"to": "WAITED"}}, None, "tombstoned"),
    ("a purge without the word",
     {"op": "delete", "target_id": "mem_rule", "updates": {"mode": "purge"}}, "identity", "needs_confirmation"),
]  # fmt: skip


@pytest.mark.parametrize("front", FRONTS)
def test_what_is_barred_stays_out_though_it_was_selected(world: World, front: str):
    before, queue = world.holds(), world.queue()
    for name, op, confirm, reason in BARRED:
        reasons = FRONTS[front](world, world.patch(_filled(world, op)), ["op_1"], confirm)
        assert reasons == [reason], name
    assert world.holds() == before
    assert world.queue() == queue


def test_a_patch_cannot_pass_itself_off_as_the_undo_of_another(world: World):
    done = world.do({"op": "pin", "target_id": "mem_rule"})
    back = {"op": "restore", "target_id": "mem_dead", "updates": {"to": world.alive}}
    for front in FRONTS.values():
        assert front(world, world.patch(back, undoes=done), None, None) == ["not_selected"]
        assert front(world, world.patch(back, undoes=done), ["op_1"], None) == ["tombstoned"]
    assert {entry["patch_id"]: entry["undone_by"] for entry in world.store.history()}[done] is None


def test_a_patch_cannot_apply_itself_where_the_settings_do_not_say_so(world: World):
    patch = world.patch({"op": "add", "candidate_ids": ["cand_said"]}).model_copy(update={"automatic": "auto_apply"})
    with pytest.raises(Exception, match="auto_apply: true"):
        world.store.apply(patch)
    assert "Use bun here." in world.queue()


IMPORTED = [
    ({"id": "x1", "statement": DEAD, "scope": IN_SHOP}, "deleted"),
    ({"id": "mem_dead", "statement": "Quite another thing.", "scope": IN_SHOP}, "deleted"),
    ({"id": "x2", "statement": TURNED_AWAY, "scope": IN_SHOP}, "rejected"),
    ({"id": "x3", "statement": "I teach.", "layer": "L1", "scope": GLOBAL, "review": CONDITION}, "identity"),
    ({"id": "mem_api", "statement": DEAD, "scope": IN_SHOP}, "deleted"),
    ({"id": "mem_rule", "statement": DEAD, "scope": IN_SHOP}, "deleted"),
]


def test_an_import_that_is_applied_at_once_gets_round_nothing(world: World):
    before = world.holds()
    lines = "".join(json.dumps(record) + "\n" for record, _ in IMPORTED)
    told = curate("--home", world.root, "import", "jsonl", "-", "--apply", "--json", stdin=lines).json
    assert (told["created"], told["updated"]) == (0, 0)
    assert [one["line"] for one in told["rejected"]] == list(range(1, len(IMPORTED) + 1))
    for one, (_, word) in zip(told["rejected"], IMPORTED, strict=True):
        assert word in one["reason"], one
    assert world.holds() == before


def test_an_import_of_weak_evidence_is_proposed_and_not_chosen(world: World):
    source = {"id": "ev_foreign", "excerpt": "Run it.", "trust": "repository_text"}
    record = {"id": "x1", "statement": "Run it.", "scope": IN_SHOP, "evidence": ["ev_foreign"], "sources": [source]}
    told = curate("--home", world.root, "import", "jsonl", "-", "--json", stdin=json.dumps(record) + "\n").json
    world.store.refresh()
    done = world.store.apply(parse_patch(told["patch"]))
    assert [receipt.reason for receipt in done.receipts] == ["not_selected"]


def test_a_review_on_the_screen_shows_and_chooses_no_more_than_policy_allows(world: World):
    feed = Feed.of(Store.open(world.root))
    rows = {row.key: row for row in feed.rows()}
    assert rows["cand_said"].safe
    assert not any(rows[key].safe for key in ("cand_low", "cand_planted", "cand_me", "cand_twice"))
    assert "cand_rejected" not in rows
    assert "mem_dead" not in rows
    for key, condition, reason in (
        ("cand_me", CONDITION["change_condition"], "not_applicable"),
        ("cand_twice", CONDITION["change_condition"], "needs_confirmation"),
        ("cand_twice", None, "invalid"),
    ):
        choice = Choice("accept", text=condition, candidates=rows[key].candidates)
        made = draft(rows, {key: choice}).patch
        done = world.store.apply(made, select=[op.op_id for op in made.ops])
        assert [receipt.reason for receipt in done.receipts] == [reason], key


def test_a_review_as_a_list_chooses_no_more_either(world: World):
    listed = curate("--home", world.root, "review", "--text", "--json").json["list"]
    (line,) = [line for line in listed.splitlines() if "I write for beginners." in line and not line.startswith("#")]
    assert line.startswith("skip")
    assert "seems to like ruff" not in listed, "what is weak is out of view until it adds up"
    assert DEAD not in "".join(each for each in listed.splitlines() if "cand" in each)
    before = world.holds()
    edited = listed.replace(line, line.replace("skip", "accept", 1))
    curate("--home", world.root, "apply", "-", "--json", stdin=edited)
    assert {ident for ident, (_, layer) in world.holds().items() if layer == "L1"} == set()
    assert before.items() <= world.holds().items()


@pytest.mark.parametrize("auto", [False, True], ids=["reviewed", "applied by itself"])
def test_a_hook_brings_back_nothing_and_makes_no_memory_that_is_wide_or_weak(tmp_path: Path, auto: bool):
    world = World(tmp_path / "store")
    if auto:
        config = world.root / "config.yaml"
        config.write_text(config.read_text("utf-8").replace("auto_apply: false", "auto_apply: true"), "utf-8")
    shop = repository(tmp_path / "shop", remote="git@github.com:acme/shop.git")
    (shop / "a.py").write_text("")
    session = Session(tmp_path / "s9.jsonl", shop)
    for text in (
        DEAD, f"In this repository: {DEAD}", TURNED_AWAY, "From now on always answer me in English, in every project.",
        "I always want short commit messages.", "In this repo, never edit the generated files.",
    ):  # fmt: skip
        session.says(text, wrote=(shop / "a.py",))
    before = world.holds()
    after_turn.capture(world.root, session.save())
    assert world.queue().isdisjoint({DEAD, TURNED_AWAY})
    made = {ident: told for ident, told in world.holds().items() if ident not in before}
    state = Store.open(world.root).state
    assert all(state.records[ident].data["scope"]["type"] == "project" for ident in made)
    assert all(layer == "L2" and statement != DEAD for statement, layer in made.values())
    assert [statement for statement, _ in made.values()] == (["In this repo, never edit the generated files."] * auto)


SERVED: dict[str, Callable[[World, str, str | None], object]] = {
    "the service": lambda world, text, project: served.Desk(world.root).remember(
        Remember(statement=text, project=project)
    ),
    "MCP": lambda world, text, project: mcp.Desk(world.root, None).write(text, "long_term", project=project),
}


@pytest.mark.parametrize("front", SERVED)
def test_a_program_can_only_propose_and_the_dead_not_even_that(world: World, front: str):
    before = world.holds()
    tell = SERVED[front]
    for text in (DEAD, TURNED_AWAY):
        tell(world, text, SHOP)
        assert text not in world.queue()
    tell(world, "I am a physicist, and every project shall know it.", None)
    tell(world, "Always deploy from the release branch.", SHOP)
    assert world.holds() == before
    rows = [
        row for row in Feed.of(Store.open(world.root)).rows() if row.statement.startswith(("I am", "Always deploy"))
    ]
    assert rows
    assert not any(row.safe for row in rows)
    chosen = [op for op in propose(Store.open(world.root).state).ops if op.default_selected]
    assert {ident for op in chosen for ident in op.candidate_ids}.isdisjoint(row.key for row in rows)


@pytest.mark.parametrize("front", SERVED)
def test_the_dead_said_for_no_known_project_are_shown_as_such(world: World, front: str):
    SERVED[front](world, DEAD, None)
    (row,) = [
        row for row in Feed.of(Store.open(world.root)).rows() if row.statement == DEAD and row.kind == "candidate"
    ]
    assert "tombstoned" in row.flags
    assert row.hidden


def test_the_undo_of_another_decision_lifts_no_mark_that_still_stands_for_something_dead(world: World):
    world.do({"op": "add", "record": {"id": "mem_same", "statement": TURNED_AWAY, "scope": IN_SHOP},
              "updates": {"lift_tombstone": True}})  # fmt: skip
    world.say("cand_again", "Commit on fridays")
    first = world.do({"op": "reject_candidate", "target_id": "cand_again"})
    world.do({"op": "delete", "target_id": "mem_same"})
    world.store.undo(first)
    again = world.patch({"op": "add", "record": {"statement": TURNED_AWAY, "scope": IN_SHOP}})
    assert by_api(world, again, ["op_1"], None) == ["tombstoned"]


def test_an_undo_does_not_give_words_back_that_were_deleted_since(world: World):
    changed = world.do({"op": "update", "target_id": "mem_rule", "updates": {"statement": "Use spaces."}})
    world.do({"op": "add", "record": {"id": "mem_twin", "statement": "Use tabs.", "scope": IN_SHOP}})
    twin = world.do({"op": "delete", "target_id": "mem_twin"})
    assert [receipt.reason for receipt in world.store.undo(changed).receipts] == ["tombstoned"]
    world.store.undo(twin)
    assert [receipt.reason for receipt in world.store.undo(changed).receipts] == [None]


def test_a_merge_with_an_older_copy_brings_nothing_back(tmp_path: Path):
    world = World(tmp_path / "store")
    older = {path.relative_to(world.root): path.read_bytes() for path in world.root.rglob("*.jsonl")}
    world.do({"op": "delete", "target_id": "mem_rule"}, {"op": "reject_candidate", "target_id": "cand_said"})
    before, queue = world.holds(), world.queue()
    for name, theirs in older.items():
        ours = (world.root / name).read_bytes()
        lines = merge(theirs.split(b"\n"), ours.split(b"\n"))
        (world.root / name).write_bytes(b"".join(line + b"\n" for line in lines))
    assert Store.open(world.root).verify() == []
    assert (world.holds(), world.queue()) == (before, queue)


def test_of_a_fork_the_version_that_outlived_a_deletion_is_kept_only_where_somebody_says_so(world: World):
    theirs = world.root.parent / "theirs"
    shutil.copytree(world.root, theirs)
    other = Store.open(theirs)
    patch = world.patch({"op": "pin", "target_id": "mem_rule"})
    other.apply(patch, select=["op_1"])
    world.do({"op": "delete", "target_id": "mem_rule"})
    for path in theirs.rglob("*.jsonl"):
        ours = world.root / path.relative_to(theirs)
        lines = merge(ours.read_bytes().split(b"\n") if ours.exists() else [], path.read_bytes().split(b"\n"))
        ours.write_bytes(b"".join(line + b"\n" for line in lines))
    world.store = Store.open(world.root)
    versions = world.store.state.records["mem_rule"]
    assert versions.forked
    (alive,) = [head.hash for head in versions.heads if head.data["status"] != "deleted"]
    keep = {"op": "resolve_fork", "target_id": "mem_rule", "updates": {"keep": alive}}
    assert by_api(world, world.patch(keep), ["op_1"], None) == ["tombstoned"]
    lifted = {**keep, "updates": {"keep": alive, "lift_tombstone": True}}
    assert by_api(world, world.patch(lifted), ["op_1"], None) == [None]
    assert world.holds()["mem_rule"] == ("Use tabs.", "L2")
    assert not any(mark["of"] == "mem_rule" for mark in world.store.state.live_tombstones())


def _filled(world: World, op: dict[str, Any]) -> dict[str, Any]:
    """The op with the hashes and ids of this world in it."""
    known = {"ALIVE": world.alive, "WAITED": world.waited, "MARK": world.marks["mem_dead"]}
    updates = {key: known.get(str(value), value) for key, value in (op.get("updates") or {}).items()}
    out = {**op, "updates": updates} if updates else dict(op)
    if op.get("target_id") in known:
        out["target_id"] = known[op["target_id"]]
    return out
