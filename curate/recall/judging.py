"""Where a judge is asked: what it finds useless goes, what it does not answer in time stays. Both are in the trace."""

from __future__ import annotations

from curate.recall.funnel import Stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from curate.recall.planned import Entry
    from curate.recall.selection import Selection


def judged(selection: Selection, entries: list[Entry]) -> list[Entry]:
    """The entries (best first) that the judge lets through; all of them where there is none."""
    ask = selection.request.judge
    if ask is None:
        return entries
    from curate.recall.judge import TOP, Failed

    topk, stage = Stage("judge_topk", len(entries)), Stage("judge", min(TOP, len(entries)))
    selection.later += [topk, stage]
    for entry in entries[TOP:]:
        topk.drop(entry.id, f"not among the {TOP} best")
    best = entries[:TOP]
    if not best:
        stage.note = "skipped: nothing to judge"
        return best
    try:
        useful = ask(selection.request.prompt, [_told(entry.text) for entry in best])
    except Failed as fault:
        stage.note = f"failed: {fault}"
        return best
    stage.note = "judged"
    for place, entry in enumerate(best):
        if place not in useful:
            stage.drop(entry.id, "judge: of no use for this prompt")
    return [entry for place, entry in enumerate(best) if place in useful]


def _told(line: str) -> str:
    """What an entry says, without id and marks."""
    return line.partition("] ")[2].rstrip("\n") or line
