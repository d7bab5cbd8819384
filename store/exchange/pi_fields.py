"""Words of PI stores and bundles in ours, and ours in theirs: layers, statuses, scopes, trust and rule types. Pure.

Both spellings of a key are taken (`ruleType`, `rule_type`). What would make a memory hold more widely is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

from pydantic import ValidationError

from store.exchange.redact import harmless
from store.ids import content_id
from store.model import Evidence, Kind, RuleType, Stability, TrustClass
from store.model.evidence import EXCERPT_LIMIT
from store.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable

LAYERS = {"l1": "L1", "l1_identity": "L1", "identity": "L1", "l2": "L2", "l2_playbook": "L2", "playbook": "L2"}
STATUSES = {
    "active": "active", "promoted": "active", "contested": "contested", "deprecated": "deprecated",
    "tombstoned": "deprecated", "superseded": "superseded", "deleted": "deleted", "archived": "deprecated",
}  # fmt: skip
POLARITY = {"supports": "for", "qualifies": "for", "contradicts": "against", "for": "for", "against": "against"}
EVIDENCE_TRUST: dict[str, TrustClass] = {
    "user_correction": "user_correction",
    "manual": "direct_user_instruction",
    "conversation": "single_session_observation",
    "test_result": "passing_tool_or_test_outcome",
    "commit": "existing_project_convention",
    "codebase_analysis": "existing_project_convention",
    "source": "third_party_documentation",
    "artifact": "generated_content",
}
"""Trust of evidence that names only its kind."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SNAKE = re.compile(r"(?<=[a-z0-9])([A-Z])")


class NotTaken(ValueError):
    """Why an entry is no record for us."""


def snake(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same fields with keys in snake case; a key that is spelled so already wins."""
    found: dict[str, Any] = {}
    for key, value in data.items():
        name = _SNAKE.sub(lambda match: "_" + match[1].lower(), str(key))
        if name not in found or name == key:
            found[name] = value
    return found


def record_of(raw: Mapping[str, Any], project: Callable[[str | None], str | None]) -> dict[str, Any]:
    """The fields of our record from one of theirs. Raises `NotTaken`."""
    data = snake(raw)
    statement = _text(data, "statement", "claim", "text")
    ident = _text(data, "id")
    if not ident:
        raise NotTaken("no `id`")
    if not statement:
        raise NotTaken("no `statement` or `claim`")
    status = STATUSES.get(str(data.get("status") or "active").lower())
    if status is None:
        raise NotTaken(f"unknown status {data['status']!r}")
    fields: dict[str, Any] = {
        "id": ident,
        "layer": layer_of(data),
        "kind": kind_of(data),
        "rule_type": rule_type_of(data),
        "scope": scope_of(data, project),
        "profile": profile_of(data),
        "statement": statement,
        "body": _text(data, "body", "details"),
        "status": status,
        "confidence": data.get("confidence"),
        "stability": stability_of(data),
        "vault_ref": _text(data, "vault_ref"),
        "supersedes": _list(data, "supersedes"),
        "superseded_by": next(iter(_list(data, "superseded_by")[::-1]), None),
        "group": _text(data, "group"),
        "review": review_of(data),
        "contested_because": "contested where it comes from" if status == "contested" else None,
    }
    fields |= {name: _list(data, name) for name in ("tags", "applies_when", "does_not_apply_when", "known_exceptions")}
    fields |= {name: time_of(data.get(name)) for name in ("created_at", "updated_at", "valid_from", "valid_to")}
    return {key: value for key, value in fields.items() if value is not None and value != []}


def layer_of(data: Mapping[str, Any]) -> str:
    """`L1` or `L2`; notes of a session are no records. Raises `NotTaken`."""
    said = str(data.get("layer") or "L2").lower()
    if said in ("l3", "l3_session", "session"):
        raise NotTaken("a note of a session (L3), no record")
    if said not in LAYERS:
        raise NotTaken(f"unknown layer {data['layer']!r}")
    return LAYERS[said]


def kind_of(data: Mapping[str, Any]) -> str:
    """What kind of memory it is."""
    said = str(data.get("memory_kind") or data.get("kind") or "")
    return said if said in get_args(Kind) else "instruction"


def rule_type_of(data: Mapping[str, Any]) -> str | None:
    """The rule type, else the class or the tag that names one where nothing is said of it."""
    known = get_args(RuleType)
    if "rule_type" in data:
        return data["rule_type"] if data["rule_type"] in known else None
    said = [str(data.get("class") or ""), *_list(data, "tags")]
    return next((name for name in said if name in known), None)


def stability_of(data: Mapping[str, Any]) -> str | None:
    """How fast it ages, where it is said."""
    verification = data.get("verification")
    said = data.get("stability") or (verification.get("stability") if isinstance(verification, Mapping) else None)
    name = str(said or "").replace("_", "-").lower()
    return name if name in get_args(Stability) else None


def scope_of(data: Mapping[str, Any], project: Callable[[str | None], str | None]) -> dict[str, Any]:
    """Where it holds. A record of a project's profile holds in that project only, whatever its scope says.

    Raises `NotTaken` for a project that is not named.
    """
    said = snake(data["scope"]) if isinstance(data.get("scope"), Mapping) else {}
    kind = str(said.get("type") or said.get("level") or ("project" if data.get("project") else "")).lower()
    profile = str(data.get("profile_id") or "")
    own = profile.partition(":")[2] if profile.startswith(("project:", "repo:")) else ""
    if kind in ("repository", "repo", "workspace"):
        kind = "project"
    if kind in ("global", "domain", "") and not own:
        domains = said.get("domains") or ([said["key"]] if said.get("key") else [])
        if kind == "domain" and domains:
            return {"type": "domain", "domains": [str(each) for each in domains]}
        if kind in ("global", "domain"):
            return {"type": "global"}
        raise NotTaken("its scope is not said")
    if kind not in ("project", "global", "domain", ""):
        raise NotTaken(f"unknown scope {kind!r}")
    named = project(_text(said, "project", "key") or _text(data, "project") or own)
    if not named:
        raise NotTaken("its scope names no project")
    return {"type": "project", "project": named}


def profile_of(data: Mapping[str, Any]) -> str | None:
    """The world it belongs to; profiles of projects and the default one are none."""
    said = str(data.get("profile_id") or data.get("profile") or "")
    if said.startswith(("project:", "repo:", "workspace:")) or said in ("", "default"):
        return None
    return said.removeprefix("user:") or None


def review_of(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Review cadence, next review and change condition, where they are said."""
    verification = data.get("verification")
    said = data.get("review") or (verification.get("review") if isinstance(verification, Mapping) else None)
    if not isinstance(said, Mapping):
        return None
    review = snake(said)
    cadence = review.get("cadence_days")
    found = {
        "cadence_days": cadence if isinstance(cadence, int) and cadence > 0 else None,
        "next_review": time_of(review.get("next_review")),
        "change_condition": _text(review, "change_condition"),
    }
    return {key: value for key, value in found.items() if value is not None} or None


def trust_of(said: object, kind: object = None) -> TrustClass:
    """A trust class by its name, else by the kind of evidence; what is not known is a single observation."""
    known = get_args(TrustClass)
    found = next((name for name in known if name == said), None)
    return found or EVIDENCE_TRUST.get(str(kind or "").lower(), "single_session_observation")


def evidence_of(raw: Mapping[str, Any], fallback: str) -> Evidence | None:
    """A piece of their evidence as ours, or None when it holds no words."""
    data = snake(raw)
    words = _text(data, "source_excerpt", "excerpt", "source_summary", "note")
    if not words or words == "redacted" or data.get("redaction_status") == "deleted":
        return None
    ident = _text(data, "id") or content_id("ev", "pi", fallback, words)
    line = data.get("line")
    try:
        return Evidence(
            id=ident,
            excerpt=shorten(harmless(words), EXCERPT_LIMIT),
            trust=trust_of(data.get("trust_class"), data.get("type") or data.get("source_kind") or data.get("kind")),
            polarity="against" if POLARITY.get(str(data.get("polarity"))) == "against" else "for",
            agent="pi",
            session=_text(data, "source_session_id", "thread_id"),
            time=time_of(data.get("created_at")),
            path=_text(data, "source_file", "ref", "uri"),
            line=line if isinstance(line, int) else None,
        )
    except ValidationError:
        return None


def time_of(value: Any) -> str | None:
    """A moment as RFC 3339; a bare date is its midnight."""
    text = str(value).strip() if isinstance(value, str) else ""
    return f"{text}T00:00:00Z" if _DAY.fullmatch(text) else text or None


def _text(data: Mapping[str, Any], *names: str) -> str | None:
    for name in names:
        value = data.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return None


def _list(data: Mapping[str, Any], name: str) -> list[str]:
    value = data.get(name)
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str) and each.strip()]
