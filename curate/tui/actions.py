"""Every action of the app in one table: it drives keys, footer, palette and help alike.

A letter never changes its meaning between tabs, and its capital is a rarer or heavier form of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curate.review.naming import key_of

if TYPE_CHECKING:
    from curate.review.choice import Verb
    from curate.review.rows import Reach
    from curate.review.session import Session

Check = Callable[["Session"], "str | None"]
"""Why an action does nothing now, None when it does something."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a key does. `keys` are those of the vim preset; `plain` those of the other, where they differ."""

    id: str
    group: str
    name: str
    """One or two words, for the footer."""
    title: str
    """What it does as a phrase, for palette and help."""
    keys: tuple[str, ...]
    help: str = ""
    plain: tuple[str, ...] | None = None
    footer: int = 0
    """Place in the footer, 1 being the first to be shown; 0: never there."""
    check: Check | None = None

    def why_not(self, session: Session) -> str | None:
        """Why the action does nothing now."""
        return self.check(session) if self.check is not None else None


def _verb(verb: Verb) -> Check:
    return lambda session: session.why_not(verb)


def _edit(session: Session) -> str | None:
    row = session.queue.current
    return session.why_not("update" if row is not None and row.kind == "record" else "accept") if row else "no row here"


def _pin(session: Session) -> str | None:
    row = session.queue.current
    return session.why_not("unpin" if row is not None and row.pinned else "pin")


def _keep(session: Session) -> str | None:
    return session.why_not_keep()


def _both(session: Session) -> str | None:
    sides = session.sides()
    return session.why_not("both") or ("it contradicts nothing" if sides is None or sides.kind == "fork" else None)


def _scope(session: Session) -> str | None:
    row = session.queue.current
    if row is None:
        return "no row here"
    return session.refusal(row.key) or (session.why_not("update") if row.kind == "record" else None)


def _to_scope(reach: Reach) -> Check:
    def why(session: Session) -> str | None:
        row = session.queue.current
        scoped = session.scoped(row) if row is not None and not session.queue.marked_size()[0] else None
        known = scoped is not None and scoped.reach == reach
        return _scope(session) or (f"the scope is {scoped.in_words()} already" if known and scoped else None)

    return why


def _purge(session: Session) -> str | None:
    row = session.queue.current
    if row is None:
        return "no row here"
    if session.queue.marked_size()[0]:
        return f"one at a time: {key_of('unmark')} takes the marks off"
    return session.refusal(row.key)


def _row(session: Session) -> str | None:
    return None if session.queue.current is not None else "no row here"


def _undo(session: Session) -> str | None:
    return None if session.ledger.done else f"nothing to undo; {key_of('history')} undoes what was written"


def _redo(session: Session) -> str | None:
    return None if session.ledger.undone else "nothing was undone"


def _repeat(session: Session) -> str | None:
    return session.why_not_repeat()


def _marks(session: Session) -> str | None:
    return None if session.queue.marked_size()[0] else "nothing is marked"


def _pending(session: Session) -> str | None:
    return None if session.decided else "nothing is decided yet"


def _chosen(session: Session) -> str | None:
    key = session.queue.cursor
    return None if key is not None and session.choice(key) is not None else "nothing was decided here"


def _back(session: Session) -> str | None:
    queue = session.queue
    return None if queue.filter.text or queue.anchor or queue.marks else "nothing to leave"


DECIDE, SCOPE, MARK, MOVE, LOOK, WRITE = "Decide", "Scope", "Mark", "Move", "Look", "Write"
GROUPS = (DECIDE, SCOPE, MARK, MOVE, LOOK, WRITE)

ACTIONS: tuple[Action, ...] = (
    Action(
        "accept", DECIDE, "accept", "Accept the proposal", ("a",), footer=1, check=_verb("accept"),
        help="Does what is proposed, on the scope shown. Of likely noise it makes a memory after all.",
    ),
    Action(
        "keep_left", DECIDE, "keep left", "Keep the left side", ("<",), footer=1, check=_keep,
        help="Of a contradiction: what is known, or was said first. Of two versions: version A.",
    ),
    Action(
        "keep_right", DECIDE, "keep right", "Keep the right side", (">",), footer=1, check=_keep,
        help="Of a contradiction: what was said, or said later; the left side ends and is kept in the log. Of two "
             "versions: version B.",
    ),
    Action(
        "both", DECIDE, "both true", "Keep both, each for less", ("=",), footer=2, check=_both,
        help="Both sides are true: asks where each of them holds, so that they no longer contradict each other.",
    ),
    Action(
        "reject", DECIDE, "reject", "Reject", ("x",), footer=2, check=_verb("reject"), plain=("x", "delete"),
        help="Not worth remembering; the same will not come back. In the noise tab: all that is marked on this page.",
    ),
    Action(
        "later", DECIDE, "later", "Put off until later", ("s",), footer=3, check=_verb("later"),
        help="Leaves the queue and comes back in a week, or when `review.defer_days` says.",
    ),
    Action(
        "edit", DECIDE, "edit", "Edit the words", ("e",), footer=5, check=_edit,
        help="Change the statement, then accept it. Of a memory: change it.",
    ),
    Action(
        "merge", DECIDE, "merge", "Merge into a memory", ("m",), footer=8, check=_verb("merge"),
        help="Adds the evidence to a memory that says the same; nothing new is made.",
    ),
    Action(
        "supersede", DECIDE, "supersede", "Supersede a memory", ("S",), footer=4, check=_verb("supersede"),
        help="The new rule takes the place of an old one, which ends today and is kept in the log. On a memory: asks "
             "for the words that take its place.",
    ),
    Action(
        "exception", DECIDE, "exception", "Add an exception", ("E",), footer=9, check=_verb("exception"),
        help="Both are true: the memory gets a case in which it does not hold.",
    ),
    Action(
        "contest", DECIDE, "contest", "Contest a memory", ("c",), footer=9, check=_verb("contest"),
        help="Marks a memory as disputed: agents are warned of it and no longer told to follow it.",
    ),
    Action(
        "uncontest", DECIDE, "uncontest", "Settle a contested memory", ("C",), footer=6, check=_verb("uncontest"),
        help="The dispute is over and the memory holds again.",
    ),
    Action(
        "deprecate", DECIDE, "deprecate", "Deprecate a memory", ("d",), footer=3, check=_verb("deprecate"),
        help="It no longer holds, and nothing takes its place. It stays in the log.",
    ),
    Action(
        "delete", DECIDE, "delete", "Delete a memory for good", ("D",), footer=9, check=_verb("delete"),
        help="It ends and cannot come back by being said again. Asks first.",
    ),
    Action(
        "pin", DECIDE, "pin", "Pin or unpin a memory", ("!",), footer=9, check=_pin,
        help="A pinned memory keeps its place in the prompt whatever the budget.",
    ),
    Action(
        "flag", DECIDE, "flag", "Flag for review", ("f",), check=_verb("flag"),
        help="Asks for another look at a memory, without changing it.",
    ),
    Action(
        "vault", DECIDE, "vault", "Mark for the vault", ("v",), check=_verb("vault"),
        help="Marks a memory as one that may deserve a page of its own.",
    ),
    Action(
        "resolve", DECIDE, "resolve", "Resolve a fork", ("r",), footer=2, check=_verb("resolve"),
        help="Two versions of a memory were written apart from each other: asks which of them holds.",
    ),
    Action(
        "restore", DECIDE, "go back", "Go back to an earlier version", ("R",), check=_verb("restore"),
        help="Asks for one of the earlier versions of a memory; it becomes the newest, and nothing is removed.",
    ),
    Action(
        "stability", DECIDE, "stability", "Say how stable a memory is", ("i",), check=_verb("stability"),
        help="Low, semi-stable or stable: how soon it is looked at again, and how much a missed review costs it.",
    ),
    Action(
        "decay", DECIDE, "decay", "Lower the confidence of a memory", ("I",), check=_verb("decay"),
        help="For the reviews it has missed; what is stable loses less.",
    ),
    Action(
        "clear", DECIDE, "clear", "Take the decision off", ("backspace",), check=_chosen,
        help="The row is open again, as proposed.",
    ),
    Action(
        "repeat", DECIDE, "repeat", "Repeat the last decision", (".",), footer=10, check=_repeat,
        help="The same verb, scope and target once more.",
    ),
    Action(
        "undo", DECIDE, "undo", "Undo", ("u",), footer=6, check=_undo,
        help="Walks back step by step, also over a restart, and goes to what it took back.",
    ),
    Action("redo", DECIDE, "redo", "Redo", ("U",), check=_redo, help="Walks forward again."),
    Action(
        "scope_path", SCOPE, "path", "Hold for paths only", ("1",), check=_scope,
        help="Only for certain paths of the project; asks for them when none are known.",
    ),
    Action(
        "scope_project", SCOPE, "project", "Hold for the project", ("2",), footer=7, check=_to_scope("project"),
        help="For the whole project; asks which when it could not be told.",
    ),
    Action(
        "scope_global", SCOPE, "global", "Hold everywhere", ("3",), footer=9, check=_to_scope("global"),
        help="For every project.",
    ),
    Action("scope_choose", SCOPE, "scope", "Choose the scope", ("4",), check=_scope, help="Any project, or several."),
    Action(
        "mark", MARK, "mark", "Mark the row", ("space",), footer=7, check=_row, plain=("space", "insert"),
        help="A decision is then taken on all marked rows at once. In the noise tab: spares the row.",
    ),
    Action("range", MARK, "range", "Mark a range", ("V",), check=_row, help="Begins a range here; again ends it."),
    Action("mark_all", MARK, "all", "Mark all that the filter shows", ("*",), check=_row),
    Action("unmark", MARK, "unmark", "Take all marks off", ("~",), footer=4, check=_marks),
    Action("down", MOVE, "down", "Next row", ("j", "down"), plain=("down",)),
    Action("up", MOVE, "up", "Previous row", ("k", "up"), plain=("up",)),
    Action("page_down", MOVE, "page down", "A page down", ("pagedown",)),
    Action("page_up", MOVE, "page up", "A page up", ("pageup",)),
    Action("first", MOVE, "first", "First row", ("g", "home"), plain=("home",)),
    Action("last", MOVE, "last", "Last row", ("G", "end"), plain=("end",)),
    Action("next_group", MOVE, "next group", "Next bundle", ("J",), plain=("}",)),
    Action("previous_group", MOVE, "previous group", "Previous bundle", ("K",), plain=("{",)),
    Action("next_tab", MOVE, "next tab", "Next tab", ("]", "right"), footer=11),
    Action("previous_tab", MOVE, "previous tab", "Previous tab", ("[", "left")),
    Action("next_open", MOVE, "next open", "Next row without a decision", ("n",)),
    Action("previous_open", MOVE, "previous open", "Previous row without a decision", ("N",)),
    Action("strip", MOVE, "last decisions", "Go back to one of the last decisions", ("b",), check=_pending,
           help="Lists them, newest first; enter goes to the row, where any key decides it anew."),
    Action("pane", MOVE, "pane", "Go between queue and card", ("tab",), help="In the card the arrows scroll it."),
    Action(
        "filter", LOOK, "filter", "Filter the tab", ("/",), footer=10,
        help="Words, and terms like is:open scope:global project:shop flag:redacted; a leading - turns one round.",
    ),
    Action("back", LOOK, "back", "Leave filter, range, marks", ("escape",), check=_back),
    Action("evidence", LOOK, "evidence", "All evidence", ("enter",), footer=10, check=_row,
           help="Every quote in full, with where it was said; of a memory its whole life."),
    Action("transcript", LOOK, "transcript", "Open the transcript", ("o",), check=_row,
           help="At the line of the first quote, in $EDITOR or else $PAGER."),
    Action("copy", LOOK, "copy", "Copy the statement", ("y",), check=_row),
    Action("tombstoned", LOOK, "hidden", "Show what is hidden", ("t",),
           help="Shows or hides what was rejected or deleted before, and what nobody said and was seen too seldom."),
    Action("history", LOOK, "history", "History of what was written", ("h",), help="Each patch, and undo of any."),
    Action("explain", LOOK, "told", "What agents were told", ("H",),
           help="Every turn: what was put in and why, what was left out at which stage, the block as sent; what a "
                "message would get; what it costs."),
    Action("pages", LOOK, "vault", "The vault", ("O",),
           help="What is ripe for a page of its own, condition by condition; notes near it, the dossier, and "
                "references that lead nowhere."),
    Action("audit", LOOK, "disputes", "What is in dispute", ("A",),
           help="Contested memories, forks and contradictions: the claims side by side, what was said, who was told "
                "meanwhile, what is open, and the keys that settle it."),
    Action("upkeep", LOOK, "upkeep", "Upkeep: what wants looking after", ("M",),
           help="What has aged, repeats, was told and still corrected, or is ripe; marks choose what is previewed."),
    Action("theme", LOOK, "theme", "Next theme", ("T",), help="Dark, light, or the terminal's own colours."),
    Action("preview", WRITE, "preview", "Preview what will be written", ("p",), footer=5, check=_pending,
           help="The whole patch by project: each line, the change in the Markdown, and what agents would be told."),
    Action("write", WRITE, "write", "Write what was decided", ("w",), check=_pending,
           help="Only from the preview: everything as one transaction, which can be undone as one."),
    Action("help", LOOK, "help", "All keys", ("?",), footer=12, plain=("?", "f1")),
    Action("palette", LOOK, "palette", "Command palette", ("ctrl+p",), plain=("ctrl+p",)),
    Action("quit", LOOK, "quit", "Quit", ("q",), help="Decisions that are not written yet are kept for the next time."),
    Action(
        "purge", DECIDE, "purge", "Purge: remove its words for good", ("X",), check=_purge,
        help="Takes what it says out of every file, evidence and history too; nothing brings it back. Says what would "
             "be rewritten, and asks for a typed word. Done at once, not with the other decisions.",
    ),
)  # fmt: skip

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}
