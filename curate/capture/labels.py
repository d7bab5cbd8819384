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
_HEDGES = frozenset(
    "maybe perhaps guess think probably sure remember might vielleicht peut-être quizás talvez forse misschien "
    "может".split()
)
"""The words that a hedge has one of."""
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
_NEXT_DOOR = {kind: "near " + kind for kind in ("k:happened", "k:taste", "k:you")}
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


NEAREST = 6
"""So many sentences before and after a statement count for its labels."""


class Named:
    """What tells the labels of the sentences of one message, beside their words."""

    def __init__(self, message: Message) -> None:
        self._kept = message.kept
        self._kinds: dict[int, set[str]] = {}

    def of(self, index: int) -> tuple[set[str], set[str]]:
        """Of one sentence: its flags and kinds; and all those of the sentences around it, itself included."""
        own = self.kinds(index).union(self._kept[index].flags)
        whole = set(own)
        for n in range(max(0, index - NEAREST), min(len(self._kept), index + NEAREST + 1)):
            if n != index:
                whole.update(self._kept[n].flags, self._plain(n))
        return own, whole

    def kinds(self, index: int) -> set[str]:
        """What tells the intent beside flags and words: asking, telling, risk, trust, events, persons."""
        f = self._kept[index]
        words = f.words
        out = set(self._plain(index))
        if not _OPENING.isdisjoint(words[:3]):
            out.add("k:trigger")
        elif not _OPENING.isdisjoint(words):
            out.add("k:later")
        if "k:no" in out and not _NO.isdisjoint(words[:2]):
            out.add("k:no first")
        text = f.sentence.text
        if "/" in text or "_" in text or "`" in text:
            out.add("k:name")
        if ";" in text or ": " in text:
            out.add("k:parts")
        for near in (index - 1, index + 1):
            if 0 <= near < len(self._kept):
                out.update(name for kind, name in _NEXT_DOOR.items() if kind in self._plain(near))
        return out

    def _plain(self, index: int) -> set[str]:
        found = self._kinds.get(index)
        if found is None:
            found = self._kinds[index] = set().union(*filter(None, map(_TABLE.get, self._kept[index].words)))
        return found


def of(message: Message, index: int, named: Named, weights: LabelModel) -> Label:
    """The label of one kept sentence."""
    f = message.kept[index]
    own, whole = named.of(index)
    label = weights.of(f, own, whole)
    intent, rule_type = label["intent"], label["rule_type"]
    scope, scope_cue = _scope(own, label["scope"])
    marks = []
    text = f.sentence.text[:MAX_DESCRIBED]
    if "joke" in whole:
        marks.append("joke")
    if "temp" in own and not own & {"standing", "always", "never", "whenever"}:
        marks.append("one_off")
    if "q" in own or not _HEDGES.isdisjoint(f.words) and _HEDGE.search(text):
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
