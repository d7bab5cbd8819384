"""Commands on the store as a whole: `materialise`, `verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, table, tell
from curate.cli.records import projects_named
from store.errors import InputError, UnknownId

if TYPE_CHECKING:
    from store.state import State

FOUND = 1
"""Exit code of a check that found something."""


@command("materialise")
@click.option("--project", metavar="P", help="Only what holds in this project: its id, name or an alias.")
@click.option("--into", metavar="FILE", help="Write a block into this AGENTS.md, CLAUDE.md or the like instead.")
@click.option("--remove", is_flag=True, help="With --into: take the block out of the file, which is then as before.")
@click.option("--overwrite", is_flag=True, help="Write a block again that somebody edited.")
@click.option("--check", is_flag=True, help="Write nothing; leave with 1 when a page or block is not as remembered.")
def materialise(
    shell: Shell, project: str | None, into: str | None, remove: bool, overwrite: bool, check: bool
) -> None:
    """Write what is remembered where it is read: a Markdown page for each project, and one for what holds everywhere.

    Only pages that change are written. A page that somebody edited is kept in quarantine before it is written again.
    With --into, the rules of one project go into a block between markers in a file of its repository; the rest of
    the file keeps every byte, and lines that others wrote into the block are offered for review.
    """
    if into is not None:
        from curate.cli import blocks

        blocks.into(shell, into, project, check=check, remove=remove, overwrite=overwrite)
        return
    if remove:
        raise InputError("--remove needs --into FILE")
    _pages(shell, project, overwrite=overwrite, check=check)


def _pages(shell: Shell, project: str | None, *, overwrite: bool, check: bool) -> None:
    from curate.cli.blocks import offer
    from store.log.disk import Disk
    from store.projection import check as compare
    from store.projection.blocks import checked, known, renew

    store = shell.open()
    projects = None if project is None else known_projects(store.state, project)
    offered = 0
    if check:
        pages = None if projects is None else {page_of(store.state, each) for each in projects}
        found = [drift for drift in compare(store.root, store.state) if pages is None or drift.file in pages]
        written, unchanged, drifted = [], [], [drift.file for drift in found]
        notes = [(drift.file, drift.problem) for drift in found]
        blocks = checked(store.root, store.state, projects)
        drifted += [one.file for one in blocks]
    else:
        done = store.materialise(projects, shared=project is None)
        written, unchanged = done.written, done.unchanged
        drifted = [foreign.file for foreign in done.foreign]
        notes = [(foreign.file, f"was edited; the edit is kept in {foreign.copy}") for foreign in done.foreign]
        homes = known(store.root)
        blocks = renew(store.root, store.state, projects, Disk(), overwrite=overwrite)
        offered = sum(offer(store, one, homes[one.file]) for one in blocks if one.foreign)
        written = [*written, *(one.file for one in blocks if one.outcome == "written")]
        unchanged = [*unchanged, *(one.file for one in blocks if one.outcome == "unchanged")]
        drifted += [one.file for one in blocks if one.outcome == "edited"]
    notes += [(one.file, "has a block that was edited, and not by curate") for one in blocks if one.outcome == "edited"]
    if check:
        notes += [(one.file, "has a block that is not current") for one in blocks if one.outcome == "written"]
    if shell.as_json:
        emit({"written": written, "unchanged": unchanged, "drift": drifted, "offered": offered})
    else:
        tell("Every page is current." if check and not notes else f"{count(len(written), 'page')} written.")
        table(notes, indent=2)
        if offered:
            tell(f"{count(offered, 'line')} of others offered for review.")
    if check and drifted:
        raise click.exceptions.Exit(FOUND)


def known_projects(state: State, name: str) -> list[str]:
    """Ids of the registered projects that `name` means. Raises `UnknownId` when there is none."""
    found = sorted(projects_named(state, name) & set(state.projects))
    if not found:
        raise UnknownId("project", name)
    return found


def page_of(state: State, project: str) -> str:
    """Name of a project's page, relative to the root."""
    from store.layout import RENDERED_PROJECTS, project_stem

    return f"{RENDERED_PROJECTS}/{project_stem(project, state.projects)}.md"


@command("verify")
@click.option("--repair", is_flag=True, help="Take lines that cannot be read out of their files, into quarantine.")
def verify(shell: Shell, repair: bool) -> None:
    """Check every invariant of the store; each problem is named with its file, its line, and how to mend it."""
    from store.layout import Layout
    from store.log.verify import verify as check

    # Not opened: a store that cannot be opened is the one to look into.
    problems = shell.open().repair() if repair else check(Layout(shell.root()))
    if shell.as_json:
        listed = [
            {"file": each.file, "line": each.line, "problem": each.problem, "mend": each.mend} for each in problems
        ]
        emit({"ok": not problems, "problems": listed})
    else:
        for each in problems:
            tell(f"{each.file}{f', line {each.line}' if each.line else ''}: {each.problem}")
            tell(f"    {each.mend}")
        tell(count(len(problems), "problem") if problems else "The store is sound.")
    if problems:
        raise click.exceptions.Exit(FOUND)
