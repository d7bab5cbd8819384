"""Real clients beside each other, and without us: one turn has one memory, of its own project, and none when curate is
gone.
"""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from curate.recall import journal
from tests.agents.dialects import Reply
from tests.agents.driving import HEAD, KNOWN, asked, heard, own
from tests.agents.model import Model
from tests.agents.program import Bench
from tests.agents.programs import CLAUDE_CODE, CODEX, COPILOT, PROGRAMS
from tests.curate.recalling import add, checkout

pytestmark = pytest.mark.clients

PROMPT = "Now add a script that lints."
SCRIPT = {"add a script": [Reply("There it is.")]}


@pytest.mark.parametrize("name", [name for name, program in PROGRAMS.items() if name == program.name])
def test_an_agent_goes_on_when_curate_is_gone(name: str, bench: Bench):
    program = PROGRAMS[name]
    with Model(SCRIPT) as model:
        bench = replace(bench, url=model.url)
        program.set_up(bench)
        add(bench.home / ".local/share/curate", KNOWN)
        own(bench, "install", name)
        settings = bench.home / program.settings
        settings.write_text(settings.read_text().replace(sys.executable, "/nowhere/python"))
        program.once_connected(bench)
        asked(program, bench, PROMPT, first=True)
    assert heard(model) == [Counter()] * len(model.conversation)
    assert model.conversation


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_large_block_arrives_whole(name: str, bench: Bench):
    program = PROGRAMS[name]
    with Model(SCRIPT) as model:
        bench = replace(bench, url=model.url)
        program.set_up(bench)
        store = add(bench.home / ".local/share/curate", *(
            {"id": f"mem_{one:03}", "statement": f"Script {one} lints: " + " ".join(f"é{one}x{n}" for n in range(120))}
            for one in range(60)
        ), *(
            {"id": f"mem_{other}", "statement": f"Table{other} has column{other}."} for other in range(100, 400)
        ))  # fmt: skip
        own(bench, "install", program.name)
        program.once_connected(bench)
        asked(program, bench, PROMPT, first=True)
    (session,) = journal.sessions(str(store))
    (turn,) = journal.turns(str(store), session)
    assert len(turn["block"].encode()) > 8_500
    assert any(turn["block"].strip() in each.text for each in model.conversation[0].messages)


@pytest.mark.parametrize("own_hook", [False, True], ids=["without its own", "with its own"])
def test_copilot_that_runs_the_hooks_of_claude_code_is_told_once(own_hook: bool, bench: Bench):
    with Model(SCRIPT) as model:
        bench = replace(bench, url=model.url)
        COPILOT.set_up(bench)
        store = add(bench.home / ".local/share/curate", KNOWN)
        bench.put(".copilot/config.json", {"trustedFolders": [str(bench.project)]})
        own(bench, "install", "claude-code", "--scope", "project")
        if own_hook:
            own(bench, "install", "copilot")
        asked(COPILOT, bench, PROMPT, first=True)
    assert heard(model) == [Counter(user=1)] * len(model.conversation)
    (session,) = journal.sessions(str(store))
    (turn,) = journal.turns(str(store), session)
    assert turn["agent"] == "copilot"


def test_two_agents_at_once_in_two_repositories_do_not_hear_each_other(bench: Bench, tmp_path: Path):
    site = checkout(tmp_path / "the site", "https://github.com/acme/site.git")
    titles = "Every page has a title of its own."
    with Model({"in the shop": [Reply("There it is.")], "in the site": [Reply("There it is.")]}) as model:
        bench = replace(bench, url=model.url)
        other = replace(bench, project=site)
        store = add(bench.home / ".local/share/curate", KNOWN)
        add(store, {**KNOWN, "id": "mem_titles", "statement": titles,
                    "scope": {"type": "project", "project": "github.com/acme/site"}})  # fmt: skip
        for program, where in ((CLAUDE_CODE, bench), (CODEX, other)):
            program.set_up(where)
            own(where, "install", program.name)
            program.once_connected(where)
        with ThreadPoolExecutor() as pool:
            turns = [
                pool.submit(asked, CLAUDE_CODE, bench, "Now add a script that lints in the shop.", first=True),
                pool.submit(asked, CODEX, other, "Now add a script that lints in the site.", first=True),
            ]
            for turn in turns:
                turn.result()
    for place, known in (("in the shop", KNOWN["statement"]), ("in the site", titles)):
        requests = ["\n".join(each.text for each in request.messages) for request in model.conversation]
        mine = [text for text in requests if place in text]
        assert mine
        for text in mine:
            assert text.count(HEAD) == 1
            assert [rule in text for rule in (KNOWN["statement"], titles)] == [
                rule == known for rule in (KNOWN["statement"], titles)
            ]
