"""Settings are changed as text: what was asked for is in them afterwards, all else keeps every character, and taking
it out gives the bytes that were there.
"""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.agents.install import edit
from curate.agents.install.faults import BrokenSettings
from curate.agents.install.jsonc import BadJson, parse
from curate.agents.install.merging import has_exactly, own_entries, with_entries, without_entries
from curate.agents.install.pieces import Element, Member, Merged

FILE = Path("/home/ann/.claude/settings.json")
OURS = {"hooks": [{"type": "command", "command": "/v/python -I -S /v/curate/agents/cold.py claude-code Stop"}]}
WANTED = Merged(
    FILE,
    (
        Element(("hooks", "Stop"), OURS),
        Element(("hooks", "UserPromptSubmit"), OURS),
        Member(("mcpServers",), "curate", {"command": "curate"}),
    ),
)
THEIRS = {"hooks": [{"type": "command", "command": "beep"}]}


def expected(before: Any) -> Any:
    """What the settings should say with our entries."""
    value = copy.deepcopy(before)
    hooks = value.setdefault("hooks", {})
    for event in ("Stop", "UserPromptSubmit"):
        hooks.setdefault(event, []).append(OURS)
    value.setdefault("mcpServers", {})["curate"] = {"command": "curate"}
    return value


words = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=6)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
groups = st.lists(st.sampled_from([THEIRS, {"matcher": "x", "hooks": []}]) | plain, max_size=2)
settings_values = st.dictionaries(
    words.filter(lambda name: name not in {"hooks", "mcpServers"}), plain, max_size=3
).flatmap(
    lambda rest: st.fixed_dictionaries(
        {},
        optional={
            "hooks": st.dictionaries(st.sampled_from(["Stop", "UserPromptSubmit", "PreToolUse"]), groups, max_size=3),
            "mcpServers": st.dictionaries(st.sampled_from(["a", "b"]), plain, max_size=2),
        },
    ).map(lambda known: {**rest, **known})
)
gaps = st.sampled_from(["", " ", "\n", "\n  ", "\t", " // remark\n", "/* a, ] } */", "\n\n    // one\n    /* two */ "])


@st.composite
def written(draw: st.DrawFn, values: Any = settings_values) -> tuple[Any, str]:
    """Settings and a text that holds them, as people write it: any white space, comments, trailing commas."""
    value = draw(values)
    style = draw(st.sampled_from(["two", "four", "tabs", "one line", "wild"]))
    if style != "wild":
        indent: Any = {"two": 2, "four": 4, "tabs": "\t", "one line": None}[style]
        return value, json.dumps(value, indent=indent, ensure_ascii=False) + draw(st.sampled_from(["", "\n"]))
    return value, draw(gaps) + _wild(draw, value) + draw(gaps)


def _wild(draw: st.DrawFn, value: Any) -> str:
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}{draw(gaps)}:{draw(gaps)}{_wild(draw, each)}" for key, each in value.items()]
    elif isinstance(value, list):
        parts = [_wild(draw, each) for each in value]
    else:
        return json.dumps(value)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    text = ",".join(f"{draw(gaps)}{part}{draw(gaps)}" for part in parts)
    return opening + text + ("," if parts and draw(st.booleans()) else "") + draw(gaps) + closing


@settings(max_examples=40)
@given(written())
def test_what_is_read_is_what_was_written(case: tuple[Any, str]):
    value, text = case
    assert parse(text).value == value


@settings(max_examples=40)
@given(written(), st.booleans(), st.booleans())
def test_adding_says_what_was_asked_for_and_removing_gives_the_bytes_before(
    case: tuple[Any, str], marked: bool, windows: bool
):
    value, text = case
    before = (b"\xef\xbb\xbf" if marked else b"") + (text.replace("\n", "\r\n") if windows else text).encode()
    after, trace = with_entries(FILE, before, WANTED)
    assert parse(after.decode("utf-8-sig")).value == expected(value)
    assert after.startswith(b"\xef\xbb\xbf") == marked
    if windows:
        assert b"\n" not in after.replace(b"\r\n", b"")
    assert has_exactly(FILE, after, WANTED)
    assert without_entries(FILE, after, trace) == before


@settings(max_examples=40)
@given(written())
def test_what_others_wrote_meanwhile_stays(case: tuple[Any, str]):
    _, text = case
    after, trace = with_entries(FILE, text.encode(), WANTED)
    changed = edit.put(after.decode(), (), "added later", 1)
    changed = edit.append(changed, ("hooks", "Stop"), THEIRS)
    left = parse(without_entries(FILE, changed.encode(), trace).decode()).value
    wanted = parse(text).value
    wanted.setdefault("hooks", {}).setdefault("Stop", []).append(THEIRS)
    assert left == {**wanted, "added later": 1}


@settings(max_examples=40)
@given(written())
def test_without_a_trace_our_entries_are_found_by_what_they_run(case: tuple[Any, str]):
    value, text = case
    only_hooks = Merged(FILE, WANTED.entries[:2])
    after, _ = with_entries(FILE, text.encode(), only_hooks)
    left = parse(without_entries(FILE, after, None).decode()).value
    assert own_entries(FILE, json.dumps(left).encode()) == []
    kept = {event: group for event, group in value.get("hooks", {}).items() if group}
    assert {event: group for event, group in left.get("hooks", {}).items() if group} == kept


@settings(max_examples=40)
@given(st.text(max_size=40))
def test_no_text_makes_the_reader_fail_in_another_way(text: str):
    with suppress(BadJson):
        parse(text)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3, "comma"),
        ('{\n  "a": \n}', 3, "value"),
        ('{\n  "a": "x\n}', 2, "closed"),
        ('{"a": 1', 1, "never closed"),
        ("{} {}", 1, "follows"),
        ("{\n/* ", 2, "never closed"),
        ("{'a': 1}", 1, "double quotes"),
        ('{"a" 1}', 1, "colon"),
        ('{"hooks": []}', 1, "should be an object"),
        ('{"hooks": {\n"Stop": {}}}', 2, "should be a list"),
        ("[]", 1, "should be an object"),
        ("[" * 200, 1, "deep"),
        ('{"a": "\\x"}', 1, "backslash"),
    ],
)
def test_broken_settings_are_refused_with_file_and_line(text: str, line: int, reason: str):
    with pytest.raises(BrokenSettings, match=reason) as fault:
        with_entries(FILE, text.encode(), WANTED)
    assert f"{FILE}, line {line}:" in str(fault.value)


def test_settings_that_are_no_utf8_are_refused():
    with pytest.raises(BrokenSettings, match="line 2: not UTF-8"):
        with_entries(FILE, b'{\n"a": "\xff"}', WANTED)
    with pytest.raises(BrokenSettings, match="UTF-8"):
        with_entries(FILE, '{"a": 1}'.encode("utf-16"), WANTED)


def test_a_remark_stays_on_the_line_that_it_speaks_of():
    text = '{\n  "a": 1, // first\n  "b": 2 // last\n}\n'
    assert edit.put(text, (), "c", 3) == '{\n  "a": 1, // first\n  "b": 2, // last\n  "c": 3\n}\n'


@pytest.mark.parametrize(
    ("text", "place", "left"),
    [
        ('{ // remark\n  "a": 1}', ("a",), "{ // remark\n  }"),
        ("[1, // one\n  2]", (1,), "[1 // one\n  ]"),
        ("[// two\n  1, 2]", (0,), "[// two\n   2]"),
        ("[1, // one\n  2,\n]", (1,), "[1, // one\n]"),
        ("[ 1 ]", (0,), "[]"),
    ],
)
def test_a_remark_does_not_swallow_what_follows_it(text: str, place: tuple[str | int, ...], left: str):
    assert edit.cut(text, place) == left


def test_one_hook_of_ours_among_others_in_a_group_goes_alone():
    mixed = {"hooks": [{"command": "beep"}, {"command": "/v/bin/curate-hook claude-code Stop"}, {"command": "boop"}]}
    text = json.dumps({"hooks": {"Stop": [mixed]}}, indent=2)
    left = without_entries(FILE, text.encode(), None)
    assert json.loads(left) == {"hooks": {"Stop": [{"hooks": [{"command": "beep"}, {"command": "boop"}]}]}}
    assert left.decode() == json.dumps(json.loads(left), indent=2)
