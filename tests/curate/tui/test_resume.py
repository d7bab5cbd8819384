"""Decisions outlive the app: after a crash they are there again, with the steps to walk back."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from curate.review.decisions import FOLDER, open_log
from curate.tui.app import CurateApp
from curate.tui.intake import Intake
from curate.tui.launch import run
from tests.curate.tui.running import go_to, review, screen_text

DIES = """
import asyncio, os, signal, sys
from pathlib import Path
from tests.curate.tui.running import go_to, review

async def main():
    async with review(Path(sys.argv[1])) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        await pilot.press("a")
        await go_to(app, pilot, "keep answers short")
        await pilot.press("x", "3")
        app.decisions.wait()
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def died(store: Path) -> None:
    done = subprocess.run([sys.executable, "-c", DIES, str(store)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


async def test_a_killed_review_is_resumed(store: Path) -> None:
    died(store)
    async with review(store) as (app, pilot):
        assert sorted(choice.verb or "" for choice in app.session.pending().values()) == ["accept", "reject"]
        assert "resumed 2 decisions" in screen_text(app)
        assert "2/15 decided" in screen_text(app)
        await pilot.press("u", "u")
        assert [choice.verb for choice in app.session.pending().values()] == ["accept"]
        await pilot.press("u", "U")
        assert [choice.verb for choice in app.session.pending().values()] == ["accept"]


async def test_quitting_keeps_decisions_and_an_empty_review_leaves_nothing(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        await pilot.press("a", "q")
        await pilot.pause()
    assert len(list((store / FOLDER).glob("*.jsonl"))) == 1
    async with review(store) as (app, pilot):
        assert len(app.session.pending()) == 1
        await pilot.press("u", "q")
        await pilot.pause()
    assert not list((store / FOLDER).iterdir())


async def test_saved_is_shown_only_after_the_disk_has_it(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        await pilot.press("a")
        app.decisions.wait()
        await pilot.pause()
        assert app.decisions.clean
        assert "saved" in screen_text(app)
        app.decisions.saved -= 1  # a line is still on its way
        app.show_saved()
        await pilot.pause()
        assert "saved" not in screen_text(app)


async def test_a_disk_that_refuses_is_told(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "use pnpm")
        app.decisions.path.mkdir()  # nothing can be appended to a folder
        await pilot.press("a")
        app.decisions.wait()
        await pilot.pause()
        assert list(app.session.pending()) == [row.key]
        assert "not saved" in screen_text(app)


def test_a_fault_of_the_app_leaves_one_line_and_the_decisions(store: Path, capsys, monkeypatch) -> None:
    def breaks(self: CurateApp) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.headless_driver:HeadlessDriver")
    monkeypatch.setattr(Intake, "_open_first_tab", breaks)
    log, ledger, _ = open_log(store)
    log.append(ledger.do("later", {}, cursor=None, at=""))
    log.close(keep=True)
    assert run(store) == 2
    said = capsys.readouterr().err.strip()
    assert len(said.splitlines()) == 1
    assert "your decisions are saved" in said
    report = Path(said.rsplit(" ", 1)[-1])
    assert "broken on purpose" in report.read_text()
