"""Damaged and mutated transcripts: no reader fails, what cannot be read is told with its place, the rest is read."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.capture.readers import REGISTRY, named, reader_for
from curate.capture.readers.jsonl import parse
from curate.capture.speech import speech
from curate.capture.turns import Bad, End, Position, Skip, Turn
from tests.curate.reading import DATA, read, user, write

RECORDED = sorted(path for path in DATA.iterdir() if path.suffix == ".jsonl")
FILES = sorted(DATA.iterdir())
FAST = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def check(path: Path, agent: str) -> list[Any]:
    """Read a file and check what holds for every reading."""
    reader = named(agent)
    assert reader is not None
    items = list(reader.read(path))
    size = path.stat().st_size
    assert isinstance(items[-1], End)
    json.dumps(items[-1].position.dump(), allow_nan=False)
    assert 0 <= items[-1].position.offset <= size
    for item in items:
        if isinstance(item, Turn):
            item.text.encode("utf-8")
            json.dumps(item.after.dump())
            assert item.turn_id
            assert 0 <= item.offset <= size
        elif isinstance(item, Bad):
            assert item.reason
            assert 0 <= item.offset <= size
        elif isinstance(item, Skip):
            assert item.reason
    again = list(reader.read(path, Position.load(json.loads(json.dumps(items[-1].position.dump())))))
    assert isinstance(again[-1], End)
    return items


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    found = [here]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += paths(inner, (*here, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += paths(inner, (*here, index))
    return found


def replaced(value: Any, place: tuple[Any, ...], by: Any) -> Any:
    if not place:
        return by
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = replaced(value[place[0]], place[1:], by)
    return copy


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
@FAST
@given(data=st.data())
def test_any_value_anywhere_in_a_record_is_survived(path, data):
    agent = reader_for(path).agent  # type: ignore[union-attr]
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for _ in range(data.draw(st.integers(1, 4))):
        index = data.draw(st.integers(0, len(records) - 1))
        place = data.draw(st.sampled_from(paths(records[index])))
        records[index] = replaced(records[index], place, data.draw(JSON))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / path.name
        lines = [json.dumps(record, ensure_ascii=data.draw(st.booleans()), separators=(",", ":")) for record in records]
        target.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass") + b"\n")
        items = check(target, agent)
    told = [item.line for item in items if isinstance(item, Bad)]
    broken = [n for n, line in enumerate(lines, 1) if isinstance(parse(line.encode("utf-8", "surrogatepass")), str)]
    assert told == broken


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@FAST
@given(data=st.data())
def test_damaged_bytes_are_survived_and_whole_lines_around_them_are_read(path, data):
    agent = reader_for(path).agent  # type: ignore[union-attr]
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(content)))
        change = data.draw(st.sampled_from(["cut", "insert", "flip", "truncate"]))
        if change == "cut":
            del content[at : at + data.draw(st.integers(1, 300))]
        elif change == "insert":
            content[at:at] = data.draw(st.binary(max_size=40))
        elif change == "flip" and at < len(content):
            content[at] = data.draw(st.integers(0, 255))
        elif change == "truncate" and data.draw(st.booleans()):
            del content[at:]
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / path.name
        target.write_bytes(bytes(content))
        check(target, agent)


@pytest.mark.parametrize("reader", REGISTRY, ids=lambda reader: reader.agent)
@FAST
@given(content=st.binary(max_size=400))
def test_any_bytes_are_survived_by_every_reader(reader, content):
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "x.jsonl"
        target.write_bytes(content)
        check(target, reader.agent)
        reader_for(target)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_line_that_is_cut_short_anywhere_is_bad_and_no_other_is(path, tmp_path):
    agent = reader_for(path).agent  # type: ignore[union-attr]
    lines = path.read_bytes().splitlines(keepends=True)
    for index in range(len(lines) - 1):
        target = tmp_path / path.name
        target.write_bytes(
            b"".join([*lines[:index], lines[index][: len(lines[index]) // 2] + b"\n", *lines[index + 1 :]])
        )
        bad = [item for item in check(target, agent) if isinstance(item, Bad)]
        assert [item.line for item in bad] == [index + 1]
        assert bad[0].offset == sum(map(len, lines[:index]))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<system-reminder>", "</system-reminder>", "<command-name>", "</skill>", "<skill>", "use tabs", "\n", " "]
        )
    )
)
def test_cleaning_speech_gives_words_or_a_reason(parts):
    said = speech("".join(parts))
    assert bool(said.text) == (said.reason is None)


@pytest.mark.parametrize(
    "unit",
    [
        "<system-reminder>",
        "</system-reminder>",
        "<system-reminder> ",
        "<skill a",
        "<a-b>",
        "# Persistent Intelligence Context",
        " ",
        "\n",
        "<",
    ],
)
def test_long_repeats_take_linear_time(unit):
    start = time.perf_counter()
    speech(unit * (1_000_000 // len(unit)))
    assert time.perf_counter() - start < 2


def test_a_copy_of_every_recording_reads_the_same(tmp_path):
    for path in FILES:
        copy = tmp_path / path.name
        shutil.copy(path, copy)
        assert read(copy).texts == read(path).texts
    assert read(write(tmp_path / "bom.jsonl", b"\xef\xbb\xbf" + json.dumps(user("use tabs")).encode())).texts == [
        "use tabs"
    ]
    crlf = tmp_path / "crlf.jsonl"
    crlf.write_bytes(json.dumps(user("use tabs")).encode() + b"\r\n")
    assert read(crlf).texts == ["use tabs"]
