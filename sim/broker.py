"""MQTT brokers to develop and test with, each a child process on a loopback port.

`EmbeddedBroker` is amqtt and needs nothing installed: MQTT 3.1.1, keeps nothing on disk.
`Mosquitto` is the real thing where it is installed. On neither is there TLS, and anyone may
connect. `SecureMosquitto` is set up as a casino's broker is, with the very files of
`hw/broker/`. Each ends with whoever started it, even if that was killed.

    with EmbeddedBroker(folder) as broker:
        connect("127.0.0.1", broker.port)
"""

import argparse
import asyncio
import logging
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sim import lifeline

HOST = "127.0.0.1"
SETTINGS = Path(__file__).parent.parent / "hw" / "broker"
_STARTED_WITHIN_S = 60.0
_STOPPED_WITHIN_S = 10.0
_PORTS = (15_000, 32_000)
_random = random.SystemRandom()
_kept: list[socket.socket] = []
"""What keeps the ports of this process."""


class Broker:
    """A broker in its own process; it keeps its port through every restart."""

    def __init__(self, folder: Path) -> None:
        """Choose a port; what the broker writes goes into the folder."""
        self.folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process and wait until it takes connections."""
        if self._process is not None:
            raise ValueError("this broker is running already")
        with (self.folder / "broker.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  # our own command
                self._command(),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                # Control-C is for the parent, which then stops its broker last.
                process_group=0,
            )
        try:
            self._wait_until_started(self._process)
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """End the process in order, if there is one."""
        if self._process is None:
            return
        self._ask_to_end(self._process)
        try:
            self._process.wait(_STOPPED_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._reap()

    def send_signal(self, number: int) -> None:
        """Send the process a signal, such as those that stop and continue it."""
        if self._process is not None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """End the process as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._reap()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _ask_to_end(self, process: subprocess.Popen[bytes]) -> None:
        raise NotImplementedError

    def _wait_until_started(self, process: subprocess.Popen[bytes]) -> None:
        give_up_at = time.monotonic() + _STARTED_WITHIN_S
        while not _takes_connections(self.port):
            if process.poll() is not None or time.monotonic() > give_up_at:
                name, log = type(self).__name__, self.folder / "broker.log"
                raise ChildProcessError(f"{name} did not start on port {self.port}; see {log}")
            time.sleep(0.02)

    def _reap(self) -> None:
        if self._process is not None:
            self._process.wait()
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process = None


class EmbeddedBroker(Broker):
    """The amqtt broker, run by this file."""

    def _command(self) -> list[str]:
        return [sys.executable, "-m", "sim.broker", "--port", str(self.port)]

    def _ask_to_end(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is not None:
            process.stdin.close()


class Mosquitto(Broker):
    """The Mosquitto installed on this machine."""

    def _command(self) -> list[str]:
        path = mosquitto_path()
        if path is None:
            raise FileNotFoundError("mosquitto is not installed")
        settings = self._settings()
        if os.geteuid() == 0:
            # It would switch to another user, who may not write to the folder.
            settings.append("user root")
        config = self.folder / "mosquitto.conf"
        config.write_text("\n".join(settings) + "\n", encoding="utf-8")
        return lifeline.program(path, "-c", str(config))

    def _settings(self) -> list[str]:
        return [
            f"listener {self.port} {HOST}",
            "allow_anonymous true",
            "set_tcp_nodelay true",
            # As in hw/broker/: a floor that comes back says a lot at once.
            "max_queued_messages 100000",
            "persistence true",
            f"persistence_location {self.folder}/",
            "log_dest stderr",
        ]

    def _ask_to_end(self, process: subprocess.Popen[bytes]) -> None:
        process.terminate()


class SecureMosquitto(Mosquitto):
    """Mosquitto with TLS, certificates and ACL, as `hw/broker/` sets it up.

    The folder has to hold `ca.crt`, `crl.pem`, `broker.crt` and `broker.key` before it is started.
    """

    def __init__(self, folder: Path, root: str = "underfelt") -> None:
        super().__init__(folder)
        self._root = root

    def _settings(self) -> list[str]:
        rights = (SETTINGS / "acl").read_text(encoding="utf-8")
        rights = rights.replace("underfelt/", f"{self._root}/")
        (self.folder / "acl").write_text(rights, encoding="utf-8")
        text = (SETTINGS / "underfelt.conf").read_text(encoding="utf-8")
        text = text.replace("listener 8883", f"listener {self.port} {HOST}")
        text = text.replace("/etc/mosquitto/underfelt/", f"{self.folder}/")
        return [*text.splitlines(), f"persistence_location {self.folder}/", "log_dest stderr"]


def mosquitto_path() -> str | None:
    """Find Mosquitto; Debian puts it in a folder that only root has on its path."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def free_port() -> int:
    """Find a loopback port that nobody uses, and keep it for this process until it ends.

    It may be used much later, and again after a pause, so it is below those that the kernel
    gives to outgoing connections. A name that only one process can hold, and that the kernel
    takes back from a dead one, keeps other simulators away.
    """
    while True:
        port = _random.randrange(*_PORTS)
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0underfelt-sim-port-{port}")
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((HOST, port))
        except OSError:
            name.close()
            continue
        _kept.append(name)
        return port


def _takes_connections(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


def main() -> None:
    """Run the embedded broker until standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m sim.broker", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    # To amqtt a connection closed without a word, such as `start` makes to see whether the
    # broker is up, is an error; only what ends the broker is of interest here.
    logging.basicConfig(level=logging.CRITICAL)
    asyncio.run(_serve(parser.parse_args().port))


async def _serve(port: int) -> None:
    # Only the child needs amqtt, which takes longer to import than everything else here.
    from amqtt.broker import Broker as Amqtt  # noqa: PLC0415

    config = {
        "listeners": {"default": {"type": "tcp", "bind": f"{HOST}:{port}"}},
        # Naming the plugins leaves out those that log every packet and fill $SYS.
        "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
    }

    class OwnRetained(Amqtt):  # type: ignore[misc]  # amqtt has no types
        """Gives a client what is retained for its own subscriptions.

        amqtt gives whoever connects what is retained for those of all others, too.
        """

        async def _publish_retained_messages_for_subscription(
            self,
            subscription: tuple[str, int],
            session: Any,  # noqa: ANN401  # amqtt's
        ) -> None:
            holders = self.subscriptions.get(subscription[0], [])
            if any(each.client_id == session.client_id for each, _ in holders):
                await super()._publish_retained_messages_for_subscription(subscription, session)

    broker = OwnRetained(config)
    await broker.start()
    end = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(end), sys.stdin)
    await end.read()
    # Nobody is left to see to it that it ends: it does so even if the shutdown hangs.
    signal.alarm(int(_STOPPED_WITHIN_S))
    await broker.shutdown()


if __name__ == "__main__":
    main()
