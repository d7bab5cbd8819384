"""What is decided is previewed as it stands, written as one transaction, and can be taken back as one."""

from __future__ import annotations

from pathlib import Path

from curate.recall.planner import plan
from curate.recall.request import Request
from store.index.lookup import Lookup
from store.line import canonical
from store.store import Store
from tests.curate.tui.running import carded, go_to, review, screen_text, until
from tests.curate.tui.stores import SHOP, capture, said


def contents(root: Path) -> dict[Path, bytes]:
    files = (path for path in root.rglob("*.jsonl") if "decisions" not in path.parts)
    return {path: path.read_bytes() for path in files}


async def test_decisions_are_written_only_from_the_preview(store: Path) -> None:
    before = contents(store)
    async with review(store, size=(120, 36)) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        await pilot.press("a")
        await go_to(app, pilot, "MySQL")
        await pilot.press("S")
        await go_to(app, pilot, "keep answers short")
        await pilot.press("x", "w")
        preview = app.screen
        await until(app, pilot, lambda: getattr(preview, "preview", None) is not None)
        await pilot.pause()
        shown = screen_text(app)
        assert "1 accepted, 1 rejected, 1 supersedes: " in shown
        assert "use pnpm, not npm, in this repo" in shown
        assert "turned away" in shown
        assert "+ - use pnpm" in shown
        assert contents(store) == before, "a preview writes nothing"
        await pilot.press("w")
        await until(app, pilot, lambda: preview.written is not None)  # type: ignore[attr-defined]
        await until(app, pilot, lambda: "written: 3 of 3" in screen_text(app))
        await pilot.press("escape")
        assert not app.session.pending()
        assert not app.session.ledger.done
        done, total = app.session.progress()
        assert (done, total) == (3, 15)
        words = {row.statement for row in app.session.queue.rows.values() if row.kind == "record"}
        assert "use pnpm, not npm, in this repo" in words
    state = Store.open(store).state
    statuses = {versions.data["statement"]: versions.data["status"] for versions in state.records.values()}
    assert statuses["use pnpm, not npm, in this repo"] == "active"
    assert statuses["Use Postgres for the orders database"] == "superseded"
    pages = "".join(page.read_text() for page in (store / "rendered").rglob("*.md"))
    assert "use pnpm" in pages
    assert not list((store / "inbox" / "decisions").glob("*.jsonl")), "nothing is left to resume"


def appended(root: Path, before: dict[Path, bytes]) -> dict[str, list[bytes]]:
    """The lines that each file of memory and inbox has more than before."""
    more = {}
    for path, now in contents(root).items():
        was = before.get(path, b"")
        assert now.startswith(was), "files only grow"
        if now != was and path.parent.name != "patches":
            more[path.relative_to(root).as_posix()] = now[len(was) :].splitlines()
    return more


async def test_what_is_shown_is_to_the_last_byte_what_is_written(disputed: Path) -> None:
    unsound = Store.open(disputed).verify()  # its fork was made by hand
    async with review(disputed, size=(120, 36)) as (app, pilot):
        queue = app.session.queue
        for key, row in list(queue.rows.items()):
            app.review.action_go(key)
            await carded(app, pilot)
            app.session.decide("accept" if row.kind == "candidate" else "deprecate", text="never")
        assert len(app.session.pending()) > 5
        await pilot.press("p")
        preview = app.screen
        await until(app, pilot, lambda: getattr(preview, "preview", None) is not None)
        shown = {
            change.file: [canonical(dict(line)) for line in change.lines]
            for change in preview.preview.changes  # type: ignore[attr-defined]
        }
        before = contents(disputed)
        # Elsewhere the store moves on, in what has nothing to do with it.
        capture(Store.open(disputed), said("logs are written in JSON", day=28))
        between = contents(disputed)
        await pilot.press("w")
        await until(app, pilot, lambda: preview.written is not None)  # type: ignore[attr-defined]
    assert before != between
    assert appended(disputed, between) == shown
    assert set(Store.open(disputed).verify()) <= set(unsound)


async def test_identity_memory_is_shown_whole_before_it_is_written(disputed: Path) -> None:
    async with review(disputed, size=(120, 36)) as (app, pilot):
        await go_to(app, pilot, "review code")
        assert app.session.decide("accept", text="when I have another job").done
        await pilot.press("p")
        preview = app.screen
        await until(app, pilot, lambda: getattr(preview, "preview", None) is not None)
        await pilot.pause()
        assert "1 of them needs a word to be typed" in screen_text(app)
        assert not [one for one in preview.preview.changes if one.file.startswith("memory/")]  # type: ignore[attr-defined]
        await pilot.press("w", *"identity", "enter")
        await until(app, pilot, lambda: "confirmed" in screen_text(app))
        (identity,) = [one for one in preview.preview.changes if "identity" in one.file]  # type: ignore[attr-defined]
        before = contents(disputed)
        await pilot.press("w")
        await until(app, pilot, lambda: preview.written is not None)  # type: ignore[attr-defined]
    assert appended(disputed, before)[identity.file] == [canonical(dict(line)) for line in identity.lines]


async def test_history_takes_back_what_was_written(store: Path) -> None:
    async with review(store, size=(120, 36)) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        await pilot.press("a", "p")
        preview = app.screen
        await until(app, pilot, lambda: getattr(preview, "preview", None) is not None)
        await pilot.press("w")
        await until(app, pilot, lambda: preview.written is not None)  # type: ignore[attr-defined]
        await pilot.press("escape", "h")
        await until(app, pilot, lambda: "review: 1 accepted" in screen_text(app))
        await pilot.press("u", "enter")
        assert "Undo" in screen_text(app), "enter is not yes"
        await pilot.press("y")
        await until(app, pilot, lambda: "undone: 2 of 2" in screen_text(app))
        await pilot.press("escape")
        assert any("use pnpm" in row.statement and row.tab == "groups" for row in app.session.queue.rows.values())
        assert app.session.progress() == (0, 15)


async def test_an_op_that_cannot_be_applied_stays_with_its_reason(store: Path) -> None:
    async with review(store, size=(120, 36)) as (app, pilot):
        row = await go_to(app, pilot, "linter")
        await pilot.press("d")
        await go_to(app, pilot, "use pnpm")
        await pilot.press("a", "p")
        preview = app.screen
        await until(app, pilot, lambda: getattr(preview, "preview", None) is not None)
        # Meanwhile the record changes elsewhere.
        other = Store.open(store)
        from store.model import Op, Patch

        op = Op(op_id="op_1", op="pin", target_id=row.key)
        other.apply(Patch(patch_id="pat_other", created_at="2026-11-29T11:00:00Z", ops=[op]), select=["op_1"])
        await pilot.press("w")
        await until(app, pilot, lambda: preview.written is not None)  # type: ignore[attr-defined]
        await until(app, pilot, lambda: "written: 1 of 2" in screen_text(app))
        await pilot.press("escape")
        assert row.key in app.session.notes
        assert not app.session.pending()
        app.review.action_go(row.key)
        app.review.card_view.draw()
        await pilot.pause()
        assert "not written" in screen_text(app)


async def test_a_decision_changed_after_the_preview_needs_another(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        await pilot.press("a")
        app.session.previewed()
        assert app.session.why_not_write() is None
        app.session.undo()
        app.session.redo()
        assert "changed since the preview" in (app.session.why_not_write() or "")


async def test_what_an_agent_would_be_told_is_what_recall_says_afterwards(store: Path) -> None:
    async with review(store, size=(120, 50)) as (app, pilot):
        await go_to(app, pilot, "never log customer emails")
        await pilot.press("a")
        await go_to(app, pilot, "linter")
        await pilot.press("d", "p")
        preview = app.screen
        await until(app, pilot, lambda: getattr(preview, "preview", None) is not None)
        before = contents(store)
        await pilot.press("t")
        await until(
            app, pilot, lambda: "never log customer" in screen_text(app) and "asking recall" not in screen_text(app)
        )
        shown = screen_text(app)
        assert "What an agent in shop-api would be told" in shown
        assert any(line.split("│")[-1].strip().startswith("+") and "never log" in line for line in shown.splitlines())
        await pilot.press("/", *["ctrl+u"], *"run the linter", "enter")
        await until(app, pilot, lambda: "Run the linter before" in screen_text(app))
        assert any("- - " in line and "Run the linter" in line for line in screen_text(app).splitlines())
        assert contents(store) == before, "nothing is written for it"
        asked, told = next((p, t) for (_, p), t in preview.telling.answers.items() if p != "run the linter")  # type: ignore[attr-defined]
        await pilot.press("t", "w")
        await until(app, pilot, lambda: preview.written is not None)  # type: ignore[attr-defined]
    answer = plan(Lookup.open(store).db, Request(asked, project=SHOP, project_name="shop-api", today="2026-11-29"))
    assert answer.block == told.after
    assert "never log customer emails" in answer.block
