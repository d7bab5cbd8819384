"""The service does what its description says, for requests that a machine thinks up from it."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from curate.service.app import make_app

TOKEN = "a-token-for-the-tests"


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> object:
    app = make_app(tmp_path_factory.mktemp("served") / "store", token=TOKEN, heard=lambda _: {})
    return schemathesis.openapi.from_asgi("/openapi.json", app)


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()
@settings(max_examples=8, suppress_health_check=list(HealthCheck), derandomize=True)
def test_every_answer_is_one_that_is_described(case: schemathesis.Case) -> None:
    case.call_and_validate(headers={"Authorization": f"Bearer {TOKEN}"})
