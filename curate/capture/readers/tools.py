"""What a tool call touches, from its name and arguments, in the spellings of all agents."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_READ = frozenset({"read", "view", "read_file", "read_many_files", "notebookread", "cat", "open_file"})
_WRITE = frozenset(
    {
        "edit", "write", "multiedit", "notebookedit", "create", "str_replace", "str_replace_editor", "insert",
        "edit_file", "write_file", "create_file", "replace", "search_replace", "str_replace_based_edit_tool",
        "delete_file", "write_to_file", "replace_in_file", "replace_string_in_file", "insert_edit_into_file",
    }
)  # fmt: skip
_PATCH = frozenset({"apply_patch", "patch", "applypatch"})
_SHELL = frozenset(
    {
        "bash", "shell", "exec_command", "local_shell", "run_shell_command", "powershell", "container.exec",
        "run_terminal_cmd", "run_in_terminal", "execute_command", "shell_command", "unified_exec",
    }
)  # fmt: skip

_PATHS = ("file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "filename", "file", "paths")
_COMMANDS = ("command", "cmd", "script")
_PATCHES = ("input", "patch", "patchText", "patch_text", "diff")
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$", re.MULTILINE)


class Touched(NamedTuple):
    """Files read and written and commands run by one tool call."""

    read: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


NOTHING = Touched()


def touched(name: str, arguments: Any) -> Touched:
    """What the tool `name` touches when it is called with these arguments."""
    name = name.lower()
    if isinstance(arguments, str):
        return Touched(written=patched(arguments)) if name in _PATCH else NOTHING
    if not isinstance(arguments, dict):
        return NOTHING
    if name in _READ:
        return Touched(read=_paths(arguments))
    if name in _WRITE:
        if arguments.get("command") == "view":
            return Touched(read=_paths(arguments))
        return Touched(written=_paths(arguments))
    if name in _SHELL:
        return shell(next((arguments[key] for key in _COMMANDS if key in arguments), None))
    if name in _PATCH:
        text = next((arguments[key] for key in _PATCHES if isinstance(arguments.get(key), str)), "")
        return Touched(written=patched(text))
    inner = arguments.get("tool")
    if isinstance(inner, str) and inner != name:
        # A tool that passes another one on, such as one that runs it on another machine.
        return touched(inner, {key: value for key, value in arguments.items() if key != "tool"})
    return NOTHING


def shell(command: Any) -> Touched:
    """A command that was run: a string, or a list of arguments such as `bash -lc "…"`."""
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        wrapped = len(words) >= 3 and words[1] in {"-lc", "-c", "-ic", "-Command"}
        command = words[2] if wrapped else " ".join(words)
    if not isinstance(command, str) or not command.strip():
        return NOTHING
    written = patched(command) if "apply_patch" in command else ()
    return Touched(written=written, commands=(command,))


def patched(text: str) -> tuple[str, ...]:
    """Files that a patch in the `*** Begin Patch` format adds, changes, moves or deletes."""
    return tuple(dict.fromkeys(_PATCHED.findall(text))) if "*** " in text else ()


def _paths(arguments: dict[str, Any]) -> tuple[str, ...]:
    for key in _PATHS:
        value = arguments.get(key)
        given = value if isinstance(value, list) else [value]
        if found := [path for path in given if isinstance(path, str) and path.strip() and len(path) < 4096]:
            return tuple(dict.fromkeys(found))
    return ()
