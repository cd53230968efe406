"""What a table file names, on the machine itself: certificates, journal folder, ports.

The firmware checks certificates and folder before it starts; a port may come and go, which
is the business of `devices/`. `underfelt check --here` checks all three.
"""

import os
import ssl
from pathlib import Path

from firmware.config import Config
from firmware.errors import BadInput

TLS_FILES = ("ca", "certificate", "key")


def check(config: Config) -> None:
    """Check what must be there before the firmware starts."""
    check_certificates(config)
    check_journal(config)


def check_certificates(config: Config) -> None:
    """Check that the files of the link's TLS can be read and belong together."""
    files: dict[str, str] = {}
    for key in TLS_FILES:
        name = getattr(config.link, key, None)
        if name is not None:
            _check_readable(config, f"link.{key}", Path(name))
            files[key] = name
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if "ca" in files:
        try:
            context.load_verify_locations(files["ca"])
        except ssl.SSLError:
            raise _bad(config, "link.ca", f"{files['ca']} holds no certificate in PEM") from None
    if {"certificate", "key"} <= files.keys():
        try:
            context.load_cert_chain(files["certificate"], files["key"], password="")
        except ssl.SSLError:
            reason = f"{files['certificate']} and {files['key']} are no certificate with its key"
            raise _bad(config, "link.certificate", reason) from None


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


def _check_readable(config: Config, key: str, path: Path) -> None:
    try:
        with path.open("rb"):
            return
    except OSError as error:
        raise _bad(config, key, f"{path} cannot be read: {error.strerror}") from None


def _bad(config: Config, key: str, reason: str) -> BadInput:
    return BadInput(
        str(config.path), f"{key}: {reason}; put the right file there, or correct the key"
    )
