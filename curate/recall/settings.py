"""The settings that recall needs, read from `config.yaml` without a YAML library, which the hook does not have.

Only plain `name: value` lines, and names that others are indented under, are understood; everything else keeps its
default.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT = 1 << 16
_WEIGHTS = "recall.agents."
_QUOTES = "'\""


class JudgeSettings:
    """Who judges candidates, and how."""

    __slots__ = ("command", "key_env", "kind", "model", "timeout", "url")

    def __init__(self, found: Mapping[str, str]) -> None:
        self.kind = _one_of(found.get("recall.judge.kind"), ("openai", "command"))
        self.url = found.get("recall.judge.url", "")
        self.model = found.get("recall.judge.model", "")
        self.key_env = found.get("recall.judge.key_env", "")
        self.command = _words(found.get("recall.judge.command", ""))
        self.timeout = min(60.0, _number(found.get("recall.judge.timeout_s", ""), 2.5))


class MeaningSettings:
    """Who searches by meaning instead of the table in the package."""

    __slots__ = (
        "kind", "qdrant_key_env", "qdrant_path", "qdrant_prefix", "qdrant_url", "qmd_collection", "qmd_command",
        "timeout",
    )  # fmt: skip

    def __init__(self, found: Mapping[str, str]) -> None:
        self.kind = found.get("recall.semantic", "")
        self.timeout = min(600.0, _number(found.get("recall.semantic_timeout_s", ""), 5.0))
        self.qmd_command = _words(found.get("recall.qmd.command", "")) or ("qmd",)
        self.qmd_collection = found.get("recall.qmd.collection") or "curate"
        self.qdrant_url = found.get("recall.qdrant.url", "")
        self.qdrant_path = found.get("recall.qdrant.path", "")
        self.qdrant_key_env = found.get("recall.qdrant.key_env", "")
        self.qdrant_prefix = found.get("recall.qdrant.prefix") or "curate_"


class Settings:
    """How this store wants its recall."""

    __slots__ = ("budget", "fusion", "judge", "layout", "meaning", "mode", "profile", "session_state", "weights")

    def __init__(self, found: Mapping[str, str]) -> None:
        self.profile = found.get("profile") or None
        self.layout = _one_of(found.get("recall.layout"), ("governed", "knowledge", "context"))
        self.fusion = _one_of(found.get("recall.fusion"), ("weighted", "rrf"))
        self.mode = _one_of(found.get("recall.mode"), ("hybrid", "keyword", "semantic"))
        named = _one_of(found.get("recall.semantic"), ("embedded", "qmd", "qdrant"))
        self.meaning = MeaningSettings(found) if named != "embedded" else None
        self.session_state = found.get("recall.session_state") or ""
        self.judge = JudgeSettings(found) if found.get("recall.judge.enabled") == "true" else None
        self.weights = {
            name.removeprefix(_WEIGHTS): _number(value, 1.0)
            for name, value in found.items()
            if name.startswith(_WEIGHTS)
        }
        """How much a tier counts for an agent, by `AGENT.TIER`, where it is not as the package has it."""
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
    above: list[tuple[int, str]] = []
    """Indentation and name of what the line is under."""
    for line in text.splitlines():
        bare = line.partition(" #")[0].rstrip()
        name, colon, value = bare.strip().partition(":")
        indent = len(bare) - len(bare.lstrip())
        if bare.lstrip().startswith("- "):
            while above and above[-1][0] > indent:
                above.pop()
            key = ".".join(each for _, each in above)
            found[key] = f"{found.get(key, '')}\n{bare.lstrip()[2:].strip().strip(_QUOTES)}"
            continue
        if not bare or bare.lstrip().startswith("#") or not colon:
            continue
        while above and above[-1][0] >= indent:
            above.pop()
        value = value.strip().strip(_QUOTES)
        if value:
            found.setdefault(".".join((*(each for _, each in above), name)), value)
        else:
            above.append((indent, name))
    return found


def _words(value: str) -> tuple[str, ...]:
    """A command: a list on lines of its own, one in brackets, or words with spaces between."""
    if value.startswith("\n"):
        return tuple(value[1:].split("\n"))
    if value.startswith("[") and value.endswith("]"):
        from curate.recall.plainjson import loads

        try:
            return tuple(map(str, loads(value)))
        except (ValueError, RecursionError):  # with other quotes than JSON has, or none
            pass
        return tuple(filter(None, (word.strip().strip(_QUOTES) for word in value[1:-1].split(","))))
    return tuple(value.split())


def _number(value: str, default: float) -> float:
    try:
        number = float(value)
    except ValueError:
        return default
    return number if 0 < number < float("inf") else default


def _one_of(value: str | None, known: tuple[str, ...]) -> str:
    return value if value in known else known[0]
