"""Codex's rollouts: which records are speech, and where reading goes on."""

from __future__ import annotations

import json

from tests.curate.reading import read, write


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
