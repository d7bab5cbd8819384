"""What kind of guidance a statement is: intent, rule type, scope, durability, polarity and marks for the reviewer."""

from __future__ import annotations

import re
from typing import NamedTuple

from curate.capture.features import MAX_DESCRIBED, Features, Message
from curate.capture.label_model import LabelModel

_PATH = re.compile(r"(?<![\w/@:.])(?:[\w.*-]+/)+(?:[\w.*-]+)?")
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|i guess|i think|probably|not sure|if i remember|might be|vielleicht|peut-être|quizás|talvez"
    r"|forse|misschien|может)\b",
    re.IGNORECASE,
)
_KINDS = {
    "ask": (
        "ask asks asking asked confirm confirmation approve approval approved permission unasked wait ok chiedi "
        "chiedermi chiedimi chiedermelo pregunta preguntar pergunte perguntar pergunta demande demander frag frage "
        "fragen ungefragt gefragt vraag vragen спроси спрашивай спрашивать"
    ),
    "tell": (
        "show tell give send explain answer answers answering reply replies respond response explanations "
        "explanation summary summaries summarize bullet bullets emoji emojis tone verbose concise short shorter "
        "brief speak talk antworte antworten réponds réponse explique responde respóndeme rispondi ответ отвечай "
        "объясняй antwoord"
    ),
    "risky": (
        "delete deleting deletes remove removing drop push pushing force prod production secret secrets deploy "
        "apply overwrite revert reset install installing upgrade flash cluster destroy destructive edit touch "
        "cancellare borrar supprimer löschen lösch installiere verwijdert удаляй"
    ),
    "claim": (
        "claim claims guess guessing assume assuming assumption invent inventing pretend hallucinate verify "
        "verifying actually really look looked read trust trusting rely fake stub stubs skip skipping disable "
        "silence workaround unrelated scope done works working fixed inventa invente erfinde rate выдумывай"
    ),
    "happened": (
        "again second third twice yesterday already gone lost broke found had was were did didn't forgot wrote "
        "used deleted added changed removed committed pushed ran ieri hier gestern ayer ontem вчера опять снова "
        "schon encore weer"
    ),
    "taste": (
        "i i'd i'm i've my me mine personally prefer like love hate want rather je ich yo eu ik я mir mi meu mijn moi"
    ),
    "team": (
        "we we're we've our ours us team house here everywhere repo project codebase app nous unser wir nosotros "
        "nuestro nosso noi wij onze мы наш у"
    ),
    "also": "also too update together along entry changelog register then first finally steps step next",
    "you": "you you're you've your yourself u du dir tu te vous jij je ты",
    "is": "is are must be lives live goes go stays stay comes belongs gets get contains has have needs only",
    "do": (
        "run running test build check lint format regenerate compare paste attach screenshot update bump tag record"
    ),
    "no": (
        "don't dont not never no stop avoid nicht kein keine nie jamais pas nunca não non mai nooit geen не никогда"
    ),
}
_OPENING = frozenset(
    "when whenever before after once if every each for any quand avant après chaque bevor nach vor wenn prima dopo "
    "ogni cada antes después depois когда перед после voordat na elke".split()
)
_TABLE: dict[str, tuple[str, ...]] = {}
for _kind, _words in _KINDS.items():
    for _word in _words.split():
        _TABLE[_word] = (*_TABLE.get(_word, ()), "k:" + _kind)
_NO = frozenset(_KINDS["no"].split())
_NEXT_DOOR = ("k:happened", "k:taste", "k:you")
_BACK = frozenset("it that this those these them they such same so".split())


class Label(NamedTuple):
    """All that is said about a statement beside its words."""

    intent: str
    rule_type: str
    scope: str
    scope_cue: str
    paths: tuple[str, ...]
    durability: str
    polarity: str
    flags: tuple[str, ...]
    needs_context: bool


def undurable(best: Features) -> str:
    """The intent of a message without durable guidance: bound to now, or none."""
    own = set(best.flags)
    if (
        ("temp" in own or "thistask" in own)
        and own & {"forbid", "never", "must", "sure", "stop", "habit", "always"}
        and "q" not in own
    ):
        return "temporary"
    return "none"


def names(message: Message, index: int) -> set[str]:
    """What tells the labels of a sentence beside its words: its flags and kinds, and those of the whole message."""
    whole: set[str] = set()
    for n, f in enumerate(message.kept):
        own = kinds(message, n).union(f.flags)
        whole |= own
        if n == index:
            out = own
    return out.union(map("M:".__add__, whole))


def kinds(message: Message, index: int) -> set[str]:
    """What tells the intent beside the flags and words: asking, telling, risk, trust, events, persons."""
    f = message.kept[index]
    words = f.words
    out = _kinds(words)
    if not _OPENING.isdisjoint(words[:3]):
        out.add("k:trigger")
    elif not _OPENING.isdisjoint(words):
        out.add("k:later")
    if words and "k:no" in out and not _NO.isdisjoint(words[:2]):
        out.add("k:no first")
    text = f.sentence.text
    if "/" in text or "_" in text or "`" in text:
        out.add("k:name")
    if ";" in text or ": " in text:
        out.add("k:parts")
    for near in (index - 1, index + 1):
        if 0 <= near < len(message.kept):
            there = _kinds(message.kept[near].words)
            out.update("near " + k for k in _NEXT_DOOR if k in there)
    return out


def _kinds(words: list[str]) -> set[str]:
    return {k for found in map(_TABLE.get, words) if found for k in found}


def of(message: Message, index: int, weights: LabelModel) -> Label:
    """The label of one kept sentence."""
    f = message.kept[index]
    own = set(f.flags)
    label = weights.of(f, names(message, index))
    intent, rule_type = label["intent"], label["rule_type"]
    scope, scope_cue = _scope(own, label["scope"])
    marks = []
    text = f.sentence.text[:MAX_DESCRIBED]
    if "joke" in own or any("joke" in k.flags for k in message.kept):
        marks.append("joke")
    if "temp" in own and not own & {"standing", "always", "never", "whenever"}:
        marks.append("one_off")
    if _HEDGE.search(text) or "q" in own:
        marks.append("doubtful")
    durability = "doubtful" if marks else "durable"
    needs = bool(f.words) and f.words[0] in _BACK and index > 0
    return Label(
        intent,
        rule_type,
        scope,
        scope_cue,
        tuple(dict.fromkeys(m.group() for m in _PATH.finditer(text)))[:5] if "/" in text else (),
        durability,
        "negative" if own & {"forbid", "never", "stop"} else "positive",
        tuple(marks),
        needs,
    )


def _scope(own: set[str], likely: str) -> tuple[str, str]:
    """Explicit words win over what the kind of guidance makes likely."""
    if "everyrepo" in own and "project" not in own:
        return "global", "explicit"
    if "project" in own:
        return "project", "explicit"
    return likely, "inferred"
