"""Compile the YAML lexicons into the JSON file that the package loads: python scripts/build_lexicon.py [--check]."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

FOLDER = Path(__file__).resolve().parent.parent / "curate" / "capture" / "lexicon"
TARGET = FOLDER / "compiled.json"


def compiled(folder: Path = FOLDER) -> str:
    """The JSON text of all lexicons in `folder`, in a fixed order."""
    yaml = YAML(typ="safe")
    classes = yaml.load((folder / "classes.yaml").read_text(encoding="utf-8"))
    others = yaml.load((folder / "others.yaml").read_text(encoding="utf-8"))
    languages: dict[str, Any] = {}
    for path in sorted(folder.glob("*.yaml")):
        if path.name in ("classes.yaml", "others.yaml"):
            continue
        data = yaml.load(path.read_text(encoding="utf-8"))
        languages[data["language"]] = data
    lines = [f'"classes":{_dump(classes)}', f'"others":{_dump(others)}']
    lines += [f'"{code}":{_dump(languages[code])}' for code in languages]
    return "{" + ",\n".join(lines) + "}\n"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> int:
    """Write the file, or with --check only tell by the exit code whether it is current."""
    text = compiled()
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8", newline="\n")
    print(f"{TARGET.name}: {len(text.encode())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
