"""What turns really got, from the journal, with what has become of those records since."""

from __future__ import annotations

from curate.recall import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def explained(root: str, session: str | None, turn: int | None) -> dict[str, Any] | None:
    """One turn, or `{session, turns}`; None when the journal has nothing of it."""
    known = journal.sessions(root)
    if session is None:
        if not known:
            return None
        session = known[-1]
    found = journal.turns(root, session)
    if not found:
        return None
    if turn is None:
        return {"session": session, "sessions": known, "turns": found}
    # Two processes of one session may have taken the same number: the later line is meant.
    return next((each for each in reversed(found) if each["turn"] == turn), None)
