"""What differs between the memory at two moments: records that came, went and changed, word for word. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curate.review.diff import Part, by_word
from store.log.fold import status
from store.model import dump
from store.moment import state_at

if TYPE_CHECKING:
    from collections.abc import Collection

    from store.moment import Cut
    from store.state import State

_NOT_COMPARED = frozenset({"updated_at"})


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record before and after."""

    name: str
    before: Any
    after: Any

    @property
    def words(self) -> list[Part]:
        """The difference by word, where both are text."""
        if isinstance(self.before, str) and isinstance(self.after, str):
            return by_word(self.before, self.after)
        return []

    def in_words(self) -> str:
        """The difference on one line, as `git diff --word-diff` writes it."""
        if isinstance(self.before, list) or isinstance(self.after, list):
            old, new = self.before or [], self.after or []
            gone = [f"[-{one}-]" for one in old if one not in new]
            return " ".join([*gone, *(f"{{+{one}+}}" for one in new if one not in old)])
        if parts := self.words:
            marks = {"same": "{}", "old": "[-{}-]", "new": "{{+{}+}}"}
            return "".join(marks[part.change].format(part.text) for part in parts)
        old = "" if self.before is None else f"[-{_plain(self.before)}-]"
        return old + ("" if self.after is None else f"{{+{_plain(self.after)}+}}")

    def document(self) -> dict[str, Any]:
        """As JSON."""
        told = {"field": self.name, "before": self.before, "after": self.after}
        words = [{"change": part.change, "text": part.text} for part in self.words]
        return told | ({"words": words} if words else {})


@dataclass(frozen=True, slots=True)
class Changed:
    """A record that was there at both moments."""

    id: str
    before: dict[str, Any]
    after: dict[str, Any]
    fields: tuple[Field, ...]
    patches: tuple[str, ...]
    """What made its revisions in between, oldest first."""

    @property
    def names(self) -> set[str]:
        """The fields that differ."""
        return {field.name for field in self.fields}


@dataclass(frozen=True, slots=True)
class Changes:
    """All that differs; deleted records count as not there."""

    added: list[dict[str, Any]]
    removed: list[dict[str, Any]]
    changed: list[Changed]
    states: tuple[State, State]

    def only(self, ids: Collection[str]) -> Changes:
        """What concerns these records."""
        return replace(
            self,
            added=[one for one in self.added if one["id"] in ids],
            removed=[one for one in self.removed if one["id"] in ids],
            changed=[one for one in self.changed if one.id in ids],
        )

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "added": self.added,
            "removed": self.removed,
            "changed": [
                {
                    "id": one.id, "before": one.before, "after": one.after,
                    "fields": [field.document() for field in one.fields], "patches": list(one.patches),
                }
                for one in self.changed
            ],
        }  # fmt: skip


def between(state: State, since: Cut, until: Cut) -> Changes:
    """What differs between two moments of a state's past, records in the order they were first read."""
    old, new = state_at(state, since), state_at(state, until)
    there = {versions.id for versions in old.live_records()}
    here = {versions.id for versions in new.live_records()}
    both = (_changed(old, new, ident) for ident in new.records if ident in there and ident in here)
    came, went = here - there, there - here
    return Changes(
        [_record(new, ident) for ident in new.records if ident in came],
        [_record(old, ident) for ident in old.records if ident in went],
        [one for one in both if one is not None],
        (old, new),
    )


def _record(state: State, ident: str) -> dict[str, Any]:
    return dump(state.record(ident))


def _changed(old: State, new: State, ident: str) -> Changed | None:
    was, is_ = old.records[ident], new.records[ident]
    if was.head.hash == is_.head.hash and status(was) == status(is_):
        return None
    before, after = _record(old, ident), _record(new, ident)
    names = [name for name in dict.fromkeys([*after, *before]) if name not in _NOT_COMPARED]
    fields = [Field(name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)]
    if not fields:
        return None
    made = [revision.patch for revision in is_.revisions if revision.hash not in was and revision.patch]
    return Changed(ident, before, after, tuple(fields), tuple(dict.fromkeys(made)))


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(each)}" for key, each in value.items())
    return str(value)
