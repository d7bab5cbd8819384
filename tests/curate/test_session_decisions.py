"""The log of decisions: torn, spoilt, doubled or refused by the disk, it never loses more than its last line."""

from __future__ import annotations

import json
from pathlib import Path

from curate.review.choice import Choice
from curate.review.decisions import FOLDER, Others, open_log, read
from curate.review.rows import Scoped

AT = "2026-11-29T10:00:00Z"
REJECT = Choice("reject", candidates=("c1",), at=AT)
ACCEPT = Choice(
    "accept", Scoped("path", ("p",), ("api/**",)), "use pnpm", candidates=("c1",), bases=(("m", "h"),), at=AT
)


def decided(root: Path, **choices: Choice) -> Path:
    log, ledger, _ = open_log(root)
    for key, choice in choices.items():
        log.append(ledger.do(choice.verb or "", {key: choice}, cursor=key, at=AT))
    assert log.wait()
    log.close(keep=True)
    return log.path


def test_decisions_and_steps_come_back(tmp_path: Path) -> None:
    decided(tmp_path, a=REJECT, b=ACCEPT)
    log, ledger, bad = open_log(tmp_path)
    assert ledger.choices == {"a": REJECT, "b": ACCEPT}
    assert [step.keys for step in ledger.done] == [["a"], ["b"]]
    assert not bad
    log.append(ledger.undo()[1])  # type: ignore[index]
    log.close(keep=True)
    assert open_log(tmp_path)[1].choices == {"a": REJECT}


def test_a_torn_tail_at_any_byte_loses_one_line_at_most(tmp_path: Path) -> None:
    path = decided(tmp_path, a=REJECT, b=ACCEPT)
    whole = path.read_bytes()
    second = whole.index(b"\n") + 1
    for end in range(second, len(whole)):
        path.write_bytes(whole[:end])
        ledger, _ = read(path)
        assert ledger.choices["a"] == REJECT
        log, ledger, _ = open_log(tmp_path)
        log.append(ledger.do("reject", {"c": REJECT}, cursor="c", at=AT))
        assert log.wait()
        log.close(keep=True)
        after, _ = read(path)
        assert {"a", "c"} <= set(after.choices)


def test_a_spoilt_line_costs_itself(tmp_path: Path) -> None:
    path = decided(tmp_path, a=REJECT, b=ACCEPT)
    first, second, _ = path.read_bytes().split(b"\n")
    for spoilt in (
        b"not json",
        b"[]",
        b'{"act":"fly"}',
        b'{"act":"do","rows":{"x":{"verb":"sing"}}}',
        b"\xff\xfe",
        b"null",
    ):
        path.write_bytes(b"\n".join([first, spoilt, second, b""]))
        log, ledger, bad = open_log(tmp_path)
        assert (set(ledger.choices), bad) == ({"a", "b"}, 1)
        log.close(keep=True)


def test_two_open_reviews_have_files_of_their_own_and_see_each_other(tmp_path: Path) -> None:
    first, mine, _ = open_log(tmp_path)
    second, theirs, _ = open_log(tmp_path)
    assert first.path != second.path
    others = Others(tmp_path, second.path)
    first.append(mine.do("reject", {"a": REJECT}, cursor="a", at=AT))
    first.wait()
    assert others.decided() == {"a"}
    first.append(mine.undo()[1])  # type: ignore[index]
    first.wait()
    assert others.decided() == set()
    first.append(mine.redo()[1])  # type: ignore[index]
    first.close(keep=True)
    assert others.decided() == set(), "a closed review decides nothing"
    second.close(keep=bool(theirs.choices))


def test_what_two_dead_reviews_decided_is_taken_over_together(tmp_path: Path) -> None:
    first, one, _ = open_log(tmp_path)
    second, two, _ = open_log(tmp_path)
    first.append(one.do("reject", {"a": REJECT, "b": REJECT}, cursor="a", at=AT))
    first.wait()
    second.append(two.do("accept", {"b": ACCEPT}, cursor="b", at=AT))
    first.close(keep=True)
    second.close(keep=True)
    log, ledger, _ = open_log(tmp_path)
    assert set(ledger.choices) == {"a", "b"}
    assert log.wait()
    log.close(keep=True)
    assert len(list((tmp_path / FOLDER).glob("*.jsonl"))) == 1
    assert open_log(tmp_path)[1].choices == ledger.choices


def test_lines_are_of_the_format_of_the_store(tmp_path: Path) -> None:
    path = decided(tmp_path, a=REJECT)
    for line in path.read_text("utf-8").splitlines():
        assert line.startswith('{"schema":"1.0",')
        json.loads(line)
