"""From a turn to what the inbox takes: candidates with their evidence, masked, scoped and marked.

Secrets are masked in the whole message before anything looks at it, so that no later step can let one through.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curate.capture.activity import Activity, Touched
from curate.capture.excerpt import excerpt
from curate.capture.intent import Item, classify
from curate.capture.scope import Surroundings, decide
from curate.capture.telling import telling
from curate.capture.trust import durability_of, intent_of, poisoning_risk, rule_type_of, trust_of
from curate.capture.turns import PREVIOUS_LIMIT
from store.captures import Capture
from store.ids import NewId, content_id
from store.model import Candidate, Evidence, Project, dump
from store.project.identity import Identity, resolve, with_root_commit
from store.project.registry import recognise, seen
from store.secrets import Masked, mask
from store.text import clean, fingerprint, one_line, shorten

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from curate.capture.lexicon import Lexicon
    from curate.capture.turns import Turn
    from store.state import State

STATEMENT_LIMIT = 2000
CONTEXT_LIMIT = 300


class Drafter:
    """Drafts captures of turns against one state of a store, and gathers the projects met on the way."""

    def __init__(
        self,
        state: State,
        activity: Activity,
        *,
        at: str,
        new_id: NewId,
        profile: str | None = None,
        vault: Path | None = None,
        lexicon: Lexicon | None = None,
    ) -> None:
        self.projects: dict[str, Project] = {}
        """To be registered, by id."""
        self.unknown_languages: Counter[str] = Counter()
        self._state = state
        self._activity = activity
        self._at = at
        self._new_id = new_id
        self._profile = profile
        self._vault = vault
        self._lexicon = lexicon
        self._by_root: dict[Path, Identity] = {}
        self._roots: dict[str, list[Path]] = {}
        self._names = _names(state)
        for ident, versions in state.projects.items():
            self._roots[ident] = [Path(path) for path in versions.data.get("paths", ())]

    def captures(self, turn: Turn, own: Touched, session: Touched) -> list[Capture]:
        """What the turn says that should hold from now on; empty for nearly every turn."""
        if not turn.text.strip():
            return []
        masked = mask(turn.text)
        verdict = classify(masked.text, previous=turn.previous, lexicon=self._lexicon)
        if not verdict.cues_known:
            self.unknown_languages[verdict.language] += 1
        if not verdict.durable:
            return []
        around = self.around(turn, own, session)
        drafted: dict[str, Capture] = {}
        for item in verdict.items:
            if drafted_one := self._draft(turn, masked, item, around):
                drafted.setdefault(fingerprint(drafted_one.candidate.statement), drafted_one)
        return list(drafted.values())

    def _draft(self, turn: Turn, masked: Masked, item: Item, around: Surroundings) -> Capture | None:
        statement = shorten(one_line(item.statement), STATEMENT_LIMIT)
        if not statement:
            return None
        where = decide(
            statement,
            intent=item.intent,
            hint=item.scope,
            hint_is_explicit=item.scope_cue == "explicit",
            around=around,
        )
        evidence = self._evidence(turn, masked, item, statement, around)
        targets = [ident for ident in where.targets if ident]
        flags = list(dict.fromkeys(item.flags))
        if item.needs_context and "needs_context" not in flags:
            flags.append("needs_context")
        if "[masked " in statement:
            flags.append("redacted")
        candidate = Candidate(
            id=self._new_id("cand"),
            statement=statement,
            intent=intent_of(item.intent),
            rule_type=rule_type_of(item.rule_type),
            scope=where.scope,
            targets=targets,
            scope_reason=where.reason,
            profile=self.profile_of(targets),
            durability=durability_of(item.durability),
            trust=trust_of(item.intent),
            confidence=item.confidence,
            poisoning_risk=poisoning_risk(statement, item.flags),
            flags=flags,
            language=item.language,
            evidence=[evidence.id],
            created_at=self._at,
            updated_at=self._at,
        )
        return Capture(candidate, [evidence])

    def _evidence(self, turn: Turn, masked: Masked, item: Item, statement: str, around: Surroundings) -> Evidence:
        part = excerpt(masked.text, item.start, item.end)
        context = None
        if turn.previous and (item.needs_context or item.intent == "behavior_correction"):
            context = shorten(one_line(mask(_whole_words(turn.previous)).text), CONTEXT_LIMIT) or None
        return Evidence(
            # Not the session, not the file: a fork or a copy of the transcript repeats the turn, not the evidence.
            id=content_id("ev", turn.agent, turn.turn_id, part.text, statement),
            excerpt=part.text,
            cues=part.spans(telling(item.cues, item.start, item.end)),
            statement_span=part.span(item.start, item.end),
            context=context,
            trust=trust_of(item.intent),
            agent=turn.agent,
            session=_masked(turn.session) if turn.session else None,
            turn=_masked(turn.turn_id),
            time=turn.time,
            cwd=_masked(turn.cwd) if turn.cwd else None,
            projects=list(around.turn or around.session),
            path=_masked(clean(turn.path)),
            line=turn.line,
            redacted=[kind for kind in masked.kinds if f"[masked {kind}]" in part.text],
        )

    def around(self, turn: Turn, own: Touched, session: Touched) -> Surroundings:
        """What is known about where a turn was said; the projects met are noted."""
        return Surroundings(
            turn=self._ids(own),
            session=self._ids(session),
            here=self._here(turn.cwd),
            vault=self._vault_id(),
            known=self._names,
            holds=self._holds,
        )

    def _ids(self, touched: Touched) -> list[str]:
        return [ident for one in self._activity.repositories(touched) if (ident := self._registered(one))]

    def _here(self, cwd: str | None) -> str | None:
        """The repository of the working directory; of one that is gone, the project that was seen there."""
        if not cwd or not Path(cwd).is_absolute():
            return None
        found = self._activity.identity(cwd)
        return self._registered(found) if found else None

    def _vault_id(self) -> str | None:
        if self._vault is None or not self._vault.is_dir():
            return None
        found = resolve(self._vault)
        return self._registered(found) if found.project_id else None

    def _registered(self, identity: Identity) -> str | None:
        """The id that the project's memory is kept under; news of it is gathered for the registry."""
        known = self._by_root.get(identity.root)
        if known is None:
            met = _Met(self._state, self.projects)
            known = recognise(met, with_root_commit(identity) if identity.root.is_dir() else identity)
            self._by_root[identity.root] = known
            project = seen(met, known, self._at)
            if project is not None:
                self.projects[project.id] = project
            if known.project_id:
                self._roots.setdefault(known.project_id, []).append(known.root)
                self._names |= dict.fromkeys(_names_of(known.project_id, known.name), known.project_id)
        return known.project_id

    def _holds(self, ident: str, path: str) -> bool:
        plain = path.partition("*")[0].rstrip("/")
        return not plain or any((root / plain).exists() for root in self._roots.get(ident, ()))

    def profile_of(self, targets: Sequence[str]) -> str | None:
        """The profile of the first of these projects that has one, else the store's."""
        for ident in targets:
            versions = self._state.projects.get(ident)
            found = versions.data.get("profile") if versions else getattr(self.projects.get(ident), "profile", None)
            if found:
                return str(found)
        return self._profile


@dataclass(frozen=True, slots=True)
class _Entry:
    data: dict[str, Any]


class _Met:
    """The registry of a state as it will be with the projects met since: two clones in one scan are one project."""

    def __init__(self, state: State, met: dict[str, Project]) -> None:
        self.projects: Mapping[str, Any] = (
            {**state.projects, **{ident: _Entry(dump(project)) for ident, project in met.items()}}
            if met
            else state.projects
        )


def _masked(name: str) -> str:
    """A path or an id, which may hold a secret as any text may: a token as a folder's name."""
    return mask(name).text


def _whole_words(previous: str) -> str:
    """The agent's last words are kept from their end, so the first one may be the rest of a key."""
    return previous.partition(" ")[2] if len(previous) >= PREVIOUS_LIMIT else previous


def _names(state: State) -> dict[str, str]:
    """Names that a person may call a registered project by; one that two projects share names none."""
    found: dict[str, str] = {}
    shared: set[str] = set()
    for ident, versions in state.projects.items():
        for name in _names_of(ident, str(versions.data.get("name") or "")):
            if found.setdefault(name, ident) != ident:
                shared.add(name)
    return {name: ident for name, ident in found.items() if name not in shared}


def _names_of(ident: str, name: str) -> list[str]:
    base = ident.partition("#")[0]
    names = [base, name, *(["/".join(base.split("/")[-2:])] if base.count("/") >= 2 else [])]
    return [one.lower() for one in dict.fromkeys(names) if len(one) >= 2]
