"""The demo's repositories: small, real for git, and gone with the folder they are made in."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Plan:
    """A repository to make: its folder's name, where it says it comes from, and what is in it."""

    name: str
    remote: str | None
    files: Mapping[str, str]
    worktrees: Mapping[str, str] = field(default_factory=dict)
    """Folders of further worktrees beside it, each with its branch."""


PLANS = (
    Plan(
        "shop-api",
        "https://github.com/acme/shop-api.git",
        {
            "README.md": "# shop-api\n\nOrders, payments and refunds.\n",
            "pyproject.toml": '[project]\nname = "shop-api"\nversion = "0.1.0"\n',
            "src/shop/payments.py": '"""Talks to the payment provider."""\n',
            "src/shop/orders.py": '"""Orders and their refunds."""\n',
            "migrations/0007_orders.sql": "CREATE TABLE orders (id INTEGER PRIMARY KEY, total INTEGER NOT NULL);\n",
        },
        {"shop-api-payments": "payments"},
    ),
    Plan(
        "shop-web",
        "https://github.com/acme/shop-web.git",
        {
            "README.md": "# shop-web\n\nWhat customers see.\n",
            "package.json": '{\n  "name": "shop-web",\n  "private": true\n}\n',
            "src/lib/errors.ts": "export {};\n",
        },
    ),
    Plan(
        "handbook",
        "https://gitlab.example.com/acme/handbook.git",
        {"README.md": "# Handbook\n", "docs/onboarding.md": "# Onboarding\n", "docs/decisions.md": "# Decisions\n"},
    ),
    Plan(
        "infra",
        "git@git.example.com:acme/infra.git",
        {
            "README.md": "# infra\n",
            "environments/staging/main.tf": "# staging\n",
            "modules/network/main.tf": "# network\n",
        },
    ),
    Plan("sketches", None, {"README.md": "# Plotter sketches\n"}),
)


def create(root: Path) -> dict[str, Path]:
    """Make all repositories and worktrees under `root`; their folders by name. Needs git on the PATH."""
    made: dict[str, Path] = {}
    for plan in PLANS:
        folder = root / plan.name
        for name, text in plan.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        _git(folder, "-c", "init.defaultBranch=main", "init", "--quiet")
        if plan.remote:
            _git(folder, "remote", "add", "origin", plan.remote)
        _git(folder, "add", "--all")
        _git(folder, "commit", "--quiet", "--message", "Start")
        made[plan.name] = folder
        for name, branch in plan.worktrees.items():
            _git(folder, "worktree", "add", "--quiet", "-b", branch, str(root / name))
            made[name] = root / name
    return made


def _git(folder: Path, *arguments: str) -> None:
    """Run git without the person's own settings, hooks, signing and clock."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    mine = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada Example",
        "GIT_AUTHOR_EMAIL": "ada@example.com",
        "GIT_AUTHOR_DATE": "2026-10-01T08:00:00Z",
        "GIT_COMMITTER_NAME": "Ada Example",
        "GIT_COMMITTER_EMAIL": "ada@example.com",
        "GIT_COMMITTER_DATE": "2026-10-01T08:00:00Z",
    }
    subprocess.run(["git", *arguments], cwd=folder, env={**kept, **mine}, check=True, capture_output=True)
