"""What is decided put into the form of a transaction, carried out, and read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.errors import WriteFailed
from store.following import Followed, show
from store.layout import CANDIDATES, CAPTURING, EVIDENCE, PROJECTS, patch_file
from store.line import SCHEMA, PlannedLine, canonical
from store.log.patches import phase_line, with_keys, with_plan
from store.log.transaction import commit

if TYPE_CHECKING:
    from collections.abc import Callable

    from store.log.disk import Disk
    from store.log.reader import Reader
    from store.model import Patch
    from store.patch import Plan

_CAPTURE_ORDER = (EVIDENCE, PROJECTS, CANDIDATES)
"""Readers take the inbox first: whatever candidate they see, all that it names is there."""


def commit_patch(
    reader: Reader,
    disk: Disk,
    patch: Patch,
    plan: Plan,
    at: str,
    render: Callable[[list[dict[str, Any]]], Followed],
) -> Followed:
    """Write a plan with its document and receipts to the logs, and render what it touches before it counts as done.

    Raises `WriteFailed`; then files, state and pages are as they were.
    """
    from store.model import dump

    followed = Followed()
    told = canonical({"receipts": [dump(receipt) for receipt in plan.receipts]})
    planned = plan.revisions
    round_ = reader.patches.rounds(patch.patch_id) + 1

    def follow() -> None:
        nonlocal followed
        reader.overlay.seen.add((patch.patch_id, at, round_))  # its lines are read from their files
        reader.take_in(planned)
        followed = render([item.data for item in plan.revisions])

    opening = canonical(phase_line(patch.patch_id, "applying", at, round_, patch=dump(patch)))
    closing = canonical(phase_line(patch.patch_id, "applied", at, round_))
    try:
        commit(
            disk,
            reader.paths,
            journal=patch_file(at),
            opening=with_plan(with_keys(opening, told), planned),
            planned=planned,
            closing=with_keys(closing, told),
            follow=follow,
        )
    except WriteFailed:
        reader.refresh()
        show(reader.paths.root, reader.state, followed.projects, disk, shared=followed.shared)
        raise
    reader.take_in(())
    return followed


def commit_capture(reader: Reader, disk: Disk, lines: list[tuple[str, dict[str, Any]]], at: str) -> None:
    """Write the lines of a batch of captures, given as file and line. Raises `WriteFailed`; then no file is changed."""
    if not lines:
        return
    ordered = sorted(lines, key=lambda item: _CAPTURE_ORDER.index(item[0]))
    planned = [PlannedLine(file, data, canonical(data)) for file, data in ordered]
    opening = with_plan(canonical({"schema": SCHEMA, "at": at}), planned)
    commit(disk, reader.paths, journal=CAPTURING, opening=opening, planned=planned, closing=None)
    reader.take_in(planned)
