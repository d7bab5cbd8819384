"""A table of ours goes into TOML settings and out again; every other byte stays, and what cannot be done is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.agents.install.faults import BrokenSettings
from curate.agents.install.merging import has_exactly, own_entries, with_entries, without_entries
from curate.agents.install.pieces import Member, Merged
from curate.agents.install.toml import BadToml, with_table, without_table

FILE = Path("/home/ann/.codex/config.toml")
SERVER: dict[str, Any] = {
    "command": "/opt/py thon/python",
    "args": ["-m", "curate", "mcp"],
    "env": {"CURATE_HOME": 'C:\\x "y" ü'},
    "startup_timeout_sec": 20,
    "required": False,
}
WANTED = Merged(FILE, (Member(("mcp_servers",), "curate", SERVER),))

parts = st.sampled_from([
    "a = 1 # one\n", "\n", "# a remark\n", "[b]\nc = [1,\n  2] # two\n", '["d.e"]\nf = """\nx\n[not a table]\n"""\n',
    "[mcp_servers.other]\ncommand = 'x'\n", "[[g]]\nh = 1\n", "[[g]]\nh = 2\n", "[mcp_servers]\n", "x = { y = 1 }\n",
])  # fmt: skip
texts = st.lists(parts, max_size=6).map("".join)


def readable(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


@settings(max_examples=60)
@given(texts, st.booleans(), st.booleans(), st.sampled_from(["", "\n", "\n\n\n"]))
def test_adding_says_what_was_asked_for_and_removing_gives_the_bytes_before(
    text: str, windows: bool, marked: bool, tail: str
):
    text = text.rstrip("\n") + tail
    value = readable(text)
    if value is None:
        return
    before = (b"\xef\xbb\xbf" if marked else b"") + (text.replace("\n", "\r\n") if windows else text).encode()
    if not text.strip():
        before = text.encode()
    after, trace = with_entries(FILE, before, WANTED)
    assert tomllib.loads(after.decode("utf-8-sig").replace("\r\n", "\n")) == {
        **value, "mcp_servers": {**value.get("mcp_servers", {}), "curate": SERVER}
    }  # fmt: skip
    assert has_exactly(FILE, after, WANTED)
    left = without_entries(FILE, after, trace)
    assert left == before if text.strip() else not left.strip()


@settings(max_examples=30)
@given(texts, texts)
def test_what_others_wrote_before_and_behind_stays(text: str, later: str):
    after = readable(text) is not None and with_table(text, ["mcp_servers", "curate"], SERVER)
    if not after or readable(after + later) is None or readable(text + "\n" + later) is None:
        return
    try:
        left = without_table(after + later, ["mcp_servers", "curate"])
    except BadToml:
        return  # what follows reads as part of our table: refused
    expected = readable(after + later)
    assert expected is not None
    servers = {key: each for key, each in expected["mcp_servers"].items() if key != "curate"}
    assert (readable(left) or {}).get("mcp_servers", {}) == servers


def test_without_a_trace_our_server_is_found_by_name_and_command():
    text = '[mcp_servers.curate]\ncommand = "curate"\n\n# theirs\n[mcp_servers.other]\ncommand = "x"\n'
    assert own_entries(FILE, text.encode()) == [("mcp_servers.curate", {"command": "curate"})]
    assert without_entries(FILE, text.encode(), None) == b'\n# theirs\n[mcp_servers.other]\ncommand = "x"\n'


def test_tables_within_ours_go_too():
    text = 'a = 1\n\n[mcp_servers.curate]\ncommand = "c"\n[mcp_servers.curate.env]\nA = "b"\n[z]\ny = 1\n'
    assert without_table(text, ["mcp_servers", "curate"]) == "a = 1\n[z]\ny = 1\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a = 1\nb = \n", 2, "value"),
        ("mcp_servers = { other = { command = 'x' } }\n", 2, "no place"),
        ("a = 1\na = 2\n", 2, "overwrite"),
        ("x = [" * 500, 1, ""),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_line(text: str, line: int, reason: str):
    with pytest.raises(BrokenSettings, match=f"line {line}: .*{reason}"):
        with_entries(FILE, text.encode(), WANTED)


def test_a_table_that_a_text_only_looks_like_is_left_to_a_person():
    text = '[mcp_servers.curate]\ncommand = """\n[mcp_servers.curate]\nx\n"""\n'
    assert without_table(text, ["mcp_servers", "curate"]) == ""
    text = 'a = """\n[mcp_servers.curate]\n"""\n[mcp_servers.curate]\ncommand = "c"\n'
    with pytest.raises(BadToml, match="by hand"):
        without_table(text, ["mcp_servers", "curate"])
