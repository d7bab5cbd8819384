"""JSON lines of strangers: one object a line, every fault a value with its line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from store.exchange.found import LINE_LIMIT, Entry
from store.line import canonical


def objects(lines: Iterable[bytes], file: str | None = None) -> Iterator[Entry]:
    """Each line that is not blank as an object, or as the reason why it is none."""
    for number, raw in enumerate(lines, 1):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if not line.strip():
            continue
        yield _object(line, number, file)


def split(data: bytes) -> list[bytes]:
    """The lines of a file."""
    return data.split(b"\n")


def _object(raw: bytes, number: int, file: str | None) -> Entry:
    fault = None
    if len(raw) > LINE_LIMIT:
        return Entry(number, fault=f"longer than {LINE_LIMIT:,} bytes", file=file)
    if raw.startswith((b"<<<<<<<", b"=======", b">>>>>>>")):
        return Entry(number, fault="a conflict marker of git", file=file)
    try:
        data = json.loads(raw.decode("utf-8"))
        if isinstance(data, dict):
            canonical(data)  # NaN, infinity and halves of surrogate pairs cannot be written
            return Entry(number, data, file=file)
        fault = "not a JSON object"
    except UnicodeDecodeError as error:
        fault = f"not UTF-8 at byte {error.start + 1}"
    except json.JSONDecodeError as error:
        fault = f"not JSON ({error.msg}, column {error.colno})"
    except RecursionError:
        fault = "nested too deeply"
    except ValueError:
        fault = "it holds what JSON in UTF-8 cannot"
    return Entry(number, fault=fault, file=file)
