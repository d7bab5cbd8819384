"""When each agent last called, and how long that took: one small file for each, for `curate doctor`. Standard library
only; nothing of what was said.
"""

from __future__ import annotations

import os

FOLDER = "logs/fired"
PROMPT = "prompt"
END = "end"


def note(root: str, agent: str, kind: str, milliseconds: float) -> None:
    """Note a call that just ended, in a store that is there. What cannot be written is left."""
    name = "".join(char for char in agent.lower() if char.isascii() and (char.isalnum() or char == "-"))[:24]
    if not name:
        return
    path = f"{root}/{FOLDER}/{name}.{kind}"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except FileNotFoundError:
        if not os.path.isdir(root):
            return
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        except OSError:
            return
    except OSError:
        return
    try:
        os.write(descriptor, b"%d\n" % milliseconds)
    except OSError:
        return
    finally:
        os.close(descriptor)


def last(root: str, agent: str, kind: str) -> tuple[float, int] | None:
    """When an agent last called so, in seconds since 1970, and how many milliseconds that took; None: never."""
    path = f"{root}/{FOLDER}/{agent}.{kind}"
    try:
        moment = os.stat(path).st_mtime
        with open(path, "rb") as file:
            text = file.read(20).strip()
    except OSError:
        return None
    return moment, int(text) if text.isdigit() else 0
