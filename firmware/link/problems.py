"""Says what keeps a table from its broker: power, cable, name or certificate.

The people at the table see the sentence; so it names the broker, and what matters to the
person who has to fix it: no answer, no route, the wrong certificate.
"""

import errno
import re
import socket
import ssl

import aiomqtt

from firmware.errors import BadInput
from firmware.link.settings import BrokerAddress
from firmware.protocol.link_problems import LinkProblem, LinkProblemCode

_REASON = re.compile(r"\[SSL: ([A-Z0-9_]+)\]")

_REFUSED = "the broker at {broker} refused this table's certificate: "
_ALERTS: dict[str, tuple[LinkProblemCode, str]] = {
    "UNKNOWN_CA": ("table_certificate", f"{_REFUSED}it does not know who signed it"),
    "CERTIFICATE_EXPIRED": ("table_certificate", f"{_REFUSED}it has expired"),
    "CERTIFICATE_REVOKED": ("table_certificate", f"{_REFUSED}it was revoked"),
    "BAD_CERTIFICATE": ("table_certificate", f"{_REFUSED}it is damaged"),
    "UNSUPPORTED_CERTIFICATE": ("table_certificate", f"{_REFUSED}it is not a client certificate"),
    "CERTIFICATE_UNKNOWN": ("table_certificate", f"{_REFUSED}it cannot be accepted"),
    "DECRYPT_ERROR": ("table_certificate", f"{_REFUSED}its signature is wrong"),
    "ACCESS_DENIED": ("table_certificate", f"{_REFUSED}it is not allowed to connect"),
    "CERTIFICATE_REQUIRED": (
        "table_certificate",
        "the broker at {broker} wants a certificate from this table: set certificate and key",
    ),
    "HANDSHAKE_FAILURE": (
        "tls",
        (
            "the broker at {broker} broke off the TLS handshake: it may want a certificate"
            " from this table, or another version of TLS"
        ),
    ),
    "PROTOCOL_VERSION": (
        "tls",
        "the broker at {broker} and this table have no version of TLS in common",
    ),
    "UNSUPPORTED_PROTOCOL": (
        "tls",
        "the broker at {broker} speaks only a version of TLS that is too old",
    ),
    "WRONG_VERSION_NUMBER": (
        "broken_off",
        "the broker at {broker} does not speak TLS there: check the port",
    ),
    "PACKET_LENGTH": (
        "broken_off",
        "the broker at {broker} does not speak TLS there: check the port",
    ),
}
"""What TLS says in an alert or error; the end of the name decides, its start is a version."""

_EXPIRED, _NOT_YET_VALID, _OTHER_NAME, _OTHER_ADDRESS = 10, 9, 62, 64
_BROKER_SHOWS = {
    _EXPIRED: "the certificate of the broker at {broker} has expired",
    _NOT_YET_VALID: (
        "the certificate of the broker at {broker} is not valid yet: check the table's clock"
    ),
    _OTHER_NAME: "the broker at {broker} shows a certificate for another name",
    _OTHER_ADDRESS: "the broker at {broker} shows a certificate for another name",
}

_BROKEN_OFF = "the broker at {broker} broke off: check whether it expects TLS on this port"
_NO_ANSWER = "Operation timed out"
"""What aiomqtt says when a broker has not answered in time."""
_NO_ROUTE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
_BAD_VERSION = (1, 132)
"""A broker's answer, in MQTT 3.1.1 and 5, to a version that it does not speak."""


def problem_of(
    error: Exception, broker: BrokerAddress, tls_said: str = "", *, connected: bool = False
) -> LinkProblem:
    """Say why a broker could not be connected, or, if it was `connected`, how it was lost.

    `tls_said` is what paho logged in the meantime: an alert that comes after the handshake
    is found nowhere else.
    """
    if isinstance(error, BadInput):
        return LinkProblem("settings", str(error))
    # aiomqtt raises its own error, with the socket's as its context.
    cause = error.__context__ if isinstance(error, aiomqtt.MqttError) else error
    alert = _REASON.search(tls_said)
    if isinstance(cause, ssl.SSLError):
        return _of_tls(cause, broker)
    if alert is not None:
        return _of_alert(alert[1], broker)
    if str(error) == _NO_ANSWER and not connected:
        words = f"no broker answers at {broker} (it accepts connections but says nothing)"
        return LinkProblem("no_answer", words)
    if isinstance(cause, OSError):
        return _of_socket(cause, broker)
    return _of_mqtt(error, broker)


def _of_tls(error: ssl.SSLError, broker: BrokerAddress) -> LinkProblem:
    if isinstance(error, ssl.SSLCertVerificationError):
        other = f"the broker at {broker} shows a certificate that `ca` has not signed"
        words = _BROKER_SHOWS.get(error.verify_code, other).format(broker=broker)
        return LinkProblem("broker_certificate", words)
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return LinkProblem("broken_off", _BROKEN_OFF.format(broker=broker))
    return _of_alert(error.reason or str(error), broker)


def _of_alert(reason: str, broker: BrokerAddress) -> LinkProblem:
    for name, (code, sentence) in _ALERTS.items():
        if name in reason:
            return LinkProblem(code, sentence.format(broker=broker))
    words = f"TLS with the broker at {broker} failed ({reason.replace('_', ' ').lower()})"
    return LinkProblem("tls", words)


def _of_socket(error: OSError, broker: BrokerAddress) -> LinkProblem:
    if isinstance(error, socket.gaierror):
        words = f"the name {broker.host} is not known: check its spelling and the name server"
        return LinkProblem("name_unknown", words)
    if isinstance(error, ConnectionResetError):
        return LinkProblem("broken_off", _BROKEN_OFF.format(broker=broker))
    why = (error.strerror or str(error)).lower()
    if isinstance(error, TimeoutError):
        why = "timed out"
    elif error.errno in _NO_ROUTE:
        why = "no route to it: check the cable and the network"
    return LinkProblem("no_answer", f"no broker answers at {broker} ({why})")


def _of_mqtt(error: Exception, broker: BrokerAddress) -> LinkProblem:
    if isinstance(error, UnicodeError):
        # The library's error for a name with two dots in a row, for example.
        words = f"{broker.host!r} is not a valid host name: correct host"
        return LinkProblem("name_unknown", words)
    if isinstance(error, ClosedAtOnce):
        words = f"the broker at {broker} closed the connection at once: {error}"
        return LinkProblem("broken_off", words)
    if isinstance(error, ControllerSilent):
        words = f"the broker at {broker} answers but the jackpot controller is silent"
        return LinkProblem("controller_silent", words)
    if isinstance(error, NotAllowed):
        words = f"the broker at {broker} does not let this table {error}"
        return LinkProblem("not_allowed", words)
    if isinstance(error, aiomqtt.exceptions.MqttConnectError):
        return LinkProblem("refused", _refusal(error, broker))
    return LinkProblem("lost", f"the broker at {broker} was lost ({_without_number(error)})")


def _refusal(error: aiomqtt.exceptions.MqttConnectError, broker: BrokerAddress) -> str:
    code = error.rc if isinstance(error.rc, int) or error.rc is None else error.rc.value
    if code in _BAD_VERSION:
        return f"the broker at {broker} does not speak this version of MQTT: set protocol"
    return f"the broker at {broker} refused this table ({_without_number(error)})"


def _without_number(error: Exception) -> str:
    """Return aiomqtt's message without its number."""
    return re.sub(r"^\[code:\S+\] ", "", str(error)).rstrip(".").lower()


class ClosedAtOnce(aiomqtt.MqttError):
    """A connection that was closed before the broker answered."""


class NotAllowed(aiomqtt.MqttError):
    """A topic that the broker keeps from this table; the text completes "does not let it"."""


class ControllerSilent(aiomqtt.MqttError):
    """A broker that is left because no controller is heard on it."""
