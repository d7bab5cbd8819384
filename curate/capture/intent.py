"""Decide what in one message of a person is durable guidance, and say why.

Deterministic: cues from the lexicons, structure from the sentence, fixed weights from model.json. Nothing is reworded:
a statement is a slice of the text. Standard library only, since it runs at the end of every turn.
"""

from __future__ import annotations

from typing import NamedTuple

from curate.capture import label_model, labels, model, spans
from curate.capture import lexicon as lexicons
from curate.capture.features import Features, Message, analyse


class Cue(NamedTuple):
    """A reason for a decision: the class of the cue, where it stands in the text, and what it weighs (log-odds)."""

    name: str
    start: int
    end: int
    weight: float


class Item(NamedTuple):
    """One statement of durable guidance in a message."""

    statement: str
    start: int
    end: int
    intent: str
    rule_type: str
    scope: str
    scope_cue: str
    paths: tuple[str, ...]
    durability: str
    polarity: str
    confidence: float
    cues: tuple[Cue, ...]
    flags: tuple[str, ...]
    language: str
    needs_context: bool


class Verdict(NamedTuple):
    """What one message comes to; `confidence` is that of the message holding durable guidance."""

    durable: bool
    confidence: float
    items: tuple[Item, ...]
    intent: str
    language: str
    cues_known: bool


def classify(
    text: str,
    *,
    previous: str | None = None,
    lexicon: lexicons.Lexicon | None = None,
    weights: model.Model | None = None,
    naming: label_model.LabelModel | None = None,
) -> Verdict:
    """Classify one message. `previous` is the agent's last text: it tells an answer from an instruction of its own."""
    lexicon = lexicon or lexicons.default()
    weights = weights or model.default()
    message = analyse(text, lexicon)
    if not message.kept:
        return Verdict(False, 0.0, (), "none", message.language, True)
    scores = [weights.score(f) for f in message.kept]
    total = weights.whole(message, scores)
    if previous is not None and previous.rstrip().endswith(("?", "？")) and _only_answers(message, scores):
        total -= ANSWER
    confidence = round(model.sigmoid(total), 4)
    durable = total > weights.threshold
    known = message.language in lexicon.codes
    if not durable:
        best = message.kept[scores.index(max(scores))]
        return Verdict(False, confidence, (), labels.undurable(best), message.language, known)
    items = _items(text, message, scores, confidence, weights, naming or label_model.default())
    first = max(items, key=lambda item: item.confidence)
    return Verdict(True, confidence, items, first.intent, message.language, known)


SURE = 4.0
"""A statement of such log-odds is sure; how much surer the best one is says nothing against another."""
ANSWER = 1.5
"""What a message loses (log-odds) when it may be no more than the answer to the agent's question."""
_LASTING = frozenset(
    ("standing", "always", "never", "whenagent", "whenever", "rulesfile", "everyrepo", "again", "stop")
)


def _only_answers(message: Message, scores: list[float]) -> bool:
    """Short, and nothing in its best sentence says that it should last."""
    best = message.kept[scores.index(max(scores))]
    return len(message.kept) <= 2 and len(best.words) <= 15 and _LASTING.isdisjoint(best.flags)


def _items(
    text: str,
    message: Message,
    scores: list[float],
    confidence: float,
    weights: model.Model,
    naming: label_model.LabelModel,
) -> tuple[Item, ...]:
    """The statements: the best sentence, and every other that is likely by itself."""
    top = max(scores)
    least = max(weights.item_threshold, min(top, SURE) - 3.0)
    chosen = [i for i, s in enumerate(scores) if s == top or s > least]
    if len(chosen) > 1:
        chosen = [i for i in chosen if not _bare(message.kept[i])] or chosen
    out = []
    named = labels.Named(message)
    for i in chosen:
        f = message.kept[i]
        places = [m.span() for m in lexicons.WORD.finditer(f.low)] if f.hits else []
        start, end = spans.statement(text, f, places)
        own = confidence if scores[i] == top else min(confidence, round(model.sigmoid(scores[i]), 4))
        label = labels.of(message, i, named, naming)
        out.append(
            Item(
                statement=text[start:end],
                start=start,
                end=end,
                intent=label.intent,
                rule_type=label.rule_type,
                scope=label.scope,
                scope_cue=label.scope_cue,
                paths=label.paths,
                durability=label.durability,
                polarity=label.polarity,
                confidence=own,
                cues=_cues(f, places, weights),
                flags=label.flags,
                language=f.language,
                needs_context=label.needs_context,
            )
        )
    return tuple(out)


def _bare(f: Features) -> bool:
    """A single word, such as the "no!" before the rule itself: an outcry asks for nothing by itself."""
    text = f.sentence.text
    return text.isascii() and len(text.split()) < 2


def _cues(f: Features, places: spans.Places, weights: model.Model) -> tuple[Cue, ...]:
    """The cues of a sentence with their places in the text, heaviest first."""
    base = f.sentence.start
    found: dict[tuple[str, int], Cue] = {}
    if f.hits:
        for name, first, last, strength in f.hits:
            if last <= len(places):
                a, b = places[first][0], places[last - 1][1]
                found[name, a] = Cue(name, base + a, base + b, round(weights.weight(name) * strength, 3))
    for name, a, b, strength in f.spots:
        found[name, a] = Cue(name, base + a, base + b, round(weights.weight(name) * strength, 3))
    return tuple(sorted(found.values(), key=lambda c: (-abs(c.weight), c.start, c.name)))
