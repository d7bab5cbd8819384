"""Word lists for comparing statements, read from the files in `lexicon`.

The files are YAML of a plain shape and are read here line by line: a YAML parser takes longer than all of a capture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from curate.matching.stem import STEMMERS, english

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl", "ru", "zh", "ja", "ko")
UNSPACED = frozenset({"zh", "ja"})
Node = dict[str, "Node | tuple[str, ...]"]
END = ""
"""Key of a node that holds what the phrase so far stands for."""


@dataclass(slots=True)
class Lexicon:
    """The words of one language, ready for matching."""

    language: str
    stem: Callable[[str], str]
    phrases: Node = field(default_factory=dict)
    strings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Phrases of a script without spaces."""
    longest: int = 1
    prefixes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    gaps: list[tuple[list[str], list[str], list[str]]] = field(default_factory=list)
    articles: frozenset[str] = frozenset()
    """Words that may stand within any phrase without changing it."""
    function: frozenset[str] = frozenset()
    """Words that tell which language a text is in."""
    verbs: frozenset[str] = frozenset()

    def knows(self, word: str) -> bool:
        """The word list of the language has this word in some form."""
        if word in choices().family:  # names of tools belong to no language
            return False
        stem = self.stem(word)
        return word in self.phrases or stem in self.phrases or self.single(word) is not None

    def single(self, word: str) -> tuple[str, ...] | None:
        """What one word stands for on its own."""
        if (node := self.phrases.get(word)) is not None and isinstance(node, dict):
            found = node.get(END)
            if isinstance(found, tuple):
                return found
        for end in range(len(word), 0, -1):
            if (found := self.prefixes.get(word[:end])) is not None:
                return found
        return None


@dataclass(frozen=True, slots=True)
class Choices:
    """What excludes what."""

    family: dict[str, str]
    names: dict[str, tuple[frozenset[str], ...]]
    """What the members of a family are: a database, a package manager."""
    axis: dict[str, str]
    """Degree words to the name of their scale."""
    complement: dict[str, str]
    opposite: dict[str, str]
    unique: frozenset[str]
    """Words for things of which there is one: two statements that name it differently cannot both hold."""
    open: frozenset[str]
    """Families whose members are used side by side; one is only chosen for what there is one of."""


def sections(name: str) -> dict[str, list[tuple[str, str]]]:
    """The file as lists of (key, value) by section; a section that is one string has the key `-`."""
    found: dict[str, list[tuple[str, str]]] = {}
    current = ""
    for line in _logical(name):
        text = line.strip()
        if not line.startswith(" "):
            current, _, value = text.partition(":")
            found[current] = [("-", value.strip())] if value.strip() else []
        elif text.startswith("- "):
            found[current].append(("-", text[2:]))
        else:
            key, _, value = text.partition(": ")
            found[current].append((key.strip('"'), value.strip()))
    return found


def _logical(name: str) -> Iterator[str]:
    """Lines without comments, folded values (`>-`) joined to the line of their key."""
    held: str | None = None
    depth = 0
    for line in files("curate.matching").joinpath("lexicon", name).read_text("utf-8").splitlines():
        text = line.strip()
        if not text or text.startswith("# ") or text == "#":
            continue
        indent = len(line) - len(line.lstrip())
        if held is not None:
            if indent > depth:
                held += " " + text
                continue
            yield held
            held = None
        if text.endswith(">-"):
            held, depth = line.removesuffix(">-").rstrip() + " ", indent
        else:
            yield line
    if held is not None:
        yield held


def items(value: str) -> list[str]:
    """The words and phrases of a value; `{a/b} c` stands for `a c` and `b c`."""
    return [phrase for part in (part.strip() for part in value.split("|")) if part for phrase in _expanded(part)]


def _expanded(phrase: str) -> list[str]:
    before, brace, rest = phrase.partition("{")
    if not brace:
        return [phrase]
    inside, _, after = rest.partition("}")
    ends = _expanded(after)
    return [f"{before}{choice}{end}" for choice in inside.split("/") for end in ends]


@cache
def lexicon(language: str) -> Lexicon:
    """The lexicon of a language."""
    found = sections(f"{language}.yaml")
    lex = Lexicon(language, STEMMERS[language])
    lex.articles = frozenset(word for _, value in found.get("articles", ()) for word in value.split())
    function = set(lex.articles)
    for _, value in found.get("drop", ()):
        for word in value.split():
            _enter(lex, word, ())
            function.add(word)
    for section in ("words", "verbs", "cues", "markers"):
        for key, value in found.get(section, ()):
            out = _output(section, key)
            for phrase in items(value):
                _enter(lex, phrase, out)
                if section in ("cues", "markers"):
                    function.update(phrase.split() if " " not in phrase else ())
    for key, _ in found.get("words", ()):
        if key != "-" and language not in UNSPACED:
            for word in key.split():
                _enter(lex, word, (word,), weak=True)
    for member, out in _marked_members():
        _enter(lex, member, out, weak=True)
    for _, rule in found.get("gaps", ()):
        pattern, _, out_text = rule.partition(" => ")
        before, _, after = pattern.partition("*")
        lex.gaps.append((_stems(lex, before), _stems(lex, after), out_text.split()))
    lex.function = frozenset(function)
    lex.verbs = frozenset(word for _, value in found.get("verbs_known", ()) for word in value.split())
    return lex


@cache
def _marked_members() -> list[tuple[str, tuple[str, ...]]]:
    """Members of families that are not written in letters only, with what they stand for."""
    members = (member for _, value in sections("choices.yaml")["families"] for member in items(value))
    return [(member.replace("_", " "), (token(member),)) for member in members if not member.isalpha()]


def _output(section: str, key: str) -> tuple[str, ...]:
    if key == "-":
        return ()
    if section == "verbs":
        return tuple(f"~{verb}" for verb in key.split())
    return tuple(key.split())


def _stems(lex: Lexicon, phrase: str) -> list[str]:
    if phrase.isalpha():
        return [lex.stem(phrase.lower())]
    words = phrase.lower().replace("-", " ").split() if not phrase.startswith("-") else [phrase]
    kept = [word for word in words if word not in lex.articles] if len(words) > 1 else words
    return [lex.stem(word) for word in kept or words]


def _enter(lex: Lexicon, phrase: str, out: tuple[str, ...], *, weak: bool = False) -> None:
    if phrase.endswith("*"):
        lex.prefixes.setdefault(phrase[:-1].lower(), out)
        return
    if lex.language in UNSPACED:
        lex.strings.setdefault(phrase.lower(), out)
        lex.longest = max(lex.longest, len(phrase))
        return
    node = lex.phrases
    for word in _stems(lex, phrase):
        following = node.setdefault(word, {})
        assert isinstance(following, dict)
        node = following
    if not weak or END not in node:
        node[END] = out


@cache
def choices() -> Choices:
    """Families of exclusive choices, scales and complements, by the tokens that statements are made of."""
    found = sections("choices.yaml")
    complement: dict[str, str] = {}
    for _, value in found["complements"]:
        one, other = map(token, items(value))
        complement |= {one: other, other: one}
    return Choices(
        family={token(member): name for name, value in found["families"] for member in items(value)},
        names={name: tuple(frozenset(word.split()) for word in items(value)) for name, value in found["names"]},
        axis={token(word): name for name, value in found["degrees"] for word in items(value)},
        complement=complement,
        opposite={token(key): token(value) for key, value in found["opposites"]},
        unique=frozenset(word for _, value in found["unique"] for word in value.split()),
        open=frozenset(items(found["open"][0][1])),
    )


def token(phrase: str) -> str:
    """A member of a family as it stands in a statement's words."""
    return english(phrase) if phrase.isalpha() else phrase.replace(" ", "_")
