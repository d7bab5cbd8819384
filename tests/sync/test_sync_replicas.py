"""Random work, crashes, undos and purges on three replicas end in the same bytes, and break no rule of the store."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.sync.replicas import Replicas

_HEALTH = list(HealthCheck)


def test_three_replicas_agree_whatever_happened() -> None:
    run_state_machine_as_test(
        Replicas,
        settings=settings(max_examples=1, stateful_step_count=5, deadline=None, suppress_health_check=_HEALTH),
    )


@pytest.mark.soak
def test_three_replicas_agree_after_much_of_it() -> None:
    run_state_machine_as_test(
        Replicas, settings=settings(max_examples=60, stateful_step_count=40, deadline=None,
                                    suppress_health_check=_HEALTH)
    )  # fmt: skip
