"""One port of this machine, and the token that opens it: what each of our servers begins with."""

from __future__ import annotations

import contextlib
import hmac
import secrets
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Ready = Callable[[str, str], None]
    """Told the address and the token once somebody listens."""

LEAST = 16
"""Characters that a token of one's own must have."""
QUEUE = 128
"""Connections that may wait to be taken up."""


class BadToken(InputError):
    """It could be guessed, or cannot be sent."""

    def __init__(self) -> None:
        super().__init__(
            f"a token of your own needs at least {LEAST} characters of ASCII without blanks; leave it out for a new one"
        )


class PortTaken(InputError):
    """Nothing can be served there."""

    def __init__(self, host: str, port: int, fault: Exception) -> None:
        why = (getattr(fault, "strerror", None) or str(fault)).lower()
        super().__init__(f"{host}:{port} cannot be served: {why}; name another --host or --port")


@dataclass(frozen=True, slots=True)
class Door:
    """A socket that listens, and the token that is asked for."""

    socket: socket.socket
    host: str
    port: int
    token: str

    @property
    def address(self) -> str:
        """As a browser takes it, without a path."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


@contextlib.contextmanager
def door(host: str, port: int, token: str | None = None) -> Iterator[Door]:
    """Listen; without a token a new one is made. Raises `BadToken`, `PortTaken`."""
    if token is not None and not (len(token) >= LEAST and token.isascii() and token.isprintable() and " " not in token):
        raise BadToken
    with contextlib.ExitStack() as stack:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            listener.listen(QUEUE)
        except (OSError, UnicodeError) as fault:
            raise PortTaken(host, port, fault) from None
        yield Door(listener, host, listener.getsockname()[1], token or secrets.token_urlsafe(24))


def opens(given: str, token: str) -> bool:
    """Whether what somebody sends is the token; takes the same time whatever is wrong with it."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def bearer(header: str) -> str:
    """The token of an `Authorization` header; empty for any other scheme."""
    scheme, _, given = header.partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""
