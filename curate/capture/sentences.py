"""Split a message into sentences and bullets with their offsets, and mark what the person did not write.

`text[s.start:s.end] == s.text` holds for every sentence. Nothing is reworded: the edges are trimmed, no more.
Dropped sentences are kept with their reason, so that a report can say why something was not read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Any, NamedTuple

from curate.capture.pasted import kind_of_line


class Sentence(NamedTuple):
    """One sentence or bullet of a message; `dropped` names why it is not the person's own prose."""

    text: str
    start: int
    end: int
    bullet: bool = False
    dropped: str | None = None


_BULLET = re.compile(
    r"(?:[-*•‣▪–—+]|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)]|\[[ xX]\])(?:\s+(?:\[[ xX]\]\s+)?|$)|[①-⑳]\s*|\d{1,2}、"
)
_LETTERED = (".", ")")
_HEADING = re.compile(r"#{1,6}\s")
_FENCE = re.compile(r"(?:```|~~~)")
_BREAK = re.compile(r"""[.!?…。！？][.!?…。！？]*+(["'”’»)\]」』）]*+)(\s*)""")
"""Marks that may end a sentence, what closes behind them, and the space. A class of characters stands in front, which
is quick to search for; a run of marks is taken whole."""
_BLANK = re.compile(r"\s+")
_OPEN_TAG = re.compile(r"<([a-zA-Z][\w.:-]{1,60})(?:\s[^<>\n]{0,400})?>")
_CLOSE_TAG = re.compile(r"</([a-zA-Z][\w.:-]{1,60})>")
_QUOTED = re.compile(
    r'"[^"\n]{12,2000}"|“[^“”\n]{12,2000}”|«[^«»\n]{12,2000}»|「[^「」\n]{9,1000}」|„[^„“”\n]{12,2000}[“”]'
)
_SINGLE = re.compile(r"'(?<![^\s(:]')[^'\n]{24,2000}'(?![^\s).,;:?!])")
_ABBREVIATION = frozenset(
    "e.g i.e etc vs cf resp approx ca nr dr mr mrs ms st z.b bzw usw d.h u.a evtl ggf inkl p.ej ej pág т.д т.е т.п и.о "
    "n.b incl excl max min".split()
)
_HTML = frozenset(
    "a b i u p br hr em li ol ul h1 h2 h3 h4 td tr th div img nav svg pre code span main body html head form input "
    "button table header footer section article label select option strong script style link meta iframe template "
    "video audio canvas".split()
)
MAX_SENTENCES = 600


def split(text: str) -> list[Sentence]:
    """All sentences and bullets of `text` in order, each with its offsets and, if it was dropped, the reason."""
    out: list[Sentence] = []
    spans = _wrappers(text) if "</" in text else []
    if "\n" not in text and not spans:
        body = text.strip()
        kind = "quote" if body.startswith(">") else kind_of_line(body, 0) if body else None
        _line(text, 0, len(text), None if kind == "weak" else kind, out)
        return out
    for start, end, reason in _blocks(text, spans):
        if len(out) > MAX_SENTENCES:
            break
        _line(text, start, end, reason, out)
    return out


def _wrappers(text: str) -> list[tuple[int, int]]:
    """Spans of `<tag ...>...</tag>` that machines and editors put around what they add; HTML tags are code."""
    closing: dict[str, list[int]] = {}
    for m in _CLOSE_TAG.finditer(text):
        closing.setdefault(m.group(1), []).append(m.end())
    spans: list[tuple[int, int]] = []
    done = 0
    for m in _OPEN_TAG.finditer(text):
        if m.start() < done or m.group(1) in _HTML:
            continue
        ends = closing.get(m.group(1))
        if not ends:
            continue
        i = bisect_left(ends, m.end())
        if i == len(ends):
            continue
        done = ends[i]
        spans.append((m.start(), done))
    return spans


def _blocks(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int, str | None]]:
    """Logical lines (hard-wrapped ones joined) with the reason for which a line is no prose."""
    lines: list[list[Any]] = []  # start, end, reason, indent
    fence = False
    pos, n, k = 0, len(text), 0
    while pos <= n:
        stop = text.find("\n", pos)
        if stop < 0:
            stop = n
        raw = text[pos:stop]
        body = raw.strip()
        start = pos
        pos = stop + 1
        if not body:
            lines.append([start, start, "", 0])
            if pos <= n and (m := _BLANK.match(text, pos)):
                pos = max(pos, text.rfind("\n", pos, m.end()) + 1)
            continue
        while k < len(spans) and spans[k][1] <= start:
            k += 1
        if k < len(spans) and spans[k][0] < stop:
            lines.extend(_around(text, start, stop, spans, k))
            continue
        indent = len(raw) - len(raw.lstrip())
        start += indent
        if body[0] in "`~" and _FENCE.match(body):
            closed = len(body) > 5 and body.endswith("```")
            fence = fence if closed else not fence
            lines.append([start, start + len(body), "fence", indent])
            continue
        if fence:
            reason: str | None = "fence"
        elif body[0] == ">":
            reason = "quote"
        else:
            reason = kind_of_line(body, indent)
        lines.append([start, start + len(body), reason, indent])
    return _joined(text, _settled(lines))


def _around(text: str, start: int, stop: int, spans: list[tuple[int, int]], k: int) -> list[list[Any]]:
    """A line that wrappers cut: the pieces outside are prose, those inside are dropped."""
    out: list[list[Any]] = []
    at = start
    while k < len(spans) and spans[k][0] < stop:
        if text[at : spans[k][0]].strip():
            out.append([at, spans[k][0], None, 0])
        lo, at = max(spans[k][0], start), min(spans[k][1], stop)
        out.append([lo, at, "wrapper", 0])
        if spans[k][1] > stop:
            break
        k += 1
    if text[at:stop].strip():
        out.append([at, stop, None, 0])
    return out


_PASTED = frozenset(("log", "diff", "code", "shell", "table"))


def _settled(lines: list[list[Any]]) -> list[list[Any]]:
    """Decide weak lines by their neighbours, and drop a lone odd line between two pasted ones."""
    full = [row for row in lines if row[2] != ""]
    kinds = [row[2] for row in full]
    last = len(full) - 1
    for i, row in enumerate(full):
        before = kinds[i - 1] if i else None
        after = kinds[i + 1] if i < last else None
        if kinds[i] == "weak":
            near = (before in _PASTED) + (after in _PASTED) + (before == "weak") + (after == "weak")
            row[2] = "code" if near >= 2 or (near and row[3]) else None
        elif kinds[i] is None and before in _PASTED and after in _PASTED and before == after:
            row[2] = before
    return lines


def _joined(text: str, lines: list[list[Any]]) -> list[tuple[int, int, str | None]]:
    """Join a hard-wrapped line to the next: long, unfinished, and followed by a lower-case start at the same depth."""
    out: list[tuple[int, int, str | None]] = []
    blank = True
    for start, end, reason, _indent in lines:
        if reason == "":
            blank = True
            continue
        if reason is None and not blank and out and out[-1][2] is None:
            lo, hi, _ = out[-1]
            wrapped = 60 <= hi - max(lo, text.rfind("\n", lo, hi) + 1) <= 100
            if (
                wrapped
                and text[start].islower()
                and (text[hi - 1].islower() or text[hi - 1] == ",")
                and not _BULLET.match(text, start)
            ):
                out[-1] = (lo, end, None)
                continue
        out.append((start, end, reason))
        blank = False
    return out


def _line(text: str, start: int, end: int, reason: str | None, out: list[Sentence]) -> None:
    """Append the sentences of one logical line."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    if reason is not None:
        out.append(Sentence(text[start:end], start, end, False, reason))
        return
    bullet = False
    plain = text[start].isalpha() and text[start + 1 : start + 2] not in _LETTERED
    if not plain and (m := _BULLET.match(text, start, end)):
        bullet = True
        start = m.end()
    elif text[start] == "#" and (m := _HEADING.match(text, start, end)):
        if "\n" in text:
            out.append(Sentence(text[start:end], start, end, False, "heading"))
            return
        bullet = True  # a lone "# ..." is how some agents are told to remember something
        start = m.end()
    quotes = quotations(text, start, end)
    at = start
    q = 0
    for m in _BREAK.finditer(text, start, end):
        stop = m.end()
        if m.start(2) == stop and text[m.start(1) - 1] not in "。！？" and not _shout(text, m):
            continue
        while q < len(quotes) and quotes[q][1] <= m.start():
            q += 1
        if q < len(quotes) and quotes[q][0] < m.start() and stop < quotes[q][1]:
            continue
        if text[m.start()] == "." and m.start() > at and _abbreviated(text, at, m.start()):
            continue
        _emit(text, at, stop, bullet, quotes, out)
        at = stop
        if len(out) > MAX_SENTENCES:
            return
    if at < end:
        _emit(text, at, end, bullet, quotes, out)


def _shout(text: str, m: re.Match[str]) -> bool:
    """An exclamation mark with the next sentence right behind it: "no!Use the other one"."""
    after = text[m.end() : m.end() + 1]
    return text[m.start(1) - 1] == "!" and m.start(1) == m.end() and "A" <= after <= "Z"


def quotations(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where quotation marks hold more than a few words, marks included."""
    found: list[tuple[int, int]] = []
    if '"' in text or not text.isascii():
        found = [m.span() for m in _QUOTED.finditer(text, start, end)]
    if text.count("'", start, end) > 1:
        found += [m.span() for m in _SINGLE.finditer(text, start, end)]
        found.sort()
    return found


def _abbreviated(text: str, lo: int, dot: int) -> bool:
    """The full stop belongs to an abbreviation or a list number and ends nothing."""
    space = max(text.rfind(" ", lo, dot), lo - 1)
    word = text[space + 1 : dot].lower().lstrip("(")
    if word in _ABBREVIATION:
        return True
    return len(word) <= 2 and word.isdigit() and space < lo


def _emit(text: str, lo: int, hi: int, bullet: bool, quotes: list[tuple[int, int]], out: list[Sentence]) -> None:
    while lo < hi and text[lo].isspace():
        lo += 1
    while hi > lo and text[hi - 1].isspace():
        hi -= 1
    if lo == hi:
        return
    reason = None
    for a, b in quotes:
        if a <= lo + 1 and b >= hi - 2:
            reason = "quote"
    out.append(Sentence(text[lo:hi], lo, hi, bullet, reason))
