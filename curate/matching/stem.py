"""Inflection folded away, so that `commits`, `committed` and `committing` are one word.

English is folded with care, since wrong merges start here; the other languages lose their plainest endings and rely on
the prefixes in their word lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

IRREGULAR = {
    "alias": "alias", "aliases": "alias", "always": "always", "apis": "api", "asked": "ask", "axes": "axis",
    "axios": "axios", "began": "begin", "bigger": "big", "breaking": "breaking", "broke": "break",
    "building": "build", "built": "build", "buses": "bus", "caches": "cache", "children": "child",
    "chose": "choose", "chosen": "choose", "data": "data", "dbs": "db", "dependencies": "dependency",
    "deployments": "deployment", "deprecated": "deprecated", "did": "did", "dies": "die", "does": "does",
    "doing": "do", "done": "done", "drew": "draw", "dying": "die", "embed": "embed", "fewer": "few",
    "focused": "focused", "focuses": "focus", "found": "find", "gave": "give", "generated": "generated",
    "given": "give", "goes": "go", "going": "go", "gone": "go", "greater": "great", "has": "has", "held": "hold",
    "hidden": "hide", "higher": "high", "ids": "id", "indices": "index", "kept": "keep", "knew": "know",
    "known": "know", "kubernetes": "kubernetes", "larger": "large", "led": "lead", "left": "left", "lives": "live",
    "longer": "long", "lower": "low", "lying": "lie", "made": "make", "matrices": "matrix", "meant": "mean",
    "media": "media", "men": "man", "mrs": "mr", "named": "named", "need": "need", "needs": "needs",
    "nested": "nested", "newer": "new", "older": "old", "pandas": "pandas", "people": "person", "pinned": "pin",
    "postgres": "postgres", "prs": "pr", "put": "put", "ran": "run", "read": "read", "red": "red", "redis": "redis",
    "said": "say", "sent": "send", "shorter": "short", "shown": "show", "simpler": "simple", "smaller": "small",
    "statuses": "status", "taken": "take", "things": "thing", "thought": "think", "threw": "throw",
    "thrown": "throw", "ties": "tie", "told": "tell", "took": "take", "tying": "tie", "understood": "understand",
    "unused": "unused", "urls": "url", "used": "use", "was": "was", "went": "go",
    "women": "woman", "written": "write", "wrote": "write",
}  # fmt: skip
"""Forms that the rules below would get wrong, and words that look inflected and are not."""

KEPT = frozenset(
    (
        "absolutely access accidentally across actually address always anomaly anything apply as assembly atlas aws "
        "basically being besides bias billing bleed breed bring canvas ceiling celery certainly chaos class comply "
        "consistently constantly css daily definitely dns does during early embed ethos evening everything exceed "
        "exclusively express expressjs family feed fly freely friendly generally gps has his holy honestly hourly "
        "https hundreds ideally imply indeed ios is its jenkins js kindly king kudos lens less likely macos monthly "
        "morning multiply naming nats news nextjs nightly nodejs normally nothing ones only os pass perhaps ping plus "
        "preferably pricing proceed process readonly really rely reply ring sass seed series seriously shed simply "
        "sing sled solely something sometimes species speed spring staging strictly string strongly succeed supply "
        "thing this thus tls towards travis ts typically ugly unconditionally underlying unless us usually was weekly "
        "wing yearly yes"
    ).split()
)
"""Words that end like an inflection and are whole."""

KNOWN_E = frozenset(
    (
        "abbreviate achieve active alive alternate annotate announce apologise apologize approve archive arrange "
        "arrive assume authorise authorize automate bake balance base behave believe browse bundle cache calculate "
        "case cause centralise centralize change choose clause close code combine compare compile complete compose "
        "compute concise configure cope course create curve database date decode decorate decrease define delegate "
        "delete deploy deprecate derive describe deserve difference disable document drive duplicate edge else "
        "emphasise emphasize emulate enable encode ensure erase escape estimate evaluate example excessive exclude "
        "exclusive execute exercise expensive explore expose file finalise finalize fine force freeze generate give "
        "guarantee guide handle hardcode hide house ignore image imitate improve include inclusive increase "
        "initialise initialize inline instance interface introduce investigate invoke involve isolate iterate judge "
        "language leave licence license like line literate live localise localize loose lose make manage memoise "
        "memoize merge message migrate minimise minimize mode module move mutate mute name narrate native negative "
        "nerve node normalise normalize note notice nuke observe operate optimise optimize organise organize outline "
        "override package page parse passive paste phase phrase pipe place populate practice preference prepare "
        "preserve prioritise prioritize produce promote propose prove provide prune purchase purge purpose queue "
        "quote raise rate rebase receive recognise recognize recursive reduce reference regenerate release remove "
        "rename repeat replace reproduce require reserve resolve resource response restore restructure retrieve reuse "
        "revise rewrite role rotate route rule sanitise sanitize save scale schedule scope score secure sentence "
        "separate sequence serialise serialize serve service shape share simulate size slice solve source specialise "
        "specialize squash stage stale standardise standardize state store strive structure style subscribe suite "
        "summarise summarize suppose surprise table take template terminate those tie time toggle tolerate trace "
        "translate trigger tune type unwrap update upgrade use utilise utilize validate variable verbose visualise "
        "visualize vote wire wise write"
    ).split()
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
    if stem.endswith(("panick", "mimick", "traffick")):
        return stem[:-1]
    if stem + "e" in KNOWN_E:
        return stem + "e"
    if _DOUBLED.search(stem) and len(stem) > 3:
        return stem[:-1]
    if stem in IRREGULAR or len(stem) < 3:
        return IRREGULAR.get(stem, stem)
    return stem + "e" if _SOFT.search(stem) and not stem.endswith(("ss", "us")) else stem


def _endings(*endings: str, least: int = 4) -> Callable[[str], str]:
    by_letter: dict[str, list[str]] = {}
    for ending in sorted(endings, key=lambda ending: (-len(ending), ending)):
        by_letter.setdefault(ending[-1], []).append(ending)

    @lru_cache(maxsize=65536)
    def fold(word: str) -> str:
        if not word.isalpha():
            return word
        for _ in range(3):  # until nothing more comes off, so that every form ends in the same place
            for ending in by_letter.get(word[-1], ()):
                if word.endswith(ending) and len(word) - len(ending) >= least:
                    word = word[: -len(ending)]
                    break
            else:
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
        "ами", "ями", "ов", "ев", "ей", "ам", "ям", "ах", "ях", "ом", "ем", "ой", "ый", "ий", "ая", "яя", "ое",
        "ее", "ые", "ие", "ых", "их", "ую", "юю", "ого", "его", "ому", "ему", "а", "я", "о", "е", "ы", "и", "у",
        "ю", "ь",
        least=3,
    ),
    "ko": _endings(
        "으로", "에서", "에게", "까지", "부터", "이나", "하고", "처럼", "보다", "마다", "에는", "에도",
        "로는", "을", "를", "은", "는", "이", "가", "에", "로", "와", "과", "도",
        "만", "의", "나",
        least=1,
    ),
    "zh": _whole,
    "ja": _whole,
}  # fmt: skip
