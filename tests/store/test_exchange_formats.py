"""What foreign files say, taken in our words: rules in Markdown, fields of PI stores, exports with odd shapes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.exchange import mem0
from store.exchange.agents_md import read_folder, read_text
from store.exchange.found import Entry
from store.exchange.front import BrokenFront, split_front
from store.exchange.jsonl import export, plan_import
from store.exchange.lines import objects
from store.exchange.pi_fields import NotTaken, record_of
from store.exchange.redact import public
from store.exchange.rules import Rule, rules
from store.line import canonical
from store.projection.markers import render
from store.state import State
from tests.store.patching import AT, World

TEXT = """# Title

Please always run the linter. This project is about shops. Never push to main!

## Testing

- Write **unit tests** first, see [the guide](docs/x.md).
  They go beside the code.
1. Use `pytest -q`.
- Databases:
  - never share one between tests
  - use a fresh schema
- [ ] Keep the changelog
- word

> Always quoted, never a rule.

```sh
- never run this
```

| Always | a table |
| --- | --- |
<!-- - never a comment
- never this either -->
    @docs/other.md
Is this always a question?
"""


def told(text: str, first_line: int = 1) -> list[tuple[int, str]]:
    return [(one.line, one.text) for one in rules(text, first_line) if isinstance(one, Rule)]


def test_items_and_telling_sentences_are_rules_with_their_line():
    assert told(TEXT) == [
        (3, "Please always run the linter."),
        (3, "Never push to main!"),
        (7, "Write unit tests first, see the guide. They go beside the code."),
        (9, "Use `pytest -q`."),
        (11, "Databases: never share one between tests"),
        (12, "Databases: use a fresh schema"),
        (13, "Keep the changelog"),
    ]
    assert [one.heading for one in rules(TEXT) if isinstance(one, Rule)][2] == "Testing"


def test_lists_in_other_scripts_are_rules_too():
    assert told("- 不要修改生成的文件。\n- Больше не трогай миграции\n- テストを先に書く\n") == [
        (1, "不要修改生成的文件。"), (2, "Больше не трогай миграции"), (3, "テストを先に書く")
    ]  # fmt: skip


def test_our_own_block_is_not_read_back():
    text = "- Mine.\n- My own rule.\n" + render("x", ["- Ours, not theirs."]) + "- After it all.\n"
    assert [text for _, text in told(text)] == ["My own rule.", "After it all."]


@given(st.text(max_size=400))
def test_any_text_is_read_without_fault(text: str):
    for one in rules(text):
        assert isinstance(one, Rule | tuple)


def test_bad_lines_are_named_and_the_others_count():
    read = read_text(
        State(), b"- Good rule here.\n- bad \xff byte\n" + b"- " + b"x" * 30_000 + b"\n- Another one.\n", AT
    )
    assert [one.statement for one in read.proposals] == ["Good rule here.", "Another one."]
    assert [(one.line, one.fault) for one in read.faults] == [(2, "not UTF-8"), (3, "longer than 20,000 characters")]


def test_rule_files_of_editors_hold_for_their_globs(tmp_path: Path):
    (tmp_path / ".curate.yaml").write_text("project: acme\n")
    for name, text in {
        ".cursor/rules/a.mdc": "---\nglobs: *.ts,src/**/*.tsx\nalwaysApply: false\n---\n- No any types.\n",
        ".cursor/rules/b.mdc": '---\nglobs: ["**/*"]\n---\n- Be strict here.\n',
        ".github/copilot-instructions.md": "- Use tabs everywhere.\n",
        "AGENTS.md": "- Root rule here.\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = {one.statement: one.paths for one in read_folder(State(), tmp_path, AT).proposals}
    assert found == {
        "No any types.": ("*.ts", "src/**/*.tsx"), "Be strict here.": (), "Use tabs everywhere.": (),
        "Root rule here.": (),
    }  # fmt: skip
    assert {one.project for one in read_folder(State(), tmp_path, AT).proposals} == {"acme"}


def test_front_matter_is_split_or_refused_by_line():
    assert split_front("---\na: 1\n---\nbody\n") == ({"a": 1}, "body\n", 4)
    assert split_front("no front\n---\n") == ({}, "no front\n---\n", 1)
    for text, line in (
        ("---\na: 1\n", 1),
        ("---\na: [1\n---\n", 3),
        ("---\n- a\n---\n", 2),
        ("---\na: 1\na: 2\n---\n", 3),
    ):
        with pytest.raises(BrokenFront) as fault:
            split_front(text)
        assert fault.value.line in (line, line - 1)


PI = {"id": "m", "layer": "L2", "statement": "Use bun.", "scope": {"type": "global"}}


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ({"ruleType": "tool"}, "rule_type", "tool"),
        ({"rule_type": "tool"}, "rule_type", "tool"),
        ({"tags": ["x", "convention"]}, "rule_type", "convention"),
        ({"layer": "l1_identity"}, "layer", "L1"),
        ({"status": "promoted"}, "status", "active"),
        ({"status": "tombstoned"}, "status", "deprecated"),
        ({"createdAt": "2026-05-20"}, "created_at", "2026-05-20T00:00:00Z"),
        ({"doesNotApplyWhen": ["publishing"]}, "does_not_apply_when", ["publishing"]),
        ({"superseded_by": ["a", "b"]}, "superseded_by", "b"),
        ({"profile_id": "project:shop"}, "scope", {"type": "project", "project": "shop"}),
        ({"profileId": "work"}, "profile", "work"),
        ({"scope": {"level": "domain", "key": "release"}}, "scope", {"type": "domain", "domains": ["release"]}),
        ({"verification": {"stability": "stable"}}, "stability", "stable"),
        ({"memoryKind": "fact"}, "kind", "fact"),
        ({"review": {"cadenceDays": 30}}, "review", {"cadence_days": 30}),
        ({"review": {"nextReview": "2026-12-20"}}, "review", {"next_review": "2026-12-20T00:00:00Z"}),
    ],
)  # fmt: skip
def test_fields_of_pi_stores_in_our_words(said: dict[str, object], field: str, value: object):
    assert record_of({**PI, **said}, lambda name: name)[field] == value


@pytest.mark.parametrize(
    "said",
    [{"layer": "L3"}, {"layer": "L9"}, {"status": "x"}, {"id": ""}, {"statement": " "}, {"scope": {"type": "project"}},
     {"scope": None}],
)  # fmt: skip
def test_what_would_be_guessed_is_refused(said: dict[str, object]):
    with pytest.raises(NotTaken):
        record_of({**PI, **said}, lambda name: name)


def test_odd_shapes_of_exports_are_read():
    one = {"id": "a", "memory": "Likes tea"}
    for data in ([one], {"results": [one]}, {"memories": [one]}, one):
        assert [each.statement for each in mem0.read_export(json.dumps(data).encode(), "x").proposals] == ["Likes tea"]
    lines = b'{"memory": "Likes tea"}\n{broken\n'
    read = mem0.read_export(lines, "x")
    assert (len(read.proposals), [each.line for each in read.faults]) == (1, [2])


@given(st.lists(st.binary(max_size=60).filter(lambda raw: b"\n" not in raw), max_size=8))
def test_lines_of_anything_are_values_or_faults(lines: list[bytes]):
    for entry in objects(lines):
        assert isinstance(entry, Entry)
        assert (entry.data is None) != (entry.fault is None)


def test_numbers_and_marks_that_no_line_can_hold_are_refused():
    faults = [entry.fault for entry in objects([b'{"a": NaN}', b'{"a": "\\ud800"}', b"<<<<<<< ours", b"[" * 9999])]
    assert all(faults)


def test_an_export_read_again_changes_nothing_and_differs_in_nothing():
    world = World()
    for number in range(20):
        status = ("active", "contested", "deprecated")[number % 3]
        world.record(
            f"m{number}", f"Rule {number}", confidence=number / 20, status=status, tags=[str(number)],
            pinned=number % 2 == 0, evidence=[world.evidence(f"e{number}")],
            review={"cadence_days": 30, "next_review": AT},
        )  # fmt: skip
    lines = [canonical(record) for record in export(world.state)]
    found = plan_import(world.state, lines, patch_id="pat_1", at=AT)
    assert (len(found.unchanged), found.patch.ops, found.conflicts, found.rejected) == (20, [], [], [])
    fresh = World()
    found = plan_import(fresh.state, lines, patch_id="pat_1", at=AT)
    for piece in found.evidence:
        fresh.state.add_evidence(piece.model_dump(mode="json", by_alias=True, exclude_none=True))
    fresh.commit(fresh.plan(found.patch, select=[op.op_id for op in found.patch.ops]), found.patch)
    assert [canonical(record) for record in export(fresh.state)] == lines


def test_what_is_public_names_no_person_and_no_place():
    shown = public(
        {"statement": "Ask ann@x.org, see /home/ann/x and C:\\Users\\ann\\y", "evidence": ["e"], "profile": "work"}
    )
    assert shown == {"statement": "Ask [address], see ~/x and ~\\y"}
