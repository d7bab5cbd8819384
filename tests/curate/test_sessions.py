"""Past sessions: listed, searched, read; and nothing of another project for whoever may see only one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from curate.cli.app import app
from curate.recall.sessions import only, search, session, sessions
from store.knowledge.lines import DIGESTS, OBSERVATIONS
from store.line import SCHEMA, canonical
from store.text import fingerprint
from tests.curate.knowing import PROJECT, digest, know, observation


@pytest.fixture
def root(tmp_path: Path) -> Path:
    know(
        tmp_path,
        OBSERVATIONS,
        observation("obs_1", "make the invoice parser faster", session="abc-1", files=["p.ts"], commits=["Parse once"]),
        observation("obs_2", "and test it", session="abc-1", time="2026-11-28T11:00:00Z", files=["p.ts", "t.ts"]),
        observation("obs_3", "draw the logo", session="abd-2", day="2026-11-20"),
        observation("obs_4", "the invoice parser of the bank", session="bank", project="github.com/acme/bank"),
        observation("obs_5", "private invoice parser", session="home", profile="private"),
    )
    return know(tmp_path, DIGESTS, digest("dig_1", session="abc-1", asked=["the invoice parser"], commits=["Faster"]))


MINE = only({PROJECT})


def test_they_are_listed_latest_first(root: Path):
    found = sessions(root, allowed=MINE)
    assert [each["session"] for each in found] == ["abc-1", "abd-2"]
    first = found[0]
    assert (first["count"], first["files"], first["commits"]) == (2, 2, ["Parse once"])
    assert (first["asked"], first["last"]) == ("make the invoice parser faster", "and test it")
    assert [each["session"] for each in sessions(root, since="2026-11-25", allowed=MINE)] == ["abc-1"]
    assert len(sessions(root)) == 4
    assert len(sessions(root, limit=1)) == 1


def test_one_is_read_turn_by_turn(root: Path):
    found = session(root, "abc-1")
    assert found is not None
    assert [turn["asked"] for turn in found["turns"]] == ["make the invoice parser faster", "and test it"]
    assert found["turns"][1]["files"] == ["p.ts", "t.ts"]
    assert session(root, "abd") is not None
    assert session(root, "ab") is None  # two begin so
    assert session(root, "nobody") is None
    assert session(root, "bank", allowed=MINE) is None


def test_they_are_searched_within_what_may_be_seen(root: Path):
    found = search(root, "invoice parser", allowed=MINE)
    assert {each["id"] for each in found} == {"obs_1", "dig_1"}
    assert found[0]["session"] == "abc-1"
    assert {each["id"] for each in search(root, "invoice parser")} == {"obs_1", "dig_1", "obs_4", "obs_5"}
    assert {each["id"] for each in search(root, "invoice parser", allowed=only({PROJECT}, "private"))} == {
        "obs_1", "dig_1", "obs_5"
    }  # fmt: skip
    assert search(root, "invoice parser", allowed=only(())) == []


def test_what_was_rejected_is_not_found(root: Path):
    (root / "memory").mkdir()
    mark = {"schema": SCHEMA, "id": "t", "rev": 1, "fingerprint": fingerprint("make the invoice parser faster")}
    (root / "memory" / "tombstones.jsonl").write_bytes(canonical(mark) + b"\n")
    assert {each["id"] for each in search(root, "invoice parser", allowed=MINE)} == {"dig_1"}


def run(root: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["--home", str(root), "sessions", *words])


def parsed(done: Result) -> Any:
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_command(root: Path):
    assert [each["session"] for each in parsed(run(root, "--json", "--project", "shop"))["sessions"]] == [
        "abc-1", "home", "abd-2"
    ]  # fmt: skip
    assert "make the invoice parser faster" in run(root).stdout
    assert {each["id"] for each in parsed(run(root, "search", "logo", "--json"))["hits"]} == {"obs_3"}
    assert "logo" in run(root, "search", "logo").stdout
    assert len(parsed(run(root, "show", "abc-1", "--json"))["turns"]) == 2
    assert "commit: Parse once" in run(root, "show", "abc").stdout
    assert "No session was about that." in run(root, "search", "zeppelin").stdout


@pytest.mark.parametrize("words", [("show",), ("search",), ("show", "ab"), ("show", "nobody")])
def test_what_cannot_be_answered_is_said(root: Path, words: tuple[str, ...]):
    done = run(root, *words)
    assert done.exit_code != 0
    assert done.exception is not None
    assert "curate sessions" in str(done.exception)
