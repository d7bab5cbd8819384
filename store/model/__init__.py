"""What things are: the only definition of every line the store writes."""

from store.model.base import Model, dump
from store.model.candidate import Candidate, CandidateStatus, Durability, Intent
from store.model.evidence import Evidence, Polarity, TrustClass
from store.model.patch import Op, OpName, Patch, Receipt, Risk
from store.model.project import Project
from store.model.record import Kind, Layer, Record, Review, RuleType, Stability, Status
from store.model.scope import Scope, ScopeType
from store.model.tombstone import Tombstone

__all__ = [
    "Candidate",
    "CandidateStatus",
    "Durability",
    "Evidence",
    "Intent",
    "Kind",
    "Layer",
    "Model",
    "Op",
    "OpName",
    "Patch",
    "Polarity",
    "Project",
    "Receipt",
    "Record",
    "Review",
    "Risk",
    "RuleType",
    "Scope",
    "ScopeType",
    "Stability",
    "Status",
    "Tombstone",
    "TrustClass",
    "dump",
]
