"""What stands in place of a line whose content was purged: ids, order and hash stay, so the chain holds without words.

A line with `purged` answers to the hash that it gives, which is that of the line it stands for. Standard library only:
readers on the hot path use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.line import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MARK = "purged"
"""Key of a line that stands for another: the SHA-256 of the line that was there."""
GONE = "(purged)"
"""What is shown where words were."""

_HASH_LENGTH = 64
_ENVELOPE = ("schema", "id", "rev", "parent", "joins", "patch", "op", "at")
_LINKS = ("supersedes", "superseded_by", "became", "created_at", "updated_at")
_EVIDENCE = ("trust", "polarity", "time")


def hash_of(data: Mapping[str, Any], raw: bytes) -> str:
    """The hash by which others refer to a revision."""
    mark = data.get(MARK)
    return mark if type(mark) is str and len(mark) == _HASH_LENGTH else digest(raw)


def purged_by(lines: Iterable[Mapping[str, Any]]) -> list[str]:
    """Ids that these lines of a transaction purge."""
    return list(dict.fromkeys(str(line["of"]) for line in lines if line.get("cause") == "purged"))


def marked(data: Mapping[str, Any], hash_: str, **content: Any) -> dict[str, Any]:
    """The envelope of a line, marked as standing for the line with this hash, and then the content."""
    return {key: data[key] for key in _ENVELOPE if key in data} | {MARK: hash_} | content


def stub(data: Mapping[str, Any], hash_: str, *, candidate: bool) -> dict[str, Any]:
    """A revision of a record or candidate without its content. Always the same one for the same revision."""
    scope = data.get("scope") or {}
    kept = {key: scope[key] for key in ("type", "project") if key in scope}
    content: dict[str, Any] = {"statement": GONE}
    if data.get("layer"):
        content["layer"] = data["layer"]
    if kept:
        content["scope"] = kept
    if data.get("targets"):
        content["targets"] = data["targets"]
    if data.get("evidence"):
        content["evidence"] = data["evidence"]
    if candidate:
        content["status"] = "accepted" if data.get("status") == "accepted" else "rejected"
    else:
        content["status"] = "deleted"
    content |= {key: data[key] for key in _LINKS if data.get(key)}
    return marked(data, hash_, **content)


def blank_evidence(data: Mapping[str, Any], raw: bytes) -> dict[str, Any]:
    """A piece of evidence without its words: that it was there, how far it was trusted, and when."""
    kept = {key: data[key] for key in _EVIDENCE if key in data}
    return {"schema": data["schema"], "id": data["id"], "excerpt": "", **kept, MARK: hash_of(data, raw)}
