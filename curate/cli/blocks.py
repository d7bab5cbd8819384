"""`materialise --into`: the managed block in a repository's own instructions, and what others wrote into it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curate.cli.output import count, emit, tell
from store.errors import InputError

if TYPE_CHECKING:
    from curate.cli.options import Shell
    from store.projection.block import Done
    from store.store import Store

FOUND = 1


class WhichProject(InputError):
    """Nobody said whose rules go into a file."""

    def __init__(self, file: str) -> None:
        super().__init__(f"{file}: its repository is not known; name a project with --project")


def into(shell: Shell, file: str, project: str | None, *, check: bool, remove: bool, overwrite: bool) -> None:
    """Write, check or remove the block in a file, and report it."""
    from store.log.disk import Disk
    from store.projection import block
    from store.projection.blocks import note

    store = shell.open()
    path = Path(file).absolute()
    named = _project(store, path, project)
    if remove:
        done = block.remove(path, named, overwrite=overwrite)
    elif check:
        done = block.check(path, store.state, named)
    else:
        done = block.put(path, store.state, named, overwrite=overwrite)
    if not check and done.outcome != "edited":
        note(store.root, path, None if remove else named, Disk())
    offered = offer(store, done, named) if done.foreign and not check else 0
    report(shell, [done], offered, check=check)


def report(shell: Shell, found: list[Done], offered: int, *, check: bool) -> None:
    """Say what became of blocks; leaves with 1 where a person has to look."""
    edited = [one for one in found if one.outcome == "edited"]
    stale = [one for one in found if check and one.outcome in ("written", "absent")]
    if shell.as_json:
        emit(document(found, offered, check=check))
    else:
        for one in found:
            tell(f"{one.file}: {_says(one, check=check)}")
            for line in one.diff.splitlines() if one.outcome == "edited" else ():
                tell(f"    {line}")
        if offered:
            tell(f"{count(offered, 'line')} of others offered for review; decide with `curate`.")
        if edited and not check:
            tell("Left as it is; --overwrite writes our block again.")
    if edited or stale:
        raise click.exceptions.Exit(FOUND)


def document(found: list[Done], offered: int, *, check: bool) -> dict[str, Any]:
    """The answer for a program."""
    settled = [one.file for one in found if one.outcome in ("written", "removed") and not check]
    return {
        "written": settled,
        "unchanged": [one.file for one in found if one.outcome == "unchanged"],
        "drift": [one.file for one in found if one.outcome == "edited" or (check and one.file and _is_stale(one))],
        "foreign": [{"file": one.file, "diff": one.diff} for one in found if one.foreign],
        "offered": offered,
    }


def offer(store: Store, done: Done, project: str) -> int:
    """Put lines that others wrote into a block into the inbox, as text of the repository; gives how many are new."""
    from curate.matching.recurrence import find
    from store.captures import CaptureBatch
    from store.exchange.foreign_lines import proposals
    from store.exchange.proposals import plan_proposals
    from store.ids import new_id, now

    read = proposals(store.state, done.foreign, project, file=done.file, line=done.line)
    plan = plan_proposals(store.state, read, patch_id="", at=now(), new_id=new_id, summary="")
    if not plan.captures:
        return 0
    return store.capture(CaptureBatch([capture for _, capture in plan.captures]), find).created


def _project(store: Store, path: Path, project: str | None) -> str:
    if project is not None:
        from curate.cli.store_commands import known_projects

        found = known_projects(store.state, project)
        if len(found) > 1:
            raise InputError(f"{project}: names {len(found)} projects ({', '.join(found)}); give an id")
        return found[0]
    from store.project.identity import resolve
    from store.project.registry import recognise

    named = recognise(store.state, resolve(path.parent)).project_id
    if named is None or named not in store.state.projects:
        raise WhichProject(str(path))
    return named


def _is_stale(one: Done) -> bool:
    return one.outcome in ("written", "absent")


def _says(one: Done, *, check: bool) -> str:
    if check and one.outcome == "written":
        return "the block does not show the current records"
    return {
        "written": "block written",
        "unchanged": "the block is current",
        "removed": "block removed",
        "edited": f"the block was edited, and not by curate (line {one.line})",
        "absent": "there is no block",
    }[one.outcome]
