"""A store in which something that is to be purged stands in every kind of file, and a search for what is left of it."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

from store import layout
from store.captures import Capture, CaptureBatch
from store.line import canonical
from store.model import Candidate, Evidence, Op, Scope
from store.projection import render
from tests.store.logkit import SHOP, WEB, open_store, patch, project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from store.store import Store

SECRET = "Never deploy to the Zanzibar cluster — naïve Übergabe, 😀."
EARLIER = "Deploy to Zanzibar only on Quillfeather days."
EXCERPT = f'I told you about vermilion47: "{SECRET}" Mind the flüsterton.'
SECOND = "Once more, the cluster on that island is off limits, says Ludmilla-Xq."
LIVING = "Use bun in this repo."
TELLING = ("Zanzibar", "Quillfeather", "vermilion47", "flüsterton", "Ludmilla-Xq", "naïve Übergabe")
"""Words of the statements and the evidence that stand nowhere else."""

AT = "2026-11-01T00:00:00Z"


def furnished(root: Path) -> Store:
    """A candidate said twice that became `mem_secret`, changed once; a living record beside it; what others made."""
    store = open_store(root)
    store.create()
    evidence = [
        Evidence(id="ev_1", excerpt=EXCERPT, context="Zanzibar again?", turn="t1", session="s1", time=AT),
        Evidence(id="ev_2", excerpt=SECOND, turn="t2", session="s2", time=AT),
        Evidence(id="ev_3", excerpt=f"Please: {LIVING}", turn="t3", session="s2", time=AT),
        Evidence(id="ev_4", excerpt="Both of these hold from now on.", turn="t4", session="s3", time=AT),
    ]
    scope = Scope(type="project", project=SHOP)
    secret = Candidate(
        id="cand_secret", statement=SECRET, body=f"In full: {SECRET}", scope=scope, targets=[SHOP], created_at=AT,
        updated_at=AT, evidence=["ev_1", "ev_2", "ev_4"], scope_reason="you wrote of Zanzibar",
    )  # fmt: skip
    living = Candidate(
        id="cand_living", statement=LIVING, scope=scope, targets=[SHOP], created_at=AT, updated_at=AT,
        evidence=["ev_3", "ev_4"],
    )  # fmt: skip
    captures = [Capture(secret, [evidence[0], evidence[1], evidence[3]]), Capture(living, [evidence[2], evidence[3]])]
    store.capture(CaptureBatch(captures, [project(SHOP, "/src/shop"), project(WEB)]))
    add = patch(
        "pat_add",
        Op(op_id="op_1", op="add", candidate_ids=["cand_secret"], record={"id": "mem_secret"}, reason="Zanzibar!"),
        Op(op_id="op_2", op="add", candidate_ids=["cand_living"], record={"id": "mem_living"}),
        summary="Two rules, one on Zanzibar",
    )
    store.apply(add, select=["op_1", "op_2"])
    dispute = patch("pat_dispute", Op(op_id="op_1", op="contest", target_id="mem_living", reason=f"Because: {SECRET}"))
    store.apply(dispute, select=["op_1"])
    change = Op(op_id="op_1", op="update", target_id="mem_secret", updates={"statement": EARLIER, "tags": ["Zanzibar"]})
    store.apply(patch("pat_change", change), select=["op_1"])
    back = Op(op_id="op_1", op="update", target_id="mem_secret", updates={"statement": SECRET, "body": None})
    store.apply(patch("pat_back", back), select=["op_1"])
    store.propose(patch("pat_later", Op(op_id="op_1", op="update", target_id="mem_secret",
                                        updates={"statement": "Zanzibar is fine again."})))  # fmt: skip
    _plant(root, store)
    return store


def _plant(root: Path, store: Store) -> None:
    """Files that others make: edited pages, quarantine, the journal, a review's decisions, logs, notes, an index."""
    page = next((root / layout.RENDERED_PROJECTS).glob("shop-*.md"))
    page.write_text(page.read_text("utf-8") + "\nedited: Quillfeather\n", "utf-8")
    render(root, store.state)  # keeps the edit aside
    line = canonical({"schema": "1.0", "id": "cand_secret", "rev": 9, "statement": SECRET})
    entry = {"schema": "1.0", "at": AT, "file": layout.CANDIDATES, "line": 9, "offset": 1, "reason": "torn"}
    torn = line[: len(line) // 2]
    files = {
        layout.QUARANTINE: canonical({**entry, "sha256": "0" * 64, "text": torn.decode("utf-8", "ignore")}) + b"\n"
        + canonical({**entry, "sha256": "1" * 64, "base64": base64.b64encode(b"\xff" + line).decode()}) + b"\n"
        + canonical({**entry, "sha256": "2" * 64, "text": "another line"}) + b"\n",
        "journal/s1.jsonl": json.dumps({"block": f"## Rules\n- {SECRET}", "ids": ["mem_secret"]}).encode() + b"\n"
        + canonical({"block": LIVING, "ids": ["mem_living"], "words": ["vermilion47"]}) + b"\n",
        "inbox/decisions/rev_1.jsonl": canonical({"act": "do", "rows": {"cand_x": {"statement": EARLIER}}}) + b"\n",
        "consolidation.jsonl": canonical({"kind": "waits", "answer": SECOND}) + b"\n",
        "checkpoints.jsonl": canonical({"path": "/t/one.jsonl", "turn": "t1"}) + b"\n",
        "logs/hook.log": f"one fine line\ncapture: {EXCERPT}\n".encode(),
        "notes/daily/2026-11-01.md": f"# Monday\n\n- bought tea\n- {SECRET}\n".encode(),
        "notes/wrapped.md": SECRET.replace(" ", "\n").encode(),
        "reports/note.txt": f"\ufeff{SECRET}".encode("utf-16"),
        "rendered/left.md.tmp": f"half a page: {SECRET}".encode(),
        "index/recall-1.sqlite": SECRET.encode(),
        "index/recall-1.sqlite-wal": EARLIER.encode(),
        "index/current": b"recall-1.sqlite\n",
    }  # fmt: skip
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def forms(text: str) -> Iterator[bytes]:
    """Every way in which the bytes of a text may stand in a file."""
    yield text.encode("utf-8")
    yield text.encode("utf-16-le")
    yield text.encode("utf-16-be")
    escaped = json.dumps(text)[1:-1].encode()
    yield escaped
    yield escaped.replace(b"\\", b"\\\\")
    for encoding in ("utf-8", "utf-16-le"):
        raw = text.encode(encoding)
        for shift in range(3):
            # Signs that depend on the neighbours are left out: what stays is the same whatever stands around it.
            whole = base64.b64encode(b"\0" * shift + raw)
            start, end = (0, 2, 3)[shift], len(whole) - (0, 4, 4)[(len(raw) + shift) % 3]
            yield whole[start:end]
            yield whole[start:end].replace(b"+", b"-").replace(b"/", b"_")


def holders(root: Path, *texts: str) -> list[str]:
    """Names of the files that hold any of the texts, in any form and case."""
    wanted = {form.lower() for text in texts for form in forms(text)}
    assert all(len(form) >= 6 for form in wanted)
    found = []
    for path in sorted(root.rglob("*")):
        if path.is_file() and ".git" not in path.parts:
            raw = path.read_bytes().lower()
            if any(form in raw for form in wanted):
                found.append(path.relative_to(root).as_posix())
    return found
