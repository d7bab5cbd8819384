"""Which folder is the store, and which file a record belongs in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from store.errors import HomeIsNotAFolder
from store.layout import Layout, find_root, patch_file, record_file

if TYPE_CHECKING:
    from pathlib import Path


def local_store(folder: Path) -> Path:
    (folder / ".curate").mkdir(parents=True)
    (folder / ".curate/config.yaml").write_text("# settings\n")
    return folder / ".curate"


def test_the_argument_wins_over_the_environment_and_that_over_a_local_store(tmp_path: Path) -> None:
    local = local_store(tmp_path / "repo")
    deep = tmp_path / "repo/src/deep"
    deep.mkdir(parents=True)
    env = {"CURATE_HOME": str(tmp_path / "env")}
    assert find_root(tmp_path / "named", env=env, cwd=deep) == tmp_path / "named"
    assert find_root(None, env=env, cwd=deep) == tmp_path / "env"
    assert find_root(None, env={}, cwd=deep) == local


def test_a_folder_of_that_name_that_init_did_not_make_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "repo/.curate").mkdir(parents=True)
    found = find_root(None, env={}, cwd=tmp_path / "repo")
    assert found.name == "curate"
    assert tmp_path not in found.parents


def test_the_nearest_local_store_counts(tmp_path: Path) -> None:
    local_store(tmp_path)
    inner = local_store(tmp_path / "inner")
    assert find_root(None, env={}, cwd=tmp_path / "inner") == inner
    assert find_root(None, env={}, cwd=tmp_path) == tmp_path / ".curate"


def test_a_root_that_is_or_lies_under_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for home in (tmp_path / "file", tmp_path / "file/below/it"):
        with pytest.raises(HomeIsNotAFolder, match="file is a file, not a folder; name another store with --home DIR"):
            find_root(home)


def test_a_relative_home_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_root("here/../there") == tmp_path / "there"


@pytest.mark.parametrize(
    ("data", "file"),
    [
        ({"layer": "L1", "scope": {"type": "project", "project": "x"}}, "memory/identity.jsonl"),
        ({"layer": "L2", "scope": {"type": "global"}}, "memory/global.jsonl"),
        ({"layer": "L2", "scope": {"type": "domain", "domains": ["sql"]}}, "memory/global.jsonl"),
    ],
)
def test_the_file_of_a_record_without_a_project(data: dict[str, object], file: str) -> None:
    assert record_file(data, {}) == file


def test_the_file_of_a_project_is_the_one_the_registry_gave_it(tmp_path: Path) -> None:
    from tests.store.logkit import SHOP, seeded

    state = seeded(tmp_path).state
    data = {"layer": "L2", "scope": {"type": "project", "project": SHOP}}
    stem = state.projects[SHOP].data["file"]
    assert record_file(data, state.projects) == f"memory/projects/{stem}.jsonl" == record_file(data, {})
    assert record_file(data, state.projects) in Layout(tmp_path).record_files()


def test_patches_are_kept_by_month() -> None:
    assert patch_file("2026-11-29T23:59:59.999Z") == "patches/2026-11.jsonl"
