"""The patches that were applied, as a person looks back at them. Lines are parsed only when somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.errors import UnknownId

if TYPE_CHECKING:
    from store.log.patches import PatchIndex, Transaction


class Past:
    """A view of the patch logs' index."""

    def __init__(self, patches: PatchIndex) -> None:
        self._patches = patches

    def knows(self, patch_id: str) -> bool:
        """True when the patch was applied, in part at least."""
        return any(transaction.applying for transaction in self._patches.by_patch.get(patch_id, ()))

    def history(self, limit: int | None = None) -> list[dict[str, Any]]:
        """Applied patches, newest first."""
        return [self.entry(patch_id) for patch_id in sorted(self._ids(), key=self._age, reverse=True)[:limit]]

    def order(self) -> list[str]:
        """Applied patches, oldest first; of one moment in the order in which they stand in the log."""
        return sorted(self._ids(), key=self.at)

    def at(self, patch_id: str) -> str:
        """When a patch was applied, the last time of several. Raises `UnknownId`."""
        rounds = self._rounds(patch_id)
        if not rounds:
            raise UnknownId("patch", patch_id)
        return rounds[-1].at

    def last(self) -> str | None:
        """The patch to take back next: the newest in force; of one that was undone and redone, the redo."""
        undoing = set(self._patches.undone.values())
        open_ = [patch_id for patch_id in self._ids() if patch_id not in undoing and self.undone_by(patch_id) is None]
        newest = max(
            open_, key=lambda patch_id: (max(one.at for one in self._rounds(patch_id)), patch_id), default=None
        )
        return None if newest is None else self._chain(newest)[-1]

    def undone_by(self, patch_id: str) -> str | None:
        """The patch that took this one back, as long as that one stands."""
        chain = self._chain(patch_id)
        return chain[1] if len(chain) % 2 == 0 else None

    def _chain(self, patch_id: str) -> list[str]:
        """A patch, its undo, the undo of that, and so on."""
        chain = [patch_id]
        while (following := self._patches.undone.get(chain[-1])) and following not in chain:
            chain.append(following)
        return chain

    def entry(self, patch_id: str) -> dict[str, Any]:
        """One patch: what it was, what it did, and which patch took it back."""
        line = self.applied(patch_id)
        document = line["patch"]
        return {
            "patch_id": patch_id,
            "at": line["at"],
            "summary": document.get("summary", ""),
            "generated_by": document.get("generated_by", "manual"),
            "undoes": document.get("undoes"),
            "automatic": document.get("automatic"),
            "undone_by": self.undone_by(patch_id),
            "ops": document.get("ops", []),
            "receipts": line["receipts"],
        }

    def applied(self, patch_id: str) -> dict[str, Any]:
        """A patch's line with document, revisions and receipts; of one applied in several rounds, all of them.

        Raises `UnknownId`.
        """
        rounds = self._rounds(patch_id)
        if not rounds:
            raise UnknownId("patch", patch_id)
        lines = [one.applying.load() for one in rounds if one.applying is not None]
        merged = dict(lines[-1])
        merged["revisions"] = [item for line in lines for item in line.get("revisions", ())]
        receipts = {receipt["op_id"]: receipt for receipt in lines[-1].get("receipts", ())}
        for line in lines:
            receipts |= {one["op_id"]: one for one in line.get("receipts", ()) if one["applied"]}
        merged["receipts"] = list(receipts.values())
        return merged

    def _age(self, patch_id: str) -> tuple[str, str]:
        return self._rounds(patch_id)[-1].at, patch_id

    def _ids(self) -> list[str]:
        return [patch_id for patch_id in self._patches.by_patch if self._rounds(patch_id)]

    def _rounds(self, patch_id: str) -> list[Transaction]:
        found = self._patches.by_patch.get(patch_id, ())
        return sorted((one for one in found if one.applying and not one.aborted), key=lambda one: one.at)
