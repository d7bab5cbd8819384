"""A review as a list that is edited as text, like an interactive rebase: one decision a line. Pure.

    accept  9c31f2.a41e  github.com/acme/shop  use pnpm, not npm

Written from the rows as they stand, and read back against the rows as they stand then: the mark behind the dot says
which state of the row was seen.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, get_args

from curate.review.allowed import NEEDS_TARGET, why_not
from curate.review.choice import Choice, Verb
from curate.review.deciding import Sight, Wish, decide, with_bases
from curate.review.naming import spelled
from curate.review.rows import Reach, Row, Scoped
from store.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

HEADER = "# curate review list"
"""How such a file begins, so that it is told from a patch document."""

VERBS: dict[str, tuple[str, str]] = {
    "accept": ("a", "make a memory of it, or do what is proposed"),
    "reject": ("x", "turn it away; the same will not come back"),
    "later": ("s", "put it off for later"),
    "merge": ("m", "add its evidence to a memory, named as in merge:ID"),
    "supersede": ("S", "let it take the place of a memory: supersede:ID"),
    "exception": ("E", "make it an exception to a memory: exception:ID"),
    "contest": ("c", "mark the memory that it contradicts as disputed: contest:ID"),
    "skip": ("-", "leave it waiting; so does taking the line out"),
}
"""Verbs of the list: the letter that stands for each, as on the screen, and what it does."""

OTHER_NAMES: dict[str, str] = {
    "add": "accept", "reject_candidate": "reject", "defer_candidate": "later", "defer": "later", "update": "merge",
    "add_exception": "exception", "drop": "skip", "pick": "accept",
}  # fmt: skip
"""Names of ops, and those of habit, that are understood too."""

UNLESS = "unless:"
SHORTEST = 6
_LINE = re.compile(r"(?P<verb>\S+)\s+(?P<id>\S+)\s+(?P<scope>\S+)\s+(?P<statement>.*\S)\s*$")
_TITLES = {
    "conflicts": "Contradictions",
    "groups": "Said more than once",
    "singles": "Said once",
    "noise": "Likely noise",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a line."""

    line: int
    problem: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


def is_list(text: str) -> bool:
    """The text is such a list and no patch document."""
    first = text.lstrip("\ufeff").lstrip().split(None, 1)
    if not first or first[0].startswith("#"):
        return bool(first)
    name = first[0].partition(":")[0]
    return name in VERBS or name in OTHER_NAMES or any(name == letter for letter, _ in VERBS.values())


def write_list(rows: Iterable[Row], *, where: str = "") -> str:
    """The list of all that waits, with what is proposed; what policy does not preselect waits for a person's word."""
    waiting = [row for row in rows if row.kind == "candidate" and not row.hidden]
    names = short_ids([row.key for row in waiting])
    lines = [HEADER, *_explained(where)]
    for tab in ("conflicts", "groups", "singles", "noise"):
        found = [row for row in waiting if row.tab == tab]
        if not found:
            continue
        lines += ["", f"# {_TITLES[tab]}: {len(found)}"]
        for row in found:
            lines += _row(row, names[row.key])
    if not waiting:
        lines += ["", "# Nothing waits."]
    return "\n".join(lines) + "\n"


def _explained(where: str) -> list[str]:
    lines = [f"# {where}" if where else "#", "#", "# One decision a line:  VERB  ID  SCOPE  STATEMENT", "#"]
    lines += [f"#   {name + ', ' + letter:<14} {does}" for name, (letter, does) in VERBS.items()]
    return [
        *lines,
        "#",
        "# SCOPE is global, a project, several with commas, or a project and globs: github.com/acme/shop|api/**",
        "# Change the words of a statement and they are what is kept. Lines may be reordered; without its line a thing",
        "# goes on waiting. Below identity memory stands `unless:` with what would make it false; fill it in.",
        "# Nothing is written before `curate apply FILE`, which writes all of it or nothing.",
    ]


def _row(row: Row, name: str) -> list[str]:
    proposed = _verb_of(row)
    safe = row.safe and not row.needs_reading and row.scoped.reach != "unassigned"
    verb = proposed if safe or row.tab == "noise" else "skip"
    notes = []
    if verb == "skip":
        notes.append(f"proposed: {proposed}")
    if row.scoped.reach == "unassigned":
        notes.append("no project could be told: name one, or global")
    if row.reason and not row.reason.startswith("said "):
        notes.append(row.reason)
    if row.quotes > 1:
        notes.append(f"said {row.quotes} times")
    lines = [f"{verb:<9} {name}.{seen(row)} {scope_text(row.scoped)}  {row.statement}"]
    if notes:
        lines.insert(0, f"#   {one_line('; '.join(notes))}")
    if row.layer == "L1":
        lines.append(f"  {UNLESS}")
    return lines


def _verb_of(row: Row) -> str:
    verb = {
        "add": "accept", "reject_candidate": "reject", "defer_candidate": "later", "update": "merge",
        "supersede": "supersede", "add_exception": "exception", "contest": "contest",
    }.get(row.op, "accept")  # fmt: skip
    return f"{verb}:{row.records[0]}" if verb in NEEDS_TARGET and row.records else verb


def seen(row: Row) -> str:
    """Four letters that change when the row holds other candidates, or a memory beside it was changed."""
    told = "\n".join([*row.candidates, *(f"{key} {hash_}" for key, hash_ in row.bases)])
    return hashlib.sha256(told.encode()).hexdigest()[:4]


def short_ids(keys: Sequence[str]) -> dict[str, str]:
    """The end of each id, as long as it takes to tell it from the others."""
    length = SHORTEST
    while len({key[-length:] for key in keys}) < len(set(keys)):
        length += 1
    return {key: key[-length:] for key in keys}


def scope_text(scoped: Scoped) -> str:
    """A scope as one word."""
    if scoped.reach in {"global", "unassigned"}:
        return scoped.reach
    if scoped.reach == "domain":
        return "domain:" + ",".join(map(_quoted, scoped.domains))
    projects = ",".join(map(_quoted, scoped.projects))
    return f"{projects}|{','.join(map(_quoted, scoped.paths))}" if scoped.paths else projects


def scope_of(word: str) -> Scoped:
    """The scope that a word names. Raises `ValueError` with the reason."""
    if word in {"global", "unassigned"}:
        reach: Reach = "global" if word == "global" else "unassigned"
        return Scoped(reach)
    if word in get_args(Reach):
        raise ValueError(f"scope `{word}` needs a name: a project, or domain:NAME")
    if word.startswith("domain:"):
        domains = _names(word.removeprefix("domain:"))
        return Scoped("domain", domains=domains) if domains else _refuse("domain: needs a name")
    projects, bar, paths = word.partition("|")
    named, globs = _names(projects), _names(paths)
    if not named or (bar and not globs):
        raise ValueError(f"scope `{word}` names no {'path' if named else 'project'}")
    return Scoped("path" if globs else "project", named, globs)


def _refuse(why: str) -> Scoped:
    raise ValueError(why)


def _quoted(name: str) -> str:
    return re.sub(r"[\s,|%]", lambda found: "".join(f"%{byte:02x}" for byte in found[0].encode()), name)


def _names(text: str) -> tuple[str, ...]:
    from urllib.parse import unquote

    return tuple(dict.fromkeys(unquote(part) for part in text.split(",") if part))


def read_list(text: str, rows: Mapping[str, Row], *, at: str) -> tuple[dict[str, Choice], list[Fault]]:
    """The decisions of a list, by row in the order of its lines, and every line that cannot be understood."""
    reader = _Reader(rows, at)
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        try:
            if line[0].isspace() and bare.startswith(UNLESS):
                reader.unless(number, bare.removeprefix(UNLESS).strip())
            else:
                reader.line(number, bare)
        except ValueError as fault:
            reader.faults.append(Fault(number, str(fault)))
    reader.close()
    return reader.choices, sorted(reader.faults, key=lambda fault: fault.line)


class _Reader:
    def __init__(self, rows: Mapping[str, Row], at: str) -> None:
        self.rows = rows
        self.at = at
        self.choices: dict[str, Choice] = {}
        self.faults: list[Fault] = []
        self._lines: dict[str, int] = {}
        self._open: tuple[int, Row, Wish] | None = None
        self._records = any(row.kind == "record" for row in rows.values())

    def line(self, number: int, text: str) -> None:
        self.close()
        found = _LINE.match(text)
        if found is None:
            raise ValueError("expected VERB ID SCOPE STATEMENT")
        verb, target = self._verb(found["verb"])
        row = self._row(found["id"])
        if (before := self._lines.setdefault(row.key, number)) != number:
            raise ValueError(f"{found['id']} stands in line {before} already")
        if verb is None:
            return
        scoped = scope_of(found["scope"])
        words = one_line(found["statement"])
        told = {"exception": {"text": words}}.get(verb, {"statement": words if words != row.statement else None})
        if verb in {"reject", "later", "contest"}:
            told = {}
        chosen = None if scoped == row.scoped or verb in {"reject", "later", "exception", "contest"} else scoped
        self._open = (number, row, Wish(verb, target=target, scoped=chosen, **told))

    def unless(self, number: int, condition: str) -> None:
        if self._open is None:
            if condition:
                raise ValueError("`unless:` belongs below the line of identity memory that it is about")
            return
        at, row, wish = self._open
        self._open = (at, row, replace(wish, text=condition or None))

    def close(self) -> None:
        """Settle the line before, now that what stands below it is known."""
        if self._open is None:
            return
        number, row, wish = self._open
        self._open = None
        aim = wish.target or (row.records[0] if row.records and row.takes != "add" else "")
        sight = Sight(bulk=False, seen=True, read=True, records=self._records, aim=self.rows.get(aim))
        found = why_not(wish.verb, row, records=self._records) or decide(wish, row, Choice(), sight)
        if isinstance(found, str):
            problem = spelled(found, _verb_named)
            if "what would make it false" in found:
                problem = f"identity memory needs what would make it false, on a line below:  {UNLESS} WORDS"
            elif "no project could be told" in found:
                problem = "no project could be told: name one in place of `unassigned`, or global"
            self.faults.append(Fault(number, problem))
            return
        self.choices[row.key] = with_bases(found, row, self.rows, self.at)

    def _verb(self, word: str) -> tuple[Verb | None, str | None]:
        name, colon, target = word.partition(":")
        letters = {letter: verb for verb, (letter, _) in VERBS.items()}
        verb = letters.get(name) or OTHER_NAMES.get(name.casefold(), name.casefold())
        if verb not in VERBS:
            raise ValueError(f"no verb `{name}`; there are {', '.join(VERBS)}")
        if verb == "skip":
            return None, None
        if colon and verb not in NEEDS_TARGET:
            raise ValueError(f"{verb} takes no memory; `{word}` names one")
        if not colon:
            return verb, None  # type: ignore[return-value]
        return verb, self._named(target, "record", "no memory").key  # type: ignore[return-value]

    def _row(self, word: str) -> Row:
        name, dot, mark = word.partition(".")
        row = self._named(name, "candidate", "nothing that waits")
        if dot and mark != seen(row):
            raise ValueError(
                f"{name} has changed since the list was written ({len(row.candidates)} said by now); "
                f"write the list anew, or take off `.{mark}` to decide on it as it is"
            )
        return row

    def _named(self, name: str, kind: str, nothing: str) -> Row:
        if name in self.rows and self.rows[name].kind == kind:
            return self.rows[name]
        found = [
            row
            for row in self.rows.values()
            if row.kind == kind and len(name) >= 4 and any(id_.endswith(name) for id_ in (row.key, *row.candidates))
        ]
        if not found:
            raise ValueError(f"{nothing} has the id `{name}`; it may have been decided meanwhile")
        if len(found) > 1:
            raise ValueError(f"`{name}` could be {len(found)} things; write more of the id")
        return found[0]


def _verb_named(action: str) -> str:
    """What stands in a list for the key of the review."""
    return f"`{'update' if action == 'edit' else action}`"
