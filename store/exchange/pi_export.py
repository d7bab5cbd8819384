"""Our records in the shapes of the PI store and of the pi-governance bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.exchange.redact import REDACTED, public
from store.model import dump

if TYPE_CHECKING:
    from collections.abc import Mapping

    from store.model import Evidence
    from store.state import State

LAYERS = {"L1": "l1_identity", "L2": "l2_playbook"}
STATUSES = {"deprecated": "tombstoned"}
BEYOND = (
    "body", "applies_when", "does_not_apply_when", "known_exceptions", "valid_from", "valid_to", "vault_ref", "group",
)  # fmt: skip
"""Fields that the bundle has no place for; whoever does not know them leaves them alone."""
POLARITY = {"for": "supports", "against": "contradicts"}


def bundle(state: State, *, at: str, version: str, redacted: bool = False) -> dict[str, Any]:
    """A pi-governance bundle of everything that is not deleted."""
    records: list[dict[str, Any]] = []
    evidence: dict[str, dict[str, Any]] = {}
    hidden = 0
    for versions in state.live_records():
        record = dump(state.record(versions.id))
        if redacted and record.get("layer") == "L1":
            hidden += 1
            continue
        pieces = state.evidence_of(record.get("evidence", ()))
        evidence |= {one.id: _evidence(one, redacted=redacted) for one in pieces}
        records.append(_portable(public(record) if redacted else record, pieces))
    waiting = [] if redacted else [_patch(versions.data) for versions in state.waiting(at)]
    return {
        "schema_version": 1,
        "format": "pi-governance",
        "producer": {"name": "curate", "version": version},
        "exported_at": at,
        "redacted": redacted,
        "namespace": "default",
        "all_namespaces": False,
        "project": None,
        "records": records,
        "patches": waiting,
        "evidence": list(evidence.values()),
        "inquiries": [],
        "sessions": [],
        "reinforcement": [],
        "events": [],
        "tombstones": [] if redacted else [_tombstone(one) for one in state.live_tombstones()],
        "redaction": {
            "enabled": redacted,
            "fields_checked": ["records", "evidence", "patches", "tombstones"] if redacted else [],
            "fields_redacted": ["evidence.source_excerpt", "evidence.source_file", "patches.omitted"]
            if redacted
            else [],
            "notes": [f"{hidden} identity records left out"] if hidden else [],
        },
    }


def store_files(state: State) -> dict[str, list[dict[str, Any]]]:
    """The lines of a PI store's files, by name."""
    files: dict[str, list[dict[str, Any]]] = {"memory/L1.identity.jsonl": [], "memory/L2.playbooks.jsonl": []}
    evidence: dict[str, dict[str, Any]] = {}
    for versions in state.live_records():
        record = dump(state.record(versions.id))
        pieces = state.evidence_of(record.get("evidence", ()))
        evidence |= {one.id: _evidence(one, redacted=False) for one in pieces}
        name = "memory/L1.identity.jsonl" if record.get("layer") == "L1" else "memory/L2.playbooks.jsonl"
        files[name].append(_native(record, pieces))
    return {**files, "memory/evidence.jsonl": list(evidence.values())}


def _native(record: Mapping[str, Any], pieces: list[Evidence]) -> dict[str, Any]:
    scope = dict(record.get("scope") or {"type": "global"})
    refs = [{"type": "conversation", "ref": one.id, "note": one.excerpt[:200]} for one in pieces]
    return {
        "id": record["id"],
        "applies_when": record.get("applies_when", []),
        "does_not_apply_when": record.get("does_not_apply_when", []),
        "known_exceptions": record.get("known_exceptions", []),
        "layer": record.get("layer", "L2"),
        "scope": {key: scope[key] for key in ("type", "project", "domains") if scope.get(key)},
        "tags": record.get("tags", []),
        "statement": record["statement"],
        **({"body": record["body"]} if record.get("body") else {}),
        "evidence": refs or [{"type": "manual", "ref": f"curate:{record['id']}", "note": "kept by curate"}],
        "confidence": record.get("confidence", 0.5),
        "stability": record.get("stability", "semi-stable"),
        "created_at": record["created_at"],
        "updated_at": record["updated_at"],
        "review": record.get("review", {}),
        "status": record.get("status", "active"),
        "supersedes": record.get("supersedes", []),
        "superseded_by": [record["superseded_by"]] if record.get("superseded_by") else [],
        "vault_ref": record.get("vault_ref"),
        **({"profile_id": record["profile"]} if record.get("profile") else {}),
        **({"ruleType": record["rule_type"]} if record.get("rule_type") else {}),
        "memory_kind": record.get("kind", "instruction"),
    }


def _portable(record: Mapping[str, Any], pieces: list[Evidence]) -> dict[str, Any]:
    scope = record.get("scope") or {"type": "global"}
    key = scope.get("project") or next(iter(scope.get("domains") or ()), None)
    status = str(record.get("status", "active"))
    return {
        "id": record["id"],
        "namespace": "default",
        "project": scope.get("project"),
        "class": record.get("rule_type") or "preference",
        "layer": LAYERS.get(str(record.get("layer", "L2")), "l2_playbook"),
        "claim": record["statement"],
        "status": STATUSES.get(status, status),
        "memory_kind": record.get("kind", "instruction"),
        "rule_type": record.get("rule_type"),
        "trust_class": pieces[0].trust if pieces else "unknown",
        "durability": "project" if scope.get("project") else "long_term",
        "source_kind": "curate",
        "confidence": record.get("confidence", 0.5),
        "evidence_ids": [one.id for one in pieces],
        "evidence": [{"kind": "conversation", "uri": one.id, "note": None} for one in pieces],
        "scope": {"level": scope.get("type", "project"), "key": key},
        "tags": record.get("tags", []),
        "created_at": record["created_at"],
        "updated_at": record["updated_at"],
        "supersedes": record.get("supersedes", []),
        "superseded_by": [record["superseded_by"]] if record.get("superseded_by") else [],
        "verification": {"review": record.get("review", {}), "stability": record.get("stability", "semi-stable")},
        **{name: record[name] for name in BEYOND if record.get(name)},
    }


def _evidence(one: Evidence, *, redacted: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": one.id,
        "created_at": one.time,
        "source_kind": "conversation",
        "source_session_id": one.session,
        "source_file": one.path,
        "source_summary": one.excerpt,
        "source_excerpt": one.excerpt,
        "trust_class": one.trust,
        "polarity": POLARITY[one.polarity],
        "related_memory_ids": [],
        "redaction_status": "redacted" if redacted or one.redacted else "none",
    }
    if redacted:
        told |= {"source_summary": REDACTED, "source_excerpt": None, "source_file": None, "source_session_id": None}
    return {key: value for key, value in told.items() if value is not None}


def _patch(candidate: Mapping[str, Any]) -> dict[str, Any]:
    scope = candidate.get("scope") or {}
    return {
        "id": candidate["id"],
        "status": "deferred" if candidate.get("status") == "deferred" else "proposed",
        "operation": "propose_record",
        "claim": candidate["statement"],
        "layer": "l2_playbook",
        "rule_type": candidate.get("rule_type"),
        "tags": candidate.get("tags", []),
        "candidate_id": candidate["id"],
        "primary_trust_class": candidate.get("trust"),
        "poisoning_risk": candidate.get("poisoning_risk", "low"),
        "evidence_ids": candidate.get("evidence", []),
        "scope": {"level": scope.get("type", "project"), "key": scope.get("project")},
    }


def _tombstone(mark: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": mark["id"],
        "deleted_record_id": mark["of"],
        "deleted_at": mark["created_at"],
        "deletion_mode": "privacy_purge" if mark["cause"] == "purged" else "audit_preserving",
        "deletion_reason": "other",
        "content_removed": True,
    }
