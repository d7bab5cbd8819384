"""What readers give: turns of a transcript, what was left out and why, and where to read on.

Nothing here holds a text outside of `Turn`, so a `Position` may be written to disk as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PREVIOUS_LIMIT = 500
"""Characters kept of what the agent said last before the person spoke."""

FILES_LIMIT = 1000
COMMANDS_LIMIT = 200
COMMAND_LIMIT = 4000
"""Per turn: paths, commands, and characters of one command. More is dropped, so that memory stays bounded."""

Growth = Literal["append", "rewrite", "database"]


@dataclass(frozen=True, slots=True)
class Position:
    """Where reading goes on: byte offset, lines before it, and what the reader needs to know of what lies before.

    `state` is plain JSON of ids, offsets, paths and times. It never holds what anybody said.
    """

    offset: int = 0
    line: int = 0
    state: Mapping[str, Any] = field(default_factory=dict)

    def dump(self) -> dict[str, Any]:
        """The position as a JSON object."""
        return {"offset": self.offset, "line": self.line, "state": dict(self.state)}

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Position:
        """The position of such an object."""
        return cls(int(data.get("offset", 0)), int(data.get("line", 0)), dict(data.get("state") or {}))


START = Position()


@dataclass(frozen=True, slots=True)
class Turn:
    """What one person said at one moment, and what the agent did until they spoke again."""

    agent: str
    session: str | None
    turn_id: str
    """The same wherever the turn is copied to: forks and resumed sessions repeat it."""
    time: str | None
    cwd: str | None
    text: str
    """The person's own words, cleaned, without what agents and hooks put between them. Empty for the work that a
    slash command started."""
    line: int
    """1-based line of the words, and `offset` the byte where that line starts (0 in a database)."""
    offset: int
    offset_end: int
    path: str
    previous: str | None = None
    """The end of what the agent said last before."""
    files_read: tuple[str, ...] = ()
    files_written: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    branch: str | None = None
    stripped: tuple[str, ...] = ()
    """Kinds of foreign spans that were cut out of the text."""
    open: bool = False
    """The last turn of the file: it may still grow, and is then given again with the same id."""
    after: Position = START
    """Where reading goes on behind this turn."""


@dataclass(frozen=True, slots=True)
class Skip:
    """A message in the user's role that no person wrote, or that is no speech."""

    reason: str
    line: int


@dataclass(frozen=True, slots=True)
class Bad:
    """Something that cannot be read, with its place; everything else is read all the same."""

    line: int
    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Records of kinds that the reader does not know: the format has changed, or the file is none of its own."""

    records: int
    understood: int
    kinds: Mapping[str, int]

    @property
    def nothing(self) -> bool:
        """Not a single record was understood."""
        return self.understood == 0

    @property
    def sentence(self) -> str:
        """What to tell a person."""
        return f"{self.understood} of {self.records} records understood"


@dataclass(frozen=True, slots=True)
class End:
    """The last item of every reading: where to go on, and how much was seen."""

    position: Position
    records: int
    understood: int
    messages: int
    """Messages of person and agent among them."""


Item = Turn | Skip | Bad | Unknown | End


class Reader(Protocol):
    """Reads the transcripts of one agent."""

    agent: str
    growth: Growth
    """`append`: the file only grows, so a checkpoint may compare what lies before its position. `rewrite`: the
    agent writes the file anew; read it from the start when it changed. `database`: ask again, a position is enough."""

    place: str
    """Part of a path that tells the agent whatever the file holds, with forward slashes."""

    def sniff(self, path: Path, head: bytes) -> bool:
        """Whether the file, of which `head` is the beginning, is one of this agent's transcripts."""
        ...

    def read(self, path: Path, start: Position = START) -> Iterator[Item]:
        """All items behind `start`, ending with `End`. Raises OSError only."""
        ...

    def folders(self, home: Path, env: Mapping[str, str]) -> list[Path]:
        """Where the agent keeps its transcripts by default, whether they exist or not; files as well as folders."""
        ...
