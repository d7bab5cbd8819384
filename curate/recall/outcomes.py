"""Writes down how things went in a domain, from which weak domains are told: one line for each outcome."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curate.recall.weak_domains import FILE
from store.errors import InputError
from store.line import SCHEMA, canonical
from store.log import lock
from store.log.disk import Disk, make_dirs
from store.project.named import named
from store.secrets import mask
from store.text import clean, one_line, shorten

LIMIT = 300
_PATIENCE = 10.0


class NoDomain(InputError):
    """An outcome of nothing."""

    def __init__(self) -> None:
        super().__init__("the outcome names no domain; say what kind of work it was, such as `migrations`")


def add_outcome(
    root: Path,
    domain: str,
    *,
    ok: bool,
    at: str,
    project: str | None = None,
    agent: str | None = None,
    pattern: str | None = None,
    strategy: str | None = None,
) -> dict[str, Any]:
    """Append an outcome and give its line. `pattern` is what went wrong, `strategy` what helped.

    Raises `NoDomain`, `StoreUnusable`.
    """
    line: dict[str, Any] = {"schema": SCHEMA, "at": at, "domain": _plain(domain).lower(), "ok": ok}
    if not line["domain"]:
        raise NoDomain
    said = {"project": named(project or ""), "agent": agent, "pattern": pattern, "strategy": strategy}
    line |= {key: text for key, value in said.items() if value and (text := _plain(value))}
    path = root / FILE
    disk = Disk()
    with lock.writing(root, wait=_PATIENCE):
        make_dirs(disk, path.parent)
        whole = not path.exists() or path.read_bytes()[-1:] in {b"", b"\n"}
        disk.append(path, (b"" if whole else b"\n") + canonical(line) + b"\n")
    return line


def _plain(text: str) -> str:
    return shorten(one_line(mask(clean(text)).text), LIMIT)
