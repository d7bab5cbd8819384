"""How each real client is set up to talk to a model on loopback, and how it is given a prompt."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from tests.agents.dialects import Tool
from tests.agents.program import Bench, Program, environment
from tests.agents.registry import modules, native, node

NOTE = "# Notes\n\nThe package manager is pnpm.\n"


def _claude(bench: Bench) -> None:
    bench.program("claude", native("@anthropic-ai/claude-code", "@anthropic-ai/claude-code-*/claude"))
    bench.put(".claude/settings.json", _with_hook_of_others({"cleanupPeriodDays": 20}, "UserPromptSubmit"))


CLAUDE_CODE = Program(
    "claude-code",
    "2.1.332",
    _claude,
    lambda prompt, first: [
        "claude", "-p", prompt, "--permission-mode", "acceptEdits", "--model", "sonnet", *_later(first, "--continue"),
    ],
    lambda project: Tool("Write", {"file_path": str(project / "NOTES.md"), "content": NOTE}),
    lambda bench: {
        "ANTHROPIC_BASE_URL": bench.url, "ANTHROPIC_API_KEY": "none", "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1", "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    },
    ".claude/settings.json",
    "system",
)  # fmt: skip


def _codex(bench: Bench) -> None:
    bench.program("codex", native("@openai/codex", "@openai/codex-*/vendor/*/bin/codex"))
    bench.put(".codex/hooks.json", _with_hook_of_others({}, "Stop"))
    bench.put(".codex/config.toml", "\n".join([
        # A name that it knows: to any other model it offers no tool that writes files.
        'model = "gpt-5.5"', 'model_provider = "local"', 'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"', "check_for_update_on_startup = false",
        "[analytics]", "enabled = false", "[features]", "daemon_auto_start = false", "plugins = false",
        "[model_providers.local]", 'name = "local"', f'base_url = "{bench.url}/v1"',
        'wire_api = "responses"', 'env_key = "LOCAL_KEY"',
        f"[projects.{json.dumps(str(bench.project))}]", 'trust_level = "trusted"', "",
    ]))  # fmt: skip


def _trust(bench: Bench) -> None:
    """What a person does in `/hooks`: look at the hooks that Codex lists, and trust them."""
    with (bench.home / ".codex/config.toml").open("a") as file:
        for hook in codex_hooks(bench):
            file.write(f'\n[hooks.state.{json.dumps(hook["key"])}]\ntrusted_hash = "{hook["currentHash"]}"\n')


def codex_hooks(bench: Bench) -> list[dict[str, Any]]:
    """The hooks that Codex itself lists, with what it thinks of each."""
    with subprocess.Popen(
        [bench.bin / "codex", "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        cwd=bench.project, env=environment(CODEX, bench), text=True,
    ) as server:  # fmt: skip
        assert server.stdin is not None
        assert server.stdout is not None
        info = {"clientInfo": {"name": "test", "version": "0"}, "capabilities": {}}
        asked = [("initialize", info), ("hooks/list", {"cwds": [str(bench.project)]})]
        reply: dict[str, Any] = {}
        for number, (method, params) in enumerate(asked):
            line = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            server.stdin.write(json.dumps(line) + "\n")
            server.stdin.flush()
            reply = next(each for each in map(json.loads, server.stdout) if each.get("id") == number)
        server.kill()
    return [hook for entry in reply["result"]["data"] for hook in entry["hooks"]]


CODEX = Program(
    "codex",
    "0.171.0",
    _codex,
    lambda prompt, first: ["codex", "exec", *_later(first, "resume", "--last"), prompt],
    lambda project: Tool("apply_patch", text=_patch("NOTES.md", NOTE)),
    lambda bench: {"LOCAL_KEY": "none"},
    ".codex/hooks.json",
    "developer",
    _trust,
)


def _copilot(bench: Bench, version: str | None = None) -> None:
    bench.program("copilot", native("@github/copilot", "@github/copilot-*/copilot", version))


COPILOT = Program(
    "copilot",
    "1.0.102",
    _copilot,
    lambda prompt, first: ["copilot", "-p", prompt, "--allow-all-tools", "--no-color", *_later(first, "--continue")],
    lambda project: Tool("create", {"path": str(project / "NOTES.md"), "file_text": NOTE}),
    lambda bench: {
        "COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_TYPE": "openai", "COPILOT_PROVIDER_BASE_URL": f"{bench.url}/v1",
        "COPILOT_PROVIDER_API_KEY": "none", "COPILOT_MODEL": "fake-model", "COPILOT_AUTO_UPDATE": "false",
    },
    ".copilot/hooks/curate.json",
    "user",
)  # fmt: skip


def _pi(bench: Bench, package: str = "@earendil-works/pi-coding-agent", cli: str = "dist/bundle/cli.js") -> None:
    bench.program("pi", modules(package) / package / cli, node())
    model = {"id": "fake-model", "contextWindow": 200_000, "maxTokens": 8_000}
    bench.put(".pi/agent/models.json", {"providers": {"local": {
        "baseUrl": f"{bench.url}/v1", "api": "openai-completions", "apiKey": "none", "models": [model],
    }}})  # fmt: skip


PI = Program(
    "pi",
    "1.6.0",
    _pi,
    lambda prompt, first: [
        "pi", "--provider", "local", "--model", "fake-model", "-p", prompt, *_later(first, "--continue"),
    ],
    lambda project: Tool("write", {"path": str(project / "NOTES.md"), "content": NOTE}),
    lambda bench: {"PI_OFFLINE": "1", "PI_SKIP_VERSION_CHECK": "1", "PI_TELEMETRY": "0"},
    ".pi/agent/extensions/curate.js",
    "user",
)  # fmt: skip


def _gemini(bench: Bench) -> None:
    bench.program("gemini", modules("@google/gemini-cli") / "@google/gemini-cli/bundle/gemini.js", node())
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "model": {"name": "gemini-2.5-pro"},  # else it asks the model which model to ask
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    }
    bench.put(".gemini/settings.json", _with_hook_of_others(settings, "AfterAgent", "echo '{}'"))


GEMINI = Program(
    "gemini",
    "0.61.0",
    _gemini,
    lambda prompt, first: [
        "gemini", "--approval-mode", "yolo", "-p", prompt, *_later(first, "--resume", "latest"),
    ],
    lambda project: Tool("write_file", {"file_path": str(project / "NOTES.md"), "content": NOTE}),
    lambda bench: {
        "GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": bench.url, "GEMINI_CLI_TRUST_WORKSPACE": "true",
    },
    ".gemini/settings.json",
    "user",
)  # fmt: skip


def _opencode(bench: Bench) -> None:
    bench.program("opencode", native("opencode-ai", "opencode-*/bin/opencode"))
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "local", "models": {"fake-model": {"name": "Fake"}},
                "options": {"baseURL": f"{bench.url}/v1", "apiKey": "none"}}  # fmt: skip
    path = bench.put(".config/opencode/opencode.json", {
        "model": "local/fake-model", "small_model": "local/fake-model", "autoupdate": False, "share": "disabled",
        "provider": {"local": provider},
    })  # fmt: skip
    # It wants its plugin package in its settings folder, and asks the registry for a minute when it is not there.
    ready = modules("@opencode-ai/plugin")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ready.parent / name, path.parent / name)
    shutil.copytree(ready, path.parent / "node_modules", symlinks=True)


OPENCODE = Program(
    "opencode",
    "1.18.33",
    _opencode,
    lambda prompt, first: ["opencode", "run", *_later(first, "--continue"), prompt],
    lambda project: Tool("write", {"filePath": str(project / "NOTES.md"), "content": NOTE}),
    lambda bench: {
        "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_SHARE": "1",
    },
    ".config/opencode/plugins/curate.js",
    "user",
    title_is_told=True,
    patience=180,
)  # fmt: skip


CLAUDE_CODE_OLDER = replace(
    CLAUDE_CODE,
    arguments=lambda prompt, first: [*CLAUDE_CODE.arguments(prompt, first), "--model", "claude-haiku-4-5"],
    block_is_in="user",
)
"""With a model of the generation before, Claude Code puts what hooks say elsewhere."""
PI_OLDER = replace(
    PI,
    version="0.73.1",
    set_up=lambda bench: _pi(bench, "@mariozechner/pi-coding-agent", "dist/cli.js"),
)
"""The last under its old name."""
COPILOT_OLDER = {
    version: replace(COPILOT, version=version, set_up=partial(_copilot, version=version), block_is_in=place)
    for version, place in {"1.0.60": "tool", "1.0.48": "user"}.items()
}
"""Versions that do not listen at a prompt: to the result of a tool, and to the start of a session."""
PROGRAMS = {
    "codex": CODEX,
    "claude-code": CLAUDE_CODE,
    "claude-code-haiku": CLAUDE_CODE_OLDER,
    "pi": PI,
    "pi-0.73": PI_OLDER,
    "copilot": COPILOT,
    "gemini": GEMINI,
    "opencode": OPENCODE,
}
"""The quickest first."""


def _later(first: bool, *words: str) -> list[str]:
    """Words that make a client go on with its last session."""
    return [] if first else list(words)


def _with_hook_of_others(settings: Mapping[str, Any], event: str, command: str = "true") -> dict[str, Any]:
    """Settings that hold a hook of somebody else for an event that we hear as well."""
    return {**settings, "hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]}}


def _patch(name: str, text: str) -> str:
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    return f"*** Begin Patch\n*** Add File: {name}\n{lines}*** End Patch"
