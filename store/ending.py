"""The end of a process that was started for one answer, and of all that it started itself. Standard library only: what
the hook runs uses it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen


def end(process: Popen[bytes]) -> None:
    """Stop a process that has a session of its own, if anything of that still runs, and let go of its pipes."""
    if process.returncode is None:  # not waited for, so its number is still its own
        if sys.platform == "win32":
            process.kill()
        else:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except OSError:
                process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
