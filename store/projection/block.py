"""The managed block: what holds in a repository, between markers in its own AGENTS.md or CLAUDE.md, on request only.

Text outside the markers keeps every byte. What somebody wrote between them is noticed, and never written over unasked.
"""

from __future__ import annotations

import contextlib
import difflib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from store.errors import InputError, ReadFailed
from store.log.disk import refused
from store.log.fold import status
from store.projection.markdown import code, escape
from store.projection.markers import Block, find, line_of, newline_of, render

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from store.state import State

Outcome = Literal["written", "unchanged", "removed", "edited", "absent"]

HEADING = "## Remembered for this repository"
NOTICE = (
    "Kept by curate from what was approved. What is changed between these markers is offered for review, not read back."
)
NOTHING = "Nothing is remembered yet."
JOINED = "joined"
"""Flag: the text before the block did not end in a newline, and we added one."""
MADE = "made"
"""Flag: the file was not there."""

_BOM = "\ufeff"


class NoTextFile(InputError):
    """A file into which no block can be written."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}; name a text file such as AGENTS.md")


class OtherOwner(InputError):
    """The block in a file belongs to another project."""

    def __init__(self, path: Path, line: int, owner: str, wanted: str) -> None:
        super().__init__(f"{path}, line {line}: the block belongs to {owner}, not {wanted}; remove that one first")


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a block: the change as a diff, and the text of others that stood or stands in it."""

    file: str
    outcome: Outcome
    diff: str = ""
    foreign: str = ""
    line: int = 0
    """Line of the file in which the foreign text starts."""


def lines_for(state: State, project: str) -> list[str]:
    """The lines of a project's block: its active rules, pinned ones first. Same records, same lines."""
    found = []
    for versions in state.live_records():
        data = versions.data
        scope = data.get("scope") or {}
        here = scope.get("type") == "project" and scope.get("project") == project
        if here and status(versions) == "active" and data.get("layer") != "L1":
            found.append(data)
    found.sort(key=lambda data: (not data.get("pinned"), str(data.get("created_at", "")), data["id"]))
    rules = [rule_line(data) for data in found] or [NOTHING]
    return ["", HEADING, "", NOTICE, "", *rules, ""]


def rule_line(data: Mapping[str, Any]) -> str:
    """A record as one list item, with where and when it does not hold."""
    paths = (data.get("scope") or {}).get("paths")
    where = f"In {', '.join(code(path) for path in paths)}: " if paths else ""
    line = f"- {where}{escape(data['statement'])}"
    apart = [*(data.get("known_exceptions") or ()), *(data.get("does_not_apply_when") or ())]
    return f"{line} (except: {escape('; '.join(apart))})" if apart else line


def put(path: Path, state: State, project: str, *, overwrite: bool = False) -> Done:
    """Write a project's block into a file, or renew it. A block with an edit inside stays, unless `overwrite` is set.

    Raises `BadMarkers`, `NoTextFile`, `OtherOwner`, `ReadFailed`, `WriteFailed`.
    """
    before = _read(path)
    lines = lines_for(state, project)
    text, bom = _decoded(path, before)
    block = _own(path, text, project)
    if block is None:
        after = _appended(text, project, lines, made=before is None)
    elif not block.intact and not overwrite:
        return _edited(path, text, block, lines)
    elif block.inner == "".join(f"{line}\n" for line in lines) and block.intact:
        return Done(str(path), "unchanged")
    else:
        after = _renewed(text, block, project, lines)
    _write(path, before, _encoded(after, bom))
    edited = block is not None and not block.intact
    foreign = block.inner if block is not None and edited else ""
    return Done(str(path), "written", _diff(path, text, after), foreign, block.line + 1 if block else 0)


def check(path: Path, state: State, project: str) -> Done:
    """Compare the block in a file with what holds. Writes nothing; `written` says that it would be."""
    text, _ = _decoded(path, _read(path))
    block = _own(path, text, project)
    lines = lines_for(state, project)
    if block is None:
        return Done(str(path), "absent")
    if not block.intact:
        return _edited(path, text, block, lines)
    if block.inner == "".join(f"{line}\n" for line in lines):
        return Done(str(path), "unchanged")
    return Done(str(path), "written", _diff(path, text, _renewed(text, block, project, lines)))


def remove(path: Path, project: str | None = None, *, overwrite: bool = False) -> Done:
    """Take the block out: the file is as it was before, to the byte, and gone when there was none.

    A block with an edit inside stays, unless `overwrite` is set.
    """
    before = _read(path)
    text, bom = _decoded(path, before)
    block = find(text, str(path)) if project is None else _own(path, text, project)
    if block is None:
        return Done(str(path), "absent")
    if not block.intact and not overwrite:
        return _edited(path, text, block, [])
    head, tail = text[: block.start], text[block.end :]
    if JOINED in block.flags and not tail:
        carried = text[block.start : block.end].partition("\n")[0].endswith("\r")
        head = head.removesuffix("\r\n" if carried else "\n")
    after = head + tail
    if MADE in block.flags and not after and not bom:
        _delete(path)
    else:
        _write(path, before, _encoded(after, bom))
    return Done(str(path), "removed", _diff(path, text, after), "" if block.intact else block.inner, block.line + 1)


def _own(path: Path, text: str, project: str) -> Block | None:
    block = find(text, str(path))
    if block is not None and block.owner != project:
        raise OtherOwner(path, block.line, block.owner, project)
    return block


def _edited(path: Path, text: str, block: Block, lines: list[str]) -> Done:
    ours = "".join(f"{line}\n" for line in lines)
    diff = "\n".join(
        difflib.unified_diff(ours.splitlines(), block.inner.splitlines(), "as curate has it", str(path), lineterm="")
    )
    return Done(str(path), "edited", diff, block.inner, line_of(text, block.start) + 1)


def _appended(text: str, project: str, lines: list[str], *, made: bool) -> str:
    newline = newline_of(text)
    flags = [MADE] if made else []
    if text and not text.endswith("\n"):
        text, flags = text + newline, [*flags, JOINED]
    return text + render(project, lines, flags=flags, newline=newline)


def _renewed(text: str, block: Block, project: str, lines: list[str]) -> str:
    newline = newline_of(text)
    made = render(project, lines, flags=sorted(block.flags), newline=newline)
    if not text[block.start : block.end].endswith("\n"):
        made = made.removesuffix(newline)
    return text[: block.start] + made + text[block.end :]


def _decoded(path: Path, data: bytes | None) -> tuple[str, bool]:
    """The text of a file, bytes that are not UTF-8 kept as they are; and whether it starts with a byte order mark."""
    data = data or b""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in data[:8192]:
        raise NoTextFile(path, "not text in UTF-8")
    text = data.decode("utf-8", "surrogateescape")
    return text.removeprefix(_BOM), text.startswith(_BOM)


def _encoded(text: str, bom: bool) -> bytes:
    return ((_BOM if bom else "") + text).encode("utf-8", "surrogateescape")


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        raise NoTextFile(path, "is a folder") from None
    except OSError as fault:
        raise ReadFailed(path, fault) from fault


def _write(path: Path, before: bytes | None, data: bytes) -> None:
    """A whole file in place of the one that was read. A link is followed: what it leads to is written."""
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.curate-tmp")
    try:
        mode = target.stat().st_mode & 0o7777 if before is not None else None
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        if _read(target) != before:
            raise NoTextFile(path, "changed while the block was written, and was left alone")
        temporary.replace(target)
    except OSError as fault:
        raise refused(path, fault) from fault
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _delete(path: Path) -> None:
    try:
        path.unlink()
    except OSError as fault:
        raise refused(path, fault) from fault


def _diff(path: Path, before: str, after: str) -> str:
    old, new = (text.encode("utf-8", "replace").decode("utf-8").splitlines() for text in (before, after))
    return "\n".join(difflib.unified_diff(old, new, str(path), str(path), lineterm=""))
