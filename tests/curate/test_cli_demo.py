"""The demo is the real thing on a throw-away store, and touches nothing that is anybody's."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

from tests.curate.command import curate, curate_process


def test_headless_it_scans_and_prints_what_was_found(tmp_path: Path):
    done = curate("demo", "--headless", "--json", TMPDIR=str(tmp_path), HOME=str(tmp_path / "me"))
    assert (done.code, done.err) == (0, "")
    found = done.json
    assert found.keys() >= {"home", "scan", "inbox"}
    assert found["scan"]["files"] >= 14
    assert found["scan"]["candidates"]["created"] >= 25
    assert found["scan"]["quarantined"] == 0
    assert len(found["inbox"]) >= 20
    assert any(group["recurrence"] > 1 for group in found["inbox"])
    home = Path(found["home"])
    assert home.is_relative_to(tmp_path)
    assert not (tmp_path / "me").exists()
    assert curate("verify", "--home", home).code == 0
    patch = curate("propose", "--json", "--home", home)
    applied = curate("apply", "-", "--json", "--home", home, stdin=patch.out).json
    assert len(applied["applied"]) >= 10
    assert len(list((home / "rendered" / "projects").glob("*.md"))) >= 3
    assert curate("verify", "--home", home).code == 0
    assert curate("materialise", "--check", "--home", home).code == 0


def test_headless_it_tells_people_in_words(tmp_path: Path):
    told = curate_process("demo", "--headless", TMPDIR=str(tmp_path)).text
    assert "captured" in told
    assert str(tmp_path) in told


def test_the_store_may_be_named(tmp_path: Path):
    home = tmp_path / "here"
    assert curate("demo", "--headless", "--json", "--home", home, TMPDIR=str(tmp_path)).json["home"] == str(home)
    assert (home / "inbox" / "candidates.jsonl").is_file()


def test_without_a_terminal_it_says_so_and_makes_nothing(tmp_path: Path):
    assert curate("demo", TMPDIR=str(tmp_path)).fails(2, "terminal")
    assert list(tmp_path.iterdir()) == []


def test_on_a_terminal_it_opens_the_review_and_says_where_things_are(tmp_path: Path):
    """The real program on a real terminal: `q` leaves, and what is left on the screen names the store."""
    master, slave = pty.openpty()
    env = {**os.environ, "TMPDIR": str(tmp_path), "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "36"}
    process = subprocess.Popen(
        [sys.executable, "-m", "curate", "demo"], stdin=slave, stdout=slave, stderr=slave, env=env
    )
    os.close(slave)
    seen = b""
    pressed = False
    end = time.monotonic() + 60
    try:
        while time.monotonic() < end:
            ready, _, _ = select.select([master], [], [], 1.0)
            try:
                seen += os.read(master, 65536) if ready else b""
            except OSError:  # the other side has closed: it is over
                break
            if not pressed and b"decided" in seen:
                os.write(master, b"q")
                pressed = True
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        os.close(master)
    assert pressed
    assert b"What you approved is in" in seen
    assert str(tmp_path).encode() in seen
