"""The agents that can be connected, one module each. A new one is a module and a line in `CLIENTS`."""

from __future__ import annotations

from curate.agents.clients.claude_code import CLAUDE_CODE
from curate.agents.clients.client import Client
from curate.agents.clients.codex import CODEX
from curate.agents.clients.copilot import COPILOT
from curate.agents.clients.gemini import GEMINI
from curate.agents.clients.opencode import OPENCODE
from curate.agents.clients.pi import PI
from store.errors import InputError

CLIENTS: dict[str, Client] = {client.name: client for client in (CLAUDE_CODE, CODEX, COPILOT, OPENCODE, PI, GEMINI)}


class UnknownAgent(InputError):
    """No agent of that name can be connected."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no agent {name!r}; it is one of {', '.join(CLIENTS)}")


def named(name: str) -> Client:
    """The agent of a name. Raises `UnknownAgent`."""
    if name not in CLIENTS:
        raise UnknownAgent(name)
    return CLIENTS[name]
