"""The steps from each version of the form to the next.

A step changes a copy of a store in place. It may be run twice on the same copy, since a crash can fall between its
work and the note that it is done. Write each in a module of its own, add it at the end, and raise `version.CURRENT`;
the frozen stores in the tests show whether old ones still come through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from store.log.disk import Disk


@dataclass(frozen=True, slots=True)
class Step:
    """From version `number` to the next; `says` tells a person what changes."""

    number: int
    says: str
    run: Callable[[Path, Disk], None]


STEPS: tuple[Step, ...] = ()
