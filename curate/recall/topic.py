"""What a turn is about, as far as words tell: its words, its activities, the languages of its files, and whether it is
work on a project at all. Standard library only.
"""

from __future__ import annotations

from curate.recall.lexicon import ACTIVITIES, CODE_OBJECTS, OF_CODE, STYLE, WORK
from store.index.stem import stem
from store.index.terms import EXTENSIONS, STOP, extension, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

HEAD, TAIL = 6000, 2000
"""Characters of a long prompt that are looked at: its beginning and its end."""
_EDGES = "`'\"()[]{},;:!?"
_ENGLISH = frozenset(
    "the a an is it in what how to me of for do i you my this that who when where why are can with and on".split()
)


class Topic:
    """What is known of a turn besides its records."""

    __slots__ = ("activities", "said", "work")

    def __init__(self, prompt: str, cwd: str, files: Iterable[str]) -> None:
        text = looked_at(prompt)
        heard = words(text)
        content = [word for word in heard if word not in STOP]
        stems = {stem(word) for word in content}
        named = [chunk.strip(_EDGES) for chunk in text.split() if "." in chunk]
        languages = {EXTENSIONS[ending] for ending in map(extension, (*named, *files)) if ending}
        self.activities = _activities(stems, languages)
        around = [word for word in words(cwd) if word not in STOP]
        self.said = list(dict.fromkeys((*content, *around, *sorted(languages))))
        """Words of prompt and working directory, and the languages of files: what conditions are held against."""
        looks_like_code = any(mark in text for mark in "`/_") or bool(languages)
        self.work = looks_like_code or bool(stems & WORK or self.activities or not _ENGLISH.intersection(heard))
        """Whether it is work on a project, as opposed to talk of something else."""

    def names(self) -> list[str]:
        """What phrases call the turn's activities."""
        return [name for activity in self.activities for name in ACTIVITIES[activity][0].split()]


def looked_at(prompt: str) -> str:
    """The part of a prompt that counts."""
    return prompt if len(prompt) <= HEAD + TAIL else f"{prompt[:HEAD]} {prompt[-TAIL:]}"


def is_about_prose(found: Iterable[str]) -> bool:
    """Whether a statement's terms are on writing prose."""
    stems = set(found)
    return bool(stems & STYLE) and not stems & OF_CODE


def _activities(stems: set[str], languages: set[str]) -> list[str]:
    found = [
        name for name, (_, signs) in ACTIVITIES.items() if name != "writing" and not stems.isdisjoint(signs.split())
    ]
    if _is_writing(stems, languages):
        found.append("writing")
    found += [name for language, name in _BY_LANGUAGE if language in languages]
    return list(dict.fromkeys(found))


_BY_LANGUAGE = (("sql", "database"), ("css", "frontend"), ("html", "frontend"))


def _is_writing(stems: set[str], languages: set[str]) -> bool:
    if not stems.isdisjoint(ACTIVITIES["writing"][1].split()) or {"markdown", "documentation", "latex"} & languages:
        return True
    if "note" in stems and stems & {"releas", "draft", "write", "meet", "patch"}:
        return True
    return bool(stems & {"write", "rewrit", "written"}) and not stems & CODE_OBJECTS
