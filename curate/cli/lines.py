"""JSON lines from stdin: good ones are answered whatever stands beside them, bad ones are named by number."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from store.errors import InputError

NAMED = 5
"""Bad lines named in the closing sentence; the rest are counted."""


class BadLines(InputError):
    """Some lines of the input could not be read; the others were answered."""

    def __init__(self, source: str, bad: list[tuple[int, str]], good: int) -> None:
        named = "; ".join(f"line {number}: {reason}" for number, reason in bad[:NAMED])
        more = f"; and {len(bad) - NAMED} more" if len(bad) > NAMED else ""
        rest = f"the other {good} were answered" if good != 1 else "the other one was answered"
        super().__init__(f"{source}, {named}{more}; {rest if good else 'nothing was answered'}. Mend and run again")


class Lines:
    """Objects of a JSONL stream that have a `text`, with their line numbers; what is wrong with the rest is kept."""

    def __init__(self, stream: BinaryIO | Iterable[bytes], source: str = "stdin") -> None:
        self._stream = stream
        self._source = source
        self._good = 0
        self.bad: list[tuple[int, str]] = []

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, raw in enumerate(self._stream, 1):
            line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if not line.strip():
                continue
            found = _parse(line, number)
            if isinstance(found, str):
                self.bad.append((number, found))
            else:
                self._good += 1
                yield number, found

    def refuse(self, number: int, reason: str) -> None:
        """Count a line that was given out as bad after all."""
        self._good -= 1
        self.bad.append((number, reason))

    def close(self) -> None:
        """Raise `BadLines` when there were any."""
        if self.bad:
            self.bad.sort()
            raise BadLines(self._source, self.bad, self._good)


def _parse(line: bytes, number: int) -> dict[str, Any] | str:
    """The object on a line, or what is wrong with it."""
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as fault:
        return f"not UTF-8 at byte {fault.start + 1}"
    except json.JSONDecodeError as fault:
        return f"not JSON ({fault.msg}, column {fault.colno})"
    except RecursionError:
        return "nested too deeply"
    if not isinstance(value, dict):
        return "not a JSON object; expected {id, text}"
    if not isinstance(value.get("text"), str):
        return "no `text`; expected {id, text}"
    # Without an id the answer is known by its line.
    value.setdefault("id", number)
    return value
