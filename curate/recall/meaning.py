"""Who searches by meaning, by the settings: the table in the package, `qmd`, or Qdrant; and keeping the other two in
step with the index.

What is sent is told by a manifest under `index/`, so a turn's end sends only what changed; without the manifest, all of
it is compared.
"""

from __future__ import annotations

import os

from curate.recall.plainjson import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection
    from typing import Any

    from curate.recall.settings import MeaningSettings
    from store.index.semantic import Semantic

MANIFEST = "index/sent.json"


def semantic_of(root: str, settings: MeaningSettings, leave_by: float | None = None) -> Semantic | None:
    """The search that the settings name; None for the table in the package. `leave_by` is a reading of the monotonic
    clock: no call takes longer.
    """
    from store.index.semantic import Patience

    patience = Patience(settings.timeout, leave_by)
    if settings.kind == "qmd":
        from store.index.qmd import Qmd

        return Qmd(root, settings.qmd_command, settings.qmd_collection, patience)
    if settings.kind == "qdrant":
        from store.index.qdrant import Http, Qdrant

        if settings.qdrant_url or leave_by is not None:
            # The local mode takes longer to load than the hook may: then there is no address, and that is said.
            return Qdrant(Http(settings.qdrant_url, settings.qdrant_key_env, patience), settings.qdrant_prefix)
        from store.index.qdrant_local import local

        path = os.path.expanduser(settings.qdrant_path) or os.path.join(root, "index", "qdrant")
        return Qdrant(local(path), settings.qdrant_prefix)
    return None


class Sent:
    """What bringing another search in step came to."""

    def __init__(self) -> None:
        self.put = self.dropped = self.unchanged = self.stale = 0

    def document(self) -> dict[str, int]:
        """As JSON has it."""
        return {"written": self.put, "unchanged": self.unchanged, "removed": self.dropped, "stale": self.stale}


def bring_in_step(
    root: str, semantic: Semantic, db: Connection, knowledge: Connection | None, *, whole: bool, prune: bool
) -> Sent:
    """Give another search what the indexes hold. `whole` compares with what it really has, else with the manifest;
    `prune` takes out what the indexes no longer have, unless they have nothing at all.

    Raises `Unavailable`; what was sent till then is sent.
    """
    path = os.path.join(root, *MANIFEST.split("/"))
    before = None if whole else _manifest(path, semantic.name)
    known = semantic.known() if before is None else before
    now = dict(_marks(db, knowledge))
    sent = Sent()
    changed = [ident for ident, mark in now.items() if known.get(ident) != mark]
    sent.unchanged = len(now) - len(changed)
    semantic.put(list(_points(db, knowledge, set(changed), now)))
    sent.put = len(changed)
    gone = [ident for ident in known if ident not in now]
    if gone and prune and now:
        semantic.drop(gone)
        sent.dropped = len(gone)
    else:
        sent.stale = len(gone)
        now |= {ident: known[ident] for ident in gone}
    draft = f"{path}.{os.getpid()}.draft"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(dumps({"to": semantic.name, "marks": now}))
    os.replace(draft, path)
    return sent


def _manifest(path: str, name: str) -> dict[str, str] | None:
    try:
        with open(path, encoding="utf-8") as file:
            found: Any = loads(file.read())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("to") != name or not isinstance(found.get("marks"), dict):
        return None
    return {str(ident): str(mark) for ident, mark in found["marks"].items()}


def _marks(db: Connection, knowledge: Connection | None) -> Iterator[tuple[str, str]]:
    """Id and mark of everything that may be searched: text and policy are both in the mark."""
    for ident, digest in db.execute(
        "SELECT id, hash FROM record JOIN bucket USING (bucket) WHERE status IN ('active', 'contested') ORDER BY n"
    ):
        yield ident, bytes(digest).hex()[:16]
    if knowledge is not None:
        for ident, digest, version in knowledge.execute(
            "SELECT id, source.hash, preview_version FROM source JOIN record USING (id) ORDER BY id"
        ):
            yield ident, f"{bytes(digest).hex()[:16]}/{version}"


def _points(db: Connection, knowledge: Connection | None, wanted: set[str], marks: dict[str, str]) -> Iterator[Any]:
    from store.index.semantic import Point

    for source, tier in ((db, "'insights'"), (knowledge, "bucket.layer")):
        if source is None or not wanted:
            continue
        for ident, name, gist, body, packed in source.execute(
            f"SELECT record.id, {tier}, gist, body, packed FROM record JOIN bucket USING (bucket) "
            "JOIN vector USING (n) ORDER BY n"
        ):
            if ident in wanted:
                text = body if body.startswith(gist) else f"{gist}\n{body}".rstrip()
                yield Point(ident, name, marks[ident], text, list(memoryview(packed).cast("b")))
