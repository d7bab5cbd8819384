"""Settings of a store: `config.yaml`, written with every default and its meaning in it. Comments survive a change."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from store import plain_settings
from store.errors import InputError, ReadFailed
from store.log.disk import Disk, write_whole

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its dotted name, what holds when nobody says otherwise, and what it means."""

    name: str
    default: str | int | float | bool | None
    meaning: str


SETTINGS = (
    Setting("profile", None, "The world this store belongs to, such as work or private. Empty: all."),
    Setting("capture.lexicon", None, "A file with cue words of your own, or a list of files, from the store's folder."),
    Setting(
        "auto_apply",
        False,
        "true: a new rule that you said yourself, for a project, is applied after the capture without a review.",
    ),
    Setting("review.batch_threshold", 3, "Evidence from agents, documents and tests is shown once this often said."),
    Setting("review.defer_days", 7, "Days until a candidate put off for later comes back."),
    Setting("consolidate.enabled", False, "Whether `curate consolidate` may send anything. See docs/consolidation.md."),
    Setting("consolidate.kind", None, "openai, anthropic (or what speaks the same protocol), or command."),
    Setting("consolidate.url", None, "Address of the endpoint, such as http://localhost:11434/v1."),
    Setting("consolidate.model", None, "Name of the model."),
    Setting("consolidate.key_env", None, "Name of the environment variable that holds the key. Never the key itself."),
    Setting("consolidate.command", None, "With kind command: a list of words; it reads a prompt on stdin."),
    Setting("consolidate.timeout_s", 60, "Seconds for one call."),
    Setting("consolidate.max_chars", 12000, "Characters of a session in one call."),
    Setting("consolidate.max_items", 10, "Statements taken from one answer."),
    Setting(
        "knowledge.observations_days", 180, "Days for which it is kept what each turn was about. 0: nothing is noted."
    ),
    Setting("recall.layout", "governed", "What a turn gets: governed, context or knowledge."),
    Setting(
        "recall.budget",
        None,
        "Bytes of a block (tokens in other layouts). Empty: 14 KB, and never more than the agent takes.",
    ),
    Setting(
        "recall.mode", "hybrid", "Search by words and meaning (hybrid), by words (keyword), or by meaning (semantic)."
    ),
    Setting(
        "recall.fusion",
        "weighted",
        "How the two are joined: weighted scores, or rrf (Reciprocal Rank Fusion, 0.45/0.55).",
    ),
    Setting("recall.semantic", "embedded", "Who searches by meaning: the table in the package, qmd, or qdrant."),
    Setting("recall.semantic_timeout_s", 5, "Seconds for one search by another; less in the hook."),
    Setting("recall.qmd.command", None, "Command of qmd, when it is not simply `qmd`: a list of words."),
    Setting("recall.qmd.collection", "curate", "Name of the collection there."),
    Setting("recall.qdrant.url", None, "Address of a server, such as http://localhost:6333."),
    Setting("recall.qdrant.path", None, "Folder of the local mode, without a server and not for the hook."),
    Setting("recall.qdrant.key_env", None, "Name of the environment variable that holds the key."),
    Setting("recall.qdrant.prefix", "curate_", "What the names of the collections begin with."),
    Setting(
        "recall.judge.enabled", False, "Whether a model says which memories are of use. It gets each prompt, masked."
    ),
    Setting("recall.judge.kind", "openai", "openai (or what speaks the same protocol), or command."),
    Setting("recall.judge.url", None, "Address of the endpoint, such as http://localhost:11434/v1."),
    Setting("recall.judge.model", None, "Name of the model."),
    Setting("recall.judge.key_env", None, "Name of the environment variable that holds the key. Never the key itself."),
    Setting("recall.judge.command", None, "With kind command: a list of words; it reads the question on stdin."),
    Setting("recall.judge.timeout_s", 2.5, "Seconds for one answer; less in the hook, which has to be done by then."),
    Setting(
        "recall.agents",
        None,
        "How much each kind of knowledge counts for an agent, one under the other: pi, and under it digests: 1.5.",
    ),
    Setting(
        "recall.session_state",
        None,
        "A file in each repository, such as .coding/session-state.json, that also says what the last session left.",
    ),
    Setting("sync.journal", False, "Whether `curate sync` carries the journal of what agents were told, too."),
    Setting("vault.path", None, "Folder of the Obsidian vault. $PI_VAULT_PATH wins."),
    Setting("vault.staging", None, "Folder in the vault where new notes wait. Empty: its inbox."),
)
_KNOWN = {setting.name: setting for setting in SETTINGS}


class BadConfig(InputError):
    """The settings file cannot be used."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}; mend it, or delete it to go back to the defaults")


class Config:
    """The settings of one store. Unknown keys and all comments are kept."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self._text = text
        self._data: Any = None if text else {}
        self._plain: dict[str, Any] | None = None

    @classmethod
    def load(cls, path: Path) -> Config:
        """The settings in a file; the defaults when there is none. Raises `ReadFailed`."""
        try:
            return cls(path, path.read_text("utf-8"))
        except FileNotFoundError:
            return cls(path, "")
        except OSError as fault:
            raise ReadFailed(path, fault) from fault
        except UnicodeDecodeError:
            raise BadConfig(path, "not valid UTF-8") from None

    def get(self, name: str) -> Any:
        """The value of a setting by its dotted name, else its default. Raises `BadConfig` and, unknown, `KeyError`."""
        default = _KNOWN[name].default
        value: Any = self._values()
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is None:
            return default
        if default is not None and not isinstance(value, type(default)):
            raise BadConfig(self.path, f"{name} must be like {default!r}")
        return value

    def section(self, name: str) -> dict[str, Any]:
        """A whole section as plain data, unknown keys too; empty when there is none. Raises `BadConfig`."""
        value = self._values().get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise BadConfig(self.path, f"{name} must be a mapping")
        return {str(key): each for key, each in value.items()}

    def set(self, name: str, value: str | int | float | bool | None, disk: Disk) -> None:  # noqa: PYI041
        """Change one setting in the file; all else in it stays as it is."""
        self._plain = None
        if not self._text:
            self._text = template()
            self._data = None
        node = self._tree()
        *parents, last = name.split(".")
        for part in parents:
            if not isinstance(node.get(part), dict):
                node[part] = {}
            node = node[part]
        node[last] = value
        out = io.StringIO()
        _yaml().dump(self._tree(), out)
        self._text = out.getvalue()
        write_whole(disk, self.path, self._text.encode("utf-8"))

    def create(self, disk: Disk) -> None:
        """Write the file with all defaults and their meaning, when there is none."""
        if not self._text and not self.path.exists():
            self._text, self._data, self._plain = template(), None, None
            write_whole(disk, self.path, self._text.encode("utf-8"))

    def _values(self) -> Any:
        """What is set, for reading only."""
        if self._data is None and self._plain is None:
            self._plain = plain_settings.parse(self._text)
        return self._plain if self._data is None and self._plain is not None else self._tree()

    def _tree(self) -> Any:
        if self._data is None:
            from ruamel.yaml.error import YAMLError

            try:
                self._data = _yaml().load(self._text)
            except YAMLError as fault:
                mark = getattr(fault, "problem_mark", None)
                where = f"line {mark.line + 1}: " if mark else ""
                raise BadConfig(self.path, f"{where}not valid YAML") from None
            if self._data is None:
                self._data = {}
            if not isinstance(self._data, dict):
                raise BadConfig(self.path, "not a mapping of settings")
        return self._data


def template() -> str:
    """The text of a new settings file."""
    lines = ["# Settings of this store. What is deleted here falls back to its default.", ""]
    above: list[str] = []
    heads = list(dict.fromkeys(setting.name.partition(".")[0] for setting in SETTINGS))
    # A section stands once, wherever in the list its settings are.
    for setting in sorted(SETTINGS, key=lambda setting: heads.index(setting.name.partition(".")[0])):
        *sections, leaf = setting.name.split(".")
        for depth in range(len(sections)):
            if above[: depth + 1] != sections[: depth + 1]:
                above = sections[: depth + 1]
                lines.append(f"{'  ' * depth}{sections[depth]}:")
        above = sections
        indent = "  " * len(sections)
        value = "" if setting.default is None else f" {json.dumps(setting.default)}"
        lines += [f"{indent}# {setting.meaning}", f"{indent}{leaf}:{value}"]
    return "\n".join(lines) + "\n"


def _yaml() -> Any:
    from ruamel.yaml import YAML

    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 4096
    return yaml
