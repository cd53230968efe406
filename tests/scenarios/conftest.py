"""What the tests of scenarios share: a broker for each worker."""

from collections.abc import Iterator

import pytest

from sim.broker import Broker
from tests.scenarios.brokers import shared_broker


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    with shared_broker() as running:
        yield running
