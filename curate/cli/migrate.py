"""`migrate`: a store of an older curate, brought to this one's form."""

from __future__ import annotations

import click

from curate.cli.options import Shell, command
from curate.cli.output import emit, say, tell


@command("migrate")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing.")
def migrate(shell: Shell, dry_run: bool) -> None:
    """Bring a store that an older curate made to the form of this one.

    It works on a copy, verifies it, and only then puts it in place; the store as it was stays beside it. An
    interrupted run is gone on with.
    """
    from store.migration.run import migrate as run

    done = run(shell.root(), dry_run=dry_run, progress=lambda says: say(f"curate: {says}"))
    if shell.as_json:
        emit({
            "from": done.before, "to": done.after, "migrated": bool(done.kept),
            "steps": [{"from": step.number, "says": step.says} for step in done.steps],
            "kept": str(done.kept) if done.kept else None,
        })  # fmt: skip
        return
    if not done.steps:
        tell(f"Nothing to do: the store has version {done.before}.")
    for step in done.steps:
        tell(f"{step.number} -> {step.number + 1}: {step.says}")
    if done.kept:
        say(f"curate: the store as it was is kept in {done.kept}; delete it when all is well")
