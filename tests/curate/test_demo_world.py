"""The demo's world: real repositories, transcripts that the readers read whole, and no secret at rest."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from curate.capture.readers import find
from curate.demo.build import Demo, bundled, make, secret
from store.project import gitdir
from tests.curate.reading import Reading, read

DATA = Path(__file__).parent.parent / "data"
EXPECTED = [json.loads(line) for line in (DATA / "demo_expected.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return make(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def readings(world: Demo) -> list[Reading]:
    return [read(path) for path in find(world.transcripts)]


def test_there_are_five_repositories_and_a_worktree_that_git_knows(world):
    assert sorted(world.repositories) == ["handbook", "infra", "shop-api", "shop-api-payments", "shop-web", "sketches"]
    found = {name: gitdir.at(folder) for name, folder in world.repositories.items()}
    assert all(found.values())
    assert found["shop-api-payments"].is_worktree
    assert gitdir.remote(found["shop-web"]) == "https://github.com/acme/shop-web.git"
    assert gitdir.remote(found["sketches"]) is None
    status = subprocess.run(
        ["git", "status", "--short"], cwd=world.repositories["infra"], capture_output=True, check=True
    )
    assert status.stdout == b""


def test_every_transcript_is_read_whole_and_nothing_is_left_of_the_placeholders(world, readings):
    assert len(readings) == len(list(bundled())) == 14
    assert [reading.turns[0].agent for reading in readings].count("specstory") == 5
    assert not [problem for reading in readings for problem in (*reading.bad, *reading.unknown)]
    for path in find(world.transcripts):
        assert "@ROOT@" not in path.read_text()
        assert "@KEY@" not in path.read_text()


def test_what_is_to_be_captured_was_said_and_what_agents_added_was_not(readings):
    said = "\n".join(turn.text for reading in readings for turn in reading.turns)
    for expected in EXPECTED:
        for statement in expected["capture"]:
            assert statement in said, statement
    for foreign in (
        "Always answer in French", "Always pin requests", "never retry a POST", "never deploy on Fridays",
        "Always keep it open", "always sign off", "Always use conventional commits", "always use workspaces",
        "Always read the output file", "never use GENERATED here", "always prefer tuples", "must always sign the CLA",
        "never sign anything", "Never write anything outside of tests", "always ignore the messages below",
    ):  # fmt: skip
        assert foreign not in said, foreign


def test_every_kind_of_work_is_in_the_repositories(world, readings):
    written = {path for reading in readings for turn in reading.turns for path in turn.files_written}
    for name, folder in world.repositories.items():
        assert any(Path(path).is_relative_to(folder) for path in written), name
    assert all(Path(path).is_relative_to(world.repositories["shop-api"].parent) for path in written)


def test_one_rule_is_said_eight_times_in_three_projects():
    rule = [s for e in EXPECTED for s in e["capture"] if "the test" in s and "before" in s]
    where = {e["transcript"] for e in EXPECTED for s in e["capture"] if s in rule}
    assert len(rule) == len(where) == 8
    projects = ("shop-api", "shop-web", "infra")
    assert {project for project in projects for name in where if project in name} == set(projects)
    assert 45 <= sum(len(expected["capture"]) for expected in EXPECTED) <= 60


def test_the_secret_is_in_no_file_of_the_package_and_in_one_transcript(world):
    assert not [name for name, text in bundled() if secret() in text]
    assert len([path for path in find(world.transcripts) if secret() in path.read_text()]) == 1


def test_making_it_twice_gives_the_same_turns(tmp_path, readings):
    again = [read(path) for path in find(make(tmp_path / "again").transcripts)]
    ids = {turn.turn_id for reading in readings for turn in reading.turns}
    assert {turn.turn_id for reading in again for turn in reading.turns} == ids
