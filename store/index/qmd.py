"""Search by meaning with `qmd`, a command that indexes folders of Markdown: each record or item is a file for it.

Its models take seconds to load, so it is for those who can wait; the hook mostly goes on without it.
"""

from __future__ import annotations

import os

from store.index.semantic import Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    from store.index.semantic import Patience, Point

FOLDER = "index/qmd"
UPDATE_SECONDS = 600.0
"""For reading the files and embedding them, which no agent waits for."""
OUTPUT = 4 * 1024 * 1024
"""Characters of an answer that are read."""
_MARK = "<!-- mark: "


class Qmd:
    """A collection of qmd's, and the folder that it is of."""

    name = "qmd"

    def __init__(self, root: str, command: Sequence[str], collection: str, patience: Patience) -> None:
        self._folder = os.path.join(root, *FOLDER.split("/"))
        self._command = list(command)
        self._collection = collection
        self._patience = patience

    def nearest(
        self, text: str, vector: Callable[[], Sequence[float]], *, tiers: Collection[str], limit: int
    ) -> list[tuple[str, float]]:
        """Ids of what is nearest, with the cosine that its score stands for. The vector is not asked for."""
        import json

        asked = " ".join(text.split())
        out = self._run(
            ["vsearch", "--json", "-n", str(limit), "-c", self._collection, "--", asked], self._patience.left()
        )
        try:
            rows = json.loads(out[out.find("[") :] or "[]")
        except (ValueError, RecursionError):
            raise Unavailable("its answer is not JSON") from None
        wanted = set(tiers)
        found = []
        for row in rows if isinstance(rows, list) else ():
            ident, tier = _named(row)
            score = row.get("score") if isinstance(row, dict) else None
            if ident and tier in wanted and isinstance(score, (int, float)) and 0 < score <= 1:
                # It gives 1 / (1 + distance) of a distance that is 1 - cosine.
                found.append((ident, max(0.0, 2 - 1 / score)))
        return found

    def known(self) -> dict[str, str]:
        """What is in the folder."""
        found = {}
        for path in self._files():
            with open(path, encoding="utf-8") as file:
                title, _, mark = (file.readline().strip() for _ in range(3))
            if title.startswith("# ") and mark.startswith(_MARK):
                found[title[2:].partition(" ")[0]] = mark.removeprefix(_MARK).removesuffix(" -->")
        return found

    def put(self, points: Sequence[Point]) -> None:
        """Write the files and have them read and embedded."""
        for point in points:
            path = self._path(point.id, point.tier)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                file.write(f"# {point.id} {point.tier}\n{point.tier}\n{_MARK}{point.mark} -->\n\n{point.text}\n")
        if points:
            self._refresh()

    def drop(self, ids: Iterable[str]) -> None:
        """Remove the files and have that noticed."""
        gone = set(ids)
        paths = [path for path in self._files() if os.path.basename(path).removesuffix(".md") in gone]
        for path in paths:
            os.unlink(path)
        if paths:
            self._refresh()

    def _refresh(self) -> None:
        try:
            self._run(["collection", "show", self._collection], UPDATE_SECONDS)
        except Unavailable:
            self._run(["collection", "add", self._folder, "--name", self._collection], UPDATE_SECONDS)
        self._run(["update"], UPDATE_SECONDS)
        self._run(["embed"], UPDATE_SECONDS)

    def _path(self, ident: str, tier: str) -> str:
        name = "".join(char if char.isalnum() or char in "-_" else "-" for char in ident)
        return os.path.join(self._folder, tier, f"{name}.md")

    def _files(self) -> list[str]:
        return sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(self._folder)
            for name in names
            if name.endswith(".md")
        )

    def _run(self, words: Sequence[str], timeout: float) -> str:
        import subprocess

        from store.ending import end

        try:
            process = subprocess.Popen(
                [*self._command, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        except OSError as fault:
            raise Unavailable(f"`{self._command[0]}` cannot be started ({type(fault).__name__})") from None
        try:
            out, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            raise Unavailable(f"no answer within {timeout:.1f} s") from None
        finally:
            end(process)
        if process.returncode:
            raise Unavailable(f"it left with exit code {process.returncode}")
        return out.decode("utf-8", "replace")[:OUTPUT]


def _named(row: Any) -> tuple[str, str]:
    """Id and tier from the title that a file was given; both empty for what is none of ours."""
    title = row.get("title") if isinstance(row, dict) else None
    words = title.lstrip("# ").split() if isinstance(title, str) else []
    return (words[0], words[1]) if len(words) == 2 else ("", "")
