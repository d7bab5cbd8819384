"""The cue lexicons: data in YAML, one file per language, compiled to JSON; and how cues are found in words.

The format is described in README.md beside this file. Only `extended` with a YAML file loads more than the standard library.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

WORD = re.compile(r"\w+(?:['’.\-/]\w+)*|[?!:;,…—–\"`]")
"""Words, with paths, file names and contractions whole, and the marks that carry structure."""

HIDDEN_INSIDE = frozenset(("temp", "tempweak", "definite", "here", "question", "approve", "task", "habit", "quoted", "me", "agent", "we", "should", "again", "reply"))
"""Classes whose cue does not count inside a longer cue: "now" in "from now on"."""


class Hit(NamedTuple):
    """A cue found in a sentence: its class, the words [first, last) and its strength."""

    name: str
    first: int
    last: int
    weight: float


class Language:
    """The cues of one language, ready for look-up."""

    def __init__(self, data: Mapping[str, Any], shared: Mapping[str, Any] | None = None) -> None:
        self.code: str = data["language"]
        self.spaced: bool = data.get("spaces", True)
        self.function_words = frozenset(data.get("function_words", ()))
        self.spelling: dict[str, str] = data.get("spelling", {})
        self.starts: dict[str, list[tuple[tuple[str, ...], str, float]]] = {}
        self.stems: dict[str, list[tuple[str, float]]] = {}
        self.stem_lengths: tuple[int, ...] = ()
        self.substrings: re.Pattern[str] | None = None
        self._phrases: dict[str, list[tuple[str, float]]] = {}
        for name, entries in (shared or {}).items():
            self._add(name, entries, spaced=True)
        for name, entries in data.get("classes", {}).items():
            self._add(name, entries, spaced=self.spaced)
        self._finish()

    def _add(self, name: str, entries: Iterable[Any], *, spaced: bool) -> None:
        for entry in entries:
            text, weight = (entry["cue"], float(entry.get("weight", 1.0))) if isinstance(entry, Mapping) else (str(entry), 1.0)
            text = text.lower()
            if not spaced:
                self._phrases.setdefault(text, []).append((name, weight))
            elif text.endswith("*") and " " not in text:
                self.stems.setdefault(text[:-1], []).append((name, weight))
            else:
                words = tuple(WORD.findall(text)) or (text,)
                self.starts.setdefault(words[0], []).append((words[1:], name, weight))

    def _finish(self) -> None:
        for options in self.starts.values():
            options.sort(key=lambda o: (-len(o[0]), o[0], o[1]))
        self.stem_lengths = tuple(sorted({len(s) for s in self.stems}))
        if self._phrases:
            ordered = sorted(self._phrases, key=lambda p: (-len(p), p))
            self.substrings = re.compile("|".join(map(re.escape, ordered)))

    def find(self, words: list[str]) -> list[Hit]:
        """All cues among lower-case words; short ones of some classes inside longer ones are left out."""
        hits: list[Hit] = []
        starts = self.starts
        longest = 0  # end of the longest cue of several words so far
        for i, word in enumerate(words):
            options = starts.get(word)
            if options is not None:
                for rest, name, weight in options:
                    n = len(rest)
                    if n == 0:
                        if i < longest and name in HIDDEN_INSIDE:
                            continue
                        hits.append(Hit(name, i, i + 1, weight))
                    elif tuple(words[i + 1 : i + 1 + n]) == rest:
                        if i + 1 + n > longest:
                            longest = i + 1 + n
                        hits.append(Hit(name, i, i + 1 + n, weight))
            if self.stem_lengths:
                for n in self.stem_lengths:
                    if len(word) < n:
                        break
                    found = self.stems.get(word[:n])
                    if found is not None:
                        hits.extend(Hit(name, i, i + 1, weight) for name, weight in found)
        return hits

    def find_inside(self, text: str) -> list[tuple[str, int, int, float]]:
        """Cues of a language without spaces, with character offsets into `text`."""
        if self.substrings is None:
            return []
        return [
            (name, m.start(), m.end(), weight)
            for m in self.substrings.finditer(text)
            for name, weight in self._phrases[m.group()]
        ]


_SHARED = ("dev", "tool", "rulesfile", "joke")


class Lexicon:
    """All languages and the meaning of their classes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self.classes: Mapping[str, Mapping[str, str]] = data["classes"]
        english = data["en"]["classes"]
        shared = {name: english[name] for name in _SHARED}
        self._shared = shared
        self._built: dict[str, Language] = {}
        self.codes = tuple(code for code in data if code != "classes")
        owners: dict[str, list[str]] = {}
        for code in self.codes:
            for word in data[code].get("function_words", ()):
                owners.setdefault(word, []).append(code)
        self.function_words = owners

    def language(self, code: str) -> Language:
        """The language of a code, built at first use; English words of the trade count in every language."""
        found = self._built.get(code)
        if found is None:
            found = self._built[code] = Language(self._data[code], None if code == "en" else self._shared)
        return found

    def extended(self, additions: Iterable[Mapping[str, Any]]) -> Lexicon:
        """A lexicon with further cues: mappings of the same form as the files (`language`, `classes`)."""
        data = json.loads(json.dumps(self._data))
        for more in additions:
            base = data.setdefault(str(more["language"]), {"language": str(more["language"]), "classes": {}})
            for key in ("spaces", "name"):
                if key in more:
                    base[key] = more[key]
            base["function_words"] = [*base.get("function_words", []), *more.get("function_words", [])]
            for name, entries in more.get("classes", {}).items():
                if name not in data["classes"]:
                    raise UnknownClass(name, sorted(data["classes"]))
                base["classes"].setdefault(name, []).extend(entries)
        return Lexicon(data)


class UnknownClass(ValueError):
    """A lexicon names a class that does not exist."""

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"unknown cue class {name!r}; known are: {', '.join(known)}")


@lru_cache(maxsize=1)
def default() -> Lexicon:
    """The lexicon of the package."""
    path = Path(__file__).with_name("compiled.json")
    return Lexicon(json.loads(path.read_text(encoding="utf-8")))


def read(path: Path) -> Mapping[str, Any]:
    """A lexicon file of the user, in YAML."""
    from ruamel.yaml import YAML

    data: Mapping[str, Any] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    return data
