"""Knowledge made of turns: what an observation, a digest and an entity hold, that reading again adds nothing, and what
becomes of them with age, secrets and a purge.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.agents.continuity import hand_over
from curate.capture.digest import day_digests, session_digests
from curate.capture.entities import entities_of
from curate.capture.observation import commits_of, telling
from curate.capture.whose import Home
from curate.recall.building import bring_up_to_date
from store.ids import new_id
from store.knowledge.lines import DIGESTS, ENTITIES, FILES, OBSERVATIONS, fold, read
from store.knowledge.writing import sweep
from store.line import SCHEMA, canonical
from store.notes import add_daily, daily_notes
from store.patch import purge_patch
from tests.curate.scanning import AT, Session, open_store, raw_bytes, scan
from tests.store.repositories import repository

DAY = "2026-11-20"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", "git@github.com:acme/shop.git")


def told(tmp_path: Path, shop: Path) -> Session:
    """Two turns of work in the shop."""
    session = Session(tmp_path / "t" / "s1.jsonl", shop)
    session.says("Add the cart to the checkout page.", wrote=(shop / "src" / "cart.ts",), ran=(f"cd {shop} && ls",))
    return session.says(
        "No, that is wrong. Never edit generated files with npm. Then commit it.",
        wrote=(shop / "package.json", tmp_path / "elsewhere.txt"),
        ran=('git add -A && git commit -m "Move to bun"', "bun test"),
    )


def items(root: Path, tier: str) -> list[dict[str, Any]]:
    return list(read(root, tier).values())


def test_a_turn_leaves_what_was_asked_what_was_done_and_how_it_ended(tmp_path: Path, shop: Path):
    root = tmp_path / "store"
    scan(open_store(root), told(tmp_path, shop).save(), clock=lambda: AT)
    first, second = items(root, OBSERVATIONS)
    assert first["asked"] == "Add the cart to the checkout page."
    assert (first["project"], first["files"], first["ended"]) == ("github.com/acme/shop", ["src/cart.ts"], "changed")
    assert "commands" not in first  # it only looked
    assert (second["files"], second["more_files"]) == (["package.json"], 1)
    assert (second["commits"], second["ended"]) == (["Move to bun"], "committed")
    assert second["corrections"] == ["Never edit generated files with npm."]
    assert "bun test" in second["commands"]
    session, day = items(root, DIGESTS)
    assert (session["kind"], session["session"], session["turns"]) == ("session", "s1", 2)
    assert (day["kind"], day["day"], day["sessions"], day["project"]) == ("day", DAY, 1, "github.com/acme/shop")
    assert day["corrections"] == second["corrections"]
    assert set(day["files"]) == {"src/cart.ts", "package.json"}
    (project,) = items(root, ENTITIES)
    assert (project["kind"], project["name"]) == ("project", "shop")


def test_reading_again_adds_nothing_and_a_turn_that_grew_replaces_itself(tmp_path: Path, shop: Path):
    root = tmp_path / "store"
    session = told(tmp_path, shop)
    scan(open_store(root), session.save(), clock=lambda: AT)
    before = {name: (root / name).read_bytes() for name in FILES.values()}
    (root / "checkpoints.jsonl").unlink()
    scan(open_store(root), session.path, clock=lambda: "2026-11-29T13:00:00.000Z")
    assert {name: (root / name).read_bytes() for name in FILES.values()} == before
    grown = session.records[-1]
    grown["message"]["content"].append(
        {"type": "tool_use", "id": "late", "name": "Write", "input": {"file_path": str(shop / "late.ts")}}
    )
    scan(open_store(root), session.save(), clock=lambda: AT)
    found = items(root, OBSERVATIONS)
    assert len(found) == 2
    assert "late.ts" in found[1]["files"]
    assert "late.ts" in items(root, DIGESTS)[0]["files"]


def test_a_secret_is_in_no_tier(tmp_path: Path, shop: Path):
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    session = Session(tmp_path / "t" / "s1.jsonl", shop)
    session.says(
        f"push with the token {secret} please", ran=(f"git push https://{secret}@github.com/acme/shop", "make")
    )
    root = tmp_path / "store"
    scan(open_store(root), session.save(), clock=lambda: AT)
    assert items(root, OBSERVATIONS)[0]["asked"] == "push with the token [masked api key] please"
    assert secret.encode() not in raw_bytes(root)


def test_outside_of_any_project_it_belongs_to_none(tmp_path: Path):
    session = Session(tmp_path / "t" / "s1.jsonl", "/").says("what is the weather like in Lima?")
    root = tmp_path / "store"
    scan(open_store(root), session.save(), clock=lambda: AT)
    (one,) = items(root, OBSERVATIONS)
    assert "project" not in one
    assert one["ended"] == "answered"
    assert [each["kind"] for each in items(root, DIGESTS)] == ["session"]


def test_observations_go_when_they_are_old_and_none_are_made_when_nobody_wants_them(tmp_path: Path, shop: Path):
    root = tmp_path / "store"
    session = told(tmp_path, shop)
    scan(open_store(root), session.save(), clock=lambda: AT)
    assert sweep(root, "2026-11-20") == 0
    assert sweep(root, "2026-11-21") == 2
    assert items(root, OBSERVATIONS) == []
    assert len(items(root, DIGESTS)) == 2
    none = tmp_path / "none"
    none.mkdir()
    (none / "config.yaml").write_text("knowledge:\n  observations_days: 0\n")
    scan(open_store(none), session.path, clock=lambda: AT)
    assert not (none / "knowledge").exists()


def test_what_others_have_outrun_goes_when_there_is_much_of_it(tmp_path: Path):
    lines = [canonical({"schema": SCHEMA, "id": "dig_a", "kind": "day", "steps": steps}) for steps in range(1, 500)]
    (tmp_path / "knowledge").mkdir()
    (tmp_path / FILES[DIGESTS]).write_bytes(b"".join(line + b"\n" for line in lines))
    before = items(tmp_path, DIGESTS)
    assert sweep(tmp_path, DAY) == 498
    assert items(tmp_path, DIGESTS) == before


def test_a_purge_takes_it_out_and_reading_again_does_not_bring_it_back(tmp_path: Path, shop: Path):
    root = tmp_path / "store"
    session = told(tmp_path, shop)
    store = open_store(root)
    scan(store, session.save(), clock=lambda: AT)
    store.refresh()
    (waiting,) = [each.id for each in store.state.waiting()]
    assert hand_over(store, session.path, AT)
    bring_up_to_date(root)
    store.apply(purge_patch([waiting], at=AT, new_id=new_id), select=["op_001"], confirm="purge")
    assert b"npm" not in raw_bytes(root)
    (root / "checkpoints.jsonl").unlink(missing_ok=True)
    scan(open_store(root), session.path, clock=lambda: AT)
    assert b"npm" not in b"".join((root / name).read_bytes() for name in FILES.values())


def test_two_copies_come_to_the_same_whatever_the_order(tmp_path: Path):
    old = canonical({"schema": SCHEMA, "id": "obs_a", "asked": "Use npm.", "steps": 1})
    new = canonical({"schema": SCHEMA, "id": "obs_a", "asked": "Use npm.", "files": ["a"], "steps": 2})
    purged = canonical({"schema": SCHEMA, "id": "obs_a", "asked": "(purged)", "steps": 1})
    assert fold(OBSERVATIONS, [old, new]) == fold(OBSERVATIONS, [new, old])
    assert fold(OBSERVATIONS, [old, new])["obs_a"]["steps"] == 2
    assert fold(OBSERVATIONS, [purged, new, old])["obs_a"]["asked"] == "(purged)"
    long = canonical({"schema": SCHEMA, "id": "dig_a", "until": f"{DAY}T10:00:00Z", "steps": 9})
    later = canonical({"schema": SCHEMA, "id": "dig_a", "until": f"{DAY}T11:00:00Z", "steps": 2})
    assert fold(DIGESTS, [later, long])["dig_a"]["steps"] == 2
    assert fold(OBSERVATIONS, [b"{torn", b"[]", b'{"schema":"9.0","id":"x"}']) == {}


def test_digests_are_the_same_in_any_order_and_hold_what_was_noted(tmp_path: Path):
    turns = [
        {"id": f"obs_{n}", "time": f"{DAY}T10:0{n}:00Z", "day": DAY, "agent": "pi", "session": "s", "project": "p",
         "asked": f"ask {n}", "decisions": [f"decide {n % 2}"], "files": [f"f{n % 3}"], "steps": n}
        for n in range(8)
    ]  # fmt: skip
    add_daily(tmp_path, "#decision keep JSON lines", at=f"{DAY}T09:00:00Z", project="p")
    add_daily(tmp_path, "#decision of another", at=f"{DAY}T09:00:00Z", project="q")
    notes = daily_notes(tmp_path)
    assert session_digests(turns) == session_digests(reversed(turns))
    (day,) = day_digests(turns, notes)
    assert day["decisions"] == ["keep JSON lines", "decide 0", "decide 1"]
    assert day["asked"] == ["ask 0", "ask 5", "ask 6", "ask 7"]
    assert day["files"] == ["f0", "f1", "f2"]


def test_a_repository_tells_its_components_and_what_they_need(tmp_path: Path, shop: Path):
    for name, needs in (("web", {"@shop/api": "*", "react": "19"}), ("api", {})):
        folder = shop / "packages" / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(
            json.dumps({"name": f"@shop/{name}", "description": f"The {name}.", "dependencies": needs})
        )
    (shop / "packages" / "api" / "README.md").write_text("# API\n\nOrders and payments.\n")
    (shop / "node_modules" / "react").mkdir(parents=True)
    (shop / "broken").mkdir()
    (shop / "broken" / "pyproject.toml").write_text("= no")
    home = Home("github.com/acme/shop", "shop", None, str(shop))
    found = {each["name"]: each for each in entities_of(home, AT)}
    assert set(found) == {"shop", "@shop/api", "@shop/web", "broken"}
    assert found["@shop/api"]["description"] == "Orders and payments."
    needs = [each["name"] for each in found["@shop/web"]["relations"] if each["type"] == "depends_on"]
    assert needs == ["@shop/api"]
    assert {each["name"] for each in found["shop"]["relations"]} == {"@shop/api", "@shop/web", "broken"}


def test_a_component_that_is_gone_is_closed(tmp_path: Path, shop: Path):
    root = tmp_path / "store"
    (shop / "old").mkdir()
    scan(open_store(root), Session(tmp_path / "t" / "s1.jsonl", shop).says("look around").save(), clock=lambda: AT)
    (shop / "old").rmdir()
    later = "2026-11-29T14:00:00.000Z"
    scan(open_store(root), Session(tmp_path / "t" / "s2.jsonl", shop).says("once more").save(), clock=lambda: later)
    found = {each["name"]: each for each in items(root, ENTITIES)}
    assert found["old"]["gone"] is True
    assert found["shop"].get("relations") is None


@pytest.mark.parametrize(
    ("command", "subjects"),
    [
        ('git commit -m "Add cart"', ["Add cart"]),
        ("git commit -am 'Fix it'", ["Fix it"]),
        ("cd /x && git add . && git commit -m \"$(cat <<'EOF'\nAdd cart\n\nBecause.\nEOF\n)\"", ["Add cart"]),
        ("git -C /x commit --amend --no-edit", [""]),
        ("git commit --message=Short", ["Short"]),
        ("git log --grep commit", []),
        ("echo nothing", []),
    ],
)
def test_subjects_of_commits(command: str, subjects: list[str]):
    assert commits_of([command]) == subjects


def test_commands_that_only_look_tell_nothing():
    assert telling(["ls -la", "cd /x && cat y", "git status", "cd '/a b' && make test", "make test"]) == ["make test"]
