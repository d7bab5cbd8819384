"""The history written anew by a rule, and everything forgotten that nothing leads to any more."""

from __future__ import annotations

import os
import shutil
from typing import IO, TYPE_CHECKING

from curate.sync.commits import quoted
from curate.sync.faults import GitFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from curate.sync.repository import Repository
    from curate.sync.rule import Rule

_NOTES = (
    "FETCH_HEAD", "ORIG_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "MERGE_HEAD", "AUTO_MERGE", "TAG_EDITMSG",
    "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "logs", "rr-cache", "lost-found", "objects/info/commit-graph",
    "objects/info/commit-graphs",
)  # fmt: skip
"""What git keeps beside refs and leads to old objects, or quotes messages."""
_STASH = "refs/stash"


def rewrite(repo: Repository, rule: Rule) -> int:
    """Write every branch, tag and stash anew by a rule, where it changes something; gives how many files changed.

    What does not change keeps its ids. Refs move only when all is written. Raises `GitFailed`.
    """
    words = ["fast-export", "--no-data", "--signed-tags=strip", "--reencode=no", "--tag-of-filtered-object=drop",
             "--use-done-feature", "--exclude=refs/remotes/*", "--exclude=refs/curate/*", "--all"]  # fmt: skip
    changed = 0
    with repo.started(*words) as export, repo.started("fast-import", "--quiet", "--force") as take:
        assert export.stdin
        assert export.stdout
        assert take.stdin
        assert take.stderr
        export.stdin.close()
        try:
            for part, did in _filtered(repo, export.stdout, rule):
                changed += did
                take.stdin.write(part)
            take.stdin.close()
        except BrokenPipeError:
            pass  # it says why
        err = take.stderr.read()
        take.wait()
        if take.returncode:
            raise GitFailed("fast-import", next(iter(err.decode("utf-8", "replace").splitlines()), "it gave no reason"))
    return changed


def forget(repo: Repository) -> None:
    """Drop reflogs, notes of git and whatever no ref leads to, for good. Raises `GitFailed`."""
    repo.close()
    stash = repo.ref(_STASH)
    for name in _NOTES:
        path = repo.folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    repo.run("read-tree", "HEAD")
    repo.run("repack", "-a", "-d", "-q")
    repo.run("prune", "--expire=now")
    if stash is not None:  # without its reflog nobody would find it
        repo.run("update-ref", "-d", _STASH)
        repo.run("stash", "store", "-q", "-m", "kept by curate", stash)


def _filtered(repo: Repository, export: IO[bytes], rule: Rule) -> Iterator[tuple[bytes, bool]]:
    while line := export.readline():
        if line.startswith(b"data "):
            said = export.read(int(line[5:])).decode("utf-8", "surrogateescape")
            fresh = rule.message(said).encode("utf-8", "surrogateescape")
            yield b"data %d\n%s" % (len(fresh), fresh), fresh != said.encode("utf-8", "surrogateescape")
        elif line.startswith(b"M 100"):
            mode, sha, path = line[2:].rstrip(b"\n").split(b" ", 2)
            raw = repo.blob(sha.decode())
            name = _unquoted(path)
            data = rule.file(os.fsdecode(name), raw)
            if data == raw:
                yield line, False
            elif data is None:
                yield b"D %s\n" % quoted(name), True
            else:
                yield b"M %s inline %s\ndata %d\n%s\n" % (mode, quoted(name), len(data), data), True
        else:
            yield line, False


def _unquoted(path: bytes) -> bytes:
    if not path.startswith(b'"'):
        return path
    return path[1:-1].decode("unicode_escape").encode("latin-1")
