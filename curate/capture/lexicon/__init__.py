"""The cue lexicons: data in YAML, one file per language, compiled to JSON; and how cues are found in words.

The format is described in README.md beside this file. Only reading a YAML file loads more than the standard library.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

WORD = re.compile(r"\w+(?:['’.\-/]\w+)*|[?!:;,…—–\"`]")
"""Words, with paths, file names and contractions whole, and the marks that carry structure."""

HIDDEN_INSIDE = frozenset(
    (
        "temp",
        "tempweak",
        "definite",
        "here",
        "question",
        "approve",
        "task",
        "habit",
        "quoted",
        "me",
        "agent",
        "we",
        "should",
        "again",
        "reply",
    )
)
"""Classes whose cue does not count inside a longer cue: "now" in "from now on"."""


Hit = tuple[str, int, int, float]
"""A cue found in a sentence: its class, the words [first, last), its strength. A plain tuple, since there are many."""


class Language:
    """The cues of one language, ready for look-up."""

    def __init__(self, data: Mapping[str, Any], shared: Mapping[str, Any] | None = None) -> None:
        self.code: str = data["language"]
        self.spaced: bool = data.get("spaces", True)
        self.function_words = frozenset(data.get("function_words", ()))
        self.spelling: dict[str, str] = data.get("spelling", {})
        self.single: dict[str, list[tuple[str, float]]] = {}
        self.several: dict[str, dict[str, list[tuple[list[str], str, float]]]] = {}  # first word, second word, the rest
        self.stems: dict[str, list[tuple[str, float]]] = {}
        self.stem_lengths: tuple[int, ...] = ()
        self.begins: dict[str, tuple[dict[str, list[tuple[list[str], str, float]]], list[tuple[str, float]]]] = {}
        self.openings: dict[str, list[tuple[str, list[tuple[str, float]]]]] = {}
        self._phrases: dict[str, list[tuple[str, float]]] = {}
        for name, entries in (shared or {}).items():
            self._add(name, entries, spaced=True)
        for name, entries in data.get("classes", {}).items():
            self._add(name, entries, spaced=self.spaced)
        self._finish()

    def _add(self, name: str, entries: Iterable[Any], *, spaced: bool) -> None:
        for entry in entries:
            text, weight = (
                (entry["cue"], float(entry.get("weight", 1.0))) if isinstance(entry, Mapping) else (str(entry), 1.0)
            )
            text = text.lower()
            if not spaced:
                self._phrases.setdefault(text, []).append((name, weight))
            elif text.endswith("*") and " " not in text:
                self.stems.setdefault(text[:-1], []).append((name, weight))
            else:
                words = WORD.findall(text) or [text]
                if len(words) == 1:
                    self.single.setdefault(text if words == [text] else words[0], []).append((name, weight))
                else:
                    self.several.setdefault(words[0], {}).setdefault(words[1], []).append((words[2:], name, weight))

    def _finish(self) -> None:
        for seconds in self.several.values():
            for options in seconds.values():
                options.sort(key=lambda o: (-len(o[0]), o[0], o[1]))
        self.stem_lengths = tuple(sorted({len(s) for s in self.stems}))
        self.begins = {
            word: (self.several.get(word, {}), self.single.get(word, [])) for word in {**self.several, **self.single}
        }
        self._letters = min((STEM, *map(len, self.stems)))
        self._stem_starts = frozenset(s[: self._letters] for s in self.stems)
        for phrase in sorted(self._phrases, key=lambda p: (-len(p), p)):
            self.openings.setdefault(phrase[0], []).append((phrase, self._phrases[phrase]))

    def find(self, words: list[str]) -> list[Hit]:
        """All cues among lower-case words; short ones of some classes inside longer ones are left out."""
        hits: list[Hit] = []
        longest = 0  # end of the longest cue of several words so far
        last = len(words) - 1
        for i, found in enumerate(map(self.begins.get, words)):
            if found is None:
                continue
            seconds, singles = found
            if seconds and i < last and (options := seconds.get(words[i + 1])) is not None:
                for rest, name, weight in options:
                    end = i + 2 + len(rest)
                    if not rest or words[i + 2 : end] == rest:
                        longest = max(longest, end)
                        hits.append((name, i, end, weight))
            for name, weight in singles:
                if i >= longest or name not in HIDDEN_INSIDE:
                    hits.append((name, i, i + 1, weight))
        if self.stem_lengths:
            self._find_stems(words, hits)
        return hits

    def _find_stems(self, words: list[str], hits: list[Hit]) -> None:
        starts, stems, letters = self._stem_starts, self.stems, self._letters
        for i, word in enumerate(words):
            if word[:letters] not in starts:
                continue
            for n in self.stem_lengths:
                if len(word) < n:
                    break
                for name, weight in stems.get(word[:n], ()):
                    hits.append((name, i, i + 1, weight))
        hits.sort(key=lambda h: h[1])

    def find_inside(self, text: str) -> list[tuple[str, int, int, float]]:
        """Cues of a language without spaces, with character offsets into `text`; the longest at each place."""
        hits: list[tuple[str, int, int, float]] = []
        openings = self.openings
        at = 0
        for i, phrases in enumerate(map(openings.get, text)):
            if phrases is None or i < at:
                continue
            for phrase, entries in phrases:
                if text.startswith(phrase, i):
                    at = i + len(phrase)
                    hits += [(name, i, at, weight) for name, weight in entries]
                    break
        return hits


STEM = 2
"""Letters by which most words are told to begin with no stem, unless a stem is shorter."""
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
        self.codes = tuple(code for code in data if code not in ("classes", "others"))
        owners: dict[str, list[str]] = {}
        for code in self.codes:
            for word in data[code].get("function_words", ()):
                owners.setdefault(word, []).append(code)
        for code, words in data.get("others", {}).items():
            for word in words:
                owners.setdefault(word, []).append(code)
        self.function_words = owners
        self.english = frozenset(data["en"]["function_words"])
        self.foreign = frozenset(owners) - self.english

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
