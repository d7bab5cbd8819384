"""The one-line parts around the queue: progress on top, tabs, the last decisions, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from curate.review.pace import in_words
from curate.review.rows import QUEUE, TABS
from curate.tui.actions import BY_ID
from curate.tui.cells import cut, safe_line
from curate.tui.hints import hints
from curate.tui.theme import InkName, Inks, inks
from curate.tui.widgets.queue_line import DONE

if TYPE_CHECKING:
    from textual import events

    from curate.review.session import Session
    from curate.tui.keymap import Keymap

PAGES = ("explain", "audit", "pages", "upkeep", "history")
"""Actions that open a page, in the order in which there is room for them beside the tabs."""


class Bar(Widget, can_focus=False):
    """A line that is drawn from the session each time it is refreshed."""

    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"
    ALLOW_SELECT = False

    def __init__(self, session: Session, **options: Any) -> None:
        super().__init__(**options)
        self.session = session
        self._drawn: tuple[Any, ...] = ()

    def draw(self) -> Content:
        """The line, or lines, as things stand."""
        raise NotImplementedError

    def render(self) -> Content:
        """What was found to differ, or is asked for anew."""
        content = self.draw()
        self._drawn = (content.plain, content.spans)
        return content

    def renew(self) -> None:
        """Draw again only when something differs: most keys leave most bars as they are."""
        content = self.draw()
        if (content.plain, content.spans) != self._drawn:
            self.refresh()

    class Clicked(Message):
        """Something in a bar was clicked: an action, a tab or a row, by `kind`."""

        def __init__(self, kind: str, what: str) -> None:
            super().__init__()
            self.kind = kind
            self.what = what

    def on_click(self, event: events.Click) -> None:
        """What was clicked stands in the text itself."""
        for kind in ("act", "tab", "go"):
            if kind in event.style.meta:
                self.post_message(self.Clicked(kind, event.style.meta[kind]))

    @property
    def palette(self) -> Inks:
        """The inks of the theme in use."""
        return inks(self.app.theme)

    def ink(self, text: str, name: InkName, action: str | None = None) -> Content:
        """A text in an ink; with an action, a click does it."""
        style = self.palette[name]
        if action is not None:
            style += Style.from_meta({"act": action})
        return Content.styled(text, style)

    def ends(self, left: Content, right: Content) -> Content:
        """One text at each end; the left one is cut when there is no room for both."""
        width = self.size.width
        room = width - right.cell_length - 1
        if room < 10:
            return left.truncate(width, ellipsis=True)
        if left.cell_length > room:
            left = left.truncate(room, ellipsis=True)
        return Content.assemble(left, " " * (width - left.cell_length - right.cell_length), right)


class ProgressBar(Bar):
    """Where we are: the store, how much is done, how fast, how long yet, and whether it is saved."""

    def __init__(self, session: Session, place: str, **options: Any) -> None:
        super().__init__(session, **options)
        self.place = place
        self.reading = True
        self.coming: tuple[int, int] | None = None
        """How many candidates of how many there are rows of by now."""
        self.saved: str = ""
        self.trouble: str = ""
        self.warning: str = ""
        """That transcripts were hardly understood: a capture that finds nothing must not look like nothing said."""

    def draw(self) -> Content:
        """One line."""
        left = Content.assemble(self.ink(" curate ", "title"), self.ink(f" {safe_line(self.place)}", "muted"))
        done, total = self.session.progress()
        parts: list[tuple[str, InkName]] = []
        if self.reading:
            parts.append(("reading the store…", "muted"))
        if self.coming is not None:
            # Neither the end nor the pace can be told before all of it is there.
            ready, candidates = self.coming
            parts.append((f"{done} decided", "title"))
            parts.append((f"loading {ready:,} of {candidates:,}…", "muted"))
        elif total:
            parts.append((f"{done}/{total} decided", "title"))
            each = self.session.pace.each
            remaining = self.session.left()
            if each is not None and remaining:
                parts.append((f"{each:.1f} s each", "muted"))
                time = in_words(self.session.pace.left(remaining) or 0)
                parts.append((f"{'~' if time[:1].isdigit() else ''}{time} left", "muted"))
        marked, unseen = self.session.queue.marked_size()
        if marked:
            parts.append((f"{marked} marked" + (f" ({unseen} hidden)" if unseen else ""), "mark"))
        if self.warning:
            parts.append((f"! {self.warning}", "bad"))
        if self.trouble:
            parts.append((self.trouble, "bad"))
        elif self.saved:
            parts.append((self.saved, "muted" if self.saved != "saved" else "good"))
        right: list[Content] = []
        for text, ink in parts:
            right += [self.ink(text, ink), Content("   ")]
        return self.ends(left, Content.assemble(*right[:-1], " "))


class TabBar(Bar):
    """The tabs with what is open in each, and the filter, or else the pages that there are besides."""

    filtering = False

    def __init__(self, session: Session, keys: Keymap, **options: Any) -> None:
        super().__init__(session, **options)
        self.keys = keys

    def draw(self) -> Content:
        """One line."""
        counts, queue = self.session.queue.counts(), self.session.queue
        out: list[Content] = [Content(" ")]
        narrow = self.size.width < 90 and bool(queue.filter.text) and not self.filtering
        for tab in TABS:
            waiting, total = counts[tab]
            number = waiting if tab in QUEUE else total
            here = tab == queue.tab
            if narrow and not here:
                continue
            name = tab.capitalize()
            style = self.palette["here" if here else "tab"] + Style.from_meta({"tab": tab})
            out.append(Content.styled(f"{name} {number}", style))
            out.append(Content("   "))
        right = Content("")
        if queue.filter.text and not self.filtering:
            shown = f"{len(queue.visible)} of {counts[queue.tab][1]}"
            right = Content.assemble(
                self.ink("/ ", "key"), self.ink(safe_line(queue.filter.text), "text"), self.ink(f"  {shown} ", "muted")
            )
        left = Content.assemble(*out)
        room = self.size.width - left.cell_length
        if not right and queue.show_hidden:
            words = next(text for text in ("with what is hidden ", "+ hidden ", "") if len(text) < room)
            right = self.ink(words, "muted")
        return self.ends(left, right or self._pages(room)) if room > 0 else left

    def _pages(self, room: int) -> Content:
        """The pages with their keys, as many as there is room for."""
        out: list[Content] = []
        for action in PAGES:
            entry = Content.assemble(
                self.ink(self.keys.shown(action), "key", action), self.ink(f" {BY_ID[action].name}  ", "muted", action)
            )
            room -= entry.cell_length
            if room < 1:
                break
            out.append(entry)
        return Content.assemble(*out)


class DoneStrip(Bar):
    """The last decisions, newest first; a click goes to one."""

    def __init__(self, session: Session, keys: Keymap, **options: Any) -> None:
        super().__init__(session, **options)
        self.keys = keys

    def draw(self) -> Content:
        """As many lines as it is high."""
        strip = self.session.strip()
        height = max(1, self.size.height)
        width = self.size.width
        if not strip:
            return self._hints(height, width)
        lines = []
        for key, choice in strip[:height] if height > 1 else ():
            lines.append(self._entry(key, choice, width - 2))
        if height > 1:
            return Content("\n").join(Content.assemble(" ", line) for line in lines)
        out: list[Content] = [self.ink(" done ", "faint")]
        used = 6
        for key, choice in strip:
            entry = self._entry(key, choice, min(34, width - used - 3))
            if used + entry.cell_length + 3 > width:
                break
            out += [entry, Content("   ")]
            used += entry.cell_length + 3
        return Content.assemble(*out)

    def _hints(self, height: int, width: int) -> Content:
        """As long as nothing is decided there is room to say what the tab is for."""
        queue = self.session.queue
        lines = hints(queue.tab, self.keys.named)[:height] if queue.visible else ()
        return Content("\n").join(self.ink(cut(f" {line}", width), "muted") for line in lines)

    def _entry(self, key: str, choice: Any, width: int) -> Content:
        sign, _, ink = DONE[choice.verb]
        text = cut(safe_line(choice.statement or self.session.queue.rows[key].statement), max(4, width - 2))
        click = Style.from_meta({"go": key})
        return Content.assemble(
            Content.styled(f"{sign} ", self.palette[ink]), Content.styled(text, self.palette["muted"] + click)
        )


class StatusBar(Bar):
    """What the last key did, or why it did nothing."""

    say = ""
    tone: InkName = "muted"

    def tell(self, say: str, tone: str = "plain") -> None:
        """Show a message until the next."""
        inks_of: dict[str, InkName] = {"plain": "muted", "good": "good", "warn": "warn", "bad": "bad"}
        self.say, self.tone = say, inks_of.get(tone, "muted")
        self.refresh()

    def draw(self) -> Content:
        """One line."""
        text = cut(safe_line(self.say), self.size.width - 2)
        sign = {"warn": "! ", "bad": "! "}.get(self.tone, "")
        return self.ink(f" {sign}{text}" if text else "", self.tone)
