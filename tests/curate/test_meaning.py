"""Searching by meaning with others: Qdrant in its local mode and over HTTP, qmd as a command; and without them."""

from __future__ import annotations

import json
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from curate.cli.app import app
from curate.recall.building import bring_up_to_date
from curate.recall.meaning import bring_in_step, semantic_of
from curate.recall.planner import plan
from curate.recall.settings import MeaningSettings
from curate.recall.turn import request_for
from store.index import knowledge, qdrant_local
from store.index.qdrant import Http, Qdrant
from store.index.qdrant_local import Local
from store.index.refresh import refreshed
from store.index.semantic import Patience, Unavailable
from tests.curate.knowing import OBSERVATIONS, furnished, know, observation
from tests.curate.model_server import dripping, raw, serving, silent
from tests.curate.recalling import TODAY, add, checkout

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pytest.importorskip("qdrant_client")

ASKED = "fix the invoice parser"
RECORD = {"id": "mem_a", "statement": "The invoice parser rounds half up.", "confidence": 0.6}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return add(furnished(tmp_path / "store"), RECORD, {"id": "mem_b", "statement": "Deploy from main on Fridays."})


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    opened = Local(str(tmp_path / "qdrant"))
    yield opened
    opened.close()


def set_up(root: Path, kind: str, **more: Any) -> None:
    lines = "".join(f"    {name}: {json.dumps(value)}\n" for name, value in more.items())
    (root / "config.yaml").write_text(f"recall:\n  semantic: {kind}\n  semantic_timeout_s: 5\n  {kind}:\n{lines}")


def both(root: Path) -> Any:
    return refreshed(root), knowledge.refreshed(root)


def told(root: Path, **more: Any) -> Any:
    db = refreshed(root)
    shop = root.parent / "shop"
    folder = str(shop if shop.exists() else checkout(shop))
    return plan(db, request_for(db, str(root), ASKED, folder=folder, today=TODAY, layout="knowledge", **more))


def notes(answer: Any) -> list[str]:
    return [stage.note for stage in answer.stages if stage.name in {"search", "knowledge_search"}]


@contextmanager
def qdrant_over_http(local: Local) -> Iterator[str]:
    """Qdrant's HTTP interface, as far as we speak it, before the real client in its local mode."""
    one = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            return

        def answer(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size) or b"null")
            with one:
                result = local.call(self.command, self.path, body)
            data = json.dumps({"result": result, "status": "ok"}, default=str).encode()
            self.send_response(404 if result is None else 200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_PUT = do_POST = answer  # noqa: N815 - the library's names

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.filterwarnings("ignore")
def test_qdrant_finds_over_http_what_the_table_finds(root: Path, local: Local):
    before = told(root)
    with qdrant_over_http(local) as url:
        set_up(root, "qdrant", url=url)
        assert "it has no collection curate_insights; `curate reindex` makes it" in notes(told(root))[0]
        bring_up_to_date(root)
        answer = told(root)
    assert notes(answer) == ["hybrid, weighted, qdrant"] * 2
    assert [entry.id for entry in answer.entries] == [entry.id for entry in before.entries]
    assert [entry.relevance for entry in answer.entries] == pytest.approx(
        [entry.relevance for entry in before.entries], abs=0.02
    )


@pytest.mark.filterwarnings("ignore")
def test_what_changed_is_sent_and_what_is_gone_is_pruned(root: Path, local: Local):
    qdrant = Qdrant(local, "curate_")
    db, known = both(root)
    first = bring_in_step(str(root), qdrant, db, known, whole=True, prune=True)
    assert first.document() == {"written": 5, "unchanged": 0, "removed": 0, "stale": 0}
    assert set(qdrant.known()) == {"mem_a", "mem_b", "obs_a", "dig_a", "ent_a"}
    know(root, OBSERVATIONS, observation("obs_b", "write the invoice"))
    path = root / "knowledge" / "digests.jsonl"
    path.write_bytes(b"")
    db, known = both(root)
    second = bring_in_step(str(root), qdrant, db, known, whole=False, prune=False)
    assert second.document() == {"written": 1, "unchanged": 4, "removed": 0, "stale": 1}
    third = bring_in_step(str(root), qdrant, db, known, whole=True, prune=True)
    assert third.document() == {"written": 0, "unchanged": 5, "removed": 1, "stale": 0}
    assert "dig_a" not in qdrant.known()
    point = local.call("POST", "/collections/curate_insights/points/scroll", {"limit": 9})["points"][0]
    assert set(point["payload"]) == {"id", "mark", "tier"}  # no words


@pytest.mark.filterwarnings("ignore")
def test_an_empty_source_prunes_nothing(root: Path, local: Local, tmp_path: Path):
    qdrant = Qdrant(local, "curate_")
    bring_in_step(str(root), qdrant, *both(root), whole=True, prune=True)
    empty = tmp_path / "empty"
    (empty / "index").mkdir(parents=True)
    sent = bring_in_step(str(empty), qdrant, refreshed(empty), None, whole=True, prune=True)
    assert (sent.dropped, sent.stale) == (0, 5)
    assert len(qdrant.known()) == 5


@pytest.mark.filterwarnings("ignore")
def test_the_local_mode_by_the_settings(root: Path, tmp_path: Path):
    folder = str(tmp_path / "points")
    set_up(root, "qdrant", path=folder)
    try:
        done = CliRunner().invoke(app, ["--home", str(root), "reindex", "--prune", "--json"])
        assert json.loads(done.stdout)["qdrant"]["written"] == 5
        done = CliRunner().invoke(app, ["--home", str(root), "search", ASKED, "--json"])
        answer = json.loads(done.stdout)
        assert (answer["hits"][0]["id"], answer["meaning"]) == ("mem_a", "qdrant")
    finally:
        qdrant_local.local(folder).close()
    hurried = told(root, leave_by=time.monotonic() + 1)
    assert "its local mode is not for the hook, so the table in the package" in notes(hurried)[0]
    assert hurried.entries


def test_one_that_is_down_or_slow_costs_nothing_but_its_time(root: Path):
    before = [entry.id for entry in told(root).entries]
    with serving() as server:
        for reply, why in (
            (raw(b"{}", 500), "HTTP 500"),
            (raw(b"[]"), "its answer is not Qdrant's"),
            (silent, "no answer within"),
            (dripping, "no answer within"),
        ):
            server.answers(reply)
            set_up(root, "qdrant", url=server.url)
            started = time.monotonic()
            answer = told(root, leave_by=time.monotonic() + 0.3)
            assert time.monotonic() - started < 1.5
            assert why in notes(answer)[0]
            assert reply is not silent or "has no time left" in notes(answer)[1]
            assert [entry.id for entry in answer.entries] == before
    set_up(root, "qdrant", url="http://127.0.0.1:1")
    assert "not reachable" in notes(told(root))[0]
    bring_up_to_date(root)
    assert "qdrant: not reachable" in (root / "logs" / "hook.log").read_text("utf-8")
    done = CliRunner().invoke(app, ["--home", str(root), "reindex"])
    assert done.exit_code == 0
    assert "the table in the package answers" in done.stderr
    with pytest.raises(Unavailable, match="no address of HTTP"):
        Http("ftp://x", "", Patience(1.0)).call("GET", "/")


QMD = """
import json, os, sys
here = os.path.dirname(__file__)
args = sys.argv[1:]
with open(os.path.join(here, "calls"), "a") as log:
    log.write(" ".join(args[:2]) + "\\n")
place = os.path.join(here, "place")
if args[:2] == ["collection", "show"]:
    sys.exit(0 if os.path.exists(place) else 1)
if args[:2] == ["collection", "add"]:
    open(place, "w").write(args[2])
if args[0] == "vsearch":
    assert args[1:3] == ["--json", "-n"] and args[4:7] == ["-c", "curate", "--"], args
    rows = []
    for folder, _, names in os.walk(open(place).read()):
        for name in sorted(names):
            text = open(os.path.join(folder, name)).read()
            if "parser" in text:
                title = text.splitlines()[0].lstrip("# ")
                rows.append({"docid": "#1", "score": 0.7, "file": f"qmd://curate/{name}", "title": title})
    print("warming up\\n" + json.dumps(rows))
"""
"""What qmd does, as far as it is asked: it takes folders, and names the files that are about a text."""


@pytest.fixture
def qmd(tmp_path: Path) -> list[str]:
    program = tmp_path / "qmd" / "qmd.py"
    program.parent.mkdir()
    program.write_text(QMD)
    return [sys.executable, str(program)]


def test_qmd_gets_a_file_for_each_and_is_asked(root: Path, qmd: list[str]):
    set_up(root, "qmd", command=qmd)
    bring_up_to_date(root)
    assert (root / "index" / "qmd" / "insights" / "mem_a.md").read_text("utf-8").startswith("# mem_a insights\n")
    answer = told(root)
    assert notes(answer) == ["hybrid, weighted, qmd"] * 2
    assert {entry.id for entry in answer.entries} == {"mem_a", "obs_a", "dig_a", "ent_a"}
    calls = (Path(qmd[1]).parent / "calls").read_text().splitlines()
    assert calls[:4] == ["collection show", "collection add", "update", "embed"]
    bring_up_to_date(root)
    settings = MeaningSettings({"recall.semantic": "qmd", "recall.qmd.command": "x"})
    semantic = semantic_of(str(root), settings)
    assert semantic is not None
    assert set(semantic.known()) == {"mem_a", "mem_b", "obs_a", "dig_a", "ent_a"}


def test_without_qmd_the_table_answers(root: Path, qmd: list[str]):
    before = [entry.id for entry in told(root).entries]
    for command, why in (
        (["no-such-qmd"], "cannot be started"),
        ([sys.executable, "-c", "raise SystemExit(3)"], "exit code 3"),
        ([sys.executable, "-c", "print('no')"], "not JSON"),
        ([sys.executable, "-c", "import time; time.sleep(9)"], "no answer within"),
    ):
        set_up(root, "qmd", command=command)
        answer = told(root, leave_by=time.monotonic() + 0.4)
        assert why in notes(answer)[0]
        assert notes(answer)[0].endswith("so the table in the package")
        assert [entry.id for entry in answer.entries] == before
