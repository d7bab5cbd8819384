"""OpenCode's database, in both of its layouts, and its `export` documents. Read only, never locked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from curate.capture.readers import document
from curate.capture.readers.assembly import Assembly
from curate.capture.readers.blocks import named
from curate.capture.readers.jsonl import parse
from curate.capture.speech import Speech, join, speech
from curate.capture.turns import START, Bad, End, Growth, Item, Position, Turn, Unknown

_MAGIC = b"SQLite format 3\0"


class OpenCode:
    """Reads `<data folder>/opencode/opencode*.db` and what `opencode export` wrote."""

    agent = "opencode"
    growth: Growth = "database"
    place = "/opencode/opencode.db"

    def sniff(self, path: Path, head: bytes) -> bool:
        """Whether the file is a database of that name, or starts as an export does."""
        if head.startswith(_MAGIC):
            return path.name.startswith("opencode")
        start = head[:4096].translate(None, b" \r\n\t")
        return start.startswith(b'{"info":{"id":"ses_')

    def read(self, path: Path, start: Position = START) -> Iterator[Item]:
        """All items behind `start`."""
        with path.open("rb") as file:
            database = file.read(len(_MAGIC)) == _MAGIC
        return _database(path, start) if database else document.read(self, path, start)

    def folders(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """The databases of all channels; `OPENCODE_DB` names one, `XDG_DATA_HOME` moves the folder."""
        data = Path(env["XDG_DATA_HOME"]) if env.get("XDG_DATA_HOME") else home / ".local" / "share"
        folder = data / "opencode"
        named = env.get("OPENCODE_DB")
        if named and named != ":memory:":
            return [Path(named) if Path(named).is_absolute() else folder / named]
        return sorted(folder.glob("opencode*.db")) or [folder / "opencode.db"]

    def records(self, found: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """An export's session, then its messages."""
        info = found.get("info")
        yield {"session": info if isinstance(info, dict) else {}}
        messages = found.get("messages")
        for message in messages if isinstance(messages, list) else ():
            yield message if isinstance(message, dict) else {}

    def record(self, data: dict[str, Any], turns: Assembly) -> None:
        """Tell what a message says: `info` and `parts`, or the session that follows."""
        if isinstance(session := data.get("session"), dict):
            turns.understands()
            turns.context(session=session.get("id"), cwd=session.get("directory"))
            turns.keep["subagent"] = bool(session.get("parentID"))
            return
        info, parts = data.get("info"), data.get("parts")
        role = named(info, "role") if isinstance(info, dict) else None
        if not isinstance(info, dict) or not isinstance(parts, list) or role not in {"user", "assistant"}:
            turns.wonders(f"message of {role}")
            return
        turns.understands()
        time = info.get("time")
        created = time.get("created") if isinstance(time, dict) else None
        blocks = [part for part in parts if isinstance(part, dict)]
        if role == "user":
            _user(blocks, info.get("id"), created, turns)
        else:
            turns.messages += 1
            _assistant(blocks, turns)


def _user(parts: list[dict[str, Any]], ident: Any, time: Any, turns: Assembly) -> None:
    said: list[Speech] = []
    for part in parts:
        if part.get("type") != "text" or not isinstance(part.get("text"), str):
            continue
        if part.get("synthetic") or part.get("ignored"):
            turns.skip("hook_context")
        else:
            said.append(speech(_unquoted(part["text"])))
    found = join(said)
    if turns.keep.get("subagent") and found.reason is None:
        found = Speech("", "sidechain")
    turns.said(Speech("", "no_text") if found.reason == "empty" else found, uuid=ident, time=time)


def _unquoted(text: str) -> str:
    """`opencode run "…"` stores its argument with the quotes around it."""
    bare = text.strip()
    whole = len(bare) > 2 and bare.startswith('"') and bare.endswith('"')
    return bare[1:-1] if whole and '"' not in bare[1:-1].replace('\\"', "") else text


def _assistant(parts: list[dict[str, Any]], turns: Assembly) -> None:
    for part in parts:
        kind = named(part, "type")
        if kind == "text" and not part.get("synthetic"):
            turns.agent_said(part.get("text"))
        elif kind == "tool":
            state = part.get("state")
            if isinstance(state, dict) and named(state, "status") not in {"error", "pending"}:
                name = part.get("tool", part.get("name"))
                turns.tool(name, state.get("input"), part.get("callID", part.get("id")))
        elif kind == "patch":
            files = part.get("files")
            turns.wrote(*(files if isinstance(files, list) else ()))


def _database(path: Path, start: Position) -> Iterator[Item]:
    since = start.state.get("since")
    reading = _Database(path, since if isinstance(since, int) else -1)
    try:
        with closing(_open(path)) as db:
            yield from reading.items(db)
    except sqlite3.Error as fault:
        yield Bad(0, 0, f"the database cannot be read: {fault}")
        yield End(start, reading.records, reading.understood, reading.messages)
        return
    if reading.unknown or (not reading.known and not start.state):
        yield Unknown(reading.records or 1, reading.understood, reading.unknown or {"no table of messages": 1})
    state = {"since": reading.newest} if reading.newest >= 0 else {}
    yield End(Position(0, 0, state), reading.records, reading.understood, reading.messages)


def _open(path: Path) -> sqlite3.Connection:
    """Read only. In a folder that may not be written a WAL database opens only when it is taken as unchanging."""
    uri = path.absolute().as_uri()
    db = sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=2.0)
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        db.close()
        db = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, timeout=2.0)
    # Text is taken as bytes: one damaged row must not end the reading.
    db.text_factory = bytes
    return db


class _Database:
    """One pass over the sessions that changed."""

    def __init__(self, path: Path, since: int) -> None:
        self.path = path
        self.since = since
        self.newest = since
        self.records = 0
        self.understood = 0
        self.messages = 0
        self.known = False
        self.unknown: dict[str, int] = {}
        self.form = OpenCode()

    def items(self, db: sqlite3.Connection) -> Iterator[Item]:
        tables = {_text(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if {"session", "message", "part"} <= tables:
            self.known = True
            yield from self._sessions(db, "session", _messages)
        if "session_message" in tables:
            self.known = True
            yield from self._sessions(db, "session_v2" if "session_v2" in tables else "session", _flat_messages)

    def _sessions(self, db: sqlite3.Connection, table: str, rows: Any) -> Iterator[Item]:
        wanted = f"SELECT id, directory, parent_id FROM {table} WHERE time_updated >= ? ORDER BY time_created, id"  # noqa: S608  a name of ours
        for ident, directory, parent in db.execute(wanted, (self.since,)).fetchall():
            turns = Assembly(OpenCode.agent, str(self.path))
            session = {"id": _text(ident), "directory": _text(directory), "parentID": parent}
            self.form.record({"session": session}, turns)
            turns.understood = 0
            yield from self._session(rows(db, _text(ident)), turns)

    def _session(self, rows: Iterator[tuple[int, dict[str, Any] | str]], turns: Assembly) -> Iterator[Item]:
        """Give the turns in which something is new."""
        changed = self.since
        for updated, data in rows:
            self.records += 1
            turns.line += 1
            if isinstance(data, str):
                if updated > self.since:
                    yield Bad(turns.line, 0, f"session {turns.session}: {data}")
                continue
            before = turns.draft
            self.form.record(data, turns)
            for item in self._drained(turns):
                if (changed if isinstance(item, Turn) else updated) > self.since:
                    yield item
            if turns.draft is not before:
                changed = self.since
            changed = max(changed, updated)
            self.newest = max(self.newest, updated)
        turns.finish(0, 0)
        if changed > self.since:
            yield from self._drained(turns)
        self.understood += turns.understood
        self.messages += turns.messages
        for kind, count in turns.unknown.items():
            self.unknown[kind] = self.unknown.get(kind, 0) + count

    def _drained(self, turns: Assembly) -> list[Item]:
        out, turns.out = turns.out, []
        return out


def _messages(db: sqlite3.Connection, session: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Messages with their parts, in time; ids do not sort."""
    wanted = "SELECT id, time_created, time_updated, data FROM message WHERE session_id = ? ORDER BY time_created, id"
    for ident, created, updated, data in db.execute(wanted, (session,)):
        newest = _number(updated)
        info = parse(_bytes(data))
        if isinstance(info, str):
            yield newest, f"message {_text(ident)}: {info}"
            continue
        parts: list[Any] = []
        found = db.execute(
            "SELECT id, time_updated, data FROM part WHERE message_id = ? ORDER BY time_created, id", (_text(ident),)
        )
        for part_id, part_updated, part_data in found:
            newest = max(newest, _number(part_updated))
            part = parse(_bytes(part_data))
            if isinstance(part, str):
                yield newest, f"part {_text(part_id)}: {part}"
            else:
                parts.append(part)
        info.setdefault("time", {"created": created})
        yield newest, {"info": {**info, "id": _text(ident)}, "parts": parts}


def _flat_messages(db: sqlite3.Connection, session: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Messages of the second layout, brought into the shape of the first."""
    wanted = "SELECT id, type, time_created, time_updated, data FROM session_message WHERE session_id = ? ORDER BY seq"
    for ident, kind, created, updated, data in db.execute(wanted, (session,)):
        body = parse(_bytes(data))
        if isinstance(body, str):
            yield _number(updated), f"message {_text(ident)}: {body}"
            continue
        role = _text(kind)
        info = {"id": _text(ident), "role": role, "time": {"created": created}}
        if role == "user":
            parts: list[Any] = [{"type": "text", "text": body.get("text")}]
        elif role == "assistant":
            content = body.get("content")
            parts = content if isinstance(content, list) else []
        else:
            info["role"], parts = "user", [{"type": "text", "text": "-", "synthetic": True}]
            if role not in _FLAT_KINDS:
                info["role"] = role
        yield _number(updated), {"info": info, "parts": parts}


_FLAT_KINDS = frozenset(
    {"synthetic", "system", "skill", "shell", "compaction", "agent-switched", "model-switched", "location-switched"}
    | {"idle", "title"}
)


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
