"""What stands between the memory and the vault, in the order in which a person would look at it. Pure but for what the
vault has read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from curate.vault.criteria import family
from curate.vault.overview import likely, references, ripe
from store.log.fold import status
from store.patch.edit import VAULT_TAG
from store.text import one_line

if TYPE_CHECKING:
    from curate.vault.folder import Broken, Vault
    from store.state import State

Kind = Literal["ripe", "marked", "nearly", "lost", "linked"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one record stands to the vault."""

    id: str
    kind: Kind
    statement: str
    note: str = ""
    """Its note: the one that was made from it, the one it refers to, or, of a lost one, the likely new home."""
    why: str = ""
    """What became of its reference."""


@dataclass(frozen=True, slots=True)
class Survey:
    """Records by how they stand to the vault, and the notes that cannot be read."""

    records: tuple[Standing, ...]
    broken: tuple[Broken, ...] = ()
    notes: int = 0

    def of(self, kind: Kind) -> list[Standing]:
        """The records that stand so."""
        return [one for one in self.records if one.kind == kind]


def survey(state: State, vault: Vault | None, at: str) -> Survey:
    """References first (a lost one wants mending), then what is ripe, marked by a person, or seen in two projects."""
    found: dict[str, Standing] = {}

    def put(ident: str, kind: Kind, note: str | None = None, why: str = "") -> None:
        text = one_line(str(state.records[ident].data.get("statement") or ""))
        found.setdefault(ident, Standing(ident, kind, text, note or "", why))

    pages = vault.pages if vault is not None else []
    made = {page.record: page.path for page in pages if page.record}
    for ref in references(state, vault) if vault is not None else ():
        lost = not ref["alive"] or "cannot be read" in ref["why"] or "is not" in ref["why"]
        put(ref["id"], "lost" if lost else "linked", ref["note"], f"{ref['vault_ref']}: {ref['why']}")
    near = likely(state)
    told: set[str] = set()
    for ident in ripe(state, at):
        put(ident, "ripe", made.get(ident))
        told |= set(family(state, ident, near[ident]).ids)
    for versions in state.live_records():
        if VAULT_TAG in (versions.data.get("tags") or ()) and status(versions) == "active":
            put(versions.id, "marked", made.get(versions.id))
    for ident, others in near.items():
        # Of several that say the same one stands for all.
        if ident not in told:
            put(ident, "nearly", made.get(ident))
            told |= set(family(state, ident, others).ids)
    broken = tuple(vault.broken) if vault is not None else ()
    return Survey(tuple(found.values()), broken, len(pages) + len(broken))
