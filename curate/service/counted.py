"""What the service counts of itself, as Prometheus reads it. No text of anybody is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from collections.abc import Mapping

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
"""Seconds; two is where clients give up."""


class Counted:
    """The counters of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "curate_requests", "Requests by endpoint and status.", ["endpoint", "method", "status"],
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "curate_request_seconds", "How long they took.", ["endpoint"], buckets=BUCKETS, registry=self._registry
        )
        self._injected = Counter(
            "curate_injected_entries", "Memories given to turns.", ["layout"], registry=self._registry
        )
        self._silent = Counter("curate_silent_turns", "Turns given nothing.", ["layout"], registry=self._registry)
        self._memories = Gauge("curate_memories", "Records and candidates by status.", ["status"],
                               registry=self._registry)  # fmt: skip

    def request(self, endpoint: str, method: str, status: int, seconds: float) -> None:
        """One request was answered."""
        self._requests.labels(endpoint, method, str(status)).inc()
        self._seconds.labels(endpoint).observe(seconds)

    def turn(self, layout: str, entries: int) -> None:
        """One turn was planned."""
        if entries:
            self._injected.labels(layout).inc(entries)
        else:
            self._silent.labels(layout).inc()

    def exposition(self, memories: Mapping[str, int]) -> bytes:
        """The text that a scraper reads."""
        for status, number in memories.items():
            self._memories.labels(status).set(number)
        return generate_latest(self._registry)
