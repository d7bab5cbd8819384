"""A statement as a row of tokens: content words, markers that shape it, numbers and boundaries.

Words are folded and replaced by what they stand for (`lexicon`); what is in back quotes is kept as it is.
"""

from __future__ import annotations

from curate.matching.pieces import NUMBER_WORDS, SOFT, Token, longest, pieces, token
from curate.matching.words import Lexicon, choices, lexicon

KINDS = frozenset(
    "cast type keyword statement call operator option flag syntax expression assertion word term phrase command".split()
)
"""Names of a kind that add nothing to a thing in back quotes: "`any` types" are `any`."""


def tokens(folded: str, lex: Lexicon) -> list[Token]:
    """The tokens of a folded statement."""
    raw = list(pieces(folded, lex))
    return list(_read(_with_gaps(raw, lex), lex))


def _with_gaps(raw: list[Token | str], lex: Lexicon) -> list[Token | str]:
    """Patterns with a hole (`leave ... alone`) replaced by what they stand for."""
    if not lex.gaps:
        return raw
    stems = [lex.stem(item) if isinstance(item, str) else "" for item in raw]
    present = set(stems)
    for before, after, out in lex.gaps:
        if before[0] not in present or (after and after[-1] not in present):
            continue
        start = _find(stems, before, 0)
        if start is None:
            continue
        body = start + len(before)
        stop = next((i for i in range(body, len(raw)) if isinstance(raw[i], Token) and _is_stop(raw[i])), len(raw))
        end = _find(stems[:stop], after, body + 1) if after else stop
        if end is None or end <= body:
            continue
        filled: list[Token | str] = []
        for word in out:
            filled += raw[body:end] if word == "*" else [Token("stop", SOFT) if word == "," else token(word)]
        raw = raw[:start] + filled + raw[end + len(after) :]
        stems = [lex.stem(item) if isinstance(item, str) else "" for item in raw]
    return raw


def _is_stop(item: Token | str) -> bool:
    return isinstance(item, Token) and item.kind == "stop"


def _find(stems: list[str], wanted: list[str], start: int) -> int | None:
    for at in range(start, len(stems) - len(wanted) + 1):
        if stems[at : at + len(wanted)] == wanted:
            return at
    return None


def _read(raw: list[Token | str], lex: Lexicon) -> list[Token]:
    """Phrases first, the longest that fits; then single words; what the lexicon does not know stays a word."""
    out: list[Token] = []
    stems = [lex.stem(item) if isinstance(item, str) else "" for item in raw]
    at = 0
    while at < len(raw):
        item = raw[at]
        if isinstance(item, Token):
            out.append(item)
            at += 1
            continue
        if stems[at] == "any" and lex.language == "en" and _stands_alone(raw, stems, at):
            out.append(Token("word", "any"))
            at += 1
            continue
        if stems[at] == "make" and lex.language == "en" and _is_tool(raw, at):
            out.append(Token("word", "make"))
            at += 1
            continue
        if _names_a_kind(raw, stems, at):
            at += 1
            continue
        found, length = longest(stems, at, lex)
        if found is None:
            found = lex.single(item) or (lex.single(stems[at]) if stems[at] != item else None)
            length = 1
        bare = item == stems[at] and (
            stems[at] in lex.verbs or (length == 1 and found is not None and set(found[:1]) <= lex.verbs)
        )
        if found is not None:
            out += [token(word, bare=bare and length == 1 and not place) for place, word in enumerate(found)]
        elif item in NUMBER_WORDS:
            out.append(Token("number", NUMBER_WORDS[item]))
        else:
            out += [Token("word", word, bare) for word in _borrowed(item, lex) or (stems[at],)]
        at += length
    return out


def _is_tool(raw: list[Token | str], at: int) -> bool:
    """`make` is a program where nothing follows that could be made, or where something is done with it."""
    beside = raw[at - 1] if at else ""
    last = at + 1 == len(raw) or _is_stop(raw[at + 1]) or raw[at + 1] == "to"
    return last or beside in ("with", "via", "through", "using")


def _borrowed(word: str, lex: Lexicon) -> tuple[str, ...]:
    """An English word in another language, such as the name of a tool, as English has it: not stemmed like the rest."""
    if lex.language == "en" or not word.isascii():
        return ()
    if word in choices().family:
        return (word,)
    known = lexicon("en").single(word) or ()
    return known if all(part.islower() and part[0] != "~" for part in known) else ()


def _stands_alone(raw: list[Token | str], stems: list[str], at: int) -> bool:
    """`any` is the type where no noun follows: `avoid any`, `no any in TypeScript`."""
    return at + 1 == len(raw) or _is_stop(raw[at + 1]) or stems[at + 1] in ("in", "as", "or", "instead")


def _names_a_kind(raw: list[Token | str], stems: list[str], at: int) -> bool:
    if stems[at] not in KINDS:
        return False
    beside = raw[at - 1 : at] if at else []
    beside = beside + raw[at + 1 : at + 2] if stems[at] in ("word", "term", "phrase", "keyword") else beside
    return any(isinstance(item, Token) and item.kind == "word" for item in beside)
