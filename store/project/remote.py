"""One name for one remote repository, however its address is written. Standard library only."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://(.*)$", re.DOTALL)
_SCP = re.compile(r"^(?:[^/\\]*@)?(\[[^\]]+\]|[^:/\\@]+):(?!//)(.*)$", re.DOTALL)
_DRIVE = re.compile(r"^[A-Za-z]:(?=[\\/])")
_HELPER = re.compile(r"^[A-Za-z][A-Za-z0-9+-]*::")
_SAME_HOST = {
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
    "ssh.dev.azure.com": "dev.azure.com",
}
"""Hosts that serve another one's repositories, mostly for networks that only let HTTPS through."""


def normalise(url: str, base: str | os.PathLike[str] = "/") -> str | None:
    """`host/path` without scheme, user, token, port, query or `.git`, the host in lower case, the path's case kept.

    A repository on this machine becomes `file:` and its real path, relative ones taken from `base`. None when the
    address names nothing.
    """
    text = _HELPER.sub("", url.strip())
    if found := _SCHEME.match(text):
        scheme, rest = found[1].lower(), found[2]
        if scheme == "file":
            return _local(unquote(re.sub(r"^localhost(?=/)", "", rest)), base)
        authority, _, path = rest.partition("/")
        if scheme in ("http", "https"):
            path = re.split(r"[?#]", path, maxsplit=1)[0]
        return _named(_host(authority), unquote(path))
    if not _DRIVE.match(text) and (found := _SCP.match(text)):
        return _named(found[1], found[2])
    return _local(text, base) if text else None


def _host(authority: str) -> str:
    """The host of `user:token@host:port`; a token may hold an `@` of its own."""
    host = authority.rpartition("@")[2]
    return re.sub(r":\d*$", "", host)


def _named(host: str, path: str) -> str | None:
    host = host.strip("[]").rstrip(".").lower()
    host = _SAME_HOST.get(host, host)
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    if host == "dev.azure.com" and len(parts) == 4 and parts[0] == "v3":
        parts = [parts[1], parts[2], "_git", parts[3]]
    path = _bare("/".join(parts))
    return f"{host}/{path}".replace("#", "%23") if host and path else None


def _local(path: str, base: str | os.PathLike[str]) -> str | None:
    if not path.strip():
        return None
    home = Path(path).expanduser() if path.startswith("~") else Path(path)
    real = PurePosixPath(os.path.realpath(Path(base) / home).replace("\\", "/"))
    if real.name == ".git":
        real = real.parent
    return "file:" + _bare(str(real)).replace("#", "%23")


def _bare(path: str) -> str:
    while path.endswith(("/", ".git")):
        path = path.removesuffix("/").removesuffix(".git")
    return path
