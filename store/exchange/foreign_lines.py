"""Lines that others wrote into our managed block, as proposals: text of the repository, never adopted by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.exchange.found import Entry
from store.exchange.proposals import Proposal, Read
from store.exchange.rules import Rule, rules
from store.projection.block import NOTICE, rule_line
from store.text import fingerprint

if TYPE_CHECKING:
    from store.state import State


def proposals(state: State, text: str, project: str, *, file: str, line: int) -> Read:
    """What a block says that no record of the project ever said."""
    ours = {fingerprint(_plain(NOTICE))}
    for versions in state.records.values():
        if (versions.data.get("scope") or {}).get("project") == project:
            for revision in versions.revisions:
                if revision.data.get("statement"):
                    ours |= {fingerprint(revision.data["statement"]), fingerprint(_plain(rule_line(revision.data)))}
    read = Read()
    for rule in rules(text, line):
        if isinstance(rule, Rule) and fingerprint(_plain(rule.text)) not in ours:
            read.proposals.append(
                Proposal(
                    entry=Entry(rule.line),
                    statement=_plain(rule.text),
                    excerpt=rule.excerpt,
                    source=f"block {project}",
                    project=project,
                    reason="written by others into the managed block of this repository",
                    path=file,
                )
            )
    return read


def _plain(line: str) -> str:
    """A line of Markdown without the marks that only keep its text from acting."""
    out = []
    escaped = False
    for char in line.removeprefix("- "):
        escaped = char == "\\" and not escaped
        if not escaped:
            out.append(char)
    return "".join(out)
