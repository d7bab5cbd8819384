"""What a terminal of 80 columns gets, and what a program gets that reads the same."""

from __future__ import annotations

import contextlib
import io

import pytest

from curate.cli.output import announce, moment, table, tell

STATEMENT = "in this repo every call to another service is retried with exponential backoff and jitter"
ROW = ("mem_01m8n9sy9ad5kjwzsy67ge1yxd", "contested", "gitlab.example.com/acme/handbook", STATEMENT)


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "80")
    return Terminal()


def shown(screen: Terminal) -> list[str]:
    lines = screen.getvalue().splitlines()
    assert all(len(line) <= 80 for line in lines), lines
    return lines


def test_a_program_gets_one_line_for_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    table([ROW, ("mem_2", "active", "global", "short")], indent=2)
    tell(f"  {STATEMENT} {STATEMENT}")
    first, second, told = capsys.readouterr().out.splitlines()
    assert first == "  " + "  ".join(ROW)
    assert second.endswith("  short")
    assert told == f"  {STATEMENT} {STATEMENT}"


def test_a_long_cell_stands_below_when_there_is_no_room_beside(screen: Terminal) -> None:
    with contextlib.redirect_stdout(screen):
        table([ROW])
    first, *below = shown(screen)
    assert first == "  ".join(ROW[:3])
    assert all(line.startswith("    ") for line in below)
    assert " ".join(line.strip() for line in below) == STATEMENT


def test_a_long_cell_is_broken_within_its_column(screen: Terminal) -> None:
    command = "curate audit mem_01m8n9sy9ad5kjwzsy67ge1yxd --supersede ID"
    with contextlib.redirect_stdout(screen):
        table([("keep it", "short"), ("let another memory take its place", command)], indent=2)
    lines = shown(screen)
    assert lines[0] == "  keep it                            short"
    assert " ".join(line[37:] for line in lines[1:]) == command


def test_what_stands_before_a_cell_is_broken_when_it_is_too_wide_itself(screen: Terminal) -> None:
    with contextlib.redirect_stdout(screen):
        table([(*ROW, "and more")], indent=2)
    assert " ".join(" ".join(shown(screen)).split()) == " ".join((*ROW, "and more"))


def test_a_very_long_cell_ends(screen: Terminal) -> None:
    with contextlib.redirect_stdout(screen):
        table([("a", "word " * 400)])
    assert len(shown(screen)) == 4
    assert shown(screen)[-1].endswith("…")


def test_a_line_is_broken_between_words_and_hangs(screen: Terminal) -> None:
    with contextlib.redirect_stdout(screen):
        tell(f"  ? {STATEMENT}")
    first, second = shown(screen)
    assert first.startswith("  ? in this repo")
    assert second.startswith("    ")


def test_times_are_told_to_the_minute() -> None:
    assert moment("2026-11-20T18:30:00.000Z") == "2026-11-20 18:30"
    assert moment("2026-11-20") == "2026-11-20"


def test_what_takes_long_is_announced_to_somebody_who_looks(
    screen: Terminal, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.redirect_stderr(screen):
        announce(2000)
        announce(10_000)
    announce(10_000)
    assert shown(screen) == ["curate: looking through 10,000 memories ..."]
    assert capsys.readouterr().err == ""
