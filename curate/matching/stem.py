"""Inflection folded away, so that `commits`, `committed` and `committing` are one word.

English is folded with care, since wrong merges start here; the other languages lose their plainest endings and rely on
the prefixes in their word lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

IRREGULAR = {
    "wrote": "write", "written": "write", "ran": "run", "kept": "keep", "made": "make", "built": "build", "sent": "send",
    "gave": "give", "given": "give", "took": "take", "taken": "take", "chose": "choose", "chosen": "choose",
    "broke": "break", "thought": "think", "found": "find", "shown": "show", "meant": "mean", "understood": "understand",
    "said": "say", "told": "tell", "asked": "ask", "went": "go", "goes": "go", "gone": "go", "does": "does", "did": "did",
    "done": "done", "has": "has", "was": "was", "thrown": "throw", "threw": "throw", "held": "hold", "left": "left",
    "lives": "live", "hidden": "hide", "drew": "draw", "knew": "know", "known": "know", "began": "begin", "put": "put",
    "indices": "index", "matrices": "matrix", "children": "child", "people": "person", "men": "man", "women": "woman",
    "lying": "lie", "dies": "die", "ties": "tie", "tying": "tie", "dying": "die", "dependencies": "dependency",
    "statuses": "status", "aliases": "alias", "focuses": "focus", "buses": "bus", "caches": "cache", "axes": "axis",
    "longer": "long", "shorter": "short", "fewer": "few", "larger": "large", "greater": "great", "higher": "high",
    "lower": "low", "newer": "new", "older": "old", "smaller": "small", "bigger": "big", "simpler": "simple",
    "deployments": "deployment", "embed": "embed", "need": "need", "needs": "needs", "used": "use", "using": "using",
    "breaking": "breaking", "prs": "pr", "mrs": "mr", "ids": "id", "dbs": "db", "apis": "api", "urls": "url", "pinned": "pin", "led": "lead", "read": "read", "red": "red", "data": "data", "media": "media",
    "building": "build", "focused": "focused", "nested": "nested", "named": "named", "unused": "unused",
    "going": "go", "doing": "do", "things": "thing", "generated": "generated",  "deprecated": "deprecated", "axios": "axios", "postgres": "postgres",
    "kubernetes": "kubernetes", "redis": "redis", "pandas": "pandas", "always": "always", "alias": "alias",
}  # fmt: skip
"""Forms that the rules below would get wrong, and words that look inflected and are not."""

KEPT = frozenset(
    "ones this thus is has was as its his us yes plus less unless across does during nothing something anything everything "
    "string thing bring spring king ring ping sing wing being morning evening ceiling staging naming "
    "pricing billing string only apply reply supply family early daily weekly monthly nightly hourly yearly assembly "
    "anomaly readonly multiply rely comply imply friendly underlying likely ugly holy fly nextjs nodejs expressjs js css "
    "ts os ios macos aws https dns tls gps class pass access process address express canvas bias atlas kudos sass less "
    "always really usually generally strictly absolutely definitely certainly seriously honestly basically consistently "
    "constantly actually simply exclusively solely preferably ideally normally typically freely unconditionally kindly "
    "strongly accidentally perhaps sometimes besides towards seed speed feed breed exceed proceed succeed indeed embed bleed shed sled "
    "news lens series species chaos ethos nats jenkins travis celery hundreds".split()
)
"""Words that end like an inflection and are whole."""

KNOWN_E = frozenset(
    "use hardcode write delete create generate update change remove include ignore merge rebase squash release name rename type "
    "cache parse validate close compile configure define deploy describe document encode decode enable disable ensure "
    "escape evaluate execute explore expose force handle hide improve initialise initialize inline invoke isolate iterate "
    "leave like live localise localize make manage mutate move normalise normalize note notice nuke optimise optimize "
    "organise organize override pipe place prepare preserve prune promote propose provide purge quote raise reduce remove "
    "replace require resolve restore restructure retrieve reuse revise rotate route save scale schedule secure separate "
    "serialise serialize serve share simulate slice solve stage state store structure style subscribe suite summarise "
    "summarize suppose take terminate tie time toggle trace translate trigger tune unwrap upgrade utilise utilize "
    "announce apologise apologize abbreviate alternate annotate archive arrange assume authorise authorize automate "
    "balance bake base behave bundle calculate centralise centralize code combine compare complete compose compute concise "
    "cope decorate delegate deprecate duplicate emulate emphasise emphasize erase estimate exclude finalise finalize "
    "fine freeze guide guarantee imitate increase decrease introduce investigate judge memoise memoize migrate minimise "
    "minimize mute narrate operate outline paste phrase populate practice prioritise prioritize produce queue recognise "
    "recognize reference regenerate repeat reproduce rewrite sanitise sanitize score specialise specialize stale "
    "standardise standardize strive surprise tolerate update validate visualise visualize vote wire "
    "guess-e file line table module variable template example image message page package language source resource "
    "database interface instance service response exercise sentence reference sequence difference preference convention-e "
    "purpose license licence literate lint-e node mode node edge size date rate wise rule role scope shape clause cause "
    "case base house course phase phrase release purchase increase browse close those loose lose choose expose house "
    "achieve involve receive believe leave curve nerve reserve observe deserve improve approve remove prove active native "
    "negative passive inclusive exclusive expensive alive give drive arrive derive excessive recursive verbose else".split()
)
"""Base forms in a silent e, which `-ing`, `-ed` and `-es` hide."""

_VOWEL = re.compile("[aeiouy]")
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")
_SOFT = re.compile(r"(?:[^aeioul]l|[csuvz]|[aeiou]dg|ng(?<=ang|eng|ing)|(?<![aeo])at|iz|ir(?<=uir)|ur)$")


@lru_cache(maxsize=65536)
def english(word: str) -> str:
    """The base form of a lower-case English word."""
    if (known := IRREGULAR.get(word)) is not None:
        return known
    if len(word) < 4 or word in KEPT or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("s"):
        return _singular(word)
    if word.endswith("ing") and _VOWEL.search(word[:-3]) and len(word) > 5:
        return _base(word[:-3])
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ed") and not word.endswith("eed") and _VOWEL.search(word[:-2]) and len(word) > 4:
        return _base(word[:-2])
    if word.endswith("ically") and len(word) > 8:
        return word[:-4]
    if word.endswith("ly") and len(word) > 5:
        return word[:-3] + "y" if word.endswith("ily") else word[:-2]
    return word


def _singular(word: str) -> str:
    if word.endswith(("ss", "us", "is", "ous")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "ches", "shes", "xes", "zzes", "oes")):
        return word[:-2] if word[:-1] not in KNOWN_E else word[:-1]
    return word[:-1] if len(word) > 3 else word


def _base(stem: str) -> str:
    if stem + "e" in KNOWN_E:
        return stem + "e"
    if _DOUBLED.search(stem) and len(stem) > 3:
        return stem[:-1]
    if stem in IRREGULAR or len(stem) < 3:
        return IRREGULAR.get(stem, stem)
    return stem + "e" if _SOFT.search(stem) and not stem.endswith(("ss", "us")) else stem


def _endings(*endings: str, least: int = 4) -> Callable[[str], str]:
    ordered = sorted(endings, key=lambda ending: (-len(ending), ending))

    @lru_cache(maxsize=65536)
    def fold(word: str) -> str:
        if not word.isalpha():
            return word
        for _ in range(3):  # until nothing more comes off, so that every form ends in the same place
            for ending in ordered:
                if word.endswith(ending) and len(word) - len(ending) >= least:
                    word = word[: -len(ending)]
                    break
        return word

    return fold


def _whole(word: str) -> str:
    return word


STEMMERS: dict[str, Callable[[str], str]] = {
    "en": english,
    "de": _endings("en", "em", "er", "es", "e", "n", "s", "ern", "et", "st", "t"),
    "nl": _endings("en", "s", "e", "t", "je", "jes"),
    "fr": _endings("er", "ez", "es", "s", "e", "é", "és", "ées", "ée", "ent", "ons", "aux", "x"),
    "es": _endings("os", "as", "es", "o", "a", "e", "s", "ar", "er", "ir", "ado", "ada", "ados", "adas", "ando"),
    "pt": _endings("os", "as", "es", "o", "a", "e", "s", "ar", "er", "ir", "ado", "ada", "ados", "adas", "ando"),
    "it": _endings("i", "e", "o", "a", "are", "ere", "ire", "ato", "ata", "ati", "ate", "ando"),
    "ru": _endings(
        "ами", "ями", "ов", "ев", "ей", "ам", "ям", "ах", "ях", "ом", "ем", "ой", "ый", "ий", "ая", "яя", "ое", "ее", "ые",
        "ие", "ых", "их", "ую", "юю", "ого", "его", "ому", "ему", "а", "я", "о", "е", "ы", "и", "у", "ю", "ь",
        least=3,
    ),
    "ko": _endings(
        "으로", "에서", "에게", "까지", "부터", "이나", "하고", "처럼", "보다", "마다", "에는", "에도", "로는", "을", "를", "은", "는",
        "이", "가", "에", "로", "와", "과", "도", "만", "의", "나",
        least=1,
    ),
    "zh": _whole,
    "ja": _whole,
}  # fmt: skip
