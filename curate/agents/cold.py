"""The hook as agents call it, as fast as Python starts: `python -I -S .../curate/agents/cold.py AGENT EVENT`.

Isolated from the environment and its packages, so it says itself where this package is.
"""

import sys

ROOM = 16 * 1024 * 1024
"""Bytes that must be free for compiled files: a full disk leaves half of one, and every later start ends at it."""

if __name__ == "__main__":
    try:
        from posix import statvfs

        disk = statvfs(__file__)
        sys.dont_write_bytecode = disk.f_bavail * disk.f_frsize < ROOM
    except (ImportError, OSError):
        pass
    sys.path.append(__file__.replace("\\", "/").rsplit("/", 3)[0])
    from curate.agents.hook import main

    main()
