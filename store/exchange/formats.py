"""The table of formats: how each is read against a state, and which can be written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import InputError
from store.exchange import agents_md, claude_mem, jsonl, markdown, mem0, pi
from store.exchange.lines import split
from store.exchange.proposals import Read, plan_proposals

if TYPE_CHECKING:
    from store.exchange.found import Import
    from store.ids import NewId
    from store.state import State


@dataclass(frozen=True, slots=True)
class Source:
    """What an import reads: a path, or the bytes of stdin."""

    path: Path | None
    data: bytes | None = None

    @property
    def name(self) -> str:
        """What a message calls it."""
        return str(self.path) if self.path is not None else "stdin"

    def read(self) -> bytes:
        """Its bytes. Raises `InputError` for a folder."""
        if self.data is not None:
            return self.data
        assert self.path is not None
        if self.path.is_dir():
            raise InputError(f"{self.path}: is a folder; name a file")
        return self.path.read_bytes()

    def place(self) -> Path:
        """Its path. Raises `InputError` when it is stdin."""
        if self.path is None:
            raise InputError("stdin: this format is read from a file or folder; name it")
        return self.path


@dataclass(frozen=True, slots=True)
class Stamp:
    """The ids and the moment of an import."""

    patch_id: str
    at: str
    new_id: NewId


def _proposed(read: Callable[[State, Source, str], Read], what: str) -> Callable[[State, Source, Stamp], Import]:
    def plan(state: State, source: Source, stamp: Stamp) -> Import:
        found = read(state, source, stamp.at)
        return plan_proposals(
            state, found, patch_id=stamp.patch_id, at=stamp.at, new_id=stamp.new_id, summary=f"Import of {what}"
        )

    return plan


def _jsonl(state: State, source: Source, stamp: Stamp) -> Import:
    return jsonl.plan_import(state, split(source.read()), patch_id=stamp.patch_id, at=stamp.at)


def _pi(state: State, source: Source, stamp: Stamp) -> Import:
    return _planned(state, pi.read_store(source.place()), stamp, "a PI store")


def _bundle(state: State, source: Source, stamp: Stamp) -> Import:
    return _planned(state, pi.read_bundle(source.read(), source.name), stamp, "a pi-governance bundle")


def _planned(state: State, found: pi.Source, stamp: Stamp, what: str) -> Import:
    return pi.plan_source(
        state, found, patch_id=stamp.patch_id, at=stamp.at, new_id=stamp.new_id, summary=f"Import of {what}"
    )


def _agents(state: State, source: Source, at: str) -> Read:
    if source.path is not None and source.path.is_dir():
        return agents_md.read_folder(state, source.path, at)
    return agents_md.read_text(state, source.read(), at, path=source.path)


IMPORTS: dict[str, Callable[[State, Source, Stamp], Import]] = {
    "jsonl": _jsonl,
    "pi": _pi,
    "pi-governance": _bundle,
    "agents-md": _proposed(_agents, "instructions"),
    "claude-mem": _proposed(lambda _state, source, _at: claude_mem.read_database(source.place()), "claude-mem"),
    "mem0": _proposed(lambda _state, source, _at: mem0.read_export(source.read(), source.name), "mem0"),
    "markdown": _proposed(lambda _state, source, _at: markdown.read_folder(source.place()), "Markdown memories"),
}
EXPORTS = ("jsonl", "pi", "pi-governance")
