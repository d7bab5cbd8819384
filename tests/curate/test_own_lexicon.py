"""Cue words of one's own, named in the settings, count in a scan; a file that cannot be used is refused by name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from curate.capture.capture import scan
from curate.capture.lexicon.own import BadLexicon
from store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

SAID = "as is tradition, pull the kettle before each deploy"


def store_with(root: Path, own: str | None) -> Store:
    Store.open(root, create=True)
    if own is not None:
        (root / "own.yaml").write_text(own, encoding="utf-8")
        (root / "config.yaml").write_text("capture:\n  lexicon: own.yaml\n", encoding="utf-8")
    return Store.open(root)


def transcript(folder: Path, text: str) -> Path:
    path = folder / "s1.jsonl"
    message = {"role": "user", "content": text}
    record = {"type": "user", "uuid": "u1", "sessionId": "s1", "cwd": str(folder), "message": message}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def test_a_cue_of_ones_own_raises_what_holds_it(tmp_path: Path) -> None:
    file = transcript(tmp_path, SAID)
    plain = store_with(tmp_path / "plain", None)
    own = store_with(tmp_path / "own", "language: en\nclasses:\n  standing: [as is tradition]\n")

    def confidence(store: Store) -> float:
        scan(store, [file], agent="claude-code")
        return max((one.data["confidence"] for one in store.state.waiting()), default=0.0)

    assert confidence(own) > confidence(plain)


@pytest.mark.parametrize(
    ("own", "reason"),
    [
        ("language: en\nclasses:\n  nonsense: [x]\n", "unknown cue class 'nonsense'"),
        ("language: [", "not a lexicon in YAML"),
        ("classes: {}\n", "names no language"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, own: str, reason: str) -> None:
    store = store_with(tmp_path / "home", own)
    with pytest.raises(BadLexicon, match=reason) as caught:
        scan(store, [transcript(tmp_path, SAID)], agent="claude-code")
    assert "own.yaml" in str(caught.value)
