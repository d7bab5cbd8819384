"""What recall knows of a turn beside the prompt: the project, the part of the repository, STATE.md, notes, settings."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from curate.recall.gate import own_words, skip_reason
from curate.recall.journal import path_of, sweep, turns
from curate.recall.notes import read_notes
from curate.recall.paths import folder_within, within
from curate.recall.place import place_of
from curate.recall.settings import read_settings
from curate.recall.staleness import days_between
from curate.recall.tokens import tokens
from curate.recall.working_memory import working_memory
from store.config import template
from store.index.refresh import refreshed
from store.line import SCHEMA, canonical
from tests.curate.recalling import AT, add, checkout, planned


@pytest.mark.parametrize(
    "prompt", ["ok", "Yes!", "thanks 🙏", "Sounds good.", "got it, thanks", "好的", "Danke", "LGTM", "..."]
)
def test_trivial_prompts_are_skipped(prompt: str):
    assert skip_reason(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "ok, now add a test",
        "thanks, but fix the typo",
        "no longer use npm",
        "跑测试",
        "/etc/hosts is wrong",
        "do it in rust",
    ],
)
def test_others_are_not(prompt: str):
    assert skip_reason(prompt) is None


def test_only_the_persons_words_count():
    wrapped = "<system-reminder>use npm</system-reminder>\nfix it <b>now</b>\n<ide_opened_file>x</ide_opened_file>"
    assert own_words(wrapped) == "fix it <b>now</b>"


@pytest.mark.parametrize(
    ("glob", "path", "inside"),
    [
        ("packages/api/**", "packages/api/src/a.py", True), ("packages/api/**", "packages/apix/a.py", False),
        ("packages/api", "packages/api/a.py", True), ("**/*.sql", "db/x/y.sql", True), ("**/*.sql", "y.sql", True),
        ("*.py", "a/b.py", False), ("src/*/x?.ts", "src/a/x1.ts", True), ("src/*/x?.ts", "src/a/b/x1.ts", False),
        ("**", "anything/at/all", True), ("a/**/b", "a/b", True),
    ],
)  # fmt: skip
def test_globs(glob: str, path: str, inside: bool):
    assert within(glob, path) is inside


def test_a_folder_may_tell_and_may_not():
    assert folder_within("packages/api/**", "packages/api/src") is True
    assert folder_within("packages/api/**", "packages/web") is False
    assert folder_within("packages/api/**", "packages") is None
    assert folder_within("**/*.sql", "packages") is None


def test_a_place_is_known_by_its_repository_and_asked_anew_when_that_changes(tmp_path: Path):
    db = refreshed(add(tmp_path / "store"))
    shop = checkout(tmp_path / "my shop")
    (shop / "packages" / "api").mkdir(parents=True)
    for _ in range(2):
        place = place_of(db, str(shop / "packages" / "api"))
        assert (place.project, place.cwd, place.root) == ("github.com/acme/shop", "packages/api", str(shop))
    (shop / ".git" / "config").write_text('[remote "origin"]\n\turl = https://github.com/acme/moved\n')
    assert place_of(db, str(shop)).project == "github.com/acme/moved"
    (shop / ".curate.yaml").write_text("project: ours\nprofile: work\n")
    place = place_of(db, str(shop))
    assert (place.project, place.profile) == ("ours", "work")
    assert place_of(db, str(tmp_path / "nowhere")).project is None


def test_an_alias_leads_to_the_project_and_a_lost_folder_to_where_it_was_seen(tmp_path: Path):
    root = tmp_path / "store"
    line = {"schema": SCHEMA, "id": "github.com/acme/new", "rev": 1, "op": "see", "at": AT, "name": "new",
            "profile": "work", "aliases": ["github.com/acme/shop"], "paths": [str(tmp_path / "gone")]}  # fmt: skip
    root.mkdir()
    (root / "projects.jsonl").write_bytes(canonical(line) + b"\n")
    add(
        root,
        {
            "id": "a",
            "statement": "Use pnpm for installs.",
            "scope": {"type": "project", "project": "github.com/acme/shop"},
        },
    )
    db = refreshed(root)
    place = place_of(db, str(checkout(tmp_path / "shop")))
    assert (place.project, place.name, place.profile) == ("github.com/acme/new", "new", "work")
    assert place_of(db, str(tmp_path / "gone" / "deep")).project == "github.com/acme/new"
    assert [entry.id for entry in planned(root, "install it with pnpm", project="github.com/acme/new").entries] == ["a"]


def test_working_memory_fits_and_gives_up_descriptions_first(tmp_path: Path):
    shop = checkout(tmp_path / "shop")
    (shop / "STATE.md").write_text(
        "# State\n**Milestone:** v2 checkout\nPhase: 3 of 5\nStatus: in progress\n\n## Blockers\n"
        "- The sandbox is down\n- ## none\n"
    )
    logs = shop / ".git" / "logs"
    logs.mkdir()
    (logs / "HEAD").write_text("0 1 A <a@x> 1 +0000\tcommit (initial): Start\n1 2 A <a@x> 2 +0000\tcommit: Add cart\n")
    for name in ("api", "web"):
        (shop / name).mkdir()
        (shop / name / "README.md").write_text(f"# {name}\n\nThe {name} of the shop.\n")
    whole = working_memory(str(shop), "shop")
    assert whole[:5] == ["- Project: shop", "- Milestone: v2 checkout", "- Phase: 3 of 5", "- Status: in progress",
                         "- Blocker: The sandbox is down"]  # fmt: skip
    assert {"- Branch: main", "- Commit: Add cart", "- Component: api — The api of the shop."} <= set(whole)
    cost = tokens("".join(f"{line}\n" for line in whole))
    for budget in (cost - 1, 60, 45, 20, 5):
        lines = working_memory(str(shop), "shop", budget=budget)
        assert tokens("".join(f"{line}\n" for line in lines)) <= budget
        assert not any("The api" in line for line in lines)
    assert "- Components: api, web" in working_memory(str(shop), "shop", budget=cost - 1)
    assert not any(line.startswith("#") for line in whole)


def test_knowledge_has_its_headings_and_keeps_its_budget(tmp_path: Path):
    root = add(
        tmp_path / "store",
        {"id": "a", "statement": "Use pnpm for installs.", "body": "Use pnpm for installs. " + "x " * 800},
    )
    answer = planned(
        root, "install it with pnpm", layout="knowledge", root=str(checkout(tmp_path / "shop")), project_name="shop"
    )
    assert [line for line in answer.block.splitlines() if line.startswith("#")] == ["## Working Memory", "## Insights"]
    assert "- a [conf 0.50] Use pnpm for installs.\n" in answer.block
    assert answer.total <= 1000


def test_notes_of_today_are_in_the_block_as_text(tmp_path: Path):
    root = add(tmp_path, {"id": "a", "statement": "Use pnpm for installs."})
    (root / "notes" / "daily").mkdir(parents=True)
    (root / "notes" / "scratchpad.md").write_text("# x\n- [ ] ring Ines\n- [x] done\n- [ ] ## Hard Rules\n")
    (root / "notes" / "daily" / "2026-11-29.md").write_text("- nothing\n- #decision bun, not npm\n")
    block = planned(root, "install it with pnpm", notes=read_notes(str(root), "2026-11-29")).block
    assert "\n## Scratchpad\n- [ ] ring Ines\n- [ ] ＃＃ Hard Rules\n" in block
    assert "\n## Daily Log (2026-11-29)\n- #decision bun, not npm\n" in block
    assert "done" not in block


def test_settings_are_read_without_a_yaml_library(tmp_path: Path):
    assert read_settings(str(tmp_path)).layout == "governed"
    (tmp_path / "config.yaml").write_text(template())
    found = read_settings(str(tmp_path))
    assert (found.profile, found.layout, found.mode, found.fusion, found.budget) == (
        None,
        "governed",
        "hybrid",
        "weighted",
        None,
    )
    (tmp_path / "config.yaml").write_text(
        "profile: 'work' # mine\nrecall:\n  fusion: rrf\n  budget: 4000\n  mode: odd\n"
    )
    found = read_settings(str(tmp_path))
    assert (found.profile, found.mode, found.fusion, found.budget) == ("work", "hybrid", "rrf", 4000)


@pytest.mark.parametrize(
    ("before", "days"), [("2026-11-29T23:00:00Z", 0), ("2025-11-29", 365), ("2024-02-28", 1005), ("soon", None)]
)
def test_days_are_counted_on_the_calendar(before: str, days: int | None):
    assert days_between(before, "2026-11-29") == days


def test_the_journal_is_swept_after_fourteen_days(tmp_path: Path):
    now = 1_800_000_000.0
    old, mixed = (Path(path_of(str(tmp_path), name)) for name in ("old", "mixed"))
    old.parent.mkdir()
    for path in (old, mixed):
        path.write_text(f'{{"schema":"1.0","turn":1,"at":"{stamp(now - 20 * 86400)}"}}\n')
    with mixed.open("a") as file:
        file.write(f'{{"schema":"1.0","turn":2,"at":"{stamp(now)}"}}\n')
    os.utime(old, (now - 20 * 86400,) * 2)
    os.utime(mixed, (now,) * 2)
    assert sweep(str(tmp_path), now) == 2
    os.utime(mixed, (now,) * 2)
    assert not old.exists()
    assert [turn["turn"] for turn in turns(str(tmp_path), "mixed")] == [2]
    assert sweep(str(tmp_path), now) == 0


def stamp(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def test_a_session_has_a_file_whatever_its_name(tmp_path: Path):
    names = ["a", "../../etc/passwd", "a/b", "", "漢字", "x" * 500, "con.", "a\0b"]
    paths = {path_of(str(tmp_path), name) for name in names}
    assert len(paths) == len(names)
    assert {str(Path(path).parent) for path in paths} == {str(tmp_path / "journal")}
