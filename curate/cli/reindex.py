"""`reindex`: read all logs into the index again."""

from __future__ import annotations

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, table, tell


@command("reindex")
@click.option("--prune", is_flag=True, help="Also take out what the logs no longer have.")
def reindex(shell: Shell, prune: bool) -> None:
    """Read all logs into the index again. It follows them by itself; this is for when you doubt that.

    Whoever searches meanwhile finds what was there before. Refuses when the logs are empty and the index is not.
    """
    from store.index.reindex import reindex as run

    done = run(shell.open().root, prune=prune)
    if shell.as_json:
        emit(done.document())
        return
    gone = f"; {done.records_gone} that the logs no longer have are gone" if done.records_gone else ""
    tell(f"{count(done.records, 'record')} read{gone}")
    table(
        (
            (tier.replace("kg_", ""), *(f"{number} {name}" for name, number in counts.items() if number))
            for tier, counts in done.knowledge.items()
        ),
        indent=2,
    )
    if not prune and any(counts["stale"] for counts in done.knowledge.values()):
        tell("`--prune` takes out what is stale: the logs no longer have it.")
