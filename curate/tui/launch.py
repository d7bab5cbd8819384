"""Opening the review on a store: its settings, and what is left behind when it breaks."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from curate.tui.app import CurateApp

SWITCH = 0.001
"""Seconds after which a working thread gives way: a key must not wait for the store's thread for longer."""


PAGES = {"explain": "explain", "vault": "pages", "audit": "audit", "upkeep": "upkeep", "history": "history"}
"""Pages that can be asked for by name, and the action that opens each."""


def run(store_root: Path, *, demo: bool = False, page: str | None = None) -> int:
    """Open the review on a store, with a page on top, until the reader leaves it; gives the exit code.

    When the app breaks the terminal is put right first; then one line says where the log is.
    """
    sys.setswitchinterval(SWITCH)
    app = CurateApp(store_root, demo=demo, first=PAGES[page] if page else None, **_settings(store_root))
    try:
        code = app.run()
    finally:
        app.close()
    if app.broken is not None:
        path = _write_crash(store_root, app.broken)
        print(f"curate broke; your decisions are saved; the log is {path}", file=sys.stderr)  # noqa: T201
        return 2
    return code if code is not None else 0


def _settings(root: Path) -> dict[str, Any]:
    """Theme and keys from the settings of the store."""
    from store.config import Config
    from store.layout import CONFIG

    config = Config.load(root / CONFIG)
    keys = dict(config.section("keys"))
    return {
        "theme": os.environ.get("CURATE_THEME") or config.section("screen").get("theme"),
        "preset": str(keys.pop("preset", None) or "vim"),
        "keys": keys,
    }


def _write_crash(root: Path, fault: BaseException) -> Path:
    import tempfile
    import traceback

    text = "".join(traceback.format_exception(fault))
    for folder in (root / "reports", Path(tempfile.gettempdir())):
        path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        except OSError:
            continue
        return path
    return Path(os.devnull)
