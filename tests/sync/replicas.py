"""Three replicas of a store that do anything in any order, die in the middle, and have to agree in the end."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from curate.sync.faults import PurgeNotPushed
from curate.sync.repository import Repository
from store.errors import InputError
from store.log.disk import Disk
from store.model import Op
from tests.store.crashing import Crash
from tests.store.logkit import everything, patch
from tests.store.repositories import git
from tests.sync.machines import Machine, bare, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

MACHINES = st.integers(0, 2)


@contextlib.contextmanager
def dying(at: int) -> Iterator[list[int]]:
    """The world stops at a step: before a call of git, or after it, or before a file takes its place."""
    steps = [0]
    started, replace = Repository.started, Disk.replace

    def step() -> None:
        steps[0] += 1
        if steps[0] == at:
            raise Crash

    @contextlib.contextmanager
    def calling(self: Repository, *words: str) -> Iterator[object]:
        step()
        with started(self, *words) as process:
            yield process
        step()

    def replacing(self: Disk, source: Path, target: Path) -> None:
        step()
        replace(self, source, target)

    Repository.started, Disk.replace = calling, replacing  # type: ignore[assignment,method-assign]
    try:
        yield steps
    finally:
        Repository.started, Disk.replace = started, replace  # type: ignore[method-assign]


def holds(folder: Path, words: set[bytes]) -> set[bytes]:
    """Which of the words any file, or any object of the repository, has."""
    seen = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    seen += objects(folder)
    return {word for word in words if word in seen}


class Replicas(RuleBasedStateMachine):
    """The machine of hypothesis. What is purged anywhere must be nowhere in the end."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="curate-replicas-"))
        self.kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("GIT_")}
        os.environ["GIT_CONFIG_GLOBAL"] = os.environ["GIT_CONFIG_SYSTEM"] = os.devnull
        self.remote = bare(self.folder)
        self.machines = [Machine(self.folder, name, at) for at, name in enumerate(("laptop", "desktop", "tablet"), 1)]
        self.number = 0
        self.words: dict[str, set[bytes]] = {}
        self.purged: set[bytes] = set()

    @initialize()
    def begin(self) -> None:
        for one in self.machines:
            one.init(self.remote)
            if one is self.machines[0]:
                self.add(0)
                self.add(0)
            one.sync()

    def says(self, ident: str | None = None) -> str:
        self.number += 1
        word = f"zyx{self.number:04}wvu"
        if ident:
            self.words.setdefault(ident, set()).add(word.encode())
        return f"Rule {word} holds for harbour number {self.number}."

    @rule(at=MACHINES)
    def add(self, at: int) -> None:
        ident = f"mem_{self.number:04}"
        self.machines[at].add(self.says(ident), ident)

    @rule(at=MACHINES, which=st.integers(0, 30))
    def update(self, at: int, which: int) -> None:
        if ident := self._record(at, which):
            self.machines[at].update(ident, statement=self.says(ident))

    @rule(at=MACHINES, which=st.integers(0, 30), kind=st.sampled_from(["pin", "supersede", "deprecate", "resolve_fork",
                                                                         "delete"]))  # fmt: skip
    def decide(self, at: int, which: int, kind: str) -> None:
        ident = self._record(at, which)
        if ident is None:
            return
        record = {"statement": self.says(), "id": f"mem_{self.number:04}s"} if kind == "supersede" else None
        if record:
            self.words.setdefault(record["id"], set()).add(f"zyx{self.number:04}wvu".encode())
        store = self.machines[at].store
        change = patch(store._new_id(f"pat_{self.machines[at].name}"),
                       Op(op_id="op_1", op=kind, target_id=ident, record=record))  # type: ignore[arg-type]  # fmt: skip
        store.apply(change, select=everything(change))

    @rule(at=MACHINES, same=st.booleans())
    def capture(self, at: int, same: bool) -> None:
        self.machines[at].capture("Always said alike, by all." if same else self.says())

    @rule(at=MACHINES)
    def note(self, at: int) -> None:
        path = self.machines[at].root / "notes" / "scratchpad.md"
        path.parent.mkdir(exist_ok=True)
        with path.open("a") as file:
            file.write(f"- {self.says()}\n")

    @rule(at=MACHINES)
    def undo(self, at: int) -> None:
        with contextlib.suppress(InputError):
            self.machines[at].store.undo()

    @rule(at=MACHINES, which=st.integers(0, 30))
    def purge(self, at: int, which: int) -> None:
        if ident := self._record(at, which):
            self.machines[at].purge(ident)
            self.purged |= self.words.get(ident, set())

    @rule(at=MACHINES, push=st.booleans())
    def sync(self, at: int, push: bool) -> None:
        with contextlib.suppress(PurgeNotPushed):
            self.machines[at].sync(push=push)

    @rule(at=MACHINES, step=st.integers(1, 90))
    def die(self, at: int, step: int) -> None:
        with contextlib.suppress(Crash, PurgeNotPushed), dying(step):
            self.machines[at].sync(push=True)
        (self.machines[at].root / ".git" / "index.lock").unlink(missing_ok=True)

    def _record(self, at: int, which: int) -> str | None:
        state = self.machines[at].store.state
        known = sorted(ident for ident in state.records if ident not in state.purged)
        return known[which % len(known)] if known else None

    def teardown(self) -> None:
        try:
            self._agree()
        finally:
            for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
                os.environ.pop(name, None)
            os.environ.update(self.kept)
            shutil.rmtree(self.folder)

    def _agree(self) -> None:
        for _ in range(4):
            for one in self.machines:
                one.sync(push=True)
            if len({one.git("rev-parse", "main") for one in self.machines}) == 1:
                break
        first = self.machines[0].bytes()
        for one in self.machines:
            assert one.bytes() == first, f"{one.name} differs"
            assert one.store.verify() == []
            assert one.git("status", "--porcelain") == ""
            assert holds(one.root, self.purged) == set(), one.name
        git(self.remote, "gc", "-q", "--prune=now")
        assert holds(self.remote, self.purged) == set()
