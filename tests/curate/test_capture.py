"""A scan takes what should hold from now on, once, with its evidence, and remembers how far it came."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from curate.capture.found import NotATranscript, NoTranscripts, UnknownAgent
from store.errors import PathMissing
from store.log.quarantine import entries
from store.model import Op, Patch
from store.store import Store
from tests.curate.scanning import Session, evidence_of, open_store, raw_bytes, scan, waiting
from tests.store.repositories import repository

RULE = "Never use npm in this repo, always use pnpm."
OTHER = "From now on always run the linter before you say you are done."


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "work" / "shop", "git@github.com:acme/shop.git")


@pytest.fixture
def session(tmp_path: Path, shop: Path) -> Session:
    return Session(tmp_path / "t" / "s1.jsonl", shop)


def test_a_statement_comes_with_all_that_a_reviewer_needs(store: Store, session: Session, shop: Path):
    file = session.says(f"Thanks. {RULE} Then fix the import.", wrote=(shop / "a.ts",)).save()
    report = scan(store, file)
    assert (report.files, report.turns, report.created) == (1, 1, 1)
    (candidate,) = waiting(store)
    assert candidate.statement == RULE
    assert candidate.targets == ["github.com/acme/shop"]
    assert candidate.scope.project == "github.com/acme/shop"
    assert candidate.scope_reason
    assert 0 < candidate.confidence <= 1
    assert candidate.status == "waiting"
    (evidence,) = evidence_of(store, candidate)
    assert evidence.statement_span is not None
    assert evidence.excerpt[slice(*evidence.statement_span)] == RULE
    assert all(evidence.excerpt[start:end] for start, end in evidence.cues)
    assert evidence.cues
    assert (evidence.agent, evidence.session, evidence.turn) == ("claude-code", "s1", "s1-u1")
    assert (evidence.time, evidence.line) == ("2026-11-20T10:01:00Z", 1)
    assert (evidence.path, evidence.cwd) == (str(file), str(shop))
    assert evidence.projects == ["github.com/acme/shop"]
    assert evidence.trust in {"direct_user_instruction", "user_correction"}
    assert store.verify() == []


def test_a_long_message_keeps_the_part_around_the_statement(store: Store, session: Session):
    filler = "The importer reads the file and shows a table of orders. " * 40
    scan(store, session.says(f"{filler}\n\n{RULE}\n\n{filler}").save())
    (candidate,) = waiting(store)
    (evidence,) = evidence_of(store, candidate)
    assert len(evidence.excerpt) <= 1000
    assert evidence.statement_span is not None
    assert evidence.excerpt[slice(*evidence.statement_span)] == RULE


def test_a_turn_is_read_once_however_often_it_is_scanned(store: Store, session: Session, tmp_path: Path):
    file = session.says(RULE).save()
    scan(store, file)
    before = raw_bytes(tmp_path / "store")
    for _ in range(3):
        again = scan(store, file)
        assert (again.created, again.reinforced, again.bytes_read, again.unchanged) == (0, 0, 0, 1)
    assert raw_bytes(tmp_path / "store") == before


def test_only_what_is_new_is_read(store: Store, session: Session):
    scan(store, session.says(RULE).save())
    size = session.path.stat().st_size
    session.says(OTHER)
    report = scan(store, session.save())
    assert (report.created, report.turns) == (1, 1)
    assert report.bytes_read == session.path.stat().st_size - size


def test_without_checkpoints_nothing_doubles(store: Store, session: Session, tmp_path: Path):
    file = session.says(RULE).says(OTHER).save()
    scan(store, file)
    (tmp_path / "store" / "checkpoints.jsonl").unlink()
    again = scan(store, file)
    assert (again.created, again.reinforced, again.known) == (0, 0, 2)


def test_a_rewritten_a_rotated_and_a_copied_transcript_double_nothing(store: Store, session: Session, tmp_path: Path):
    file = session.says(RULE).says("thanks").save()
    scan(store, file)
    session.records.insert(0, {"type": "summary", "summary": "x", "leafUuid": "1"})
    scan(store, session.save())
    fork = tmp_path / "t" / "s2.jsonl"
    shutil.copy(file, fork)
    with fork.open("a") as more:
        more.write(json.dumps(Session(fork, session.cwd).says(OTHER).records[0]) + "\n")
    rotated = file.rename(tmp_path / "t" / "old.jsonl")
    report = scan(store, fork, rotated)
    assert (report.created, report.reinforced) == (1, 0)
    assert [len(candidate.evidence) for candidate in waiting(store)] == [1, 1]


def test_said_again_in_another_session_is_one_candidate(store: Store, tmp_path: Path, shop: Path):
    for number in range(3):
        scan(store, Session(tmp_path / "t" / f"s{number}.jsonl", shop).says(RULE, wrote=(shop / "a",)).save())
    (candidate,) = waiting(store)
    assert len(candidate.evidence) == 3
    assert candidate.trust == "repeated_user_preference"


def test_rejected_things_do_not_come_back(store: Store, session: Session, tmp_path: Path, shop: Path):
    scan(store, session.says(RULE, wrote=(shop / "a",)).save())
    (candidate,) = waiting(store)
    op = Op(op_id="op_1", op="reject_candidate", target_id=candidate.id, candidate_ids=[candidate.id], reason="no")
    store.apply(Patch(patch_id="pat_1", created_at="2026-11-29T12:00:00.000Z", ops=[op]), select=["op_1"])
    assert waiting(store) == []
    again = Session(tmp_path / "t" / "s9.jsonl", shop).says(RULE, wrote=(shop / "b",)).save()
    report = scan(store, again)
    assert (report.created, report.tombstoned) == (0, 1)
    assert waiting(store) == []


def test_a_turn_scanned_while_the_agent_works_gets_its_other_repositories_later(
    store: Store, session: Session, tmp_path: Path, shop: Path
):
    web = repository(tmp_path / "work" / "web", "git@github.com:acme/web.git")
    rule = "We always use pnpm, never npm."
    scan(store, session.says(rule, wrote=(shop / "a.ts",)).save())
    assert [one.targets for one in waiting(store)] == [["github.com/acme/shop"]]
    session.records += Session(session.path, session.cwd).says("x", wrote=(web / "b.ts",)).records[1:]
    report = scan(store, session.save())
    assert (report.created, report.reinforced, report.known) == (0, 0, 1)
    (candidate,) = waiting(store)
    assert candidate.targets == ["github.com/acme/shop", "github.com/acme/web"]
    assert candidate.scope.project is None
    assert "web" in (candidate.scope_reason or "")
    assert store.verify() == []


def test_several_modified_repositories_are_several_targets_of_one_candidate(
    store: Store, session: Session, tmp_path: Path, shop: Path
):
    web = repository(tmp_path / "work" / "web", "git@github.com:acme/web.git")
    said = "Commit messages always start with the ticket number, never without one."
    scan(store, session.says(said, wrote=(shop / "a", web / "b")).save())
    (candidate,) = waiting(store)
    assert candidate.targets == ["github.com/acme/shop", "github.com/acme/web"]
    assert {"github.com/acme/shop", "github.com/acme/web"} <= set(store.state.projects)


def test_the_session_up_to_there_counts_even_when_it_was_read_before(store: Store, session: Session, shop: Path):
    scan(store, session.says("fix the import", wrote=(shop / "a",)).save())
    scan(store, session.says("Every module always has a test file beside it, never in tests/.").save())
    (candidate,) = waiting(store)
    assert candidate.targets == ["github.com/acme/shop"]


def test_a_dry_run_counts_as_the_real_one_would_and_writes_nothing(tmp_path: Path, shop: Path):
    for number in range(2):
        Session(tmp_path / "t" / f"s{number}.jsonl", shop).says(RULE, wrote=(shop / "a",)).save()
    store = Store.open(tmp_path / "nowhere")
    report = scan(store, tmp_path / "t", dry_run=True)
    assert (report.created, report.reinforced) == (1, 1)
    assert not (tmp_path / "nowhere").exists()
    real = scan(open_store(tmp_path / "store"), tmp_path / "t")
    assert (real.created, real.reinforced) == (1, 1)


def test_what_was_left_out_for_its_age_is_found_later(store: Store, session: Session):
    file = session.says(RULE).save()
    assert scan(store, file, since="2026-11-25T00:00:00.000Z").created == 0
    assert scan(store, file).created == 1


def test_an_interruption_costs_a_second_reading_and_nothing_else(
    store: Store, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for number in range(6):
        session.says(f"Never edit files under generated{number}/ by hand, change the template instead.")
    file = session.save()
    monkeypatch.setattr("curate.capture.capture.BATCH", 2)
    taken: list[Any] = []

    def stop(done: int, total: int, what: object) -> None:
        del done, total, what
        taken.append(1)
        if len(taken) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr("curate.capture.capture.TICK", 1)
    with pytest.raises(KeyboardInterrupt):
        scan(store, file, progress=stop)
    fresh = open_store(tmp_path / "store")
    held = len(waiting(fresh))
    assert 0 < held < 6
    assert fresh.verify() == []
    report = scan(fresh, file)
    assert (report.created, report.known) == (6 - held, 0)
    assert len(waiting(fresh)) == 6


def test_progress_ends_at_all_bytes(store: Store, session: Session):
    seen: list[tuple[int, int]] = []
    file = session.says(RULE).save()
    scan(store, file, progress=lambda done, total, what: seen.append((done, total)))
    size = file.stat().st_size
    assert seen[-1] == (size, size)


def test_broken_lines_are_kept_with_their_place_and_without_secrets(store: Store, session: Session):
    password = "hun" + "ter2"
    session.says("ok").says(RULE)
    session.records[2:2] = [f'{{"type": "user", "mess password: {password}'.encode(), b"\xff\xfe"]
    report = scan(store, session.save())
    assert (report.created, report.quarantined) == (1, 2)
    kept = entries(store.paths)
    assert [(entry["file"], entry["line"]) for entry in kept] == [(str(session.path), 3), (str(session.path), 4)]
    assert all(entry["reason"] for entry in kept)
    assert password.encode() not in raw_bytes(store.root)


def test_a_language_without_cues_is_named(store: Store, session: Session):
    report = scan(store, session.says("από εδώ και πέρα να χρησιμοποιείς πάντα το pnpm και ποτέ το npm").save())
    assert report.created == 0
    assert sum(report.languages.values()) == 1


def test_bad_input_says_what_and_how_to_mend_it(store: Store, tmp_path: Path):
    with pytest.raises(PathMissing, match="gone"):
        scan(store, tmp_path / "gone.jsonl")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NoTranscripts, match="empty"):
        scan(store, empty)
    binary = tmp_path / "picture.jsonl"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\xff" * 100)
    with pytest.raises(NotATranscript, match="binary"):
        scan(store, binary)
    with pytest.raises(UnknownAgent, match="nobody"):
        scan(store, tmp_path, agent="nobody")
    (empty / "empty.jsonl").touch()
    assert scan(store, empty / "empty.jsonl").skipped["empty file"] == 1
    assert waiting(store) == []


def test_each_transcript_is_read_once_however_it_is_named(store: Store, session: Session, tmp_path: Path):
    file = session.says(RULE).save()
    (tmp_path / "link").symlink_to(file.parent)
    assert scan(store, file, file.parent, tmp_path / "link").files == 1


def test_two_statements_of_one_message_are_two_candidates(store: Store, session: Session):
    scan(store, session.says(f"{RULE}\n\n{OTHER}").save())
    found = waiting(store)
    assert [candidate.statement for candidate in found] == [RULE, OTHER]
    assert len({candidate.evidence[0] for candidate in found}) == 2


def test_hidden_characters_never_reach_the_store(store: Store, session: Session):
    scan(store, session.says("Never use \u202enpm\u202c in this\u200b repo, \x1b[31malways\x1b[0m use pnpm.").save())
    held = raw_bytes(store.root).decode("utf-8", "replace")
    assert not [char for char in ("\u202e", "\u200b", "\x1b", "\\u001b", "\\u202e") if char in held]


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes there")
def test_a_file_whose_name_is_no_text_is_read_all_the_same(store: Store, session: Session):
    file = session.says(RULE).says("ok").save()
    odd = file.rename(file.with_name(os.fsdecode(b"s\xff1.jsonl")))
    with odd.open("ab") as more:
        more.write(b"{broken\n")
    assert scan(store, odd).created == 1
    again = scan(store, odd)
    assert (again.unchanged, again.bytes_read) == (1, 0)
    assert store.verify() == []


def test_clones_that_are_met_in_one_scan_are_one_project(store: Store, tmp_path: Path):
    first = repository(tmp_path / "work" / "tool")
    renamed = Path(shutil.copytree(first, tmp_path / "work" / "renamed"))
    remote = [repository(tmp_path / name, "git@github.com:acme/shop.git") for name in ("one", "two")]
    rule = "We always use pnpm, never npm."
    files = [
        Session(tmp_path / "t" / f"s{number}.jsonl", root).says(rule, wrote=(root / "a",)).save()
        for number, root in enumerate((first, renamed, *remote))
    ]
    scan(store, *files)
    assert sorted(len(one.targets) for one in waiting(store)) == [1, 1]
    assert sorted(len(one.evidence) for one in waiting(store)) == [2, 2]
    paths = [set(store.state.project(ident).paths) for ident in store.state.projects]
    assert {str(first), str(renamed)} in paths
    assert {str(root) for root in remote} in paths


def test_a_pipe_is_not_waited_for(store: Store, session: Session, tmp_path: Path):
    session.says(RULE).save()
    os.mkfifo(tmp_path / "t" / "pipe.jsonl")
    report = scan(store, tmp_path / "t")
    assert (report.files, report.created) == (1, 1)
    with pytest.raises(NotATranscript, match="pipe"):
        scan(store, tmp_path / "t" / "pipe.jsonl")


def test_a_secret_in_the_name_of_a_folder_is_written_nowhere(store: Store, tmp_path: Path):
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    shop = tmp_path / token / "shop"
    shop.mkdir(parents=True)
    session = Session(tmp_path / token / "s1.jsonl", shop).says(RULE, wrote=(shop / "a.ts",))
    file = session.save()
    assert scan(store, file).created == 1
    assert token.encode() not in raw_bytes(store.root)
    (evidence,) = evidence_of(store, waiting(store)[0])
    assert "[masked " in (evidence.path or "")
    assert scan(store, file).bytes_read == 0
