"""What a git repository's own files say, read without running git. Standard library only.

Nothing here follows includes, runs hooks or believes more of a file than its first megabyte.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_READ_LIMIT = 1 << 20
_SECTION = re.compile(r'^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$')
_HEX = re.compile(r"^[0-9a-f]{40}(?:[0-9a-f]{24})?$")
_PIECE = re.compile(r'\\(.)|("|[#;])|([^\\"#;]+)', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Repository:
    """A checkout (or bare repository) and where its git files are."""

    root: Path
    """Top of the checkout; of a bare repository the repository itself."""
    gitdir: Path
    """Where this checkout's own HEAD is."""
    common: Path
    """Where configuration and refs are, shared by all worktrees."""
    superproject: Path | None = None
    """Top of the repository that has this one as a submodule."""

    @property
    def main(self) -> Path:
        """Top of the main checkout; of a worktree of a bare repository, that repository."""
        if self.gitdir == self.common:
            return self.root
        return self.common.parent if self.common.name == ".git" else self.common

    @property
    def name(self) -> str:
        """What people call it: the directory of its main checkout, or of a bare repository without its ending."""
        folder = self.main.parent if self.main.name in (".bare", ".git") else self.main
        return folder.name.removesuffix(".git") or "repository"

    @property
    def is_worktree(self) -> bool:
        """True for a linked worktree."""
        return self.gitdir != self.common


class BrokenLink(Exception):
    """A `.git` file points to git files that are not there; the message says where."""


def find(start: Path) -> Repository | None:
    """The innermost repository that holds a directory. Raises `BrokenLink`, or OSError for what may not be read."""
    for folder in (start, *start.parents):
        repository = at(folder)
        if repository is not None:
            return repository
    return None


def at(folder: Path) -> Repository | None:
    """The repository whose checkout has its top here, or that is itself here, bare."""
    dot = folder / ".git"
    if dot.is_file():
        gitdir = _link(dot)
    elif (dot / "HEAD").is_file():
        gitdir = Path(os.path.realpath(dot))
    elif _is_bare(folder):
        return Repository(folder, folder, folder)
    else:
        return None
    common = gitdir
    if (gitdir / "commondir").is_file():
        common = Path(os.path.realpath(gitdir / _read(gitdir / "commondir").strip()))
    return Repository(folder, gitdir, common, _superproject(folder, gitdir))


def branch(repository: Repository) -> str | None:
    """The branch that is checked out, also in the middle of a rebase; None for a detached HEAD."""
    head = _read(repository.gitdir / "HEAD").strip()
    if not head.startswith("ref:"):
        for name in ("rebase-merge", "rebase-apply"):
            if (repository.gitdir / name / "head-name").is_file():
                head = "ref:" + _read(repository.gitdir / name / "head-name").strip()
    ref = head.removeprefix("ref:").strip()
    return ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") and ref != "refs/heads/.invalid" else None


def has_commit(repository: Repository) -> bool:
    """False when nothing was committed yet. Refs that only git can read count as a commit."""
    head = _read(repository.gitdir / "HEAD").strip()
    if not head.startswith("ref:"):
        return bool(_HEX.match(head))
    ref = head.removeprefix("ref:").strip()
    if ref == "refs/heads/.invalid" or (repository.common / ref).is_file():
        return True
    return any(line.partition(" ")[2].strip() == ref for line in _read(repository.common / "packed-refs").splitlines())


def remote(repository: Repository) -> str | None:
    """The address of `origin`, else of the branch's remote, else of the only one, else of the first by name."""
    urls: dict[str, str] = {}
    tracked = ""
    here = branch(repository)
    for section, subsection, key, value in read_config(_read(repository.common / "config")):
        if (section, key) == ("remote", "url") and value:
            urls.setdefault(subsection, value)
        elif (section, subsection, key) == ("branch", here, "remote"):
            tracked = value
    for name in ("origin", tracked, *sorted(urls)):
        if name in urls:
            return urls[name]
    return None


def is_shallow(repository: Repository) -> bool:
    """True when the history was cut off, so that its oldest commit here is not its first."""
    return (repository.common / "shallow").is_file()


def read_config(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Section, subsection, key and value of each setting; section and key in lower case. Includes are not followed."""
    section, subsection = "", ""
    for line in re.sub(r"\\\r?\n", "", text).splitlines():
        rest = line.strip()
        if found := _SECTION.match(rest):
            section, _, old_style = found[1].lower().partition(".")
            subsection = re.sub(r"\\(.)", r"\1", found[2]) if found[2] is not None else old_style
            rest = found[3]
        if not rest or rest[0] in "#;[":
            continue
        key, equals, value = rest.partition("=")
        yield section, subsection, key.strip().lower(), _value(value) if equals else "true"


def _value(raw: str) -> str:
    out, quoted = "", False
    for escaped, mark, plain in _PIECE.findall(raw.strip()):
        if escaped:
            out += {"n": "\n", "t": "\t", "b": "\b"}.get(escaped, escaped)
        elif mark == '"':
            quoted = not quoted
        elif mark and not quoted:
            return out.rstrip()
        else:
            out += mark or plain
    return out


def _link(dot: Path) -> Path:
    text = _read(dot).strip()
    if not text.startswith("gitdir:"):
        raise BrokenLink(f"{dot} is not a link to git files")
    target = Path(os.path.realpath(dot.parent / text.removeprefix("gitdir:").strip()))
    if not (target / "HEAD").is_file():
        raise BrokenLink(f"{dot} points to {target}, which is not there; `git worktree repair` may mend it")
    return target


def _is_bare(folder: Path) -> bool:
    return (
        folder.name != ".git"
        and (folder / "HEAD").is_file()
        and (folder / "objects").is_dir()
        and (folder / "refs").is_dir()
    )


def _superproject(folder: Path, gitdir: Path) -> Path | None:
    for above in folder.parents:
        if not (above / ".git").exists():
            continue
        outer = at(above)
        if outer is None:
            return None
        inside = outer.common / "modules"
        if gitdir.is_relative_to(inside) or gitdir.is_relative_to(outer.gitdir / "modules"):
            return above
        path = folder.relative_to(above).as_posix()
        listed = read_config(_read(above / ".gitmodules"))
        return above if any((s, k, v) == ("submodule", "path", path) for s, _, k, v in listed) else None
    return None


def _read(path: Path) -> str:
    """The text of a file, empty when it is not there."""
    try:
        with path.open("rb") as file:
            return file.read(_READ_LIMIT).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return ""
