"""The fast gate: whether a message says that something held before holds no more. Patterns only, so nothing is missed
for want of time, and the message itself is not kept.
"""

from __future__ import annotations

CUES = (
    "actually,", "actually we", "actually i", "actually it", "actually the", "actually no", "no, that",
    "no that's", "no, it",
    "no, we", "no, use", "no, don", "no, not", "nope,", "that's wrong", "thats wrong", "that is wrong",
    "this is wrong", "it's wrong",
    "you're wrong", "you are wrong", "was wrong", "that's not right", "that is not right", "that's not correct",
    "that is not correct",
    "that's incorrect", "that is incorrect", "not true anymore", "no longer true", "stop using", "stop doing",
    "stop adding", "stop writing",
    "stop calling", "stop mocking", "stop putting", "stop making", "stop that", "please stop", "we switched to",
    "we've switched",
    "we have switched", "i switched to", "switched from", "we moved to", "we've moved", "we moved away",
    "we migrated to", "we've migrated",
    "we no longer", "we don't use", "we do not use", "we dropped", "we stopped using", "don't use", "do not use",
    "i changed my mind",
    "changed our mind", "scratch that", "forget what i said", "ignore what i said", "i told you",
    "i already said", "i said", "as i said",
    "not anymore", "not any more", "from now on", "correction:", "my mistake", "i was wrong", "i meant",
    "that changed", "has changed to",
    "is now called", "was renamed to", "is deprecated", "instead of what",
    "das ist falsch", "stimmt nicht", "hör auf", "nicht mehr", "stattdessen", "c'est faux", "arrête de",
    "on n'utilise plus", "en fait,",
    "eso está mal", "deja de", "ya no usamos", "en realidad,", "está errado", "pare de usar", "não usamos mais",
    "è sbagliato",
    "non usiamo più", "это неправильно", "больше не", "перестань", "其实", "不对", "错了", "不要再", "不再使用", "改用",
    "違う",
    "間違",
    "もう使わ", "やめて", "틀렸", "더 이상", "그만",
)  # fmt: skip
"""How people say it, in lower case."""


def correction_cue(message: str) -> str | None:
    """The cue in a message that says something was wrong or has changed, or None."""
    said = f" {' '.join(message.lower().replace('’', chr(39)).split())} "
    for cue in CUES:
        at = said.find(cue)
        while at >= 0:
            if not cue[0].isascii() or not said[at - 1].isalnum():
                return cue.strip(" ,:")
            at = said.find(cue, at + 1)
    return None
