"""Titles that no file system likes: the notes get legal, stable, distinct names and valid front matter."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from curate.vault.folder import Vault
from curate.vault.promote import case, stage
from curate.vault.titles import file_name, folded, plain_name, title_of
from tests.curate.vaults import NOW, Memory, vault_at

TITLES = [
    "CON", 'a/b: "c"?', "#tag [[x]]", "long " * 60, "Use Foo", "use foo", "@types go last", "nul.txt", "...", "  x  ",
    "a\\b", "-- dash", "ends with a dot.", "漢字の題名", "e\u0301cole", "\u00e9cole", "📌 pin", "%20", "<b>", "x" * 300,
]  # fmt: skip
LEGAL = re.compile(r"[^\\/:*?\"<>|#^\[\]\x00-\x1f]+")
RESERVED = re.compile(r"(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)")


def test_every_note_has_a_legal_stable_distinct_name(tmp_path: Path):
    names: list[list[str]] = []
    for order in (1, -1):
        memory = Memory(tmp_path / f"store{order}")
        for number, title in enumerate(TITLES):
            memory.apply(op="add", record={"id": f"m{number}", "statement": title, "scope": {"type": "global"}})
        vault = Vault(vault_at(tmp_path / f"vault{order}"))
        idents = [f"m{number}" for number in range(len(TITLES))][::order]
        placed = {ident: stage(vault, case(memory.store.state, ident, vault, NOW)) for ident in idents}
        assert {one.outcome for one in placed.values()} == {"created"}
        names.append([placed[f"m{number}"].path for number in range(len(TITLES))])
        for ident, one in placed.items():
            text = (vault.root / one.path).read_text("utf-8")
            front = YAML(typ="safe", pure=True).load(text.split("---\n")[1])
            assert front["curate_id"] == ident
    assert names[0] == names[1]
    for name in names[0]:
        base = name.removeprefix("00 Inbox/")
        assert LEGAL.fullmatch(base)
        assert not RESERVED.match(base)
        assert not base.startswith(".")
        assert base == base.strip()
        assert not base.removesuffix(".md").endswith((".", " "))
        assert len(base.encode()) <= 255
    assert len({folded(name) for name in names[0]}) == len(TITLES)


@given(st.lists(st.text(min_size=1, max_size=40).filter(str.strip), min_size=2, max_size=6, unique=True))
def test_no_two_records_share_a_name_whatever_they_are_called(statements: list[str]):
    titles = [title_of(each) for each in statements]
    names = [file_name(title, f"m{at}", titles[:at] + titles[at + 1 :]) for at, title in enumerate(titles)]
    assert len({folded(name) for name in names}) == len(names)
    assert all(LEGAL.fullmatch(name) and name == plain_name(name) for name in names)


def test_a_name_that_needs_nothing_is_the_title():
    assert file_name("Use Foo", "m1", ["Use Bar"]) == "Use Foo"
    for one, other in itertools.permutations(["Use Foo", "use foo"]):
        assert file_name(one, "m1", [other]) != one
