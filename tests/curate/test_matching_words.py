"""The word lists: readable as YAML, in one shape, and read right without a YAML parser."""

from __future__ import annotations

from importlib.resources import files

import pytest
from ruamel.yaml import YAML

from curate.matching.stem import english
from curate.matching.words import LANGUAGES, choices, items, lexicon, sections

FILES = [*(f"{language}.yaml" for language in LANGUAGES), "choices.yaml"]
MARKERS = frozenset(
    "NEG NEGEND SKIP RELNOT NOT NO ALLOW ALLOWEND OPTIONAL OPTIONALEND OVER OVERPRE ONLY BEFORE BEFOREPRE "
    "AFTER AFTERPRE WHEN WHENPRE UNTIL UNLESS WITHOUT WITHOUTPRE EXCEPT EXCEPTPRE BECAUSE MAX MIN PLACE PER "
    "FROM TO AND OR BUT EVERY CHANGE CHANGEFROM DOUBT MUST COP PRON REF".split()
)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_yaml_and_read_as_yaml_reads_it(name: str) -> None:
    text = files("curate.matching").joinpath("lexicon", name).read_text("utf-8")
    loaded = YAML(typ="safe").load(text)

    found = sections(name)

    assert list(found) == list(loaded)
    for section, content in loaded.items():
        if isinstance(content, dict):
            assert [(key, items(value)) for key, value in found[section]] == [
                (str(key), items(str(value))) for key, value in content.items()
            ]
        elif isinstance(content, list):
            assert [value for _, value in found[section]] == content
        else:
            assert [value.split() for _, value in found[section]] == [content.split()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_marker_is_one_that_the_grammar_knows(language: str) -> None:
    for key, _ in sections(f"{language}.yaml").get("markers", []):
        assert {word for word in key.split() if word.isupper()} <= MARKERS, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_can_negate_reject_permit_and_put_first(language: str) -> None:
    keys = {word for key, _ in sections(f"{language}.yaml")["markers"] for word in key.split()}

    for choice in ({"NEG", "NEGEND"}, {"OVER", "OVERPRE"}, {"ALLOWEND"}, {"BEFORE", "BEFOREPRE"}, {"CHANGE"}):
        assert keys & choice, choice
    assert lexicon(language).function


def test_no_member_stands_in_two_families() -> None:
    members = [member for _, value in sections("choices.yaml")["families"] for member in items(value)]

    assert sorted(members) == sorted(set(members))
    assert set(choices().names) <= set(choices().family.values())


@pytest.mark.parametrize(
    ("forms", "base"),
    [
        ("commit commits committed committing commiting", "commit"),
        ("write writes wrote written writing", "write"),
        ("delete deletes deleted deleting", "delete"),
        ("use uses used", "use"),
        ("deploy deploys deployed deploying", "deploy"),
        ("test tests tested testing", "test"),
        ("change changes changed changing", "change"),
        ("copy copies copied copying", "copy"),
        ("dependency dependencies", "dependency"),
        ("class classes", "class"),
        ("process processes", "process"),
        ("branch branches", "branch"),
        ("string strings", "string"),
    ],
)
def test_english_forms_fold_to_one(forms: str, base: str) -> None:
    assert {english(form) for form in forms.split()} == {base}


@pytest.mark.parametrize("word", "this always redis kubernetes nothing embed need status postgres speed axios".split())
def test_words_that_only_look_inflected_stay(word: str) -> None:
    assert english(word) == word
