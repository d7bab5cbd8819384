"""One store's git repository, through GitPython: nothing of a person's own set-up can block it, ask, or change bytes.

No hooks, no pager, no editor, no prompt, no signing, no line ends turned.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from curate.sync.faults import (
    GitFailed,
    IndexHeld,
    InsideAnother,
    NoGit,
    NotUnderGit,
    OffBranch,
    Unfinished,
    Unreachable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BRANCH = "main"
MAIN = f"refs/heads/{BRANCH}"
SEEN = "refs/curate/seen"
"""What the remote held when it was last met. A ref of our own: a `git fetch` by hand does not move it."""
INCOMING = "refs/curate/incoming"
REMOTE = "origin"
SHOWN = f"refs/remotes/{REMOTE}/{BRANCH}"
"""The same for people: what `git status` compares with."""

_OPTIONS = (
    f"core.hooksPath={os.devnull}", "core.autocrlf=false", "core.safecrlf=false", "core.fsmonitor=false",
    "core.pager=cat", "core.quotePath=false", "core.commentChar=#", "commit.gpgsign=false", "tag.gpgsign=false",
    "push.gpgSign=false", "gc.auto=0", "maintenance.auto=false", "fetch.prune=false", "fetch.writeCommitGraph=false",
    "push.followTags=false", "push.recurseSubmodules=no", "credential.interactive=false", "http.lowSpeedLimit=1",
    "http.lowSpeedTime=30", "color.ui=false", "advice.detachedHead=false",
)  # fmt: skip
_UNFINISHED = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
}
Tree = dict[str, tuple[str, str]]
"""Mode and blob id of each file by its name."""


class Repository:
    """The repository whose work tree is a store's root. Raises faults of `curate.sync.faults`."""

    def __init__(self, root: Path) -> None:
        import git

        self.root = root
        own, self.folder = _folders(root)
        self._head = own / "HEAD"
        self._trees: dict[str, Tree] = {}
        self._settings: dict[str, str] | None = None
        self._git = git.Git(root)
        self._git.set_persistent_git_options(c=list(_OPTIONS))
        self._git.update_environment(**_surroundings(root, own, self.folder))

    @classmethod
    def open(cls, root: Path) -> Self:
        """The repository of a store. Raises `NoGit`, `NotUnderGit`."""
        _insist_on_git()
        if not (root / ".git").exists():
            raise NotUnderGit(root)
        return cls(root)

    @classmethod
    def create(cls, root: Path, *, nested: bool = False) -> Self:
        """The repository of a store, made when there is none. Raises `NoGit`, `InsideAnother`."""
        _insist_on_git()
        import git

        if not (root / ".git").exists():
            other = next((one for one in root.parents if (one / ".git").exists()), None)
            if other is not None and not nested:
                raise InsideAnother(root, other)
            command = ["git", "-c", f"init.defaultBranch={BRANCH}", "init", "-q", "--template=", str(root)]
            environment = {**_surroundings(root, root / ".git", root / ".git"), "GIT_DEFAULT_HASH": "sha1"}
            try:
                git.Git(root).execute(command, env=environment)
            except git.GitCommandError as fault:
                raise GitFailed("init", _last_line(str(fault.stderr).strip("' \n").encode())) from None
        repo = cls(root)
        if repo.ref("HEAD") is None:
            repo.run("symbolic-ref", "HEAD", MAIN)
        return repo

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads objects; the next look starts another."""
        self._git.clear_cache()

    def run(self, *words: str, data: bytes | None = None, fine: tuple[int, ...] = (0,)) -> bytes:
        """What a git command prints. Raises `GitFailed` with its last word when it ends otherwise than `fine`."""
        with self.started(*words) as process:
            out, err = process.communicate(data)
            if process.returncode not in fine:
                raise GitFailed(words[0], _last_line(err))
            return bytes(out)

    def says(self, *words: str) -> bool:
        """Whether a git command that answers yes or no says yes."""
        with self.started(*words) as process:
            process.communicate()
            return bool(process.returncode == 0)

    @contextlib.contextmanager
    def started(self, *words: str) -> Iterator[subprocess.Popen[bytes]]:
        """A git command that runs while we talk to it."""
        options = [part for option in _OPTIONS for part in ("-c", option)]
        running: Any = self._git.execute(
            ["git", *options, *words], as_process=True, istream=subprocess.PIPE, universal_newlines=False
        )
        process: subprocess.Popen[bytes] = running.proc
        running.proc = None  # ended here, not when it is collected
        with process:
            try:
                yield process
            except BaseException:
                process.kill()
                raise

    def ref(self, name: str) -> str | None:
        """The commit that a ref or revision leads to; None when there is none."""
        if name.startswith("refs/"):
            text = self._read(name)  # most are files, which cost no process
            if len(text) == 40:
                return text
            if not text and name not in self._read("packed-refs"):
                return None
        return self.run("rev-parse", "-q", "--verify", f"{name}^{{commit}}", fine=(0, 1, 128)).decode().strip() or None

    def _read(self, name: str) -> str:
        try:
            return (self.folder / name).read_text("utf-8", "replace").strip()
        except OSError:
            return ""

    def point(self, moves: dict[str, str | None]) -> None:
        """Let refs lead to these commits, all of them or none; None removes one."""
        lines = [f"update {name} {sha}" if sha else f"delete {name}" for name, sha in moves.items()]
        self.run("update-ref", "--no-deref", "--stdin", data="".join(line + "\n" for line in lines).encode())

    def tree(self, commit: str | None) -> Tree:
        """Every file of a commit."""
        if commit is None:
            return {}
        if commit in self._trees:
            return self._trees[commit]
        found = self._trees[commit] = {}
        for entry in self.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
            if entry:
                head, _, name = entry.partition(b"\t")
                mode, _, sha = head.decode().split(" ")
                found[os.fsdecode(name)] = (mode, sha)
        return found

    def blob(self, sha: str) -> bytes:
        """The bytes of an object."""
        return bytes(self._git.stream_object_data(sha)[3].read())

    def objects(self) -> Iterator[tuple[str, str]]:
        """Every object there is, loose or packed, reached by anything or not: its id and type."""
        listed = self.run("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)", "--unordered")
        for line in listed.decode().splitlines():
            sha, _, kind = line.partition(" ")
            yield sha, kind

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether one commit leads up to another; False when the older one is not there any more."""
        return older == newer or self.says("merge-base", "--is-ancestor", older, newer)

    def base(self, ours: str, theirs: str) -> str | None:
        """The newest commit that both share."""
        return self.run("merge-base", ours, theirs, fine=(0, 1)).decode().split("\n")[0] or None

    def apart(self, ours: str, theirs: str) -> tuple[int, int]:
        """How many commits each of two has that the other has not."""
        ahead, behind = self.run("rev-list", "--count", "--left-right", f"{ours}...{theirs}").split()
        return int(ahead), int(behind)

    def length(self, commit: str) -> int:
        """How many commits lead up to one, itself among them."""
        return int(self.run("rev-list", "--count", commit))

    def address(self) -> str | None:
        """Where the remote is."""
        return self._setting(f"remote.{REMOTE}.url") or None

    def person(self) -> tuple[str, str]:
        """Whose name commits carry: git's own idea of it, else ours."""
        known = (self._setting(key) for key in ("user.name", "user.email"))
        name, mail = ("".join(sign for sign in one if sign.isprintable() and sign not in "<>").strip() for one in known)
        return name or "curate", mail or "curate@localhost"

    def set_address(self, address: str) -> None:
        """Name the remote."""
        self.run("remote", "add" if self.address() is None else "set-url", REMOTE, address)
        self._settings = None

    def _setting(self, name: str) -> str:
        if self._settings is None:
            pairs = (entry.partition(b"\n") for entry in self.run("config", "-z", "--list").split(b"\0"))
            self._settings = {
                key.decode("utf-8", "replace"): value.decode("utf-8", "replace") for key, _, value in pairs
            }
        return self._settings.get(name, "").strip()

    def head_branch(self) -> str | None:
        """The branch that HEAD is on; None when it is on none."""
        text = self._head.read_text("utf-8", "replace").strip()
        return text.removeprefix("ref: refs/heads/") if text.startswith("ref: refs/heads/") else None

    def check_ready(self, wait: float, *, branch: str | None = BRANCH) -> None:
        """Raise when another git is at work here, something was left in the middle, or HEAD is on no or another branch.

        With None for the branch any will do.
        """
        lock = self.folder / "index.lock"
        until = time.monotonic() + wait
        while lock.exists() and time.monotonic() < until:
            time.sleep(0.05)
        with contextlib.suppress(FileNotFoundError):
            raise IndexHeld(lock, (time.time() - lock.stat().st_mtime) / 60)
        for name, what in _UNFINISHED.items():
            if (self.folder / name).exists():
                raise Unfinished(self.root, what)
        head = self.head_branch()
        if head is None or branch not in (None, head):
            raise OffBranch(self.root, head, branch or BRANCH)

    def fetch(self, address: str) -> str | None:
        """Get what the remote's branch has, without touching anything else; None when it is empty."""
        try:
            self.run(
                "fetch",
                "-q",
                "--refmap=",
                "--no-tags",
                "--no-write-fetch-head",
                "--no-auto-gc",
                REMOTE,
                f"+{MAIN}:{INCOMING}",
            )
        except GitFailed as fault:
            if "find remote ref" in fault.reason:
                return None
            raise Unreachable(address, fault.reason) from None
        return self.ref(INCOMING)

    def push(self, *words: str) -> str | None:
        """Push the branch; gives why it was not taken, None when it was."""
        with self.started("push", "-q", "--no-verify", "--porcelain", *words, REMOTE, f"{MAIN}:{MAIN}") as process:
            out, err = process.communicate()
            if process.returncode == 0:
                return None
            refused = [line.partition(b"\t")[2].rpartition(b"\t")[2] for line in out.splitlines() if line[:1] == b"!"]
            said = [line for line in err.splitlines() if line.startswith(b"remote: ") and line[8:].strip()]
            reason = b" - ".join([*refused[:1], *(line[8:].strip() for line in said[:1])])
            return reason.decode("utf-8", "replace") if reason else _last_line(err)

    def remote_refs(self, address: str) -> dict[str, str]:
        """What the remote's branches and tags lead to; nothing of it is fetched."""
        try:
            listed = self.run("ls-remote", "-q", REMOTE)
        except GitFailed as fault:
            raise Unreachable(address, fault.reason) from None
        pairs = (line.split("\t") for line in listed.decode("utf-8", "replace").splitlines() if "\t" in line)
        return {name: sha for sha, name in pairs}

    def index(self, changed: Iterable[tuple[str, str | None]]) -> None:
        """Let the index know of files that were committed: name and blob id, None for those that are gone."""
        lines = [
            f"100644 {sha}\t{name}\0" if sha else f"0 {'0' * 40}\t{name}\0" for name, sha in changed
        ]  # what a person has staged beside stays as it is
        if lines:
            self.run("update-index", "-z", "--index-info", data=os.fsencode("".join(lines)))


def _folders(root: Path) -> tuple[Path, Path]:
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


def _insist_on_git() -> None:
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # else GitPython fails at import, with pages of advice
    if shutil.which("git") is None:
        raise NoGit


def _surroundings(root: Path, git_dir: Path, common: Path) -> dict[str, str]:
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


def _last_line(err: bytes) -> str:
    lines = [line.strip() for line in err.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:", "remote: error", " ! [", "! ["))]
    line = (telling or lines or ["it gave no reason"])[0]
    return line.removeprefix("fatal: ").removeprefix("error: ").rstrip(".")
