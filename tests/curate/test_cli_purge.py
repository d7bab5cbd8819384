"""From a transcript to memory, and out of every file again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.curate.command import curate, curate_process
from tests.curate.scanning import Session
from tests.store.purging import holders

SAID = "From now on never deploy to the Zanzibar cluster in any of my projects."
OTHER = "From now on always use pnpm instead of npm in all my repositories."


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    session = Session(tmp_path / "sessions" / "one.jsonl", folder)
    return session.says(f"{SAID} The password hint is Quillfeather-77.").says(OTHER).save()


def remembered(home: Path, transcript: Path) -> dict[str, Any]:
    """The record that the transcript's first rule became; the store has pages and an index."""
    curate("scan", transcript, "--home", home)
    patch = curate("propose", "--json", "--home", home).json
    ops = [op["op_id"] for op in patch["ops"] if op["op"] == "add"]
    done = curate("apply", "-", "--select", ",".join(ops), "--home", home, stdin=json.dumps(patch).encode())
    assert done.code == 0, done.err
    records = curate("records", "--json", "--home", home).json["records"]
    return next(record for record in records if "Zanzibar" in record["statement"])


def test_what_was_said_is_gone_from_every_file_and_stays_gone(home: Path, transcript: Path):
    record = remembered(home, transcript)
    ident = record["id"]
    texts = (record["statement"], "Zanzibar", "Quillfeather-77")
    before = holders(home, *texts)
    assert before

    foreseen = curate("purge", ident, "--dry-run", "--json", "--home", home)
    assert (foreseen.code, foreseen.json["patch"]) == (0, None)
    assert holders(home, *texts) == before
    assert curate("purge", ident, "--home", home).fails(2, "nothing was purged", "--confirm purge")
    assert curate("purge", "mem_nobody", "--confirm", "purge", "--home", home).fails(2, "mem_nobody")

    done = curate("purge", ident, "--confirm", "purge", "--json", "--home", home)
    assert (done.code, done.err) == (0, "")
    told = done.json
    assert told["purged"] == foreseen.json["purged"]
    assert told["purged"][0] == ident
    assert told["evidence"]["blanked"] == foreseen.json["evidence"]["blanked"]
    assert (told["remains"], told["git"]) == ([], None)
    assert holders(home, *texts) == []

    assert curate("verify", "--json", "--home", home).json == {"ok": True, "problems": []}
    assert curate("undo", "--home", home).fails(2, "purged", ident)
    assert curate("show", ident, "--json", "--home", home).json["record"]["statement"] == "(purged)"
    kept = curate("records", "--json", "--home", home).json["records"]
    assert [each["statement"] for each in kept] == [OTHER]
    (home / "checkpoints.jsonl").unlink()
    again = curate("scan", transcript, "--json", "--home", home).json
    assert again["candidates"] == {"created": 0, "reinforced": 0}
    assert holders(home, *texts) == []


def test_people_are_told_what_was_done_and_what_is_left(home: Path, transcript: Path):
    ident = remembered(home, transcript)["id"]
    (home / ".git").mkdir()
    done = curate_process("purge", ident, "--confirm", "purge", "--home", home)
    assert done.code == 0
    assert f"{ident}" in done.text
    assert "purged" in done.text
    assert "git history" in done.err
    assert "Zanzibar" not in done.text + done.err
