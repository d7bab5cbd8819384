"""What happened and what there is, as far as a prompt is about it: digests, entities and observations of the project.

The same rules as for records: profile, project, what a person rejected, words and meaning, the floor. Each stage leaves
its trace. An item belongs to one project and profile, and is shown in no other.
"""

from __future__ import annotations

from curate.recall.candidates import FAR, FEW, LOOKED_AT, Row, rows, weigh
from curate.recall.funnel import Stage
from store.index.opened import discard_broken
from store.index.schema import Fault, is_busy
from store.index.search import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    from curate.recall.selection import Selection
    from store.index.search import Found

TIERS = ("digests", "kg_entities", "observations")
STAGES = ("knowledge_profile", "knowledge_scope", "knowledge_status", "knowledge_search", "knowledge_floor")


class Thing:
    """One item that the prompt is about."""

    __slots__ = ("agent", "day", "kind", "row", "tier")

    def __init__(self, row: Row, tier: str, day: str, agent: str, kind: str) -> None:
        self.row = row
        self.tier = tier
        self.day = day
        self.agent = agent
        self.kind = kind

    @property
    def mark(self) -> str:
        """What tells of it in a word or two: the kind of an entity, or the day and the agent."""
        return self.kind if self.tier == "kg_entities" else ", ".join(filter(None, (self.day, self.agent)))


class Tiered:
    """The items for one turn, best first, and the traces."""

    def __init__(self, selection: Selection) -> None:
        self.things: list[Thing] = []
        self.stages = [Stage(name, 0) for name in STAGES]
        self.by_words = self.by_meaning = 0
        db = selection.request.knowledge
        if db is None:
            return
        try:
            self._gather(db, selection)
        except Fault as fault:
            self.things = []
            self.stages[-1].note = "the index of knowledge is busy" if is_busy(fault) else "it could not be read"
            if not is_busy(fault):
                discard_broken(db)

    @property
    def told(self) -> list[Stage]:
        """Traces of the stages; none where nothing is known."""
        return [stage for stage in self.stages if stage.came_in or stage.note]

    def _gather(self, db: Connection, selection: Selection) -> None:
        request = selection.request
        shelves = self._shelves(db, selection)
        if not shelves:
            return
        found = search(
            db, request.prompt, buckets=list(shelves), mode=request.mode, fusion=request.fusion,
            encoder=selection.candidates.found.encoder, semantic=request.semantic, tiers=TIERS,
        )  # fmt: skip
        self.by_words, self.by_meaning = found.by_words, found.by_meaning
        by_number = {row.number: row for row in rows(db, (hit.number for hit in found.hits[: 2 * LOOKED_AT]))}
        sources = _sources(db, [row.id for row in by_number.values()])
        barred = _barred(db, list(sources))
        status, pool, floor = self.stages[2:]
        status.came_in = self.stages[1].went_out
        looked = 0
        hits = [(hit, by_number[hit.number]) for hit in found.hits[: 2 * LOOKED_AT] if hit.number in by_number]
        hits.sort(key=lambda each: each[1].id)
        hits.sort(key=lambda each: each[1].updated, reverse=True)  # of two that match alike, the later
        for hit, row in sorted(hits, key=lambda each: -each[0].score):
            source = sources.get(row.id)
            if source is None:
                continue
            if row.id in barred:
                status.drop(row.id, "status:says what was rejected")
            elif request.session and source[2] == request.session:
                status.drop(row.id, "status:of this session")
            elif looked < LOOKED_AT:
                looked += 1
                row.hit = hit
                self._weigh(row, found, floor, selection, shelves[row.bucket], source)
        pool.came_in = status.went_out
        pool.dropped_total = max(0, pool.came_in - looked)
        pool.note = ", ".join(filter(None, (found.mode, request.fusion, found.note)))

    def _weigh(
        self, row: Row, found: Found, floor: Stage, selection: Selection, tier: str, source: tuple[str, ...]
    ) -> None:
        floor.came_in += 1
        weigh(row, found, work=selection.topic.work)
        best = self.things[0].row.score if len(self.things) >= FEW and selection.request.fusion == "weighted" else 0.0
        if not row.matched:
            cosine = row.hit.cosine if row.hit is not None else 0.0
            floor.drop(row.id, f"floor:only shares {' '.join(row.words[:3]) or 'nothing'}, meaning {cosine:.2f}")
        elif row.score < FAR * best:
            floor.drop(row.id, f"floor:far behind the best ({row.score:.2f} of {best:.2f})")
        elif any(row.body == other.row.body and row.gist == other.row.gist for other in self.things):
            floor.drop(row.id, "floor:says the same as another")
        else:
            self.things.append(Thing(row, tier, source[1], source[3], source[4]))

    def _shelves(self, db: Connection, selection: Selection) -> dict[int, str]:
        """Buckets of this project and profile, with their tier."""
        profile, scope = self.stages[:2]
        found: dict[int, str] = {}
        for bucket, tier, world, project, count in db.execute(
            "SELECT bucket, layer, profile, project, count FROM bucket WHERE count > 0 ORDER BY bucket"
        ).fetchall():
            profile.came_in += count
            if world and world != selection.request.profile:
                profile.dropped_total += count
                self._name(db, profile, bucket, f"profile_mismatch:{world}")
                continue
            scope.came_in += count
            if project and selection.visible.is_here(project):
                found[bucket] = tier
            else:
                scope.dropped_total += count
                self._name(db, scope, bucket, f"scope:project:{project}" if project else "scope:unassigned")
        return found

    @staticmethod
    def _name(db: Connection, stage: Stage, bucket: int, reason: str) -> None:
        for (ident,) in db.execute("SELECT id FROM record WHERE bucket = ? ORDER BY id LIMIT 3", (bucket,)):
            stage.name_only(ident, reason)


def components(selection: Selection) -> list[tuple[str, str]]:
    """Components of the project as its repository told them, each with what it is; none where nothing is known."""
    db = selection.request.knowledge
    if db is None:
        return []
    try:
        found = db.execute(_COMPONENTS, (selection.request.profile or "",)).fetchall()
    except Fault:
        return []
    return [
        (name, body[len(gist) :].lstrip(". ") if body.startswith(gist) else "")
        for name, gist, body, project in found
        if selection.visible.is_here(project)
    ]


_COMPONENTS = (
    "SELECT source.name, record.gist, record.body, bucket.project FROM bucket JOIN record USING (bucket) "
    "JOIN source USING (id) WHERE bucket.layer = 'kg_entities' AND source.kind = 'component' "
    "AND bucket.profile IN ('', ?) AND bucket.project != '' ORDER BY source.name, source.id LIMIT 400"
)


def _sources(db: Connection, ids: list[str]) -> dict[str, tuple[str, ...]]:
    """Tier, day, session, agent and kind of items, by id."""
    marks = ",".join("?" * len(ids))
    found = db.execute(f"SELECT id, tier, day, session, agent, kind FROM source WHERE id IN ({marks})", ids)
    return {row[0]: row[1:] for row in found}


def _barred(db: Connection, ids: list[str]) -> set[str]:
    """Those that say what a person rejected or deleted."""
    marks = ",".join("?" * len(ids))
    query = f"SELECT DISTINCT id FROM stated JOIN barred USING (mark) WHERE id IN ({marks})"
    return {row[0] for row in db.execute(query, ids)}
