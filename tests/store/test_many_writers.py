"""Several processes write at once: nothing is lost, nothing is doubled, and readers never see half a batch."""

from __future__ import annotations

import collections
import contextlib
import os
import subprocess
import sys
from pathlib import Path

from store.layout import Layout
from store.log.reader import Reader
from store.model import Op
from tests.store.logkit import open_store, patch, seeded

WRITERS, CAPTURES, BATCHES = 8, 500, 40
ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}


def start(*arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.store.writer_process", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, env=ENVIRONMENT)


def test_eight_capturing_processes_and_one_applying_batches_lose_and_double_nothing(tmp_path: Path) -> None:
    root = tmp_path / "store"
    seeded(root)
    writers = [start("capture", root, f"w{number}", CAPTURES) for number in range(WRITERS)]
    writers.append(start("apply", root, "batches", BATCHES))
    reader = Reader(Layout(root))
    sizes = set()
    while any(writer.poll() is None for writer in writers):
        reader.refresh()
        sizes.add(len(reader.state.records))
        running = next((writer for writer in writers if writer.poll() is None), writers[0])
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(0.02)
    for writer in writers:
        _, said = writer.communicate()
        assert writer.returncode == 0, said.decode()
    assert {size % 10 for size in sizes} == {1}, "a reader saw part of a batch"
    assert len(sizes) > 3
    store = open_store(root, start=9000)
    statements = collections.Counter(one.data["statement"] for one in store.state.candidates.values())
    mine = {text: count for text, count in statements.items() if "of writer" in text}
    assert len(mine) == WRITERS * CAPTURES
    assert set(mine.values()) == {1}
    assert len(store.state.records) == 1 + BATCHES * 10
    assert len(store.state.evidence) == 3 + WRITERS * CAPTURES
    assert store.verify() == []
    lines = (root / "inbox/candidates.jsonl").read_bytes().split(b"\n")[:-1]
    assert len(lines) == len(set(lines))


def test_stores_made_by_several_processes_at_once_and_pages_written_by_several(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from store.store import Store\n"
        "store = Store.open(Path(sys.argv[1]), create=True)\n"
        "sys.stdin.readline()\n"
        "for number in range(20):\n"
        "    (store.root / 'config.yaml').unlink(missing_ok=True); Store.open(store.root, create=True)\n"
        "    (store.root / 'rendered' / 'MEMORY.md').unlink(missing_ok=True); store.materialise()\n"
    )
    open_store(tmp_path / "store", create=True).apply(
        patch("pat_1", Op(op_id="a", op="add", record={"statement": "Use tabs.", "scope": {"type": "global"}})),
        select=["a"],
    )
    command = [sys.executable, "-c", code, str(tmp_path / "store")]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=ENVIRONMENT)
        for _ in range(4)
    ]  # fmt: skip
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate()[1] for process in running] == ["", "", "", ""]
    assert open_store(tmp_path / "store").verify() == []
    assert not list((tmp_path / "store").rglob("*.tmp"))
