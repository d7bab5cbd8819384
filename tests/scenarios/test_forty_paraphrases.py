"""One correction in forty wordings, over twelve sessions and three projects, is one thing to decide on."""

from __future__ import annotations

from pathlib import Path

from curate.review.inbox import inbox
from curate.review.propose import propose
from tests.curate.inboxes import NOW, SHOP, SITE, TOOLS, Inbox

WORDINGS = """
Use pnpm in this repo, not npm.
please use pnpm instead of npm here
No, pnpm, not npm.
use pnpm rather than npm
pnpm instead of npm please
Always use pnpm, never npm.
from now on use pnpm instead of npm
stop using npm, use pnpm
Don't use npm, use pnpm.
don't use npm here, we use pnpm
We use pnpm, not npm.
this project uses pnpm, not npm
this repo is on pnpm, not npm
prefer pnpm over npm
I prefer pnpm over npm
I'd prefer pnpm to npm
switch to pnpm instead of npm
Never use npm, use pnpm instead.
avoid npm, use pnpm
please stick to pnpm, not npm
stick with pnpm instead of npm
we're using pnpm here, not npm
Remember: pnpm, not npm.
as I said, use pnpm, not npm
make sure to use pnpm instead of npm
you should use pnpm instead of npm
I want you to use pnpm, not npm
go with pnpm instead of npm
pnpm over npm, always
again: use pnpm, not npm
use `pnpm`, not `npm`
Use `pnpm` instead of `npm` in this repo
I told you, pnpm, not npm
reminder: pnpm instead of npm
in this project use pnpm rather than npm
npm is not allowed here, use pnpm
npm is forbidden, use pnpm
use pnpm in place of npm
no npm please, use pnpm
pnpm is what we use here, not npm
""".strip().splitlines()


def test_forty_wordings_are_one_group_with_all_its_evidence(tmp_path: Path) -> None:
    desk = Inbox(tmp_path / "store")
    assert len(WORDINGS) == 40
    projects = (SHOP, SITE, TOOLS)
    for number, text in enumerate(WORDINGS):
        day = f"2026-10-{number // 2 + 1:02}T{10 + number % 2}:00:00Z"
        desk.say(text, on=day, session=f"session {number % 12}", project=projects[number % 3])

    (group,) = inbox(desk.store.state, at=NOW)

    assert (group.recurrence, len(group.sessions), len(group.projects)) == (40, 12, 3)
    assert group.statement == WORDINGS[-1]
    assert [piece.excerpt for piece in desk.store.state.evidence_of(group.evidence)] == WORDINGS
    assert len(group.candidates) == 3
    (op,) = propose(desk.store.state, at=NOW).ops
    assert (op.op, sorted(op.targets)) == ("add", sorted(projects))


def test_they_do_not_swallow_what_only_sounds_alike(tmp_path: Path) -> None:
    desk = Inbox(tmp_path / "store")
    for text in (
        *WORDINGS,
        "Use npm, not pnpm.",
        "Use pnpm, not yarn.",
        "Use pnpm 9, not npm.",
        "Use pnpm, not npm, in CI.",
    ):
        desk.say(text)

    counts = sorted(group.recurrence for group in inbox(desk.store.state, at=NOW))
    assert counts == [1, 1, 1, 1, 40]
