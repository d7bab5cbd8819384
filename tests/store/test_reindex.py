"""Reading everything again: what is there stays found meanwhile, what is gone goes when asked, nothing is emptied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from curate.cli.app import app
from store.index import knowledge, refresh, schema
from store.index.lookup import Lookup
from store.index.reindex import EmptySource, reindex
from store.knowledge.lines import FILES, OBSERVATIONS
from tests.curate.knowing import furnished, know, observation
from tests.curate.recalling import add


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = add(furnished(tmp_path), {"id": "mem_a", "statement": "Use pnpm for installs."})
    know(root, OBSERVATIONS, observation("obs_b", "install with pnpm"))
    refresh.refreshed(root).close()
    knowledge.refreshed(root).close()
    return root


def ids(root: Path) -> set[str]:
    path = schema.current(str(root), schema.KNOWLEDGE)
    assert path is not None
    db = schema.connect(path)
    try:
        return {row[0] for row in db.execute("SELECT id FROM source")}
    finally:
        db.close()


def without_first_observation(root: Path) -> None:
    path = root / FILES[OBSERVATIONS]
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[1])


def test_it_reads_everything_and_finds_it_as_before(root: Path):
    before = Lookup.open(root).hits("pnpm", mode="hybrid", limit=5)
    done = reindex(root, prune=False)
    assert (done.records, done.records_gone) == (1, 0)
    assert done.knowledge["observations"] == {"written": 0, "unchanged": 2, "removed": 0, "stale": 0}
    assert Lookup.open(root).hits("pnpm", mode="hybrid", limit=5) == before


def test_what_the_logs_no_longer_have_goes_only_with_prune(root: Path):
    without_first_observation(root)
    assert reindex(root, prune=False).knowledge["observations"]["stale"] == 1
    assert "obs_a" in ids(root)
    assert reindex(root, prune=True).knowledge["observations"]["removed"] == 1
    assert ids(root) == {"obs_b", "dig_a", "ent_a"}


def test_it_refuses_an_empty_source_and_changes_nothing(root: Path):
    held = ids(root)
    for name in FILES.values():
        (root / name).write_bytes(b"")
    for prune in (False, True):
        with pytest.raises(EmptySource, match="nothing was changed"):
            reindex(root, prune=prune)
    assert ids(root) == held
    memory = root / "memory" / "projects"
    for path in memory.iterdir():
        path.unlink()
    with pytest.raises(EmptySource):
        reindex(root, prune=True)


def test_those_who_search_meanwhile_find_what_was_there(root: Path, monkeypatch: pytest.MonkeyPatch):
    found: list[int] = []
    real = schema.publish

    def watched(*args: str) -> None:
        path = schema.current(str(root))
        assert path is not None
        found.append(schema.connect(path).execute("SELECT count(*) FROM record").fetchone()[0])
        real(*args)

    monkeypatch.setattr(schema, "publish", watched)
    reader = sorted((root / schema.FOLDER).glob("knowledge-*.sqlite"))
    reindex(root, prune=True)
    assert found == [1]
    assert sorted((root / schema.FOLDER).glob("knowledge-*.sqlite")) == reader  # changed in place, in a transaction


def test_a_broken_index_is_made_anew(root: Path):
    for kind in (schema.RECORDS, schema.KNOWLEDGE):
        path = schema.current(str(root), kind)
        assert path is not None
        Path(path).write_bytes(b"no database" * 3000)
    assert reindex(root, prune=True).records == 1
    assert ids(root) == {"obs_a", "obs_b", "dig_a", "ent_a"}


def test_the_command_says_what_it_read(root: Path):
    done = CliRunner().invoke(app, ["--home", str(root), "reindex", "--prune", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["knowledge"]["digests"]["unchanged"] == 1
    without_first_observation(root)
    told = CliRunner().invoke(app, ["--home", str(root), "reindex"]).stdout
    assert "1 record read" in told
    assert "1 stale" in told
    assert "--prune" in told
