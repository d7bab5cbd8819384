"""MCP shows an agent what holds where it works: no other project's memory, and nothing of another profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import TextResourceContents

from curate.agents.mcp.server import make_server
from curate.recall import journal
from curate.recall.planned import Plan
from store import notes
from store.ids import now
from store.knowledge.lines import OBSERVATIONS
from store.model import Op, Patch
from store.store import Store
from tests.curate.inboxes import Inbox
from tests.curate.knowing import know, observation
from tests.curate.test_mcp import AT, SHOP, called
from tests.store.repositories import repository

BANK = "github.com/acme/bank"
OWN = "Docker images of the shop are pinned by digest"
EVERYWHERE = "Docker images get no tag latest"
OTHER = "Docker images of the bank are signed twice"
PRIVATE = "Docker images at home run as root"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    store = Store.open(tmp_path / "store", create=True, clock=lambda: AT)
    everywhere: dict[str, Any] = {"type": "global"}
    records: list[dict[str, Any]] = [
        {"statement": OWN, "scope": {"type": "project", "project": SHOP}},
        {"statement": EVERYWHERE, "scope": everywhere},
        {"statement": OTHER, "scope": {"type": "project", "project": BANK}},
        {"statement": PRIVATE, "scope": everywhere, "profile": "private"},
    ]
    ops = [Op(op_id=f"op_{n}", op="add", record={"rule_type": "convention", **one}) for n, one in enumerate(records)]
    patch = Patch(patch_id="pat_1", created_at=AT, generated_by="manual", summary="made up", ops=ops)
    done = store.apply(patch, select=[op.op_id for op in ops])
    assert all(receipt.applied for receipt in done.receipts), done.receipts
    return store.root


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", "git@github.com:acme/shop.git")


def ident_of(root: Path, statement: str) -> str:
    return next(one.id for one in Store.open(root).state.live_records() if one.data["statement"] == statement)


def sent(root: Path, project: str, session: str, block: str) -> None:
    plan = Plan("governed", project, "bytes", 14336)
    plan.block = block
    journal.write(str(root), plan, session=session, agent="claude-code", at=AT)


@pytest.mark.parametrize(
    ("here", "asked", "found"),
    [
        (True, {}, {OWN, EVERYWHERE}),
        (True, {"project": BANK}, {OTHER, EVERYWHERE}),
        (True, {"everywhere": True}, {OWN, EVERYWHERE, OTHER}),
        (False, {}, {EVERYWHERE}),
        (False, {"project": SHOP}, {OWN, EVERYWHERE}),
    ],
    ids=["here", "a named project", "everywhere", "nobody can tell", "nobody can tell, named"],
)
async def test_a_search_finds_no_more_than_holds(root: Path, shop: Path, here: bool, asked: Any, found: set[str]):
    answer = await called(root, shop if here else None, "memory_search", query="docker images", **asked)
    assert {hit["statement"] for hit in answer["hits"]} == found


async def test_only_the_own_profile_is_found_listed_and_read(root: Path, shop: Path):
    ident = ident_of(root, PRIVATE)
    async with Client(make_server(root, shop)) as client:
        assert (await client.call_tool("memory_read", {"id": ident})).is_error
        with pytest.raises(MCPError, match="no record or candidate"):
            await client.read_resource(f"memory://records/{ident}")
        (listed,) = (await client.read_resource("memory://records")).contents
        assert isinstance(listed, TextResourceContents)
        assert {one["statement"] for one in json.loads(listed.text)["records"]} == {OWN, EVERYWHERE}
    (shop / ".curate.yaml").write_text("profile: private\n")
    answer = await called(root, shop, "memory_search", query="docker images")
    assert {hit["statement"] for hit in answer["hits"]} == {OWN, EVERYWHERE, PRIVATE}
    assert (await called(root, shop, "memory_read", id=ident))["record"]["statement"] == PRIVATE


@pytest.mark.parametrize("path", ["../../config.yaml", "..%2F..%2Fconfig.yaml", "%00", "x" * 5000])
async def test_no_path_leads_out_of_the_records(root: Path, path: str):
    async with Client(make_server(root, None)) as client:
        with pytest.raises(MCPError):
            await client.read_resource(f"memory://records/{path}")


async def test_turns_of_another_project_are_not_explained(root: Path, shop: Path):
    sent(root, SHOP, "s-shop", "ours")
    sent(root, BANK, "s-bank", "theirs")
    mine = await called(root, shop, "explain")
    assert (mine["session"], [turn["block"] for turn in mine["turns"]]) == ("s-shop", ["ours"])
    assert (await called(root, shop, "explain", session="s-bank"))["turns"] == []
    assert (await called(root, None, "explain"))["turns"] == []


async def test_of_a_long_session_the_last_turns_are_explained(root: Path, shop: Path):
    for number in range(25):
        sent(root, SHOP, "s-shop", f"block {number}")
    told = await called(root, shop, "explain")
    assert (told["kept"], len(told["turns"]), told["turns"][-1]["block"]) == (25, 20, "block 24")
    (one,) = (await called(root, shop, "explain", turn=2))["turns"]
    assert one["block"] == "block 1"


async def test_decisions_of_another_project_are_told_only_when_asked_for(root: Path, shop: Path):
    for text, project in (("ours", SHOP), ("theirs", BANK), ("nobody's", None)):
        notes.add_daily(root, f"#decision {text}", at=now(), project=project)
    for asked, texts in (({}, ["nobody's", "ours"]), ({"project": BANK}, ["theirs"]),
                         ({"everywhere": True}, ["nobody's", "theirs", "ours"])):  # fmt: skip
        told = await called(root, shop, "session_decisions", **asked)
        assert [one["text"] for one in told["decisions"]] == texts
    block = (await called(root, shop, "context", prompt="docker images"))["block"]
    assert "ours" in block
    assert "theirs" not in block


async def test_the_summary_names_what_waits_for_this_project(tmp_path: Path, shop: Path):
    desk = Inbox(tmp_path / "inbox")
    desk.say("Deploys of the bank go through staging", project=BANK)
    desk.say("Prices of the shop are kept in cents", project=SHOP)
    desk.say("Commit messages are in English", project=None)
    desk.say("Names of the children are never in a commit", project=None, profile="private")
    summary = await called(desk.store.root, shop, "review_summary")
    assert summary["groups"] == 4
    assert {one["statement"] for one in summary["first"]} == {
        "Prices of the shop are kept in cents", "Commit messages are in English",
    }  # fmt: skip


async def test_past_sessions_of_other_projects_and_profiles_are_not_found(root: Path, shop: Path):
    know(
        root,
        OBSERVATIONS,
        observation("obs_1", "make the invoice parser faster", project=SHOP),
        observation("obs_2", "the invoice parser of the bank", project=BANK),
        observation("obs_3", "private invoice parser", project=SHOP, profile="private"),
    )
    own = (await called(root, shop, "session_search", query="invoice parser"))["found"]
    assert [one["id"] for one in own] == ["obs_1"]
    wide = (await called(root, shop, "session_search", query="invoice parser", everywhere=True))["found"]
    assert {one["id"] for one in wide} == {"obs_1", "obs_2"}
