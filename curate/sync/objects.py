"""A look into every object of a repository, reached by anything or not: lines of ids, and bytes that must not be there.

Commits hold the same lines again and again, so each line is looked at once.
"""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

from store.log.parse import NotALine, parse_evidence
from store.log.stub import MARK

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from curate.sync.repository import Repository

_HEAD = re.compile(rb'\{"schema":"[\d.]+","id":"([^"\\]+)",')
_LEAST = 8
"""Bytes of a needle, below which it would be found anywhere."""


def lines_of(repo: Repository, ids: Collection[str], where: Path) -> list[dict[str, Any]]:
    """Every line of these records, candidates and pieces of evidence in any object, that still has its words."""
    wanted = {ident.encode() for ident in ids}
    found: dict[bytes, dict[str, Any]] = {}
    for _, fresh in _fresh(repo, {"blob"}):
        for line in fresh:
            head = _HEAD.match(line)
            if head and head[1] in wanted and line not in found:
                try:
                    found[line] = parse_evidence(line, where, 0)
                except NotALine:
                    continue
    return [data for data in found.values() if MARK not in data]


def holding(repo: Repository, said: Iterable[str]) -> list[str]:
    """Ids of the objects that hold any of these texts, in any form."""
    needles = sorted({form.lower() for text in said for form in forms(text) if len(form) >= _LEAST}, key=len)
    if not needles:
        return []
    found = []
    for sha, fresh in _fresh(repo, {"blob", "commit", "tag", "tree"}):
        low = b"\n".join(fresh).lower()
        if any(needle in low for needle in needles):
            found.append(sha)
    return found


def forms(text: str) -> Iterator[bytes]:
    """How a text may stand in bytes: UTF-8, UTF-16, JSON's escapes once and twice, and base64 of the first two."""
    quoted = json.dumps(text, ensure_ascii=False)[1:-1]
    escaped = json.dumps(text)[1:-1].encode()
    yield from (text.encode("utf-8"), quoted.encode("utf-8"), escaped, escaped.replace(b"\\", b"\\\\"))
    for raw in (text.encode("utf-8"), text.encode("utf-16-le"), text.encode("utf-16-be")):
        yield raw
        for shift in range(3):
            # Signs that depend on the neighbours are left out: what stays is the same whatever stands around it.
            whole = base64.b64encode(b"\0" * shift + raw)
            part = whole[(0, 2, 3)[shift] : len(whole) - (0, 4, 4)[(len(raw) + shift) % 3]]
            yield part
            yield part.replace(b"+", b"-").replace(b"/", b"_")


def _fresh(repo: Repository, kinds: Collection[str]) -> Iterator[tuple[str, list[bytes]]]:
    """Objects with those of their lines that no object before them had."""
    seen: set[bytes] = set()
    for sha, kind in repo.objects():
        if kind in kinds:
            fresh = [line for line in repo.blob(sha).split(b"\n") if line not in seen]
            seen.update(fresh)
            yield sha, fresh
