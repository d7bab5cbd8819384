"""The figures of docs/capture-quality.md do not get worse unseen, and the compiled data are current."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from curate.capture import features, lexicon, model
from curate.capture.intent import classify
from scripts import build_lexicon, score_intent

DATA = Path(__file__).resolve().parent.parent / "data" / "capture"


@cache
def figures(name: str) -> dict[str, float]:
    rows = score_intent.read(DATA / name)
    return score_intent.measure(rows, [classify(row["text"]) for row in rows], 0.1)


@pytest.mark.parametrize(
    ("name", "f1", "ranking", "spans"), [("check.jsonl", 0.75, 0.87, 0.67), ("handed.jsonl", 0.86, 0.94, 0.84)]
)
def test_messages_that_the_model_has_not_seen(name: str, f1: float, ranking: float, spans: float) -> None:
    got = figures(name)
    assert got["f1"] >= f1
    assert got["average precision"] >= ranking
    assert got["span f1"] >= spans


def test_statements_of_all_labelled_messages_are_slices() -> None:
    for name in ("dev.jsonl", "check.jsonl", "work.jsonl", "handed.jsonl"):
        for row in score_intent.read(DATA / name):
            for item in classify(row["text"]).items:
                assert row["text"][item.start : item.end] == item.statement
                assert item.statement


def test_the_model_is_not_trained_on_what_it_is_checked_with() -> None:
    def texts(*names: str) -> set[str]:
        return {row["text"] for name in names for row in score_intent.read(DATA / name)}

    learned = texts(*(f"{name}.jsonl" for name in score_intent.LEARNED))
    assert not learned & texts("check.jsonl")
    assert len(learned & texts("handed.jsonl")) <= 1


def test_the_compiled_lexicon_is_current() -> None:
    assert build_lexicon.TARGET.read_text(encoding="utf-8") == build_lexicon.compiled()


def test_the_model_knows_only_flags_that_exist() -> None:
    classes = set(lexicon.default().classes)
    for flag in model.default().flags:
        name = flag.rpartition(":")[2]
        assert name in classes or ":" not in flag or name == "colon", flag


def test_labelled_messages_are_well_formed() -> None:
    ids: set[str] = set()
    for name in (*score_intent.LEARNED, "check", "handed"):
        for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row: dict[str, Any] = json.loads(line)
            assert row["id"] not in ids
            ids.add(row["id"])
            assert bool(row["statements"]) == row["durable"]
            assert all(s in row["text"] for s in row["statements"])


def test_features_are_explained_by_words_of_the_sentence() -> None:
    message = features.analyse("Never use `var` here. Fix it.", lexicon.default())
    assert [f.sentence.text for f in message.kept] == ["Never use `var` here.", "Fix it."]
    assert {"never", "start:never", "first"} <= set(message.kept[0].flags)
