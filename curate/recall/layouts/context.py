"""The layout `context`: what the message corrects, where the agent is weak, an index of what is known here with whole
bodies where the message names them, and what is disputed. Each line carries the rule that chose it.

The rules are `index` (a gist), `trigger` (a body: the message names an identifier that the visible transcript does not
contain), `tension` and `guardrail`.
"""

from __future__ import annotations

from curate.recall.budget import Budget, taken_whole
from curate.recall.candidates import COLUMNS, Row, pinned_rows, rows
from curate.recall.correction import correction_cue
from curate.recall.funnel import Stage
from curate.recall.identifiers import identifiers, public, unseen
from curate.recall.planned import Entry, Plan
from curate.recall.tokens import tokens
from store.index.lexical import by_words
from store.index.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curate.recall.selection import Selection

UNIT = "tokens"
CEILING = 2000
CORRECTION = "⚠️ Correction Detected In This Message"
WEAK = "Weak Domains — Under 75% Reliability"
INDEX = "Memory index — established earlier in this project"
TENSIONS = "Unresolved Contradictions"
INDEX_LIMIT = 200
"""Records that are considered for the index; the ceiling holds fewer."""
TENSION_LIMIT = 20
MENTIONS = 40
CHANGED = "The person corrects something: what was assumed or agreed on it before may no longer hold."
QUESTION = "Ask which holds before relying on it."


def default_budget() -> int:
    """Tokens of a block when nobody says otherwise."""
    return CEILING


def render(selection: Selection, plan: Plan) -> None:
    """Fill a plan. Pinned records and contradictions are exempt from the ceiling."""
    request = selection.request
    plan.identifiers = public(unseen(identifiers(request.prompt), request.transcript), request.prompt)
    top = _guardrails(selection)
    tensions = _tensions(selection)
    exempt, rest, gists = _lines(selection, plan.identifiers)
    stage = Stage("budget", len(exempt) + len(rest))
    kept = {entry.id for entry in exempt}
    left = (
        plan.budget
        - sum(tokens(entry.text) for entry in (*top, *tensions, *exempt))
        - _headings(top, tensions, exempt or rest)
    )
    for entry in rest:
        cost = tokens(entry.text)
        if cost <= left:
            left -= cost
            kept.add(entry.id)
        else:
            stage.drop(entry.id, "budget: least recently used")
            plan.truncated = True
    index = [entry for entry in (*exempt, *rest) if entry.id in kept]
    if taken_whole(request.agent) is not None:
        # Beyond this the agent sends a stub in place of the block, so nothing at all is exempt from it.
        room = Budget(1 << 40, request.agent)
        top, tensions, index = (_taken(entries, room, stage, plan, gists) for entries in (top, tensions, index))
    parts: list[str] = []
    for entries in (top, index, tensions):
        heading = ""
        for entry in entries:
            if entry.section != heading:
                heading = entry.section
                parts.append(f"{'' if not parts else chr(10)}## {heading}\n")
            entry.cost = tokens(entry.text)
            parts.append(entry.text)
            plan.entries.append(entry)
    plan.stages += [*selection.later, stage]
    plan.block = "".join(parts)
    plan.total = tokens(plan.block)


def _taken(
    entries: list[Entry], room: Budget, stage: Stage, plan: Plan, gists: dict[str, str]
) -> list[Entry]:  # fmt: skip
    """Those that the agent takes whole, in their order; by their gist where the whole is too much."""
    taken: list[Entry] = []
    for entry in entries:
        lead = "" if taken and taken[-1].section == entry.section else f"\n## {entry.section}\n"
        for text in (entry.text, gists.get(entry.id, entry.text)):
            if room.take(lead + text):
                entry.text = text
                taken.append(entry)
                break
        else:
            stage.came_in += entry.section != INDEX  # the others have not been counted
            stage.drop(entry.id, "budget: more than the agent takes whole")
            plan.truncated = True
    return taken


def _headings(*groups: list[Entry]) -> int:
    return sum(tokens(f"\n## {section}\n") + 1 for group in groups for section in {entry.section for entry in group})


def _guardrails(selection: Selection) -> list[Entry]:
    found = []
    cue = correction_cue(selection.request.prompt)
    if cue is not None:
        found.append(Entry("message", 0, CORRECTION, "guardrail", f"- (guardrail) {CHANGED} (“{cue}”)\n"))
    return found + [
        Entry(f"domain:{name}", 0, WEAK, "guardrail", f"- (guardrail) {text}\n")
        for name, text in selection.request.weak
    ]


def _lines(selection: Selection, named: list[str]) -> tuple[list[Entry], list[Entry], dict[str, str]]:
    """What is exempt from the ceiling, and the rest, what was used least recently last; and lines by gist, by id."""
    gists: dict[str, str] = {}
    mentioned = _mentioned(selection, named)
    pinned = {row.number: row for row in pinned_rows(selection.db, selection.visible.active, INDEX_LIMIT)}
    order: dict[int, Row] = {**mentioned, **{row.number: row for row in selection.rows}}
    if selection.speaks or named:
        for row in _newest(selection):
            order.setdefault(row.number, row)
    exempt: list[Entry] = []
    rest: list[Entry] = []
    for row in [*pinned.values(), *(row for row in order.values() if row.number not in pinned)]:
        if not (row.matched or selection.admits(row)):
            continue
        whole = row.number in mentioned
        text = row.body or row.gist if whole or row.pinned else row.gist
        reason = "trigger" if whole else "index"
        why = f": {' '.join(row.words[:3])}" if whole else ""
        lead = f"- ({reason}{why}) {selection.name(row)}: "
        line = f"{lead}{text}\n"
        gists[row.id] = f"{lead}{row.gist}\n"
        entry = Entry(row.id, row.rev, INDEX, reason, line, row.score)
        (exempt if row.number in pinned else rest).append(entry)
    used = selection.request.used
    if used:
        matched = {row.id for row in order.values() if row.matched or row.number in mentioned}
        rest.sort(key=lambda entry: (entry.id not in matched, -used.get(entry.id, 0)))
    return exempt, rest, gists


def _newest(selection: Selection) -> list[Row]:
    """Records of the project, then global ones that the prompt need not be about, latest first."""
    found: list[Row] = []
    buckets = sorted(selection.visible.active, key=lambda number: selection.visible.buckets[number].type != "project")
    for bucket in buckets:
        if not selection.visible.buckets[bucket].loose and len(found) < INDEX_LIMIT:
            query = f"SELECT {COLUMNS} FROM record WHERE bucket = ? ORDER BY updated DESC, id LIMIT ?"
            found += [Row(row) for row in selection.db.execute(query, (bucket, INDEX_LIMIT - len(found)))]
    return found


def _mentioned(selection: Selection, named: list[str]) -> dict[int, Row]:
    """Records that mention one of the identifiers, word for word."""
    found: dict[int, Row] = {}
    for name in named:
        numbers = [number for number, _ in by_words(selection.db, terms(name), selection.visible.active, MENTIONS)]
        for row in sorted(rows(selection.db, numbers), key=lambda row: numbers.index(row.number)):
            if _says(f"{row.gist}\n{row.body}", name) and selection.admits(row):
                row.words = [name]
                found.setdefault(row.number, row)
    return found


def _says(text: str, name: str) -> bool:
    """Whether a text holds a name that is not part of a longer one."""
    text, name = text.casefold(), name.casefold()
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            return True
        at = text.find(name, at + 1)
    return False


def _tensions(selection: Selection) -> list[Entry]:
    stage = Stage("contested", 0)
    selection.later.append(stage)
    found: list[Entry] = []
    for row in selection.disputed():
        stage.came_in += 1
        if len(found) < TENSION_LIMIT and selection.visible.fault(row.conditions) is None:
            text = f"- (tension) {selection.name(row)}: {row.gist} {QUESTION}\n"
            found.append(Entry(row.id, row.rev, TENSIONS, "tension", text))
        else:
            stage.drop(row.id, "does not apply" if len(found) < TENSION_LIMIT else f"at most {TENSION_LIMIT}")
    return found
