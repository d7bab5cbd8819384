"""The folder of the vault: which notes are in it, what they are called, and where new ones wait to be filed.

Reading follows no link out of the vault and looks into no folder that Obsidian keeps for itself.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from curate.vault.note import BrokenNote, Note, parse
from store.errors import InputError, PathMissing
from store.text import one_line

NOTE_LIMIT = 4 * 1024 * 1024
"""Bytes of a note that is read; what is larger is no note that somebody wrote."""
HEADINGS_KEPT = 200
OPENING_LIMIT = 120
"""Characters of a first sentence that may serve as a name."""
STAGING = "Inbox"
"""Folder for new notes in a vault that has none like it."""
OUR_ID = "curate_id"
"""Key of the front matter that names the record a note was made from."""

_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)
_FENCED = re.compile(r"^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_INLINE_TAG = re.compile(r"(?<!\S)#([^\s#,;.!?()\[\]{}'\"`]*[^\s#,;.!?()\[\]{}'\"`\d][^\s#,;.!?()\[\]{}'\"`]*)")
_STAGING_NAME = re.compile(r"(?i)^[\d\W_]*(?:inbox|staging)[\W_]*$")


class NoVault(InputError):
    """Nobody said where the vault is."""

    def __init__(self) -> None:
        super().__init__("no vault is named; set PI_VAULT_PATH, or vault.path in the store's config.yaml")


class OutsideVault(InputError):
    """The staging folder would lead out of the vault."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} leads out of the vault; name a folder inside it as vault.staging in config.yaml")


@dataclass(frozen=True, slots=True)
class Page:
    """A readable note by what it is called: its path in the vault, and the names it answers to."""

    path: str
    title: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    opening: str = ""
    """The first sentence of the text, when it is short."""
    record: str | None = None
    """The record that it was made from, when it is one of ours."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A note that is left alone, with the line that says why."""

    path: str
    line: int
    reason: str


@dataclass
class Vault:
    """A vault on disk. It is read when first asked, and again after `refresh`."""

    root: Path
    staging: str | None = None
    broken: list[Broken] = field(default_factory=list)

    @classmethod
    def at(cls, path: str | None, *, env: Mapping[str, str] | None = None, staging: str | None = None) -> Vault:
        """The vault that `PI_VAULT_PATH` names, else `path`. Raises `NoVault`, `PathMissing`."""
        env = os.environ if env is None else env
        named = env.get("PI_VAULT_PATH") or path
        if not named:
            raise NoVault
        root = Path(os.path.abspath(Path(named).expanduser()))
        if not root.is_dir():
            raise PathMissing(root)
        return cls(root, staging)

    @cached_property
    def pages(self) -> list[Page]:
        """Every note that can be read, sorted by path; the others are in `broken`."""
        self.broken = []
        found = []
        for path in self.files():
            try:
                found.append(page_of(path, read(self.root / path)))
            except BrokenNote as fault:
                self.broken.append(Broken(path, fault.line, fault.reason))
        return found

    @property
    def filed(self) -> list[Page]:
        """The notes that do not wait to be filed: what is known, not what may become known."""
        staged = f"{self.staging_name()}/"
        return [page for page in self.pages if page.record is None and not page.path.startswith(staged)]

    def refresh(self) -> None:
        """Forget what was read."""
        self.__dict__.pop("pages", None)

    def files(self) -> list[str]:
        """Paths of the notes relative to the vault, with forward slashes, sorted."""
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            inside = Path(folder).relative_to(self.root)
            found += [
                (inside / name).as_posix()
                for name in names
                if name.lower().endswith(".md") and not name.startswith(".") and _is_name(name)
            ]
        return sorted(found)

    def of_record(self, ident: str) -> list[Page]:
        """The notes that were made from a record, those in the staging folder first."""
        staged = f"{self.staging_name()}/"
        found = [page for page in self.pages if page.record == ident]
        return sorted(found, key=lambda page: (not page.path.startswith(staged), page.path))

    def staging_name(self) -> str:
        """The folder where new notes wait: the one that is set, else one that is there and called so, else `Inbox`."""
        if self.staging:
            return self.staging.replace("\\", "/").strip("/")
        try:
            there = sorted(entry.name for entry in os.scandir(self.root) if entry.is_dir())
        except OSError:
            return STAGING
        return next((name for name in there if _STAGING_NAME.match(name)), STAGING)

    def staging_path(self) -> Path:
        """The absolute path of the staging folder, which need not exist. Raises `OutsideVault`."""
        path = self.root / self.staging_name()
        inside = path.resolve().is_relative_to(self.root.resolve())
        if not inside or path.resolve() == self.root.resolve() or any(part.startswith(".") for part in path.parts[-1:]):
            raise OutsideVault(path)
        return path


def read(path: Path) -> Note:
    """The note in a file. Raises `BrokenNote`, also when the file cannot be read."""
    try:
        if path.stat().st_size > NOTE_LIMIT:
            raise BrokenNote(1, f"larger than {NOTE_LIMIT // 1024 // 1024} MB")
        return parse(path.read_bytes())
    except OSError as fault:
        raise BrokenNote(1, (fault.strerror or "cannot be read").lower()) from None


def page_of(path: str, note: Note) -> Page:
    """What a note is called. Tags count wherever they stand; headings of the note's own title do not."""
    title = unicodedata.normalize("NFC", path.rpartition("/")[2][: -len(".md")])
    body = _FENCED.sub("", note.text[note.body :])
    tags = [*_tags(note.texts("tags", "tag")), *_INLINE_TAG.findall(body)]
    headings = [one_line(found) for found in _HEADING.findall(body)[:HEADINGS_KEPT]]
    record = note.get(OUR_ID)
    return Page(
        path=path,
        title=title,
        aliases=tuple(one_line(alias) for alias in note.texts("aliases", "alias", "title")),
        tags=tuple(dict.fromkeys(tag.lower() for tag in tags)),
        headings=tuple(dict.fromkeys(heading for heading in headings if heading and heading != title)),
        opening=_opening(body),
        record=record if isinstance(record, str) else None,
    )


def _opening(body: str) -> str:
    for line in body.splitlines():
        text = line.strip()
        if text and not text.startswith(("#", ">", "|", "-", "*", "<", "!", "%")):
            first = one_line(re.split(r"(?<=[.!?。！？])(?:\s|$)", text, maxsplit=1)[0])
            return first if len(first) <= OPENING_LIMIT else ""
    return ""


def _tags(values: list[str]) -> Iterator[str]:
    """Tags as Obsidian takes them: a list, or one text with commas or spaces; with or without `#`."""
    for value in values:
        for tag in re.split(r"[,\s]+", value):
            if tag.strip("#/"):
                yield tag.strip("#/")


def _is_name(name: str) -> bool:
    """Whether a file name is text: what is not cannot be named in a report."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
