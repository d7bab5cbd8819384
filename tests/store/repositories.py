"""Real git repositories for tests, untouched by the configuration of whoever runs them."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PERSON = {"NAME": "a", "EMAIL": "a@b.c"}
ENV = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in PERSON.items()},
}


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *words]
    done = subprocess.run(command, cwd=folder, env={**os.environ, **ENV}, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def repository(folder: Path, remote: str | None = None, *, commit: bool = True) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    if commit:
        git(folder, "commit", "-q", "--allow-empty", "-m", f"start of {folder.name}")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder
