"""`reindex`: read all logs into the index again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell

if TYPE_CHECKING:
    from pathlib import Path


@command("reindex")
@click.option("--prune", is_flag=True, help="Also take out what the logs no longer have.")
def reindex(shell: Shell, prune: bool) -> None:
    """Read all logs into the index again. It follows them by itself; this is for when you doubt that.

    Whoever searches meanwhile finds what was there before. Refuses when the logs are empty and the index is not.
    """
    from store.index.reindex import reindex as run

    root = shell.open().root
    done = run(root, prune=prune)
    others = _others(root, prune=prune)
    if shell.as_json:
        emit({**done.document(), **others})
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
    for name, counts in others.items():
        tell(f"{name}: {', '.join(f'{number} {what}' for what, number in counts.items() if number) or 'nothing'}")
    if not prune and any(counts["stale"] for counts in done.knowledge.values()):
        tell("`--prune` takes out what is stale: the logs no longer have it.")


def _others(root: Path, *, prune: bool) -> dict[str, dict[str, int]]:
    """The same for whoever else searches by meaning; nothing where the settings name nobody, or it is not there."""
    from curate.recall.settings import read_settings

    settings = read_settings(str(root)).meaning
    if settings is None:
        return {}
    from curate.recall.meaning import bring_in_step, semantic_of
    from store.index import knowledge
    from store.index.refresh import refreshed
    from store.index.semantic import Unavailable

    semantic = semantic_of(str(root), settings)
    if semantic is None:
        return {}
    known = knowledge.refreshed(root) if (root / "knowledge").is_dir() else None
    try:
        sent = bring_in_step(str(root), semantic, refreshed(root), known, whole=True, prune=prune)
    except Unavailable as fault:
        say(f"curate: {semantic.name} {fault}; until then the table in the package answers")
        return {}
    return {semantic.name: sent.document()}
