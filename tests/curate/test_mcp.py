"""MCP: what the tools answer, that nothing they do makes a memory, and that a client can start the real command."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import TextContent, TextResourceContents
from starlette.testclient import TestClient

from curate.agents.mcp.http import Guarded
from curate.agents.mcp.server import make_server
from store.model import Op, Patch
from store.notes import daily_notes, open_items
from store.store import Store
from tests.store.repositories import repository

AT = "2026-11-29T12:00:00.000Z"
SHOP = "github.com/acme/shop"
RULE = "Docker images are built with buildkit and pinned by digest"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    store = Store.open(tmp_path / "store", create=True, clock=lambda: AT)
    record = {"statement": RULE, "rule_type": "convention", "scope": {"type": "project", "project": SHOP}}
    op = Op(op_id="op_1", op="add", record=record, targets=[SHOP])
    store.apply(Patch(patch_id="pat_1", created_at=AT, generated_by="manual", summary="made up", ops=[op]),
                select=["op_1"])  # fmt: skip
    return store.root


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop", "git@github.com:acme/shop.git")


def state(root: Path) -> Any:
    return Store.open(root).state


async def called(root: Path, folder: Path | None, tool: str, **arguments: Any) -> dict[str, Any]:
    async with Client(make_server(root, folder)) as client:
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert isinstance(result.structured_content, dict)
        return result.structured_content


async def refused(root: Path, tool: str, **arguments: Any) -> str:
    async with Client(make_server(root, None)) as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert "Traceback" not in content.text
    return content.text


async def test_every_tool_says_what_it_takes_gives_and_does(root: Path):
    async with Client(make_server(root, None)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) >= {
        "memory_write", "memory_search", "memory_read", "session_decisions", "context", "explain", "review_summary",
    }  # fmt: skip
    for tool in tools.values():
        assert tool.description
        assert tool.output_schema
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (tool.name != "memory_write")
        assert tool.annotations.destructive_hint is False


async def test_a_search_finds_what_holds_where_the_agent_works(root: Path, shop: Path):
    found = await called(root, shop, "memory_search", query="how are docker images built")
    assert (found["project"], [hit["statement"] for hit in found["hits"]]) == (SHOP, [RULE])
    memory = await called(root, shop, "memory_read", id=found["hits"][0]["id"])
    assert (memory["record"]["statement"], memory["revisions"]) == (RULE, 1)


async def test_a_proposal_is_a_candidate_of_low_trust_and_no_memory(root: Path, shop: Path):
    before = len(state(root).records)
    told = {"content": "Use bun, not npm, for TypeScript", "tags": ["prefer_pattern", "tooling"], "confidence": 0.99}
    answer = await called(root, shop, "memory_write", target="long_term", **told)
    assert answer["outcome"] == "proposed; it waits for a person's decision"
    candidate = state(root).candidate(answer["candidates"][0])
    assert (candidate.trust, candidate.status, candidate.targets) == ("agent_inference", "waiting", [SHOP])
    assert (candidate.rule_type, candidate.tags, candidate.confidence) == ("prefer_pattern", ["tooling"], 0.35)
    assert len(state(root).records) == before


async def test_what_was_turned_away_is_not_proposed_again(root: Path, shop: Path):
    told = {"content": "Use tabs", "target": "long_term"}
    (ident,) = (await called(root, shop, "memory_write", **told))["candidates"]
    op = Op(op_id="op_1", op="reject_candidate", target_id=ident, candidate_ids=[ident], reason="no")
    patch = Patch(patch_id="pat_2", created_at=AT, generated_by="manual", summary="no", ops=[op])
    Store.open(root).apply(patch, select=["op_1"])
    answer = await called(root, shop, "memory_write", **told)
    assert answer["outcome"] == "a person turned this away before; it was not proposed again"


async def test_notes_and_open_items_are_written_and_decisions_listed(root: Path, shop: Path):
    await called(root, shop, "memory_write", target="daily", content="#decision JSON lines are the source of truth")
    await called(root, shop, "memory_write", target="scratchpad", content="mend the importer")
    assert open_items(root) == ["mend the importer"]
    (note,) = daily_notes(root)
    listed = await called(root, shop, "session_decisions")
    assert listed == {"decisions": [{"date": note.date, "project": SHOP, "text": "JSON lines are the source of truth"}]}


async def test_context_shows_the_block_and_explain_what_was_sent(root: Path, shop: Path):
    block = await called(root, shop, "context", prompt="why do the docker images not build?")
    assert RULE in block["block"]
    assert [line["section"] for line in block["entries"]] == ["Selected Memory"]
    assert await called(root, shop, "explain") == {"session": None, "kept": 0, "turns": []}


async def test_the_summary_and_the_prompt_leave_the_decision_to_a_person(root: Path, shop: Path):
    for content in ("Deploys go through staging", "Use four spaces", "Name branches after the ticket"):
        await called(root, shop, "memory_write", target="long_term", content=content)
    summary = await called(root, shop, "review_summary")
    assert summary["groups"] + summary["noise"] == 3
    async with Client(make_server(root, shop)) as client:
        prompt = await client.get_prompt("curate-memory")
    (message,) = prompt.messages
    assert isinstance(message.content, TextContent)
    assert "Decide nothing yourself" in message.content.text


async def test_records_are_resources(root: Path, shop: Path):
    async with Client(make_server(root, shop)) as client:
        (listed,) = (await client.read_resource("memory://records")).contents
        assert isinstance(listed, TextResourceContents)
        (record,) = json.loads(listed.text)["records"]
        (one,) = (await client.read_resource(f"memory://records/{record['id']}")).contents
        assert isinstance(one, TextResourceContents)
        assert json.loads(one.text)["record"]["statement"] == RULE
        with pytest.raises(MCPError, match="no record or candidate"):
            await client.read_resource("memory://records/mem_nothing")


async def test_faults_are_answers_in_words(root: Path):
    assert "mem_nothing" in await refused(root, "memory_read", id="mem_nothing")
    assert "empty" in await refused(root, "memory_write", target="daily", content="\u200b")
    assert "target" in await refused(root, "memory_write", target="record", content="x")


async def test_a_client_starts_the_command_and_talks_to_it(root: Path, shop: Path):
    surroundings = {**os.environ, "CURATE_HOME": str(root), "HOME": str(root.parent)}
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "curate", "mcp"], cwd=str(shop), env=surroundings
    )
    async with Client(command) as client:
        found = await client.call_tool("memory_search", {"query": "docker images"})
    assert found.structured_content is not None
    assert found.structured_content["project"] == SHOP


def test_over_http_it_asks_for_the_token(root: Path):
    app = make_server(root, None).streamable_http_app(
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False)
    )
    client = {"name": "test", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    accepts = {"Accept": "application/json, text/event-stream"}
    with TestClient(Guarded(app, "a-token-for-the-tests")) as http:  # type: ignore[arg-type]
        assert http.post("/mcp", json=hello, headers=accepts).status_code == 401
        known = http.post("/mcp", json=hello, headers={**accepts, "Authorization": "Bearer a-token-for-the-tests"})
    assert known.status_code == 200
    assert '"serverInfo"' in known.text
