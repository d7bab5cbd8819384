"""Forks that need no decision: two machines heard the same again, or saw the same project. One line joins them.

Pure. The line is made of the lines that it joins and of nothing else, so every machine makes the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from store.layout import CANDIDATES, PROJECTS
from store.line import SCHEMA
from store.log.fold import content

if TYPE_CHECKING:
    from store.log.fold import Revision, Versions
    from store.state import State

_BY_CAPTURE = {"capture", "reinforce", "grow"}
_LISTS = ("evidence", "targets", "aliases", "paths")


def joins(state: State) -> Iterator[tuple[str, dict[str, Any]]]:
    """File and line for each candidate and project whose versions differ in nothing that a person decided."""
    for ident, versions in state.candidates.items():
        if versions.forked and ident not in state.purged:
            decided = [head for head in versions.heads if head.op not in _BY_CAPTURE]
            if len(decided) < 2:
                yield CANDIDATES, _joined(versions, decided[0] if decided else versions.head, "reinforce")
    for versions in state.projects.values():
        if versions.forked:
            yield PROJECTS, _joined(versions, versions.head, "see")


def _joined(versions: Versions, first: Revision, op: str) -> dict[str, Any]:
    """What the first version says, with what the others have heard or seen besides."""
    heads = versions.heads
    others = [head for head in heads if head is not first]
    data = content(first.data)
    for name in _LISTS:
        found = [item for head in (first, *others) for item in head.data.get(name) or ()]
        if found:
            data[name] = list(dict.fromkeys(found))
    said = [head.data for head in heads]
    if op == "reinforce":
        data["confidence"] = max(one.get("confidence", 0.0) for one in said)
        if any(one.get("trust") == "repeated_user_preference" for one in said):
            data["trust"] = "repeated_user_preference"
    data["updated_at"] = max(str(one.get("updated_at")) for one in said)
    envelope = {
        "schema": SCHEMA, "id": versions.id, "rev": max(head.rev for head in heads) + 1, "parent": first.hash,
        "joins": [head.hash for head in others], "op": op, "at": max(head.at for head in heads),
    }  # fmt: skip
    return envelope | {key: value for key, value in data.items() if key != "id"}
