"""A store on disk, opened: its state, and the few ways to change it. All writing of memory goes through here."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from store import layout
from store.commits import commit_capture, commit_patch
from store.config import Config
from store.errors import InputError, PurgeStays, StoreLocked, UnknownId, WriteFailed
from store.following import Followed, follow_lines
from store.foreseen import Foreseen, Ids
from store.ids import Clock, NewId, new_id, now
from store.layout import Layout, check_root, patch_file
from store.line import canonical
from store.log import lock, recovery
from store.log.disk import Disk, make_dirs
from store.log.patches import phase_line
from store.log.reader import Reader
from store.log.stub import purged_by
from store.log.transaction import append_alone
from store.migration import version
from store.migration.place import put_in_place
from store.past import Past

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from store.captures import CaptureBatch, Captured, Same
    from store.log.fold import Versions
    from store.model import Evidence, Patch, Receipt
    from store.projection import Rendered
    from store.purge import Purged
    from store.state import Problem, State


class NothingToUndo(InputError):
    """No patch is in force."""

    def __init__(self) -> None:
        super().__init__("no patch to undo; see `curate history`")


class ByItself(InputError):
    """A patch would apply itself, and the settings do not allow it."""

    def __init__(self, patch_id: str) -> None:
        super().__init__(f"{patch_id}: applies itself only with `auto_apply: true` in config.yaml; review it instead")


LONGEST = 3650
"""Days that a candidate can be put off at the most."""
LOCK_WAIT = 10.0
"""Seconds to wait for another writer; one is done within milliseconds, a whole import within a few seconds."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What a patch did: a receipt for each op, and the ids of the projects whose memory changed."""

    patch_id: str
    receipts: list[Receipt]
    projects_changed: list[str] = field(default_factory=list)
    unrendered: WriteFailed | None = None
    """Why the projections could not follow; the memory itself is safe, and `curate materialise` catches up."""
    purged: Purged | None = None
    """What a purge among the ops removed."""


class Store:
    """One store. Reading needs no lock and no right to write; every change takes the lock and is whole or nothing."""

    def __init__(self, root: Path, *, clock: Clock, new_id: NewId, lock_wait: float, disk: Disk) -> None:
        self.root = root
        self.paths = Layout(root)
        self._clock = clock
        self._new_id = new_id
        self._lock_wait = lock_wait
        self._disk = disk
        self._reader = Reader(self.paths)
        self._config: Config | None = None
        self._rehearsed = False

    @classmethod
    def open(
        cls,
        root: Path,
        *,
        clock: Clock = now,
        new_id: NewId = new_id,
        create: bool = False,
        lock_wait: float = LOCK_WAIT,
        disk: Disk | None = None,
    ) -> Store:
        """Read a store; one that does not exist reads as empty, and is made with `create` or at the first write.

        What a crash left is finished here when nobody else is writing and the disk allows it; otherwise it is read as
        if it were. Raises `StoreUnusable`.
        """
        put_in_place(root)
        check_root(root)
        version.check(root)
        store = cls(root, clock=clock, new_id=new_id, lock_wait=lock_wait, disk=disk or Disk())
        if create:
            store.create()
        store._reader.refresh()
        if recovery.needed(store._reader) or store._purging:
            with contextlib.suppress(StoreLocked, WriteFailed), store._writing(wait=0):
                pass
        return store

    def create(self) -> None:
        """Make the folders and the settings file of a new store; what is there stays."""
        for name in layout.FOLDERS:
            make_dirs(self._disk, self.paths.path(name))
        self.config.create(self._disk)
        if not self.paths.path(layout.VERSION).exists():
            version.write_version(self.root, version.CURRENT, self._disk)

    @property
    def state(self) -> State:
        """Everything as it is now; the same object for the life of the store."""
        return self._reader.state

    @property
    def config(self) -> Config:
        """The settings."""
        if self._config is None:
            self._config = Config.load(self.paths.path(layout.CONFIG))
        return self._config

    def refresh(self) -> bool:
        """Take in what others have written since; True when something changed."""
        return self._reader.refresh()

    def foresee(self, patch: Patch, *, select: Collection[str] | None = None, confirm: str | None = None) -> Foreseen:
        """What applying the patch to the state as it is now would write. Raises `BadPatch`."""
        from store.patch import fill, plan

        at, ids = self._clock(), Ids(self._new_id)
        filled = fill(self.state, patch)
        days = self._later_days(filled)
        planned = plan(
            self.state, filled, select=select, confirm=confirm, at=at, new_id=ids.again(), filled=True, later_days=days
        )
        return Foreseen(planned, at, ids, days)

    def apply(
        self,
        patch: Patch,
        *,
        select: Collection[str] | None = None,
        confirm: str | None = None,
        foreseen: Foreseen | None = None,
    ) -> Applied:
        """Apply the chosen ops (without `select` the preselected ones) to the newest state, whole or not at all.

        With `foreseen` the very lines are written that it has, unless the state has moved since so that others come of
        the patch. An op that this patch already applied is answered with `already_applied`. What a patch says of itself
        about undoing another counts for nothing: that is `undo`. Raises `BadPatch`, `StoreUnusable`.
        """
        patch = patch.model_copy(update={"undoes": None})
        return self._apply(patch, select=select, confirm=confirm, foreseen=foreseen)

    def _apply(
        self,
        patch: Patch,
        *,
        select: Collection[str] | None,
        confirm: str | None = None,
        foreseen: Foreseen | None = None,
    ) -> Applied:
        from store.patch import fill, plan, without_purged

        if patch.automatic and not self.config.get("auto_apply"):
            raise ByItself(patch.patch_id)
        with self._writing() as at:
            repeated = self._already_applied(patch)
            done = {receipt.op_id for receipt in repeated}
            rest = patch.model_copy(update={"ops": [op for op in patch.ops if op.op_id not in done]})
            receipts = repeated
            follow = Followed()
            purged = None
            if rest.ops:
                filled = fill(self.state, rest)
                chosen = None if select is None else [op_id for op_id in select if op_id not in done]
                new_id = foreseen.ids.again() if foreseen else self._new_id
                planned = (foreseen and foreseen.again(self.state, filled, chosen, confirm)) or plan(
                    self.state, filled, select=chosen, confirm=confirm, at=at, new_id=new_id, filled=True,
                    later_days=self._later_days(filled),
                )  # fmt: skip
                receipts = [*repeated, *planned.receipts]
                if planned.revisions:
                    whole = fill(self.state, patch) if done else filled
                    whole = without_purged(self.state, whole)
                    follow = commit_patch(self._reader, self._disk, whole, planned, at, self._follow)
                if planned.purges:
                    purged = self._finish_purge()
            order = {op.op_id: number for number, op in enumerate(patch.ops)}
            receipts.sort(key=lambda receipt: order[receipt.op_id])
        return Applied(patch.patch_id, receipts, follow.projects, follow.fault, purged)

    def preview_purge(self, ids: Collection[str]) -> Purged:
        """What a purge of these records and candidates would do, with nothing written. Raises `UnknownId`."""
        from store.patch import plan, purge_patch
        from store.patch.policy import PURGE_WORD
        from store.purge import run

        for ident in ids:
            self.revisions(ident)
        at = self._clock()
        patch = purge_patch(ids, at=at, new_id=self._new_id)
        chosen = [op.op_id for op in patch.ops]
        planned = plan(self.state, patch, select=chosen, confirm=PURGE_WORD, at=at, new_id=self._new_id)
        return run(self.paths, self.state, planned.purges, None)

    def propose(self, patch: Patch) -> None:
        """Put a patch on record before anybody decides on it. Known already: nothing happens."""
        from store.model import dump
        from store.patch import fill, without_purged

        with self._writing() as at:
            if patch.patch_id in self._reader.patches.proposed:
                return
            document = dump(without_purged(self.state, fill(self.state, patch)))
            line = phase_line(patch.patch_id, "proposed", at, patch=document)
            append_alone(self._disk, self.paths, patch_file(at), canonical(line))
            self._reader.refresh()

    def undo(self, patch_id: str | None = None) -> Applied:
        """Append what was before the last patch that is not undone, or before the named one. Raises `UnknownId`."""
        from store.patch import purged_by_patch, undo_patch

        self.refresh()
        target = patch_id or self.past.last()
        if target is None:
            raise NothingToUndo
        applied = self.past.applied(target)
        if stays := purged_by_patch(applied):
            raise PurgeStays(target, stays)
        patch = undo_patch(applied, at=self._clock(), new_id=self._new_id)
        return self._apply(patch, select=[op.op_id for op in patch.ops])

    def capture(self, batch: CaptureBatch, same: Same | None = None) -> Captured:
        """Take captures into the inbox, all of them or none; a repetition adds evidence to the one it repeats.

        `same` is the recurrence rule. Raises `StoreUnusable`.
        """
        from store.captures import plan_captures

        with self._writing() as at:
            lines: list[tuple[str, dict[str, Any]]] = []

            def write(file: str, data: dict[str, Any]) -> None:
                lines.append((file, data))
                self._reader.overlay.plan(file, data)

            try:
                done = plan_captures(self.state, batch, same=same, at=at, new_id=self._new_id, write=write)
                commit_capture(self._reader, self._disk, lines, at)
            except BaseException:
                self._reader.forget()
                self._reader.refresh()
                raise
        return done

    def rehearse(self, batch: CaptureBatch, same: Same | None = None) -> Captured:
        """What `capture` would do, with nothing written. The state keeps it, for the next batch, until a write."""
        from store.captures import plan_captures

        self._rehearsed = True

        def write(file: str, data: dict[str, Any]) -> None:
            self._reader.overlay.plan(file, data)

        return plan_captures(self.state, batch, same=same, at=self._clock(), new_id=self._new_id, write=write)

    @property
    def past(self) -> Past:
        """The patches that were proposed and applied."""
        return Past(self._reader.patches)

    def history(self, limit: int | None = None) -> list[dict[str, Any]]:
        """Applied patches, newest first: `patch_id, at, summary, generated_by, ops, receipts, undone_by`."""
        return self.past.history(limit)

    def revisions(self, ident: str) -> Versions:
        """Every revision of a record or candidate. Raises `UnknownId`."""
        found = self.state.records.get(ident) or self.state.candidates.get(ident)
        if found is None:
            raise UnknownId("record or candidate", ident)
        return found

    def patches_of(self, ident: str) -> list[dict[str, Any]]:
        """The patches that made revisions of a record or candidate, oldest first, as `history` gives them."""
        wanted = dict.fromkeys(revision.patch for revision in self.revisions(ident).revisions if revision.patch)
        return [self.past.entry(patch_id) for patch_id in wanted if self.past.knows(patch_id)]

    def evidence(self, ids: Collection[str]) -> list[Evidence]:
        """The evidence with these ids that is in the store, in the order asked."""
        return self.state.evidence_of(ids)

    def materialise(self, projects: Collection[str] | None = None, *, shared: bool = True) -> Rendered:
        """Bring the pages of these projects (None: of all) up to date, as `store.projection.render` does.

        It holds the lock, so that no page of an older state is put over one that a patch has just written.
        """
        from store.projection import render

        with self._writing():
            return render(self.root, self.state, projects, self._disk, shared=shared)

    @contextlib.contextmanager
    def held(self, *, rewriting: bool = True) -> Iterator[str]:
        """Hold the writer's lock, to look at files or, `rewriting` them as a whole, to change them; gives the moment.

        What was rewritten is read anew afterwards. Raises `StoreUnusable`.
        """
        with self._writing() as at:
            try:
                yield at
            finally:
                if rewriting:
                    self._reader.forget()
                    self._config = None
            self._reader.refresh()

    def join(self) -> list[str]:
        """Join what two machines captured or saw apart, where nobody has to decide; gives the ids.

        Raises `StoreUnusable`.
        """
        from store.joining import joins

        with self._writing() as at:
            lines = list(joins(self.state))
            commit_capture(self._reader, self._disk, lines, at)
        return [str(line["id"]) for _, line in lines]

    def purge_again(self, ids: Collection[str], known: Sequence[Mapping[str, Any]]) -> Purged:
        """Take what was purged elsewhere, or came back, out of every file. `known` are lines of it from a history.

        Raises `StoreUnusable`.
        """
        from store import purge

        with self.held():
            done = purge.run(self.paths, self.state, sorted(ids), self._disk, known)
        with self._writing():
            purge.follow(self.root, self.state, done, self._disk)
        return done

    def verify(self) -> list[Problem]:
        """Every rule of the store checked against the files as they are, each problem with its place and its mend."""
        from store.log.verify import verify

        return verify(self.paths)

    def repair(self) -> list[Problem]:
        """Mend what can be mended without a person, and give what is left to one."""
        from store.log.repair import repair

        with self._writing() as at:
            repair(self.paths, self._disk, at)
            self._reader.forget()
            self._reader.refresh()
        return self.verify()

    @contextlib.contextmanager
    def _writing(self, wait: float | None = None) -> Iterator[str]:
        """Hold the lock, see the newest state, have no crash's remains; gives the moment of the change."""
        make_dirs(self._disk, self.root)
        with lock.writing(self.root, wait=self._lock_wait if wait is None else wait, clock=self._clock):
            if self._rehearsed:
                self._reader.forget()
                self._rehearsed = False
            self._reader.refresh()
            at = self._clock()
            recovery.recover(self._reader, self._disk, at, self._follow)
            if self._purging:
                with contextlib.suppress(WriteFailed):  # what a full disk stops is tried again, and verify tells
                    self._finish_purge()
            yield at

    @property
    def _purging(self) -> bool:
        """True when a purge is decided and not yet carried out on every file."""
        return self.paths.path(layout.PURGING).exists()

    def _finish_purge(self) -> Purged | None:
        from store import purge

        return purge.finish(self._reader, self._disk)

    def _later_days(self, patch: Patch) -> int:
        """For how long the patch puts off what it puts off. Settings are looked at only when it does."""
        if all(op.op != "defer_candidate" for op in patch.ops):
            return 0
        days: int = self.config.get("review.defer_days")
        return min(max(days, 1), LONGEST)

    def _already_applied(self, patch: Patch) -> list[Receipt]:
        from store.model import Receipt

        ops = {op.op_id for op in patch.ops}
        undone = self.past.undone_by(patch.patch_id)
        detail = f"it was, and {undone} took it back; undo that to have it again" if undone else "applied before"
        return [
            Receipt.model_validate({**told, "applied": False, "reason": "already_applied", "detail": detail})
            for told in self._reader.patches.receipts(patch.patch_id)
            if told["op_id"] in ops
        ]

    def _follow(self, lines: list[dict[str, Any]]) -> Followed:
        if purged_by(lines):
            from store import purge

            purge.begin(self._disk, self.paths, lines)
        return follow_lines(self.root, self.state, lines, self._disk)
