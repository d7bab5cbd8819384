"""Runs what curate does all day with an ear for the network: prints each connection that would be opened.

python -m tests.agents.listening STORE TRANSCRIPT FOLDER
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

from curate.agents.after_turn import capture
from curate.agents.prompt import answer
from curate.cli.run import run

COMMANDS = (
    ["records"], ["search", "pnpm"], ["context", "--prompt", "Add a pnpm script."], ["explain"], ["history"],
    ["materialise"], ["verify"], ["doctor"],
)  # fmt: skip
HEARD: list[str] = []


def listen(event: str, args: tuple[object, ...]) -> None:
    """Note what reaches for another machine, or for a server on this one."""
    if event.startswith(("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.send", "urllib.Request")):
        HEARD.append(f"{event} {args[1:]}")


def a_day(store: Path, transcript: Path, folder: Path) -> None:
    """A turn is captured, looked at and approved, the next prompt is answered, and everything is looked at again."""
    os.chdir(folder)
    assert not capture(store, transcript)
    said(store, "inbox")
    patch = store / "patch.json"
    patch.write_text(said(store, "propose", "--json"))
    said(store, "apply", str(patch))
    answer("claude-code", {"prompt": "Add a pnpm script.", "cwd": str(folder), "session_id": "s"}, str(store), None)
    for words in (*COMMANDS, ["scan", str(transcript)]):
        said(store, *words)


def said(store: Path, *words: str) -> str:
    """What a command prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert run([*words, "--home", str(store)]) in {0, 1}, words
    return out.getvalue()


if __name__ == "__main__":
    sys.addaudithook(listen)
    a_day(*map(Path, sys.argv[1:]))
    sys.stdout.write("\n".join(HEARD))
