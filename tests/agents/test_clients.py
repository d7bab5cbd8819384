"""The whole way with each real client: connected, a rule said in a turn is captured for the repository it was said in,
and once approved it reaches the model with the next prompt; disconnected, every file is as it was.

The model is a script on loopback. `make test-clients` runs these; they fetch the clients first.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curate.recall import journal
from tests.agents.dialects import Reply
from tests.agents.driving import HEAD, KNOWN, asked, heard, own, waiting
from tests.agents.model import Asked, Model
from tests.agents.program import Bench, Program, environment
from tests.agents.programs import COPILOT_OLDER, NOTE, PROGRAMS
from tests.curate.command import curate
from tests.curate.recalling import add

pytestmark = pytest.mark.clients

SAID = "in this repo always use pnpm, never npm"
FIRST = f"Please remember: {SAID}. Write that to NOTES.md."
SECOND = "Thanks. Now add a script that lints with pnpm."


def told(asked: Asked) -> Reply:
    """The token that a probe put into memory, if it came this far."""
    found = re.search(r"The probe token of curate is ([\w-]+)", "\n".join(each.text for each in asked.messages))
    return Reply(found[1] if found else "NONE")


def below(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_rule_goes_from_one_turn_to_the_next_and_nothing_is_left_behind(program: Program, bench: Bench):
    script = {
        "Please remember": [Reply("I write it down.", program.writes(bench.project)), Reply("It is in NOTES.md.")],
        "add a script": [Reply("There it is.")],
    }
    with Model(script) as model:
        bench = replace(bench, url=model.url)
        program.set_up(bench)
        store = bench.home / ".local/share/curate"
        add(store, KNOWN)
        before = below(bench.home)

        connected = own(bench, "install", program.name, "--json").json
        files = [Path(change["file"]) for change in connected["changes"]]
        assert bench.home / program.settings in files
        assert {change["action"] for change in own(bench, "install", program.name, "--json").json["changes"]} == {
            "unchanged"
        }
        program.once_connected(bench)

        asked(program, bench, FIRST, first=True)
        assert (bench.project / "NOTES.md").read_text() == NOTE
        (group,) = waiting(bench)
        assert SAID in group["statement"]
        assert group["targets"] == ["github.com/acme/shop"]
        assert group["recurrence"] == 1
        first = len(model.conversation)

        patch = own(bench, "propose", "--json").out
        assert curate("apply", "-", stdin=patch, HOME=str(bench.home)).code == 0
        asked(program, bench, SECOND, first=False)

    # One block with each prompt, in a message of its own place; what a client keeps it sends again.
    assert first >= 2
    assert heard(model) == [Counter({program.block_is_in: 1})] * first + [Counter({program.block_is_in: 2})] * (
        len(model.conversation) - first
    )
    assert len(model.conversation) > first
    assert not any(HEAD in each.system for each in model.asked)
    assert all("memory-governance" in each.whole for each in model.conversation)  # the skill is offered
    titles = [said for each in model.asked if each.aside for said in each.messages if HEAD in said.text]
    assert bool(titles) == program.title_is_told

    # It is what the journal says that was sent.
    (session,) = journal.sessions(str(store))
    turns = journal.turns(str(store), session)
    assert [(turn["turn"], turn["agent"]) for turn in turns] == [(1, program.name), (2, program.name)]
    assert "Commit subjects are in the imperative." in turns[0]["block"]
    assert "pnpm" not in turns[0]["block"]
    assert "use pnpm" in turns[1]["block"]
    for turn, request in ((turns[0], model.conversation[0]), (turns[1], model.conversation[-1])):
        assert any(turn["block"].strip() in each.text for each in request.messages), turn["block"]

    # Reading everything once more finds nothing new: each word was captured once.
    own(bench, "scan", "--json")
    assert own(bench, "inbox", "--json").json["groups"] == []
    assert len(own(bench, "records", "--json").json["records"]) == 2

    own(bench, "uninstall", program.name)
    assert {str(file): file.read_bytes() for file in files if file.exists()} == {
        str(file): before[str(file)] for file in files if str(file) in before
    }
    left = [name for name, data in below(bench.home / ".local/state").items() if program.name in name]
    assert left == []


@pytest.mark.parametrize("version", COPILOT_OLDER)
def test_a_copilot_that_does_not_listen_at_a_prompt_is_told_where_it_listens(version: str, bench: Bench):
    program = COPILOT_OLDER[version]
    script = {"Please remember": [Reply("I write it down.", program.writes(bench.project)), Reply("There.")]}
    with Model(script) as model:
        bench = replace(bench, url=model.url)
        program.set_up(bench)
        store = add(bench.home / ".local/share/curate", KNOWN)
        own(bench, "install", "copilot")
        asked(program, bench, FIRST, first=True)
    first, second = heard(model)
    assert first == (Counter(user=1) if program.block_is_in == "user" else Counter())
    assert second == Counter({program.block_is_in: 1})
    (session,) = journal.sessions(str(store))
    assert [turn["turn"] for turn in journal.turns(str(store), session)] == [1]
    assert [group["targets"] for group in waiting(bench)] == [["github.com/acme/shop"]]


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if name == program.name])
def test_a_probe_tells_whether_the_model_is_told(name: str, bench: Bench):
    program = PROGRAMS[name]
    with Model({"What is the probe token": [told]}) as model:
        bench = replace(bench, url=model.url)
        program.set_up(bench)

        def probe() -> dict[str, Any]:
            words = ["doctor", "--probe", program.name, "--json"]
            done = curate(*words, cwd=bench.project, **environment(program, bench))
            return next(each for each in done.json["checks"] if each["name"] == f"{program.name}: probe")

        assert "the hook was not called" in probe()["detail"]
        own(bench, "install", program.name)
        program.once_connected(bench)
        assert probe()["status"] == "ok"
