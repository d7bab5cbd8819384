"""How an observation, a digest or an entity is told in one line: its gist, and a preview that holds all it contributes.

What is indexed is the preview, so a change of this policy needs another `PREVIEW_VERSION`: then everything is indexed
anew although no line of a log changed. Standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.knowledge.lines import DIGESTS, ENTITIES, OBSERVATIONS, texts
from store.text import shorten

if TYPE_CHECKING:
    from store.knowledge.lines import Item

PREVIEW = 1200
"""Characters of one item: the decisive fact of a long text often stands behind its first 500."""
PREVIEW_VERSION = 4
"""Of the rule below."""
GIST = 160


def preview(tier: str, item: Item) -> tuple[str, str]:
    """The gist, and the preview that begins with it; both empty for what tells nothing (or no more)."""
    if item.get("gone"):
        return "", ""
    gist, parts = _TOLD[tier](item)
    gist = shorten(gist, GIST)
    return (gist, shorten(". ".join((gist.rstrip("."), *parts)), PREVIEW)) if gist else ("", "")


def _observation(item: Item) -> tuple[str, list[str]]:
    asked = next(iter(texts(item, "asked")), "")
    done = _done(item, [asked])
    if asked:
        # The whole of it: the gist may have been cut.
        return asked, [*([asked] if len(asked) > GIST else []), *done]
    return (done[0], done[1:]) if done else ("", [])


def _digest(item: Item) -> tuple[str, list[str]]:
    turns = item.get("turns")
    asked = texts(item, "asked")
    size = f"{turns} turns" if turns != 1 else "1 turn"
    if item.get("kind") == "day":
        sessions = item.get("sessions")
        count = f"{sessions} sessions" if sessions != 1 else "1 session"
        gist = f"{item.get('day')} in {item.get('name') or item.get('project')}: {count}, {size}"
    elif asked:
        gist = f"Session of {size}: {asked[0]}"
    else:
        gist = f"Session of {size}"
    told = 1 if item.get("kind") != "day" and len(gist) <= GIST else 0  # what the gist holds whole
    parts = _done(item, asked[:told])
    if not parts and not asked:
        return "", []
    stated = set(texts(item, "decisions", "corrections"))
    asked = [text for text in asked[told:] if text not in stated]
    if asked:
        parts.append("Asked: " + " / ".join(asked))
    return gist, parts


def _entity(item: Item) -> tuple[str, list[str]]:
    name = next(iter(texts(item, "name")), "")
    if not name:
        return "", []
    given = item.get("relations")
    relations = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    of = [str(one.get("name")) for one in relations if one.get("type") == "part_of"]
    around = [str(one.get("name")) for one in relations if one.get("type") == "submodule_of"]
    needs = [str(one.get("name")) for one in relations if one.get("type") == "depends_on"]
    has = [str(one.get("name")) for one in relations if one.get("type") == "has"]
    path = next(iter(texts(item, "path")), "")
    what = f"component of {of[0]}" if of else str(item.get("kind"))
    parts = texts(item, "description")
    for lead, names in (("Submodule of", around), ("Depends on", needs), ("Has", has), ("Uses", texts(item, "uses"))):
        if names:
            parts.append(f"{lead}: {', '.join(names)}")
    return f"{name}, {what}{f' in {path}' if path else ''}", [part.rstrip(".") for part in parts]


def _done(item: Item, said: list[str]) -> list[str]:
    """What came of it, without the statements that what was `said` holds already."""
    parts = []
    for lead, name, between in (
        ("Decided", "decisions", "; "), ("Corrected", "corrections", "; "), ("Committed", "commits", "; "),
        ("Changed", "files", ", "), ("Ran", "commands", "; "),
    ):  # fmt: skip
        found = texts(item, name)
        if name in {"decisions", "corrections"}:
            found = [text for text in found if not any(text in each for each in said)]
        if found:
            more = item.get("more_files") if name == "files" else 0
            parts.append(f"{lead}: {between.join(found)}{f' and {more} more' if more else ''}".rstrip("."))
    return parts


_TOLD = {OBSERVATIONS: _observation, DIGESTS: _digest, ENTITIES: _entity}
