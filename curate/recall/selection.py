"""Everything that was found out about a turn, for a layout to choose from."""

from __future__ import annotations

from curate.recall.candidates import Candidates, Row, best_rows, rows
from curate.recall.funnel import Stage
from curate.recall.topic import Topic
from curate.recall.visible import Visible
from store.index.lexical import by_words, rarest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    from curate.recall.request import Request

DISPUTED_LIMIT = 24


class Selection:
    """The records that may be shown in one turn, those that the prompt is about first."""

    def __init__(self, db: Connection, request: Request) -> None:
        self.db = db
        self.request = request
        self.topic = Topic(request.prompt, request.cwd, request.files)
        self.visible = Visible(db, request, self.topic)
        self.candidates = Candidates(db, request, self.topic, self.visible)
        self.superseding = Stage("superseded", 0)
        self._replaced: set[str] = set()
        self.rows = self._corrected(self.candidates.rows)
        self.visible.name_casualties(self.candidates.found.terms, self.candidates.found.frequency)
        self.later: list[Stage] = []
        """Stages that the layout adds."""

    @property
    def speaks(self) -> bool:
        """Whether this turn is one that standing rules are for: work on a project, or about something known."""
        return self.topic.work or bool(self.rows)

    @property
    def writes(self) -> bool:
        """Whether it is about writing prose."""
        return "writing" in self.topic.activities

    def stages(self) -> list[Stage]:
        """The traces up to here, in order."""
        return [*self.visible.stages.values(), self.candidates.pool, self.candidates.floor, self.superseding]

    def admits(self, row: Row) -> bool:
        """Whether a record that the search did not bring may be shown; if not, its stage says so."""
        kept_out = self.visible.excluded.get(row.number) or self.visible.fault(row.conditions) or self._timing(row)
        if kept_out is not None:
            self.visible.stages[kept_out[0]].name_only(row.id, kept_out[1])
            return False
        successors = self._successors(row.id)
        if successors and row.id not in self._replaced:
            self._replaced.add(row.id)
            self.superseding.came_in += 1
            self.superseding.drop(row.id, f"superseded_by:{successors[0].id}")
        return not successors

    def is_loose(self, row: Row) -> bool:
        """Whether it holds here only if the prompt is about it."""
        return self.visible.buckets[row.bucket].loose

    def layer_of(self, row: Row) -> str:
        """`L1` or `L2`."""
        return self.visible.buckets[row.bucket].layer

    def disputed(self) -> list[Row]:
        """Contested records that hold here, those first that share words with the prompt."""
        found = self.candidates.found
        about = dict(by_words(self.db, rarest(found.frequency), self.visible.contested, DISPUTED_LIMIT))
        near = sorted(rows(self.db, about), key=lambda row: (-about[row.number], row.id))
        rest = best_rows(self.db, self.visible.contested, "1", DISPUTED_LIMIT)
        return [*near, *(row for row in rest if row.number not in about)]

    @staticmethod
    def name(row: Row) -> str:
        """The record's id, harmless."""
        if row.id.isascii() and row.id.replace("_", "").replace("-", "").isalnum():
            return str(row.id)
        from store.index.shown import shown

        return shown(row.id).replace("]", ")").replace("[", "(") or "?"

    def _timing(self, row: Row) -> tuple[str, str] | None:
        today = self.request.today
        if not today:
            return None
        if row.valid_from and row.valid_from[:10] > today:
            return "status", f"valid_from:{row.valid_from}"
        if row.valid_to and row.valid_to[:10] < today:
            return "status", f"valid_to:{row.valid_to}"
        return None

    def _corrected(self, found: list[Row]) -> list[Row]:
        """The rows with each replaced by what corrects it, so that no correction is dropped before what it corrects."""
        self.superseding.came_in = len(found)
        old = self._superseded([row.id for row in found])
        kept: dict[int, Row] = {}
        for row in found:
            timing = self._timing(row)
            if timing is not None:
                self.visible.stages["status"].drop(row.id, timing[1])
                self.superseding.came_in -= 1
                continue
            successors = self._successors(row.id) if row.id in old else []
            if not successors:
                kept.setdefault(row.number, row)
                continue
            self._replaced.add(row.id)
            self.superseding.drop(row.id, f"superseded_by:{successors[0].id}")
            for successor in successors:
                successor.hit, successor.words = row.hit, row.words
                kept.setdefault(successor.number, successor)
        return list(kept.values())

    def _superseded(self, ids: list[str]) -> set[str]:
        """Those of these records that another says it takes the place of."""
        marks = ",".join("?" * len(ids))
        return {row[0] for row in self.db.execute(f"SELECT old FROM superseded WHERE old IN ({marks})", ids)}

    def _successors(self, ident: str) -> list[Row]:
        """Records that may be shown here and say that they take this one's place."""
        numbers = [row[0] for row in self.db.execute("SELECT new FROM superseded WHERE old = ? ORDER BY new", (ident,))]
        return [
            row
            for row in (rows(self.db, numbers) if numbers else ())
            if row.bucket in self.visible.active and row.id != ident and row.number not in self.visible.excluded
            and self.visible.fault(row.conditions) is None and self._timing(row) is None
        ]  # fmt: skip
