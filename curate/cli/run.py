"""One call from arguments to exit code: every fault becomes one line on stderr, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from curate.cli.app import app
from curate.cli.crash import record_crash
from curate.cli.output import say
from store.errors import CurateError

USAGE = 2
"""Wrong usage or input that cannot be read."""
INTERRUPTED = 130


def run(args: Sequence[str]) -> int:
    """Run the command that `args` name; gives its exit code."""
    try:
        if "_CURATE_COMPLETE" in os.environ:
            app.main(args=list(args), prog_name="curate")
        with app.make_context("curate", list(args)) as context:
            app.invoke(context)
        sys.stdout.flush()
    except CurateError as fault:
        return _fail(str(fault), fault.exit_code)
    except click.exceptions.Exit as leave:
        sys.stdout.flush()
        return leave.exit_code
    except click.UsageError as fault:
        return _fail(_usage(fault), USAGE)
    except click.ClickException as fault:
        return _fail(fault.format_message(), fault.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _fail("stopped", INTERRUPTED)
    except BrokenPipeError:
        _close_quietly()
        return 0
    except OSError as fault:
        return _fail(_refused(fault), USAGE)
    except Exception as fault:  # noqa: BLE001 - a person gets one line, the log gets the rest
        return _fail(record_crash(fault, args), USAGE)
    return 0


def _fail(sentence: str, code: int) -> int:
    say(f"curate: {sentence}")
    return code


def _refused(fault: OSError) -> str:
    where = f"{os.fsdecode(fault.filename)}: " if isinstance(fault.filename, str | bytes) else ""
    return f"{where}{(fault.strerror or type(fault).__name__).lower()}; mend that and run again"


def _usage(fault: click.UsageError) -> str:
    command = fault.ctx.command_path if fault.ctx is not None else "curate"
    sentence = fault.format_message().rstrip(".")
    return f"{sentence[:1].lower()}{sentence[1:]}; see `{command} --help`"


def _close_quietly() -> None:
    """The reader of our output has gone (`curate records | head`): that is no fault, and Python shall not complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
