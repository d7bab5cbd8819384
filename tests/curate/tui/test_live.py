"""The store moves while the review is open: rows come and go, the cursor stays, nothing is decided twice."""

from __future__ import annotations

from pathlib import Path

from curate.tui.app import CurateApp
from store.model import Op, Patch
from store.store import Store
from tests.curate.tui.running import go_to, review, screen_text, until
from tests.curate.tui.stores import capture, said


def decide_elsewhere(root: Path, *candidates: str) -> None:
    ops = [Op(op_id=f"op_{n}", op="reject_candidate", candidate_ids=[ident]) for n, ident in enumerate(candidates)]
    patch = Patch(patch_id="pat_elsewhere", created_at="2026-11-29T11:00:00Z", ops=ops)
    Store.open(root).apply(patch, select=[op.op_id for op in ops])


async def test_the_store_changes_under_the_screen(store: Path) -> None:
    """Scenario 52: a hook adds three, another review decides two, while the first is open."""
    async with review(store) as (app, pilot):
        here = await go_to(app, pilot, "staging cluster")
        other = next(row for row in app.session.queue.rows.values() if "prefer fetch" in row.statement)
        decided = (await go_to(app, pilot, "deploys happen")).key
        await pilot.press("a")
        app.review.action_go(here.key)
        line = app.session.queue.position - round(app.review.queue_view.scroll_y)
        before = app.session.queue.counts()["singles"]
        capture(
            Store.open(store),
            said("always rebuild the docs before a release", day=28),
            said("name branches after their ticket", day=28),
            said("logs are written in JSON", day=28),
        )
        decide_elsewhere(store, decided, other.key)
        await app.look()
        await pilot.pause()
        after = app.session.queue.counts()["singles"]
        gone = {decided, other.key}
        assert after[1] == before[1] + 3 - len(gone)
        assert app.session.queue.cursor == here.key
        assert app.session.queue.position - round(app.review.queue_view.scroll_y) == line
        assert not app.session.pending()
        assert "3 new" in screen_text(app)
        assert "decided elsewhere" in (app.session.refusal(other.key) or "")
        assert "1 of your decisions" in screen_text(app)


async def test_a_row_decided_in_another_open_review_is_refused(store: Path) -> None:
    async with review(store) as (first, one):
        row = await go_to(first, one, "use pnpm")
        await one.press("a")
        first.decisions.wait()
        second = CurateApp(store, watch=None)
        try:
            async with second.run_test() as two:
                await second.ready()
                second.session.queue.go_to(row.key)
                await two.press("x")
                assert "another open review" in screen_text(second)
                assert not second.session.pending()
                await one.press("u")
                first.decisions.wait()
                await second.look()
                await two.press("x")
                assert list(second.session.pending()) == [row.key]
        finally:
            second.close()


async def test_hasty_keys_decide_one_row_each(sixty: Path) -> None:
    """Scenario 50: the accept key ten times while the list is being refreshed."""
    async with review(sixty) as (app, pilot):
        first = app.session.queue.visible[:10]
        capture(Store.open(sixty), said("always rebuild before release", day=28))
        look = app.run_worker(app.look())
        await pilot.press(*["a"] * 10)
        await look.wait()
        await pilot.pause()
        assert list(app.session.pending()) == [row.key for row in first]
        assert len(app.session.ledger.done) == 10


async def test_many_keys_at_the_end_of_the_list_decide_the_last_row_once(store: Path) -> None:
    async with review(store) as (app, pilot):
        await go_to(app, pilot, "use pnpm")
        await pilot.press("G", "a", "a", "a")
        steps = [step for step in app.session.ledger.done if step.label == "accept"]
        assert len(steps) == len(app.session.pending())


async def test_a_dialog_about_a_row_that_goes_away_decides_nothing(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "staging cluster")
        await pilot.press("e", "end", "!")
        decide_elsewhere(store, row.key)
        await app.look()
        await pilot.press("enter")
        assert not app.session.pending()
        assert "that row is gone" in screen_text(app)


async def test_a_store_that_is_spoilt_while_open_says_so_and_goes_on(store: Path) -> None:
    async with review(store) as (app, pilot):
        row = await go_to(app, pilot, "use pnpm")
        log = store / "inbox" / "candidates.jsonl"
        whole = log.read_bytes()
        log.write_bytes(whole + b"<<<<<<< HEAD\n")
        await app.look()
        await pilot.press("a")
        assert list(app.session.pending()) == [row.key]
        log.write_bytes(whole)
        await app.look()
        await until(app, pilot, lambda: "cannot be read" not in screen_text(app))
