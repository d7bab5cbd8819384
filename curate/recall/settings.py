"""The settings that recall needs, read from `config.yaml` without a YAML library, which the hook does not have.

Only plain `name: value` lines at the top and one level down are understood; everything else keeps its default.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT = 1 << 16


class Settings:
    """How this store wants its recall."""

    __slots__ = ("budget", "fusion", "layout", "mode", "profile", "session_state")

    def __init__(self, found: Mapping[str, str]) -> None:
        self.profile = found.get("profile") or None
        self.layout = _one_of(found.get("recall.layout"), ("governed", "knowledge", "context"))
        self.fusion = _one_of(found.get("recall.fusion"), ("weighted", "rrf"))
        self.mode = _one_of(found.get("recall.mode"), ("hybrid", "keyword", "semantic"))
        self.session_state = found.get("recall.session_state") or ""
        budget = found.get("recall.budget", "")
        self.budget = int(budget) if budget.isdecimal() and int(budget) > 0 else None


def read_settings(root: str) -> Settings:
    """The settings of a store; the defaults where there is no file, or none that can be read."""
    try:
        with open(f"{root}/config.yaml", "rb") as file:
            text = file.read(LIMIT).decode("utf-8", "replace")
    except OSError:
        text = ""
    return Settings(_pairs(text))


def _pairs(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    section = ""
    for line in text.splitlines():
        bare = line.partition(" #")[0].rstrip()
        name, colon, value = bare.strip().partition(":")
        if not bare or bare.lstrip().startswith("#") or not colon:
            continue
        value = value.strip().strip("'\"")
        if bare[0] not in " \t":
            section = "" if value else name
            if value:
                found[name] = value
        elif section:
            found.setdefault(f"{section}.{name}", value)
    return found


def _one_of(value: str | None, known: tuple[str, ...]) -> str:
    return value if value in known else known[0]
