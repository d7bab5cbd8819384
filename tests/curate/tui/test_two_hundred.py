"""Scenario 48: two hundred items (80 noise, 60 in 20 groups, 60 singles) in at most 260 keys, without a mouse."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from store.store import Store
from tests.curate.tui.running import carded, review, until
from tests.curate.tui.stores import WEB, capture, opened, said

LIMIT = 260
WORDS = (
    "router", "parser", "cache", "schema", "linter", "worker", "index", "client", "button", "queue",
    "ledger", "mailer", "banner", "sensor", "bucket", "ticket", "folder", "socket", "filter", "header",
)  # fmt: skip
RULES = (
    "always test the {} before a release", "never log inside the {}", "keep the {} free of globals",
)  # fmt: skip


@pytest.fixture
def two_hundred(tmp_path: Path) -> Path:
    """Said as people say it: questions and one-offs, the same thing in three sessions, and sixty single rules."""
    store = opened(tmp_path / "store")
    noise: dict[str, Any] = {"durability": "temporary", "intent": "none"}
    capture(
        store,
        *(said(f"can you look at the {word} {n}?", day=1 + n, **noise) for n, word in enumerate(WORDS)),
        *(said(f"is the {word} done?", day=1 + n, target=WEB, **noise) for n, word in enumerate(WORDS)),
        *(said(f"just skip the {word} for today", day=1 + n, **noise) for n, word in enumerate(WORDS)),
        *(said(f"thanks, the {word} is great", day=1 + n, **noise) for n, word in enumerate(WORDS)),
        *(
            said(f"document every change of the {word} in its changelog", times=3, day=5 + n, cue="document every")
            for n, word in enumerate(WORDS)
        ),
        *(said(rule.format(word), day=1 + n) for n, word in enumerate(WORDS) for rule in RULES),
    )
    return tmp_path / "store"


async def test_two_hundred_items_take_at_most_260_keys(two_hundred: Path) -> None:
    pressed = 0
    async with review(two_hundred, size=(120, 36)) as (app, pilot):
        session = app.session
        counts = {tab: waiting for tab, (waiting, _) in session.queue.counts().items()}
        assert (counts["noise"], counts["groups"], counts["singles"]) == (80, 20, 60)

        async def press(*keys: str) -> None:
            nonlocal pressed
            pressed += len(keys)
            await pilot.press(*keys)

        # Noise: a page a key, one row spared.
        await press("j", "space")
        while session.queue.counts()["noise"][0] > 1:
            await press("x")
            await carded(app, pilot)
        await press("]")
        # Groups: each is looked at; three of them are opened, one is edited, one holds everywhere.
        for number in range(20):
            if number in {2, 9, 15}:
                await press("enter", "escape")
            if number == 4:
                await press("e", "end", ".", "enter")
            elif number == 6:
                await press("3", "a")
            else:
                await press("a")
        await press("]")
        # Singles: mostly one key each, like with like by repeat and by range, one mistake taken back.
        for number in range(40):
            await press("x" if number % 4 == 3 else "a")
            if number == 10:
                await press("u", "s")
        await press("V", *["j"] * 9, "a")
        while session.queue.counts()["singles"][0]:
            await press(".")
        await press("p")
        preview = app.screen
        await until(app, pilot, lambda: getattr(preview, "preview", None) is not None)
        await press("w")
        await until(app, pilot, lambda: preview.written is not None)  # type: ignore[attr-defined]
        assert not preview.written.skipped  # type: ignore[attr-defined]
        assert len(session.queue.visible) == 0
    assert pressed <= LIMIT, pressed
    state = Store.open(two_hundred).state
    statuses = Counter(versions.data["status"] for versions in state.candidates.values())
    assert statuses == {"rejected": 79 + 10, "accepted": 20 + 49, "deferred": 1, "waiting": 1}
    assert len(state.records) == 69
    assert sum(versions.data["scope"]["type"] == "global" for versions in state.records.values()) == 1
    documented = [versions.data for versions in state.records.values() if "changelog" in versions.data["statement"]]
    assert len(documented) == 20
    assert all(len(data["evidence"]) == 3 for data in documented)
