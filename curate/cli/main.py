"""Where the command starts. What must be quick or must never fail is settled before anything else is imported."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from curate import __version__


def main() -> NoReturn:
    """Run the command line on this process's arguments and leave with its exit code."""
    args = sys.argv[1:]
    _insist_on_utf8()
    hook = hook_arguments(args)
    if hook is not None:
        from curate.agents.hook import main as run_hook

        run_hook(hook)
    if args == ["--version"]:
        sys.stdout.write(f"curate {__version__}\n")
        sys.exit(0)
    from curate.cli.run import run

    sys.exit(run(args))


def hook_arguments(args: list[str]) -> list[str] | None:
    """What follows `hook`, with any `--home DIR` before it kept; None when this is not a hook call.

    Agents call hooks at every turn, so they must not wait for the command line to load.
    """
    home: list[str] = []
    rest = list(args)
    while rest and rest[0].startswith("--home"):
        taken = 1 if "=" in rest[0] else 2
        home, rest = rest[:taken], rest[taken:]
    if rest[:1] != ["hook"] or "--help" in rest or "-h" in rest:
        return None
    return [*home, *rest[1:]]


def _insist_on_utf8() -> None:
    """Text in and out is UTF-8, whatever the locale says.

    Where even file names would not be (a C locale with UTF-8 mode off), Python starts once more in UTF-8 mode.
    """
    if sys.getfilesystemencoding().lower() != "utf-8" and not sys.flags.utf8_mode and sys.executable:
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - this very program
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A lone surrogate (a file name that is not UTF-8) becomes its JSON escape instead of a crash.
            reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
