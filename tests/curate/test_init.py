"""`curate init` finds the agents that are here, shows what would change, and connects those that the person wants."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from curate import __version__
from curate.cli.beside import opener, run
from tests.curate.test_install import SETTINGS, cli, tree

ROOT = Path(__file__).parent.parent.parent
BUNDLE = ROOT / "curate" / "agents" / "bundle"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    for folder in (".claude", ".gemini"):
        (home / folder).mkdir(parents=True)
    (home / ".gemini" / "settings.json").write_text('{"theme": "dark"}')
    return home


def test_without_an_answer_it_shows_and_connects_nothing(home: Path):
    before = {name: each for name, each in tree(home).items() if not name.startswith(".local")}
    code, out, _ = cli(home, "init")
    assert code == 0
    assert '+{"theme": "dark", "hooks"' in out
    assert "Connect it with `curate install claude-code`." in out
    assert {name: each for name, each in tree(home).items() if not name.startswith(".local")} == before


def test_yes_connects_all_that_are_here_and_no_others(home: Path):
    document = json.loads(cli(home, "init", "--yes", "--json")[1])
    assert Path(document["home"]).is_dir()
    assert {each["agent"]: each["connected"] for each in document["agents"]} == {"claude-code": True, "gemini": True}
    assert (home / SETTINGS["claude-code"]).exists()
    assert not (home / ".codex").exists()
    again = json.loads(cli(home, "init", "--yes", "--json")[1])
    assert {change["action"] for each in again["agents"] for change in each["changes"]} == {"unchanged"}


def test_named_agents_are_connected_whether_they_were_seen_or_not(home: Path):
    assert cli(home, "init", "--agents", "gemini,pi")[0] == 0
    assert (home / SETTINGS["pi"]).exists()
    assert b"cold.py" in (home / SETTINGS["gemini"]).read_bytes()
    assert not (home / SETTINGS["claude-code"]).exists()
    code, _, err = cli(home, "init", "--agents", "emacs")
    assert (code, "no agent 'emacs'" in err) == (2, True)


def test_none_connects_none(home: Path):
    code, out, _ = cli(home, "init", "--agents", "none")
    assert (code, "settings.json" in out) == (0, False)


def test_one_agent_with_broken_settings_does_not_keep_others_from_being_connected(home: Path):
    (home / ".claude" / "settings.json").write_text("{")
    code, _, err = cli(home, "init", "--yes")
    assert (code, "Claude Code is left alone" in err) == (0, True)
    assert b"cold.py" in (home / SETTINGS["gemini"]).read_bytes()


def test_the_review_opens_where_a_person_sees_it():
    words = ["/v/py thon", "-m", "curate"]

    def place(platform: str, programs: str = "", **env: str) -> tuple[list[str], str] | None:
        return opener(words, env, lambda name: f"/bin/{name}" if name in programs.split() else None, platform)

    tmux = place("linux", "tmux", TMUX="/tmp/x", DISPLAY=":0")
    assert tmux is not None
    assert tmux[0][:3] == ["/bin/tmux", "split-window", "-h"]
    assert tmux[0][-1] == "'/v/py thon' -m curate"
    window = place("linux", "xterm konsole", DISPLAY=":0")
    assert window is not None
    assert window[0] == ["/bin/konsole", "-e", *words]
    mac = place("darwin")
    assert mac is not None
    assert mac[0][0] == "osascript"
    assert place("win32") is not None
    assert place("linux") is None
    assert place("linux", "xterm", DISPLAY=":0", SSH_CONNECTION="x") is None
    assert place("darwin", SSH_CONNECTION="x") is None


def test_a_pane_that_could_not_be_opened_is_known():
    assert run([sys.executable, "-c", "pass"], waits=True)
    assert not run([sys.executable, "-c", "raise SystemExit(1)"], waits=True)
    assert not run([os.devnull + "x"], waits=True)


def test_without_a_place_what_waits_is_text(home: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("TMUX", "ZELLIJ", "WEZTERM_PANE", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSH_CONNECTION", "1")
    code, out, _ = cli(home, "review", "--beside")
    assert code == 0
    assert "# curate review list" in out


def test_the_plugin_of_claude_code_hears_what_the_installer_writes():
    from curate.agents.clients.claude_code import EVENTS
    from curate.agents.install.command import is_own

    shop = json.loads((BUNDLE / "claude-plugin/.claude-plugin/marketplace.json").read_text())
    (plugin,) = shop["plugins"]
    folder = BUNDLE / "claude-plugin" / plugin["source"]
    described = json.loads((folder / ".claude-plugin/plugin.json").read_text())
    assert (described["name"], described["version"]) == (plugin["name"], __version__)
    (outer,) = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())["plugins"]
    assert (ROOT / outer["source"]).resolve() == folder.resolve()
    hooks = json.loads((folder / "hooks/hooks.json").read_text())["hooks"]
    assert {event: groups[0]["hooks"][0]["timeout"] for event, groups in hooks.items()} == EVENTS
    assert all(is_own(groups[0]["hooks"][0]) for groups in hooks.values())
    rule = (BUNDLE / "skills/memory-governance.md").read_text("utf-8").replace("<!-- {MARK}. -->\n\n", "")
    text = (folder / "skills/memory-governance/SKILL.md").read_text("utf-8")
    assert text == rule.replace("{REVIEW}", "/curate:curate-memory")
