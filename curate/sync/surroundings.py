"""What git gets with every call: settings that keep a person's own set-up out of it, variables, the right folders."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from curate.sync.faults import NoGit, NotUnderGit

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = (
    f"core.hooksPath={os.devnull}", "core.autocrlf=false", "core.safecrlf=false", "core.fsmonitor=false",
    "core.pager=cat", "core.quotePath=false", "core.commentChar=#", "commit.gpgsign=false", "tag.gpgsign=false",
    "push.gpgSign=false", "gc.auto=0", "maintenance.auto=false", "fetch.prune=false", "fetch.writeCommitGraph=false",
    "push.followTags=false", "push.recurseSubmodules=no", "credential.interactive=false", "http.lowSpeedLimit=1",
    "http.lowSpeedTime=30", "color.ui=false", "advice.detachedHead=false",
)  # fmt: skip


def folders(root: Path) -> tuple[Path, Path]:
    """The git folder of a work tree, and the one that holds its objects, which may be shared. Raises `NotUnderGit`."""
    own = root / ".git"
    try:
        if own.is_file():
            own = root / own.read_text("utf-8").removeprefix("gitdir: ").strip()
        shared = own / "commondir"
        common = own / shared.read_text("utf-8").strip() if shared.is_file() else own
    except (OSError, UnicodeDecodeError):
        raise NotUnderGit(root) from None
    if not (own / "HEAD").is_file() or not (common / "objects").is_dir():
        raise NotUnderGit(root)
    return own, common


def insist_on_git() -> None:
    """Raise `NoGit` where there is none."""
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # else GitPython fails at import, with pages of advice
    if shutil.which("git") is None:
        raise NoGit


def surroundings(root: Path, git_dir: Path, common: Path) -> dict[str, str]:
    """Variables for every call: it asks nobody, and works on this repository even when called from another's hook."""
    calm = {
        "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true", "GIT_SEQUENCE_EDITOR": "true", "GIT_PAGER": "cat",
        "GIT_ASKPASS": "", "SSH_ASKPASS": "", "GCM_INTERACTIVE": "never", "GIT_OPTIONAL_LOCKS": "0",
        "LANGUAGE": "C", "LC_ALL": "C", "GIT_MERGE_AUTOEDIT": "no",
    }  # fmt: skip
    if not {"GIT_SSH", "GIT_SSH_COMMAND"} & set(os.environ):
        calm["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes -oConnectTimeout=20"
    own = {
        "GIT_DIR": str(git_dir), "GIT_WORK_TREE": str(root), "GIT_COMMON_DIR": str(common), "GIT_NAMESPACE": "",
        "GIT_INDEX_FILE": str(git_dir / "index"), "GIT_OBJECT_DIRECTORY": str(common / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
    }  # fmt: skip
    return calm | {name: value for name, value in own.items() if name in os.environ}


def last_line(err: bytes) -> str:
    """What git said last, or what tells most of it."""
    lines = [line.strip() for line in err.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:", "remote: error", " ! [", "! ["))]
    line = (telling or lines or ["it gave no reason"])[0]
    return line.removeprefix("fatal: ").removeprefix("error: ").rstrip(".")
