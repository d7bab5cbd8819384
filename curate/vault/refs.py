"""Where a record's `vault_ref` leads, and whether the note is still there. Pure but for what the vault has read."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from curate.vault.folder import Page, Vault


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference and what became of it. `note` is the path it leads to, or, when it is dead, the likely new home."""

    ref: str
    alive: bool
    note: str | None
    why: str


def target_of(ref: str) -> tuple[str, str | None]:
    """The note and the heading that a reference names: a path, a title, a `[[wikilink]]` or an `obsidian:` address."""
    text = ref.strip()
    if text.startswith("obsidian:"):
        query = parse_qs(urlsplit(text).query)
        text = (query.get("file") or query.get("path") or [""])[0]
    if text.startswith("[[") and text.endswith("]]"):
        text = text[2:-2]
    text = text.partition("|")[0]
    note, _, heading = text.partition("#")
    return note.strip().removeprefix("./").strip("/"), heading.strip() or None


def resolve(vault: Vault, ref: str, record: str | None = None) -> Ref:
    """Follow a reference as Obsidian would: by path, else by title, else by alias."""
    named, heading = target_of(ref)
    wanted = _folded(named if named.lower().endswith(".md") else f"{named}.md")
    broken = next((each for each in vault.broken if _folded(each.path) == wanted), None)
    if broken is not None:
        return Ref(ref, True, broken.path, f"cannot be read: line {broken.line}, {broken.reason}")
    found = _pages(vault, wanted)
    if not found:
        moved = [page for page in vault.pages if record and page.record == record]
        return Ref(ref, False, moved[0].path if moved else None,
                   "moved there since" if moved else "no such note")  # fmt: skip
    page = found[0]
    if heading and heading.lower() not in {each.lower() for each in page.headings} and not heading.startswith("^"):
        return Ref(ref, True, page.path, f'the note is there, its heading "{heading}" is not')
    if len(found) > 1:
        return Ref(ref, True, page.path, f"{len(found)} notes are called so; name the folder too")
    return Ref(ref, True, page.path, "the note is there")


def _pages(vault: Vault, wanted: str) -> list[Page]:
    by_path = [page for page in vault.pages if _folded(page.path) == wanted]
    if by_path or "/" in wanted:
        return by_path
    title = wanted[: -len(".md")]
    return [page for page in vault.pages if _folded(page.title) == title] or [
        page for page in vault.pages if title in {_folded(alias) for alias in page.aliases}
    ]


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
