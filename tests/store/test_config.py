"""Settings: defaults are written out with their meaning, and a change leaves comments and unknown keys alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from store.config import SETTINGS, BadConfig, Config, template
from store.log.disk import Disk
from tests.store.logkit import open_store

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_store_has_a_file_that_documents_every_default(tmp_path: Path) -> None:
    open_store(tmp_path, create=True)
    text = (tmp_path / "config.yaml").read_text()
    config = Config.load(tmp_path / "config.yaml")
    for setting in SETTINGS:
        assert setting.meaning in text
        assert config.get(setting.name) == setting.default


def test_making_a_store_again_leaves_its_settings(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("review:\n  defer_days: 30\n")
    assert open_store(tmp_path, create=True).config.get("review.defer_days") == 30
    assert (tmp_path / "config.yaml").read_text() == "review:\n  defer_days: 30\n"


def test_without_a_file_the_defaults_hold_and_nothing_is_written(tmp_path: Path) -> None:
    assert open_store(tmp_path / "none").config.get("review.batch_threshold") == 3
    assert not (tmp_path / "none").exists()


def test_a_change_keeps_comments_order_and_unknown_keys(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("# mine\nfuture: {a: 1}   # not known yet\nreview:\n  # a week\n  defer_days: 7  # days\n")
    config = Config.load(path)
    config.set("review.defer_days", 14, Disk())
    config.set("vault.path", "/notes", Disk())
    assert path.read_text() == (
        "# mine\nfuture: {a: 1}   # not known yet\nreview:\n  # a week\n  defer_days: 14 # days\n"
        "vault:\n  path: /notes\n"
    )
    assert Config.load(path).get("vault.path") == "/notes"
    assert not list(tmp_path.glob("*.tmp"))


def test_a_first_change_writes_the_documented_file(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    Config.load(path).set("profile", "work", Disk())
    assert path.read_text() == template().replace("profile:", "profile: work")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("review: [\n", "line 2: not valid YAML"),
        ("- a list\n", "not a mapping of settings"),
        ("review:\n  defer_days: soon\n", "review.defer_days must be like 7"),
    ],
)
def test_settings_that_cannot_be_used_are_named(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(BadConfig, match=reason):
        Config.load(path).get("review.defer_days")
