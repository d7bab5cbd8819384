"""The processors: which records may reach a turn at all, each exclusion with its stage and reason.

Records are looked at by the bucket they are in (one status, profile and scope), so the cost does not grow with the
store; conditions are looked up by the words of the turn.
"""

from __future__ import annotations

from curate.recall.funnel import NAMED, Stage
from curate.recall.paths import folder_within, within
from store.index.lexical import by_words, rarest
from store.index.phrases import KEY, content_words, matches
from store.index.projects import commit_of, names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    from curate.recall.request import Request
    from curate.recall.topic import Topic

NEGATIVE = ("does_not_apply_when", "known_exceptions")
STAGES = ("status", "profile", "scope", "negative_scope", "applicability")
_KNOWN_AT_MOST = 300
"""Records that a term may stand in to be asked for among the excluded: commoner ones tell nothing and cost time."""


class Bucket:
    """The records of one status, profile and scope, and what became of them in this turn."""

    __slots__ = (
        "conditional", "count", "domains", "layer", "loose", "number", "paths", "profile", "project", "reason",
        "stage", "status", "type",
    )  # fmt: skip

    def __init__(self, row: tuple[int, str, str, str, str, str, str, str, int, int]) -> None:
        (self.number, self.status, self.layer, self.profile, self.type, self.project, paths, domains, self.count,
         self.conditional) = row  # fmt: skip
        self.paths = tuple(filter(None, paths.split("\n")))
        self.domains = tuple(filter(None, domains.split("\n")))
        self.stage = ""
        self.reason = ""
        self.loose = False
        """Its records hold here only if the prompt is about them: a domain, or paths while nobody knows where we
        are.
        """


class Visible:
    """What got through, and the traces of the stages."""

    def __init__(self, db: Connection, request: Request, topic: Topic) -> None:
        self._db = db
        self._request = request
        self._topic = topic
        self.buckets = {row[0]: Bucket(row) for row in db.execute(_BUCKETS)}
        self.stages = {name: Stage(name, 0) for name in STAGES}
        self.holding: dict[int, float] = {}
        """Records in visible buckets whose condition for applying is met; hard rules with their confidence, else 0."""
        self.excluded: dict[int, tuple[str, str]] = {}
        """Records in visible buckets that their conditions keep out: stage and reason by number."""
        self._here = names_of(db, request.project) if request.project is not None else set()
        self._judge()
        self.active = [bucket.number for bucket in self.buckets.values() if not bucket.stage]
        """Buckets whose records may be injected."""
        self.contested = [
            bucket.number
            for bucket in self.buckets.values()
            if bucket.stage == "status" and bucket.status == "contested" and not self._is_elsewhere(bucket)
        ]
        self.said, self.told = self._matching_phrases()
        """Phrases of conditions whose words the turn says; and those that its words or its activities meet."""
        self._hold_back()

    def layer(self, layer: str) -> list[int]:
        """The active buckets of a layer."""
        return [number for number in self.active if self.buckets[number].layer == layer]

    def fault(self, conditions: str) -> tuple[str, str] | None:
        """The stage and reason that a record's conditions keep it out, or None."""
        wanted = missing = ""
        for condition in filter(None, conditions.split("\n")):
            kind, _, phrase = condition.partition("\x1f")
            if kind in NEGATIVE:
                if phrase in self.said:
                    return "negative_scope", f"{kind}:{phrase}"
            elif phrase in self.told:
                wanted = phrase
            else:
                missing = missing or phrase
        return ("applicability", f"applicability:{missing}") if missing and not wanted else None

    def name_casualties(self, asked: list[str], frequency: dict[str, int]) -> None:
        """Name the best of those that were counted: records that the prompt is about first, then any."""
        known = rarest(
            {term: frequency[term] for term in asked if 0 < frequency.get(term, 0) <= _KNOWN_AT_MOST}, _KNOWN_AT_MOST
        )
        if any(bucket.stage for bucket in self.buckets.values()):
            about = [number for number, _ in by_words(self._db, known, None, 4 * NAMED)]
            for _, ident, home in _ids(self._db, about):
                self._name(ident, self.buckets[home].stage, self.buckets[home].reason)
        for bucket in self.buckets.values():
            stage = self.stages.get(bucket.stage or "applicability")
            if stage is not None and len(stage.dropped) < min(NAMED, stage.dropped_total):
                for ident, conditions in self._db.execute(_BEST_OF_BUCKET, (bucket.number, 2 * NAMED)):
                    fault = (bucket.stage, bucket.reason) if bucket.stage else self.fault(conditions)
                    if fault is not None:
                        self._name(ident, *fault)
        for number, ident, _ in _ids(self._db, list(self.excluded)[: 4 * NAMED]):
            self._name(ident, *self.excluded[number])

    def _name(self, ident: str, stage: str, reason: str) -> None:
        if stage:
            self.stages[stage].name_only(ident, reason)

    def _judge(self) -> None:
        left = sum(bucket.count for bucket in self.buckets.values())
        for name, judge in (
            ("status", self._status_fault),
            ("profile", self._profile_fault),
            ("scope", self._scope_fault),
        ):
            stage = self.stages[name]
            stage.came_in = left
            for bucket in self.buckets.values():
                reason = "" if bucket.stage else judge(bucket)
                if reason:
                    bucket.stage, bucket.reason = name, reason
                    stage.dropped_total += bucket.count
            left = stage.went_out

    @staticmethod
    def _status_fault(bucket: Bucket) -> str:
        return "" if bucket.status == "active" else f"status:{bucket.status}"

    def _profile_fault(self, bucket: Bucket) -> str:
        if not bucket.profile or bucket.profile == self._request.profile:
            return ""
        return f"profile_mismatch:{bucket.profile}"

    def _scope_fault(self, bucket: Bucket) -> str:
        if bucket.type == "domain":
            bucket.loose = not self._is_domain(bucket.domains)
            return ""
        if bucket.type != "project":
            return ""
        if not bucket.project:
            return "scope:unassigned"
        if not self.is_here(bucket.project):
            return f"scope:project:{bucket.project}"
        return self._path_fault(bucket) if bucket.paths else ""

    def _is_elsewhere(self, bucket: Bucket) -> bool:
        return bool(self._profile_fault(bucket) or self._scope_fault(bucket))

    def is_here(self, project: str) -> bool:
        """Whether an id names the project of this turn."""
        return project in self._here or bool(commit_of(project)) and commit_of(project) in self._here

    def _path_fault(self, bucket: Bucket) -> str:
        if self._request.files:
            inside = any(within(glob, path) for glob in bucket.paths for path in self._request.files)
            return "" if inside else f"path:{bucket.paths[0]}"
        told = [folder_within(glob, self._request.cwd) for glob in bucket.paths]
        bucket.loose = True not in told
        return f"path:{bucket.paths[0]}" if set(told) == {False} else ""

    def _is_domain(self, domains: Iterable[str]) -> bool:
        said = [*self._topic.said, *self._topic.names(), *self._request.domains]
        return any(matches(content_words(domain), said) for domain in domains)

    def _matching_phrases(self) -> tuple[set[str], set[str]]:
        said = self._topic.said
        names = self._topic.names()
        keys = {word[:KEY] for word in (*said, *names)} | {word[: KEY - 1] for word in said if word.endswith("s")}
        keys |= {f"{word}s" for word in said if len(word) < KEY}
        strict, told = set(), set()
        for (text,) in self._db.execute(f"{_PHRASES}({','.join('?' * len(keys))})", list(keys)):
            wanted = content_words(text)
            if matches(wanted, said):
                strict.add(text)
            if text in strict or matches(wanted, (*said, *names)):
                told.add(text)
        return strict, told

    def _hold_back(self) -> None:
        """Find the records in active buckets that their conditions keep out."""
        negative, positive = self.stages["negative_scope"], self.stages["applicability"]
        negative.came_in = self.stages["scope"].went_out
        buckets = ",".join(map(str, self.active))
        for number, kind, phrase, _ in _conditions(self._db, self.said, NEGATIVE, buckets):
            if number not in self.excluded:
                self.excluded[number] = ("negative_scope", f"{kind}:{phrase}")
                negative.dropped_total += 1
        positive.came_in = negative.went_out
        conditional = sum(self.buckets[number].conditional for number in self.active)
        if not conditional:
            return
        for number, _, _, trust in _conditions(self._db, self.told, ("applies_when",), buckets):
            self.holding[number] = trust
        positive.dropped_total = conditional - len(self._conditional() | self.holding.keys())

    def _conditional(self) -> set[int]:
        """Those kept out already that also have a condition for applying."""
        wanted = ",".join(map(str, self.excluded))
        query = f"SELECT n FROM record WHERE n IN ({wanted}) AND conditions LIKE 'applies_when%'"
        return {row[0] for row in self._db.execute(query)}


_BUCKETS = (
    "SELECT bucket, status, layer, profile, type, project, paths, domains, count, conditional FROM bucket "
    "WHERE count > 0 ORDER BY bucket"
)
_BEST_OF_BUCKET = "SELECT id, conditions FROM record WHERE bucket = ? ORDER BY hard DESC, confidence DESC, id LIMIT ?"
_PHRASES = "SELECT DISTINCT text FROM phrase_key JOIN phrase USING (phrase) WHERE key IN "


def _conditions(
    db: Connection, phrases: Iterable[str], kinds: tuple[str, ...], buckets: str
) -> Iterable[tuple[int, str, str, float]]:
    """Records in these buckets that have one of these phrases as a condition of one of these kinds."""
    for phrase in sorted(phrases):
        for kind in kinds:
            rows = db.execute(
                "SELECT n, trust FROM condition WHERE phrase = (SELECT phrase FROM phrase WHERE text = ?) AND kind = ? "
                f"AND bucket IN ({buckets}) ORDER BY n",
                (phrase, kind),
            )
            for number, trust in rows:
                yield number, kind, phrase, trust


def _ids(db: Connection, numbers: list[int]) -> list[tuple[int, str, int]]:
    """Number, id and bucket of records, in the order of the numbers."""
    found = db.execute(f"SELECT n, id, bucket FROM record WHERE n IN ({','.join(map(str, numbers))})")
    known = {row[0]: row for row in found}
    return [known[number] for number in numbers if number in known]
