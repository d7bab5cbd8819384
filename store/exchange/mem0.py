"""Exports of mem0: a JSON list of memories, an answer with `results`, or one memory a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from store.errors import InputError
from store.exchange.found import Entry
from store.exchange.lines import objects, split
from store.exchange.proposals import Proposal, Read

_LISTS = ("results", "memories", "data", "items")
_WORDS = ("memory", "text", "data", "content")
_PROJECTS = ("project", "repository", "repo", "app_id")


def read_export(data: bytes, name: str) -> Read:
    """Every memory as a proposal. The line of one in a list is its number there. Raises `InputError`."""
    read = Read()
    for entry in _entries(data, name):
        if entry.data is None:
            read.faults.append(entry)
            continue
        text = next((entry.data[key] for key in _WORDS if isinstance(entry.data.get(key), str)), "")
        if not text.strip():
            read.fault(entry.line, "no `memory` or `text`")
            continue
        read.proposals.append(_proposal(entry, entry.data, text.strip()))
    return read


def _entries(data: bytes, name: str) -> Iterator[Entry]:
    try:
        whole = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        whole = None
    except RecursionError:
        raise InputError(f"{name}: nested too deeply; name an export of mem0") from None
    except ValueError:
        whole = None
    if isinstance(whole, dict):
        whole = next((whole[key] for key in _LISTS if isinstance(whole.get(key), list)), [whole])
    if isinstance(whole, list):
        for number, each in enumerate(whole, 1):
            yield Entry(number, each) if isinstance(each, dict) else Entry(number, fault="not a JSON object")
        return
    found = list(objects(split(data)))
    if not any(entry.data for entry in found):
        raise InputError(f"{name}: no JSON; name an export of mem0: a list of memories, or one a line")
    yield from found


def _proposal(entry: Entry, data: dict[str, Any], text: str) -> Proposal:
    more = data.get("metadata") if isinstance(data.get("metadata"), dict) else {}
    assert isinstance(more, dict)
    known = [*(more.get(key) for key in _PROJECTS), data.get("project")]
    project = next((each for each in known if isinstance(each, str) and each.strip()), None)
    tags = data.get("categories") or more.get("categories") or more.get("tags") or []
    return Proposal(
        entry=entry,
        statement=text,
        excerpt=text,
        source=f"mem0 {data.get('id') or ''}",
        trust="agent_inference",
        intent="none",
        project=project,
        reason="as mem0 has it" if project else "mem0 does not say for which project",
        tags=tuple(tag for tag in (tags if isinstance(tags, list) else [tags]) if isinstance(tag, str)),
        agent="mem0",
        session=next((str(data[key]) for key in ("run_id", "session_id") if data.get(key)), None),
        time=next((data[key] for key in ("updated_at", "created_at") if isinstance(data.get(key), str)), None),
    )
