"""What kind of guidance a statement is: intent, rule type, scope, durability, polarity and marks for the reviewer."""

from __future__ import annotations

import re
from typing import NamedTuple

from curate.capture.features import MAX_DESCRIBED, Features, Message
from curate.capture.model import Model

_PATH = re.compile(r"(?<![\w/@:.])(?:[\w.*-]+/)+(?:[\w.*-]+)?")
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|i guess|i think|probably|not sure|if i remember|might be|vielleicht|peut-être|quizás|talvez"
    r"|forse|misschien|может)\b",
    re.IGNORECASE,
)
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


def of(f: Features, message: Message, index: int, weights: Model) -> Label:
    """The label of one kept sentence."""
    own = set(f.flags)
    label = weights.label(f)
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
