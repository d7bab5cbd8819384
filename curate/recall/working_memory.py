"""Working memory: what a repository itself says of where the work stands, within 300 tokens.

Structure, STATE.md (milestone, phase, status, blockers), branch and last commits. When it does not fit, descriptions go
first, then components, until project and state are left. Nothing is run; git's own files are read.
"""

from __future__ import annotations

import os

from curate.recall.continuity import HEADING
from curate.recall.tokens import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BUDGET = 300
LIMIT = 64 * 1024
COMPONENTS = 12
BLOCKERS = 5
COMMITS = 3
LONGEST = 160
"""Characters of one line."""
STATE_FILES = ("STATE.md", ".planning/STATE.md", "docs/STATE.md")
_FIELDS = {
    "milestone": "Milestone", "current milestone": "Milestone", "active milestone": "Milestone", "phase": "Phase",
    "current phase": "Phase", "status": "Status", "current status": "Status",
}  # fmt: skip
_TROUBLES = ("blocker", "known issue", "concern", "risk")
_NOT_SOURCE = frozenset({"node_modules", "dist", "build", "target", "vendor", "__pycache__", "venv"})


class State:
    """What STATE.md says."""

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.blockers: list[str] = []


def working_memory(
    root: str | None,
    name: str,
    previous: tuple[str, ...] = (),
    budget: int = BUDGET,
    known: Sequence[tuple[str, str]] = (),
) -> list[str]:
    """Lines for the section; empty where there is no repository to read and nothing known of it.

    `previous` tells of the session before, `known` names components and what they are; without any, the top folders
    are looked at.
    """
    place = root if root and os.path.isdir(root) else ""
    if not place and not known and not previous:
        return []
    state = read_state(place) if place else State()
    called = name or os.path.basename(place)
    head = [f"- Project: {_plain(called)}"] if called else []
    now = [f"- {key}: {_plain(value)}" for key, value in state.fields.items()]
    now += [f"- Blocker: {_plain(text)}" for text in state.blockers]
    git = _git(place) if place else []
    components = list(known[:COMPONENTS]) or (_components(place) if place else [])
    described = [f"- Component: {each}{f' — {_plain(text)}' if text else ''}" for each, text in components]
    bare = [f"- Components: {', '.join(each for each, _ in components)}"] if components else []
    last = [f"### {HEADING}", *previous] if previous else []
    for lines in (
        [*head, *now, *git, *described, *last],
        [*head, *now, *git, *bare, *last],
        [*head, *now, *last],
        [*head, *now[:4], *last],
        [*head, *now[:4]],
    ):
        if tokens("".join(f"{line}\n" for line in lines)) <= budget:
            return lines
    return _fitting([*head, *now], budget)


def read_state(root: str) -> State:
    """STATE.md of a repository, as people write it: `Milestone: x` lines, front matter, or headings with lists."""
    state = State()
    section = ""
    for line in _text(root).splitlines():
        bare = line.strip()
        if bare.startswith("#"):
            section = bare.lstrip("# ").lower().rstrip(":")
            continue
        plain = bare.lstrip("-*+ ").replace("**", "").replace("__", "")
        name, colon, value = plain.partition(":")
        field = _FIELDS.get(name.strip().lower())
        if field and colon and value.strip():
            state.fields.setdefault(field, value.strip())
        elif plain and section in _FIELDS and not bare.startswith("---"):
            state.fields.setdefault(_FIELDS[section], plain)
        elif name.strip().lower().rstrip("s") in _TROUBLES and colon and value.strip():
            _trouble(state, value)
        elif plain and any(section.startswith(word) for word in _TROUBLES):
            _trouble(state, plain)
    return state


def _trouble(state: State, text: str) -> None:
    if text.strip().lower().rstrip(".") not in {"none", "-", "n/a"} and len(state.blockers) < BLOCKERS:
        state.blockers.append(text.strip())


def _text(root: str) -> str:
    for name in STATE_FILES:
        text = _read(os.path.join(root, name))
        if text:
            return text
    return ""


def _components(root: str) -> list[tuple[str, str]]:
    """Top folders that hold sources, each with the first words of its README."""
    try:
        with os.scandir(root) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir() and entry.name[0] not in "._")
    except OSError:
        return []
    return [
        (name, _first_words(os.path.join(root, name, "README.md")))
        for name in names
        if name not in _NOT_SOURCE
    ][:COMPONENTS]  # fmt: skip


def _first_words(path: str) -> str:
    for line in _read(path).splitlines():
        bare = line.strip()
        if bare and bare[0] not in "#![<`|->=":
            return bare[:80].rpartition(" ")[0] + " …" if len(bare) > 80 else bare
    return ""


def _git(root: str) -> list[str]:
    """Branch and the subjects of the last commits made here."""
    place = os.path.join(root, ".git")
    if os.path.isfile(place):
        place = os.path.join(root, _read(place).removeprefix("gitdir:").strip())
    head = _read(os.path.join(place, "HEAD")).strip()
    lines = [f"- Branch: {_plain(head.removeprefix('ref: refs/heads/'))}"] if head.startswith("ref:") else []
    for line in reversed(_read(os.path.join(place, "logs", "HEAD"), end=True).splitlines()):
        _, tab, action = line.partition("\t")
        kind, colon, subject = action.partition(": ")
        if tab and colon and kind.startswith("commit"):
            lines.append(f"- Commit: {_plain(subject)}")
        if len(lines) > COMMITS:
            break
    return lines


def _fitting(lines: list[str], budget: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        if tokens("".join(f"{each}\n" for each in (*kept, line))) <= budget:
            kept.append(line)
    return kept


def _plain(text: str) -> str:
    """A line of a file, unable to open a heading, a fence or a tag."""
    if text.isascii() and text.isprintable() and len(text) <= LONGEST and not any(mark in text for mark in "<`~#("):
        return " ".join(text.split())  # nothing to look for, so what looks for it need not be loaded
    from store.index.shown import shown
    from store.text import shorten

    return shorten(shown(text), LONGEST)


def _read(path: str, *, end: bool = False) -> str:
    try:
        with open(path, "rb") as file:
            if end:
                file.seek(max(0, file.seek(0, os.SEEK_END) - LIMIT))
            return file.read(LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""
