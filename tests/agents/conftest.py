"""Where real agents run: a home folder and a repository of their own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.agents.program import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A home folder and a repository; the names are as awkward as they come."""
    home, project = tmp_path / "ann's home", tmp_path / "the shop"
    home.mkdir()
    project.mkdir()
    (project / "README.md").write_text("# Shop\n")
    subprocess.run(["git", "init", "-q", "-b", "main", project], check=True)
    subprocess.run(["git", "-C", project, "remote", "add", "origin", "git@github.com:acme/shop.git"], check=True)
    return Bench(home, project, "")
