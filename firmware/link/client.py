"""The MQTT client of the link: aiomqtt as the settings want it, with four gaps filled.

aiomqtt waits out its whole time limit when a broker closes a connection before answering,
and it ignores what a broker says to a publication. Both matter for what the technician is
told. And it lets the event loop write to a socket that has since been closed, which fails in
the loop, where nobody knows that it was only the link. And it tells an event loop of its sockets
that has ended: a table that is stopped while it connects ends before the thread that connects.
`tests/link/` fails if a new aiomqtt no longer has these methods.
"""

import logging
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import aiomqtt
from paho.mqtt.client import Client as Paho
from paho.mqtt.client import DisconnectFlags
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from firmware.link.problems import ClosedAtOnce
from firmware.link.settings import BrokerAddress, LinkSettings

LARGEST_BYTES = 64 * 1024
"""Far longer than any message on this link."""
_ENVELOPE_BYTES = 1024
# Small messages would otherwise wait for each other's acknowledgements in the kernel.
_NODELAY = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)
_NOT_AUTHORISED = 0x87
_KEEPALIVE_S = 5
_log = logging.getLogger(__name__)


class LinkClient(aiomqtt.Client):
    """One connection to one broker."""

    def __init__(
        self,
        settings: LinkSettings,
        broker: BrokerAddress,
        identifier: str,
        will: aiomqtt.Will | None,
        tls: ssl.SSLContext | None,
    ) -> None:
        self.heard = _Heard()
        five = settings.protocol == "5"
        logger = logging.Logger(__name__)  # noqa: LOG001  # one for each connection
        logger.addHandler(self.heard)
        super().__init__(
            broker.host,
            broker.port,
            identifier=identifier,
            protocol=aiomqtt.ProtocolVersion.V5 if five else aiomqtt.ProtocolVersion.V311,
            properties=_largest() if five else None,
            will=will,
            logger=logger,
            tls_context=tls,
            timeout=settings.overdue_s,
            keepalive=_KEEPALIVE_S,
            socket_options=_NODELAY,
        )
        self.pending_calls_threshold = 2 * settings.window
        self.not_allowed = False
        """Whether the broker, in MQTT 5, has refused a publication."""
        self._speaks_tls = tls is not None

    def _on_disconnect(
        self,
        client: Paho,
        userdata: Any,  # noqa: ANN401  # paho's
        flags: DisconnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        if self._connected.cancelled():
            return  # Nobody is waiting for this connection any more.
        if not self._connected.done():
            hint = "it gave no reason"
            if not self._speaks_tls:
                hint = "if it wants TLS, set ca, certificate and key"
            self._connected.set_exception(ClosedAtOnce(hint))
            # Anyone still waiting hears of it; if nobody is, it does not matter.
            self._connected.exception()
        super()._on_disconnect(client, userdata, flags, reason_code, properties)
        if self._disconnected.done() and not self._disconnected.cancelled():
            # The same: a loss that nobody waits for is not a failure of the event loop.
            self._disconnected.exception()

    def _on_socket_register_write(
        self,
        client: Paho,
        userdata: Any,  # noqa: ANN401, ARG002  # paho's
        sock: Any,  # noqa: ANN401  # a socket, with or without TLS
    ) -> None:
        with self._unless_ended():
            self._loop.call_soon_threadsafe(self._write_while_open, client, sock)

    def _on_socket_open(
        self,
        client: Paho,
        userdata: Any,  # noqa: ANN401  # paho's
        sock: Any,  # noqa: ANN401  # a socket, with or without TLS
    ) -> None:
        with self._unless_ended():
            super()._on_socket_open(client, userdata, sock)

    def _on_socket_close(
        self,
        client: Paho,
        userdata: Any,  # noqa: ANN401  # paho's
        sock: Any,  # noqa: ANN401  # a socket, with or without TLS
    ) -> None:
        with self._unless_ended():
            super()._on_socket_close(client, userdata, sock)

    def _on_socket_unregister_write(
        self,
        client: Paho,
        userdata: Any,  # noqa: ANN401  # paho's
        sock: Any,  # noqa: ANN401  # a socket, with or without TLS
    ) -> None:
        with self._unless_ended():
            super()._on_socket_unregister_write(client, userdata, sock)

    @contextmanager
    def _unless_ended(self) -> Iterator[None]:
        """Tell the event loop something; one that has ended has no use for it."""
        try:
            yield
        except RuntimeError:
            if not self._loop.is_closed():
                raise

    def _write_while_open(self, client: Paho, sock: Any) -> None:  # noqa: ANN401  # the same
        """Let the loop write to a socket, unless it has been closed in the meantime."""
        if sock.fileno() >= 0:
            self._loop.add_writer(sock.fileno(), self._write, client)

    def _write(self, client: Paho) -> None:
        try:
            client.loop_write()
        except Exception as error:  # noqa: BLE001  # in any case the connection is broken
            if not self._disconnected.done():
                self._disconnected.set_exception(error)

    def _on_publish(
        self,
        client: Paho,
        userdata: Any,  # noqa: ANN401  # paho's
        mid: int,
        reason_code: ReasonCode,
        properties: Properties,
    ) -> None:
        self.not_allowed |= reason_code.value == _NOT_AUTHORISED
        super()._on_publish(client, userdata, mid, reason_code, properties)


class _Heard(logging.Handler):
    """Keeps the last error that paho has logged: a TLS alert is found nowhere else."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.said = record.getMessage()
        _log.debug("%s", self.said)


def _largest() -> Properties:
    """Ask a broker that speaks MQTT 5 to keep longer messages to itself."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's
    properties.MaximumPacketSize = LARGEST_BYTES + _ENVELOPE_BYTES
    return properties
