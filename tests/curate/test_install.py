"""An agent is connected in one command and disconnected without a trace; whatever stands in its settings survives."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from curate.agents.clients import CLIENTS
from curate.agents.clients.client import Surroundings
from curate.agents.connection import changes_to_connect, changes_to_disconnect, connect, disconnect
from curate.agents.install.command import Hook, is_own
from curate.agents.install.faults import ChangedMeanwhile, ReadOnly
from curate.cli.run import run
from tests.curate.command import curate

DATA = Path(__file__).parent.parent / "data" / "install"
HOOK = Hook("/opt/py thon/bin/python3", "/opt/lib/curate/agents/cold.py")
SETTINGS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "copilot": ".copilot/hooks/curate.json",
    "opencode": ".config/opencode/plugins/curate.js",
    "pi": ".pi/agent/extensions/curate.js",
    "gemini": ".gemini/settings.json",
}
AGENTS = sorted(SETTINGS)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "ann's home"
    folder.mkdir()
    return folder


def around(home: Path, **more: Any) -> Surroundings:
    return Surroundings(home, {"PATH": "/nowhere"}, HOOK, **more)


def install(name: str, surroundings: Surroundings) -> dict[str, str]:
    """Connect; gives what was done to each file, by its path from the home folder."""
    client = CLIENTS[name]
    changes = changes_to_connect(client, surroundings)
    connect(client, surroundings, changes)
    return {os.path.relpath(change.file, surroundings.home): change.action for change in changes}


def uninstall(name: str, surroundings: Surroundings) -> dict[str, str]:
    client = CLIENTS[name]
    changes = changes_to_disconnect(client, surroundings)
    disconnect(client, surroundings, changes)
    return {os.path.relpath(change.file, surroundings.home): change.action for change in changes}


def tree(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Everything in a folder: mode and bytes, or where a link leads."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name.startswith(".local"):
            continue  # receipts
        if path.is_symlink():
            found[name] = (0, str(path.readlink()))
        elif path.is_dir():
            found[name] = (stat.S_IMODE(path.stat().st_mode), "")
        else:
            found[name] = (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
    return found


def put(home: Path, name: str, text: str | bytes) -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("name", AGENTS)
def test_golden_what_is_written_for_each_agent(name: str, home: Path):
    before = DATA / f"{name}.before"
    if before.exists():
        put(home, SETTINGS[name], before.read_bytes())
    install(name, around(home))
    after = DATA / f"{name}.after"
    assert (home / SETTINGS[name]).read_text("utf-8") == after.read_text("utf-8")


@pytest.mark.parametrize("name", AGENTS)
def test_connected_twice_nothing_changes_and_disconnected_nothing_is_left(name: str, home: Path):
    put(home, "notes.txt", "mine")
    before = tree(home)
    assert set(install(name, around(home)).values()) == {"created"}
    connected = tree(home)
    assert set(install(name, around(home)).values()) == {"unchanged"}
    assert tree(home) == connected
    assert set(uninstall(name, around(home)).values()) == {"removed"}
    assert tree(home) == before
    assert not list(home.glob(".local/state/curate/*"))
    assert uninstall(name, around(home)) == {}


@pytest.mark.parametrize("name", AGENTS)
def test_connected_for_a_project_it_stays_in_the_project(name: str, home: Path):
    project = home / "work" / "shop"
    project.mkdir(parents=True)
    before = tree(home)
    files = install(name, around(home, project=project))
    assert all(file.startswith("work/shop/") for file in files)
    assert tree(home) != before
    uninstall(name, around(home, project=project))
    assert tree(home) == before


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        "",
        " \n",
        '{"hooks":{}}',
        '{"hooks": {"Stop": []}, }',
        '\ufeff{\r\n\t"model": "opus"\r\n}\r\n',
        '{\n  // "hooks": {}\n  "hooks": {\n    "Stop": [\n    ]\n  }\n}',
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}}',
    ],
)
@pytest.mark.parametrize("name", ["claude-code", "gemini"])
def test_settings_are_as_before_to_the_byte(name: str, text: str, home: Path):
    put(home, SETTINGS[name], text)
    before = tree(home)
    assert install(name, around(home))[SETTINGS[name]] == "changed"
    assert uninstall(name, around(home))[SETTINGS[name]] == "restored"
    assert tree(home) == before


def test_what_others_changed_meanwhile_is_kept_and_only_our_entries_go(home: Path):
    path = put(home, SETTINGS["claude-code"], '{\n  "model": "opus"\n}\n')
    install("claude-code", around(home))
    path.write_text(path.read_text().replace('"model": "opus"', '"model": "sonnet",\n  "theme": "dark"'))
    assert uninstall("claude-code", around(home))[SETTINGS["claude-code"]] == "changed"
    assert path.read_text() == '{\n  "model": "sonnet",\n  "theme": "dark"\n}\n'


def test_settings_that_the_agent_wrote_anew_are_freed_of_us_all_the_same(home: Path):
    path = put(home, SETTINGS["claude-code"], '{\n  "model": "opus" // best\n}\n')
    install("claude-code", around(home))
    path.write_text(json.dumps(json.loads(path.read_text().replace(" // best", "")) | {"theme": "dark"}, indent=4))
    uninstall("claude-code", around(home))
    assert json.loads(path.read_text()) == {"model": "opus", "theme": "dark"}


def test_a_file_that_we_made_and_others_use_stays_with_what_they_put_in(home: Path):
    install("gemini", around(home))
    path = home / SETTINGS["gemini"]
    path.write_text(path.read_text().replace("{", '{\n  "theme": "dark",', 1))
    uninstall("gemini", around(home))
    assert json.loads(path.read_text()) == {"theme": "dark"}


def test_without_a_receipt_what_is_ours_is_found_by_its_command(home: Path):
    path = put(home, SETTINGS["claude-code"], (DATA / "claude-code.before").read_bytes())
    before = tree(home)
    install("claude-code", around(home))
    for receipt in (home / ".local/state/curate/connections").glob("*.json"):
        receipt.unlink()
    uninstall("claude-code", around(home))
    assert path.read_bytes() == before[SETTINGS["claude-code"]][1]
    assert not list((home / ".claude" / "skills").glob("*/*"))


def test_a_command_that_was_put_in_by_hand_or_from_elsewhere_is_replaced(home: Path):
    hand = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/old/bin/curate-hook claude-code Stop"}]}]}}
    path = put(home, SETTINGS["claude-code"], json.dumps(hand))
    install("claude-code", around(home))
    other = Surroundings(home, {}, Hook("/new/python", "/new/curate/agents/cold.py"))
    install("claude-code", other)
    hooks = json.loads(path.read_text())["hooks"]
    commands = [entry["command"] for groups in hooks.values() for group in groups for entry in group["hooks"]]
    assert len(commands) == 3
    assert all(command.startswith("/new/python ") for command in commands)


def test_links_are_written_through_and_modes_kept(home: Path):
    real = put(home, "dotfiles/claude.json", '{"model": "opus"}\n')
    real.chmod(0o640)
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to("../dotfiles/claude.json")
    before = tree(home)
    install("claude-code", around(home))
    assert (home / ".claude/settings.json").is_symlink()
    assert b"cold.py" in real.read_bytes()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    uninstall("claude-code", around(home))
    assert tree(home) == before


def test_a_read_only_file_is_left_alone_and_nothing_else_is_written(home: Path):
    path = put(home, SETTINGS["claude-code"], "{}")
    path.chmod(0o444)
    before = tree(home)
    with pytest.raises(ReadOnly, match=r"settings\.json is read-only"):
        install("claude-code", around(home))
    assert tree(home) == before


def test_what_changed_after_it_was_shown_is_not_written_over(home: Path):
    path = put(home, SETTINGS["claude-code"], "{}")
    client = CLIENTS["claude-code"]
    changes = changes_to_connect(client, around(home))
    path.write_text('{"model": "opus"}')
    with pytest.raises(ChangedMeanwhile):
        connect(client, around(home), changes)
    assert path.read_text() == '{"model": "opus"}'


def test_a_disk_that_refuses_half_way_leaves_everything_as_it_was(home: Path):
    put(home, SETTINGS["claude-code"], "{}")
    put(home, ".claude/skills/memory-governance", "a file where a folder is needed")
    before = tree(home)
    outcome = cli(home, "install", "claude-code")
    assert outcome[0] == 2
    assert "memory-governance" in outcome[2]
    assert tree(home) == before
    assert not list(home.glob(".local/state/curate/connections/*.json"))


def test_a_file_of_ours_that_somebody_edited_is_kept_aside(home: Path):
    install("pi", around(home))
    path = home / SETTINGS["pi"]
    path.write_text(path.read_text() + "// mine\n")
    uninstall("pi", around(home))
    assert not path.exists()
    (kept,) = (home / ".local/state/curate/connections/set-aside").iterdir()
    assert kept.read_text().endswith("// mine\n")


def test_a_file_of_that_name_that_is_not_ours_is_never_taken(home: Path):
    path = put(home, SETTINGS["pi"], "export default function (pi) {}\n")
    code, _, err = cli(home, "install", "pi")
    assert (code, "not from curate" in err) == (2, True)
    assert path.read_text() == "export default function (pi) {}\n"
    uninstall("pi", around(home))
    assert path.exists()


def test_folders_that_variables_name_are_used(home: Path, tmp_path: Path):
    places = {
        "claude-code": "CLAUDE_CONFIG_DIR",
        "codex": "CODEX_HOME",
        "copilot": "COPILOT_HOME",
        "pi": "PI_CODING_AGENT_DIR",
        "opencode": "XDG_CONFIG_HOME",
    }
    for name, variable in places.items():
        surroundings = Surroundings(home, {variable: str(tmp_path / name)}, HOOK)
        client = CLIENTS[name]
        first = changes_to_connect(client, surroundings)[0]
        assert first.file.is_relative_to(tmp_path / name)


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_is_given_the_routing_rule_and_the_review(name: str, home: Path):
    install(name, around(home))
    texts = [path.read_text("utf-8") for path in home.rglob("*") if path.is_file() and ".local" not in path.parts]
    (skill,) = [text for text in texts if text.startswith("---\nname: memory-governance\n")]
    assert "#decision" in skill
    assert "{" not in skill
    assert sum("review" in text and "--beside" in text for text in texts) == 1


def test_the_command_file_of_gemini_is_toml(home: Path):
    install("gemini", around(home))
    value = tomllib.loads((home / ".gemini/commands/curate-memory.toml").read_text())
    assert "!{'/opt/py thon/bin/python3' -I" in value["prompt"]


@pytest.mark.skipif(sys.platform == "win32", reason="runs a POSIX shell")
def test_the_command_survives_spaces_quotes_and_a_curate_that_is_gone(tmp_path: Path):
    folder = tmp_path / 'it\'s a "home" $x'
    folder.mkdir()
    python = folder / "python"
    python.symlink_to(os.path.realpath(sys.executable))
    script = folder / "curate" / "agents" / "cold.py"
    script.parent.mkdir(parents=True)
    script.write_text("import sys; print(sys.argv[1:])")
    hook = Hook(str(python), str(script), home=str(folder))

    def shell(line: str) -> tuple[int, str, str]:
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    line = hook.line("codex", "Stop")
    assert is_own({"type": "command", "command": line})
    assert shlex.split(line)[4:8] == ["--home", str(folder), "codex", "Stop"]
    assert shell(line) == (0, f"{['--home', str(folder), 'codex', 'Stop']}\n", "")
    script.unlink()
    assert shell(line) == (0, "", "")  # python itself leaves with 2, which would block the prompt
    python.unlink()
    assert shell(line) == (0, "", "")


def test_on_windows_paths_are_quoted_for_every_shell_there():
    hook = Hook(r"C:\Program Files\Py\python.exe", r"C:\Users\Ann Ö\curate\agents\cold.py", windows=True)
    line = hook.line("claude-code", "Stop")
    assert line == (
        '"C:/Program Files/Py/python.exe" -I -S "C:/Users/Ann Ö/curate/agents/cold.py" claude-code Stop || exit 0'
    )
    assert is_own({"command": line})
    assert hook.powershell("copilot", "agentStop") == (
        r"& 'C:\Program Files\Py\python.exe' '-I' '-S' 'C:\Users\Ann Ö\curate\agents\cold.py' 'copilot' 'agentStop'"
        "; exit 0"
    )
    assert is_own({"bash": "x", "powershell": hook.powershell("copilot", "agentStop")})


def cli(home: Path, *args: str) -> tuple[int, str, str]:
    """Run a command in this process, in that home folder."""
    from contextlib import redirect_stderr, redirect_stdout
    from io import StringIO

    out, err = StringIO(), StringIO()
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith(("CURATE_", "XDG_", "CLAUDE", "CODEX", "COPILOT"))]:
        del os.environ[name]
    os.environ["HOME"] = str(home)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run([*args])
    finally:
        os.environ.clear()
        os.environ.update(before)
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("name", AGENTS)
def test_dry_run_shows_the_diff_and_writes_nothing(name: str, home: Path):
    before = tree(home)
    code, out, _ = cli(home, "install", name, "--dry-run")
    assert code == 0
    assert f"+++ {home / SETTINGS[name]}" in out
    assert "Nothing was written." in out
    assert tree(home) == before
    assert not list(home.glob(".local/state/curate/connections/*"))


def test_the_answer_for_programs(home: Path):
    path = str(home / SETTINGS["codex"])
    code, out, _ = cli(home, "install", "codex", "--json")
    document = json.loads(out)
    assert (code, document["agent"]) == (0, "codex")
    assert {"file": path, "action": "created"} in document["changes"]
    assert {each["action"] for each in json.loads(cli(home, "install", "codex", "--json")[1])["changes"]} == {
        "unchanged"
    }
    document = json.loads(cli(home, "uninstall", "codex", "--json")[1])
    assert {"file": path, "action": "removed"} in document["changes"]
    assert json.loads(cli(home, "uninstall", "codex", "--json")[1])["changes"] == []


def test_secrets_around_our_lines_are_not_shown(home: Path):
    key = "sk-ant-api03-" + "x7Kq" * 20
    put(home, SETTINGS["claude-code"], json.dumps({"env": {"ANTHROPIC_API_KEY": key}}, indent=2))
    _, out, _ = cli(home, "install", "claude-code", "--dry-run")
    assert key not in out
    assert "masked" in out


def test_an_unknown_agent_and_broken_settings_are_one_line(home: Path):
    code, out, err = cli(home, "install", "emacs")
    assert (code, out) == (2, "")
    assert "no agent 'emacs'" in err
    put(home, SETTINGS["claude-code"], '{\n  "a": 1\n  "b": 2\n}\n')
    before = tree(home)
    code, out, err = cli(home, "install", "claude-code")
    assert (code, out) == (2, "")
    assert f"{home / SETTINGS['claude-code']}, line 3: a comma is missing" in err
    assert err.count("\n") == 1
    assert tree(home) == before


def test_end_to_end_in_processes_of_their_own(home: Path):
    store = home / "store"
    done = curate("install", "claude-code", "--home", store, "--json", HOME=str(home))
    assert done.code == 0
    hooks = json.loads((home / SETTINGS["claude-code"]).read_text())["hooks"]
    assert list(hooks) == ["UserPromptSubmit", "Stop", "SessionEnd"]
    command = hooks["UserPromptSubmit"][0]["hooks"][0]["command"]
    assert f"--home {shlex.quote(str(store))}" in command
    ran = subprocess.run(["sh", "-c", command], input=b'{"prompt": "x y z"}', capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert curate("uninstall", "claude-code", HOME=str(home)).code == 0
    assert not (home / ".claude").exists()
