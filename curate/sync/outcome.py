"""What a sync did, or would do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Synced:
    """Numbers of commits, and names of what a person should know of."""

    remote: str | None = None
    committed: int = 0
    patches: int = 0
    """Patches among what was committed."""
    fetched: int = 0
    merged: list[str] = field(default_factory=list)
    """Files of which both sides had something new."""
    taken: list[str] = field(default_factory=list)
    """Files that changed here by what the remote has."""
    pushed: int = 0
    contested: list[str] = field(default_factory=list)
    """Records and candidates that two machines changed apart from each other."""
    clashes: list[str] = field(default_factory=list)
    """Files where ours was kept although theirs says something else."""
    foreign: list[str] = field(default_factory=list)
    """Files that are not the store's."""
    restored: list[str] = field(default_factory=list)
    """Logs that were missing and were put back from the last commit."""
    purged: list[str] = field(default_factory=list)
    """Ids whose words left this clone."""
    remains: list[str] = field(default_factory=list)
    """Records and candidates in force that say the same themselves."""
    by_hand: list[str] = field(default_factory=list)
    """Files outside the store, and such of a person in it, that may still hold what was purged."""
    left: list[str] = field(default_factory=list)
    """Objects of git that still hold some of what was purged."""
    rewritten: bool = False
    """True when the remote's history was replaced by ours."""
    elsewhere: list[str] = field(default_factory=list)
    """Other branches and tags on the remote, which may hold what was purged."""
    dry_run: bool = False
    head: str | None = None

    def document(self) -> dict[str, Any]:
        """As the command line prints it."""
        return {
            "remote": self.remote,
            "head": self.head,
            "committed": self.committed,
            "patches": self.patches,
            "fetched": self.fetched,
            "merged": self.merged,
            "taken": self.taken,
            "pushed": self.pushed,
            "contested": self.contested,
            "clashes": self.clashes,
            "foreign": self.foreign,
            "restored": self.restored,
            "purged": self.purged,
            "remains": self.remains,
            "by_hand": self.by_hand,
            "left": self.left,
            "rewritten": self.rewritten,
            "elsewhere": self.elsewhere,
            "dry_run": self.dry_run,
        }
