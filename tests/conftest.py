"""How tests run. Property tests take new examples each time at a desk and the same ones in CI, so that red means
changed; the files of all tests lie in memory where there is room, since thousands of small stores cost a disk minutes.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hypothesis import settings

settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

MEMORY = Path("/dev/shm")
ROOM = 8 << 30
"""Bytes that must be free there; a run of all tests takes far less."""

if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # `--basetemp` wins over it
