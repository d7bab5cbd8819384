"""Which of its hooks Copilot lets speak to the model, by version: data, and how it is read. Standard library only.

Measured with the released versions. A version that is not in the table gets every channel: a turn told twice is
better than one not told at all.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PROMPT = "userpromptsubmitted"
TOOL = "posttooluse"
START = "sessionstart"

CHANNELS: tuple[tuple[tuple[int, int, int], tuple[int, int, int], tuple[str, ...]], ...] = (
    ((1, 0, 11), (1, 0, 50), (START,)),
    ((1, 0, 50), (1, 0, 65), (TOOL,)),
    ((1, 0, 65), (1, 1, 0), (PROMPT,)),
)
"""From this version, to before that one: where `additionalContext` arrived."""
EVERY = (PROMPT, TOOL)
"""For a version that nobody has measured."""
VARIABLE = "COPILOT_CLI_BINARY_VERSION"
"""In the surroundings of every hook that Copilot runs."""
OVERRIDE = "CURATE_COPILOT_CHANNELS"
"""Names of events, with commas between, that a person insists on; `none` for silence."""


def channels(version: str | None) -> tuple[str, ...]:
    """Where to speak in this version, `1.0.65` or longer; None when it is not known."""
    number = parsed(version)
    if number is not None:
        for first, beyond, where in CHANNELS:
            if first <= number < beyond:
                return where
    return EVERY


def here(env: Mapping[str, str]) -> tuple[str, ...]:
    """Where to speak in the Copilot that runs this hook."""
    named = env.get(OVERRIDE)
    if named is not None:
        return tuple("".join(char for char in word.lower() if char.isalnum()) for word in named.split(","))
    return channels(env.get(VARIABLE))


def parsed(version: str | None) -> tuple[int, int, int] | None:
    """The three numbers of a version, whatever stands around them."""
    for word in (version or "").replace("-", " ").replace("+", " ").split():
        numbers = word.strip("v.,()").split(".")
        if len(numbers) >= 3 and all(each.isascii() and each.isdigit() and len(each) < 9 for each in numbers[:3]):
            return int(numbers[0]), int(numbers[1]), int(numbers[2])
    return None
