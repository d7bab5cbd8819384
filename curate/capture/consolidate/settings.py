"""What `consolidate` in config.yaml says, checked whole before anything is read or sent. No key is stored there."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from store.config import Config
from store.errors import InputError

Kind = Literal["openai", "anthropic", "command"]

KINDS: tuple[Kind, ...] = ("openai", "anthropic", "command")
ENDING: dict[str, str] = {"openai": "/chat/completions", "anthropic": "/messages"}
"""What the path of each kind's requests ends with."""

TIMEOUT = (1, 600)
CHARS = (500, 200_000)
ITEMS = (1, 50)
"""Smallest and largest value of the limits."""


class NotConfigured(InputError):
    """Nobody has turned consolidation on."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"consolidation is off; to turn it on set in {path} consolidate.enabled to true, consolidate.kind to "
            "openai, anthropic or command, and consolidate.url with consolidate.model, or consolidate.command; "
            "`--dry-run` shows what would be sent"
        )


class BadSetting(InputError):
    """A setting of consolidation cannot be used."""

    def __init__(self, path: Path, name: str, reason: str) -> None:
        super().__init__(f"{path}: consolidate.{name} {reason}")


class NoKey(InputError):
    """The environment variable that should hold the key does not."""

    def __init__(self, path: Path, name: str) -> None:
        super().__init__(
            f"consolidate.key_env in {path} names {name}, which holds no key; set that variable and run again"
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may leave, how much may come back, and how long it may take."""

    timeout: float = 60.0
    """Seconds for one call as a whole."""
    max_chars: int = 12_000
    """Characters of a session's text in one call, and in one run."""
    max_items: int = 10
    """Statements taken from one answer."""


DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Whom to ask. `key` is in memory only."""

    kind: Kind
    limits: Limits
    url: str = ""
    """The whole address of requests."""
    model: str = ""
    key: str | None = None
    command: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What identifies the endpoint to a person: no secret is in it."""
        return " ".join(self.command) if self.kind == "command" else f"{self.url} {self.model}"


def limits(config: Config) -> Limits:
    """The limits in the settings, which hold for a dry run too. Raises `BadSetting`."""
    section = config.section("consolidate")
    return Limits(
        timeout=_number(config.path, section, "timeout_s", DEFAULT.timeout, TIMEOUT),
        max_chars=int(_number(config.path, section, "max_chars", DEFAULT.max_chars, CHARS)),
        max_items=int(_number(config.path, section, "max_items", DEFAULT.max_items, ITEMS)),
    )


def endpoint(config: Config, env: Mapping[str, str]) -> Endpoint:
    """The endpoint in the settings. Raises `NotConfigured`, `BadSetting` and `NoKey`."""
    path, section = config.path, config.section("consolidate")
    if section.get("enabled") is None or section["enabled"] is False:
        raise NotConfigured(path)
    if section["enabled"] is not True:
        raise BadSetting(path, "enabled", "must be true or false")
    kind = section.get("kind")
    if kind not in KINDS:
        raise BadSetting(path, "kind", "must be openai, anthropic or command")
    kind = cast("Kind", kind)
    if kind == "command":
        return Endpoint(kind, limits(config), command=_command(path, section.get("command")))
    model = section.get("model")
    if not isinstance(model, str) or not model.strip():
        raise BadSetting(path, "model", "must name a model")
    url = _address(path, kind, section.get("url"))
    return Endpoint(kind, limits(config), url, model.strip(), key_of(config, env, required=True))


def key_of(config: Config, env: Mapping[str, str], *, required: bool) -> str | None:
    """The key in the variable that the settings name; None when they name none. Raises `NoKey`, `BadSetting`."""
    name = config.section("consolidate").get("key_env")
    if name is None:
        return None
    if not isinstance(name, str) or not name.replace("_", "a").isalnum() or not name.isascii():
        raise BadSetting(config.path, "key_env", "must be the name of an environment variable, never the key itself")
    key = env.get(name, "").strip()
    if not key or not key.isascii() or not key.isprintable():
        if required:
            raise NoKey(config.path, name)
        return None
    return key


def _number(path: Path, section: dict[str, Any], name: str, default: float, bounds: tuple[int, int]) -> float:
    value = section.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not bounds[0] <= value <= bounds[1]:
        raise BadSetting(path, name, f"must be a number from {bounds[0]} to {bounds[1]}")
    return float(value)


def _command(path: Path, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(part, str) and part for part in value):
        raise BadSetting(path, "command", "must be a list of words such as [my-agent, --print]; no shell reads it")
    return tuple(str(part) for part in value)


def _address(path: Path, kind: str, value: Any) -> str:
    if not isinstance(value, str) or not value.isascii() or not value.isprintable() or " " in value:
        raise BadSetting(path, "url", "must be an address such as https://api.example.com/v1")
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise BadSetting(path, "url", "is no address") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise BadSetting(path, "url", "must begin with https:// or http:// and a host")
    if parts.username is not None or parts.query or parts.fragment:
        raise BadSetting(path, "url", "may hold no user, key or query; name the key's variable in consolidate.key_env")
    if parts.scheme == "http" and not is_near(host):
        raise BadSetting(path, "url", "must be https, since http to another network is readable on the way")
    way = parts.path.rstrip("/")
    if not way.endswith(ENDING[kind]):
        way = (way or "/v1") + ENDING[kind]
    return f"{parts.scheme}://{parts.netloc}{way}"


def is_near(host: str) -> bool:
    """Whether a host is this machine or one of the local network, by its name or address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".localhost", ".local", ".lan", ".internal", ".home.arpa"))
    return address.is_loopback or address.is_private or address.is_link_local
