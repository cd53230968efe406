"""How the simulator's own parts reach a broker, by the options `--broker`, `--ca` and so on.

They are those of a table's section `[link]`, and the connection is a table's too: one broker
after another is tried, with TLS where it is asked for. The floor, the stand-in controller and
the conformance kit share them; the options themselves are in `link_options.py`.
"""

import argparse
import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Annotated

import aiomqtt
import msgspec
from msgspec import Meta
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.link.client import LinkClient
from firmware.link.settings import BrokerAddress, LinkSettings, Root
from firmware.link.tls import client_context, client_id
from firmware.rules.bounds import MOST_WORD_CHARACTERS
from firmware.shell.command_line import shown

_ADDRESS = re.compile(
    r"(?:(?P<scheme>mqtts?)://)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^/:@?#\s]+)(?::(?P<port>[0-9]{1,5}))?/?"
)
_PORTS = {"mqtt": 1883, "mqtts": 8883}
_ANY_NUMBER = 1_000
"""How many publications may wait for their receipts before aiomqtt warns."""


def link_settings(options: argparse.Namespace, brokers: Sequence[str], root: str) -> LinkSettings:
    """Make the settings of a link from its options; several brokers are tried in turn."""
    secure = {url.startswith("mqtts://") for url in brokers}
    if secure == {True, False}:
        raise BadInput("--broker", "either all brokers speak TLS (mqtts://) or none does")
    if secure == {True} and not options.ca:
        raise BadInput("--ca", "is missing: the authority that the mqtts:// broker is checked by")
    if secure == {False} and options.ca:
        raise BadInput("--ca", "needs a mqtts:// broker")
    try:
        msgspec.convert(root, Annotated[Root, Meta(max_length=MOST_WORD_CHARACTERS)])
    except msgspec.ValidationError:
        wanted = f"at most {MOST_WORD_CHARACTERS} letters, digits, - and _ between /"
        raise BadInput("--root", f"{shown(root)} is not {wanted}") from None
    first, *others = (_address(url) for url in brokers)
    try:
        return LinkSettings(
            host=first.host,
            port=first.port,
            fallback=tuple(others),
            protocol=options.protocol,
            root=root,
            ca=options.ca,
            certificate=options.certificate,
            key=options.key,
        )
    except ValueError as error:
        raise BadInput("--certificate", str(error)) from None


def named(link: LinkSettings, name: str) -> LinkSettings:
    """Return the settings of one client: its own certificate and key."""
    if link.certificate is None or link.key is None:
        return link
    certificate, key = (each.replace("{name}", name) for each in (link.certificate, link.key))
    return replace(link, certificate=certificate, key=key)


def as_options(link: LinkSettings) -> list[str]:
    """Return the options that make these settings."""
    scheme = "mqtt" if link.ca is None else "mqtts"
    given: Mapping[str, str | None] = {
        "--ca": link.ca,
        "--certificate": link.certificate,
        "--key": link.key,
        "--protocol": link.protocol,
        "--root": link.root,
    }
    brokers = [f"--broker={scheme}://{_url_host(each)}:{each.port}" for each in link.brokers]
    return brokers + [f"{name}={value}" for name, value in given.items() if value]


@asynccontextmanager
async def connected(
    link: LinkSettings, broker: BrokerAddress, name: str, will: aiomqtt.Will | None = None
) -> AsyncIterator[LinkClient]:
    """Connect to one broker under a client id of this name; its certificates are read afresh."""
    tls = None
    if link.ca is not None:
        tls, _ = await asyncio.to_thread(client_context, link)
    client = LinkClient(link, broker, client_id(name, link.root, link.key), will, tls)
    client.pending_calls_threshold = _ANY_NUMBER
    async with client:
        yield client


def _url_host(broker: BrokerAddress) -> str:
    return f"[{broker.host}]" if ":" in broker.host else broker.host


def _address(url: str) -> BrokerAddress:
    """Read mqtt://host, mqtt://host:port, mqtts://host:port or host:port."""
    found = _ADDRESS.fullmatch(url)
    port = int(found["port"] or _PORTS[found["scheme"] or "mqtt"]) if found else 0
    known = found is not None and _is_host(found["host"]) and 0 < port < 2**16
    if found is None or not known or not (found["scheme"] or found["port"]):
        wanted = "is not an address such as mqtt://host:1883 or mqtts://host:8883"
        raise BadInput("--broker", f"{shown(url)} {wanted}")
    return BrokerAddress(host=found["host"].strip("[]"), port=port)


def _is_host(name: str) -> bool:
    """Return whether a name can be looked up at all: the resolver raises if it cannot be written."""
    try:
        name.encode("idna")
    except UnicodeError:
        return False
    return True
