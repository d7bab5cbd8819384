"""Where a captured statement holds: by the person's words, else by what kind of thing it is, else by what was changed.

Pure. The directory an agent was started in decides nothing; it only tells which repository "this repo" is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from curate.matching.places import PREFERENCE, SESSION, TURN
from store.model import Scope

_ALL = re.compile(
    r"\b(?:in|for|across|of)\s+(?:all|every|any|each)\s+(?:(?:of\s+)?(?:my|our|the|other)\s+)*(?:single\s+)?"
    r"(?:repo|repositor|project|codebase|workspace)\w*|\bacross\s+(?:(?:my|our)\s+)?(?:repo|project|codebase)\w*|"
    r"\b(?:regardless\s+of|no\s+matter)\s+(?:the|which|what)\s+(?:repo|project|codebase)\w*|"
    r"\b(?:all|every)\s+(?:of\s+)?(?:my|our)\s+(?:repo|project|codebase)\w*|\bwhatever\s+(?:the\s+)?(?:repo|project)\w*|"
    r"\bin\s+(?:allen|jedem)\s+(?:meinen\s+|unseren\s+)?(?:repo|projekt)\w*|"
    r"\bdans\s+tous\s+(?:mes|les|nos)\s+(?:d[ée]p[ôo]t|projet|repo)\w*|"
    r"\ben\s+todos\s+(?:mis|los|nuestros)\s+(?:repo|proyecto)\w*|"
    r"\bem\s+todos\s+os\s+(?:meus\s+|nossos\s+)?(?:repo|projeto)\w*|"
    r"\bin\s+tutti\s+i\s+(?:miei\s+|nostri\s+)?(?:repo|progett)\w*|\bin\s+al\s+(?:mijn|onze)\s+(?:repo|project)\w*|"
    r"\bво\s+всех\s+(?:моих\s+|наших\s+)?(?:репозитори|проект)\w*|(?:所有|全部|每个)(?:的)?(?:项目|仓库|專案)|"
    r"(?:すべて|全て|全)の?(?:リポジトリ|プロジェクト)|모든\s*(?:프로젝트|저장소|레포)",
    re.IGNORECASE,
)
_EVERYWHERE = re.compile(
    r"(?<!from )\beverywhere\b|\bglobally\b|\büberall\b|\bpartout\b|\ben\s+todas\s+partes\b|\bem\s+todo\s+lugar\b|"
    r"\bdappertutto\b|"
    r"\boveral\b|\bвезде\b|到处|どこでも|어디서나",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"\b(?:in|for|of|on|within|inside|throughout|to)\s+(?:just\s+|only\s+)?(?:this|the\s+current|our)\s+"
    r"(?:(?:whole|entire|one|git|mono)\s*)?(?:repo|repositor|project|codebase|monorepo|workspace|package|service|app\b)\w*|"
    r"\bonly\s+(?:in\s+)?here\b|\bhere\s+only\b|\bjust\s+(?:in\s+)?here\b|\bthis\s+(?:repo|repository|project|codebase|monorepo)\b|"
    r"\b(?:in|für)\s+(?:diesem|dieses|diese)\s+(?:repo|projekt)\w*|\bnur\s+hier\b|\bdans\s+ce\s+(?:d[ée]p[ôo]t|projet|repo)\w*|"
    r"\bseulement\s+ici\b|\ben\s+este\s+(?:repo|proyecto)\w*|\bs[óo]lo\s+aqu[íi]\b|\bn(?:este|esse)\s+(?:repo|projeto)\w*|"
    r"\bs[óo]\s+aqui\b|\bin\s+quest[oa]\s+(?:repo|progett)\w*|\bsolo\s+qui\b|\bin\s+(?:deze|dit)\s+(?:repo|project)\w*|"
    r"\balleen\s+hier\b|\bв\s+этом\s+(?:репозитори|проект)\w*|\bтолько\s+здесь\b|(?:这个|本|该|此)(?:项目|仓库|库)|"
    r"(?:この|本)(?:リポジトリ|プロジェクト)|이\s*(?:프로젝트|저장소|레포)",
    re.IGNORECASE,
)
_VAULT = re.compile(
    r"\b(?:in|for|inside|to)\s+(?:my|our|the)\s+obsidian(?:\s+vault)?\b|\b(?:in|for|inside)\s+my\s+vault\b",
    re.IGNORECASE,
)
_IN_PATH = re.compile(
    r"\b(?:in|under|inside|within|for|throughout|below|beneath|unter|dans|sous|en|em|nel|sotto|в|под)\s+"
    r"(?:the\s+|files?\s+(?:in|under)\s+|code\s+(?:in|under)\s+)?[`\"']?"
    r"(?P<path>(?:\./)?(?:[\w@.*-]+/)+[\w@.*-]*|(?:[\w-]+\.)+(?:py|ts|tsx|js|jsx|go|rs|java|kt|rb|php|cs|sql|css|scss|md)\b)",
    re.IGNORECASE,
)
_IN_NAMED = re.compile(
    r"\b(?:in|for|within|inside)\s+(?:the|our|my)\s+[`\"']?(?P<name>[A-Za-z0-9][\w.-]*(?:/[\w.-]+)?)[`\"']?\s+"
    r"(?:repo|repository|project|codebase)\b",
    re.IGNORECASE,
)
_DESCRIBE = frozenset(
    "whole entire same current main git local mono this that new old next other present own root parent original "
    "legacy open-source public private shared monolithic big small python rust go golang js javascript ts typescript "
    "node java kotlin swift ruby php react vue svelte angular django rails flask fastapi frontend front-end backend "
    "back-end client server web mobile ios android api app cli library sdk docs documentation test demo example sample "
    "production company work team personal side data ml infra terraform kubernetes github gitlab bitbucket".split()
)
"""Words before `repo` that say of what kind it is, not which."""
_NOT_BEFORE = re.compile(
    r"\b(?:not|except|unlike|other\s+than|as|like|same\s+as|from|outside|never)"
    r"\s*(?:we\s+do\s+|it\s+is\s+)?$",
    re.IGNORECASE,
)
_COMMON_NAMES = frozenset(
    "api web app apps docs doc test tests server client core lib libs backend frontend site src main tools "
    "scripts config data ui common shared code repo project service services infra build dev prod "
    "home work plan notes vault".split()
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known about where something was said. Ids of projects, in the order they came up."""

    turn: Sequence[str] = ()
    """Modified by the turn."""
    session: Sequence[str] = ()
    """Modified by the session up to and with the turn."""
    here: str | None = None
    """The repository of the working directory."""
    vault: str | None = None
    known: Mapping[str, str] = field(default_factory=dict)
    """Lower-case names of projects and their ids."""
    holds: Callable[[str, str], bool] = lambda project, path: True  # noqa: ARG005
    """Whether a project has a path."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Where a statement holds, and why, in words."""

    scope: Scope
    targets: tuple[str, ...]
    reason: str


def decide(statement: str, *, intent: str, hint: str, hint_is_explicit: bool, around: Surroundings) -> Decision:
    """Decide on one statement. `hint` is what the classifier took from its words: global, project or unclear."""
    found = _by_words(statement, around)
    if found is not None:
        return found
    if hint == "global" and hint_is_explicit:
        return Decision(Scope(type="global"), (), "the words ask for every project")
    if hint == "project" and hint_is_explicit:
        return _this_one(around, "the words name this project", ())
    if intent == "user_preference" or hint == "global":
        return Decision(Scope(type="global"), (), PREFERENCE)
    if around.turn:
        return _targets(around.turn, f"{TURN} {_and(around.turn)}")
    if around.session:
        return _targets(around.session, f"{SESSION} {_and(around.session)}")
    return Decision(Scope(type="project"), (), "nothing was changed up to here, so no project can be told")


def _by_words(statement: str, around: Surroundings) -> Decision | None:
    everywhere = _first(_ALL, statement)
    if everywhere:
        return Decision(Scope(type="global"), (), f'"{everywhere}" says so')
    vault = _first(_VAULT, statement)
    if vault:
        if around.vault:
            return Decision(_project(around.vault), (around.vault,), f'"{vault}" says so')
        return Decision(Scope(type="domain", domains=["vault"]), (), f'"{vault}" says so')
    paths, said = _paths(statement)
    named = _named(statement, around.known)
    if named:
        ids = tuple(dict.fromkeys(named.values()))
        inside = tuple(path for path in paths if path.removesuffix("/**").lower() not in map(str.lower, named))
        return _targets(ids, f"{_and(list(named))} named", paths=inside)
    other = _elsewhere(statement, around)
    if other:
        return Decision(_project(None, paths), (), f'"{other}" names a project that is not known yet')
    here = _first(_HERE, statement)
    if here:
        return _this_one(around, f'"{here}"', paths)
    if paths:
        return _by_path(around, said, paths)
    everywhere = _first(_EVERYWHERE, statement)
    if everywhere:
        return Decision(Scope(type="global"), (), f'"{everywhere}" says so')
    return None


def _elsewhere(statement: str, around: Surroundings) -> str | None:
    """Words that name a repository which is neither known nor, by its name, one that was worked in."""
    for match in _IN_NAMED.finditer(statement):
        name = match["name"].lower()
        near = [*around.turn, *around.session, *([around.here] if around.here else [])]
        if name in _DESCRIBE or any(name in ident.lower() for ident in near):
            continue
        if not _NOT_BEFORE.search(statement, max(0, match.start() - 30), match.start()):
            return " ".join(match[0].split())
    return None


def _first(pattern: re.Pattern[str], statement: str) -> str | None:
    for match in pattern.finditer(statement):
        if not _NOT_BEFORE.search(statement, max(0, match.start() - 30), match.start()):
            return " ".join(match[0].split())
    return None


def _this_one(around: Surroundings, said: str, paths: tuple[str, ...]) -> Decision:
    """Which repository "this" is: the one that was changed, of several the one that the agent works in, else that."""
    for changed, when in ((around.turn, "this turn"), (around.session, "this session")):
        if around.here is not None and around.here in changed:
            return _targets([around.here], f"{said}, where {when} changed files", paths=paths)
        if changed:
            return _targets(changed, f"{said}, and {when} changed {_and(changed)}", paths=paths)
    if around.here is not None:
        return _targets([around.here], f"{said}, said while working in {around.here}", paths=paths)
    return Decision(Scope(type="project", paths=list(paths)), (), f"{said}, but no project can be told")


def _by_path(around: Surroundings, said: str, paths: tuple[str, ...]) -> Decision | None:
    """Repositories that have the path; a path that none has narrows nothing."""
    for among in (around.turn, around.session, [around.here] if around.here else []):
        ids = [ident for ident in among if any(around.holds(ident, path) for path in paths)]
        if ids:
            return _targets(ids, f'"{said}" is in {_and(ids)}', paths=paths)
    return None


def _paths(statement: str) -> tuple[tuple[str, ...], str]:
    globs: list[str] = []
    said = ""
    for match in _IN_PATH.finditer(statement):
        path = match["path"].removeprefix("./").rstrip(".,")
        if (
            "//" in path
            or path.count("/") == 1
            and path.split("/")[0].lower() in {"and", "or", "i", "a", "ci", "he", "she"}
        ):
            continue
        said = said or " ".join(match[0].split())
        globs.append(_glob(path))
    return tuple(dict.fromkeys(globs))[:5], said


def _glob(path: str) -> str:
    last = path.rstrip("/").rpartition("/")[2]
    if "*" in last:
        return path
    if "." in last.lstrip(".") and not path.endswith("/"):
        return path if "/" in path else f"**/{path}"
    return f"{path.rstrip('/')}/**"


def _named(statement: str, known: Mapping[str, str]) -> dict[str, str]:
    """Known projects that the statement names as a place, by the name it uses."""
    lower = statement.lower()
    found: dict[str, str] = {}
    for name, ident in known.items():
        if name not in lower:
            continue
        for match in re.finditer(rf"(?<![\w/.@-]){re.escape(name)}(?![\w/@-]|\.\w)", lower):
            if _is_place(lower, match.start(), match.end(), name, known):
                found[statement[match.start() : match.end()]] = ident
                break
    return found


def _is_place(lower: str, start: int, end: int, name: str, known: Mapping[str, str]) -> bool:
    before, after = lower[max(0, start - 40) : start].rstrip("`'\" "), lower[end : end + 30].lstrip("`'\"")
    preposition = re.search(
        r"(?:^|\b)(?:in|for|inside|within|on|and|or|to|of|,)(?:\s+(?:the|our|my|both|all))?$", before
    )
    if not preposition or _NOT_BEFORE.search(before[: preposition.start()]):
        return False
    if re.match(r"\s*(?:repo|repositor|project|codebase)", after) or "/" in name:
        return True
    joined = re.search(r"(?:\s(?:and|or)|,)(?:\s+(?:in|for))?(?:\s+the)?$", before)
    if joined and any(before[: joined.start()].endswith(other) for other in known if other not in _COMMON_NAMES):
        return True
    if preposition[0].split()[0] in {"and", "or", ",", "to", "of"}:
        return False
    ends = re.match(
        r"\s*(?:$|[,.;:!?)—–-]|(?:and|or|we|use|always|never|please|don't|do|the|only|it|you|there|run)\b)", after
    )
    return name not in _COMMON_NAMES and ends is not None


def _targets(ids: Sequence[str], reason: str, *, paths: Sequence[str] = ()) -> Decision:
    targets = tuple(dict.fromkeys(ids))
    return Decision(_project(targets[0] if len(targets) == 1 else None, paths), targets, reason)


def _project(ident: str | None, paths: Sequence[str] = ()) -> Scope:
    return Scope(type="project", project=ident, paths=list(paths))


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
