"""Which sessions have something that nobody was asked about: read from transcripts, held against the ledger."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from curate.capture.activity import Trail
from curate.capture.consolidate.ledger import Ledger
from curate.capture.consolidate.session import Session, message_of, session_key, turn_key
from curate.capture.found import Unreadable, find_transcripts
from curate.capture.readers import named
from curate.capture.turns import Turn
from store.text import one_line, shorten

if TYPE_CHECKING:
    from curate.capture.turns import Reader


class Pending:
    """The sessions, each with as much as fits in one call. `key` is masked wherever a person wrote it."""

    def __init__(self, ledger: Ledger, *, max_chars: int, key: str | None) -> None:
        self.sessions: dict[str, Session] = {}
        self.of_file: dict[Path, set[str]] = {}
        """The transcripts that were read, and the sessions of which each holds something new."""
        self._ledger = ledger
        self._max_chars = max_chars
        self._key = key
        self._seen: set[str] = set()

    def gather(self, paths: Sequence[Path], *, agent: str | None, since: str | None, home: Path) -> None:
        """Read the transcripts, and those of sessions that wait, for turns that nobody was asked about."""
        for path, reader, asked_for in find_transcripts(paths, agent, home, Counter()):
            self._read(path, reader, since, must_read=asked_for)
        for waiting in list(self._ledger.waiting.values()):
            path = Path(waiting.path)
            if path in self.of_file or not path.is_file() or (agent and agent != waiting.agent):
                continue
            known = named(waiting.agent)
            if known is not None:
                self._read(path, known, since, must_read=False)

    def _read(self, path: Path, reader: Reader, since: str | None, *, must_read: bool) -> None:
        path = Path(os.path.realpath(path))
        if path in self.of_file or (reader.growth != "database" and self._ledger.is_settled(path)):
            return
        self.of_file[path] = set()
        trail = Trail()
        try:
            for item in reader.read(path):
                if isinstance(item, Turn):
                    own, session = trail.note(item)
                    if item.text and (since is None or (item.time or "") >= since):
                        self._take(path, item, own, {folder: list(names) for folder, names in session.items()})
        except OSError as fault:
            self.of_file.pop(path)
            if must_read:
                raise Unreadable(path, fault) from fault

    def _take(self, path: Path, turn: Turn, own: dict[str, list[str]], session: dict[str, list[str]]) -> None:
        key = turn_key(turn.agent, turn.turn_id)
        if key in self._seen or self._ledger.is_done(key):
            return
        at = session_key(turn)
        known = self.sessions.get(at)
        if known is not None and known.left:  # full: what follows has its turn later, and is not prepared for nothing
            known.left += 1
            self._seen.add(key)
            self.of_file[path].add(at)
            return
        message = message_of(turn, own, session, key=self._key, max_chars=self._max_chars)
        if message is None:
            return
        self._seen.add(key)
        if at not in self.sessions:
            label = shorten(one_line(turn.session or path.stem), 80)
            self.sessions[at] = Session(at, turn.agent, label, str(path))
        self.sessions[at].take(message, self._max_chars)
        self.of_file[path].add(at)
