"""What a person chose for one row, and its form on disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from curate.review.rows import Reach, Row, Scoped

if TYPE_CHECKING:
    from collections.abc import Mapping

Verb = Literal[
    "accept", "reject", "later", "merge", "supersede", "exception", "contest", "uncontest", "deprecate", "delete",
    "pin", "unpin", "flag", "vault", "update", "resolve", "both", "stability", "decay", "restore",
]  # fmt: skip
VERBS: tuple[Verb, ...] = get_args(Verb)

REPLACED = "replaced"
"""The word for what is accepted only to be remembered as what held before."""

DONE_WORDS: Mapping[Verb, str] = {
    "accept": "accepted", "reject": "rejected", "later": "put off", "merge": "merged", "supersede": "supersedes",
    "exception": "exception added", "contest": "contested", "uncontest": "no longer contested",
    "deprecate": "deprecated", "delete": "deleted", "pin": "pinned", "unpin": "unpinned", "flag": "flagged",
    "vault": "for the vault", "update": "changed", "resolve": "fork resolved",
    "both": "both kept", "stability": "stability changed", "decay": "confidence lowered", "restore": "taken back",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """At most one per row. Without a verb it is only a change to the proposal (another scope), not yet a decision."""

    verb: Verb | None = None
    scoped: Scoped | None = None
    statement: str | None = None
    target: str | None = None
    """The record that is merged into, superseded, given an exception or contested."""
    text: str | None = None
    """The words of an exception, why something is contested, what would make identity memory false, a stability, or
    the version to keep or go back to.
    """
    other: Scoped | None = None
    """Where the record beside it is to hold from now on, when both are true."""
    candidates: tuple[str, ...] = ()
    """What the row held when it was decided: a decision never covers what was not there to be seen."""
    bases: tuple[tuple[str, str], ...] = ()
    """Records it may touch, with the hash that was seen."""
    at: str = ""

    @property
    def empty(self) -> bool:
        """Nothing was decided and nothing changed."""
        return self.verb is None and self.scoped is None and self.statement is None

    def scope_for(self, row: Row) -> Scoped:
        """The scope that will be written: the chosen one, else the proposed one."""
        return self.scoped or row.scoped

    def words(self) -> str:
        """The decision as one word or two, for the queue and the done strip."""
        return DONE_WORDS[self.verb] if self.verb else "changed scope" if self.scoped else ""

    def to_json(self) -> dict[str, Any]:
        """Plain data, what is empty left out."""
        out: dict[str, Any] = {"verb": self.verb, "statement": self.statement, "target": self.target, "text": self.text}
        out |= {name: _plain(scoped) for name, scoped in (("scoped", self.scoped), ("other", self.other)) if scoped}
        out |= {"candidates": list(self.candidates), "bases": dict(self.bases), "at": self.at}
        return {key: value for key, value in out.items() if value not in (None, [], {}, "")}

    @classmethod
    def from_json(cls, data: Any) -> Choice:
        """The choice of a line; whatever has another shape than ours raises `ValueError`."""
        if not isinstance(data, dict) or data.get("verb") not in (None, *VERBS):
            raise ValueError("not a choice")
        scoped, other = data.get("scoped"), data.get("other")
        return cls(
            verb=data.get("verb"),
            scoped=_scoped(scoped) if scoped is not None else None,
            other=_scoped(other) if other is not None else None,
            statement=_text(data.get("statement")),
            target=_text(data.get("target")),
            text=_text(data.get("text")),
            candidates=_texts(data.get("candidates", [])),
            bases=tuple((str(key), str(value)) for key, value in dict(data.get("bases", {})).items()),
            at=str(data.get("at", "")),
        )


def _plain(scoped: Scoped) -> dict[str, Any]:
    lists = {name: list(values) for name in ("projects", "paths", "domains") if (values := getattr(scoped, name))}
    return {"reach": scoped.reach, **lists}


def _scoped(data: Any) -> Scoped:
    if not isinstance(data, dict) or data.get("reach") not in get_args(Reach):
        raise ValueError("not a scope")
    return Scoped(
        data["reach"], _texts(data.get("projects", [])), _texts(data.get("paths", [])), _texts(data.get("domains", []))
    )


def _text(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("not a text")
    return value


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("not a list of texts")
    return tuple(values)
