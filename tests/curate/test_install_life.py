"""Whatever is done to settings while an agent is connected, in any order: connecting settles at once, and disconnecting
leaves what others wrote, to the byte where they wrote nothing.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from curate.agents.clients import CLIENTS
from curate.agents.clients.client import Surroundings
from curate.agents.install import edit
from curate.agents.install.command import Hook
from curate.agents.install.jsonc import parse
from curate.agents.install.plan import Change, to_connect, to_disconnect
from curate.agents.install.receipt import Receipt
from tests.curate.test_install_edit import THEIRS, written

CLIENT = CLIENTS["claude-code"]
FILE = Path("/home/ann/.claude/settings.json")
STEPS = (
    "a hook of others",
    "a member",
    "written anew",
    "a remark",
    "a member less",
    "connect",
    "connect another curate",
)


class Disk:
    """Files in memory, and the settings as they should be without us."""

    def __init__(self, before: bytes | None, value: Any) -> None:
        self.files = {} if before is None else {FILE: before}
        self.wanted = copy.deepcopy(value)
        self.receipt: Receipt | None = None

    def connect(self, python: str = "/a/python") -> None:
        pieces = CLIENT.pieces(Surroundings(Path("/home/ann"), {}, Hook(python, "/x/curate/agents/cold.py")))
        changes = to_connect(pieces, self.receipt, self.files.get)
        self._write(changes)
        files = tuple(each for change in changes if (each := change.written) is not None)
        self.receipt = Receipt("claude-code", "user", None, "1", files)
        assert {change.action for change in to_connect(pieces, self.receipt, self.files.get)} == {"unchanged"}

    def disconnect(self) -> None:
        self._write(to_disconnect([], self.receipt, self.files.get))

    def _write(self, changes: list[Change]) -> None:
        for change in changes:
            self.files.pop(change.file, None)
            if change.after is not None:
                self.files[change.file] = change.after

    def change(self, step: str, number: int) -> None:
        """What somebody else does to the settings."""
        text = self.files[FILE].decode()
        if step == "a hook of others":
            text = edit.append(text, ("hooks", "Stop"), THEIRS)
            self.wanted.setdefault("hooks", {}).setdefault("Stop", []).append(THEIRS)
        elif step == "a member":
            text = edit.put(text, (), f"later {number}", number)
            self.wanted[f"later {number}"] = number
        elif step == "written anew":
            text = json.dumps(parse(text).value, indent=3)
        elif step == "a remark":
            text += "\n// mine\n"
        elif names := [name for name in self.wanted if name != "hooks"]:
            text = edit.cut(text, (names[0],))
            del self.wanted[names[0]]
        self.files[FILE] = text.encode()


def without_empty(value: Any) -> Any:
    """Settings without lists of hooks in which nothing is: whose they were cannot always be told."""
    hooks = {event: groups for event, groups in value.get("hooks", {}).items() if groups}
    return {**{key: each for key, each in value.items() if key != "hooks"}, **({"hooks": hooks} if hooks else {})}


@settings(max_examples=25)
@given(written(), st.booleans(), st.lists(st.sampled_from(STEPS), max_size=6))
def test_a_life_of_settings(case: tuple[Any, str], new: bool, steps: list[str]):
    value, text = case
    disk = Disk(None if new else text.encode(), {} if new else value)
    disk.connect()
    for number, step in enumerate(steps):
        if step.startswith("connect"):
            disk.connect("/a/python" if step == "connect" else "/another/python")
        else:
            disk.change(step, number)
    disk.disconnect()
    if all(step.startswith("connect") for step in steps):
        assert disk.files == ({} if new else {FILE: text.encode()})
    left = parse(disk.files[FILE].decode()).value if FILE in disk.files else {}
    assert without_empty(left) == without_empty(disk.wanted)
    assert set(disk.files) <= {FILE}
