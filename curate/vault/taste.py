"""Whether a statement is about how one person likes things, rather than knowledge that others could use. Pure."""

from __future__ import annotations

import re

_PERSONAL = re.compile(
    r"\b(?:i|i'd|i'm)\s+(?:really\s+|always\s+|just\s+|would\s+|do\s+not\s+|don't\s+)?"
    r"(?:like|love|prefer|hate|dislike|enjoy|want|favou?r|find|rather|am\s+used\s+to|can't\s+stand)\b"
    r"|\bmy\s+(?:favou?rite|preference|taste|style|tone|name|inbox|calendar|notes?)\b|\bfor\s+me\b|\btalk\s+to\s+me\b"
    r"|\b(?:ich\s+(?:mag|bevorzuge|liebe|hasse|möchte|will|finde)|mir\s+(?:gefällt|ist\s+lieber)|mein\s+stil)\b"
    r"|\bj(?:e\s+|')(?:n')?(?:aime|préfère|déteste|adore|veux|voudrais)\b"
    r"|\b(?:prefiero|me\s+gustan?|odio|quiero|eu\s+(?:prefiro|gosto|quero)|preferisco|mi\s+piac(?:e|ciono)|ik\s+(?:wil|hou|vind))\b"
    r"|\bя\s+(?:люблю|предпочитаю|хочу|не\s+люблю)|\bмне\s+нравит"
    r"|我(?:更)?(?:喜欢|喜歡|偏好|讨厌|討厭|想要)|私は|好きです|嫌いです|好み|나는|저는|좋아",
    re.IGNORECASE,
)
_HOW_TO_ANSWER = re.compile(
    r"\b(?:answer|reply|respond|speak|write\s+to\s+me|talk|greet|address\s+me)\b[^.]{0,40}"
    r"\b(?:in\s+(?:english|german|french|spanish|italian|dutch|portuguese|russian|chinese|japanese|korean)|short|brief|briefly|"
    r"concise|concisely|politely|plain|formal|casual|bullet|bullets|paragraphs?|sentences?|words?)\b"
    r"|\b(?:no|without|avoid|skip|stop|drop|never\s+use)\s+(?:the\s+|any\s+|more\s+)?(?:emojis?|exclamation|small\s*talk|pleasantries|"
    r"apolog\w+|praise|flattery|filler)\b"
    r"|\b(?:be|sound|stay)\s+(?:more\s+|less\s+)?(?:brief|concise|terse|polite|formal|casual|direct|friendly|verbose)\b"
    r"|\b(?:tone|wording|emoji|emojis|pep\s+talk|smileys?)\b"
    r"|\b(?:antworte|schreib\s+mir|duze|sieze|réponds|responde|rispondi|antwoord)\b|отвечай|(?:用|以).{0,6}(?:回答|回复)|で(?:答え|返事)",
    re.IGNORECASE,
)


def personal(statement: str) -> str | None:
    """The words of the statement that make it a matter of taste, or None."""
    found = _PERSONAL.search(statement) or _HOW_TO_ANSWER.search(statement)
    return found[0] if found else None


def is_taste(statement: str) -> bool:
    """True for a preference of a person, or for how agents should talk."""
    return personal(statement) is not None
