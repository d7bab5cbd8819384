"""The words of a card, laid out for a width: labels on the left, texts wrapped beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from curate.review.diff import by_word
from curate.review.naming import spelled
from curate.tui.cells import cut, day, safe, safe_line, spans
from curate.tui.transcript import below_home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual.style import Style

    from curate.review.card import Card, Quote, Side
    from curate.review.choice import Choice
    from curate.review.rows import Row, Scoped
    from curate.tui.theme import InkName, Inks

LABEL = 8
"""Cells that a label takes, with the space behind it."""

FLAG_WORDS = {
    "redacted": "a secret was masked", "one_off": "sounds like a one-off", "joke": "may be a joke",
    "tombstoned": "its like was rejected before", "quoted": "it was quoted",
    "needs_context": "needs the sentence before",
}  # fmt: skip


TRUST_WORDS = {
    "direct_user_instruction": "your own words", "user_correction": "you corrected an agent",
    "repository_text": "text of a repository",
}  # fmt: skip


class Lines:
    """Grows line by line; every text that goes in is shown as it is, never read as markup."""

    def __init__(self, palette: Inks, width: int) -> None:
        self.palette = palette
        self.width = max(width, 20)
        self.out: list[Content] = []

    def plain(self, text: str, ink: InkName = "text") -> Content:
        """A text in one ink."""
        return Content.styled(text, self.palette[ink])

    def joined(self, *parts: tuple[str, InkName]) -> Content:
        """Texts in inks of their own, one after the other."""
        return Content.assemble(*(Content.styled(text, self.palette[ink]) for text, ink in parts))

    def row(self, label: str, content: Content | str, ink: InkName = "text", *, limit: int = 0) -> None:
        """A labelled text, wrapped; `limit`: at most so many lines."""
        body = content if isinstance(content, Content) else self.plain(content, ink)
        if limit == 1:
            wrapped = [body.truncate(self.width - LABEL, ellipsis=True)]
        else:
            wrapped = list(body.wrap(self.width - LABEL))
        if limit and len(wrapped) > limit:
            last = wrapped[limit - 1].rstrip().truncate(self.width - LABEL - 2)
            wrapped = [*wrapped[: limit - 1], last.append(self.plain(" …", "muted"))]
        for number, part in enumerate(wrapped):
            head = label if number == 0 else ""
            self.out.append(Content.assemble(self.plain(head.ljust(LABEL), "muted"), part))

    def text(self, content: Content | str, ink: InkName = "text") -> None:
        """A text over the whole width."""
        body = content if isinstance(content, Content) else self.plain(content, ink)
        self.out.extend(body.wrap(self.width))

    def signed(self, sign: str, text: str, ink: InkName) -> None:
        """A line of a difference, wrapped behind its sign."""
        for number, part in enumerate(self.plain(text, ink).wrap(self.width - 2) if text else [Content("")]):
            self.out.append(Content.assemble(self.plain(f"{sign} " if number == 0 else "  ", ink), part))

    def gap(self) -> None:
        """An empty line, never two."""
        if self.out and str(self.out[-1]).strip():
            self.out.append(Content(""))

    def content(self) -> Content:
        """All lines."""
        return Content("\n").join(self.out)


def card_lines(
    row: Row, choice: Choice | None, card: Card, palette: Inks, width: int, *, shown: Callable[[str], str],
    note: str | None = None, quotes: int = 2, roomy: bool = True,
) -> list[Content]:  # fmt: skip
    """The lines of the card. `shown` names the key of an action; `roomy` puts empty lines between its parts."""
    lines = Lines(palette, width)
    gap = lines.gap if roomy else (lambda: None)
    _head(lines, row, choice, note)
    if card.disputed:
        lines.row("dispute", safe_line(card.disputed), "warn", limit=3)
    gap()
    for quote in card.quotes[:quotes]:
        quoted(lines, quote, limit=4 if roomy else 2, known=row.statement)
    more = max(row.quotes, len(card.quotes)) - len(card.quotes[:quotes])
    if more > 0 and quotes:
        lines.row("", f"{more} more: {shown('evidence')} shows all", "muted")
    gap()
    _scope(lines, row, choice, roomy=roomy)
    # How often it was said stands in the facts already.
    if row.reason and not row.reason.startswith("said "):
        lines.row("why", safe_line(row.reason), "text", limit=3)
    for side in card.sides[:2]:
        gap()
        _known(lines, row, choice, side)
    if card.writes:
        gap()
        for number, text in enumerate(spelled(words, shown) for words in card.writes[:4]):
            lines.row("writes" if number == 0 else "", safe_line(text), "good" if text.startswith("+") else "text")
        if len(card.writes) > 4:
            lines.row("", f"and {len(card.writes) - 4} more", "muted")
    return lines.out


def _head(lines: Lines, row: Row, choice: Choice | None, note: str | None) -> None:
    text = safe_line(row.statement)
    edited = safe_line(choice.statement) if choice and choice.statement else ""
    if edited and edited != text:
        lines.text(new_side(lines, text, edited))
    else:
        cues = row.cues if text == row.statement else ()
        lines.text(spans(text, cues, lines.palette["cue"], lines.palette["title"]))
    if note:
        lines.text(f"not written: {safe_line(note)}", "warn")
    if choice and choice.verb:
        lines.text(f"decided: {choice.words()}" + (f" · {safe_line(choice.text)}" if choice.text else ""), "good")
    lines.text(" · ".join(_facts(row)), "muted")
    words = [FLAG_WORDS.get(flag, flag.replace("_", " ")) for flag in row.flags] if row.kind == "candidate" else []
    if words:
        lines.text("! " + " · ".join(words), "warn")


def _facts(row: Row) -> list[str]:
    facts = [row.rule.replace("_", " ") or row.intent.replace("_", " ")]
    if row.kind == "record":
        facts = [row.status, *facts, f"{row.quotes} quote{'s' if row.quotes != 1 else ''}"]
        if row.pinned:
            facts.append("pinned")
    else:
        times = "once" if row.quotes == 1 else "twice" if row.quotes == 2 else f"{row.quotes} times"
        facts.append(f"said {times}" + (f" in {row.sessions} sessions" if row.sessions > 1 else ""))
        if row.trust != "repeated_user_preference":
            facts.append(TRUST_WORDS.get(row.trust, row.trust.replace("_", " ")))
    if row.layer == "L1":
        facts.insert(0, "identity (L1)")
    if row.confidence:
        facts.append(f"confidence {row.confidence:.2f}")
    # That it holds widely is risk enough for the word, and stands in the scope already.
    if row.kind == "candidate" and (row.risk == "high" or (row.risk == "medium" and row.scoped.reach == "project")):
        facts.append(f"{row.risk} risk")
    return [fact for fact in facts if fact]


def quoted(lines: Lines, quote: Quote, *, limit: int = 0, known: str = "") -> None:
    """What was said, with its cues marked, and where; not the words again when they are `known` to the last letter."""
    text, ink = safe(quote.text).strip(), lines.palette
    cues: Sequence[tuple[int, int]] = quote.cues if text == quote.text else ()
    label = "against" if quote.against else "said"
    if text != known:
        if limit:
            at = quote.span[0] if quote.span and text == quote.text else cues[0][0] if cues else 0
            text, cues = _led(text, cues, at, lines.width - LABEL, limit)
        lines.row(label, spans(text, cues, ink["cue"], ink["quote"]), limit=limit)
        label = ""
    if quote.context:
        lines.row("before", safe_line(quote.context), "muted", limit=max(1, limit - 1) if limit else 0)
    where = " · ".join(part for part in (safe_line(quote.agent), day(quote.time)) if part)
    if limit:
        lines.row(label, _with_source(where, quote, lines.width - LABEL), "muted", limit=1)
    else:
        session = safe_line(quote.session)
        lines.row(label, " · ".join(part for part in (where, session) if part), "muted")
        if place := safe_line(below_home(quote.place())):
            lines.row("", place, "muted")
    if quote.redacted:
        lines.row("", f"masked: {', '.join(safe_line(kind) for kind in quote.redacted)}", "warn")


def _led(
    text: str, cues: Sequence[tuple[int, int]], at: int, width: int, limit: int
) -> tuple[str, Sequence[tuple[int, int]]]:
    """A long quote from the line in which its statement starts (`at`), when `limit` lines would not reach that far."""
    ahead = sum(max(1, -(-cell_len(part) // width)) for part in text[:at].split("\n")) if width > 0 else 0
    if ahead < limit:
        return text, cues
    start = text.rfind("\n", 0, at) + 1
    if cell_len(text[start:at]) > width:
        start = text.rfind(" ", 0, at - width // 2) + 1
    moved = tuple((one - start + 2, other - start + 2) for one, other in cues if one >= start)
    return f"… {text[start:]}", moved


def _with_source(where: str, quote: Quote, room: int) -> str:
    """Where it was said, in one line: of the file's name as much as there is room for, and always the line in it."""
    name, line = safe_line(quote.path.rsplit("/", 1)[-1]), f":{quote.line}" if quote.line else ""
    left = room - cell_len(where) - cell_len(line) - 3
    return f"{where} · {cut(name, left)}{line}" if name and left > 4 else where


def _scope(lines: Lines, row: Row, choice: Choice | None, *, roomy: bool) -> None:
    scoped = choice.scope_for(row) if choice else row.scoped
    parts: list[tuple[str, InkName]] = [
        (safe_line(scoped.in_words()), "warn" if scoped.reach == "unassigned" else "scope")
    ]
    if choice and choice.scoped and choice.scoped != row.scoped:
        parts.append((f"  (proposed: {safe_line(row.scoped.in_words())})", "muted"))
    if not roomy and len(scoped.projects) == 1:
        parts.append((f"  {safe_line(scoped.projects[0])}", "muted"))
    lines.row("scope", lines.joined(*parts))
    if not roomy:
        return
    for project in _named(scoped):
        lines.row("", safe_line(project), "muted")


def _named(scoped: Scoped) -> Sequence[str]:
    if len(scoped.projects) > 3:
        return [*scoped.projects[:3], f"and {len(scoped.projects) - 3} more"]
    return scoped.projects if scoped.reach in {"project", "path"} else ()


def _known(lines: Lines, row: Row, choice: Choice | None, side: Side) -> None:
    label = {"duplicate": "same as", "strengthens": "same as"}.get(row.match, "known")
    new = safe_line(choice.statement if choice and choice.statement else row.statement)
    old = safe_line(side.statement)
    if old == new:
        lines.row(label, old, "text")
    else:
        lines.row(label, lines.plain("- ", "bad").append(old_side(lines, old, new)))
        lines.row("", lines.plain("+ ", "good").append(new_side(lines, old, new)))
    lines.row("", " · ".join(_side_facts(side)), "muted")


def key_rows(lines: Lines, offers: Sequence[tuple[str, str]], *, label: str = "decide") -> None:
    """What can be done about it: as many to a line as have room, each whole."""
    rows: list[list[tuple[str, InkName]]] = [[]]
    used, room = 0, lines.width - (LABEL if label else 0)
    for key, word in offers:
        size = len(key) + len(word) + 4
        if rows[-1] and used + size > room:
            rows.append([])
            used = 0
        rows[-1] += [(key, "key"), (f" {word}   ", "text")]
        used += size
    for number, parts in enumerate(rows):
        if label:
            lines.row(label if number == 0 else "", lines.joined(*parts).rstrip())
        else:
            lines.out.append(lines.joined(*parts).rstrip())


def _side_facts(side: Side) -> list[str]:
    facts = [
        f"{side.status} since {side.since[:10]}", safe_line(side.scoped.in_words()),
        f"{side.quotes} quote{'s' if side.quotes != 1 else ''}",
        *(f"except {safe_line(text)}" for text in side.exceptions),
    ]  # fmt: skip
    return [fact for fact in facts if fact]


def old_side(lines: Lines, old: str, new: str) -> Content:
    """The old words, with what the new ones leave out marked."""
    return _parts(lines, old, new, "old")


def new_side(lines: Lines, old: str, new: str) -> Content:
    """The new words, with what the old ones did not have marked."""
    return _parts(lines, old, new, "new")


def _parts(lines: Lines, old: str, new: str, keep: InkName) -> Content:
    styles: Iterable[tuple[str, Style]] = (
        (part.text, lines.palette["text" if part.change == "same" else keep])
        for part in by_word(old, new)
        if part.change in {"same", keep}
    )
    return Content.assemble(*(Content.styled(text, style) for text, style in styles))
