"""What can stand in the way of connecting an agent, each naming the file and what to do."""

from __future__ import annotations

from pathlib import Path

from store.errors import InputError


class BrokenSettings(InputError):
    """A settings file that its agent could not read either."""

    def __init__(self, file: Path, line: int, reason: str) -> None:
        super().__init__(f"{file}, line {line}: {reason}; mend that line and run again. Nothing was changed")


class ReadOnly(InputError):
    """A file or folder that may not be written to, on purpose or by its owner."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is read-only; make it writable and run again. Nothing was changed")


class NotOurs(InputError):
    """A file of the name that we would write is there, and we did not write it."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"{file} is there already and not from curate; move it away and run again. Nothing was changed"
        )


class NotAFile(InputError):
    """A folder, or something stranger, stands where a file is needed."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is not a file; move it away and run again. Nothing was changed")


class ChangedMeanwhile(InputError):
    """Somebody wrote to the file after the changes to it were shown."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"{file} was changed by somebody else just now; run again to see the changes to it as it is")


class WriteRefused(InputError):
    """The disk refused; what had been written was taken back."""

    def __init__(self, path: Path, cause: OSError) -> None:
        reason = (cause.strerror or type(cause).__name__).lower()
        super().__init__(f"{path}: {reason}; nothing was changed. Mend that and run again")


class BadReceipt(InputError):
    """Our own record of what was written cannot be read."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"{file} cannot be read; delete it, and entries of curate are found by their command instead")
