"""Every agent's transcripts: the same conversation comes out of each, and nothing of what the agents added."""

from __future__ import annotations

import json

import pytest

from curate.capture.readers import agents, default_folders, find, named
from tests.curate.reading import DATA, read, write

PROMPTS = ["Use tabs in this repo, never spaces, and note it in STYLE.md.", "ok. what do we indent with?"]


@pytest.mark.parametrize(
    ("name", "agent", "skipped"),
    [
        ("codex_paginated.jsonl", "codex", {"hook_context": 4, "environment": 1}),
        ("copilot.jsonl", "copilot", {}),
        ("gemini.jsonl", "gemini", {"tool_result": 1}),
        ("opencode_export.json", "opencode", {"hook_context": 2}),
        ("pi_0.73.jsonl", "pi", {"hook_context": 2, "tool_result": 1}),
        ("pi_1.jsonl", "pi", {"hook_context": 2, "tool_result": 1}),
    ],
)
def test_a_recorded_conversation_gives_its_prompts_and_the_file_written(name, agent, skipped):
    seen = read(DATA / name)
    assert seen.texts == PROMPTS
    first, second = seen.turns
    assert first.agent == agent
    assert first.files_written == ("/home/ada/kiosk/STYLE.md",)
    assert not second.files_written
    assert second.previous is not None
    assert second.previous.endswith("Done: tabs it is, see STYLE.md.")
    assert first.session
    assert first.session == second.session
    assert first.time is not None
    assert first.time.startswith("2026-")
    assert first.time.endswith("Z")
    assert seen.skipped == skipped
    assert not seen.unknown
    assert not seen.bad


def test_pi_files_without_ids_or_a_head_are_read_and_forks_repeat_turn_ids(tmp_path):
    def entry(text: str, time: str) -> dict[str, object]:
        return {
            "type": "message",
            "timestamp": time,
            "message": {"role": "user", "content": [{"type": "text", "text": text}]},
        }

    edit = {
        "type": "toolCall",
        "id": "c",
        "name": "edit",
        "arguments": {"path": "src/a.py", "oldText": "a", "newText": "b"},
    }
    remote = {"type": "toolCall", "id": "d", "name": "far_exec", "arguments": {"tool": "write", "path": "/srv/b.py"}}
    answer = {"type": "message", "timestamp": "t", "message": {"role": "assistant", "content": [edit, remote]}}
    head = {
        "type": "session",
        "id": "s1",
        "timestamp": "2025-11-02T08:00:00.000Z",
        "cwd": "/home/ada/kiosk",
        "provider": "x",
    }
    told = entry("use tabs", "2025-11-02T08:00:01.000Z")
    old = read(write(tmp_path / "2025-11-02T08-00-00-000Z_s1.jsonl", head, told, answer))
    assert old.turns[0].files_written == ("/home/ada/kiosk/src/a.py", "/srv/b.py")
    fork = write(tmp_path / "2025-11-03T08-00-00-000Z_s2.jsonl", {**head, "id": "s2", "parentSession": "s1"}, told)
    assert read(fork).turns[0].turn_id == old.turns[0].turn_id
    bare = read(write(tmp_path / "2025-11-04T08-00-00-000Z_s3.jsonl", told))
    assert (bare.texts, bare.turns[0].session) == (["use tabs"], "s3")


def test_copilot_takes_what_was_typed_and_not_what_hooks_made_of_it(tmp_path):
    def one(kind: str, **data: object) -> dict[str, object]:
        return {"type": kind, "data": data, "id": f"i-{kind}-{len(data)}", "timestamp": "2026-11-02T09:00:00Z"}

    path = write(
        tmp_path / "events.jsonl",
        one("session.start", sessionId="c1", context={"cwd": "/home/ada/kiosk", "branch": "main"}),
        one("user.message", content="use tabs", transformedContent="use tabs <system_reminder>never</system_reminder>"),
        one("tool.execution_start", toolCallId="1", toolName="edit", arguments={"path": "a.py"}),
        one("tool.execution_complete", toolCallId="1", success=False),
        one(
            "tool.execution_start",
            toolCallId="2",
            toolName="str_replace_editor",
            arguments={"command": "view", "path": "b.py"},
        ),
        one(
            "tool.execution_start",
            toolCallId="3",
            toolName="str_replace_editor",
            arguments={"command": "create", "path": "c.py"},
        ),
        {**one("user.message", content="always obey the lead", messageId="m"), "agentId": "sub"},
        {"event": "conversation.message", "data": {"role": "user", "content": "from an early version"}, "id": "x"},
    )
    seen = read(path)
    assert seen.texts == ["use tabs", "from an early version"]
    assert seen.turns[0].files_written == ("/home/ada/kiosk/c.py",)
    assert seen.turns[0].files_read == ("/home/ada/kiosk/b.py",)
    assert seen.skipped == {"sidechain": 1}


def test_gemini_documents_of_older_versions_are_read(tmp_path):
    call = {"id": "1", "name": "replace", "args": {"file_path": "/home/ada/kiosk/a.py"}, "status": "success"}
    failed = {"id": "2", "name": "write_file", "args": {"file_path": "/home/ada/kiosk/b.py"}, "status": "error"}
    document = {
        "sessionId": "g1",
        "projectHash": "0f" * 32,
        "messages": [
            {"id": "m1", "timestamp": "2025-10-01T10:00:00Z", "type": "user", "content": "use tabs"},
            {
                "id": "m2",
                "timestamp": "2025-10-01T10:00:02Z",
                "type": "gemini",
                "content": "ok",
                "toolCalls": [call, failed],
            },
            {"id": "m3", "timestamp": "2025-10-01T10:00:09Z", "type": "info", "content": "never mind"},
        ],
    }
    path = tmp_path / "session-1.json"
    path.write_text(json.dumps(document, indent=2))
    [turn] = read(path).turns
    assert (turn.text, turn.session, turn.files_written) == ("use tabs", "g1", ("/home/ada/kiosk/a.py",))


def test_default_folders_follow_the_agents_own_variables(tmp_path):
    home, moved = tmp_path / "home", tmp_path / "moved"
    for place in (
        "home/.claude/projects", "home/.codex/sessions", "home/.codex/archived_sessions", "home/.pi/agent/sessions",
        "home/.copilot/session-state", "home/.gemini/tmp", "home/.local/share/opencode", "moved/projects",
        "moved/sessions", "moved/session-state", "moved/.gemini/tmp", "moved/opencode", "moved/.specstory/history",
    ):  # fmt: skip
        (tmp_path / place).mkdir(parents=True)
    for folder in (home / ".local/share/opencode", moved / "opencode"):
        (folder / "opencode-dev.db").touch()
    found = {agent: [str(p.relative_to(tmp_path)) for p in default_folders(agent, home, {})] for agent in agents()}
    assert found == {
        "claude-code": ["home/.claude/projects"],
        "codex": ["home/.codex/sessions", "home/.codex/archived_sessions"],
        "pi": ["home/.pi/agent/sessions"],
        "copilot": ["home/.copilot/session-state"],
        "gemini": ["home/.gemini/tmp"],
        "opencode": ["home/.local/share/opencode/opencode-dev.db"],
        "specstory": [],
        "aider": [],
        "plain": [],
    }
    env = {
        name: str(moved)
        for name in (
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "PI_CODING_AGENT_DIR",
            "COPILOT_HOME",
            "GEMINI_CLI_HOME",
            "XDG_DATA_HOME",
            "PWD",
        )
    }
    moved_to = {agent: [str(p.relative_to(moved)) for p in default_folders(agent, home, env)] for agent in agents()}
    assert moved_to == {
        "claude-code": ["projects"],
        "codex": ["sessions"],
        "pi": ["sessions"],
        "copilot": ["session-state"],
        "gemini": [".gemini/tmp"],
        "opencode": ["opencode/opencode-dev.db"],
        "specstory": [".specstory/history"],
        "aider": [],
        "plain": [],
    }


def test_files_that_may_be_transcripts_are_found_and_side_files_are_not(tmp_path):
    for name in (
        "b/x.jsonl",
        "a/y.md",
        "a/.git/z.jsonl",
        "a/s/subagents/agent-1.jsonl",
        "a/s/tool-results/t.json",
        "a/n.txt",
        "o.db",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [str(path.relative_to(tmp_path)) for path in find(tmp_path)] == ["o.db", "a/y.md", "b/x.jsonl"]
    assert named("nobody") is None
