"""What a patch means: its ops, its policy, its plan against a state, and its undo. Pure; the store does the writing."""

from store.patch.document import fill, parse_patch
from store.patch.erase import purge_patch, purged_by_patch, without_purged
from store.patch.plan import Plan, plan
from store.patch.undo import undo_patch

__all__ = ["Plan", "fill", "parse_patch", "plan", "purge_patch", "purged_by_patch", "undo_patch", "without_purged"]
