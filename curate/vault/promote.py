"""A record on its way into the vault: judged, put down as a dossier under `reports/`, and on request into the staging
folder. Where a note was filed since, it is the person's, and nothing is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curate.vault.criteria import Criterion, Family, criteria, family, since
from curate.vault.dossier import Dossier, dossier
from curate.vault.folder import Vault
from curate.vault.note import BrokenNote
from curate.vault.place import Placed, create, renewed, replace
from curate.vault.suggest import Suggestion, suggest
from curate.vault.titles import file_name, folded, marked, plain_name, title_of
from store.log.disk import Disk, write_whole
from store.projection.markers import BadMarkers, find

if TYPE_CHECKING:
    from store.state import State

REPORTS = "reports/vault"


@dataclass(frozen=True, slots=True)
class Case:
    """All that a decision on a record's page needs."""

    name: str
    """Of the file, without its ending."""
    found: Family
    criteria: list[Criterion]
    near: list[Suggestion]
    dossier: Dossier

    @property
    def met(self) -> bool:
        """Whether every condition is met."""
        return all(one.met for one in self.criteria)


def case(state: State, ident: str, vault: Vault | None, at: str) -> Case:
    """Judge a record against its conditions and the vault. Raises `UnknownId`."""
    found = family(state, ident)
    data = found.record.data
    title = title_of(data["statement"])
    others = (title_of(one.data["statement"]) for one in state.live_records() if one.id != ident)
    judged = criteria(state, found, at)
    near = suggest(vault.filed, data["statement"], data.get("tags") or ()) if vault else []
    return Case(file_name(title, ident, others), found, judged, near, dossier(title, found, judged, since(found), near))


def report(root: Path, made: Case, disk: Disk) -> Placed:
    """Write the dossier below the store's root; a report with an edit inside our block stays as it is."""
    there = Vault(root / REPORTS).of_record(made.found.record.id)
    name = f"{REPORTS}/{there[0].path if there else f'{made.name}.md'}"
    path = root / name
    try:
        before = path.read_bytes()
    except FileNotFoundError:
        write_whole(disk, path, made.dossier.text().encode("utf-8"))
        return Placed(name, "created")
    after, placed = renewed(before, made.dossier)
    if placed.outcome == "updated":
        write_whole(disk, path, after)
    return Placed(name, placed.outcome, placed.line, placed.why)


def stage(vault: Vault, made: Case) -> Placed:
    """Write the dossier into the vault's staging folder, or renew our block in the note that is there.

    Raises `OutsideVault`, `WriteFailed`.
    """
    folder = vault.staging_path()
    there = _ours(vault, made)
    if there is not None:
        if not there.startswith(f"{vault.staging_name()}/"):
            return Placed(there, "filed", None, "the note was filed, so it is left to you")
        return _renew(vault.root, there, made)
    taken = {folded(Path(name).name) for name in vault.files()}
    if folder.is_dir():
        taken |= {folded(entry.name) for entry in folder.iterdir()}
    names = [made.name, marked(plain_name(made.dossier.title), made.found.record.id)]
    for name in dict.fromkeys(names):
        if folded(f"{name}.md") in taken:
            continue
        if create(folder / f"{name}.md", made.dossier.text().encode("utf-8")):
            vault.refresh()
            return Placed(f"{vault.staging_name()}/{name}.md", "created")
    return Placed(f"{vault.staging_name()}/{names[-1]}.md", "broken", 1, "a note that is not ours has this name")


def _ours(vault: Vault, made: Case) -> str | None:
    """The note of a record: by its key, else by our block in the staging folder."""
    found = vault.of_record(made.found.record.id)
    if found:
        return found[0].path
    for path in vault.files():
        if not path.startswith(f"{vault.staging_name()}/"):
            continue
        try:
            text = (vault.root / path).read_bytes().decode("utf-8", "replace")
            block = find(text)
        except OSError:
            continue
        except BadMarkers:
            if f"curate:begin {made.found.record.id}" in text:
                return path
            continue
        if block is not None and block.owner == made.found.record.id:
            return path
    return None


def _renew(root: Path, name: str, made: Case) -> Placed:
    path = root / name
    try:
        before = path.read_bytes()
    except OSError as fault:
        return Placed(name, "broken", 1, (fault.strerror or "cannot be read").lower())
    try:
        after, placed = renewed(before, made.dossier)
    except BrokenNote as fault:
        return Placed(name, "broken", fault.line, fault.reason)
    if placed.outcome == "updated" and not replace(path, before, after):
        return Placed(name, "broken", 1, "it was changed this very moment; run again")
    return Placed(name, placed.outcome, placed.line, placed.why)
