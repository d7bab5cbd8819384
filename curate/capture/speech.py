"""Tell a person's words from what agents, hooks, editors and this program put into the user's role.

Foreign spans are cut out and the words around them kept. The cost grows with the text only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from store.text import clean


@dataclass(frozen=True, slots=True)
class Speech:
    """The person's words in a message; `reason` says why there are none."""

    text: str
    reason: str | None = None
    stripped: tuple[str, ...] = ()


SPANS = {
    "system-reminder": "reminder",
    "system_reminder": "reminder",
    "system-notification": "reminder",
    "system_notification": "reminder",
    "user-prompt-submit-hook": "hook_context",
    "session-start-hook": "hook_context",
    "hook_context": "hook_context",
    "hook_prompt": "hook_context",
    "hook-context": "hook_context",
    "memory-context": "injected",
    "memory_context": "injected",
    "curate-memory": "injected",
    "relevant-memories": "injected",
    "local-command-caveat": "meta",
    "local-command-stdout": "local_output",
    "local-command-stderr": "local_output",
    "bash-input": "local_output",
    "bash-stdout": "local_output",
    "bash-stderr": "local_output",
    "user_shell_command": "local_output",
    "persisted-output": "local_output",
    "command-name": "command",
    "command-message": "command",
    "command-args": "command",
    "command-contents": "command",
    "task-notification": "machine_prompt",
    "teammate-message": "machine_prompt",
    "agent-message": "machine_prompt",
    "subagent_notification": "machine_prompt",
    "subagent-notification": "machine_prompt",
    "heartbeat": "machine_prompt",
    "turn_aborted": "interruption",
    "ide_opened_file": "ide_noise",
    "ide_selection": "ide_noise",
    "ide_diagnostics": "ide_noise",
    "new-diagnostics": "ide_noise",
    "post-tool-use-diagnostics": "ide_noise",
    "environment_context": "environment",
    "environment_details": "environment",
    "session_context": "environment",
    "current_datetime": "environment",
    "user_instructions": "instructions",
    "INSTRUCTIONS": "instructions",
    "permissions instructions": "instructions",
    "skill": "skill",
    "skills_instructions": "skill",
    "skill_content": "skill",
    "skill-context": "skill",
    "compaction-summary": "compaction",
    "conversation-summary": "compaction",
    "state_snapshot": "compaction",
    "tool_result": "tool_result",
    "function_results": "tool_result",
}
"""Elements that no person types, and the reason under which they are counted."""

_UNWRAPPED = ("user-memory-input", "user_query", "user-query", "user_message")
"""Elements whose content is what the person typed."""

_WHOLE = frozenset({"command", "machine_prompt", "compaction"})
"""A message that starts with one of these is machine-made as a whole; what follows belongs to it."""

_TAG = re.compile(
    r"<(/?)(" + "|".join(sorted(map(re.escape, (*SPANS, *_UNWRAPPED)), key=len, reverse=True)) + r")(?:\s[^<>]*)?>"
)
_WRAPPER = re.compile(r"<([A-Za-z]+(?:[-_:][A-Za-z0-9]+)+)(?:\s[^<>]*)?>")
_INJECTED = re.compile(
    r"^[ \t]*(?:# Persistent Intelligence Context|## Working Memory"
    r"|#{0,3} ?(?:⚠️? ?)?Correction Detected In This Message"
    r"|#{0,3} ?(?:Weak Domains — Under \d+% Reliability|Memory index — established earlier in this project)"
    r"|#{0,3} ?Unresolved Contradictions)[ \t]*(?:$|\()",
    re.MULTILINE,
)
"""Headings of the blocks that recall renders. A block goes on to the end of the message."""

_OPENINGS = (
    ("[Request interrupted by user", "interruption"),
    ("Caveat: The messages below were generated", "meta"),
    ("This session is being continued from a previous conversation", "compaction"),
    ("Another language model started to solve this problem", "compaction"),
    ("Another Claude session sent a message", "machine_prompt"),
    ("# AGENTS.md instructions for ", "instructions"),
    ("Base directory for this skill:", "skill"),
    ("Stop hook feedback:", "hook_context"),
    ("UserPromptSubmit hook", "hook_context"),
    ("SessionStart hook", "hook_context"),
    ("API Error:", "machine_prompt"),
)
_REQUEST = re.compile(r"^#{1,3} My request(?: for [A-Z]\w+)?:[ \t]*$", re.MULTILINE)
_EDITOR = "# Context from my IDE setup:"
_COMMAND = re.compile(r"/[A-Za-z][\w:-]*(?=\s|$)")


def speech(text: str) -> Speech:
    """What the person wrote in a message of the user's role."""
    text = clean(text)
    stripped: list[str] = []
    start = _TAG.match(text.lstrip()) if "<" in text else None
    if start and not start[1] and SPANS.get(start[2]) in _WHOLE:
        return Speech("", SPANS[start[2]], (SPANS[start[2]],))
    if text.startswith(_EDITOR) and (found := _REQUEST.search(text)):
        stripped.append("ide_noise")
        text = text[found.end() :]
    if "<" in text:
        text = _without_spans(text, stripped)
    if found := _INJECTED.search(text):
        stripped.append("injected")
        text = text[: found.start()]
    text = text.strip()
    if not text:
        return Speech("", stripped[0] if stripped else "empty", tuple(stripped))
    if reason := _whole(text):
        return Speech("", reason, tuple(stripped))
    return Speech(text, None, tuple(stripped))


def join(parts: list[Speech]) -> Speech:
    """The words of a message that came in several blocks. One machine-made block makes the whole message so."""
    stripped = tuple(kind for part in parts for kind in part.stripped)
    for part in parts:
        if part.reason in _WHOLE:
            return Speech("", part.reason, stripped)
    text = "\n\n".join(part.text for part in parts if part.text)
    if text:
        return Speech(text, None, stripped + tuple(p.reason for p in parts if p.reason and not p.stripped))
    return Speech("", next((part.reason for part in parts if part.reason), "empty"), stripped)


def _whole(text: str) -> str | None:
    """Why a text is machine-made as a whole."""
    for opening, reason in _OPENINGS:
        if text.startswith(opening):
            return reason
    if _COMMAND.match(text):
        return "command"
    if (found := _WRAPPER.match(text)) and text.endswith(f"</{found[1]}>"):
        return "wrapper"
    return None


def _without_spans(text: str, stripped: list[str]) -> str:
    """Cut known elements out. An element that is never closed is cut to the end when it opens a line."""
    kept: list[str] = []
    done = 0
    tags = list(_TAG.finditer(text))
    ends = _matching(tags)
    for index, tag in enumerate(tags):
        if tag.start() < done:
            continue
        name = tag[2]
        kept.append(text[done : tag.start()])
        done = tag.end()
        if tag[1] or name in _UNWRAPPED:
            continue  # a stray end, or the wrapper around what was typed
        end = ends[index]
        if end is not None:
            stripped.append(SPANS[name])
            done = tags[end].end()
        elif _opens_line(text, tag.start()):
            stripped.append(SPANS[name])
            done = len(text)
        else:
            kept.append(tag[0])
    kept.append(text[done:])
    return "".join(kept)


def _matching(tags: list[re.Match[str]]) -> list[int | None]:
    """For each opening tag the index of the end that closes it; nested ones of the same name are respected.

    Where ends are missing, an opening takes the last end of its name that lies behind it.
    """
    ends: list[int | None] = [None] * len(tags)
    waiting: dict[str, list[int]] = {}
    last: dict[str, int] = {}
    for index, tag in enumerate(tags):
        name = tag[2]
        if not tag[1]:
            waiting.setdefault(name, []).append(index)
            continue
        last[name] = index
        if stack := waiting.get(name):
            ends[stack.pop()] = index
    for name, stack in waiting.items():
        for index in stack:
            if name in last and last[name] > index:
                ends[index] = last[name]
    return ends


def _opens_line(text: str, start: int) -> bool:
    while start and text[start - 1] in " \t":
        start -= 1
    return start == 0 or text[start - 1] == "\n"
