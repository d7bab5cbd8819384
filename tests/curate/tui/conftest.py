from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.curate.tui.stores import many, sample, sides


@pytest.fixture(scope="session")
def _sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sample") / "store"
    sample(root)
    return root


@pytest.fixture(scope="session")
def _sixty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sixty") / "store"
    many(root, 60)
    return root


@pytest.fixture(scope="session")
def _disputed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("disputed") / "store"
    sides(root)
    return root


@pytest.fixture
def disputed(_disputed: Path, tmp_path: Path) -> Path:
    """A copy of a store full of contradictions."""
    return Path(shutil.copytree(_disputed, tmp_path / "store"))


@pytest.fixture
def store(_sample: Path, tmp_path: Path) -> Path:
    """A copy of the sample store."""
    return Path(shutil.copytree(_sample, tmp_path / "store"))


@pytest.fixture
def sixty(_sixty: Path, tmp_path: Path) -> Path:
    """A copy of a store with sixty single candidates."""
    return Path(shutil.copytree(_sixty, tmp_path / "store"))
