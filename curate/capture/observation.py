"""A turn as it is remembered: what was asked, what was done to which files, what was run and committed, how it ended.

Words of the person only, masked and bounded; of the agent nothing but its deeds. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from store.ids import content_id
from store.line import SCHEMA
from store.secrets import mask
from store.text import one_line, shorten

if TYPE_CHECKING:
    from curate.capture.turns import Turn
    from curate.capture.whose import Home
    from store.captures import Capture
    from store.knowledge.lines import Item

ASKED = 300
"""Characters kept of what was asked."""
LOOKED_AT = 20_000
"""Characters of a message that are looked through for secrets before so few are kept."""
FILES, COMMANDS, COMMITS, STATEMENTS = 12, 5, 5, 8
COMMAND = 120
_COMMANDS_LOOKED_AT = 60
_TAG = "#decision"

_LEAD = re.compile(r"\A(?:cd[ \t]+(?:\"[^\"]*\"|'[^']*'|\S+)[ \t]*(?:&&|;)[ \t]*)+")
_LOOKING = re.compile(
    r"(?:cd|ls|ll|cat|head|tail|less|pwd|echo|printf|grep|rg|ag|find|fd|wc|which|type|stat|file|tree|du|df|env|date|sleep|true|"
    r"sed -n|awk|jq|git (?:status|diff|log|show|branch|remote|rev-parse|blame|ls-files|fetch))\b"
)
"""What only looks: it tells nothing of what was done."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_COMMIT = re.compile(r"\bgit(?:[ \t]+(?:-[Cc][ \t]+\S+|-\S+))*[ \t]+commit\b(?P<rest>.*)", re.DOTALL)
_MESSAGE = re.compile(
    r"(?:^|\s)(?:-[a-zA-Z]*m|--message)(?:\s+|=|(?=[\"']))"
    r"(?:\"\$\(cat\s+<<-?\s*['\"]?\w+['\"]?\n(?P<here>[^\n]+)|\"(?P<double>(?:[^\"\\]|\\.)+)|'(?P<single>[^']+)|(?P<bare>[^\s\"']+))"
)


def observe(
    turn: Turn, home: Home | None, files: Sequence[str], outside: int, captures: Iterable[Capture] = ()
) -> Item:
    """The line of a turn. `files` it wrote inside of the project, from its top; `outside` counts the others."""
    commits = commits_of(turn.commands)
    said = [(one.candidate.intent, one.candidate.statement) for one in captures]
    asked = _plain(turn.text, ASKED) if turn.text else ""
    steps = len(turn.files_written) + len(turn.files_read) + len(turn.commands) + outside + len(files)
    item: Item = {"schema": SCHEMA, "id": content_id("obs", turn.agent, turn.turn_id)}
    fields = {
        "time": turn.time,
        "day": turn.time[:10] if turn.time else None,
        "agent": turn.agent,
        "session": _name(turn.session),
        "turn": turn.turn_id if _UUID.fullmatch(turn.turn_id) else _name(turn.turn_id),
        "project": home.project if home else None,
        "name": home.name if home else None,
        "profile": home.profile if home else None,
        "branch": _name(turn.branch),
        "asked": asked,
        "files": [_name(path) for path in files[:FILES]],
        "more_files": max(0, len(files) - FILES) + outside,
        "commands": telling(turn.commands),
        "commits": [text for text in commits[:COMMITS] if text],
        "decisions": [text for intent, text in said if intent != "behavior_correction"][:STATEMENTS],
        "corrections": [text for intent, text in said if intent == "behavior_correction"][:STATEMENTS],
        "ended": _ended(turn, committed=bool(commits), wrote=bool(files or outside)),
        "steps": steps,
    }
    if _TAG in asked and not fields["decisions"]:
        fields["decisions"] = [" ".join(word for word in asked.split() if word != _TAG)]
    return item | {key: value for key, value in fields.items() if value}


def telling(commands: Sequence[str]) -> list[str]:
    """The commands that did something, each once, bounded and masked."""
    found: dict[str, None] = {}
    for command in commands[:_COMMANDS_LOOKED_AT]:
        bare = _LEAD.sub("", command.lstrip())
        if bare and not _LOOKING.match(bare):
            found[_plain(bare, COMMAND)] = None
            if len(found) >= COMMANDS:
                break
    return list(found)


def commits_of(commands: Iterable[str]) -> list[str]:
    """A subject for each commit that was asked of git; empty for one whose message stands elsewhere."""
    found: list[str] = []
    for command in commands:
        if "commit" not in command:
            continue
        for part in _COMMIT.finditer(command):
            told = _MESSAGE.search(part["rest"])
            text = next(filter(None, told.groups()), "") if told else ""
            found.append(_plain(text.partition("\n")[0], COMMAND) if text else "")
    return list(dict.fromkeys(found))


def _ended(turn: Turn, *, committed: bool, wrote: bool) -> str:
    if committed:
        return "committed"
    if wrote or turn.files_written:
        return "changed"
    if turn.commands:
        return "ran"
    return "read" if turn.files_read else "answered"


def _plain(text: str, limit: int) -> str:
    """Masked, on one line, bounded. What was cut off is far behind what is kept, so no half of a secret stays."""
    return shorten(one_line(mask(text[:LOOKED_AT]).text), limit)


@lru_cache(maxsize=4096)  # sessions, branches and paths come again and again
def _name(text: str | None) -> str | None:
    """An id or a path, which may hold a secret as any text may."""
    return mask(text).text[:300] if text else None
