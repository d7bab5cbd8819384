"""Why an endpoint gave nothing that can be used."""

from __future__ import annotations


class NoAnswer(Exception):
    """One call came to nothing. `reason` is for people and holds nothing of what was sent.

    `of_endpoint` tells a fault that the next session would meet too (it is down, it refuses) from one of this answer
    (no JSON, too long). `wait` is for how many seconds the endpoint asked to be left alone.
    """

    def __init__(self, reason: str, *, of_endpoint: bool, wait: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.of_endpoint = of_endpoint
        self.wait = wait


def unreachable(reason: str, wait: float | None = None) -> NoAnswer:
    """The endpoint is down, slow, or says no."""
    return NoAnswer(reason, of_endpoint=True, wait=wait)


def useless(reason: str) -> NoAnswer:
    """The endpoint answered, with something that is no answer."""
    return NoAnswer(reason, of_endpoint=False)
