"""Folders of Markdown memories with front matter, as agents keep them: a file is one memory, or a list of rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.exchange.found import Entry
from store.exchange.front import BrokenFront, split_front, texts
from store.exchange.proposals import Proposal, Read, joined
from store.exchange.rules import Rule, rules

if TYPE_CHECKING:
    from store.model import RuleType, TrustClass

FILE_LIMIT = 1_000_000
_GISTS = ("statement", "description", "summary", "gist")
_NAMES = ("title", "name")
_INDEX = frozenset({"memory.md", "index.md", "readme.md"})
"""Lists of the other files; what they say is said there."""
_TRUST: dict[str, TrustClass] = {"user": "single_session_observation", "feedback": "single_session_observation"}
_RULES: dict[str, RuleType] = {"feedback": "correction", "correction": "correction", "convention": "convention"}


def read_folder(path: Path) -> Read:
    """Every Markdown file of a folder, or the one that is named."""
    if path.is_file():
        return read_file(path, path.name)
    files = sorted(each for each in path.rglob("*.md") if each.is_file() and not each.is_symlink())
    inside = [each for each in files if not any(part.startswith(".") for part in each.relative_to(path).parts)]
    named = [each for each in inside if len(inside) == 1 or each.name.lower() not in _INDEX]
    return joined(read_file(each, each.relative_to(path).as_posix()) for each in named)


def read_file(path: Path, name: str) -> Read:
    """The memory in a file: what its front matter says it is about, else each rule that it lists."""
    read = Read()
    try:
        if path.stat().st_size > FILE_LIMIT:
            read.fault(1, f"larger than {FILE_LIMIT:,} bytes", name)
            return read
        data = path.read_bytes()
        front, body, first = split_front(data.decode("utf-8").replace("\r\n", "\n"))
    except UnicodeDecodeError as fault:
        read.fault(data.count(b"\n", 0, fault.start) + 1, "not UTF-8", name)
        return read
    except BrokenFront as fault:
        read.fault(fault.line, fault.reason, name)
        return read
    except OSError as fault:
        read.fault(1, (fault.strerror or "cannot be read").lower(), name)
        return read
    if str(front.get("status", "active")).lower() in ("archived", "deleted", "superseded", "deprecated", "obsolete"):
        return read
    gist = next((text for key in _GISTS if (text := _text(front.get(key)))), "")
    found = [] if gist else list(rules(body, first))
    if gist or not any(isinstance(each, Rule) for each in found):
        gist = gist or next((text for key in _NAMES if (text := _text(front.get(key)))), "") or _first(body)
        if gist:
            read.proposals.append(_proposal(front, Entry(1, file=name), gist, body.strip(), name))
        else:
            read.fault(1, "nothing in it", name)
        return read
    for each in found:
        if isinstance(each, Rule):
            read.proposals.append(_proposal(front, Entry(each.line, file=name), each.text, "", name, each.excerpt))
        else:
            read.fault(*each, name)
    return read


def _proposal(
    front: dict[str, Any], entry: Entry, statement: str, body: str, name: str, excerpt: str | None = None
) -> Proposal:
    more = front.get("metadata") if isinstance(front.get("metadata"), dict) else {}
    assert isinstance(more, dict)
    kind = _text(front.get("type")) or _text(more.get("type"))
    scope = front.get("scope")
    project = _text(front.get("project")) or (_text(scope.get("project")) if isinstance(scope, dict) else "")
    times = (_text(front.get(key)) for key in ("updated", "updated_at", "modified", "created", "created_at", "date"))
    return Proposal(
        entry=entry,
        statement=statement,
        excerpt=excerpt or f"{statement}\n{body}".strip(),
        source=f"markdown {name}",
        body=body or None,
        trust=_TRUST.get(kind, "agent_inference"),
        intent="none",
        rule_type=_RULES.get(kind),
        project=project or None,
        everywhere=False,
        reason="as its front matter says" if project else "its front matter names no project",
        tags=tuple(tag for tag in texts(front.get("tags")) if tag),
        time=next((time for time in times if time), None),
        path=name,
    )


def _first(body: str) -> str:
    """The first line of a text that says something, without the marks of a heading."""
    return next(_lines(body), "")


def _lines(body: str) -> Iterator[str]:
    yield from (text for line in body.splitlines() if (text := line.strip("#>*- \t").strip()))


def _text(value: Any) -> str:
    """A scalar of front matter as text; dates as they are written."""
    if value is None or isinstance(value, (dict, list, bool)):
        return ""
    return str(value).strip()
