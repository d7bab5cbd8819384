"""A real prompt through a real client: does what the hook says reach the model?

A throw-away store holds one rule with a token that means nothing; the client runs in a throw-away folder and is asked
for the token. Where the answer lacks it, the journal of that store says how far it came.
"""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from curate.agents.clients.client import Client, Surroundings
from curate.agents.doctor.check import Check
from curate.recall import journal
from store.ending import end
from store.layout import record_file
from store.line import SCHEMA, canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

SCRATCH = "curate-probe-"
"""How the names of throw-away folders begin."""
PATIENCE = 180.0
"""Seconds for one prompt; some clients take most of a minute to start."""
ASKED = (
    "What is the probe token of curate? Answer with the token alone, or with NONE if you were not told. Use no tool."
)
_WORDS = (
    "amber basil cedar delta ember fjord grove heron inlet jetty kelp lotus maple nectar onyx pearl quartz reed".split()
)


def new_token() -> str:
    """Words and a number that nobody would guess, and no model takes for a secret."""
    return "-".join([secrets.choice(_WORDS), secrets.choice(_WORDS), str(1000 + secrets.randbelow(9000))])


def probe(client: Client, surroundings: Surroundings, token: str, requests: Path | None = None) -> Check:
    """Ask the client for the token. `requests` is a log of what the model was sent, when its server is our own."""
    name = f"{client.name}: probe"
    program = surroundings.which(client.program)
    if program is None:
        return Check(name, "problem", f"{client.program} is not on the search path", f"install {client.title}")
    scratch = Path(tempfile.mkdtemp(prefix=SCRATCH))
    try:
        store, folder = scratch / "store", scratch / "work"
        folder.mkdir()
        (folder / ".git").mkdir()
        prepare(store, token)
        env = {**surroundings.env, "CURATE_HOME": str(store)}
        said, fault = _ask([program, *client.prompt, ASKED], folder, env)
        turns = [turn for session in journal.sessions(str(store)) for turn in journal.turns(str(store), session)]
        received = requests.read_text("utf-8", "replace") if requests is not None and requests.is_file() else ""
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return verdict(client, token, said + received, fault, [str(turn.get("block") or "") for turn in turns])


def verdict(client: Client, token: str, heard: str, fault: str, blocks: list[str]) -> Check:
    """What it means: what the model was heard to know, how the client ended, and what the hook said."""
    name = f"{client.name}: probe"
    if token in heard:
        return Check(name, "ok", f"the model received {token}")
    if not blocks:
        return Check(name, "problem", f"the hook was not called{fault}",
                     client.after or f"run `curate install {client.name}`, without --home, and look again")  # fmt: skip
    if not any(token in block for block in blocks):
        return Check(name, "problem", f"the hook was called and said nothing{fault}", "report this with the hook's log")
    return Check(name, "problem", f"the hook said {token}, and the model did not receive it{fault}",
                 f"this version of {client.title} may listen elsewhere; see docs/agents.md")  # fmt: skip


def prepare(store: Path, token: str) -> None:
    """A store with the one rule."""
    at = "2026-01-01T00:00:00.000Z"
    record = {
        "schema": SCHEMA, "id": "mem_probe", "rev": 1, "op": "add", "at": at, "layer": "L2", "kind": "fact",
        "rule_type": "convention", "scope": {"type": "global"}, "statement": f"The probe token of curate is {token}.",
        "tags": ["probe", "token", "curate"], "confidence": 0.95, "status": "active",
        "created_at": at, "updated_at": at,
    }  # fmt: skip
    path = store / record_file(record, {})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(canonical(record) + b"\n")


def _ask(command: list[str], folder: Path, env: Mapping[str, str]) -> tuple[str, str]:
    """What the client says, and how it failed, to go behind a sentence; empty when it did not."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                start_new_session=sys.platform != "win32",
            )  # fmt: skip
        except OSError as fault:
            return "", f"; it could not be started: {fault}"
        try:
            code = process.wait(PATIENCE)
            why = f"; it left with {code}" if code else ""
        except subprocess.TimeoutExpired:
            end(process)
            why = f"; it took longer than {PATIENCE:.0f} s"
        out.seek(0)
        err.seek(0)
        last = err.read().decode("utf-8", "replace").strip().splitlines()[-1:] if why else []
        return out.read().decode("utf-8", "replace"), why + "".join(f" ({line[:200]})" for line in last)
