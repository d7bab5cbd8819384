"""One call of a local agent: the prompt on its standard input, the answer on its standard output, no shell between."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence

from curate.capture.consolidate.fault import unreachable, useless
from curate.capture.consolidate.http import RESPONSE_LIMIT
from store.ending import end
from store.text import one_line, shorten


def run(command: Sequence[str], text: str, *, timeout: float) -> bytes:
    """What the command says. It runs in an empty folder, so that it finds no project to work on. Raises `NoAnswer`."""
    until = time.monotonic() + timeout
    with tempfile.TemporaryDirectory(prefix="curate-consolidate-", ignore_cleanup_errors=True) as folder:
        process = _start(command, folder)
        try:
            writer = threading.Thread(target=_write, args=(process, text.encode("utf-8")), daemon=True)
            output = _Output(process)
            reader = threading.Thread(target=output.read, daemon=True)
            writer.start()
            reader.start()
            reader.join(timeout)
            if output.too_long:
                raise useless(f"the answer is longer than {RESPONSE_LIMIT // 1024} KB")
            if reader.is_alive():
                raise unreachable(f"no whole answer within {timeout:g} s")
            try:
                code = process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise unreachable(f"did not end within {timeout:g} s") from None
        finally:
            end(process)
    if code != 0:
        raise unreachable(f"{_name(command)} left with exit code {code}; run it by hand to see why")
    return bytes(output.data)


class _Output:
    """What a process wrote, up to the limit."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.data = bytearray()
        self.too_long = False
        self._process = process

    def read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # closed under us at the end of the time
            while chunk := os.read(self._process.stdout.fileno(), 16 * 1024):
                self.data += chunk
                if len(self.data) > RESPONSE_LIMIT:
                    self.too_long = True
                    return


def _start(command: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(command),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as fault:
        reason = (fault.strerror or type(fault).__name__).lower()
        raise unreachable(f"{_name(command)} cannot be started: {reason}") from fault


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):  # it may end without reading, which is its own affair
        process.stdin.write(data)
        process.stdin.close()


def _name(command: Sequence[str]) -> str:
    return shorten(one_line(command[0]), 60)
