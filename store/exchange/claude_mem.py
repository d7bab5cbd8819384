"""The SQLite database of claude-mem: what its model observed and learned, and the rules that people gave it.

It is read only. Columns that a version does not have are taken as empty.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.errors import InputError
from store.exchange.found import Entry
from store.exchange.proposals import Proposal, Read

if TYPE_CHECKING:
    from store.model import Intent, TrustClass

TABLES = ("directives", "observations", "session_summaries")
_INTENTS: dict[str, Intent] = {"decision": "project_convention", "change": "project_convention"}


class NotClaudeMem(InputError):
    """A file is no database of claude-mem."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}; name claude-mem's database, by default ~/.claude-mem/claude-mem.db")


def read_database(path: Path) -> Read:
    """Every row that says something as a proposal; its line is its number in its table. Raises `NotClaudeMem`."""
    if path.is_dir():
        path /= "claude-mem.db"
    if not path.is_file():
        raise NotClaudeMem(path, "no such file")
    read = Read()
    try:
        with closing(_open(path)) as database:
            there = {str(row[0]) for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not there & set(TABLES):
                raise NotClaudeMem(path, "it has none of the tables " + ", ".join(TABLES))
            for table in TABLES:
                if table in there:
                    _table(database, table, read)
    except sqlite3.DatabaseError as fault:
        raise NotClaudeMem(path, f"it cannot be read ({fault})") from None
    return read


def _open(path: Path) -> sqlite3.Connection:
    """Without writing: a database that is in use has a journal beside it, which needs no more than reading."""
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    database.text_factory = lambda raw: raw.decode("utf-8", "replace")
    database.row_factory = sqlite3.Row
    return database


def _table(database: sqlite3.Connection, table: str, read: Read) -> None:
    rows = database.execute(f"SELECT rowid AS row, * FROM {table} ORDER BY rowid")  # noqa: S608 - one of three names
    while True:
        try:
            row = rows.fetchone()
        except sqlite3.DatabaseError as fault:
            read.fault(0, f"the rest cannot be read ({fault})", table)
            return
        if row is None:
            return
        data = {key: row[key] for key in row.keys()}  # noqa: SIM118 - a row is no mapping
        entry = Entry(int(data["row"]), file=table)
        made = _directive(entry, data) if table == "directives" else _observed(entry, data, table)
        if made is None:
            read.fault(entry.line, "no text", table)
        else:
            read.proposals += made


def _directive(entry: Entry, data: dict[str, Any]) -> list[Proposal] | None:
    """A rule that a person gave; one that is switched off is left out."""
    text = _text(data, "content")
    if not text:
        return None
    if str(data.get("status") or "active") != "active":
        return []
    said_by_hand = str(data.get("source") or "manual") == "manual"
    trust: TrustClass = "direct_user_instruction" if said_by_hand else "agent_inference"
    wide = str(data.get("scope") or "") == "global"
    return [_proposal(entry, data, text, text, trust, "user_preference", everywhere=wide)]


def _observed(entry: Entry, data: dict[str, Any], table: str) -> list[Proposal] | None:
    """What a model wrote: an observation by its title, a summary by what was learned."""
    if table == "session_summaries":
        text = _text(data, "learned")
        excerpt = "\n".join(filter(None, (text, _text(data, "completed"), _text(data, "notes"))))
        return [_proposal(entry, data, text, excerpt, "generated_content", "none")] if text else []
    title = _text(data, "title", "text", "narrative")
    if not title:
        return None
    told = [_text(data, "subtitle"), _text(data, "narrative"), *_strings(data.get("facts"))]
    body = "\n".join(filter(None, told))
    intent = _INTENTS.get(str(data.get("type")), "none")
    tags = tuple(_strings(data.get("concepts")))
    return [
        _proposal(entry, data, title, f"{title}\n{body}".strip(), "generated_content", intent, body=body, tags=tags)
    ]


def _proposal(
    entry: Entry,
    data: dict[str, Any],
    statement: str,
    excerpt: str,
    trust: TrustClass,
    intent: Intent,
    *,
    body: str | None = None,
    tags: tuple[str, ...] = (),
    everywhere: bool = False,
) -> Proposal:
    return Proposal(
        entry=entry,
        statement=statement,
        excerpt=excerpt,
        source=f"claude-mem {entry.file} {entry.line}",
        body=body or None,
        trust=trust,
        intent=intent,
        project=None if everywhere else _text(data, "project") or None,
        everywhere=everywhere,
        reason="as claude-mem has it",
        tags=tags,
        agent="claude-mem",
        session=_text(data, "memory_session_id", "sdk_session_id") or None,
        time=_text(data, "created_at") or None,
    )


def _text(data: dict[str, Any], *names: str) -> str:
    found = (value.strip() for name in names if isinstance(value := data.get(name), str))
    return next((text for text in found if text), "")


def _strings(value: Any) -> Iterator[str]:
    """A list as claude-mem keeps it: JSON in a text column; plain text as one entry."""
    if not isinstance(value, str) or not value.strip():
        return
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        parsed = [value]
    yield from (each for each in (parsed if isinstance(parsed, list) else [value]) if isinstance(each, str))
