"""Real stores for the tests of the review: captured, grouped, proposed and written by the code of the product."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

from store.captures import Capture, CaptureBatch
from store.ids import content_id
from store.line import canonical
from store.model import Candidate, Evidence, Op, Patch, Project, Scope
from store.store import Store

SHOP = "github.com/acme/shop-api"
WEB = "github.com/acme/web"
AT = "2026-11-29T10:00:00.000Z"


class Ids:
    """Ids that sort and depend neither on the clock nor on what other tests have made."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def __call__(self, prefix: str) -> str:
        return f"{prefix}_{next(self._numbers):026}"


def project(ident: str) -> Project:
    name = ident.rsplit("/", 1)[-1]
    return Project(id=ident, name=name, file=f"{name}-1a2b3c4d", created_at=AT, updated_at=AT)


def said(
    statement: str,
    *,
    target: str | None = SHOP,
    scope: Scope | None = None,
    times: int = 1,
    day: int = 27,
    cue: str = "",
    around: str = "{}",
    before: str | None = None,
    path: str | None = None,
    trust: str = "direct_user_instruction",
    flags: list[str] | None = None,
    durability: str = "durable",
    intent: str = "project_convention",
    rule: str | None = "convention",
    agent: str = "claude-code",
    **more: object,
) -> Capture:
    """Something a person said, once or several times in as many sessions."""
    evidence = []
    for number in range(times):
        excerpt = around.format(statement)
        start = excerpt.find(statement)
        at = excerpt.find(cue) if cue else -1
        session = f"s{day:02}{number}-{content_id('', statement, str(target))[1:5]}"
        evidence.append(
            Evidence(
                id=content_id("ev", excerpt, str(target), str(number), str(day)),
                excerpt=excerpt,
                cues=[(at, at + len(cue))] if at >= 0 else [],
                statement_span=(start, start + len(statement)) if start >= 0 else None,
                context=before,
                trust=trust,  # type: ignore[arg-type]
                agent=agent,
                session=session,
                turn="t1",
                time=f"2026-11-{max(1, day - number):02}T14:02:00.000Z",
                cwd="/work/shop",
                projects=[target] if target else [],
                path=path or f"/home/dev/.claude/projects/{session}.jsonl",
                line=12 + number,
            )
        )
    wanted = scope or Scope(type="project", project=target)
    candidate = Candidate(
        id=content_id("cand", f"{day:02}", statement, str(target)),
        statement=statement,
        intent=intent,  # type: ignore[arg-type]
        rule_type=rule,  # type: ignore[arg-type]
        scope=wanted,
        targets=[target] if target and wanted.type == "project" else [],
        durability=durability,  # type: ignore[arg-type]
        trust=trust,  # type: ignore[arg-type]
        confidence=0.9,
        flags=flags or [],
        evidence=[piece.id for piece in evidence],
        created_at=f"2026-11-{day:02}T14:02:00.000Z",
        updated_at=f"2026-11-{day:02}T14:02:00.000Z",
        **more,  # type: ignore[arg-type]
    )
    return Capture(candidate, evidence)


def remember(store: Store, *statements: tuple[str, Scope]) -> list[str]:
    """Records, written by a patch as a person would have them written."""
    ops = [
        Op(
            op_id=f"op_{number:03}",
            op="add",
            record={"statement": text, "scope": scope.model_dump(), "rule_type": "convention"},
            targets=[scope.project] if scope.project else [],
        )
        for number, (text, scope) in enumerate(statements, 1)
    ]
    patch = Patch(patch_id="pat_by_hand", created_at=AT, summary="imported by hand", ops=ops)
    done = store.apply(patch, select=[op.op_id for op in ops])
    return [
        change["id"] or "" for receipt in done.receipts for change in receipt.changes if "memory" in str(change["file"])
    ]


def capture(store: Store, *captures: Capture) -> None:
    """Take captures into the inbox."""
    store.capture(CaptureBatch(list(captures), [project(SHOP), project(WEB)]))


def opened(root: Path) -> Store:
    """A fresh store, on which nothing has happened for weeks: its clock stands at the first of the month."""
    return Store.open(root, create=True, clock=lambda: "2026-11-01T09:00:00.000Z", new_id=Ids())


def sample(root: Path) -> Store:
    """A little of everything: noise, groups, singles, a conflict, memories, and text that would break a screen."""
    store = opened(root)
    here = Scope(type="project", project=SHOP)
    remember(
        store,
        ("Use Postgres for the orders database", here),
        ("Run the linter before each commit", here),
        ("Write commit subjects in the imperative", Scope(type="global")),
    )
    capture(
        store,
        said("use pnpm, not npm, in this repo", times=3, cue="use pnpm", around="no, not npm. {} please",
             before="I'll run npm install to add the package."),
        said("never log customer emails", times=2, cue="never", day=20, rule="avoid_pattern"),
        said("don't touch generated files in api/gen", cue="don't touch", day=24, rule="avoid_pattern",
             scope=Scope(type="project", project=SHOP, paths=["api/gen/**"])),
        said("always write tests next to the code they test", cue="always", day=25),
        said("the staging cluster is called blue", day=26),
        said("we moved from Postgres to MySQL for the orders database", cue="moved from", day=28, rule="correction"),
        said("keep answers short and skip the summary", target=None, scope=Scope(type="global"), cue="keep", day=22,
             intent="user_preference", rule="preference"),
        said("deploys happen from the release branch only", target=WEB, cue="only", day=23),
        said("prefer fetch over axios in the web client", target=WEB, cue="prefer", day=21, rule="prefer_pattern"),
        said("use the blue theme for the dashboard", target=None, day=18),
        said("is this the right folder?", day=19, durability="temporary", intent="none"),
        said("thanks, that is great", day=19, durability="temporary", intent="none"),
        said("for now just comment that test out", day=17, durability="temporary", intent="temporary",
             flags=["one_off"]),
        said("[red]always[/] close [/] your [link='x']tags[/link] \x1b[31mred\x1b[0m \u202eback", day=16, cue="always"),
        said("数据库迁移必须先在测试环境运行", day=15, cue="必须"),
    )  # fmt: skip
    return store


def sides(root: Path) -> Store:
    """Contradictions of each kind (two that wait, one with a memory, a dispute, a fork), and identity memory."""
    store = opened(root)
    here = Scope(type="project", project=SHOP)
    _, tabs, docs, _ = remember(
        store,
        ("Use Postgres for the orders database", here),
        ("Indent with tabs", here),
        ("Document each endpoint in openapi.yaml", here),
        ("Run the linter before each commit", here),
    )
    done = [
        Op(op_id="op_1", op="contest", target_id=docs, reason="the generator does it now"),
        Op(op_id="op_2", op="update", target_id=tabs, updates={"statement": "Indent with 2 spaces"}),
    ]
    store.apply(
        Patch(patch_id="pat_later", created_at=AT, summary="second thoughts", ops=done), select=["op_1", "op_2"]
    )
    fork(root, tabs, "Indent with 4 spaces")
    store = opened(root)
    capture(
        store,
        said("we moved from Postgres to MySQL for the orders database", times=2, cue="moved from", day=28,
             rule="correction"),
        said("always use yarn for the web client", day=20, times=2, cue="always", target=WEB),
        said("never use yarn for the web client", day=26, cue="never", rule="avoid_pattern", target=WEB),
        said("I review code in the morning", target=None, scope=Scope(type="global"), times=3, day=25,
             intent="user_preference", rule="preference", layer="L1"),
    )  # fmt: skip
    return store


def fork(root: Path, ident: str, statement: str) -> None:
    """Another newest version of a record, as merging the logs of two machines brings it."""
    (file,) = (path for path in (root / "memory").rglob("*.jsonl") if ident in path.read_text("utf-8"))
    lines = [line for line in file.read_bytes().splitlines() if json.loads(line)["id"] == ident]
    other = json.loads(lines[-1]) | {"statement": statement, "at": "2026-11-02T09:00:00.000Z"}
    with file.open("ab") as log:
        log.write(canonical(other) + b"\n")


def many(root: Path, count: int) -> Store:
    """A store with `count` waiting candidates that are all different."""
    store = opened(root)
    verbs = ("use", "prefer", "avoid", "always run", "never skip", "keep")
    things = ("parser", "router", "cache", "schema", "linter", "worker", "queue", "index", "client", "button")
    captures = [
        said(
            f"{verbs[n % 6]} {things[n % 10]}{n} for module m{n // 7}",
            day=1 + n % 28,
            cue=verbs[n % 6].split()[0],
            target=SHOP if n % 3 else WEB,
        )
        for n in range(count)
    ]
    for start in range(0, count, 2000):
        capture(store, *captures[start : start + 2000])
    return store
