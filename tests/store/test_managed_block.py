"""The managed block: stable bytes, never two, nothing else touched, and gone to the byte when it is taken out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.projection.block import NoTextFile, OtherOwner, check, put, remove
from store.projection.markers import BadMarkers, find, render
from tests.store.patching import API, SHOP, World


def world() -> World:
    made = World()
    made.record("m1", "Use pnpm, never npm.")
    made.record(
        "m2", "SQL files, not the ORM.", scope={"type": "project", "project": SHOP, "paths": ["packages/api/**"]}
    )
    made.record("m3", "Prices are in cents.", known_exceptions=["the archive"], pinned=True)
    made.record("m4", "Old.", status="deprecated")
    made.record("m5", "Elsewhere.", scope={"type": "project", "project": API})
    made.record("m6", "Everywhere.", scope={"type": "global"})
    return made


TEXTS = [
    b"", b"# Shop\n\nMine.\n", b"# Shop\r\n\r\nMine.\r\n", b"\xef\xbb\xbf# Shop\n", b"no newline at the end", b"\r\n",
    b"\n\n\n", b"crlf, no end\r\nlast", b"latin-1 \xe4\xf6\n", b"\xef\xbb\xbf", "emoji 📌\n".encode(),
    b"lone\rreturns\r",
]  # fmt: skip


@pytest.mark.parametrize("before", TEXTS)
def test_put_in_and_taken_out_the_file_is_the_same_to_the_byte(before: bytes, tmp_path: Path):
    file = tmp_path / "AGENTS.md"
    file.write_bytes(before)
    assert put(file, world().state, SHOP).outcome == "written"
    with_block = file.read_bytes()
    assert with_block.startswith(before)
    assert put(file, world().state, SHOP).outcome == "unchanged"
    assert file.read_bytes() == with_block
    assert with_block.count(b"curate:begin") == 1
    if b"\r\n" in before:
        assert b"\n" not in with_block[len(before) :].replace(b"\r\n", b"")
    assert remove(file, SHOP).outcome == "removed"
    assert file.read_bytes() == before


def test_a_file_that_was_not_there_is_gone_again(tmp_path: Path):
    file = tmp_path / "AGENTS.md"
    put(file, world().state, SHOP)
    assert file.read_text("utf-8").startswith("<!-- curate:begin github.com/acme/shop ")
    remove(file, SHOP)
    assert not file.exists()
    put(file, world().state, SHOP)
    file.write_text(file.read_text("utf-8") + "Mine.\n", "utf-8")
    remove(file, SHOP)
    assert file.read_text("utf-8") == "Mine.\n"


def test_it_holds_what_is_active_in_the_project_and_nothing_else(tmp_path: Path):
    file = tmp_path / "AGENTS.md"
    put(file, world().state, SHOP)
    lines = [line for line in file.read_text("utf-8").splitlines() if line.startswith("- ")]
    assert lines == [
        "- Prices are in cents. (except: the archive)",
        "- Use pnpm, never npm.",
        "- In `packages/api/**`: SQL files, not the ORM.",
    ]


def test_text_around_it_keeps_every_byte_when_it_is_renewed(tmp_path: Path):
    made = world()
    file = tmp_path / "CLAUDE.md"
    file.write_bytes(b"\xef\xbb\xbf# Before\r\n")
    put(file, made.state, SHOP)
    file.write_bytes(file.read_bytes() + b"\r\nAfter \xe4, no end")
    made.apply({"op": "add", "record": {"statement": "Tabs."}, "targets": [SHOP]})
    assert check(file, made.state, SHOP).outcome == "written"
    assert put(file, made.state, SHOP).outcome == "written"
    data = file.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf# Before\r\n<!-- curate:begin")
    assert data.endswith(b"<!-- curate:end -->\r\n\r\nAfter \xe4, no end")
    assert b"- Tabs.\r\n" in data
    assert check(file, made.state, SHOP).outcome == "unchanged"


def test_an_edit_inside_is_noticed_and_not_written_over_unasked(tmp_path: Path):
    made = world()
    file = tmp_path / "AGENTS.md"
    put(file, made.state, SHOP)
    edited = file.read_text("utf-8").replace("- Use pnpm, never npm.", "- Use pnpm, never npm.\n- Run my installer.")
    file.write_text(edited, "utf-8")
    for done in (check(file, made.state, SHOP), put(file, made.state, SHOP), remove(file, SHOP)):
        assert done.outcome == "edited"
        assert "Run my installer." in done.foreign
        assert file.read_text("utf-8") == edited
    assert "+- Run my installer." in put(file, made.state, SHOP).diff
    assert put(file, made.state, SHOP, overwrite=True).outcome == "written"
    assert "installer" not in file.read_text("utf-8")


def test_line_ends_that_git_changed_are_no_edit(tmp_path: Path):
    file = tmp_path / "AGENTS.md"
    put(file, world().state, SHOP)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert put(file, world().state, SHOP).outcome == "unchanged"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n" + render("x", ["1"]) + "b\n" + render("x", ["2"]), 6),
        ("a\n<!-- curate:begin x -->\nb\n", 2),
        ("a\n<!-- curate:end -->\n", 2),
        ("<!-- curate:begin x 000000000000 --> trailing\n<!-- curate:end -->\n", 1),
    ],
)
def test_two_blocks_or_half_a_block_are_refused_by_line(text: str, line: int, tmp_path: Path):
    file = tmp_path / "AGENTS.md"
    file.write_text(text, "utf-8")
    for act in (lambda: put(file, world().state, SHOP), lambda: check(file, world().state, SHOP), lambda: remove(file)):
        with pytest.raises(BadMarkers) as fault:
            act()
        assert fault.value.line == line
    assert file.read_text("utf-8") == text


def test_the_block_of_another_project_is_left_alone(tmp_path: Path):
    file = tmp_path / "AGENTS.md"
    put(file, world().state, API)
    with pytest.raises(OtherOwner, match=API):
        put(file, world().state, SHOP)


def test_what_is_no_text_is_refused(tmp_path: Path):
    for name, data in (("utf16.md", "x".encode("utf-16")), ("binary", b"\x00\x01")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(NoTextFile):
            put(tmp_path / name, world().state, SHOP)
    with pytest.raises(NoTextFile):
        put(tmp_path, world().state, SHOP)


def test_a_link_stays_a_link_and_the_mode_stays(tmp_path: Path):
    file = tmp_path / "AGENTS.md"
    file.write_text("x\n")
    file.chmod(0o640)
    link = tmp_path / "CLAUDE.md"
    link.symlink_to("AGENTS.md")
    put(link, world().state, SHOP)
    assert put(file, world().state, SHOP).outcome == "unchanged"
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["AGENTS.md", "CLAUDE.md"]


def test_statements_cannot_break_out_of_the_block(tmp_path: Path):
    made = World()
    made.record("m1", "ok <!-- curate:end --> # System")
    made.record("m2", "<!-- curate:begin x -->")
    file = tmp_path / "AGENTS.md"
    put(file, made.state, SHOP)
    block = find(file.read_text("utf-8"))
    assert block is not None
    assert block.intact
    assert block.inner.count("\n- ") == 2
    assert put(file, made.state, SHOP).outcome == "unchanged"


def test_any_name_of_a_project_can_own_a_block():
    for owner in ("path:/home/a b/c", "local:shop-1a2b3c4d", "x-->y", "a#b", "漢字", "--", "a>b"):
        block = find("before\n" + render(owner, ["- x"]))
        assert block is not None
        assert (block.owner, block.intact) == (owner, True)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(before=st.binary(max_size=80), after=st.binary(max_size=40))
def test_any_file_comes_back_to_the_byte(before: bytes, after: bytes, tmp_path: Path):
    file = tmp_path / "AGENTS.md"
    file.write_bytes(before)
    try:
        put(file, world().state, SHOP)
    except (NoTextFile, BadMarkers):
        assert file.read_bytes() == before
        return
    remove(file, SHOP)
    assert file.read_bytes() == before
