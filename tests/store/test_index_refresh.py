"""The index follows the logs: it reads new tails only, and is built anew at any doubt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from store.index import schema
from store.index.lookup import Lookup
from store.index.refresh import catch_up, refreshed
from store.line import canonical, digest
from tests.curate.recalling import add, line


def found(root: Path, text: str) -> list[str]:
    lookup = Lookup.open(root)
    hits, _ = lookup.hits(text, mode="keyword", limit=10)
    lookup.db.close()
    return [hit["id"] for hit in hits]


def file_of(root: Path) -> Path:
    return next((root / "memory" / "projects").glob("*.jsonl"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return add(tmp_path / "store", {"id": "a", "statement": "Use pnpm."}, {"id": "b", "statement": "Sort imports."})


def test_new_lines_are_taken_in_without_a_new_build(root: Path):
    assert found(root, "imports") == ["b"]
    before = schema.current(str(root))
    add(root, {"id": "c", "statement": "Imports go first."})
    assert set(found(root, "imports")) == {"b", "c"}
    add(root, {"id": "d", "statement": "Global imports.", "scope": {"type": "global"}})  # a file that was not there
    assert set(found(root, "imports")) == {"b", "c", "d"}
    assert schema.current(str(root)) == before


def test_a_later_revision_takes_the_place_of_the_earlier(root: Path):
    assert found(root, "pnpm") == ["a"]
    first = file_of(root).read_bytes().split(b"\n")[0]
    later = line({"id": "a", "statement": "Use bun."}, rev=2, parent=digest(first))
    with file_of(root).open("ab") as file:
        file.write(later + b"\n")
    assert found(root, "pnpm") == []
    assert found(root, "bun") == ["a"]


def test_the_order_of_lines_does_not_matter(tmp_path: Path):
    first = line({"id": "a", "statement": "Use pnpm."})
    later = line({"id": "a", "statement": "Use bun."}, rev=2, parent=digest(first))
    for name, lines in (("one", [first, later]), ("other", [later, first])):
        path = tmp_path / name / "memory" / "global.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"".join(each + b"\n" for each in lines))
        assert found(tmp_path / name, "bun") == ["a"]
        assert found(tmp_path / name, "pnpm") == []


def test_a_fork_is_contested(root: Path):
    first = file_of(root).read_bytes().split(b"\n")[0]
    for statement in ("Use bun.", "Use yarn."):
        refreshed(root).close()
        with file_of(root).open("ab") as file:
            file.write(line({"id": "a", "statement": statement}, rev=2, parent=digest(first)) + b"\n")
    db = refreshed(root)
    assert db.execute("SELECT status FROM record JOIN bucket USING (bucket) WHERE id = 'a'").fetchall() == [
        ("contested",)
    ]


def test_a_plan_that_is_durable_counts_before_it_is_carried_out(root: Path):
    refreshed(root).close()
    data = {
        "schema": "1.0",
        "id": "c",
        "rev": 1,
        "op": "add",
        "at": "x",
        "statement": "Imports go first.",
        "scope": {"type": "global"},
    }
    opening = {"schema": "1.0", "patch_id": "pat_1", "phase": "applying", "at": "2026-11-29T00:00:00Z",
               "revisions": [{"file": "memory/global.jsonl", "line": data}]}  # fmt: skip
    log = root / "patches" / "2026-11.jsonl"
    log.parent.mkdir()
    log.write_bytes(canonical(opening) + b"\n")
    assert set(found(root, "imports")) == {"b", "c"}
    (root / "memory" / "global.jsonl").write_bytes(canonical(data) + b"\n")
    with log.open("ab") as file:
        file.write(canonical({**opening, "phase": "applied", "revisions": None}) + b"\n")
    assert set(found(root, "imports")) == {"b", "c"}


def test_rewritten_logs_are_read_from_the_start(root: Path):
    assert found(root, "pnpm") == ["a"]
    path = file_of(root)
    draft = path.with_suffix(".draft")
    draft.write_bytes(line({"id": "z", "statement": "Sort imports twice."}) + b"\n")
    draft.replace(path)
    assert found(root, "imports") == ["z"]
    assert found(root, "pnpm") == []


def test_purged_words_are_in_no_file_of_the_index(root: Path):
    refreshed(root).close()
    path = file_of(root)
    draft = path.with_suffix(".draft")
    draft.write_bytes(path.read_bytes().replace(b"Use pnpm.", b"(purged)"))
    draft.replace(path)
    refreshed(root).close()
    assert not any(b"pnpm" in each.read_bytes() for each in (root / "index").iterdir())


@pytest.mark.parametrize("harm", ["garbage", "empty", "foreign", "half", "gone", "dangling"])
def test_a_broken_index_is_built_anew(root: Path, harm: str):
    refreshed(root).close()
    path = Path(schema.current(str(root)) or "")
    if harm == "garbage":
        path.write_bytes(os.urandom(40_000))
    elif harm == "empty":
        path.write_bytes(b"")
    elif harm == "foreign":
        db = schema.sqlite.connect(str(path), isolation_level=None)
        db.execute("UPDATE meta SET value = '999' WHERE key = 'version'")
        db.close()
    elif harm == "half":
        path.write_bytes(path.read_bytes()[:20_000])
    elif harm == "gone":
        path.unlink()
    else:
        (root / "index" / schema.CURRENT).write_text("../../etc/passwd\n")
    assert found(root, "imports") == ["b"]


def test_a_bad_line_costs_only_itself(root: Path):
    with file_of(root).open("ab") as file:
        file.write(b'{"schema":"1.0","id":7}\nnot json\n' + line({"id": "c", "statement": "Imports go first."}) + b"\n")
    assert set(found(root, "imports")) == {"b", "c"}


def test_many_processes_may_write_and_read_at_once(root: Path):
    program = (
        "import sys; from pathlib import Path\n"
        "from store.index.lookup import Lookup\nfrom tests.curate.recalling import add\n"
        "root, me = Path(sys.argv[1]), sys.argv[2]\n"
        "for n in range(6):\n"
        "    add(root, {'id': f'{me}-{n}', 'statement': f'Imports rule {me} {n}.', 'scope': {'type': 'global'}})\n"
        "    hits, _ = Lookup.open(root).hits('imports', mode='hybrid', limit=100)\n"
        "    assert f'{me}-{n}' in {hit['id'] for hit in hits}, (me, n)\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(root), f"p{n}"]) for n in range(3)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    db = refreshed(root)
    assert db.execute("SELECT count(*) FROM record").fetchone() == (20,)
    assert db.execute("SELECT value FROM meta WHERE key = 'records'").fetchone() == (20,)
    assert not catch_up(db, root)


def test_an_index_caught_up_is_an_index_built_anew(root: Path):
    refreshed(root).close()
    for number in range(30):
        add(
            root,
            {
                "id": f"n{number}",
                "statement": f"Rule {number} on widgets.",
                "applies_when": ["widgets"] if number % 2 else [],
            },
        )
        refreshed(root).close()
    first = file_of(root).read_bytes().split(b"\n")[5]
    with file_of(root).open("ab") as file:
        file.write(line({"id": "n3", "statement": "Another one."}, rev=2, parent=digest(first)) + b"\n")
    late = tables(root)
    (root / "index" / schema.CURRENT).unlink()
    assert tables(root) == late


def tables(root: Path) -> dict[str, list[object]]:
    db = refreshed(root)
    queries = {
        "record": "SELECT id, rev, hex(hash), hard, gist, terms FROM record ORDER BY id",
        "bucket": "SELECT key, count, conditional FROM bucket WHERE count > 0 ORDER BY key",
        "piece": "SELECT piece, count FROM piece WHERE count > 0 ORDER BY piece",
        "term": "SELECT term, count FROM term WHERE count > 0 ORDER BY term",
        "chunk": "SELECT sum(count) FROM chunk",
        "condition": "SELECT text, kind, id FROM condition JOIN phrase USING (phrase) JOIN record USING (n) "
        "ORDER BY 1, 2, 3",
    }
    return {name: db.execute(query).fetchall() for name, query in queries.items()}


def test_without_fts_terms_are_counted(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(schema, "WORDS", "CREATE VIRTUAL TABLE words USING no_such_module (terms)")
    assert found(root, "imports please") == ["b"]
    first = file_of(root).read_bytes().split(b"\n")[1]
    with file_of(root).open("ab") as file:
        file.write(line({"id": "b", "statement": "Group exports."}, rev=2, parent=digest(first)) + b"\n")
    assert found(root, "imports") == []
    assert found(root, "exports") == ["b"]
