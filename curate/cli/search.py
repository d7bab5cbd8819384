"""`search`: which memories a text is about, and why."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from curate.cli.lines import Lines
from curate.cli.options import Shell, command
from curate.cli.output import emit, say, table, tell
from store.errors import InputError
from store.index.search import MODES

if TYPE_CHECKING:
    from pathlib import Path

    from store.index.lookup import Lookup
    from store.index.semantic import Semantic


@command("search")
@click.argument("query", required=False)
@click.option("--stdin", "from_stdin", is_flag=True, help='Read one {"id", "text"} a line, answer a line each.')
@click.option(
    "--mode", type=click.Choice(MODES), default="hybrid", show_default=True, help="By words, meaning, or both."
)
@click.option("-k", type=click.IntRange(1, 100), default=10, show_default=True, metavar="N", help="At most this many.")
@click.option("--project", metavar="P", help="What holds in this project: its own and what is global.")
def search(shell: Shell, query: str | None, from_stdin: bool, mode: str, k: int, project: str | None) -> None:
    """Search the records in force for what a text is about, best first.

    With --stdin one process answers many: a line for each, {"id", "hits": [{"id", "score", "statement", "why"}],
    "mode", "latency_ms"}.
    """
    from store.index.lookup import Lookup

    if from_stdin == (query is not None):
        raise InputError("give a QUERY, or --stdin and JSON lines; see `curate search --help`")
    root = shell.root()
    semantic = _semantic(root)
    if query is not None:
        text = query
        answer = Lookup.ask(root, lambda lookup: _answer(lookup, text, mode, k, project, semantic))
        if shell.as_json:
            emit(answer)
        else:
            _tell(answer)
        return
    if sys.stdin.isatty():
        say('curate search: reading JSON lines such as {"id": 1, "text": "..."} from the keyboard; end with Ctrl-D')
    lines = Lines(sys.stdin.buffer)
    lookup = Lookup.ask(root, _tried)
    for _, line in lines:
        emit({"id": line["id"], **_answer(lookup, line["text"], mode, k, project, semantic)})
        sys.stdout.flush()
    lines.close()


def _semantic(root: Path) -> Semantic | None:
    """Who searches by meaning instead of the table in the package, if the settings name somebody."""
    from curate.recall.settings import read_settings

    settings = read_settings(str(root)).meaning
    if settings is None:
        return None
    from curate.recall.meaning import semantic_of

    return semantic_of(str(root), settings)


def _tried(lookup: Lookup) -> Lookup:
    """The same lookup, once it has shown that it can answer."""
    lookup.hits("anything at all", mode="hybrid", limit=1)
    return lookup


def _answer(
    lookup: Lookup, text: str, mode: str, k: int, project: str | None, semantic: Semantic | None
) -> dict[str, Any]:
    started = time.perf_counter()
    hits, done = lookup.hits(text, mode=mode, limit=k, project=project, semantic=semantic)
    told = {"hits": hits, "mode": done, "latency_ms": round(1000 * (time.perf_counter() - started), 2)}
    return told | ({"meaning": lookup.note} if lookup.note else {})


def _tell(answer: dict[str, Any]) -> None:
    if answer.get("meaning"):
        say(f"curate: by meaning: {answer['meaning']}")
    table((hit["id"], f"{hit['score']:.2f}", hit["why"], hit["statement"]) for hit in answer["hits"])
    if not answer["hits"]:
        tell("Nothing is known of that.")
