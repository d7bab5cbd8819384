"""Writes long sessions as Claude Code does, in the mix that real ones have: few words of a person, much tool output."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, BinaryIO

PROMPTS = (
    "fix the failing test in the parser, it chokes on empty input",
    "why does the build take so long? have a look at the profile first",
    "now wire the new endpoint into the router and add a test for the error case",
    "looks good, thanks. next: the date column is sorted as text, make it a real sort",
    "ok and what happens when the file is missing? show me the message a user gets",
    "rename fetchAll to listOrders in the client, the server side stays as it is",
    "the totals are off by one cent for vouchers, find out where it is rounded",
    "please continue",
)
RULES = (
    "From now on always run the linter before you say something is done.",
    "Never edit generated files by hand in this repo, change the template instead.",
)
WORDS = "import export const return async await value order total parse error result client server test path".split()


def write_session(path: Path, size: int, cwd: str, *, rules_at: tuple[float, ...] = (0.5, 1.0), seed: int = 7) -> int:
    """Write a session of about `size` bytes with a rule at each of these shares of it; gives the number of prompts."""
    rng = random.Random(seed)
    turn = written = 0
    waiting = list(rules_at)
    with path.open("wb", buffering=1 << 20) as file:
        while written < size:
            text = PROMPTS[turn % len(PROMPTS)]
            if waiting and written >= waiting[0] * size - 200_000:
                text = RULES[len(rules_at) - len(waiting)]
                waiting.pop(0)
            written += write_turn(file, path.stem, turn, text, cwd, rng)
            turn += 1
        for number in range(len(waiting)):
            write_turn(file, path.stem, turn, RULES[len(rules_at) - len(waiting) + number], cwd, rng, rounds=0)
            turn += 1
    return turn


def write_turn(
    file: BinaryIO, session: str, turn: int, text: str, cwd: str, rng: random.Random, *, rounds: int = 8
) -> int:
    """One prompt and the agent's work that follows."""
    lines = [_line("user", f"u{turn}", session, turn, cwd, {"role": "user", "content": text})]
    for step in range(rounds):
        ident = f"{turn}-{step}"
        lines.append(_assistant(ident, session, turn, cwd, step, rng))
        lines.append(_result(ident, session, turn, cwd, rng))
    closing = {"role": "assistant", "content": [{"type": "text", "text": "Done: " + _prose(rng, 60)}]}
    lines.append(_line("assistant", f"c{turn}", session, turn, cwd, closing))
    data = b"".join(lines)
    file.write(data)
    return len(data)


def _assistant(ident: str, session: str, turn: int, cwd: str, step: int, rng: random.Random) -> bytes:
    tools: tuple[dict[str, Any], ...] = (
        {"name": "Read", "input": {"file_path": f"{cwd}/src/module_{step}.ts"}},
        {
            "name": "Bash",
            "input": {"command": f"cd {cwd} && npm test -- src/{step}.test.ts", "description": "Run tests"},
        },
        {
            "name": "Edit",
            "input": {
                "file_path": f"{cwd}/src/{step}.ts",
                "old_string": _prose(rng, 40),
                "new_string": _prose(rng, 50),
            },
        },
        {"name": "Grep", "input": {"pattern": "listOrders", "path": cwd}},
    )
    content = [{"type": "text", "text": _prose(rng, 25)}] if step % 3 == 0 else []
    content.append({"type": "tool_use", "id": f"toolu_{ident}", **tools[step % len(tools)]})
    return _line("assistant", f"a{ident}", session, turn, cwd, {"role": "assistant", "content": content})


def _result(ident: str, session: str, turn: int, cwd: str, rng: random.Random) -> bytes:
    output = "\n".join(f"{n:>5}  {_prose(rng, 9)}" for n in range(rng.randrange(10, 90)))
    content = [{"tool_use_id": f"toolu_{ident}", "type": "tool_result", "content": output}]
    more = {"toolUseResult": {"stdout": output, "stderr": "", "interrupted": False}}
    return _line("user", f"r{ident}", session, turn, cwd, {"role": "user", "content": content}, **more)


def _line(kind: str, uuid: str, session: str, turn: int, cwd: str, message: dict[str, Any], **more: Any) -> bytes:
    record = {
        "parentUuid": None, "isSidechain": False, "userType": "external", "cwd": cwd, "sessionId": session,
        "version": "2.1.332", "gitBranch": "main", "type": kind, "message": message, "uuid": f"{session}-{uuid}",
        "timestamp": f"2026-11-{1 + turn // 1440 % 28:02}T{turn // 60 % 24:02}:{turn % 60:02}:00.000Z", **more,
    }  # fmt: skip
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _prose(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(WORDS, k=words))
