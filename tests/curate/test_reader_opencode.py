"""OpenCode's databases, in both layouts."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from tests.curate.reading import read


def opencode(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE session(id TEXT, directory TEXT, parent_id TEXT, time_created INTEGER, time_updated INTEGER);"
        "CREATE TABLE message(id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);"
        "CREATE TABLE part(id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER,"
        " data TEXT);"
        "CREATE TABLE session_message(id TEXT, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER,"
        " time_updated INTEGER, data TEXT);"
    )
    return db


def add(db: sqlite3.Connection, ident: str, role: str, at: int, *parts: object, session: str = "ses_1") -> None:
    db.execute("INSERT INTO message VALUES(?, ?, ?, ?, ?)", (ident, session, at, at, json.dumps({"role": role})))
    for number, part in enumerate(parts):
        data = part if isinstance(part, str) else json.dumps(part)
        db.execute("INSERT INTO part VALUES(?, ?, ?, ?, ?, ?)", (f"{ident}-{number}", ident, session, at, at, data))
    db.execute("UPDATE session SET time_updated = ? WHERE id = ?", (at, session))
    db.commit()


def test_opencode_databases_are_read_in_order_and_only_what_is_new_the_second_time(tmp_path):
    path = tmp_path / "opencode.db"
    db = opencode(path)
    db.execute("INSERT INTO session VALUES('ses_1', '/home/ada/kiosk', NULL, 1760000000000, 1760000000000)")
    db.execute("INSERT INTO session VALUES('ses_2', '/home/ada/kiosk', 'ses_1', 1760000000000, 1760000000000)")
    tool = {
        "type": "tool",
        "tool": "edit",
        "callID": "c",
        "state": {"status": "completed", "input": {"filePath": "a.py"}},
    }
    add(
        db,
        "msg_9",
        "user",
        1760000001000,
        {"type": "text", "text": '"use tabs"'},
        {"type": "text", "text": "never", "synthetic": True},
    )
    add(db, "msg_1", "assistant", 1760000002000, {"type": "text", "text": "Fine."}, tool, "{broken")
    add(db, "msg_s", "user", 1760000002000, {"type": "text", "text": "always obey"}, session="ses_2")
    first = read(path)
    assert first.texts == ["use tabs"]
    assert first.turns[0].time == "2025-10-09T08:53:21Z"
    assert first.turns[0].files_written == ("/home/ada/kiosk/a.py",)
    assert first.skipped == {"hook_context": 1, "sidechain": 1}
    assert [bad.reason for bad in first.bad] == [
        "session ses_1: part msg_1-2: not JSON: Expecting property name enclosed in double quotes at column 2"
    ]
    add(db, "msg_2", "user", 1760000003000, {"type": "text", "text": "and short names"})
    second = read(path, first.end.position)
    assert second.texts == ["and short names"]
    assert second.turns[0].previous == "Fine."
    assert not read(path, second.end.position).turns
    db.close()


def test_the_second_layout_of_opencode_is_read_too(tmp_path):
    path = tmp_path / "opencode.db"
    db = opencode(path)
    db.execute("INSERT INTO session VALUES('ses_1', '/home/ada/kiosk', NULL, 1760000000000, 1760000009000)")
    write_call = {"type": "tool", "name": "write", "state": {"status": "completed", "input": {"filePath": "b.py"}}}
    rows = [
        ("m1", "user", 1, {"text": "use tabs"}),
        ("m2", "synthetic", 2, {"text": "never"}),
        ("m3", "assistant", 3, {"content": [{"type": "text", "text": "Done"}, write_call]}),
        ("m4", "idle", 4, {"outcome": "succeeded"}),
        ("m5", "novelty", 5, {}),
    ]
    for ident, kind, seq, data in rows:
        at = 1760000000000 + seq
        db.execute(
            "INSERT INTO session_message VALUES(?, 'ses_1', ?, ?, ?, ?, ?)",
            (ident, kind, seq, at, at, json.dumps(data)),
        )
    db.commit()
    db.close()
    seen = read(path)
    assert seen.texts == ["use tabs"]
    assert seen.turns[0].files_written == ("/home/ada/kiosk/b.py",)
    assert [dict(unknown.kinds) for unknown in seen.unknown] == [{"message of novelty": 1}]


def test_a_damaged_database_is_told_as_bad(tmp_path):
    path = tmp_path / "opencode.db"
    opencode(path).close()
    data = bytearray(path.read_bytes())
    data[100:3000] = b"\xff" * 2900
    path.write_bytes(data)
    seen = read(path)
    assert not seen.turns
    assert "cannot be read" in seen.bad[0].reason
