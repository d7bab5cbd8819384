"""What the tests of consolidation share: transcripts in the plain form, and a run against a scripted model."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.capture.consolidate.run import Report, consolidate
from curate.capture.consolidate.settings import ENDING, Endpoint, Kind, Limits
from store.store import Store

AT = "2026-11-29T10:00:00.000Z"
DOCSTRINGS = "In our house style every public function gets a docstring with an example"


def said(text: str, *, session: str = "s1", time: str = "2026-11-20T10:00:00Z", **more: Any) -> dict[str, Any]:
    return {"role": "user", "text": text, "time": time, "session": session, **more}


def agent(text: str, session: str = "s1", **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "text": text, "session": session, **more}


def transcript(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return path


def one_session(folder: Path, *texts: str, session: str = "s1", day: int = 20) -> Path:
    """A transcript of one session with these messages."""
    lines = [said(one, session=session, time=f"2026-11-{day}T10:{at:02}:00Z") for at, one in enumerate(texts)]
    return transcript(folder / f"{session}.jsonl", *lines)


@dataclass
class World:
    """A store, an endpoint and a clock."""

    root: Path
    url: str
    kind: Kind = "openai"
    limits: Limits = field(default_factory=lambda: Limits(timeout=20))
    key: str | None = None
    model: str = "scripted"
    at: str = AT
    counter: Any = field(default_factory=itertools.count)

    @property
    def store(self) -> Store:
        return Store.open(self.root, clock=lambda: self.at, new_id=self.new_id, create=True)

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(self.kind, self.limits, f"{self.url}/v1{ENDING[self.kind]}", self.model, self.key)

    def new_id(self, prefix: str) -> str:
        return f"{prefix}_{next(self.counter):026}"

    def run(self, *paths: Path, endpoint: Endpoint | None = None, **more: Any) -> Report:
        """One run over these paths; without any over nothing but what waits."""
        nobody = self.root.parent / "nobody"
        return consolidate(
            self.store, endpoint or self.endpoint, paths, home=nobody, clock=lambda: self.at, new_id=self.new_id, **more
        )
