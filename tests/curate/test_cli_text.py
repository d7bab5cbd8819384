"""`classify` and `group`: JSON lines in, JSON out, whatever the locale, and no store touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.curate.command import curate, curate_process


def lines(*objects: object) -> bytes:
    return b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in objects)


def test_each_message_gets_a_line_with_the_fields_of_the_contract():
    text = "Please fix the build. From now on always run the tests with pnpm, never with npm."
    done = curate("classify", stdin=lines({"id": "m1", "text": text}, {"id": 2, "text": "thanks!"}))
    assert (done.code, done.err) == (0, "")
    first, second = done.lines
    assert first["id"] == "m1"
    assert first["durable"] is True
    assert (second["id"], second["durable"], second["items"]) == (2, False, [])
    for item in first["items"]:
        contract = {"statement", "start", "end", "intent", "rule_type", "scope", "durability", "confidence", "cues"}
        assert contract <= item.keys()
        assert text[item["start"] : item["end"]].strip() == item["statement"]
    assert any("never with npm" in item["statement"] for item in first["items"])


def test_offsets_count_characters_not_bytes_or_units():
    text = "🎉🎉 héé. 以后不要改生成的文件。"
    done = curate("classify", stdin=lines({"id": 1, "text": text}))
    for item in done.lines[0]["items"]:
        assert text[item["start"] : item["end"]].strip() == item["statement"]


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp932"},
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:strict"},
    ],
)
def test_text_is_utf8_whatever_the_locale(env: dict[str, str]):
    stdin = lines(
        {"id": "é漢", "text": "今後はnpmではなくpnpmを使って 🎉"}, {"id": 2, "text": '漢"\\ - never push to main'}
    )
    usual = curate_process("classify", stdin=stdin)
    there = curate_process("classify", stdin=stdin, **env)
    assert there == usual
    assert "é漢".encode() in there.out


def test_good_lines_are_answered_and_bad_ones_named():
    stdin = (
        lines({"id": 1, "text": "Never use npm."})
        + b'{broken\n\n[1]\n{"id": 5}\n\xff\xfe\n'
        + lines({"id": 7, "text": "x"})
    )
    done = curate("classify", stdin=stdin)
    assert done.code == 2
    assert [answer["id"] for answer in done.lines] == [1, 7]
    assert done.is_one_line("line 2: not JSON", "line 4: not a JSON object", "line 5: no `text`", "line 6: not UTF-8")


def test_a_byte_order_mark_and_crlf_are_no_fault():
    done = curate("classify", stdin=b"\xef\xbb\xbf" + lines({"id": 1, "text": "ok"}).replace(b"\n", b"\r\n"))
    assert (done.code, done.err) == (0, "")
    assert b"\r" not in done.out


def test_a_message_without_an_id_is_known_by_its_line():
    assert [answer["id"] for answer in curate("classify", stdin=b'\n{"text": "ok"}\n').lines] == [2]


def test_nothing_in_nothing_out():
    assert (curate("classify").code, curate("classify").out) == (0, b"")
    assert curate("group").json == {"groups": [], "conflicts": []}


def test_hostile_text_is_answered_too():
    texts = ["\x00\x1b[31m never \u202e use npm", "\ud800 always", "a" * 200_000, "[/red] " * 5_000, ""]
    stdin = b"".join(json.dumps({"id": number, "text": text}).encode() + b"\n" for number, text in enumerate(texts))
    done = curate("classify", stdin=stdin)
    assert (done.code, done.err) == (0, "")
    assert [answer["id"] for answer in done.lines] == [0, 1, 2, 3, 4]
    assert b"\x1b" not in done.out


def test_same_statements_are_one_group_and_opposites_a_conflict():
    done = curate(
        "group",
        stdin=lines(
            {"id": "a", "text": "Always use pnpm, not npm.", "scope": "project"},
            {"id": "b", "text": "always use pnpm, not npm", "scope": "project"},
            {"id": "c", "text": "Always use npm, not pnpm.", "scope": "project"},
            {"id": "d", "text": "Keep functions short."},
        ),
    )
    assert (done.code, done.err) == (0, "")
    groups = done.json["groups"]
    assert sorted(map(sorted, groups)) == [["a", "b"], ["c"], ["d"]]
    assert {frozenset(pair) for pair in done.json["conflicts"]} == {frozenset("ac"), frozenset("bc")}


def test_statements_of_other_scopes_stay_apart():
    same = "Never commit generated files."
    scopes = [
        "global",
        "project",
        {"type": "project", "project": "github.com/acme/shop"},
        {"type": "domain", "domains": ["web"]},
    ]
    stdin = lines(*({"id": number, "text": same, "scope": scope} for number, scope in enumerate(scopes)))
    assert sorted(map(sorted, curate("group", stdin=stdin).json["groups"])) == [[0], [1], [2], [3]]


def test_a_scope_that_means_nothing_is_named():
    done = curate("group", stdin=lines({"id": 1, "text": "x", "scope": "planet"}, {"id": 2, "text": "x", "scope": [1]}))
    assert done.code == 2
    assert done.json == {"groups": [], "conflicts": []}
    assert done.is_one_line("line 1: scope", "line 2: scope")


def test_no_store_is_touched(tmp_path: Path):
    home = tmp_path / "store"
    for name in ("classify", "group"):
        assert curate(name, "--home", home, stdin=lines({"id": 1, "text": "Never use npm."}), cwd=tmp_path).code == 0
    assert list(tmp_path.iterdir()) == []
