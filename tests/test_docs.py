"""The pages under docs/ say what is: every command, every field, every file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from curate.cli.app import COMMANDS
from scripts.cli_docs import BLOCK, renewed
from store import layout
from store.line import SCHEMA
from store.log.fold import ENVELOPE
from store.model import Candidate, Evidence, OpName, Patch, Project, Receipt, Record, Review, Scope, Tombstone
from store.model.patch import Op

ROOT = Path(__file__).parent.parent
FILES = (ROOT / "docs" / "files.md").read_text("utf-8")
CLI = (ROOT / "docs" / "cli.md").read_text("utf-8")


def test_every_command_is_on_the_page_with_its_help_as_it_is():
    assert {block["name"] for block in BLOCK.finditer(CLI)} == {"curate", *COMMANDS}
    assert renewed(CLI) == CLI, "run `make docs`"


@pytest.mark.parametrize("model", [Record, Candidate, Evidence, Tombstone, Project, Patch, Op, Receipt, Scope, Review])
def test_every_field_is_explained(model: type):
    named = set(re.findall(r"[`\"]([a-z_]+)[`\"]", FILES))
    fields = {field.alias or name for name, field in model.model_fields.items()}
    assert fields - named == set()


def test_every_field_of_a_revision_and_every_op_is_explained():
    named = set(re.findall(r"`([a-z_]+)`", FILES))
    assert set(ENVELOPE) - named == set()
    assert set(get_args(OpName)) - named == set()
    assert f'"schema":"{SCHEMA}"' in FILES


def test_every_file_of_a_store_is_listed():
    names = [value for name, value in vars(layout).items() if name.isupper() and isinstance(value, str)]
    listed = FILES.split("## Lines")[0]
    assert [name for name in names if name != layout.LOCAL_FOLDER and name not in listed] == []


def test_links_between_pages_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
