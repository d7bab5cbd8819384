"""Which part of a sentence is the statement: the sentence, or the clause of a long one that carries the rule.

Words are never changed, only left out at the ends: a greeting, "add to the rules:", a task or a complaint in a
clause of its own.
"""

from __future__ import annotations

import re

from curate.capture.features import MAX_DESCRIBED, Features

_LEAD = re.compile(
    r"""(?:(?:ok(?:ay)?|and|also|but|so|oh|btw|by\ the\ way|hey|hi|well|argh+|ugh+|omg|wtf|ffs|seriously|thanks
    |thank\ you|great|nice|cool|perfect|good|fyi|reminder|small\ thing|one\ more\ thing|ps|merci|gracias
    |(?:no|yes|nein|non|да|нет)(?=\s*[,;:.!—–-]\s))\b
    [\s,;:.!—–-]*)+""",
    re.VERBOSE | re.IGNORECASE,
)
_HEAD_MARK = re.compile(
    r"[:：](?:\s+|(?=[「『“\"\u3040-\u9fff\uac00-\ud7a3]))"
    r"|\b(?:saying|that says|says|stating|which says)(?:\s+that)?\s+|(?<=\.md)\s+that\s+",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[,;:，；：、–—(-]|sa(?:y|id)|stating|\.md that")
"""What may part a sentence; most have none of it."""
_HEAD_SIGN = re.compile(r"[:：]|sa(?:y|id)|stat(?=ing)|\.md that")
_CUT_SIGN = re.compile(r"[,;，；、–—(-]")
_CUT = re.compile(r",\s+|;\s+|\s+[-–—]+\s+|[，；]\s*|、(?=你|我)|\s+\((?=[^()]*\)?$)")
_RULE = frozenset(
    "standing always never whenever whenagent forbid stop must should sure prefer convention quantity habit dev tool "
    "reply instead everyrepo project".split()
)
_STRONG = frozenset(
    "standing always never whenever whenagent forbid stop must should sure prefer convention habit instead "
    "everyrepo".split()
)
_LASTING = frozenset(("standing", "never", "always", "whenagent", "whenever", "forbid", "stop"))
_TRIGGERS = frozenset(("whenagent", "whenever", "whenbug", "forbid", "never", "stop"))
_KNOWN = frozenset(("definite", "here", "thistask", "temp", "tempweak"))
_HEADS = frozenset(("record", "rulesfile", "again", "convention", "project", "standing", "everyrepo"))
_TAILS = frozenset(("youdid", "task", "approve"))
MIN_KEPT = 12


Places = list[tuple[int, int]]
"""Where the words of a sentence stand in it."""


def statement(text: str, f: Features, places: Places) -> tuple[int, int]:
    """Start and end, in characters of the message, of what the sentence states."""
    start, end = f.sentence.start, f.sentence.end
    if end - start > MAX_DESCRIBED:
        return start, end
    if _SIGN.search(text, start, end):
        marks = _marks(f, places)
        start = _after_head(text, start, end, marks)
        start, end = _core(text, start, end, marks)
    return _trimmed(text, start, end)


def _marks(f: Features, places: Places) -> list[tuple[int, str]]:
    """Where each cue of the sentence begins, in characters of the message."""
    base = f.sentence.start
    out = [(base + a, name) for name, a, _b, _w in f.spots]
    if f.hits:
        out += [(base + places[first][0], name) for name, first, _last, _weight in f.hits if first < len(places)]
    return sorted(out)


def _names(marks: list[tuple[int, str]], lo: int, hi: int) -> set[str]:
    return {name for at, name in marks if lo <= at < hi}


def _after_head(text: str, start: int, end: int, marks: list[tuple[int, str]]) -> int:
    """Behind "add to CLAUDE.md:", "house rules:", "I said it before:" when a rule follows."""
    if _HEAD_SIGN.search(text, start, min(end, start + 170)) is None:
        return start
    for m in _HEAD_MARK.finditer(text, start, end):
        head = _names(marks, start, m.start())
        if (
            head & _HEADS
            and end - m.end() > MIN_KEPT
            and not (head & {"whenever", "whenagent"} and "rulesfile" not in head)
        ):
            return m.end()
        if m.start() - start > 160:
            break
    return start


def _core(text: str, start: int, end: int, marks: list[tuple[int, str]]) -> tuple[int, int]:
    """Without clauses at the ends that are a task, a complaint or an assent, while the rule stands in another."""
    if _CUT_SIGN.search(text, start, end) is None:
        return start, end
    cuts = [m.span() for m in _CUT.finditer(text, start, end)]
    if not cuts:
        return start, end
    pieces = []
    at = start
    for a, b in cuts:
        pieces.append((at, a))
        at = b
    pieces.append((at, end))
    first, last = 0, len(pieces) - 1
    trigger = bool(_names(marks, start, start + 8) & _TRIGGERS)
    while (
        last > first
        and _is_tail(text, pieces[last], marks, trigger)
        and _names(marks, pieces[first][0], pieces[last - 1][1]) & _RULE
    ):
        last -= 1
    while (
        first < last
        and _is_aside(pieces[first], marks)
        and _names(marks, pieces[first + 1][0], pieces[last][1]) & _STRONG
    ):
        first += 1
    lo, hi = pieces[first][0], pieces[last][1]
    return (lo, hi) if hi - lo > MIN_KEPT or not text.isascii() and hi - lo > 3 else (start, end)


_TAIL = re.compile(
    r"(?:so |and |und |et |y |please |pls |i )?(?:you(?:'ve)? |your |yours |i see |i saw |that'?s (?:how|why|what|the)"
    r"|this (?:one|is the)|here |look at |so (?:fix|undo|revert|drop|move|add|rename|redo|convert)"
    r"|(?:please |pls )?(?:fix|undo|revert|redo|rename|convert) )",
    re.IGNORECASE,
)


def _is_tail(text: str, piece: tuple[int, int], marks: list[tuple[int, str]], trigger: bool) -> bool:
    """The clause tells what the agent did, or asks for one piece of work on something known."""
    lo, hi = piece
    own = _names(marks, lo, hi)
    if own & _LASTING:
        return False
    opening = {name for at, name in marks if lo <= at <= lo + 6}
    if "youdid" in opening or _TAIL.match(text, lo, hi):
        return True
    return "task" in opening and not trigger and bool(own & _KNOWN) and hi - lo < 90


def _is_aside(piece: tuple[int, int], marks: list[tuple[int, str]]) -> bool:
    """A clause in front of the rule that is a task, a complaint or an assent."""
    lo, hi = piece
    own = _names(marks, lo, hi)
    opening = {name for at, name in marks if lo <= at <= lo + 5}
    return bool(opening & _TAILS) and not own & _STRONG


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without fillers in front, and without white space and quotation marks around the whole."""
    m = _LEAD.match(text, start, end)
    if m and end - m.end() > MIN_KEPT:
        start = m.end()
    while start < end and text[start].isspace():
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;，；"):
        end -= 1
    if (
        end - start > 2
        and text[start] + text[end - 1] in ('""', "“”", "''", "「」", "«»")
        and text.count(text[start], start, end) <= 2
    ):
        start, end = start + 1, end - 1
    return start, end
