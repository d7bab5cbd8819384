"""What a crash left is finished or cleaned up, under the writer's lock, before anything new is written.

Every step may itself be cut off: done again it comes to the same end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store import layout
from store.line import PlannedLine, canonical
from store.log.parse import NotALine, is_whole
from store.log.patches import phase_line
from store.log.quarantine import keep
from store.log.reader import BadLine, Reader
from store.log.stub import hash_of
from store.log.transaction import append, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from store.log.disk import Disk


@dataclass(slots=True)
class Recovered:
    """What recovery did: bad lines kept in quarantine, transactions completed."""

    quarantined: int = 0
    patches: list[str] = field(default_factory=list)
    captures: int = 0


def needed(reader: Reader) -> bool:
    """True when there is anything to finish or to clean up."""
    return bool(reader.patches.open or reader.overlay.capture_left or reader.torn() or reader.unkept)


def recover(
    reader: Reader, disk: Disk, at: str, follow: Callable[[list[dict[str, Any]]], object] | None = None
) -> Recovered:
    """Bring the files in order. The caller holds the lock and has refreshed the reader.

    `follow` gets the record lines of each transaction that is completed, before it counts as completed.
    """
    done = Recovered()
    if not needed(reader):
        return done
    done.quarantined = keep(disk, reader.paths, reader.unkept, at)
    reader.unkept.clear()
    _mend_tails(reader, disk, at, done)
    reader.refresh()
    _finish_capture(reader, disk, done)
    for transaction in list(reader.patches.open.values()):
        assert transaction.applying is not None
        try:
            plan = transaction.applying.load()
        except NotALine:  # the reader has reported it
            continue
        _write_missing(reader, disk, plan["revisions"])
        reader.refresh()
        if follow is not None:
            follow([item["line"] for item in plan["revisions"]])
        closing = phase_line(
            transaction.patch_id, "applied", transaction.at, transaction.round, receipts=plan.get("receipts", [])
        )
        append(disk, transaction.applying.path, [canonical(closing)])
        done.patches.append(transaction.patch_id)
    reader.refresh()
    return done


def _mend_tails(reader: Reader, disk: Disk, at: str, done: Recovered) -> None:
    torn = reader.torn()
    whole = [tail for tail in torn if is_whole(tail.torn, tail.path, tail.line_no + 1)]
    for tail in whole:
        disk.append(tail.path, b"\n")
        disk.fsync(tail.path)
    broken = [tail for tail in torn if tail not in whole]
    lost = [BadLine(tail.name, tail.line_no + 1, tail.offset, "torn by a crash", tail.torn) for tail in broken]
    done.quarantined += keep(disk, reader.paths, lost, at)
    for tail in broken:
        disk.truncate(tail.path, tail.offset)
        disk.fsync(tail.path)


def _finish_capture(reader: Reader, disk: Disk, done: Recovered) -> None:
    path = reader.paths.path(layout.CAPTURING)
    if reader.overlay.capture:
        _write_missing(reader, disk, reader.overlay.captured())
        done.captures += 1
    if reader.overlay.capture_left:
        disk.truncate(path, 0)


def _write_missing(reader: Reader, disk: Disk, plan: list[dict[str, Any]]) -> None:
    write_lines(disk, reader.paths, _missing(reader, plan))


def _missing(reader: Reader, plan: list[dict[str, Any]]) -> Iterator[PlannedLine]:
    for item in plan:
        name, data = item["file"], item["line"]
        raw = canonical(data)
        if name == layout.EVIDENCE:
            there = data["id"] in reader.state.evidence and data["id"] not in reader.overlay.evidence
        else:
            known = reader.state.folded(name).get(data["id"])
            hash_ = hash_of(data, raw)
            there = known is not None and hash_ in known and known[hash_].line_no > 0
        if not there:
            yield PlannedLine(name, data, raw)
