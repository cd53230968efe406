"""The broker that scenarios of one worker share; each scenario has a root of its own on it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path


@contextmanager
def shared_broker() -> Iterator[Broker]:
    """Run the real broker where it is installed, the embedded one elsewhere."""
    kind = EmbeddedBroker if mosquitto_path() is None else Mosquitto
    with tempfile.TemporaryDirectory(prefix="underfelt-") as folder, kind(Path(folder)) as broker:
        yield broker
