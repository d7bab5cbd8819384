"""Off by default; settings that cannot be used are named before anything is read or sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.capture.consolidate.settings import endpoint
from store.config import Config, template
from tests.curate.command import curate, curate_process
from tests.curate.consolidating import DOCSTRINGS, one_session


def configured(folder: Path, text: str) -> Config:
    folder.mkdir(exist_ok=True)
    (folder / "config.yaml").write_text(text)
    return Config.load(folder / "config.yaml")


def test_without_settings_one_line_says_how_to_turn_it_on(tmp_path):
    done = curate_process("consolidate", one_session(tmp_path, DOCSTRINGS), "--home", tmp_path / "store")
    assert done.fails(
        2, "consolidation is off", "consolidate.enabled", "consolidate.kind", "consolidate.url", "--dry-run"
    )
    assert not (tmp_path / "store").exists()


def test_the_settings_of_a_new_store_are_off(tmp_path):
    configured(tmp_path / "store", template())
    assert curate("consolidate", "--home", tmp_path / "store").fails(2, "consolidation is off")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("enabled: false, kind: openai, url: 'http://localhost', model: m", "consolidation is off"),
        ("enabled: 'yes'", "consolidate.enabled must be true or false"),
        ("enabled: true", "consolidate.kind must be openai, anthropic or command"),
        ("enabled: true, kind: gemini", "consolidate.kind must be openai, anthropic or command"),
        ("enabled: true, kind: openai, url: 'http://localhost'", "consolidate.model must name a model"),
        ("enabled: true, kind: openai, model: m", "consolidate.url must be an address"),
        ("enabled: true, kind: openai, model: m, url: 'ftp://host'", "consolidate.url must begin with https://"),
        ("enabled: true, kind: openai, model: m, url: 'http://[::1'", "consolidate.url is no address"),
        ("enabled: true, kind: openai, model: m, url: 'http://host:99999'", "consolidate.url is no address"),
        ("enabled: true, kind: openai, model: m, url: 'http://api.example.com'", "consolidate.url must be https"),
        ("enabled: true, kind: openai, model: m, url: 'https://me:pw@host'", "consolidate.url may hold no user, key"),
        ("enabled: true, kind: openai, model: m, url: 'https://host/?key=1'", "consolidate.url may hold no user, key"),
        ("enabled: true, kind: command, command: 'claude -p'", "consolidate.command must be a list of words"),
        ("enabled: true, kind: command, command: []", "consolidate.command must be a list of words"),
        (
            "enabled: true, kind: command, command: [a], timeout_s: 0",
            "consolidate.timeout_s must be a number from 1 to 600",
        ),
        ("enabled: true, kind: command, command: [a], max_chars: lots", "consolidate.max_chars must be a number"),
        ("enabled: true, kind: command, command: [a], max_items: true", "consolidate.max_items must be a number"),
        (
            "enabled: true, kind: openai, model: m, url: 'http://localhost', key_env: 'sk-123'",
            "consolidate.key_env must be the name of an environment variable, never the key itself",
        ),
        (
            "enabled: true, kind: openai, model: m, url: 'http://localhost', key_env: NO_SUCH_KEY_HERE",
            "names NO_SUCH_KEY_HERE, which holds no key",
        ),
    ],
)
def test_settings_that_cannot_be_used_are_named(settings, words, tmp_path):
    config = configured(tmp_path, f"consolidate: {{{settings}}}\n")
    with pytest.raises(Exception, match="consolidat") as fault:
        endpoint(config, {})
    assert words in str(fault.value)
    assert getattr(fault.value, "exit_code", None) == 2
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("kind", "url", "whole"),
    [
        ("openai", "http://localhost:11434", "http://localhost:11434/v1/chat/completions"),
        ("openai", "http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"),
        ("openai", "https://api.example.com/api/openai/v1", "https://api.example.com/api/openai/v1/chat/completions"),
        ("openai", "https://h.example/x/chat/completions", "https://h.example/x/chat/completions"),
        ("anthropic", "https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        ("anthropic", "http://192.168.1.20:4000/v1/messages", "http://192.168.1.20:4000/v1/messages"),
        ("anthropic", "http://[::1]:4000", "http://[::1]:4000/v1/messages"),
    ],
)
def test_the_address_may_be_the_base_or_the_whole(kind, url, whole, tmp_path):
    config = configured(
        tmp_path, f"consolidate: {{enabled: true, kind: {kind}, model: m, url: '{url}', key_env: K_1}}\n"
    )
    found = endpoint(config, {"K_1": " secret-key \n"})
    assert (found.url, found.key) == (whole, "secret-key")
    assert "secret-key" not in found.name


def test_the_key_is_never_written(tmp_path):
    home = tmp_path / "store"
    text = "consolidate: {enabled: true, kind: openai, model: m, url: 'http://127.0.0.1:9', key_env: K_1}\n"
    configured(home, text)
    done = curate("consolidate", one_session(tmp_path, DOCSTRINGS), "--home", home, K_1="the-key-itself-0815")
    assert done.code == 0
    assert "the-key-itself-0815" not in done.err + done.text
    assert all(b"the-key-itself" not in path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert (home / "config.yaml").read_text() == text


def test_an_unknown_agent_and_a_path_that_is_not_there(tmp_path):
    home = tmp_path / "store"
    configured(home, "consolidate: {enabled: true, kind: command, command: [a]}\n")
    assert curate("consolidate", "--agent", "nobody", "--home", home).fails(2, "--agent nobody: unknown")
    assert curate("consolidate", tmp_path / "none", "--home", home).fails(2, "no such file or folder")
