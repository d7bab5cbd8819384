"""A fault that nobody foresaw is one line and a log without anybody's words; a traceback never."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from curate import logfile
from curate.cli.crash import record_crash
from tests.curate.command import curate_process

BREAKS = """
import curate.cli.app as app
import click
@click.command("broken")
def broken():
    raise {fault}
app.COMMANDS["records"] = ("curate.cli.app", "broken", "")
app.broken = broken
"""


def broken(tmp_path: Path, fault: str):
    """Run `curate records` where that command breaks."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(BREAKS.format(fault=fault))
    state = str(tmp_path / "state")
    return curate_process("records", PYTHONPATH=str(tmp_path / "site"), XDG_STATE_HOME=state, LOCALAPPDATA=state)


def test_a_fault_of_ours_is_one_line_that_names_the_log(tmp_path: Path):
    done = broken(tmp_path, "KeyError('what somebody said')")
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1
    log = tmp_path / "state" / "curate" / "curate.log"
    assert str(log) in done.err
    entry = log.read_text("utf-8")
    assert "KeyError at " in entry
    assert "records" in entry
    assert "what somebody said" not in entry + done.err


def test_a_file_that_the_system_refuses_is_named(tmp_path: Path):
    done = broken(tmp_path, "PermissionError(13, 'Permission denied', '/some/file')")
    assert done.fails(2, "/some/file: permission denied")


def test_ctrl_c_leaves_quietly(tmp_path: Path):
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "curate", "classify"], stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        os.write(writing, b'{"id": 1, "text": "ok"}\n')
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b'{"id": 1')
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    finally:
        os.close(writing)
        os.close(reading)
    assert (process.returncode, err) == (130, b"curate: stopped\n")


def test_where_no_log_can_be_written_the_line_says_where_it_broke(tmp_path: Path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(blocked))
    try:
        raise KeyError("secret words")
    except KeyError as fault:
        line = record_crash(fault, ["show", "mem_1"])
    assert "KeyError at test_cli_crash.py" in line
    assert "secret words" not in line


def test_a_full_log_is_set_aside(tmp_path: Path):
    path = tmp_path / "logs" / "x.log"
    logfile.append(path, "first")
    path.write_bytes(path.read_bytes() + b"x" * logfile.LIMIT)
    logfile.append(path, "second\nline \ud800")
    assert "first" in path.with_name("x.log.1").read_text("utf-8")
    text = path.read_text("utf-8")
    assert text.endswith("second line \\ud800\n")
    assert text.count("\n") == 1
