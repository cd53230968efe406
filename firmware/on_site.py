"""What a table file names, on the machine itself: certificates, journal folder, ports.

The firmware checks certificates and folder before it starts; a port may come and go, which
is the business of `devices/`. `underfelt check --here` checks all three.
"""

import os
from pathlib import Path

from firmware.config import Config
from firmware.errors import BadInput
from firmware.link.tls import client_context


def check(config: Config) -> None:
    """Check what must be there before the firmware starts."""
    check_certificates(config)
    check_journal(config)


def check_certificates(config: Config) -> None:
    """Check that the files of the link's TLS can be read and belong together."""
    if config.link.ca is None:
        return
    try:
        client_context(config.link, config.table.name)
    except BadInput as error:
        remedy = "put the right file there, or correct the key"
        raise BadInput(str(config.path), f"{error}; {remedy}") from None


def check_journal(config: Config) -> None:
    """Check that the folder of the journal is there and can be written."""
    folder = Path(config.journal)
    if not folder.is_dir():
        remedy = f"create it with 'mkdir -p {folder}', or correct the key"
        raise BadInput(str(config.path), f"journal: there is no folder {folder}; {remedy}")
    if not os.access(folder, os.W_OK | os.X_OK):
        remedy = "give it to the user of the service with chown"
        raise BadInput(str(config.path), f"journal: {folder} cannot be written; {remedy}")


def check_ports(config: Config) -> None:
    """Check that every serial port is there and can be opened."""
    for device in ("cards", "panel", "sign"):
        port = getattr(config.serial, device)
        if port is None:
            continue
        if not Path(port).exists():
            remedy = "plug its adapter in, or name its port under [serial]"
            raise BadInput(str(config.path), f"serial.{device}: there is no {port}; {remedy}")
        if not os.access(port, os.R_OK | os.W_OK):
            remedy = "add this user to the group dialout"
            raise BadInput(str(config.path), f"serial.{device}: {port} may not be used; {remedy}")
