"""Where the store is, told with the standard library alone: the hook runs without the packages of the environment."""

from __future__ import annotations

import os
import sys


def root_of(home: str | None, folder: str) -> str:
    """The root that `--home`, `$CURATE_HOME`, a local store above `folder`, or the user's data folder names, in that
    order.
    """
    named = home or os.environ.get("CURATE_HOME")
    if named:
        return os.path.abspath(os.path.expanduser(named))
    here = os.path.abspath(folder)
    while True:
        if os.path.isfile(os.path.join(here, ".curate", "config.yaml")):
            return os.path.join(here, ".curate")
        above = os.path.dirname(here)
        if above == here:
            return os.path.abspath(_user_data())
        here = above


def _user_data() -> str:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
        return os.path.join(local, "curate")
    named = os.environ.get("XDG_DATA_HOME", "").strip()
    if sys.platform == "darwin":
        return os.path.join(named or os.path.expanduser("~/Library/Application Support"), "curate")
    return os.path.join(named or os.path.expanduser("~/.local/share"), "curate")
