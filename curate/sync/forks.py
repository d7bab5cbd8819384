"""Which things two sets of lines change apart from each other, before anything is merged. Pure."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from store.log.fold import Revision, fold, status
from store.log.stub import hash_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEAD = re.compile(rb'\{"schema":"[\d.]+","id":"([^"\\]+)","rev":')


def forked(ours: Iterable[bytes], theirs: Iterable[bytes]) -> set[str]:
    """Ids that have one newest version on each side, and would have two when the lines come together."""
    here, there = set(ours), set(theirs)
    both = _ids(here - there) & _ids(there - here)
    revisions = []
    for line in here | there:
        head = _HEAD.match(line)
        if head and head[1] in both:
            try:
                data = json.loads(line)
            except ValueError:
                continue
            revisions.append(Revision(data, hash_of(data, line), "", 1))
    return {ident for ident, one in fold(revisions).items() if one.forked and status(one) == "contested"}


def _ids(lines: Iterable[bytes]) -> set[bytes]:
    return {head[1] for line in lines if (head := _HEAD.match(line))}
