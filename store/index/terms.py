"""Text to the terms that search works on: words folded and stemmed, identifiers taken apart, scripts without spaces in
pairs of characters. Standard library only and without regular expressions, since the hook pays for every import.
"""

from __future__ import annotations

from store.index.stem import stem

TERMS_LIMIT = 4000
"""Terms of one text that count; a record is bounded, a pasted prompt is not."""
WHOLE_LIMIT = 80
"""Characters of an identifier or path that is also kept whole."""

STOP = frozenset(
    "a about after all also always am an and any are as at be because been before being below between both but by can "
    "cannot could did do does doing don done down each either else ever every few for from further get give go had "
    "has have having he her here hers him his how i if in instead into is it its itself just let like made may me "
    "might more most much must my need never no nor not now of off on once one only or other our ours out over own "
    "per please rather same shall she should so some still such than that the their theirs them then there these they "
    "this those through to too under until up us use used uses using very via want was we were what when where "
    "whether which while who whom whose why will with within without would yes yet you your yours im ive id ll re ve "
    "s t d der die das und ist nicht ein eine einen einem einer den dem des im ich du wir ihr sie es auf mit von zu "
    "zum zur fuer als auch aber oder wie bei nur noch immer nie le la les un une des et est ne pas que qui dans pour "
    "sur avec ce cette ces je tu il elle nous vous ils au aux du de el los las una uno y en es por para con se lo su "
    "al del que no si mi o e da do dos das em um uma nao com os ao na nos het een van niet voor op met te zijn dat ik "
    "je di il lo gli che per non si".split()
)
"""Words that tell nothing of the subject, in the languages that share our alphabet."""

_ENDINGS = {
    "python": "py pyi ipynb pyc",
    "javascript": "js mjs cjs jsx",
    "typescript": "ts tsx mts",
    "go": "go",
    "rust": "rs",
    "ruby": "rb",
    "java": "java",
    "kotlin": "kt kts",
    "swift": "swift",
    "c": "c h",
    "c++": "cc cpp hpp",
    "c#": "cs",
    "f#": "fs",
    "php": "php",
    "scala": "scala",
    "clojure": "clj",
    "elixir": "ex exs",
    "erlang": "erl",
    "haskell": "hs",
    "lua": "lua",
    "perl": "pl",
    "r": "r",
    "julia": "jl",
    "dart": "dart",
    "zig": "zig",
    "sql": "sql",
    "shell": "sh bash zsh",
    "powershell": "ps1",
    "batch": "bat",
    "css": "css scss less",
    "html": "html htm",
    "vue": "vue",
    "svelte": "svelte",
    "markdown": "md mdx",
    "documentation": "rst adoc",
    "text": "txt",
    "latex": "tex",
    "json": "json jsonl",
    "yaml": "yaml yml",
    "toml": "toml",
    "config": "ini cfg conf env",
    "xml": "xml",
    "csv": "csv tsv",
    "lock": "lock",
    "protobuf": "proto",
    "graphql": "graphql gql",
    "terraform": "tf hcl",
    "make": "mk",
    "cmake": "cmake",
    "log": "log",
    "image": "png jpg jpeg gif svg",
    "pdf": "pdf",
    "archive": "zip gz tar whl",
    "map": "map",
    "wasm": "wasm",
}
EXTENSIONS = {ending: language for language, endings in _ENDINGS.items() for ending in endings.split()}
"""File name endings, and the language that a file with it is in. An ending is no topic by itself."""

_SPECIAL = ("c++", "c#", "f#", ".net", "g++")
_JOINERS = "._-/\\:@#+&$~%'`^"
_BREAKS = {ord(char): " " for char in '"()[]{}<>,;|=!?*\t\n\r\x0b\x0c“”„«»…'} | {ord("’"): "'"}


def terms(text: str) -> list[str]:
    """The terms of a text, each once, in the order they first occur. Stop words are left out."""
    return list(spelled(text))


def spelled(text: str) -> dict[str, str]:
    """The terms of a text with the word that each stands for: how the text itself spells it."""
    found: dict[str, str] = {}
    for word in words(text):
        if word not in STOP:
            found.setdefault(stem(word), word)
            if len(found) >= TERMS_LIMIT:
                break
    return found


def words(text: str) -> list[str]:
    """Folded words of a text in order, stop words included; an identifier gives its parts and itself."""
    plain = text.isascii()
    out: list[str] = []
    for chunk in (text if plain else fold(text)).translate(_BREAKS).split():
        if chunk.isalnum() and (chunk.islower() or chunk.isdigit()):
            if plain or chunk.isascii():
                out.append(chunk)
            else:
                _scripts(chunk, out)
        else:
            _chunk(chunk, out)
    return out


def fold(text: str) -> str:
    """Text without the accents of Latin, Greek and Cyrillic letters, full-width forms as plain ones."""
    import unicodedata

    apart = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(char for char in apart if not "\u0300" <= char <= "\u036f"))


def extension(name: str) -> str:
    """The known file name ending of a name, without its dot; empty when it has none or is nothing but an ending."""
    head, dot, tail = name.rpartition(".")
    return tail.lower() if dot and head.strip("./") and tail.lower() in EXTENSIONS else ""


def _chunk(chunk: str, out: list[str]) -> None:
    lowered = chunk.lower()
    for special in _SPECIAL:
        if lowered.startswith(special):
            out.append(special)
            return
    if "'" in lowered:  # don't, user's
        lowered = lowered.strip("'")
        head, mark, tail = lowered.rpartition("'")
        if mark and len(tail) <= 2:
            chunk, lowered = chunk.strip("'")[: len(head)], head
    chunk = chunk.strip(_JOINERS)
    lowered = chunk.lower()
    if not chunk:
        return
    before = len(out)
    for segment in chunk.replace("\\", "/").split("/") if "/" in chunk or "\\" in chunk else (chunk,):
        _name(segment, out)
    parts = len(out) - before
    if parts == 0 or parts > 1 and lowered.isascii() and len(lowered) <= WHOLE_LIMIT:
        out.append(lowered)


def _name(name: str, out: list[str]) -> None:
    """The parts of one name: dotted, snake, kebab or camel; a file name's ending is none of them."""
    ending = extension(name)
    if ending:
        lowered = name.lower().strip(_JOINERS)
        if not lowered.startswith("."):
            out.append(lowered)
        name = name[: -len(ending) - 1]
    for part in _split(name):
        if part.isascii():
            out += _camel(part)
        else:
            _scripts(part.lower(), out)


def _split(name: str) -> list[str]:
    if name.isalnum():
        return [name]
    digits = name.replace(".", "")
    if digits.isdigit() and digits.isascii():  # a version or a number is one thing
        return [name]
    return "".join(char if char.isalnum() or _is_mark(char) else " " for char in name).split()


def _is_mark(char: str) -> bool:
    """Vowel signs of Indic and Southeast Asian scripts are no letters, and part of their word."""
    return char > "\u08ff" and not char.isspace() and "\u0900" <= char <= "\u1cff"


def _camel(part: str) -> list[str]:
    if part.islower() or part.isupper() or part.isdigit() or len(part) < 2:
        return [part.lower()]
    pieces: list[str] = []
    start = 0
    for at in range(1, len(part)):
        here, before = part[at], part[at - 1]
        after = part[at + 1] if at + 1 < len(part) else ""
        if here.isupper() and (before.islower() or before.isdigit() or after.islower()):
            pieces.append(part[start:at].lower())
            start = at
    pieces.append(part[start:].lower())
    if len(pieces) > 1:
        pieces.append(part.lower())
    return pieces


def _scripts(word: str, out: list[str]) -> None:
    """A word in any script: runs of characters that are written without spaces become pairs."""
    word = word.lower()
    run = ""
    spaced = ""
    for char in word:
        if _unspaced(char):
            if spaced:
                out.append(spaced)
                spaced = ""
            run += char
        else:
            if run:
                _pairs(run, out)
                run = ""
            spaced += char
    if run:
        _pairs(run, out)
    if spaced:
        out.append(spaced)
        if any("\uac00" <= char <= "\ud7a3" for char in spaced):  # Korean words carry their particles
            _pairs(spaced, out)


def _pairs(run: str, out: list[str]) -> None:
    if len(run) == 1:
        out.append(run)
    out += [run[at : at + 2] for at in range(len(run) - 1)]


def _unspaced(char: str) -> bool:
    """Chinese, Japanese, Thai, Lao, Burmese, Khmer."""
    return (
        "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff"
        or "\u0e00" <= char <= "\u0eff" or "\u1000" <= char <= "\u109f" or "\u1780" <= char <= "\u17ff"
        or char >= "\U00020000"
    )  # fmt: skip
