"""Looking back: which decision put a field there, the memory as it was, what changed since, what hinders an undo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from store.model import Patch
from store.moment import Cut, cut, state_at
from tests.curate.shell import curate
from tests.curate.vaults import SHOP, Memory

API = "github.com/acme/api"
DAYS = ("2026-08-01", "2026-08-02", "2026-08-03", "2026-08-04")


class Past(Memory):
    """A store to which one patch a day is applied."""

    def on(self, day: str, *ops: dict[str, Any], summary: str = "") -> str:
        """Apply ops at noon of a day; gives the patch."""
        self.at = f"{day}T12:00:00.000Z"
        numbered = [{"op_id": f"op_{number}", **op} for number, op in enumerate(ops, 1)]
        document = {"patch_id": self.store._new_id("pat"), "created_at": self.at, "summary": summary, "ops": numbered}
        patch = Patch.model_validate(document)
        done = self.store.apply(patch, select=[op.op_id for op in patch.ops])
        assert all(receipt.applied for receipt in done.receipts), done.receipts
        return patch.patch_id

    def run(self, *args: object) -> Any:
        done = curate("--home", self.store.root, *args, "--json")
        assert done.code == 0, done.err
        return done.json


@pytest.fixture
def past(tmp_path: Path) -> Past:
    """A rule that is said on the first day, reworded on the second, narrowed and pinned on the third."""
    past = Past(tmp_path / "store", at=f"{DAYS[0]}T12:00:00.000Z")
    past.learn("m_tabs", "Use tabs for indentation.", tags=["style"])
    told = {"statement": "Use tabs.", "tags": ["style", "go"]}
    past.on(DAYS[1], {"op": "update", "target_id": "m_tabs", "updates": told, "reason": "shorter"})
    past.on(DAYS[2], {"op": "add_exception", "target_id": "m_tabs", "updates": {"known_exceptions": ["in YAML"]}},
            {"op": "pin", "target_id": "m_tabs"})  # fmt: skip
    return past


def test_blame_names_for_each_field_the_revision_that_gave_it_its_value(past: Past):
    fields = {each["field"]: each for each in past.run("blame", "m_tabs")["fields"]}
    assert {name: fields[name]["rev"] for name in ("scope", "statement", "known_exceptions", "pinned", "evidence")} == {
        "scope": 1, "statement": 2, "known_exceptions": 3, "pinned": 4, "evidence": 1,
    }  # fmt: skip
    said = fields["statement"]
    assert (said["op"], said["why"], said["who"]) == ("update", "shorter", "a patch by hand")
    assert said["patch"] == past.store.history()[1]["patch_id"]
    assert [one["excerpt"] for one in fields["scope"]["evidence"]] == ["Use tabs for indentation."]
    assert [(one["value"], one["rev"]) for one in fields["tags"]["items"]] == [("style", 1), ("go", 2)]


def test_a_value_that_went_and_came_back_is_blamed_on_what_brought_it_back(past: Past):
    past.on(DAYS[3], {"op": "unpin", "target_id": "m_tabs"})
    past.on(DAYS[3], {"op": "pin", "target_id": "m_tabs"})
    fields = {each["field"]: each for each in past.run("blame", "m_tabs", "--field", "pinned")["fields"]}
    assert {name: one["rev"] for name, one in fields.items()} == {"pinned": 6}


def test_blame_says_of_a_captured_candidate_where_it_was_said(past: Past):
    fields = {each["field"]: each for each in past.run("blame", "cand_m_tabs")["fields"]}
    assert (fields["statement"]["who"], fields["statement"]["op"]) == ("captured from claude-code", "capture")
    assert (fields["status"]["value"], fields["status"]["op"]) == ("accepted", "add")
    told = curate("--home", past.store.root, "blame", "m_tabs").out
    assert "rev 2" in told
    assert "because: shorter" in told
    assert "“Use tabs for indentation.”" in told


@pytest.mark.parametrize(
    ("moment", "statement"),
    [
        ("2026-07-31", None),
        ("2026-08-01", "Use tabs for indentation."),
        ("2026-08-01T11:59:59Z", None),
        ("2026-08-02T13:00:00+02:00", "Use tabs for indentation."),
        ("2026-08-02T12:00:00Z", "Use tabs."),
        ("now", "Use tabs."),
    ],
)
def test_the_memory_as_it_was(past: Past, moment: str, statement: str | None):
    records = past.run("at", moment)["records"]
    assert [record["statement"] for record in records] == ([statement] if statement else [])


def test_filters_hold_for_what_was_true_then(past: Past):
    past.on(DAYS[3], {"op": "delete", "target_id": "m_tabs"})
    assert past.run("at", "now")["records"] == []
    assert [one["id"] for one in past.run("at", "now", "--status", "deleted")["records"]] == ["m_tabs"]
    assert [one["id"] for one in past.run("at", DAYS[2], "--project", "shop", "--query", "tabs")["records"]] == [
        "m_tabs"
    ]
    assert past.run("at", DAYS[2], "--query", "indentation")["records"] == []


def test_a_moment_may_be_a_patch_also_one_of_several_at_the_same_moment(tmp_path: Path):
    past = Past(tmp_path / "store", at="2026-08-01T12:00:00.000Z")
    past.learn("m_1", "Use tabs.")
    first = past.on(DAYS[1], {"op": "update", "target_id": "m_1", "updates": {"statement": "Use spaces."}})
    second = past.on(DAYS[1], {"op": "update", "target_id": "m_1", "updates": {"statement": "Use two spaces."}})
    said = [past.run("at", when)["records"][0]["statement"] for when in (f"{first}^", first, f"{second}^", second)]
    assert said == ["Use tabs.", "Use spaces.", "Use spaces.", "Use two spaces."]
    (changed,) = past.run("diff", f"{second}^", second)["changed"]
    assert changed["patches"] == [second]


def test_what_names_no_moment_is_refused_in_one_line(past: Past):
    done = curate("--home", past.store.root, "at", "last spring")
    assert (done.code, done.out) == (2, "")
    assert "last spring: no moment" in done.err


def test_words_that_were_purged_are_not_in_the_memory_as_it_was(past: Past):
    assert curate("--home", past.store.root, "purge", "m_tabs", "--confirm", "purge").code == 0
    assert "Use tabs" not in json.dumps(past.run("at", DAYS[1]))


def test_the_difference_of_two_days_word_for_word(past: Past):
    past.on(DAYS[3], {"op": "add", "record": {"id": "m_new", "statement": "Ask first.", "scope": {"type": "global"}}})
    past.learn("m_gone", "Never push.")
    past.on("2026-08-05", {"op": "delete", "target_id": "m_gone"})
    found = past.run("diff", DAYS[0], "2026-08-05")
    assert [one["id"] for one in found["added"]] == ["m_new"]
    (changed,) = found["changed"]
    fields = {one["field"]: one for one in changed["fields"]}
    assert fields.keys() == {"statement", "tags", "known_exceptions", "pinned"}
    assert [(one["change"], one["text"]) for one in fields["statement"]["words"]] == [
        ("same", "Use tabs"), ("old", " for indentation"), ("same", "."),
    ]  # fmt: skip
    assert [one["id"] for one in past.run("diff", DAYS[3], "2026-08-05")["removed"]] == ["m_gone"]
    told = curate("--home", past.store.root, "diff", DAYS[0], DAYS[3]).out
    assert "statement: Use tabs[- for indentation-]." in told
    assert "tags: {+go+}" in told


def test_a_difference_can_be_asked_of_a_part_of_the_memory(past: Past):
    scope = {"type": "project", "project": API}
    past.on(DAYS[3], {"op": "add", "record": {"id": "m_api", "statement": "Ask first.", "scope": scope}})
    found = past.run("diff", DAYS[0], "--project", "api")
    assert ([one["id"] for one in found["added"]], found["changed"]) == (["m_api"], [])


def test_an_old_patch_is_taken_back_where_nothing_later_touched_the_same(past: Past):
    past.learn("m_other", "Ask first.")
    pinned = past.on(DAYS[3], {"op": "pin", "target_id": "m_other"})
    past.on(DAYS[3], {"op": "unpin", "target_id": "m_tabs"})
    done = past.run("undo", pinned)
    assert (done["skipped"], done["in_the_way"], done["commands"]) == ([], [], [])
    assert past.run("at", "now", "--query", "first")["records"][0]["pinned"] is False


def test_what_stands_in_the_way_of_an_undo_is_named_with_the_commands_that_clear_it(past: Past):
    past.learn("m_other", "Ask first.")
    old = past.on(DAYS[3], {"op": "pin", "target_id": "m_other"}, {"op": "unpin", "target_id": "m_tabs"})
    later = past.on("2026-08-05", {"op": "update", "target_id": "m_tabs", "updates": {"body": "More."}}, summary="more")
    last = past.on("2026-08-06", {"op": "deprecate", "target_id": "m_tabs"}, {"op": "unpin", "target_id": "m_other"})
    after = past.on("2026-08-07", {"op": "pin", "target_id": "m_other"})

    foreseen = past.run("undo", old, "--dry-run")
    assert foreseen["would_apply"] == []
    way = {one["id"]: [(later["patch"], later["op"], later["command"]) for later in one["later"]]
           for one in foreseen["in_the_way"]}  # fmt: skip
    assert way == {
        "m_other": [(after, "pin", f"curate undo {after}"), (last, "unpin", f"curate undo {last}")],
        "m_tabs": [(last, "deprecate", f"curate undo {last}"), (later, "update", f"curate undo {later}")],
    }
    assert foreseen["commands"] == [f"curate undo {one}" for one in (after, last, later, old)]
    told = curate("--home", past.store.root, "undo", old)
    assert told.code == 0
    assert f"m_tabs: update in {later} (2026-08-05) more" in told.out

    for command in foreseen["commands"]:
        done = past.run(*command.split()[1:])
        assert done["skipped"] == [], command
    assert past.run("undo", last, "--dry-run")["would_apply"] == []


def test_later_patches_that_were_taken_back_stand_in_no_way(past: Past):
    past.learn("m_other", "Ask first.")
    old = past.on(DAYS[3], {"op": "pin", "target_id": "m_other"})
    past.run("undo", past.on("2026-08-05", {"op": "deprecate", "target_id": "m_other"}))
    kept = past.on("2026-08-06", {"op": "update", "target_id": "m_other", "updates": {"body": "More."}})
    (way,) = past.run("undo", old, "--dry-run")["in_the_way"]
    assert [later["patch"] for later in way["later"]] == [kept]


def test_a_deletion_of_the_same_words_stands_in_the_way_too(past: Past):
    changed = past.on(DAYS[3], {"op": "update", "target_id": "m_tabs", "updates": {"statement": "Use spaces."}})
    scope = {"type": "project", "project": SHOP}
    past.on(DAYS[3], {"op": "add", "record": {"id": "m_twin", "statement": "Use tabs.", "scope": scope}})
    deleted = past.on("2026-08-05", {"op": "delete", "target_id": "m_twin"})
    done = past.run("undo", changed)
    assert [one["reason"] for one in done["skipped"]] == ["tombstoned"]
    assert [later["patch"] for later in done["in_the_way"][0]["later"]] == [deleted]
    for command in done["commands"]:
        assert past.run(*command.split()[1:])["skipped"] == []
    assert past.store.refresh()
    assert past.store.state.record("m_tabs").statement == "Use tabs."


def test_an_undo_that_was_done_says_so(past: Past):
    old = past.store.history()[0]["patch_id"]
    past.run("undo", old)
    again = curate("--home", past.store.root, "undo", old)
    assert again.code == 0
    assert f"{old} was taken back already, by pat_" in again.err


def test_every_moment_of_a_past_is_the_state_that_was(past: Past):
    seen = []
    for day in ("2026-08-05", "2026-08-06", "2026-08-07"):
        past.on(day, {"op": "update", "target_id": "m_tabs", "updates": {"body": f"On {day}."}})
        seen.append((day, past.store.state.records["m_tabs"].head.hash))
    for day, hash_ in seen:
        then = state_at(past.store.state, cut(day, past.store.past, past.at))
        assert then.records["m_tabs"].head.hash == hash_
    assert state_at(past.store.state, Cut("2020-01-01T00:00:00Z")).records == {}


def test_a_story_tells_all_that_is_known(past: Past):
    past.on(DAYS[3], {"op": "contest", "target_id": "m_tabs", "reason": "who said so?"})
    told = curate("--home", past.store.root, "show", "m_tabs").out
    for words in ("who said so?", "in YAML", "next review", "4 patches", "curate blame m_tabs"):
        assert words in told, words
    history = curate("--home", past.store.root, "history").out
    assert "(2 of 2 ops)" in history
    assert SHOP in told
