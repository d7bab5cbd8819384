"""What a command loads, seen in a process of its own: the static graph cannot see imports inside functions."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"textual", "rich", "git", "pydantic", "ruamel", "detect_secrets", "platformdirs"}


def loaded(program: str, stdin: bytes = b"") -> set[str]:
    """Top-level packages in `sys.modules` after the program has run."""
    ending = "\nimport sys; sys.__stderr__.write('|'.join({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", program + ending], input=stdin, capture_output=True, check=True)
    return set(done.stderr.decode().split("|"))


def run_command(*args: str) -> str:
    return (
        f"import sys; sys.argv = ['curate', *{args!r}]\n"
        "from curate.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as leave:\n    assert not leave.code, leave.code\n"
    )


def test_the_version_needs_nothing_but_the_standard_library():
    outside = loaded(run_command("--version")) - set(sys.stdlib_module_names)
    assert {name for name in outside if not name.startswith("_")} <= {"curate", "sitecustomize"}


@pytest.mark.parametrize("name", ["classify", "group"])
def test_commands_on_text_load_no_screen_no_git_no_models(name: str):
    stdin = b'{"id": 1, "text": "Never use npm here, always pnpm."}\n'
    assert loaded(run_command(name), stdin) & HEAVY == set()


def test_reading_the_store_loads_no_screen_and_no_git():
    found = loaded("import store.store, store.patch, store.state, store.log.fold, store.projection, store.project\n")
    assert found & {"textual", "rich", "click", "git", "curate"} == set()


def test_looking_at_what_waits_loads_no_models():
    assert loaded("import store.store, curate.review.inbox\n") & HEAVY == set()


@pytest.mark.parametrize("module", ["store.line", "store.log.fold", "store.state", "store.text", "store.errors"])
def test_the_reading_side_is_standard_library_only(module: str):
    outside = loaded(f"import {module}\n") - set(sys.stdlib_module_names)
    assert {name for name in outside if not name.startswith("_")} <= {"store", "sitecustomize"}


@pytest.mark.parametrize("package", ["curate.review.session", "curate.review.inbox", "curate.capture.capture"])
def test_what_screens_and_commands_share_loads_no_screen(package: str):
    assert loaded(f"import {package}\n") & {"textual", "rich", "click"} == set()
