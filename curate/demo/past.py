"""The demo's past: what its owner said and approved the summer before, and what agents were told in the last weeks.

The words are invented, what becomes of them is not: transcripts are scanned, approvals are patches of the review, turns
are asked of the planner as the hook asks it, each with the clock of its day.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from curate.capture.capture import scan
from curate.capture.readers import find, reader_for
from curate.capture.turns import START, Turn
from curate.demo.build import Demo, place
from curate.recall import journal
from curate.recall.planner import plan
from curate.recall.turn import request_for
from curate.review.choice import Choice, Verb
from curate.review.feed import Feed
from curate.vault.steps import link
from store import ids
from store.config import Config
from store.index.lookup import Lookup
from store.layout import CONFIG
from store.log.disk import Disk
from store.model import Op, Patch
from store.store import Store

if TYPE_CHECKING:
    from curate.review.rows import Row

REVIEWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("2026-08-20", ("backoff and jitter", "card numbers", "Image component", "feature toggle", "always squash")),
    ("2026-09-02", ("never squash",)),
)
"""Evenings on which the owner reviewed what had come in by then, with what was accepted: what is known already and
contradicted is contested instead.
"""
LAST = "05"
"""How the name of the transcript begins that was written between the two evenings."""
LINKS = (("card numbers", "Concepts/Personal Data.md"), ("Image component", "Concepts/Images.md"))
"""Notes that memories came to refer to; the last one was moved away since."""
TOLD_FROM = "2026-11-16"
"""The journal keeps two weeks, and the demo's last days are at the end of November."""
REWORDED = ("card numbers", "never log customer emails, addresses or card numbers", "2026-11-28T09:00:00.000Z")
"""A memory that got other words after agents had been told it, and when."""
HOOKED = "claude-code"
"""The agent that has a hook; what other tools export was asked of nobody's memory."""


def remember(demo: Demo) -> None:
    """Make the store with what was approved in the summer."""
    folder = place("earlier", demo.root)
    for day, wanted in REVIEWS:
        evening = f"{day}T18:30:00.000Z"
        store = _store(demo, evening, create=True)
        said = [path for path in find(folder) if path.name < LAST or day == REVIEWS[-1][0]]
        scan(store, said, clock=lambda evening=evening: evening)  # type: ignore[misc]
        _review(store, wanted)
    store = _store(demo, "2026-09-02T19:00:00.000Z")
    for words, note in LINKS:
        link(store, _record(store, words), note)


def tell(demo: Demo) -> int:
    """Ask the planner what agents asked in the last weeks, and keep it in the journal; gives the number of turns.

    Afterwards one memory gets other words, so that not all that was told is as it was, and the vault is named.
    """
    lookup = Lookup.open(demo.home)
    count = 0
    try:
        for turn in sorted(_turns(demo), key=lambda turn: turn.time or ""):
            time, session = turn.time or "", turn.session or ""
            request = request_for(
                lookup.db, str(demo.home), turn.text, folder=turn.cwd or "/", today=time[:10], agent=turn.agent,
                session=session,
            )  # fmt: skip
            journal.write(str(demo.home), plan(lookup.db, request), session=session, agent=request.agent, at=time)
            count += 1
    finally:
        lookup.db.close()
    words, statement, at = REWORDED
    store = _store(demo, at)
    op = Op(op_id="op_001", op="update", target_id=_record(store, words), updates={"statement": statement})
    patch = Patch(patch_id=ids.new_id("pat"), created_at=at, summary="Say what else is personal", ops=[op])
    store.apply(patch, select=[op.op_id])
    Config.load(demo.home / CONFIG).set("vault.path", place("vault", demo.root).as_posix(), Disk())
    return count


def _review(store: Store, wanted: tuple[str, ...]) -> None:
    """What a person does with `a`, and `c` where a memory says otherwise, `p` and `w`."""
    feed = Feed.of(store)
    rows = {row.key: row for row in feed.rows()}
    chosen = {key: _choice(row) for key, row in rows.items() if any(words in row.statement for words in wanted)}
    shown = feed.preview(rows, chosen)
    feed.write(shown)


def _choice(row: Row) -> Choice:
    contradicts = row.match in {"conflicts", "supersedes"}
    verb: Verb = "contest" if contradicts else "accept"
    why = "the release notes are made from the single commits" if contradicts else None
    return Choice(verb, target=row.records[0] if contradicts else None, text=why, candidates=row.candidates,
                  bases=row.bases)  # fmt: skip


def _turns(demo: Demo) -> Iterator[Turn]:
    """What agents with a hook were asked in the last two weeks."""
    for path in (*find(demo.transcripts), *find(place("lately", demo.root))):
        reader = reader_for(path)
        if isinstance(reader, str):
            continue
        for item in reader.read(path, START):
            if isinstance(item, Turn) and item.text and item.agent == HOOKED and (item.time or "") >= TOLD_FROM:
                yield item


def _store(demo: Demo, at: str, *, create: bool = False) -> Store:
    """The store, with its clock at a moment of the past."""
    return Store.open(demo.home, create=create, clock=lambda: at, new_id=ids.new_id)


def _record(store: Store, words: str) -> str:
    return next(one.id for one in store.state.live_records() if words in one.data["statement"])
