"""The real clients, each in its exact version, from their registry into a cache outside the repository.

`$CURATE_CLIENTS` names the cache, else it is `curate-clients` in the user's cache folder. What is there is not fetched
again; what cannot be fetched is a reason to skip.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

VERSIONS = {
    "@openai/codex": "0.171.0",
    "@anthropic-ai/claude-code": "2.1.332",
    "@earendil-works/pi-coding-agent": "1.6.0",
    "@mariozechner/pi-coding-agent": "0.73.1",
    "@github/copilot": "1.0.102",
    "@google/gemini-cli": "0.61.0",
    "opencode-ai": "1.18.33",
    "@opencode-ai/plugin": "1.18.33",
    "node": "22.23.3",
}
"""Named to the last digit: npm would pick an older release where the Node at hand is older than the newest asks for."""
PATIENCE = 300
"""Seconds for one package; the largest is 420 MB unpacked."""


def cache() -> Path:
    """Where clients are kept."""
    named = os.environ.get("CURATE_CLIENTS")
    if named:
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "curate-clients"


def modules(package: str, version: str | None = None) -> Path:
    """The `node_modules` folder that holds a package, fetched when it is not there. Skips when it cannot be."""
    version = version or VERSIONS[package]
    folder = cache() / f"{package.rpartition('/')[2]}-{version}"
    whole = folder / "whole"
    if not whole.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not installed, which brings the real clients")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            pytest.skip(f"no place for real clients: {fault}")
        (folder / "package.json").write_text(json.dumps({"private": True}))
        hasty = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=2000"]
        command = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", *hasty, f"{package}@{version}"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            pytest.skip(f"npm needed more than {PATIENCE} s for {package}@{version}")
        if done.returncode:
            pytest.skip(f"npm cannot bring {package}@{version}: {(done.stderr.strip() or '?').splitlines()[0]}")
        whole.touch()
    return folder / "node_modules"


def native(package: str, where: str, version: str | None = None) -> Path:
    """The program in the part of a package that npm took for this platform. Skips where there is none."""
    found = sorted(path for path in modules(package, version).glob(where) if path.is_file())
    if not found:
        pytest.skip(f"{package} has no program for this platform")
    return found[0]


def node() -> Path:
    """A Node that the clients written in JavaScript run on."""
    program = modules("node") / "node" / "bin" / "node"
    if not program.exists():
        pytest.skip("there is no Node for this platform")
    return program
