"""The store as the review sees it: rows when something changed, the preview of a patch, and the writing of one.

Every method blocks on the disk or on much work, so callers give them to one thread of their own, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from curate.review.drafting import Draft, draft
from store import ids
from store.line import canonical, digest
from store.log.fold import Revision, Versions
from store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from curate.review.choice import Choice
    from curate.review.proposal import Proposal
    from curate.review.renewal import Renewal
    from curate.review.rows import Row
    from store.foreseen import Foreseen
    from store.model import Patch, Receipt
    from store.purge import Purged
    from store.state import State
    from store.store import Applied

Result = TypeVar("Result")

FIRST, MORE = 250, 2
"""Candidates whose rows are made at once, and by how much that grows from one part of a long inbox to the next."""


@dataclass(frozen=True, slots=True)
class Part:
    """The rows so far; of `total` candidates `total - left` are in them."""

    rows: Sequence[Row]
    left: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that the patch would append to: the lines, and the Markdown beside it before and after."""

    file: str
    lines: tuple[Mapping[str, Any], ...]
    old: str = ""
    new: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """What writing the decisions would do."""

    draft: Draft
    receipts: tuple[Receipt, ...] = ()
    changes: tuple[FileChange, ...] = ()
    foreseen: Foreseen | None = None
    confirm: str | None = None
    """The words that were typed for what is shown."""

    @property
    def words_needed(self) -> list[str]:
        """Words a person has to type before some of it is applied."""
        return _asked_for(self.receipts)

    @property
    def asking(self) -> set[str]:
        """The rows for which they have to be typed."""
        asking = (self.draft.rows.get(one.op_id) for one in self.receipts if one.reason == "needs_confirmation")
        return {key for key in asking if key is not None}


@dataclass(frozen=True, slots=True)
class Written:
    """What came of writing."""

    patch: str
    applied: list[str]
    skipped: dict[str, str]
    receipts: list[Receipt]
    projects: list[str] = field(default_factory=list)


class Feed:
    """One open store. Not for several threads at once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.store: Store | None = None
        self._renewal: Renewal | None = None
        self._stale = True
        """The state has moved since the rows were last made, or not all of them are made yet."""
        self._size = FIRST

    @classmethod
    def of(cls, store: Store) -> Feed:
        """The feed of a store that is open already."""
        feed = cls(store.root)
        feed.store = store
        return feed

    @property
    def state(self) -> State:
        """The state, once opened. Only ever grows, so reading single things out of it from another thread is safe."""
        assert self.store is not None, "poll opens the store"
        return self.store.state

    def poll(self, first: Collection[str] = ()) -> Part | None:
        """The rows, when there is anything new since the last time (always the first time); else None.

        When very much is new the rows come in parts, each call giving all so far, candidates in `first` before others.
        """
        if self.store is None:
            self.store = Store.open(self._root)
        self._refresh()
        if not self._stale:
            return None
        rows = self.rows(limit=self._size, first=first)
        left = self._renewing.left
        self._stale = left > 0
        self._size = self._size * MORE if left else FIRST
        return Part(rows, left, sum(len(row.candidates) for row in rows) + left)

    def _refresh(self) -> Store:
        assert self.store is not None, "poll opens the store"
        self._stale = self.store.refresh() or self._stale
        return self.store

    def rows(self, *, limit: int | None = None, first: Collection[str] = ()) -> list[Row]:
        """The rows as the state is now; with `limit` of so many more candidates only."""
        assert self.store is not None, "poll opens the store"
        threshold = self.store.config.get("review.batch_threshold")
        return self._renewing.rows(ids.now(), threshold, limit=limit, first=first)

    @property
    def _renewing(self) -> Renewal:
        from curate.review.renewal import Renewal

        if self._renewal is None:
            self._renewal = Renewal(self.state)
        return self._renewal

    def preview(
        self, rows: Mapping[str, Row], pending: Mapping[str, Choice], confirmed: Collection[str] = ()
    ) -> Preview:
        """What writing these decisions would do to the store as it is now. Writes nothing.

        `confirmed`: rows for which a person has typed the word that they need; it is only taken when it is for all.
        """
        store = self._refresh()
        made = draft(rows, pending, known=set(self.state.records))
        select = [op.op_id for op in made.patch.ops]
        foreseen, confirm = store.foresee(made.patch, select=select), None
        asked = Preview(made, tuple(foreseen.plan.receipts))
        if asked.asking and asked.asking <= set(confirmed):
            confirm = " ".join(asked.words_needed)
            foreseen = store.foresee(made.patch, select=select, confirm=confirm)
        return Preview(made, tuple(foreseen.plan.receipts), self._changes(foreseen), foreseen, confirm)

    def foresee(self, patch: Patch, select: Sequence[str], confirm: str | None = None) -> Proposal:
        """What applying the chosen ops of a patch would do to the store as it is now. Writes nothing."""
        from curate.review.proposal import Proposal

        foreseen = self._refresh().foresee(patch, select=select, confirm=confirm)
        receipts = tuple(foreseen.plan.receipts)
        return Proposal(patch, tuple(select), receipts, self._changes(foreseen), foreseen, confirm)

    def apply(self, shown: Proposal) -> Applied:
        """Apply what was shown, as one transaction. Raises `CurateError` when the store refuses as a whole."""
        store = self._refresh()
        self._stale = True
        return store.apply(shown.patch, select=shown.select, confirm=shown.confirm, foreseen=shown.foreseen)

    def write(self, preview: Preview) -> Written:
        """Apply what was previewed as one transaction. Raises `CurateError` when the store refuses as a whole."""
        store, made = self._refresh(), preview.draft
        self._stale = True
        done = store.apply(
            made.patch, select=[op.op_id for op in made.patch.ops], confirm=preview.confirm, foreseen=preview.foreseen
        )
        applied, skipped = made.outcome(done.receipts)
        return Written(done.patch_id, applied, skipped, done.receipts, done.projects_changed)

    def history(self, limit: int = 200) -> Sequence[dict[str, Any]]:
        """Applied patches, newest first."""
        return self._refresh().history(limit)

    def undo(self, patch_id: str) -> list[Receipt]:
        """Take a whole patch back by another one."""
        store = self._refresh()
        self._stale = True
        return store.undo(patch_id).receipts

    def change(self, task: Callable[[Store], Result]) -> Result:
        """Do something that may write to the store as it is now. Raises what the task raises."""
        store = self._refresh()
        self._stale = True
        return task(store)

    def purge(self, idents: Sequence[str], confirm: str) -> tuple[str, Purged]:
        """Take what these said out of every file; gives the patch and what was done. Raises `CurateError`."""
        from curate.review.purging import purge

        store = self._refresh()
        self._stale = True
        return purge(store, idents, confirm)

    def _changes(self, foreseen: Foreseen) -> tuple[FileChange, ...]:
        """What is appended to each file, memory first."""
        by_file: dict[str, list[Mapping[str, Any]]] = {}
        for item in foreseen.plan.revisions:
            by_file.setdefault(item.file, []).append(item.data)
        changes = [FileChange(file, tuple(lines), *self._markdown(file, lines)) for file, lines in by_file.items()]
        return tuple(sorted(changes, key=lambda change: (not change.file.startswith("memory/"), change.file)))

    def _markdown(self, file: str, lines: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
        """The readable page of a file's records, before and after the lines."""
        from store.projection.page import page

        if not file.startswith("memory/") or not any("statement" in line for line in lines):
            return "", ""
        now = {ident: versions for ident, versions in self.state.records.items() if versions.head.file == file}
        then = dict(now)
        for line in lines:
            ident = str(line["id"])
            then[ident] = _with(then.get(ident) or self.state.records.get(ident), line, file)
        return page("", (), now.values()).decode(), page("", (), then.values()).decode()


def _asked_for(receipts: Sequence[Receipt]) -> list[str]:
    asking = (receipt.detail for receipt in receipts if receipt.reason == "needs_confirmation")
    return list(dict.fromkeys(detail.rsplit(" ", 1)[-1] for detail in asking if detail))


def _with(versions: Versions | None, line: Mapping[str, Any], file: str) -> Versions:
    """The versions of a record with one more revision, leaving those of the state alone."""
    planned = Revision(dict(line), digest(canonical(dict(line))), file, 0)
    if versions is None:
        return Versions(planned)
    first, *others = versions.revisions
    out = Versions(first)
    for revision in (*others, planned):
        out.add(revision)
    return out
