"""Whether a path lies within a glob of a scope (`packages/api/**`). Standard library only, without regular
expressions.
"""

from __future__ import annotations


def within(glob: str, path: str) -> bool:
    """Whether a path, relative to the repository, matches a glob: `*` and `?` within a name, `**` across folders.

    A glob without wildcard names a file or a whole folder.
    """
    wanted = _parts(glob)
    if wanted and "*" not in glob and "?" not in glob:
        wanted.append("**")
    return _match(wanted, _parts(path))


def folder_within(glob: str, folder: str) -> bool | None:
    """The same for a folder that is worked in; None when it cannot tell (the glob may match files in it and
    elsewhere).
    """
    fixed = []
    for part in _parts(glob):
        if "*" in part or "?" in part:
            break
        fixed.append(part)
    here = _parts(folder)
    shared = min(len(fixed), len(here))
    if here[:shared] != fixed[:shared]:
        return False
    if len(here) < len(fixed) or not fixed:
        return None
    return True


def _parts(path: str) -> list[str]:
    return [part for part in path.replace("\\", "/").split("/") if part not in {"", "."}]


def _match(wanted: list[str], parts: list[str]) -> bool:
    """Whole names, one after the other, with what can be matched remembered so that `**` never costs more than a
    table.
    """
    reach = {0}
    for part in wanted:
        if part == "**":
            reach = set(range(min(reach), len(parts) + 1)) if reach else reach
        else:
            reach = {at + 1 for at in reach if at < len(parts) and _name(part, parts[at])}
        if not reach:
            return False
    return len(parts) in reach


def _name(pattern: str, name: str) -> bool:
    reach = {0}
    for char in pattern:
        if char == "*":
            reach = set(range(min(reach), len(name) + 1))
        else:
            reach = {at + 1 for at in reach if at < len(name) and (char == "?" or name[at] == char)}
        if not reach:
            return False
    return len(name) in reach
