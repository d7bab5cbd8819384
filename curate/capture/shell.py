"""Which paths a shell command writes to, read from its text. Pure; when in doubt it names nothing."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

_TOKEN = re.compile(
    r"""(?P<here><<-?[ \t]*(?P<quote>['"]?)(?P<mark>\w+)(?P=quote))
      | (?P<sum>\$?\(\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)\))
      | (?P<input><(?![<(])[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|<>()]+)?)
      | (?P<redirect>(?:\d*|&)>>?[|]?(?!&\d|\())
      | (?P<between>\n|&&|\|\|?&?|;;?|&(?![>\d]))
      | (?P<bracket>[()])
      | (?P<comment>(?<!\S)\#[^\n]*)
      | (?P<word>(?:[^\s'"\\;&|<>()]|\\.|'[^']*'|"(?:[^"\\]|\\.)*"|\$\((?=[^()]*\))[^()]*\))+)
      | .""",
    re.VERBOSE | re.DOTALL,
)
_QUOTED = re.compile(r"""\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)\"""", re.DOTALL)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_MAY_WRITE = re.compile(
    r">|\b(?:curl|wget|tee|mv|cp|rm|rmdir|ln|touch|mkdir|install|rsync|dd|truncate|patch|unzip|tar|gofmt|goimports|prettier|black|ruff|"
    r"isort|rustfmt|shfmt|clang-format|npx|bunx|pnpx|uvx|pipx|bash|sh|zsh|dash|python3?|node|deno)\b|"
    r"\b(?:sed|perl|ruby)\b[^\n]*\s-|\bgit\b[^\n]*\s(?:commit|apply|am|merge|rebase|cherry-pick|revert|restore|init|stash)\b|"
    r"\b(?:add|remove|uninstall|i|update|upgrade|up|init|new|create|lock|sync|require|dedupe|version|fmt|fix|get|mod|generate|g|"
    r"work|format|destroy|revision|pub|start(?:project|app)|makem\w+|codegen|gen)\b|"
    r"\b(?:db:migrate|phx\.gen|manage\.py)|--(?:fix|write|apply)\b|(?i:\b(?:set|add)-content|out-file|-item\b)"
)
"""What a command that writes must have in it; most have not, and are not read word by word."""
_WORDS = re.compile(r"\w+")
_TELLING = frozenset(
    (
        "curl wget tee mv cp rm rmdir ln touch mkdir install rsync dd truncate patch unzip tar gofmt goimports "
        "prettier black ruff isort rustfmt shfmt format npx bunx pnpx uvx pipx bash sh zsh dash python python3 node "
        "deno sed perl ruby git add remove uninstall i update upgrade up init new create lock sync require dedupe "
        "version fmt fix get mod generate g work destroy revision pub startproject startapp codegen gen db phx "
        "manage write apply set item"
    ).split()
)
"""Words of which any command has one that `_MAY_WRITE` finds something in; that takes four times as long to ask."""
_CD = re.compile(r"(?:^|&&|;|\n)[ \t]*cd[ \t]+(\"[^\"]*\"|'[^']*'|[^\s;&|]+)")
_SCRIPTED = re.compile(
    r"""\bopen\(\s*[rbf]?['"](?P<a>[^'"\n]{1,300})['"]\s*,\s*(?:mode\s*=\s*)?['"][wax+rb]*[wax+][wax+b]*['"]
      | \bPath\(\s*['"](?P<b>[^'"\n]{1,300})['"]\s*\)\.(?:write_|touch|mkdir|unlink|rename)
      | \b(?:writeFile|appendFile|outputFile)(?:Sync)?\(\s*['"`](?P<c>[^'"`\n]{1,300})['"`]""",
    re.VERBOSE,
)
_WRAPPERS = frozenset(
    {"sudo", "env", "time", "nohup", "command", "exec", "builtin", "stdbuf", "nice", "xvfb-run", "timeout"}
)
_SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_SCRIPTS = frozenset({"python", "python3", "node", "deno", "ruby"})
_ALL_ARGUMENTS = frozenset(
    {"touch", "mkdir", "rm", "rmdir", "mv", "tee", "truncate", "rustfmt", "remove-item", "move-item"}
)
_FIRST_ARGUMENT = frozenset({"set-content", "add-content", "out-file", "new-item"})
_LAST_ARGUMENT = frozenset({"cp", "ln", "install", "rsync", "copy-item"})
_FORMATTERS: dict[str, set[str]] = {
    "gofmt": {"-w"}, "goimports": {"-w"}, "prettier": {"--write", "-w"}, "eslint": {"--fix"}, "shfmt": {"-w"},
    "biome": {"--write", "--apply"}, "black": set(), "isort": set(), "ruff": {"format", "--fix"},
    "clang-format": {"-i"},
}  # fmt: skip
_CHECK_ONLY = frozenset({"--check", "--diff", "-l", "--list-different", "--dry-run", "-n"})
_GIT_WRITES = frozenset(
    {"commit", "apply", "am", "mv", "rm", "merge", "rebase", "cherry-pick", "revert", "restore", "init"}
)
_PACKAGES = frozenset(
    "add remove rm uninstall install i update upgrade up init new create lock sync require dedupe version".split()
)
_MANAGERS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "uv", "poetry", "pdm", "pipenv", "bundle", "composer"), _PACKAGES),
    "cargo": frozenset({"add", "remove", "new", "init", "update", "fmt", "fix"}),
    "go": frozenset({"get", "mod", "generate", "fmt", "work"}),
    "dotnet": frozenset({"add", "new", "remove", "format"}),
    "rails": frozenset({"generate", "g", "new", "db:migrate", "destroy"}),
    "alembic": frozenset({"revision"}),
    "terraform": frozenset({"fmt"}),
    "buf": frozenset({"generate"}),
    "sqlc": frozenset({"generate"}),
    "hugo": frozenset({"new"}),
    "ng": frozenset({"generate", "g", "new", "add"}),
    "flutter": frozenset({"create", "pub"}),
    "django-admin": frozenset({"startproject", "startapp", "makemigrations"}),
    "make": frozenset({"generate", "codegen", "fmt", "format", "gen"}),
    "mix": frozenset({"phx.gen", "format", "new"}),
}
_DOWNLOADS = {"curl": frozenset({"-o", "--output"}), "wget": frozenset({"-O", "--output-document"})}
_RUNNERS = frozenset({"npx", "bunx", "pnpx", "uvx", "pipx"})
_GENERATORS = re.compile(
    r"^(?:create-|degit$|@[\w-]+/create|.*codegen|prisma$|drizzle-kit$|shadcn|cookiecutter$|copier$|ng$)"
)
_MANAGE = frozenset({"startapp", "startproject", "makemigrations", "makemessages"})
_REMOTE = frozenset({"ssh", "docker", "podman", "kubectl", "vagrant", "scp", "heroku", "fly", "gcloud", "aws", "wsl"})
_NESTING = 3


@dataclass(slots=True)
class _Segment:
    words: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)


def written_paths(command: str, cwd: str | None) -> tuple[list[str], str | None]:
    """Absolute paths that a command writes to, and the directory it ends in.

    A tool that writes where it stands (a package manager, `git commit`) counts as its directory with a slash behind.
    """
    if not _may_write(command):
        here = cwd
        for match in _CD.finditer(command):
            here = _join(here, match[1].strip("\"'"))
        return [], here
    found: list[str] = []
    here = _run(command, cwd, found, 0)
    return list(dict.fromkeys(found)), here


def _may_write(command: str) -> bool:
    lowered = command.lower()
    telling = not _TELLING.isdisjoint(_WORDS.findall(lowered)) or any(
        part in lowered for part in (">", "makem", "out-file")
    )
    return (telling or not command.isascii()) and _MAY_WRITE.search(command) is not None


def _run(command: str, cwd: str | None, found: list[str], depth: int) -> str | None:
    here = cwd
    outer: list[str | None] = []
    for part in _segments(command):
        if part == "(":
            outer.append(here)
        elif part == ")":
            here = outer.pop() if outer else here
        elif isinstance(part, _Segment):
            for target in part.targets:
                _add(found, here, target)
            here = _program(part.words, here, found, depth)
    for match in _SCRIPTED.finditer(command):
        _add(found, here, match["a"] or match["b"] or match["c"])
    return here


def _segments(command: str) -> Iterator[_Segment | str]:
    segment = _Segment()
    ends: list[str] = []
    at = 0
    redirected = False
    while at < len(command):
        match = _TOKEN.match(command, at)
        if match is None:
            return
        at = match.end()
        kind = match.lastgroup
        if kind in {"mark", "here"}:
            ends.append(match["mark"])
        elif kind == "redirect":
            redirected = True
        elif kind == "word":
            word = _unquoted(match[0])
            (segment.targets if redirected else segment.words).append(word)
            redirected = False
        elif kind in {"between", "bracket"}:
            yield segment
            segment, redirected = _Segment(), False
            if kind == "bracket":
                yield match[0]
            if match[0] == "\n":
                for end in ends:
                    at = _behind_document(command, at, end)
                ends.clear()
    yield segment


def _behind_document(command: str, at: int, end: str) -> int:
    found = re.compile(rf"^[ \t]*{re.escape(end)}[ \t]*$", re.MULTILINE).search(command, at)
    return found.end() if found else len(command)


def _unquoted(word: str) -> str:
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return _QUOTED.sub(lambda m: m[1] or m[2] or m[3] or "", word)


def _program(words: list[str], here: str | None, found: list[str], depth: int) -> str | None:  # noqa: C901, PLR0912
    while words and (
        _ASSIGNMENT.match(words[0]) or words[0] in _WRAPPERS or words[0] in {"then", "do", "else", "!", "{"}
    ):
        wrapper, words = words[0], words[1:]
        if wrapper in _WRAPPERS:
            while words and (words[0].startswith("-") or (wrapper == "timeout" and words[0][:1].isdigit())):
                words = words[1:]
    if not words:
        return here
    name = posixpath.basename(words[0]).lower().removesuffix(".exe")
    rest = words[1:]
    plain = [word for word in rest if not word.startswith("-")]
    if name in {"cd", "pushd", "set-location"}:
        return _join(here, plain[0]) if plain else here
    if name in _REMOTE:
        return here
    if name in _SHELLS and depth < _NESTING:
        script = next((rest[i + 1] for i, word in enumerate(rest[:-1]) if word in {"-c", "-lc", "-ic"}), None)
        if script:
            _run(script, here, found, depth + 1)
    elif name == "git":
        _git(rest, here, found)
    elif name in _ALL_ARGUMENTS:
        for path in plain:
            _add(found, here, path)
    elif name in _FIRST_ARGUMENT:
        _add(found, here, plain[0] if plain else None)
    elif name in _LAST_ARGUMENT:
        target = next(
            (rest[i + 1] for i, word in enumerate(rest[:-1]) if word == "-t"), plain[-1] if len(plain) > 1 else ""
        )
        if ":" not in target:
            _add(found, here, target)
    elif name in {"sed", "perl", "ruby"}:
        if any(re.match(r"-[A-Za-z]*i|--in-place", word) for word in rest):
            # The script stands first, behind `-e` or by itself.
            for path in plain[1:]:
                _add(found, here, path)
    elif name == "dd":
        for word in rest:
            if word.startswith("of="):
                _add(found, here, word[3:])
    elif name in _DOWNLOADS:
        for option, path in pairwise(rest):
            if option in _DOWNLOADS[name]:
                _add(found, here, path)
    elif name in {"patch", "unzip", "tar"}:
        _unpack(name, rest, here, found)
    elif name in _FORMATTERS:
        _format(name, rest, plain, here, found)
    elif name in _MANAGERS:
        where = next(
            (rest[i + 1] for i, word in enumerate(rest[:-1]) if word in {"-C", "--prefix", "--cwd", "--directory"}), "."
        )
        verbs = [word for word in plain if word != where]
        if verbs and (verbs[0] in _MANAGERS[name] or verbs[0].split(":")[0] in _MANAGERS[name]):
            _stand(found, here, where)
    elif name in _RUNNERS:
        if plain and _GENERATORS.match(plain[0]):
            _stand(found, here, ".")
    elif name in _SCRIPTS and plain and plain[0].endswith("manage.py") and len(plain) > 1 and plain[1] in _MANAGE:
        _stand(found, here, posixpath.dirname(plain[0]) or ".")
    return here


def _git(rest: list[str], here: str | None, found: list[str]) -> None:
    while rest[:1] and rest[0].startswith("-"):
        if rest[0] in {"-C", "-c", "--git-dir", "--work-tree"} and len(rest) > 1:
            if rest[0] in {"-C", "--work-tree"}:
                here = _join(here, rest[1])
            rest = rest[2:]
        else:
            rest = rest[1:]
    if not rest or "--dry-run" in rest or "--abort" in rest or "--check" in rest or "--stat" in rest:
        return
    verb = rest[0]
    if verb in _GIT_WRITES or (verb == "stash" and rest[1:2] in (["pop"], ["apply"])):
        where = rest[1] if verb == "init" and len(rest) > 1 and not rest[1].startswith("-") else "."
        _stand(found, here, where)


def _unpack(name: str, rest: list[str], here: str | None, found: list[str]) -> None:
    if name == "tar" and not any(re.match(r"-?[A-Za-z]*x", word) for word in rest[:1]) and "--extract" not in rest:
        return
    if name == "unzip" and "-l" in rest:
        return
    flags = {"patch": {"-d", "--directory"}, "unzip": {"-d"}, "tar": {"-C", "--directory"}}[name]
    _stand(found, here, next((rest[i + 1] for i, word in enumerate(rest[:-1]) if word in flags), "."))


def _format(name: str, rest: list[str], plain: list[str], here: str | None, found: list[str]) -> None:
    needed = _FORMATTERS[name]
    if _CHECK_ONLY.intersection(rest) or (needed and not needed.intersection(rest)):
        return
    paths = [word for word in plain if word not in {"format", "check", "."}]
    for path in paths:
        _add(found, here, path)
    if not paths:
        _stand(found, here, ".")


def _stand(found: list[str], here: str | None, where: str) -> None:
    place = _join(here, where)
    if place:
        found.append(place.rstrip("/") + "/")


def _add(found: list[str], here: str | None, path: str | None) -> None:
    if not path or path in {"-", "--"} or path.startswith("/dev/") and not path.startswith("/dev/shm/"):  # noqa: S108
        return
    open_end = re.search(r"[$*?\[{`]", path.replace("$HOME", "~", 1))
    if open_end:
        path = path.replace("$HOME", "~", 1)[: open_end.start()]
        if "/" not in path:
            if open_end[0] in "$`":
                return
            path = "./"
        path = path[: path.rindex("/") + 1]
    full = _join(here, path)
    if full:
        found.append(full + "/" if path.endswith("/") and not full.endswith("/") else full)


def _join(here: str | None, path: str) -> str | None:
    path = path.replace("${HOME}", "~", 1).replace("$HOME", "~", 1)
    if "$" in path or "`" in path:
        return None
    if path.startswith(("/", "~")):
        return posixpath.normpath(path)
    if re.match(r"[A-Za-z]:[\\/]", path):
        return path
    return posixpath.normpath(posixpath.join(here, path)) if here else None
