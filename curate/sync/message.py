"""What a commit says: of a patch its summary, a line for each op, and its ids as trailers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from store.text import one_line, shorten

_SUBJECT = 72
_LINE = 100


def of_patch(line: Mapping[str, Any]) -> str:
    """The message for a patch, given its `applying` line."""
    document = line.get("patch") or {}
    receipts = [one for one in line.get("receipts") or () if one.get("applied")]
    said = {str(item["line"].get("id")): item["line"] for item in line.get("revisions") or () if item.get("line")}
    lines = [_op(receipt, said) for receipt in receipts]
    subject = shorten(one_line(str(document.get("summary") or "")), _SUBJECT)
    if not subject:
        subject = shorten(lines[0], _SUBJECT) if len(lines) == 1 else f"Apply {len(lines)} changes"
    trailers = [("Curate-Patch", str(line.get("patch_id")))]
    if document.get("undoes"):
        trailers.append(("Curate-Undoes", str(document["undoes"])))
    ids = dict.fromkeys(str(change["id"]) for one in receipts for change in one.get("changes") or ())
    names = {"mem": "Curate-Record", "cand": "Curate-Candidate"}
    trailers += [(names[kind], ident) for ident in ids if (kind := ident.partition("_")[0]) in names]
    return whole(subject, lines, trailers)


def whole(subject: str, lines: Iterable[str] = (), trailers: Iterable[tuple[str, str]] = ()) -> str:
    """A message of a subject, lines and trailers."""
    body = "\n".join(lines)
    end = "\n".join(f"{key}: {one_line(value)}" for key, value in trailers)
    return "\n\n".join(part for part in (subject, body, end) if part) + "\n"


def _op(receipt: Mapping[str, Any], said: Mapping[str, Mapping[str, Any]]) -> str:
    """One op in a line: what, on which, and what that says now."""
    told = [str(receipt.get("op"))]
    for change in receipt.get("changes") or ():
        data = said.get(str(change.get("id"))) or {}
        if data.get("statement") and not str(change["id"]).startswith("tomb_"):
            told += [str(change["id"]), "-", one_line(str(data["statement"]))]
            break
    return shorten(" ".join(told), _LINE)
