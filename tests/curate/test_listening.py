"""Where our servers listen: a token nobody guesses, and what stands in the way said in words."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from curate.listening import BadToken, PortTaken, bearer, door, opens
from tests.curate.command import curate, curate_process


def test_without_a_token_each_run_gets_its_own():
    with door("127.0.0.1", 0) as one, door("127.0.0.1", 0) as other:
        assert one.token != other.token
        assert len(one.token) >= 32
        assert one.address == f"http://127.0.0.1:{one.socket.getsockname()[1]}"
        with socket.create_connection(("127.0.0.1", one.port), timeout=5):
            pass


@pytest.mark.parametrize(
    "token", ["", "short", "a token with blanks in it", "ein-schlüssel-mit-ü", "sixteen-or-more\n\n"]
)
def test_a_token_that_is_guessed_or_cannot_be_sent_is_refused(token: str):
    with pytest.raises(BadToken, match="at least 16"), door("127.0.0.1", 0, token):
        pass


@pytest.mark.parametrize("host", ["203.0.113.7", "..x", "a" * 70, "::zz"])
def test_where_nobody_can_listen_it_says_so(host: str):
    with pytest.raises(PortTaken, match="cannot be served"), door(host, 0):
        pass


def test_a_port_in_use_is_named():
    with door("127.0.0.1", 0) as taken:
        with pytest.raises(PortTaken, match=f"127.0.0.1:{taken.port} cannot be served: address"):
            door("127.0.0.1", taken.port).__enter__()
        assert curate("serve", "--port", taken.port).fails(2, f"127.0.0.1:{taken.port} cannot be served")


@pytest.mark.parametrize(
    ("header", "known"),
    [("Bearer x-token-x", True), ("bearer   x-token-x ", True), ("Basic x-token-x", False), ("x-token-x", False),
     ("", False), ("Bearer \xff", False), ("Bearer x-token-x y", False)],
)  # fmt: skip
def test_the_header_is_read_as_clients_write_it(header: str, known: bool):
    assert opens(bearer(header), "x-token-x") is known


@pytest.mark.parametrize(
    ("command", "missing", "name"),
    [("serve", "starlette", "serve"), ("mcp", "mcp", "mcp"), ("mcp --http", "uvicorn", "mcp"),
     ("web", "textual_serve", "web")],
)  # fmt: skip
def test_without_its_extra_a_server_says_how_to_install_it(command: str, missing: str, name: str, tmp_path: Path):
    (tmp_path / f"{missing}.py").write_text("raise ImportError('half an installation')")
    done = curate_process(*command.split(), "--host", "..x", PYTHONPATH=str(tmp_path))
    assert done.fails(2, f"pip install 'curate-memory[{name}]'")
