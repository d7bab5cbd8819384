"""The doctor finds what keeps memory from an agent, says how to mend it, and leaves with 1 when something is wrong."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from curate.agents import breaker, fired
from curate.agents.clients import CLIENTS
from curate.agents.clients.client import Surroundings
from curate.agents.connection import changes_to_connect, connect, receipt_of
from curate.agents.doctor.agent_checks import agent_checks
from curate.agents.doctor.probe import new_token, probe, verdict
from curate.agents.doctor.store_checks import hook_check, store_checks
from curate.agents.install.command import Hook
from tests.curate.test_install import cli

NOW = time.time()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    (root / "memory" / "projects").mkdir(parents=True)
    return root


def around(home: Path, **env: str) -> Surroundings:
    return Surroundings(home, {"PATH": "/nowhere", **env}, Hook(sys.executable))


def install(name: str, home: Path) -> None:
    connect(CLIENTS[name], around(home), changes_to_connect(CLIENTS[name], around(home)))


def looked(name: str, home: Path, root: Path) -> dict[str, tuple[str, str, str]]:
    """Each check of an agent by the end of its name: status, detail, mend."""
    checks = agent_checks(CLIENTS[name], around(home), root, home)
    return {each.name.removeprefix(f"{name}: "): (each.status, each.detail, each.mend) for each in checks}


def store(root: Path) -> dict[str, tuple[str, str, str]]:
    return {each.name: (each.status, each.detail, each.mend) for each in store_checks(root, NOW)}


def transcript(home: Path, when: float, cwd: Path, name: str = "s") -> Path:
    path = home / ".claude" / "projects" / "-shop" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"type": "user", "cwd": str(cwd)}) + "\n")
    os.utime(path, (when, when))
    return path


def test_an_agent_that_is_not_here_is_not_spoken_of(home: Path, root: Path):
    assert looked("pi", home, root) == {}


def test_an_agent_that_is_here_and_not_connected_is_a_note_with_the_command(home: Path, root: Path):
    (home / ".gemini").mkdir()
    assert looked("gemini", home, root) == {
        "connected": ("note", "Gemini CLI is here and not connected", "run `curate install gemini`")
    }


def test_a_connected_agent_that_was_heard_and_told_is_all_right(home: Path, root: Path):
    install("claude-code", home)
    fired.note(str(root), "claude-code", fired.PROMPT, 31)
    (root / "journal").mkdir()
    line = {"schema": "1.0", "turn": 1, "at": "2026-11-30T01:02:03Z", "agent": "claude-code", "block": "x"}
    (root / "journal" / "s.jsonl").write_text(json.dumps(line, separators=(",", ":")) + "\n")
    found = looked("claude-code", home, root)
    assert found["connected"][0] == found["hooks"][0] == "ok"
    assert found["fired"][0] == "ok"
    assert "took 31 ms" in found["fired"][1]
    assert found["injected"] == ("ok", "last at 2026-11-30T01:02:03Z", "")


def test_hooks_that_somebody_took_out_are_a_problem(home: Path, root: Path):
    install("claude-code", home)
    (home / ".claude" / "settings.json").write_text("{}")
    status, detail, mend = looked("claude-code", home, root)["connected"]
    assert (status, mend) == ("problem", "run `curate install claude-code`")
    assert "gone from" in detail


@pytest.mark.parametrize("name", ["claude-code", "copilot"])
def test_hooks_that_call_a_curate_that_is_gone_are_a_problem(name: str, home: Path, root: Path, tmp_path: Path):
    script = tmp_path / "old" / "curate" / "agents" / "cold.py"
    script.parent.mkdir(parents=True)
    script.write_text("")
    old = Surroundings(home, {"PATH": "/nowhere"}, Hook(sys.executable, str(script)))
    connect(CLIENTS[name], old, changes_to_connect(CLIENTS[name], old))
    assert looked(name, home, root)["connected"][0] == "note"
    shutil.rmtree(tmp_path / "old")
    status, detail, _ = looked(name, home, root)["connected"]
    assert (status, str(script) in detail) == ("problem", True)


def test_an_agent_that_is_connected_twice_is_a_problem(home: Path, root: Path):
    shop = home / "shop"
    (shop / ".git").mkdir(parents=True)
    local = Surroundings(home, {"PATH": "/nowhere"}, Hook(sys.executable), project=shop)
    connect(CLIENTS["pi"], local, changes_to_connect(CLIENTS["pi"], local))
    found = {each.name: each for each in agent_checks(CLIENTS["pi"], around(home), root, shop)}
    assert found["pi: connected"].status == "ok"
    install("pi", home)
    found = {each.name: each for each in agent_checks(CLIENTS["pi"], around(home), root, shop)}
    assert (found["pi: scope"].status, "--scope project" in found["pi: scope"].mend) == ("problem", True)


def test_hooks_that_ask_our_service_over_http_are_a_connection(home: Path, root: Path):
    hook = {"type": "http", "url": "http://127.0.0.1:8422/hooks/claude-code"}
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [hook]}]}}))
    assert looked("claude-code", home, root)["connected"] == ("ok", "over HTTP, while `curate serve` runs", "")
    install("claude-code", home)
    status, detail, _ = looked("claude-code", home, root)["connected"]
    assert (status, "twice" in detail) == ("problem", True)


def test_broken_settings_are_a_problem_with_the_line(home: Path, root: Path):
    install("gemini", home)
    (home / ".gemini" / "settings.json").write_text('{\n  "a": \n}')
    status, detail, _ = looked("gemini", home, root)["connected"]
    assert (status, "line 3" in detail) == ("problem", True)


def test_a_transcript_without_a_call_of_the_hook_is_a_problem(home: Path, root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CURATE_HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(root.parent / "data"))
    (root.parent / "local" / ".curate").mkdir(parents=True)
    (root.parent / "local" / ".curate" / "config.yaml").write_text("")
    (root.parent / "data").mkdir()
    base, root = root.parent, root.rename(root.parent / "data" / "curate")
    install("claude-code", home)
    receipt = receipt_of(CLIENTS["claude-code"], around(home))
    os.utime(receipt, (NOW - 9000, NOW - 9000))
    transcript(home, NOW - 60, base / "local")
    transcript(home, NOW - 60, base / "curate-probe-x", "probe")
    assert looked("claude-code", home, root)["fired"][0] == "note"  # those went to another store
    transcript(home, NOW - 90, base / "shop", "mine")
    assert looked("claude-code", home, root)["fired"][0] == "problem"
    fired.note(str(root), "claude-code", fired.PROMPT, 20)
    assert looked("claude-code", home, root)["fired"][0] == "ok"


def test_a_turn_that_ended_and_was_not_read_is_a_problem(home: Path, root: Path, monkeypatch: pytest.MonkeyPatch):
    install("claude-code", home)
    transcript(home, NOW, home)
    monkeypatch.setenv("CURATE_HOME", str(root))
    fired.note(str(root), "claude-code", fired.END, 20)
    status, _, mend = looked("claude-code", home, root)["captured"]
    assert (status, mend.startswith("run `curate scan`")) == ("problem", True)


def test_the_gates_of_claude_code(home: Path, root: Path):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"disableAllHooks": true}')
    install("claude-code", home)
    assert looked("claude-code", home, root)["hooks"][0] == "problem"
    path.write_text(path.read_text().replace('"disableAllHooks": true', '"enabledPlugins": {"curate@curate": true}'))
    status, detail, _ = looked("claude-code", home, root)["connected"]
    assert (status, "twice" in detail) == ("problem", True)


def test_the_gates_of_codex(home: Path, root: Path):
    install("codex", home)
    config = home / ".codex" / "config.toml"
    hooks = home / ".codex" / "hooks.json"
    status, detail, mend = looked("codex", home, root)["trust"]
    assert (status, "UserPromptSubmit" in detail, "/hooks" in mend) == ("problem", True, True)
    keys = [f'[hooks.state."{hooks}:{event}:0:0"]\ntrusted_hash = "sha256:x"\n'
            for event in ("user_prompt_submit", "stop", "session_end")]  # fmt: skip
    config.write_text("".join(keys[:2]))
    assert looked("codex", home, root)["trust"][1] == "not trusted yet: SessionEnd"
    config.write_text("".join(keys))
    assert looked("codex", home, root)["trust"][0] == "ok"
    config.write_text("[features]\nhooks = false\n" + "".join(keys))
    assert looked("codex", home, root)["hooks"][0] == "problem"
    config.write_text("a = 1\nb = \n")
    assert "line 2" in looked("codex", home, root)["settings"][1]


def test_the_gates_of_copilot_and_gemini(home: Path, root: Path):
    install("copilot", home)
    found = looked("copilot", home, root)
    assert found["channel"][0] == "ok"
    (home / ".copilot" / "settings.json").write_text('{"enableFileHooks": false, "disableAllHooks": true}')
    found = looked("copilot", home, root)
    assert found["enableFileHooks"][0] == found["hooks"][0] == "problem"
    project = Surroundings(home, {"PATH": "/nowhere"}, Hook(sys.executable), project=home / "shop", version="1.0.60")
    config = home / ".copilot" / "config.json"
    gates = {gate.name: gate.open for gate in CLIENTS["copilot"].gates(project, home / "shop")}
    assert gates["trust"] is False
    config.write_text(f'// machine-managed\n{{"trustedFolders": ["{home}"]}}')
    assert {gate.name: gate.open for gate in CLIENTS["copilot"].gates(project, home / "shop")}["trust"] is True
    newer = Surroundings(home, {"PATH": "/nowhere"}, Hook(sys.executable), version="1.0.20")
    assert not CLIENTS["copilot"].gates(newer, home)[0].open  # it listens at the start of a session, and we do not
    install("gemini", home)
    settings = home / ".gemini" / "settings.json"
    settings.write_text(settings.read_text().replace("{", '{ "hooksConfig": {"enabled": false},', 1))
    assert looked("gemini", home, root)["hooks"][0] == "problem"


def test_the_store_the_rest_of_the_hook_and_captures_that_wait(root: Path):
    found = store(root)
    assert {name: found[name][0] for name in ("store", "breaker", "captures", "formats", "log")} == dict.fromkeys(
        ("store", "breaker", "captures", "formats", "log"), "ok"
    )
    for _ in range(breaker.LIMIT):
        breaker.failed(str(root), "deadline")
    pending = root / "logs" / "pending" / "abc"
    pending.parent.mkdir()
    pending.write_bytes(b"/x.jsonl")
    os.utime(pending, (NOW - 4000, NOW - 4000))
    (root / "memory" / "global.jsonl").write_text("{not json}\n")
    (root / "logs" / "hook.log").write_text("2026-11-30T00:00:00Z hook: RuntimeError at x:1\n")
    found = store(root)
    assert found["breaker"][0] == found["captures"][0] == found["store"][0] == "problem"
    assert "5 failures in a row (deadline)" in found["breaker"][1]
    assert found["log"][:2] == ("note", "2026-11-30T00:00:00Z hook: RuntimeError at x:1")


def test_a_hook_that_cannot_be_started_is_a_problem(tmp_path: Path):
    assert hook_check().status == "ok"
    assert hook_check(python=str(tmp_path / "gone")).status == "problem"
    assert hook_check(cold=str(tmp_path / "gone.py")).status == "problem"


def test_the_command_leaves_with_1_when_something_is_wrong_and_resets(home: Path, root: Path):
    code, out, _ = cli(home, "doctor", "--json", "--home", str(root))
    document = json.loads(out)
    assert (code, document["ok"]) == (0, True)
    assert all(set(check) == {"name", "status", "detail", "mend"} for check in document["checks"])
    for _ in range(breaker.LIMIT):
        breaker.failed(str(root), "deadline")
    code, out, _ = cli(home, "doctor", "--json", "--home", str(root))
    assert (code, json.loads(out)["ok"]) == (1, False)
    code, out, _ = cli(home, "doctor", "--reset", "--home", str(root))
    assert (code, "Nothing is wrong." in out) == (0, True)


def test_an_install_with_home_is_as_it_should_be_for_that_store(home: Path, root: Path):
    assert cli(home, "install", "pi", "--home", str(root), "--json")[0] == 0
    code, out, _ = cli(home, "doctor", "--json", "--home", str(root))
    connected = next(check for check in json.loads(out)["checks"] if check["name"] == "pi: connected")
    assert (code, connected["status"]) == (0, "ok")


@pytest.fixture
def client_program(home: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A stand-in for a client: it runs the hook as its settings say, and repeats what it was told, as a model would."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "claude"
    program.write_text(
        f"#!{sys.executable}\n"
        "import json, os, subprocess, sys\n"
        f"hooks = json.load(open({str(home / '.claude/settings.json')!r})).get('hooks', {{}})\n"
        "for group in hooks.get('UserPromptSubmit', []):\n"
        "    event = json.dumps({'session_id': 's', 'cwd': os.getcwd(), 'prompt': sys.argv[-1]}).encode()\n"
        "    done = subprocess.run(group['hooks'][0]['command'], shell=True, input=event, capture_output=True)\n"
        "    if os.environ.get('DEAF') is None: print(done.stdout.decode())\n"
    )
    program.chmod(0o755)
    return {"PATH": f"{folder}:{os.defpath}", "HOME": str(home)}


def test_the_probe_says_whether_the_model_was_told(home: Path, client_program: dict[str, str], tmp_path: Path):
    client = CLIENTS["claude-code"]
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text("{}")
    token = new_token()
    assert "was not called" in probe(client, around(home, **client_program), token).detail
    install("claude-code", home)
    found = probe(client, around(home, **client_program), token)
    assert (found.status, token in found.detail) == ("ok", True), found
    found = probe(client, around(home, DEAF="1", **client_program), token)
    assert (found.status, "did not receive" in found.detail) == ("problem", True)
    log = tmp_path / "requests.jsonl"
    log.write_text(f'{{"messages": "{token}"}}')
    assert probe(client, around(home, DEAF="1", **client_program), token, log).status == "ok"
    assert probe(CLIENTS["pi"], around(home), token).mend == "install Pi"


def test_a_hook_that_was_called_and_said_nothing_is_told_apart():
    assert "said nothing" in verdict(CLIENTS["pi"], "token", "NONE", "", [""]).detail
