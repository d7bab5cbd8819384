"""Plain settings are read as a YAML library reads them, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from store.config import Config, template
from store.log.disk import Disk
from store.plain_settings import parse
from tests.curate.command import curate_process

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("profile", "recall", "budget", "yes", "on", "a_b", "x1", "Name", "null")
VALUES = (
    "", "true", "True", "no", "off", "null", "~", "0", "-0", "007", "12", "-3", "1_000", "0x1f", "1e3", "0.5",
    "-2.5", ".5", "1.", '"a b"', '"a \\" b"', '"a # b"', "'it'", "work", "work # mine", "a: b", "/home/me/x",
    "~/x.yaml", "~", "[a]", "{}", "- a", "http://localhost:11434/v1", "NaN", ".inf", "2026-01-02", "12:30:00",
    "&a b", "*a", "!x y", "|", ">-", "a\tb", "ä", "<<",
)  # fmt: skip
LINES = st.one_of(
    st.builds(
        lambda depth, name, value: f"{' ' * depth}{name}:{' ' if value else ''}{value}",
        st.sampled_from((0, 0, 0, 2, 2, 4, 1, 3)), st.sampled_from(NAMES), st.sampled_from(VALUES),
    ),
    st.sampled_from(("", "# said", "  # said", "   ", "\t", "---", "...", "plain", "- a", "  - a", "? a")),
)  # fmt: skip


def by_library(text: str) -> object:
    try:
        return YAML(typ="rt").load(text)
    except YAMLError:
        return "refused"


@given(st.lists(LINES, max_size=8).map("\n".join))
def test_what_is_understood_is_what_yaml_says(text: str):
    found = parse(text)
    if found is not None:
        assert found == (by_library(text) or {}), text
        assert repr(found) == repr(_plain(by_library(text) or {})), text


@pytest.mark.parametrize("value", VALUES)
def test_each_kind_of_value(value: str):
    text = f"recall:\n  budget: {value}\n".replace(": \n", ":\n")
    found = parse(text)
    assert found is None or repr(found) == repr(_plain(by_library(text)))


def test_the_file_that_we_write_is_plain():
    found = parse(template())
    assert found == by_library(template())
    assert found is not None
    assert found["recall"]["judge"]["timeout_s"] == 2.5


def test_a_change_is_seen_and_what_is_unusual_is_read_all_the_same(tmp_path: Path):
    path = tmp_path / "config.yaml"
    path.write_text("profile: work # mine\nrecall:\n    budget: 7\n", "utf-8")
    assert Config.load(path).get("profile") == "work"
    assert Config.load(path).get("recall.budget") == 7
    path.write_text("profile: work\n", "utf-8")
    config = Config.load(path)
    assert config.get("profile") == "work"
    config.set("profile", "private", Disk())
    assert config.get("profile") == Config.load(path).get("profile") == "private"


def test_no_call_loads_the_library_for_a_plain_file(tmp_path: Path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import sys\nsys.modules['ruamel'] = None\n")
    home = tmp_path / "store"
    home.mkdir()
    (home / "config.yaml").write_text(template(), "utf-8")
    patch = b'{"ops": [{"op_id": "a", "op": "add", "record": {"statement": "Use pnpm.", "scope": {"type": "global"}}}]}'
    done = curate_process("apply", "-", "--select", "a", "--home", home, stdin=patch, PYTHONPATH=str(tmp_path / "site"))
    assert (done.code, done.err) == (0, "")


def _plain(value: object) -> object:
    """The same in Python's own types."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, bool) or value is None:
        return value
    for kind in (int, float, str):
        if isinstance(value, kind):
            return kind(value)
    return value
