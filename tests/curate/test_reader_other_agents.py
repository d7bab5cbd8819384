"""Every agent's transcripts: the same conversation comes out of each, and nothing of what the agents added."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

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


def event(kind: str, time: str = "2026-01-02T10:00:00.000Z", **payload: object) -> dict[str, object]:
    return {"timestamp": time, "type": "event_msg", "payload": {"type": kind, **payload}}


def item(role: str | None, text: str, time: str = "2026-01-02T10:00:00.000Z") -> dict[str, object]:
    payload = {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}
    return {"timestamp": time, "type": "response_item", "payload": {k: v for k, v in payload.items() if v}}


META = {
    "timestamp": "2026-01-02T09:59:59.000Z",
    "type": "session_meta",
    "payload": {"id": "th-1", "cwd": "/home/ada/kiosk", "originator": "codex_cli_rs", "git": {"branch": "main"}},
}


def test_codex_before_items_gives_each_prompt_once_whichever_record_comes_first(tmp_path):
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n*** Add File: /home/ada/kiosk/b.py\n*** End Patch"
    path = write(
        tmp_path / "rollout-x.jsonl",
        META,
        item("user", "use tabs"),
        event("user_message", message="use tabs"),
        {
            "type": "response_item",
            "payload": {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "1"},
        },
        {
            "type": "response_item",
            "payload": {
                "type": "function_call",
                "name": "shell",
                "arguments": json.dumps({"command": ["bash", "-lc", "ls -l"]}),
            },
        },
        event("agent_message", message="Done."),
        event("user_message", message="and never spaces"),
        item("user", "and never spaces"),
        item("user", "only an item"),
    )
    seen = read(path)
    assert seen.texts == ["use tabs", "and never spaces", "only an item"]
    assert seen.turns[0].files_written == ("/home/ada/kiosk/src/a.py", "/home/ada/kiosk/b.py")
    assert seen.turns[0].commands == ("ls -l",)
    assert seen.turns[1].previous == "Done."
    assert seen.turns[0].branch == "main"


def test_codex_envelopes_are_no_speech_and_an_item_without_a_role_is_an_unknown_speaker(tmp_path):
    path = write(
        tmp_path / "rollout-x.jsonl",
        META,
        item("user", "<environment_context>\n<cwd>/x</cwd> Never write outside.\n</environment_context>"),
        item("user", "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nAlways use spaces.\n</INSTRUCTIONS>"),
        item("user", "<heartbeat>Always report.</heartbeat>"),
        item(None, "I prefer short functions"),
        item("developer", "Never use the network."),
        item(
            "user", "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nuse tabs please"
        ),
    )
    seen = read(path)
    assert seen.texts == ["use tabs please"]
    assert seen.skipped == {"environment": 1, "instructions": 1, "machine_prompt": 1, "unknown_speaker": 1}


def test_a_codex_fork_keeps_its_own_session_and_subagent_threads_are_no_speech(tmp_path):
    parent = {**META, "payload": {**META["payload"], "id": "th-0"}}  # type: ignore[dict-item]
    fork = write(tmp_path / "rollout-f.jsonl", META, parent, event("user_message", message="use tabs"))
    assert read(fork).turns[0].session == "th-1"
    sub = {**META, "payload": {**META["payload"], "thread_source": "subagent"}}  # type: ignore[dict-item]
    seen = read(write(tmp_path / "rollout-s.jsonl", sub, event("user_message", message="always use spaces")))
    assert not seen.turns
    assert seen.skipped == {"sidechain": 1}


def test_codex_reading_goes_on_between_the_two_records_of_a_prompt(tmp_path):
    path = write(tmp_path / "rollout-x.jsonl", META, item("user", "use tabs"))
    first = read(path)
    write(
        path,
        META,
        item("user", "use tabs"),
        event("user_message", message="use tabs"),
        event("user_message", message="more"),
    )
    second = read(path, first.end.position)
    assert first.texts == ["use tabs"]
    assert second.texts[-1] == "more"
    assert len({turn.text for turn in [*first.turns, *second.turns]}) == 2


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


def opencode(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE session(id TEXT, directory TEXT, parent_id TEXT, time_created INTEGER, time_updated INTEGER);"
        "CREATE TABLE message(id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);"
        "CREATE TABLE part(id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER,"
        " data TEXT);"
        "CREATE TABLE session_message(id TEXT, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER,"
        " time_updated INTEGER, data TEXT);"
    )
    return db


def add(db: sqlite3.Connection, ident: str, role: str, at: int, *parts: object, session: str = "ses_1") -> None:
    db.execute("INSERT INTO message VALUES(?, ?, ?, ?, ?)", (ident, session, at, at, json.dumps({"role": role})))
    for number, part in enumerate(parts):
        data = part if isinstance(part, str) else json.dumps(part)
        db.execute("INSERT INTO part VALUES(?, ?, ?, ?, ?, ?)", (f"{ident}-{number}", ident, session, at, at, data))
    db.execute("UPDATE session SET time_updated = ? WHERE id = ?", (at, session))
    db.commit()


def test_opencode_databases_are_read_in_order_and_only_what_is_new_the_second_time(tmp_path):
    path = tmp_path / "opencode.db"
    db = opencode(path)
    db.execute("INSERT INTO session VALUES('ses_1', '/home/ada/kiosk', NULL, 1760000000000, 1760000000000)")
    db.execute("INSERT INTO session VALUES('ses_2', '/home/ada/kiosk', 'ses_1', 1760000000000, 1760000000000)")
    tool = {
        "type": "tool",
        "tool": "edit",
        "callID": "c",
        "state": {"status": "completed", "input": {"filePath": "a.py"}},
    }
    add(
        db,
        "msg_9",
        "user",
        1760000001000,
        {"type": "text", "text": '"use tabs"'},
        {"type": "text", "text": "never", "synthetic": True},
    )
    add(db, "msg_1", "assistant", 1760000002000, {"type": "text", "text": "Fine."}, tool, "{broken")
    add(db, "msg_s", "user", 1760000002000, {"type": "text", "text": "always obey"}, session="ses_2")
    first = read(path)
    assert first.texts == ["use tabs"]
    assert first.turns[0].time == "2025-10-09T08:53:21Z"
    assert first.turns[0].files_written == ("/home/ada/kiosk/a.py",)
    assert first.skipped == {"hook_context": 1, "sidechain": 1}
    assert [bad.reason for bad in first.bad] == [
        "session ses_1: part msg_1-2: not JSON: Expecting property name enclosed in double quotes at column 2"
    ]
    add(db, "msg_2", "user", 1760000003000, {"type": "text", "text": "and short names"})
    second = read(path, first.end.position)
    assert second.texts == ["and short names"]
    assert second.turns[0].previous == "Fine."
    assert not read(path, second.end.position).turns
    db.close()


def test_the_second_layout_of_opencode_is_read_too(tmp_path):
    path = tmp_path / "opencode.db"
    db = opencode(path)
    db.execute("INSERT INTO session VALUES('ses_1', '/home/ada/kiosk', NULL, 1760000000000, 1760000009000)")
    write_call = {"type": "tool", "name": "write", "state": {"status": "completed", "input": {"filePath": "b.py"}}}
    rows = [
        ("m1", "user", 1, {"text": "use tabs"}),
        ("m2", "synthetic", 2, {"text": "never"}),
        ("m3", "assistant", 3, {"content": [{"type": "text", "text": "Done"}, write_call]}),
        ("m4", "idle", 4, {"outcome": "succeeded"}),
        ("m5", "novelty", 5, {}),
    ]
    for ident, kind, seq, data in rows:
        at = 1760000000000 + seq
        db.execute(
            "INSERT INTO session_message VALUES(?, 'ses_1', ?, ?, ?, ?, ?)",
            (ident, kind, seq, at, at, json.dumps(data)),
        )
    db.commit()
    db.close()
    seen = read(path)
    assert seen.texts == ["use tabs"]
    assert seen.turns[0].files_written == ("/home/ada/kiosk/b.py",)
    assert [dict(unknown.kinds) for unknown in seen.unknown] == [{"message of novelty": 1}]


def test_a_damaged_database_is_told_as_bad(tmp_path):
    path = tmp_path / "opencode.db"
    opencode(path).close()
    data = bytearray(path.read_bytes())
    data[100:3000] = b"\xff" * 2900
    path.write_bytes(data)
    seen = read(path)
    assert not seen.turns
    assert "cannot be read" in seen.bad[0].reason


def test_specstory_reads_headers_and_not_what_looks_like_them_in_tool_output():
    seen = read(DATA / "specstory.md")
    assert seen.texts == ["always use bun here, not npm", "no, spaces!"]
    first, second = seen.turns
    assert first.files_written == ("/home/ada/kiosk/src/app.py",)
    assert first.commands == ("bun test",)
    assert first.session == "5c0e1ab2-1111-4c7d-9c5d-0e8f3d1a2b3c"
    assert first.time == "2026-01-16T16:48:38Z"
    assert second.previous == "Done."
    assert seen.skipped == {"machine_prompt": 1}


def test_specstory_recovers_from_a_fence_that_was_never_closed(tmp_path):
    history = tmp_path / "kiosk" / ".specstory" / "history"
    history.mkdir(parents=True)
    path = history / "2026-01-16_16-48-38Z.md"
    path.write_text(
        "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n"
        "_**User (2026-01-16 16:48:38+0100)**_\n\nuse tabs\n\n---\n\n"
        '_**Agent (m 2026-01-16 16:48:40Z)**_\n\n<tool-use data-tool-type="read" data-tool-name="read_file">\n'
        "<details><summary>Tool use: **read_file** • Read file: src/a.py</summary>\n\n"
        "```text\nnever closed\n</details>\n</tool-use>\n\n"
        "---\n\n_**User - sidechain (2026-01-16 16:49:00Z)**_\n\nalways obey\n\n---\n\n"
        "_**User (2026-01-16 16:50:38Z)**_\n\nand short names\n\n---\n"
    )
    seen = read(path)
    assert seen.texts == ["use tabs", "and short names"]
    assert seen.turns[0].time == "2026-01-16T15:48:38Z"
    assert seen.turns[0].cwd == str(tmp_path / "kiosk")
    assert seen.turns[0].files_read == (str(tmp_path / "kiosk/src/a.py"),)
    assert seen.skipped == {"sidechain": 1}
    with path.open("a") as file:
        file.write("\n_**User (2026-01-16 16:55:00Z)**_\n\nnew one\n")
    assert read(path, seen.end.position).texts == ["and short names", "new one"]


def test_aider_takes_the_marked_lines_and_the_edits_that_were_applied(tmp_path):
    path = tmp_path / ".aider.chat.history.md"
    path.write_bytes((DATA / "aider.chat.history.md").read_bytes())
    seen = read(path)
    assert seen.texts == ["please use pathlib everywhere\nnever os.path", "thanks", "and here we use ruff"]
    assert seen.turns[0].files_written == (str(tmp_path / "src/app.py"),)
    assert seen.turns[0].session != seen.turns[2].session
    assert seen.turns[2].previous is None
    assert seen.skipped == {"command": 1}


def test_the_plain_form_is_read_with_what_the_agent_did(tmp_path):
    path = write(
        tmp_path / "p.jsonl",
        {"role": "user", "text": "use tabs", "time": 1760000001, "cwd": "/home/ada/kiosk", "session": "x", "id": 1},
        {"role": "assistant", "text": "ok", "files_written": ["a.py"], "commands": ["make"]},
        {"role": "system", "text": "never use tabs"},
        {"text": "I prefer short functions"},
        {"role": "user", "text": "thanks"},
    )
    seen = read(path)
    assert seen.texts == ["use tabs", "thanks"]
    assert seen.turns[0].files_written == ("/home/ada/kiosk/a.py",)
    assert seen.turns[0].commands == ("make",)
    assert seen.turns[0].turn_id == "x/1"
    assert seen.skipped == {"unknown_speaker": 1}


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
