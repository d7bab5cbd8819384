"""Notes of a person: read with all their oddities, refused by line when broken, and changed in our own keys only."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from curate.vault.note import BrokenNote, front_matter, parse, scalar, with_keys

LIVED_IN = (
    '\ufeff---\r\n# kept by hand\r\nzeta: 1 # last in the alphabet\r\ntags: [a,   "b"]  # flow\r\ndate: 2026-01-02\r\n'
    'link: "[[Sources/Queue Handbook]]"\r\ncurate_status:   old   # ours\r\ncurate_since:\r\n'
    "block: |\r\n  one\r\n\r\n  two\r\n"
    "\r\n# the end\r\n---\r\nBody.\r\n"
)


def test_what_the_front_matter_says_is_kept_as_text():
    note = parse(LIVED_IN.encode())
    assert note.get("date") == "2026-01-02"
    assert note.get("zeta") == "1"
    assert note.get("tags") == ["a", "b"]
    assert note.get("link") == "[[Sources/Queue Handbook]]"
    assert note.get("curate_since") is None
    assert (note.bom, note.newline) == (True, "\r\n")
    assert note.encode() == LIVED_IN.encode()


def test_only_our_keys_change_each_in_its_place():
    note = with_keys(
        parse(LIVED_IN.encode()), {"curate_id": "mem_1", "curate_since": "2026-02-01", "curate_status": "x: y"}
    )
    expected = (
        LIVED_IN.replace("curate_status:   old   # ours", 'curate_status:   "x: y"   # ours')
        .replace("curate_since:\r\n", "curate_since: 2026-02-01\r\n")
        .replace("# the end\r\n---", "# the end\r\ncurate_id: mem_1\r\n---")
    )
    assert note.encode() == expected.encode()
    assert with_keys(note, {"curate_id": "mem_1", "curate_status": "x: y"}).encode() == note.encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Just text.\n", "---\ncurate_id: m\n---\nJust text.\n"),
        ("", "---\ncurate_id: m\n---\n"),
        ("---\n---\nText", "---\ncurate_id: m\n---\nText"),
        ("---\r\na: 1\r\n---\r\n", "---\r\na: 1\r\ncurate_id: m\r\n---\r\n"),
        ("---\na: 1\n---", "---\na: 1\ncurate_id: m\n---"),
        ("text\n\n---\n\na rule\n", "---\ncurate_id: m\n---\ntext\n\n---\n\na rule\n"),
    ],
)
def test_a_key_is_added_where_there_is_little_or_no_front_matter(before: str, after: str):
    assert with_keys(parse(before.encode()), {"curate_id": "m"}).encode() == after.encode()


DEEP = "---\n" + "[" * 5000 + "\n---\n"


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("---\ntags: [a]\ntags: [b]\n---\n", 3, "twice"),
        ("---\ntags: [a, b\ntitle: x\n\nNo end.\n", 1, "never closed"),
        ("---\na: 1\nb: [1\n---\n", 3, "YAML"),
        ("---\n\ta: 1\n---\n", 2, "YAML"),
        ("---\na: *nothing\n---\n", 2, "alias"),
        ("---\n- a\n---\n", 2, "mapping"),
        ("---\nok: 1\na: \x07\n---\n", 3, "YAML"),
        pytest.param(DEEP, 2, "deeply", id="deep"),
        pytest.param("---\n" + "a: 1\n" * 20000 + "---\n", 2, "longer", id="long"),
        ("---", 1, "never closed"),
    ],
)
def test_a_broken_note_is_refused_with_its_line(text: str, line: int, word: str):
    with pytest.raises(BrokenNote) as fault:
        parse(text.encode())
    assert fault.value.line == line
    assert word in fault.value.reason


def test_a_note_that_is_no_text_is_refused():
    with pytest.raises(BrokenNote, match="line 2: not UTF-8"):
        parse(b"first\n\xff\xfe")


def test_a_key_of_ours_that_a_person_made_into_something_else_is_left_alone():
    for value in ("[a, b]", "|\n  text", "{a: 1}"):
        with pytest.raises(BrokenNote):
            with_keys(parse(f"---\ncurate_id: {value}\n---\n".encode()), {"curate_id": "m"})
    with pytest.raises(BrokenNote):
        with_keys(parse(b"---\n{a: 1}\n---\n"), {"curate_id": "m"})


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_any_text_is_a_valid_value(text: str):
    line = " ".join("".join(char for char in text if char.isprintable()).split())
    assert str(YAML(typ="safe", pure=True).load(f"key: {scalar(line)}")["key"]) == line


def test_values_that_mean_something_in_yaml_stay_text():
    for text in (
        "@types",
        "#tag [[x]]",
        "a: b",
        "- a",
        "true",
        "null",
        "~",
        "*x",
        "&x",
        "!x",
        "%x",
        "`x`",
        "|",
        "1e3",
        "",
        "'",
    ):
        assert YAML(typ="safe", pure=True).load(front_matter({"title": text, "tags": [text]})[4:-4]) == {
            "title": text, "tags": [text]
        }  # fmt: skip


def test_changing_our_keys_in_any_note_changes_no_other_line():
    pick = random.Random(7)
    others = [
        "a: 1",
        "b: [x,  y] # c",
        "# comment",
        "",
        "c: 'it''s'",
        'd: "[[X|y]]"',
        "e: 2026-01-01",
        "f:\n  - 1\n  -  2",
        "g: >-\n  x\n  y",
    ]
    for _ in range(200):
        ours = [
            f"curate_{name}:{pick.choice([' old', '', ' old # mine'])}"
            for name in pick.sample("xyz", pick.randint(0, 3))
        ]
        lines = pick.sample(others, pick.randint(0, len(others))) + ours
        pick.shuffle(lines)
        newline = pick.choice(["\n", "\r\n"])
        text = "\n".join(["---", *lines, "---", "body", ""]).replace("\n", newline)
        changed = with_keys(parse(text.encode()), {"curate_x": "new", "curate_z": "new"}).text
        kept = [line for line in text.split(newline) if not line.startswith(("curate_x", "curate_z"))]
        assert [line for line in changed.split(newline) if not line.startswith(("curate_x", "curate_z"))] == kept
        assert parse(changed.encode()).get("curate_x") == "new"
