"""Places: reading goes on where it stopped, broken lines are told with theirs, nothing is read whole."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from curate.capture.readers import lines, reader_for
from curate.capture.turns import Position, Turn
from tests.curate.reading import DATA, assistant, call, read, result, text, user, write


def session() -> list[object]:
    return [
        user("first rule", "u1"),
        assistant(text("Fine."), call("Edit", file_path="/home/ada/kiosk/a.py")),
        user([result("ok")], "r1"),
        user("second rule", "u2"),
        assistant(text("Yes."), call("Bash", command="ls")),
        assistant(call("Write", "t2", file_path="/home/ada/kiosk/b.py")),
        user("third rule", "u3"),
    ]


def facts(turn: Turn) -> tuple[object, ...]:
    return turn.turn_id, turn.text, turn.line, turn.offset, turn.previous, turn.cwd, turn.session, turn.branch


def test_reading_in_two_parts_gives_what_reading_at_once_gives_at_every_line(tmp_path):
    whole = write(tmp_path / "whole.jsonl", *session())
    expected = read(whole).turns
    data = whole.read_bytes().splitlines(keepends=True)
    for cut in range(1, len(data) + 1):
        path = tmp_path / f"{cut}.jsonl"
        path.write_bytes(b"".join(data[:cut]))
        first = read(path)
        path.write_bytes(b"".join(data))
        position = Position.load(json.loads(json.dumps(first.end.position.dump())))
        second = read(path, position)
        last = {turn.turn_id: turn for turn in [*first.turns, *second.turns]}
        assert list(last) == [turn.turn_id for turn in expected]
        for turn in expected:
            assert facts(last[turn.turn_id]) == facts(turn)
            assert last[turn.turn_id].files_written == turn.files_written


def test_going_on_behind_a_turn_gives_the_turns_that_follow_it(tmp_path):
    path = write(tmp_path / "s.jsonl", *session())
    turns = read(path).turns
    for index, turn in enumerate(turns):
        assert [facts(t) for t in read(path, turn.after).turns] == [facts(t) for t in turns[index + 1 :]]


def test_nothing_new_gives_nothing_and_a_position_keeps_no_words(tmp_path):
    path = write(tmp_path / "s.jsonl", *session())
    end = read(path).end.position
    again = read(path, end)
    assert not again.turns
    assert again.end.position == end
    assert again.end.records == 0
    kept = json.dumps(end.dump())
    assert "rule" not in kept
    assert "Yes" not in kept


def test_a_turn_that_grew_is_given_again_under_the_same_id(tmp_path):
    path = write(tmp_path / "s.jsonl", *session()[:5])
    before = read(path)
    write(path, *session()[:6])
    after = read(path, before.end.position)
    assert [turn.turn_id for turn in after.turns] == ["u2"]
    assert after.turns[0].text == "second rule"
    assert after.turns[0].files_written == ("/home/ada/kiosk/b.py",)


def test_broken_lines_are_told_with_their_place_and_all_others_are_read(tmp_path):
    broken = [b'{"type":"user","message":{"ro', b"\xff\xfe\x00", b"[1, 2]", b'"x"', b"[" * 100_000, b"1" * 5000, b"{}}"]
    rows: list[object] = []
    for number, line in enumerate(broken):
        rows += [user(f"rule {number}", f"u{number}"), line]
    rows.append(user("last rule", "u99"))
    path = write(tmp_path / "s.jsonl", *rows)
    seen = read(path)
    assert seen.texts == [*(f"rule {n}" for n in range(len(broken))), "last rule"]
    assert [bad.line for bad in seen.bad] == [2 * n + 2 for n in range(len(broken))]
    data = path.read_bytes()
    for bad, line in zip(seen.bad, broken, strict=True):
        assert data[bad.offset :].startswith(line)
        assert bad.reason


def test_a_half_written_last_line_waits_until_it_is_whole(tmp_path):
    path = write(tmp_path / "s.jsonl", user("first", "u1"), user("second ünicode", "u2"))
    data = path.read_bytes()
    start = data.index(b"\n") + 1
    for cut in range(start, len(data) - 1):
        path.write_bytes(data[:cut])
        seen = read(path)
        assert seen.texts == ["first"]
        assert not seen.bad
        assert seen.end.position.offset == start
    path.write_bytes(data[:-1])
    assert read(path).texts == ["first", "second ünicode"]


def test_records_of_unknown_kinds_only_are_reported_with_their_number(tmp_path):
    path = write(
        tmp_path / "s.jsonl", *({"type": "human_turn", "sessionId": "s", "body": f"use tabs {n}"} for n in range(240))
    )
    for agent in (None, "claude-code"):
        [unknown] = read(path, agent=agent).unknown
        assert unknown.nothing
        assert unknown.sentence == "0 of 240 records understood"
        assert unknown.kinds == {"human_turn": 240}
    some = write(tmp_path / "t.jsonl", user("use tabs"), {"type": "novelty", "sessionId": "s"})
    [unknown] = read(some).unknown
    assert (unknown.understood, unknown.records, dict(unknown.kinds)) == (1, 2, {"novelty": 1})


def test_files_that_are_no_transcripts_are_told_so(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "b.jsonl").write_bytes(b"")
    (tmp_path / "c.md").write_text("# Readme\n\nAlways use tabs.\n")
    assert reader_for(tmp_path / "a.jsonl") == "a binary file, not a transcript"
    assert reader_for(tmp_path / "b.jsonl") == "an empty file"
    assert reader_for(tmp_path / "c.md") == "not a transcript of any known agent"
    with pytest.raises(FileNotFoundError):
        reader_for(tmp_path / "missing.jsonl")


def test_each_recorded_transcript_is_given_to_its_reader():
    found = {path.name: reader_for(path).agent for path in sorted(DATA.iterdir())}  # type: ignore[union-attr]
    assert found == {
        "aider.chat.history.md": "aider",
        "claude_code.jsonl": "claude-code",
        "codex_paginated.jsonl": "codex",
        "copilot.jsonl": "copilot",
        "gemini.jsonl": "gemini",
        "opencode_export.json": "opencode",
        "pi_0.73.jsonl": "pi",
        "pi_1.jsonl": "pi",
        "specstory.md": "specstory",
    }


def test_a_very_long_line_costs_no_memory_and_hides_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "LINE_LIMIT", 1 << 20)
    path = tmp_path / "s.jsonl"
    with write(path, user("first rule", "u1")).open("ab") as file:
        file.write(b'{"type":"api-request","sessionId":"s-1","params":"')
        for _ in range(60):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n{"type":"user","message":{"role":"user","content":"')
        for _ in range(4):
            file.write(b"y" * (1 << 20))
        file.write(b'"}}\n')
        file.write(json.dumps(user("last rule", "u2")).encode() + b"\n")
    tracemalloc.start()
    seen = read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seen.texts == ["first rule", "last rule"]
    assert [bad.line for bad in seen.bad] == [3]
    assert "MB" in seen.bad[0].reason
    assert peak < 12 << 20
