"""`.curate.yaml`: what a repository says about itself. The usual forms are read with the standard library alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = ".curate.yaml"
_LIMIT = 1 << 16
_PAIR = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$")
_ITEM = re.compile(r"^[ \t]*-[ \t]+(.+)$")
_PLAIN = re.compile(r"^[^\s\[\]{}\"'|>&*!%@`#,-][^\[\]{}\"'|>&*#,]*$")
_QUOTED = re.compile(r"^(?:\"([^\"\\]*)\"|'([^']*)')$")


@dataclass(frozen=True, slots=True)
class Settings:
    """What was set; `problem` says why a file was not understood."""

    project: str | None = None
    profile: str | None = None
    aliases: tuple[str, ...] = ()
    branch_scope: bool = False
    problem: str | None = None


def read_settings(folder: Path) -> Settings | None:
    """The settings in a directory, or None when it has no such file."""
    path = folder / FILE
    try:
        with path.open("rb") as file:
            text = file.read(_LIMIT).decode("utf-8-sig", "replace")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as fault:
        return Settings(problem=f"{path}: {(fault.strerror or 'cannot be read').lower()}")
    data = _simple(text)
    if data is None:
        data = _full(text)
    if not isinstance(data, dict):
        return Settings(problem=f"{path} is not a list of `name: value` lines; it is left out")
    aliases = data.get("aliases") or ()
    return Settings(
        project=_text(data.get("project")),
        profile=_text(data.get("profile")),
        aliases=tuple(filter(None, map(_text, [aliases] if isinstance(aliases, str) else aliases))),
        branch_scope=data.get("branch_scope") in (True, "true", "True", "yes", "on"),
    )


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, (dict, list)):
        return None
    return " ".join(str(value).split()) or None


def _simple(text: str) -> dict[str, Any] | None:
    """Flat `name: value` lines and one-level lists; None for any other YAML."""
    data: dict[str, Any] = {}
    last = None
    for line in text.splitlines():
        bare = re.sub(r"(^|[ \t])#.*$", "", line).rstrip()
        if not bare or bare == "---":
            continue
        if item := _ITEM.match(bare):
            entry = _scalar(item[1].strip())
            if last is None or entry is None:
                return None
            data[last] = [*(data[last] or ()), entry]
            continue
        pair = _PAIR.match(bare)
        if pair is None:
            return None
        name, raw = pair[1], (pair[2] or "").strip()
        value = _value(raw)
        if raw and value is None:
            return None
        data[name], last = value, (None if raw else name)
    return data


def _value(raw: str) -> str | list[str] | None:
    if raw.startswith("[") and raw.endswith("]"):
        items = [_scalar(item.strip()) for item in raw[1:-1].split(",") if item.strip()]
        return None if None in items else [item for item in items if item is not None]
    return _scalar(raw)


def _scalar(raw: str) -> str | None:
    if found := _QUOTED.match(raw):
        return found[1] if found[1] is not None else found[2]
    return raw if _PLAIN.match(raw) and ": " not in raw else None


def _full(text: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError, RecursionError):
        return None
