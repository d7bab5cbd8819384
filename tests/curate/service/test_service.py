"""The service: shapes that clients depend on, who gets in, what is refused in words, and what goes into the store."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from curate.recall import journal
from curate.service.app import make_app
from curate.service.guard import AT_ONCE, BODY_LIMIT
from store.model import Op, Patch
from store.store import Store
from tests.store.repositories import repository

TOKEN = "a-token-for-the-tests"
AT = "2026-11-29T12:00:00.000Z"
SHOP = "github.com/acme/shop"


def rule(statement: str, **fields: Any) -> dict[str, Any]:
    scope = fields.pop("scope", {"type": "project", "project": SHOP})
    return {"statement": statement, "rule_type": "convention", "scope": scope, "confidence": 0.9, **fields}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    store = Store.open(tmp_path / "store", create=True, clock=lambda: AT)
    records = [
        rule("Docker images are built with buildkit and pinned by digest"),
        rule("Migrations of the database run in a job of their own, never at start"),
    ]
    ops = [Op(op_id=f"op_{n}", op="add", record=record, targets=[SHOP]) for n, record in enumerate(records)]
    store.apply(Patch(patch_id="pat_1", created_at=AT, generated_by="manual", summary="made up", ops=ops),
                select=[op.op_id for op in ops])  # fmt: skip
    return store.root


@pytest.fixture
def client(root: Path) -> TestClient:
    app = make_app(root, token=TOKEN, clock=lambda: AT)
    return TestClient(app, headers={"Authorization": f"Bearer {TOKEN}"})


def test_retrieve_answers_in_the_shape_that_clients_read(client: TestClient):
    asked = {"query": "How are the docker images built?", "project": SHOP, "agent": "claude"}
    answer = client.post("/api/retrieve", json=asked).json()
    assert set(answer) == {"markdown", "items", "trace", "meta"}
    assert "## Insights" in answer["markdown"]
    (item,) = answer["items"]
    assert set(item) == {"id", "tier", "rrfScore", "score", "payload"}
    assert item["tier"] == "insights"
    assert item["rrfScore"] > item["score"] > 0
    assert item["payload"]["topic"] == "Docker images are built with buildkit and pinned by digest"
    trace = answer["trace"]
    assert set(trace) == {"candidates", "stages", "injected", "tokens_used", "budget", "judge_outcome"}
    assert set(trace["candidates"]) == {"semantic", "keyword", "fused"}
    assert trace["candidates"]["fused"] == 2
    assert (trace["injected"], trace["budget"], trace["judge_outcome"]) == (1, 700, "skipped")
    for stage in trace["stages"]:
        assert set(stage) == {"name", "in", "out", "dropped", "dropped_total"}
        assert stage["in"] - stage["out"] == stage["dropped_total"]
    assert {"idf-floor", "assembly"} <= {stage["name"] for stage in trace["stages"]}
    meta = answer["meta"]
    assert set(meta) == {"query", "budget", "results_count", "tokens_used", "working_memory_tokens", "latency_ms"}
    assert (meta["query"], meta["budget"], meta["results_count"]) == (asked["query"], 1000, 1)
    assert meta["tokens_used"] == trace["tokens_used"] + meta["working_memory_tokens"] > 0


def test_working_memory_of_the_repository_is_counted_apart(client: TestClient, tmp_path: Path):
    shop = repository(tmp_path / "shop", "git@github.com:acme/shop.git")
    (shop / "STATE.md").write_text("Milestone: v2\nBlockers: none\n")
    answer = client.post("/api/retrieve", json={"query": "how are docker images built", "cwd": str(shop)}).json()
    assert answer["markdown"].startswith("## Working Memory\n")
    assert answer["meta"]["working_memory_tokens"] > 0
    assert answer["trace"]["tokens_used"] > 0


@pytest.mark.parametrize("asked", [{}, {"project": SHOP}, {"cwd": "/"}], ids=["nothing", "a project", "no project"])
def test_no_folder_of_this_machine_is_told_where_none_is_meant(client: TestClient, asked: dict[str, str]):
    markdown = client.post("/api/retrieve", json={"query": "how are docker images built", **asked}).json()["markdown"]
    assert "Component" not in markdown
    assert "- Project: /" not in markdown


def test_a_named_project_is_not_told_of_the_folder_of_another(client: TestClient, tmp_path: Path):
    bank = repository(tmp_path / "bank", "git@github.com:acme/bank.git")
    (bank / "STATE.md").write_text("Milestone: secret merger\n")
    asked = {"query": "how are docker images built", "project": SHOP, "cwd": str(bank)}
    assert "merger" not in client.post("/api/retrieve", json=asked).json()["markdown"]


@pytest.mark.parametrize("layout", ["governed", "knowledge", "context"])
def test_nothing_of_another_project_or_profile_is_told(client: TestClient, root: Path, layout: str):
    records = [
        rule("Docker images of the bank are signed", scope={"type": "project", "project": "github.com/acme/bank"}),
        rule("Docker images at home run as root", scope={"type": "global"}, profile="private"),
        rule("Docker images of the shop have a private name", profile="private"),
        rule("Docker images get no tag latest", scope={"type": "global"}),
    ]
    ops = [Op(op_id=f"op_{n}", op="add", record=record) for n, record in enumerate(records)]
    Store.open(root).apply(Patch(patch_id="pat_2", created_at=AT, generated_by="manual", summary="more", ops=ops),
                           select=[op.op_id for op in ops])  # fmt: skip
    asked = {"userMessage": "how are docker images of bank, shop and home built, signed and named?", "layout": layout}
    for project, own in ((None, False), (SHOP, True)):
        told = client.post("/v1/context", json={**asked, **({"project": project} if project else {})}).json()["text"]
        assert "no tag latest" in told
        assert ("pinned by digest" in told) is own
        assert not any(word in told for word in ("are signed", "run as root", "private name"))


def test_turns_of_a_task_are_kept_and_served_without_the_message(client: TestClient, root: Path):
    for query in ("How are the docker images built?", "thanks", "When do migrations of the database run?"):
        client.post("/api/retrieve", json={"query": query, "project": SHOP, "task_id": "task-1"})
    last = client.get("/api/retrieve-capture", params={"task_id": "task-1"}).json()
    assert [turn["turn"] for turn in last["turns"]] == [1, 2, 3]
    assert (last["turn"], last["capturedAt"]) == (3, "2026-11-29T12:00:00.000Z")
    assert last["items"][0]["payload"]["topic"].startswith("Migrations of the database")
    silent = client.get("/api/retrieve-capture", params={"task_id": "task-1", "turn": 2}).json()
    assert silent["items"] == []
    assert silent["trace"]["skipped"]
    assert b"docker images built?" not in Path(journal.path_of(str(root), "task-1")).read_bytes()
    missing = client.get("/api/retrieve-capture", params={"task_id": "task-1", "turn": 9})
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")


def test_context_gives_the_block_with_a_reason_and_a_cost_for_each_line(client: TestClient, root: Path):
    asked = {"userMessage": "Why does build_images.sh fail? docker images", "sessionId": "s1", "project": SHOP}
    answer = client.post("/v1/context", json=asked).json()
    assert {"text", "entries", "totalTokens", "truncated"} <= set(answer)
    assert answer["text"].startswith("## Memory index — established earlier in this project\n")
    for entry in answer["entries"]:
        assert entry["reason"]
        assert entry["tokens"] > 0
        assert entry["text"] in answer["text"]
    assert sum(entry["tokens"] for entry in answer["entries"]) <= answer["totalTokens"]
    assert answer["truncated"] is False
    client.post("/v1/context", json={**asked, "preview": True})
    assert len(journal.turns(str(root), "s1")) == 1


def test_what_is_to_be_remembered_becomes_a_candidate_of_low_trust_and_nothing_more(client: TestClient, root: Path):
    asked = {"statement": "Use key ghp_16C7e42F292c6912E7710c838347Ae178B4a for deploys", "project": SHOP, "agent": "x"}
    answer = client.post("/v1/remember", json=asked)
    assert (answer.status_code, answer.json()["created"]) == (202, 1)
    store = Store.open(root)
    candidate = store.state.candidate(answer.json()["candidates"][0])
    assert candidate.statement == "Use key [masked api key] for deploys"
    assert (candidate.status, candidate.trust, candidate.targets) == ("waiting", "agent_inference", [SHOP])
    assert len(list(store.state.live_records())) == 2
    again = client.post("/v1/remember", json=asked).json()
    assert (again["created"], again["known"]) == (0, 1)


def test_bad_outcomes_make_a_weak_domain_that_the_next_context_names(client: TestClient):
    for _ in range(3):
        said = {"domain": "Migrations", "ok": False, "project": SHOP, "pattern": "forgets the index"}
        assert client.post("/v1/outcomes", json=said).status_code == 201
    text = client.post("/v1/context", json={"userMessage": "write the next migration", "project": SHOP}).json()["text"]
    assert "Weak Domains — Under 75% Reliability" in text
    assert "migrations: 0 % of 3 went well; fails by: forgets the index" in text


@pytest.mark.parametrize("path", ["/metrics", "/api/retrieve-capture?task_id=x"])
def test_nobody_gets_in_without_the_token(root: Path, path: str):
    stranger = TestClient(make_app(root, token=TOKEN))
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}):
        refused = stranger.get(path, headers=headers)
        assert (refused.status_code, refused.json()["error"]["code"]) == (401, "unauthorized")
    assert stranger.post("/v1/remember", json={"statement": "x"}).status_code == 401
    assert stranger.get("/health").json()["ok"] is True


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"{", 400, "not JSON"),
        (b'{"query": NaN}', 400, "not JSON"),
        (b"\xff\xfe", 400, "not JSON"),
        (b"[" * 100_000, 400, "not JSON"),
        (b"[]", 422, "valid dictionary"),
        (b"{}", 422, "query: field required"),
        (b'{"query": 7}', 422, "query: input should be a valid string"),
        (b'{"query": "docker", "budget": 0}', 422, "budget"),
        (b" " * (BODY_LIMIT + 1), 413, "at most"),
    ],
)
def test_a_bad_body_is_refused_in_words(client: TestClient, body: bytes, status: int, words: str):
    refused = client.post("/api/retrieve", content=body)
    assert refused.status_code == status
    assert words in refused.json()["error"]["message"].lower() or words in refused.json()["error"]["message"]


@pytest.mark.parametrize("folder", ["relative", "/\0", "/nowhere/of/this/machine", "x" * 4096])
def test_a_folder_of_another_machine_gets_what_holds_everywhere(client: TestClient, folder: str):
    answer = client.post("/api/retrieve", json={"query": "How are the docker images built?", "cwd": folder})
    assert (answer.status_code, answer.json()["items"]) == (200, [])


def test_unknown_paths_and_methods_say_where_the_paths_are_listed(client: TestClient):
    assert "see /openapi.json" in client.get("/nothing").json()["error"]["message"]
    wrong = client.get("/api/retrieve")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")


def test_slow_work_is_given_up_with_an_answer(root: Path):
    hasty = TestClient(make_app(root, token=None, seconds=0.0))
    refused = hasty.post("/api/retrieve", json={"query": "How are the docker images built?"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (504, "too_slow")


async def test_whoever_sends_slowly_keeps_nobody_else_waiting(root: Path):
    app = make_app(root, token=None, seconds=30.0)
    begun = asyncio.Semaphore(0)

    async def never() -> Any:
        begun.release()
        await asyncio.Event().wait()

    async def slow() -> None:
        scope = {"type": "http", "method": "POST", "path": "/v1/context", "headers": [], "query_string": b""}
        await app(scope, never, never)  # type: ignore[arg-type]

    tasks = [asyncio.create_task(slow()) for _ in range(AT_ONCE + 1)]
    for _ in tasks:
        await begun.acquire()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://curate") as http:
        answer = await http.post("/api/retrieve", json={"query": "How are the docker images built?"}, timeout=10)
    assert answer.status_code == 200
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize(
    "body",
    [
        b'{"query": "docker \\ud800 images", "project": "\\udfff", "task_id": "\\ud800", "agent": "\\ud800"}',
        b'{"query": "docker images \\u0000\\u202e", "project": "a\\nb]", "task_id": "../../x\\u0000", "agent": "\\n"}',
        b'{"query": "docker images", "budget": 1e400}',
        b'{"query": "docker images", "budget": 1' + b"0" * 5000 + b"}",
        b'{"query": "docker images", "query": null}',
        json.dumps({"query": "docker \"' OR NEAR(a b) * ^ { } : images " * 2000}).encode(),
    ],
    ids=["surrogates", "control", "infinite", "huge number", "twice", "operators of the search"],
)
def test_hostile_bodies_are_answered_or_refused_and_never_break_it(client: TestClient, root: Path, body: bytes):
    answer = client.post("/api/retrieve", content=body)
    assert answer.status_code in {200, 400, 422}, answer.text
    assert {path.parent.name for path in root.rglob("*.jsonl")} <= {"projects", "memory", "patches", "journal", "store"}


def test_a_secret_in_any_field_reaches_no_file(client: TestClient, root: Path, tmp_path: Path):
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    folder = tmp_path / secret
    folder.mkdir()
    told = {"agent": secret, "project": f"github.com/{secret}/x", "cwd": str(folder)}
    message = f"mend src/{secret}/index.ts in deployImages.sh with password=hunter2secretXY9"
    for layout in ("governed", "knowledge", "context"):
        asked = {"userMessage": message, "sessionId": secret, "layout": layout, "transcript": message[:0], **told}
        assert client.post("/v1/context", json=asked).status_code == 200
    client.post("/api/retrieve", json={"query": message, "task_id": secret, "recent_files": [str(folder)], **told})
    client.post("/api/retrieve", json={"query": message, "task_id": "t", "cwd": str(folder)})
    client.post(
        "/v1/remember", json={"statement": message, "tags": [secret], "reason": message, "sessionId": secret, **told}
    )
    client.post("/v1/outcomes", json={"domain": secret, "ok": False, "pattern": message, "strategy": message, **told})
    assert len(client.get("/api/retrieve-capture", params={"task_id": secret}).json()["turns"]) == 4
    for path in root.rglob("*"):
        assert secret not in path.name
        assert not path.is_file() or not any(word in path.read_bytes() for word in (secret.encode(), b"hunter2secret"))
    assert b"deployImages.sh" in Path(journal.path_of(str(root), "[masked api key]")).read_bytes()


def test_an_outcome_of_a_project_by_another_name_is_an_outcome_of_the_project(client: TestClient):
    for name in ("git@github.com:acme/shop.git", "https://me@github.com/acme/shop", SHOP):
        client.post("/v1/outcomes", json={"domain": "builds", "ok": False, "project": name})
    asked = {"userMessage": "mend the builds of images", "project": "https://github.com/acme/shop.git"}
    assert "builds: 0 % of 3" in client.post("/v1/context", json=asked).json()["text"]


def test_half_a_character_costs_no_more_than_itself(client: TestClient):
    body = b'{"query": "how are docker images \\ud83d built \\ud83d\\ude00", "project": "' + SHOP.encode() + b'"}'
    answer = client.post("/api/retrieve", content=body).json()
    assert answer["meta"]["query"] == "how are docker images ? built \N{GRINNING FACE}"
    assert len(answer["items"]) == 1


def test_other_methods_and_types_of_content_do_no_harm(client: TestClient):
    assert client.head("/health").content == b""
    assert client.options("/v1/remember").status_code == 405
    asked = json.dumps({"query": "How are the docker images built?", "project": SHOP}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        answer = client.post("/api/retrieve", content=asked, headers={"Content-Type": kind})
        assert len(answer.json()["items"]) == 1


def test_metrics_count_requests_turns_and_memories(client: TestClient):
    client.post("/api/retrieve", json={"query": "How are the docker images built?", "project": SHOP})
    client.get("/api/retrieve")
    text = client.get("/metrics").text
    assert 'curate_requests_total{endpoint="retrieve",method="POST",status="200"} 1.0' in text
    assert 'curate_injected_entries_total{layout="knowledge"} 1.0' in text
    assert 'curate_memories{status="active"} 2.0' in text


def test_the_description_names_every_route(client: TestClient, root: Path):
    described = client.get("/openapi.json").json()
    routes = {route.path for route in make_app(root, token=None).routes}  # type: ignore[attr-defined]
    assert set(described["paths"]) == routes
    assert json.dumps(described).count("#/components/schemas/") >= 4


def test_the_command_serves_on_this_machine_with_a_new_token(tmp_path: Path):
    surroundings = {**os.environ, "CURATE_HOME": str(tmp_path / "store"), "HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "curate", "serve", "--port", "0", "--json"], env=surroundings, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            started = json.loads(process.stdout.readline())
            assert started["url"].startswith("http://127.0.0.1:")
            with httpx.Client(base_url=started["url"], trust_env=False) as http:
                assert http.get("/health").json()["ok"] is True
                assert http.post("/api/retrieve", json={"query": "anything"}).status_code == 401
                told = {"headers": {"Authorization": f"Bearer {started['token']}"}}
                assert http.post("/api/retrieve", json={"query": "anything at all"}, **told).json()["items"] == []
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
