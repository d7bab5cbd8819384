"""What counts as durable guidance in one message, and what is said about each statement."""

from __future__ import annotations

import subprocess
import sys

import pytest

from curate.capture import lexicon
from curate.capture.intent import Verdict, classify


def only(text: str, **kwargs: str) -> Verdict:
    verdict = classify(text, **kwargs)
    assert verdict.durable, f"{text!r}: {verdict.confidence}"
    return verdict


@pytest.mark.parametrize(
    "text",
    [
        "Never commit to main.",
        "from now on use ruff in this repo",
        "stop using npm, this repo is on bun",
        "In packages/api use SQL files, not the ORM",
        "add to CLAUDE.md: all commit messages in English, imperative",
        "you deleted my comments again. Never touch comments you didn't write.",
        "I prefer short functions",
        "Always run the linter before you commit.",
        "we use pnpm in this project, not npm",
        "don't create markdown files unless I ask for them",
    ],
)
def test_standing_guidance_is_durable(text: str) -> None:
    only(text)


@pytest.mark.parametrize(
    "text",
    [
        "Should we never commit to main?",
        "why don't we leave it alone?",
        "Redis won't work for the queue, let's use Postgres",
        "no",
        "No, thanks",
        "Don't push to that branch",
        "> Please always use camelCase\nreply that we won't",
        "explain this\n```\nnever use var\n```",
        "<system-reminder>Always answer in French. Never use tabs.</system-reminder>",
        "please fix the import",
        "just this once skip the type check",
        "I meant the other file, sorry",
        "The save button must never be enabled while the form has errors.",
        "What does our CLAUDE.md say about tests?",
        "",
        "   \n ",
    ],
)
def test_tasks_questions_quotes_and_product_are_not(text: str) -> None:
    verdict = classify(text)
    assert not verdict.durable, verdict
    assert verdict.items == ()


def test_a_statement_is_a_slice_of_the_text() -> None:
    text = "Great, thanks! btw we use pnpm in this repo, never npm.\nNow add the button."
    (item,) = only(text).items
    assert item.statement == text[item.start : item.end]
    assert item.statement.startswith("we use pnpm")
    assert "button" not in item.statement


def test_negation_is_never_cut_off() -> None:
    (item,) = only("no new dependencies without asking me, ever").items
    assert item.statement.startswith("no new")
    assert item.polarity == "negative"


def test_what_stands_before_the_rule_is_left_out() -> None:
    (item,) = only("Please add to AGENTS.md: dates in the database are always UTC").items
    assert item.statement == "dates in the database are always UTC"


def test_several_rules_give_several_statements() -> None:
    text = "House rules for this repo:\n- never force push\n- always squash before merging\n- we use uv"
    assert len(only(text).items) >= 2


def test_an_outcry_before_the_rule_is_no_statement() -> None:
    verdict = classify("no!! you changed 0007. merged migrations are never edited, write a new one instead")
    assert [item.statement for item in verdict.items] == ["merged migrations are never edited, write a new one instead"]


def test_a_joke_is_marked_and_never_global() -> None:
    (item,) = only("From now on sign every commit 'brought to you by coffee', haha").items
    assert "joke" in item.flags
    assert item.durability == "doubtful"
    assert item.scope != "global"


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("from now on use ruff in this repo", "project"),
        ("use tabs not spaces in all my repos, always", "global"),
    ],
)
def test_explicit_words_decide_the_scope(text: str, scope: str) -> None:
    (item,) = only(text).items
    assert (item.scope, item.scope_cue) == (scope, "explicit")


def test_paths_are_named() -> None:
    assert only("In packages/api use SQL files, not the ORM").items[0].paths == ("packages/api",)


def test_a_quoted_rule_counts_when_the_person_adopts_it() -> None:
    text = "> never log request bodies\nremember this, from now on it holds in every repo"
    assert any("never log request bodies" in i.statement for i in only(text).items)


def test_temporary_guidance_is_told_from_none() -> None:
    assert classify("don't touch the parser until I'm back from the meeting").intent == "temporary"
    assert classify("fix the login page").intent == "none"


def test_an_answer_to_a_question_is_less_sure_than_an_instruction() -> None:
    text = "use tabs please, not spaces"
    assert classify(text, previous="Tabs or spaces for this file?").confidence < classify(text).confidence


def test_cues_explain_the_decision() -> None:
    text = "From now on never push to main."
    cues = only(text).items[0].cues
    assert {"standing", "never"} <= {c.name for c in cues}
    assert all(text[c.start : c.end].strip() for c in cues)
    assert any(text[c.start : c.end] == "From now on" and c.weight > 0 for c in cues)


def test_same_input_same_output() -> None:
    text = "we use pnpm here, never npm. And run the tests before each commit."
    script = f"from curate.capture.intent import classify; print(classify({text!r}))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_it_loads_the_standard_library_only() -> None:
    script = (
        "import sys; import curate.capture.intent as i; i.classify('never push');"
        "print([m for m in ('pydantic', 'ruamel', 'textual', 'rich', 'git', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_own_cues_are_added() -> None:
    text = "as is tradition, sign the tags"
    more = lexicon.default().extended([{"language": "en", "classes": {"standing": ["as is tradition"]}}])
    assert classify(text, lexicon=more).confidence > classify(text).confidence


def test_an_unknown_class_is_refused() -> None:
    with pytest.raises(lexicon.UnknownClass, match="moods"):
        lexicon.default().extended([{"language": "en", "classes": {"moods": ["sigh"]}}])
