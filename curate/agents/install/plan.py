"""From what an agent needs, what the receipt says and what stands in the files: what is to be written. Pure.

Installing is taking ourselves out and putting ourselves in again, so that however often it is done the state to go
back to is the file without us.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from curate.agents.install.command import runs_curate
from curate.agents.install.faults import NotOurs
from curate.agents.install.merging import Trace, has_exactly, own_entries, with_entries, without_entries
from curate.agents.install.pieces import MARK, Merged, Piece
from curate.agents.install.receipt import Receipt, Written, digest

Action = Literal["created", "changed", "unchanged", "removed", "restored"]


@dataclass(frozen=True, slots=True)
class Change:
    """One file: what stands there and what shall."""

    file: Path
    action: Action
    now: bytes | None
    after: bytes | None
    base: bytes | None = None
    """The file without us."""
    merged: bool = True
    trace: Trace = field(default_factory=Trace)
    folders: tuple[str, ...] = ()
    edited: bool = False
    """Whether it is a file of ours that somebody changed: taking it away must not lose that."""

    @property
    def written(self) -> Written | None:
        """What the receipt will say of it."""
        if self.after is None or self.action in {"removed", "restored"}:
            return None
        return Written(str(self.file), self.merged, digest(self.after), self.base, self.folders, self.trace)


def to_connect(pieces: Iterable[Piece], receipt: Receipt | None, look: Callable[[Path], bytes | None]) -> list[Change]:
    """What connecting would change; files of an earlier version that are not needed any more go.

    `look` gives what stands in a file. Raises `BrokenSettings` and `NotOurs`.
    """
    wanted = list(pieces)
    changes = [_connected(piece, receipt.of(piece.file) if receipt else None, look(piece.file)) for piece in wanted]
    files = {str(piece.file) for piece in wanted}
    for written in receipt.files if receipt else ():
        if written.file not in files:
            changes += _taken_out(written, look(Path(written.file)))
    return changes


def to_disconnect(
    pieces: Iterable[Piece], receipt: Receipt | None, look: Callable[[Path], bytes | None]
) -> list[Change]:
    """What disconnecting would change. Without a receipt, what is ours is told by its command or its mark.

    Raises `BrokenSettings`.
    """
    changes: list[Change] = []
    known = {written.file for written in receipt.files} if receipt else set()
    for written in receipt.files if receipt else ():
        changes += _taken_out(written, look(Path(written.file)))
    for piece in pieces:
        now = look(piece.file)
        if str(piece.file) in known or now is None:
            continue
        if isinstance(piece, Merged):
            if own_entries(piece.file, now):
                changes.append(Change(piece.file, "changed", now, without_entries(piece.file, now, None)))
        elif _is_ours(now):
            changes.append(Change(piece.file, "removed", now, None, merged=False, edited=now != piece.text.encode()))
    return changes


def _connected(piece: Piece, written: Written | None, now: bytes | None) -> Change:
    folders = written.folders if written else ()
    if isinstance(piece, Merged):
        settled = now is not None and has_exactly(piece.file, now, piece)
        if settled and written and now is not None:
            base, trace = (written.before, written.trace)
            if digest(now) != written.after:
                base = _without(written, now)
            return Change(piece.file, "unchanged", now, now, base, trace=trace, folders=folders)
        base = _base(piece, written, now)
        after, trace = with_entries(piece.file, base, piece)
        if settled:
            return Change(piece.file, "unchanged", now, now, base, trace=trace, folders=folders)
        return Change(piece.file, _action(now, after), now, after, base, trace=trace, folders=folders)
    after = piece.text.encode("utf-8")
    if now is not None and written is None and now != after and not _is_ours(now):
        raise NotOurs(piece.file)
    return Change(piece.file, _action(now, after), now, after, merged=False, folders=folders)


def _base(piece: Merged, written: Written | None, now: bytes | None) -> bytes | None:
    if now is None:
        return None
    if written is not None:
        return _without(written, now)
    return without_entries(piece.file, now, None) if own_entries(piece.file, now) else now


def _without(written: Written, now: bytes) -> bytes | None:
    """The file without us: byte for byte where nobody else changed it, else with what they changed."""
    if digest(now) == written.after:
        return written.before
    file = Path(written.file)
    left = without_entries(file, now, written.trace)
    if written.before is None:
        bare = left.decode("utf-8", "replace").strip("\ufeff \t\r\n")
        if not bare or "".join(bare.split()) == "{}":
            return None
    return left


def _taken_out(written: Written, now: bytes | None) -> list[Change]:
    file = Path(written.file)
    if now is None:
        return []
    if not written.merged:
        edited = digest(now) != written.after
        return [Change(file, "removed", now, None, merged=False, folders=written.folders, edited=edited)]
    left = _without(written, now)
    if left == now:
        return []
    action: Action = "removed" if left is None else "restored" if left == written.before else "changed"
    return [Change(file, action, now, left, folders=written.folders)]


def _is_ours(now: bytes) -> bool:
    text = now.decode("utf-8", "replace")
    return MARK in text or runs_curate(text)


def _action(now: bytes | None, after: bytes) -> Action:
    if now is None:
        return "created"
    return "unchanged" if now == after else "changed"


def diff(change: Change) -> str:
    """A change as a unified diff; empty when there is none."""
    before, after = (_lines(state) for state in (change.now, change.after))
    names = (str(change.file) if change.now is not None else "/dev/null",
             str(change.file) if change.after is not None else "/dev/null")  # fmt: skip
    return "\n".join(difflib.unified_diff(before, after, *names, lineterm=""))


def _lines(state: bytes | None) -> list[str]:
    return state.decode("utf-8", "replace").splitlines() if state else []
