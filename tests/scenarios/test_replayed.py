"""What was turned away, and what was deleted, does not come back when the very transcripts are read again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.curate.scanning import Session
from tests.curate.shell import curate
from tests.store.repositories import repository

if TYPE_CHECKING:
    from pathlib import Path

TURNED_AWAY = "From now on always commit straight to main in this repo."
DELETED = "From now on always use npm instead of pnpm in this repo."
KEPT = "From now on always run the linter before a push in this repo."


def test_neither_comes_back_and_the_hit_is_counted(tmp_path: Path) -> None:
    home, shop = tmp_path / "store", repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    session = Session(tmp_path / "sessions" / "one.jsonl", shop)
    for text in (TURNED_AWAY, DELETED, KEPT):
        session.says(text, wrote=(shop / "main.py",))
    transcript = session.save()

    def run(*words: object) -> dict[str, Any]:
        done = curate("--home", home, *words, "--json")
        assert done.code == 0, done.err
        return dict(done.json)

    def apply(*ops: dict[str, Any]) -> None:
        named = [{"op_id": f"op_{number}", **op} for number, op in enumerate(ops)]
        path = tmp_path / "patch.json"
        path.write_text(json.dumps({"ops": named}))
        run("apply", path, "--select", ",".join(op["op_id"] for op in named))

    def waiting() -> set[str]:
        return {group["statement"] for group in run("inbox")["groups"]}

    assert run("scan", transcript)["candidates"]["created"] == 3
    by_word = {
        word: next(group["candidates"][0] for group in run("inbox")["groups"] if word in group["statement"])
        for word in ("main", "npm", "linter")
    }
    apply(
        {"op": "reject_candidate", "target_id": by_word["main"]},
        {"op": "add", "candidate_ids": [by_word["npm"]], "record": {"id": "mem_npm"}},
        {"op": "add", "candidate_ids": [by_word["linter"]], "record": {"id": "mem_lint"}},
    )
    export = tmp_path / "export.jsonl"
    assert curate("--home", home, "export", "jsonl", "-o", export).code == 0
    apply({"op": "delete", "target_id": "mem_npm"})
    assert waiting() == set()

    (home / "checkpoints.jsonl").unlink()
    again = run("scan", transcript)
    assert (again["candidates"]["created"], again["tombstoned"]) == (0, 2)
    assert [one["reason"].partition(" on ")[0] for one in run("import", "jsonl", export, "--apply")["rejected"]] == [
        "it was deleted here"
    ]
    assert waiting() == set()
    run("materialise")
    assert [one["id"] for one in run("records")["records"]] == ["mem_lint"]
    written = "".join(
        path.read_text("utf-8") for place in ("rendered", "notes") for path in (home / place).rglob("*.md")
    )
    assert "linter" in written
    assert "npm" not in written
    assert "commit straight" not in written


def test_taken_for_something_wider_it_does_not_come_back_either(tmp_path: Path) -> None:
    home, shop = tmp_path / "store", repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    scope = {"type": "project", "project": "github.com/acme/shop"}
    words = "From now on always answer me in English, in every project."
    ops = [{"op_id": "a", "op": "add", "record": {"id": "mem_a", "statement": words, "scope": scope}},
           {"op_id": "b", "op": "delete", "target_id": "mem_a"}]  # fmt: skip
    for op in ops:
        assert curate("--home", home, "apply", "-", "--select", op["op_id"], stdin=json.dumps({"ops": [op]})).code == 0
    said = Session(tmp_path / "one.jsonl", shop).says(words, wrote=(shop / "main.py",)).save()
    told = curate("--home", home, "scan", said, "--json").json
    assert (told["candidates"]["created"], told["tombstoned"]) == (0, 1)
    elsewhere = repository(tmp_path / "api", "git@github.com:acme/api.git")
    said = Session(tmp_path / "two.jsonl", elsewhere).says(words, wrote=(elsewhere / "main.py",)).save()
    assert curate("--home", home, "scan", said, "--json").json["candidates"]["created"] == 1
