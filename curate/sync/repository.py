"""One store's git repository, through GitPython: nothing of a person's own set-up can block it, ask, or change bytes.

No hooks, no pager, no editor, no prompt, no signing, no line ends turned.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from curate.sync.address import address_in
from curate.sync.faults import GitFailed, IndexHeld, InsideAnother, NotUnderGit, OffBranch, Unfinished, Unreachable
from curate.sync.surroundings import OPTIONS, folders, insist_on_git, last_line, surroundings

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
        own, self.folder = folders(root)
        self._head = own / "HEAD"
        self._trees: dict[str, Tree] = {}
        self._apart: dict[tuple[str, str], tuple[int, int]] = {}
        self._settings: dict[str, str] | None = None
        self._git = git.Git(root)
        self._git.set_persistent_git_options(c=list(OPTIONS))
        self._git.update_environment(**surroundings(root, own, self.folder))

    @classmethod
    def open(cls, root: Path) -> Self:
        """The repository of a store. Raises `NoGit`, `NotUnderGit`."""
        insist_on_git()
        if not (root / ".git").exists():
            raise NotUnderGit(root)
        return cls(root)

    @classmethod
    def create(cls, root: Path, *, nested: bool = False) -> Self:
        """The repository of a store, made when there is none. Raises `NoGit`, `InsideAnother`."""
        insist_on_git()
        import git

        if not (root / ".git").exists():
            other = next((one for one in root.parents if (one / ".git").exists()), None)
            if other is not None and not nested:
                raise InsideAnother(root, other)
            command = ["git", "-c", f"init.defaultBranch={BRANCH}", "init", "-q", "--template=", str(root)]
            environment = {**surroundings(root, root / ".git", root / ".git"), "GIT_DEFAULT_HASH": "sha1"}
            try:
                git.Git(root).execute(command, env=environment)
            except git.GitCommandError as fault:
                raise GitFailed("init", last_line(str(fault.stderr).strip("' \n").encode())) from None
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
                raise GitFailed(words[0], last_line(err))
            return bytes(out)

    def says(self, *words: str) -> bool:
        """Whether a git command that answers yes or no says yes."""
        with self.started(*words) as process:
            process.communicate()
            return bool(process.returncode == 0)

    @contextlib.contextmanager
    def started(self, *words: str) -> Iterator[subprocess.Popen[bytes]]:
        """A git command that runs while we talk to it."""
        options = [part for option in OPTIONS for part in ("-c", option)]
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
        found: Tree = {}
        self._walk(f"{commit}^{{tree}}", b"", found)
        self._trees[commit] = found
        return found

    def _walk(self, tree: str, folder: bytes, found: Tree) -> None:
        """Every file below a tree, by the process that reads objects: one of `ls-tree` for each would cost more."""
        try:
            sha, _, _, stream = self._git.stream_object_data(tree)
            raw = stream.read()
        except ValueError:
            raise GitFailed("cat-file", f"{tree} is not there") from None
        size, at = len(sha) // 2, 0
        while at < len(raw):
            end = raw.index(b"\0", at)
            mode, _, name = raw[at:end].partition(b" ")
            at = end + 1 + size
            child = raw[end + 1 : at].hex()
            if mode == b"40000":
                self._walk(child, folder + name + b"/", found)
            else:
                found[os.fsdecode(folder + name)] = (mode.decode(), child)

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
        ahead, behind = self.apart(ours, theirs)
        if not ahead or not behind:
            return theirs if not behind else ours
        return self.run("merge-base", ours, theirs, fine=(0, 1)).decode().split("\n")[0] or None

    def apart(self, ours: str, theirs: str) -> tuple[int, int]:
        """How many commits each of two has that the other has not."""
        if (ours, theirs) not in self._apart:
            ahead, behind = self.run("rev-list", "--count", "--left-right", f"{ours}...{theirs}").split()
            self._apart[ours, theirs] = int(ahead), int(behind)
        return self._apart[ours, theirs]

    def length(self, commit: str) -> int:
        """How many commits lead up to one, itself among them."""
        return int(self.run("rev-list", "--count", commit))

    def address(self) -> str | None:
        """Where the remote is."""
        return address_in(self._read("config"), REMOTE) or self._setting(f"remote.{REMOTE}.url") or None

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
            return reason.decode("utf-8", "replace") if reason else last_line(err)

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
