"""What is in dispute, one dispute in full, and its settlement by patches that can be taken back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from curate.recall import journal
from curate.review.audit import audit
from curate.review.contested import cases
from store.log.merge import merge
from store.model import Patch
from store.store import Store
from tests.curate.inboxes import SHOP, Inbox
from tests.curate.shell import curate

AT = "2026-11-29T12:00:00.000Z"


class Desk(Inbox):
    """An inbox, and the command line on its store."""

    def run(self, *args: object) -> Any:
        done = curate("--home", self.store.root, *args, "--json")
        assert done.code == 0, done.err
        self.store.refresh()
        return done.json

    def text(self, *args: object) -> str:
        done = curate("--home", self.store.root, *args)
        assert done.code == 0, done.err
        self.store.refresh()
        return done.out

    def status(self, ident: str) -> str:
        return str(self.store.state.record(ident).status)

    def told(self, ident: str, at: str, *, agent: str = "codex", session: str = "j1") -> None:
        """A line of the journal that says this record was injected."""
        entry = {"id": ident, "rev": 1, "section": "hard_rules", "reason": "matched", "cost": 1}
        line = {"schema": "1.0", "turn": 1, "at": at, "agent": agent, "session": session, "block": "",
                "entries": [entry], "project": SHOP}  # fmt: skip
        path = Path(journal.path_of(str(self.store.root), session))
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "store")


@pytest.fixture
def pair(desk: Desk) -> tuple[Desk, str, str]:
    """Two rules in force that contradict each other."""
    first = desk.known("Use tabs for indentation.", on="2026-11-01")
    return desk, first, desk.known("Never use tabs for indentation.", on="2026-11-10")


def test_nothing_is_in_dispute_in_a_store_at_peace(desk: Desk):
    desk.known("Use tabs for indentation.")
    desk.known("Run the linter before a push.")
    assert desk.run("audit") == {"contested": [], "overdue": 0}
    assert desk.text("audit") == "Nothing is in dispute.\n"


def test_memories_that_contradict_each_other_are_found_once_for_each_pair(pair: tuple[Desk, str, str]):
    desk, first, second = pair
    desk.known("Use tabs for indentation.", project="github.com/acme/site")
    (case,) = desk.run("audit")["contested"]
    assert (case["kind"], {case["id"], *case["beside"]}) == ("conflict", {first, second})
    assert case["because"] == f"both cannot be chosen ({case['beside'][0]})"
    assert case["command"] == f"curate audit {case['id']}"


def test_a_contested_memory_stands_there_with_its_reason_and_the_day_it_is_due(desk: Desk):
    rule = desk.known("Use tabs for indentation.")
    contest = {"op": "contest", "op_id": "a", "target_id": rule, "reason": "the formatter says otherwise"}
    desk.apply([{**contest, "updates": {"next_review": "2026-11-20T00:00:00Z"}}])
    found = desk.run("audit")
    (case,) = found["contested"]
    assert (case["kind"], case["because"], case["overdue"]) == ("contested", "the formatter says otherwise", True)
    assert found["overdue"] == 1
    assert "again by 2026-11-20 (overdue)" in desk.text("audit")


def forked(desk: Desk, rule: str, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    """Two machines change the same rule, and their logs are joined."""
    root = desk.store.root
    other = root.parent / "other"
    shutil.copytree(root, other)
    for store, op in ((Store.open(other), theirs), (desk.store, ours)):
        patch = Patch.model_validate(
            {"patch_id": f"pat_{store.root.name}", "created_at": AT, "ops": [{"op_id": "a", "target_id": rule, **op}]}
        )
        assert store.apply(patch, select=["a"]).receipts[0].applied
    for path in other.rglob("*.jsonl"):
        mine = root / path.relative_to(other)
        lines = merge(mine.read_bytes().split(b"\n") if mine.exists() else [], path.read_bytes().split(b"\n"))
        mine.write_bytes(b"".join(line + b"\n" for line in lines))
    desk.store.refresh()


def test_a_fork_arrives_by_itself_and_one_of_its_versions_is_kept(desk: Desk):
    rule = desk.known("Use tabs for indentation.")
    said = [{"op": "update", "updates": {"statement": text}} for text in ("Use two spaces.", "Use four spaces.")]
    forked(desk, rule, *said)
    (case,) = desk.run("audit")["contested"]
    assert (case["id"], case["kind"]) == (rule, "fork")
    found = desk.run("audit", rule)
    assert {claim["statement"] for claim in found["claims"]} == {"Use two spaces.", "Use four spaces."}
    assert curate("--home", desk.store.root, "audit", rule, "--keep").code == 2
    desk.run(*found["ways"][1]["command"].split()[1:])
    assert desk.store.state.record(rule).statement == found["claims"][1]["statement"]
    assert desk.run("audit")["contested"] == []


def test_what_was_deleted_on_one_machine_and_learned_on_another_is_asked_about(desk: Desk):
    rule = desk.known("Use tabs for indentation.")
    root = desk.store.root
    other = root.parent / "other"
    shutil.copytree(root, other)
    theirs = Store.open(other)
    delete = Patch.model_validate(
        {"patch_id": "pat_d", "created_at": AT, "ops": [{"op_id": "a", "op": "delete", "target_id": rule}]}
    )
    theirs._clock = lambda: "2026-11-28T12:00:00.000Z"
    theirs.apply(delete, select=["a"])
    scope = {"type": "project", "project": SHOP}
    desk.apply([{"op_id": "a", "op": "add", "record": {"id": "m_two", "statement": "use tabs for indentation",
                                                      "scope": scope}}])  # fmt: skip
    for path in other.rglob("*.jsonl"):
        mine = root / path.relative_to(other)
        lines = merge(mine.read_bytes().split(b"\n") if mine.exists() else [], path.read_bytes().split(b"\n"))
        mine.write_bytes(b"".join(line + b"\n" for line in lines))
    desk.store.refresh()
    (case,) = cases(desk.store.state, AT)
    assert (case.id, case.kind) == ("m_two", "dead elsewhere")


def test_a_duplicate_that_was_deleted_disputes_nothing(desk: Desk):
    desk.known("Use tabs for indentation.")
    twin = desk.known("use tabs for indentation")
    desk.apply([{"op_id": "a", "op": "delete", "target_id": twin}])
    assert desk.run("audit")["contested"] == []


def test_one_dispute_in_full(pair: tuple[Desk, str, str]):
    desk, first, second = pair
    desk.say("Use tabs for indentation, always.", on="2026-11-12", session="s5", trust="agent_inference")
    desk.told(first, "2026-10-01T08:00:00Z", session="j0")
    contest = {"op": "contest", "op_id": "a", "target_id": first, "reason": "who is right?"}
    desk.apply([contest])
    desk.told(first, "2026-12-01T08:00:00Z")
    desk.told(second, "2026-12-02T08:00:00Z", agent="claude-code", session="j2")
    found = desk.run("audit", first)
    assert [(claim["key"], claim["statement"]) for claim in found["claims"]] == [
        (first, "Use tabs for indentation."), (second, "Never use tabs for indentation."),
    ]  # fmt: skip
    assert [one["excerpt"] for one in found["claims"][0]["for"]] == ["Use tabs for indentation."]
    assert found["seen"] == {"agents": {"codex": 2, "claude-code": 1}, "projects": {SHOP: 3}}
    assert [(one["agent"], one["session"]) for one in found["injected"]] == [("claude-code", "j2"), ("codex", "j1")]
    assert any("hold in the same place" in each for each in found["questions"])
    assert any("told of it in 2 turns" in each for each in found["questions"])
    does = {way["command"] for way in found["ways"]}
    assert {f"curate audit {first} --keep --over {second}", f"curate audit {first} --supersede {second}"} <= does
    told = desk.text("audit", first)
    for words in ("who is right?", "│", "evidence for", "To settle it", "Open questions", "session j2"):
        assert words in told, words


def test_evidence_stands_by_trust_and_then_by_date(desk: Desk):
    rule = desk.known("Use tabs for indentation.", on="2026-11-01")
    for text, day, trust in (
        ("Use tabs here.", "2026-11-02", "agent_inference"),
        ("Tabs, please.", "2026-11-03", "user_correction"),
        ("Tabs again.", "2026-11-04", "direct_user_instruction"),
        ("Spaces are better.", "2026-11-05", "direct_user_instruction"),
    ):
        desk.say(text, on=day, session=text, trust=trust)
        (candidate,) = [one.id for one in desk.store.state.waiting(AT) if one.data["statement"] == text]
        op = "contest" if "Spaces" in text else "update"
        desk.apply([{"op_id": "a", "op": op, "target_id": rule, "candidate_ids": [candidate]}])
    found = desk.run("audit", rule)
    own, contested_with = found["claims"]
    assert [one["excerpt"] for one in own["for"]] == [
        "Tabs again.", "Tabs, please.", "Use tabs for indentation.", "Use tabs here.",
    ]  # fmt: skip
    assert [one["excerpt"] for one in own["against"]] == ["Spaces are better."]
    assert (contested_with["kind"], contested_with["statement"]) == ("candidate", "Spaces are better.")
    assert any("speaks against" in each for each in found["questions"])


@pytest.mark.parametrize(
    ("words", "statuses"),
    [
        (["--keep", "--over", "OTHER"], ("active", "superseded")),
        (["--supersede", "OTHER"], ("superseded", "active")),
        (["--narrow", "in Go", "--beside", "OTHER", "--beside-when", "in Python"], ("active", "active")),
    ],
)
def test_a_dispute_is_settled_by_one_patch_that_can_be_taken_back(
    pair: tuple[Desk, str, str], words: list[str], statuses: tuple[str, str]
):
    desk, first, second = pair
    desk.apply([{"op_id": "a", "op": "contest", "target_id": first, "reason": "who is right?"}])
    named = [second if word == "OTHER" else word for word in words]
    done = desk.run("audit", first, *named, "--because", "we asked the team")
    assert done["skipped"] == []
    assert (desk.status(first), desk.status(second)) == statuses
    assert desk.run("audit")["contested"] == []
    (entry,) = desk.store.history(1)
    assert {op["reason"] for op in entry["ops"]} == {"we asked the team"}
    desk.run("undo")
    assert [case["id"] for case in desk.run("audit")["contested"]] == [first]


def test_an_exception_settles_it_too(desk: Desk):
    rule = desk.known("Use tabs for indentation.")
    desk.apply([{"op_id": "a", "op": "contest", "target_id": rule, "reason": "not in YAML"}])
    desk.run("audit", rule, "--exception", "in YAML files")
    record = desk.store.state.record(rule)
    assert (record.status, record.known_exceptions) == ("active", ["in YAML files"])


def test_it_may_be_left_contested_until_a_day(desk: Desk):
    rule = desk.known("Use tabs for indentation.")
    desk.run("audit", rule, "--until", "2999-01-01", "--because", "after the release")
    record = desk.store.state.record(rule)
    assert (record.status, record.contested_because) == ("contested", "after the release")
    assert (record.review.next_review or "")[:10] == "2999-01-01"
    desk.run("audit", rule, "--until", "2999-02-01")
    assert (desk.store.state.record(rule).review.next_review or "")[:10] == "2999-02-01"
    desk.run("audit", rule, "--keep")
    settled = desk.store.state.record(rule)
    assert (settled.status, (settled.review.next_review or "")[:4]) == ("active", "2027")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--keep", "--until", "30d"], "exclude each other"),
        (["--until", "someday"], "neither a day"),
        (["--until", "2020-01-01"], "has passed"),
        (["--keep"], "is not contested"),
        (["--keep", "--version", "abc"], "one version only"),
        (["--because", "why"], "goes with one of the ways"),
        (["--narrow", "in Go", "--beside", "x"], "go together"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(desk: Desk, words: list[str], says: str):
    rule = desk.known("Use tabs for indentation.")
    before = desk.store.history()
    done = curate("--home", desk.store.root, "audit", rule, *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("\n") == 1
    assert desk.store.history() == before


def test_a_page_for_a_colleague_shows_the_words_and_lets_none_of_them_act(desk: Desk):
    first = desk.known("Use tabs | never `spaces`.", on="2026-11-01")
    desk.known("Never use tabs.", on="2026-11-10")
    desk.apply([{"op_id": "a", "op": "contest", "target_id": first, "reason": "# <b>loud</b>"}])
    done = desk.run("audit", first, "--markdown")
    path = Path(done["file"])
    assert path == desk.store.root / "reports" / "audits" / f"{first}.md"
    text = path.read_text("utf-8")
    assert "| says | Use tabs \\| never \\`spaces\\`." in text
    assert "\\<b>" in text
    assert "<b>loud" not in text.replace("\\<b>", "")
    assert "## How it can be settled" in text
    again = desk.text("audit", first, "--markdown", "-o", "-")
    assert again == text
    assert desk.text("audit", "-o", "-").startswith("# What is in dispute\n")


def test_a_purge_takes_the_words_out_of_a_page_too(desk: Desk):
    rule = desk.known("Use tabs for indentation.")
    desk.run("audit", rule, "--markdown")
    desk.run("purge", rule, "--confirm", "purge")
    left = b"".join(path.read_bytes() for path in desk.store.root.rglob("*") if path.is_file())
    assert b"Use tabs for indentation" not in left


def test_any_other_memory_can_be_looked_at_beside_it(desk: Desk):
    first, other = desk.known("Use tabs for indentation."), desk.known("Follow the formatter.")
    found = desk.run("audit", first, "--beside", other)
    assert [claim["key"] for claim in found["claims"]] == [first, other]
    assert found["case"] is None
    assert curate("--home", desk.store.root, "audit", first, "--beside", "nobody").code == 2


def test_the_core_needs_no_screen_and_no_files(pair: tuple[Desk, str, str]):
    desk, first, _ = pair
    found = audit(desk.store.state, first, at=AT, patches=[], told={})
    assert (found.case and found.case.kind, len(found.claims), found.told) == ("conflict", 2, ())
