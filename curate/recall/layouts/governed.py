"""The layout `governed`, the default: hard rules, identity, open items, what the prompt is about, what is disputed,
the day.

Sections stand in the order of their priority: when the budget bites, later ones give way. A record is whole or absent.
"""

from __future__ import annotations

from curate.recall.budget import GOVERNED_BYTES, HARD_BYTES, Budget
from curate.recall.candidates import Row, applying_rules, best_rows, pinned_rows, weigh
from curate.recall.continuity import HEADING as PREVIOUS
from curate.recall.funnel import Stage
from curate.recall.judging import judged
from curate.recall.planned import Entry, Plan
from curate.recall.staleness import mark
from curate.recall.topic import is_about_prose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curate.recall.selection import Selection

TITLE = "# Persistent Intelligence Context\n"
HARD, IDENTITY, SCRATCHPAD = "Hard Rules", "Identity", "Scratchpad"
SELECTED, CONTESTED, SESSIONS = "Selected Memory", "Contested Memory", "Today's Sessions"
PREFIXES = {
    "avoid_pattern": "⚠️ AVOID:",
    "prefer_pattern": "✓ PREFER:",
    "convention": "📌 CONVENTION:",
    "correction": "📌 RULE:",
}
HARD_LIMIT = 8
RULES_LOOKED_AT = 16
CONTESTED_LIMIT = 2
CONTESTED_WARNING = "Disputed. Review before relying on them.\n"
OVERLAP = 0.3
"""Share of the shorter side's terms that prompt and disputed record must have in common."""
SELECTED_LIMIT = 12
IDENTITY_LIMIT = 20
BODY_LIMIT = 1200
"""Characters up to which a record is shown with its body; a longer one is shown by its gist, which is whole too."""
UNIT = "bytes"


def render(selection: Selection, plan: Plan) -> None:
    """Fill a plan with what its budget holds."""
    request = selection.request
    budget = Budget(plan.budget, request.agent)
    writer = _Writer(plan, budget)
    writer.section(HARD, _hard(selection), room=min(HARD_BYTES, plan.budget))
    writer.section(IDENTITY, _identity(selection))
    if selection.speaks:
        writer.notes(SCRATCHPAD, request.notes.scratchpad)
    writer.section(SELECTED, _selected(selection, writer.seen))
    writer.section(CONTESTED, _contested(selection), lead=CONTESTED_WARNING)
    writer.notes(PREVIOUS, request.previous)
    if selection.speaks:
        writer.notes(f"Daily Log ({request.today})", request.notes.daily)
        writer.notes(SESSIONS, request.notes.sessions)
    plan.stages += [*selection.later, writer.stage]
    plan.block = "".join(writer.parts)
    plan.total = budget.spent


def default_budget() -> int:
    """Bytes of a block when nobody says otherwise."""
    return GOVERNED_BYTES


class _Writer:
    """Puts sections together as far as the budget goes."""

    def __init__(self, plan: Plan, budget: Budget) -> None:
        self._plan = plan
        self._budget = budget
        self.parts: list[str] = []
        self.seen: set[str] = set()
        """Ids of records that are in the block."""
        self.stage = Stage("budget", 0)

    def section(self, name: str, entries: list[Entry], *, room: int | None = None, lead: str = "") -> None:
        heading = f"\n## {name}\n{lead}"
        begun = False
        for entry in entries:
            self.stage.came_in += 1
            text = entry.text if begun else heading + entry.text
            size = len(text.encode("utf-8", "replace"))
            if room is not None and size > room or not self._take(text):
                self.stage.drop(entry.id, f"budget:{name}")
                self._plan.truncated = True
                continue
            if room is not None:
                room -= size
            begun = True
            entry.cost = len(entry.text.encode("utf-8", "replace"))
            self._plan.entries.append(entry)
            self.seen.add(entry.id)

    def notes(self, name: str, lines: tuple[str, ...]) -> None:
        """Lines that stand for no record."""
        heading = f"\n## {name}\n"
        for line in lines:
            if not self._take(f"{heading}{line}\n"):
                self._plan.truncated = True
                return
            heading = ""

    def _take(self, text: str) -> bool:
        whole = text if self.parts else TITLE + text
        if not self._budget.take(whole):
            return False
        self.parts.append(whole)
        return True


def _hard(selection: Selection) -> list[Entry]:
    """Hard rules: those that the prompt is about, then those that hold for all work here; by confidence."""
    stage = Stage("hard_rules", 0)
    selection.later.append(stage)
    about = [row for row in selection.rows if row.hard]
    known = {row.id for row in about}
    general = []
    if selection.speaks:
        standing = best_rows(selection.db, selection.visible.active, "hard = 1", RULES_LOOKED_AT)
        for row in (*standing, *applying_rules(selection.db, selection.visible.holding, RULES_LOOKED_AT)):
            if row.id in known or not selection.admits(row):
                continue
            stage.came_in += 1
            if selection.is_loose(row):
                stage.drop(row.id, "applicability:not about its domain or path")
            elif (
                not row.conditions.startswith("applies_when")
                and is_about_prose(row.terms.split())
                and not selection.writes
            ):
                stage.drop(row.id, "applicability:writing")
            else:
                general.append(row)
    stage.came_in += len(about)
    ranked = _by_trust(about) + _by_trust(general)
    for row in ranked[HARD_LIMIT:]:
        stage.drop(row.id, f"at most {HARD_LIMIT} hard rules")
    return [
        Entry(
            row.id, row.rev, HARD, row.reason or _standing(row),
            f"{PREFIXES[row.rule_type]} [conf {row.confidence:.2f}] {row.gist}\n", row.score,
        )
        for row in _by_trust(ranked[:HARD_LIMIT])
    ]  # fmt: skip


def _standing(row: Row) -> str:
    return "applies here" if row.conditions.startswith("applies_when") else "holds for all work here"


def _by_trust(rows: list[Row]) -> list[Row]:
    """Confidence first; then corrections, what the prompt is about, and the newest."""
    rows = sorted(rows, key=lambda row: row.id)
    rows.sort(key=lambda row: row.updated, reverse=True)
    rows.sort(key=lambda row: (-row.confidence, row.rule_type != "correction" and not row.supersedes, -row.score))
    return rows


def _identity(selection: Selection) -> list[Entry]:
    rows = best_rows(selection.db, selection.visible.layer("L1"), "1", IDENTITY_LIMIT)
    return [
        Entry(row.id, row.rev, IDENTITY, row.reason or "identity", _line(row, "L1", selection), row.score)
        for row in rows
        if selection.admits(row)
    ]


def _selected(selection: Selection, seen: set[str]) -> list[Entry]:
    stage = Stage("selected", 0)
    selection.later.append(stage)
    layer = selection.visible.layer("L2")
    pinned = [row for row in pinned_rows(selection.db, layer, SELECTED_LIMIT) if selection.admits(row)]
    known = {row.id for row in pinned}
    entries: list[Entry] = []
    gists: set[str] = set()
    for row in [*pinned, *(row for row in selection.rows if row.id not in known)]:
        if row.id in seen or selection.layer_of(row) == "L1":
            continue
        stage.came_in += 1
        if row.gist in gists:
            stage.drop(row.id, "says the same as another")
        elif len(entries) >= SELECTED_LIMIT:
            stage.drop(row.id, f"at most {SELECTED_LIMIT} records")
        else:
            gists.add(row.gist)
            reason = row.reason or "pinned"
            entries.append(Entry(row.id, row.rev, SELECTED, reason, _line(row, "L2", selection), row.score))
    kept = [entry for entry in entries if entry.id in known]
    return [*kept, *judged(selection, [entry for entry in entries if entry.id not in known])]


def _contested(selection: Selection) -> list[Entry]:
    stage = Stage("contested", 0)
    selection.later.append(stage)
    near: list[tuple[float, Row]] = []
    found = selection.candidates.found
    for row in selection.disputed():
        stage.came_in += 1
        weigh(row, found)
        share = len(row.words) / (min(len(row.terms.split()), len(found.terms)) or 1)
        if row.words and share >= OVERLAP:
            near.append((share, row))
        else:
            stage.drop(row.id, "too few words in common with the prompt")
    near.sort(key=lambda each: (-each[0], -each[1].confidence, each[1].id))
    for _, row in near[CONTESTED_LIMIT:]:
        stage.drop(row.id, f"at most {CONTESTED_LIMIT} contested records")
    return [
        Entry(row.id, row.rev, CONTESTED, row.reason,
              f"⚠️ CONTESTED: [{selection.name(row)}, conf {row.confidence:.2f}] {row.gist}\n", share)
        for share, row in near[:CONTESTED_LIMIT]
    ]  # fmt: skip


def _line(row: Row, layer: str, selection: Selection) -> str:
    stale = mark(row.updated, selection.request.today)
    text = row.gist
    if row.body and len(row.body) + len(row.gist) <= BODY_LIMIT:
        text = row.body if row.body.startswith(row.gist) else f"{row.gist} — {row.body}"
    return f"- {selection.name(row)} [{layer}, conf {row.confidence:.2f}{stale}] {text}\n"
