"""`sessions`: what was done in past sessions, from what was noted of each turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from curate.cli.options import Shell, command
from curate.cli.output import count, emit, say, table, tell
from store.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from curate.recall.sessions import Allowed


class NoSuchSession(InputError):
    """Nothing is known of it, or it is not told from another."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: no session, or more than one, has a name that begins so; see `curate sessions`")


class NothingAsked(InputError):
    """The action needs a word more."""

    def __init__(self, action: str) -> None:
        super().__init__(f"`curate sessions {action}` needs {'a text' if action == 'search' else 'a session'}")


@command("sessions")
@click.argument("action", type=click.Choice(["list", "search", "show"]), default="list")
@click.argument("what", required=False)
@click.option("--project", metavar="P", help="Only of this project.")
@click.option("--days", type=click.IntRange(1, 36500), help="Only of the last so many days (list).")
@click.option("-n", "limit", type=click.IntRange(1, 500), default=20, show_default=True, help="At most this many.")
def sessions(shell: Shell, action: str, what: str | None, project: str | None, days: int | None, limit: int) -> None:
    """List past sessions, search them for a text, or show one turn by turn.

    What was asked, which files changed, what was run and committed: noted at the end of each turn, without a model.
    """
    from curate.recall import sessions as past
    from store.ids import now
    from store.patch.build import days_after

    if action != "list" and not what:
        raise NothingAsked(action)
    root = shell.open().root
    allowed = _allowed(shell, project)
    if action == "show":
        found = past.session(root, str(what), allowed=allowed)
        if found is None:
            raise NoSuchSession(str(what))
        emit(found) if shell.as_json else _show(found)
    elif action == "search":
        hits = _searched(root, str(what), limit, allowed)
        emit({"hits": hits}) if shell.as_json else _hits(hits)
    else:
        since = days_after(now(), 1 - days)[:10] if days else ""
        listed = past.sessions(root, since=since, limit=limit, allowed=allowed)
        emit({"sessions": listed}) if shell.as_json else _list(listed)


def _allowed(shell: Shell, project: str | None) -> Allowed:
    """What a person asked to see: everything, or one project by any of its names."""
    from curate.recall.sessions import everything
    from store.project.registry import canonical_id

    if project is None:
        return everything
    state = shell.read()
    named = next((ident for ident, each in state.projects.items() if each.data.get("name") == project), project)
    wanted = canonical_id(state, named)
    return lambda own, _: canonical_id(state, own) == wanted or own.rpartition("/")[2] == project


def _searched(root: Path, text: str, limit: int, allowed: Allowed) -> list[dict[str, Any]]:
    from curate.recall.sessions import search
    from store.index.lookup import IndexUnusable
    from store.index.schema import Fault

    try:
        return search(root, text, limit=limit, allowed=allowed)
    except (Fault, OSError) as fault:
        raise IndexUnusable(root, fault) from fault


def _list(found: list[dict[str, Any]]) -> None:
    table(
        (each["session"], (each["until"] or "")[:16].replace("T", " "), each["name"] or "", each["agent"],
         count(each["count"], "turn"), each["asked"])
        for each in found
    )  # fmt: skip
    if not found:
        say("curate: no sessions are known; they are noted at the end of each turn, and by `curate scan`")


def _hits(hits: list[dict[str, Any]]) -> None:
    table((f"{each['score']:.2f}", each["day"], each["name"], each["session"], each["text"]) for each in hits)
    if not hits:
        tell("No session was about that.")


def _show(found: dict[str, Any]) -> None:
    tell(f"{found['session']} ({found['agent']}, {found['name'] or 'no project'}): {count(found['count'], 'turn')}")
    for turn in found["turns"]:
        tell(f"{(turn['time'] or '')[:16].replace('T', ' ')}  {turn['asked'] or '(a command)'}")
        for name in ("decisions", "corrections", "commits", "files", "commands"):
            for text in turn.get(name, ()):
                tell(f"    {name.removesuffix('s')}: {text}")
