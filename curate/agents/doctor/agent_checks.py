"""One agent: connected, let through by its own gates, heard from, captured from, told something."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from curate.agents import fired
from curate.agents.clients.client import Client, Surroundings
from curate.agents.connection import changes_to_connect, informed, project_folder, receipt_of
from curate.agents.doctor.check import Check, moment
from curate.agents.doctor.probe import SCRATCH
from curate.agents.home import root_of
from curate.agents.install.jsonc import BadJson, parse
from curate.agents.install.merging import own_entries
from curate.agents.install.pieces import Merged
from curate.agents.install.receipt import load
from curate.capture.readers import default_folders, find
from curate.recall import journal
from store.errors import CurateError

SLACK = 900.0
"""Seconds that a transcript may be newer than the last call: a turn that still runs writes to it."""
TRANSCRIPTS = 20
"""Newest transcripts that are looked into."""
_HEAD = 64 * 1024
_CWD = re.compile(r'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")')
OVER_HTTP = b"/hooks/claude-code"
"""In the address of our service that Claude Code's own HTTP hooks call."""
SESSIONS = 200
"""Sessions of the journal that are looked through for the last turn of an agent."""


def agent_checks(client: Client, surroundings: Surroundings, root: Path, cwd: Path) -> Iterator[Check]:
    """What is to know of an agent; nothing when it is neither here nor connected."""
    written = receipt_of(client, surroundings).exists()
    local = replace(surroundings, project=project_folder(cwd))
    if receipt_of(client, local).exists():
        if not written:
            surroundings, written = local, True
        elif client.name != "claude-code":  # which runs a command once, however often it is named
            yield Check(f"{client.name}: scope", "problem", f"connected twice: for you, and for {local.project}",
                        f"run `curate uninstall {client.name} --scope project`")  # fmt: skip
    if not (written or client.is_here(surroundings)):
        return
    surroundings = informed(client, surroundings)
    connection = connected(client, surroundings, root, written=written)
    yield connection
    if connection.status != "ok":
        return
    for gate in client.gates(surroundings, cwd):
        name = f"{client.name}: {gate.name}"
        yield Check(name, "ok" if gate.open else "problem", gate.detail, "" if gate.open else gate.mend)
    yield from _activity(client, surroundings, str(root), receipt_of(client, surroundings))


def connected(client: Client, surroundings: Surroundings, root: Path, *, written: bool) -> Check:
    """Whether what connecting writes stands where it should, for the store that is looked at."""
    name = f"{client.name}: connected"
    mend = f"run `curate install {client.name}{' --scope project' if surroundings.project else ''}`"
    try:
        changes = changes_to_connect(client, surroundings)
        elsewhere = replace(surroundings, hook=replace(surroundings.hook, home=str(root)))
        if any(change.action != "unchanged" for change in changes):  # perhaps it was connected with --home
            other = changes_to_connect(client, elsewhere)
            changes = changes if any(change.action != "unchanged" for change in other) else other
        main = changes[0]
        there = main.now is not None and (not main.merged or bool(own_entries(main.file, main.now)))
        plugin = client.plugin(surroundings)
        asks = main.merged and OVER_HTTP in (main.now or b"") and client.name == "claude-code"
        if asks and (there or plugin):
            return Check(name, "problem", f"twice: {main.file} also names our service over HTTP",
                         f"take one of them out; `curate uninstall {client.name}` is one way")  # fmt: skip
        if asks:
            return Check(name, "ok", "over HTTP, while `curate serve` runs")
        if there and plugin:
            return Check(name, "problem", f"twice: by its settings and by the plugin {plugin}",
                         f"run `curate uninstall {client.name}`, or switch the plugin off")  # fmt: skip
        if not there and plugin:
            return Check(name, "ok", f"by the plugin {plugin}")
        if not there:
            if written:
                return Check(name, "problem", f"our hooks are gone from {main.file}", mend)
            return Check(name, "note", f"{client.title} is here and not connected", mend)
        gone = _missing(client, surroundings)
        if gone:
            return Check(name, "problem", f"{main.file} calls {gone}, which is gone", mend)
        if any(change.action != "unchanged" for change in changes):
            changed = next(change.file for change in changes if change.action != "unchanged")
            return Check(name, "note", f"{changed} is not as this version would write it", mend)
        at = receipt_of(client, surroundings)
        since = f" since {moment(at.stat().st_mtime)}" if load(at) else ""
    except CurateError as fault:
        return Check(name, "problem", str(fault), mend)
    return Check(name, "ok", f"{client.title}{f' {surroundings.version}' if surroundings.version else ''}{since}")


def _missing(client: Client, surroundings: Surroundings) -> str | None:
    """A program or script that our hooks call and that is not there."""
    (piece, *_) = client.pieces(surroundings)
    now = piece.file.read_bytes()
    lines: list[str] = []
    if isinstance(piece, Merged):
        for _, group in own_entries(piece.file, now):
            entries = group.get("hooks") if isinstance(group, dict) else None
            lines += [str(entry.get("command", "")) for entry in entries or [group] if isinstance(entry, dict)]
    else:
        try:
            hooks = parse(now.decode("utf-8", "replace")).value["hooks"]
            lines = [str(entry.get("bash", "")) for group in hooks.values() for entry in group]
        except (BadJson, KeyError, TypeError, AttributeError):
            lines = []
    for line in lines:
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        for word in words:
            if (word.endswith("cold.py") or word == words[0]) and ("/" in word) and not Path(word).exists():
                return word
    return None


def _activity(client: Client, surroundings: Surroundings, root: str, receipt: Path) -> Iterator[Check]:
    prompt, end = (fired.last(root, client.name, kind) for kind in (fired.PROMPT, fired.END))
    newest, sure = newest_transcript(client.name, surroundings, root) or (None, False)
    since = receipt.stat().st_mtime if receipt.exists() else 0.0
    last = max((each[0] for each in (prompt, end) if each), default=0.0)
    name = f"{client.name}: fired"
    if newest and newest > max(last, since) + SLACK:
        yield Check(name, "problem" if sure else "note",
                    f"it wrote a transcript at {moment(newest)}, and its hook did not call",
                    f"start a new session of {client.title}, and see what it says about its hooks")  # fmt: skip
    elif not last:
        yield Check(name, "note", "it has not called yet", f"start a new session of {client.title}")
    else:
        took = f"; the last prompt took {prompt[1]} ms" if prompt else ""
        yield Check(name, "ok", f"last at {moment(last)}{took}")
    yield _captured(client, root, newest, end[0] if end else 0.0)
    told = last_told(root, client.name)
    yield Check(f"{client.name}: injected", "ok" if told else "note",
                f"last at {told}" if told else "nothing was injected in the last 14 days",
                "" if told else "see `curate explain`; perhaps its prompts are about nothing remembered")  # fmt: skip


def _captured(client: Client, root: str, newest: float | None, end: float) -> Check:
    from curate.capture.checkpoint import Checkpoints

    name = f"{client.name}: captured"
    read = Checkpoints(Path(root)).last_read().get(client.name)
    if newest and end and newest > (read or 0.0) + SLACK and end > (read or 0.0) + SLACK:
        return Check(name, "problem", f"a turn ended at {moment(end)} and its transcript was not read",
                     f"run `curate scan`; {Path(root) / 'logs' / 'hook.log'} may say why")  # fmt: skip
    if read is None:
        return Check(name, "note", "nothing yet", "end a turn, or run `curate scan` for what is there")
    return Check(name, "ok", f"up to {moment(read)}")


def newest_transcript(agent: str, surroundings: Surroundings, root: str) -> tuple[float, bool] | None:
    """When a transcript was last written to whose hooks go to this store, in seconds since 1970; and whether it says so
    itself. A probe's does not count.
    """
    found = []
    for place in default_folders(agent, surroundings.home, surroundings.env):
        for path in find(place) if place.is_dir() else [place]:
            try:
                found.append((path.stat().st_mtime, path))
            except OSError:
                continue
    for written, path in sorted(found, reverse=True)[:TRANSCRIPTS]:
        cwd = _cwd(path)
        if cwd is None:
            return written, False
        if SCRATCH not in cwd and root_of(None, cwd) == root:
            return written, True
    return None


def _cwd(path: Path) -> str | None:
    """The folder that a transcript names, if it has one in its beginning."""
    try:
        with path.open("rb") as file:
            named = _CWD.search(file.read(_HEAD).decode("utf-8", "replace"))
        return None if named is None else str(json.loads(named[1]))
    except (OSError, ValueError):
        return None


def last_told(root: str, agent: str) -> str | None:
    """When the agent was last given something."""
    for session in reversed(journal.sessions(root)[-SESSIONS:]):
        told = [turn for turn in journal.turns(root, session) if turn.get("agent") == agent and turn.get("block")]
        if told:
            return str(told[-1].get("at"))
    return None
