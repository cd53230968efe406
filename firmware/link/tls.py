"""TLS for the link: the files named in the settings, checked before connecting.

The broker must show a certificate signed by `ca` for its own name; the table shows its own,
made out to the table's name, because that is how the broker knows it.
"""

import hmac
import ssl
import stat
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from firmware.errors import BadInput
from firmware.link.settings import LinkSettings

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class CertificateIdentity(Struct, frozen=True):
    """Whose a certificate is, and until when."""

    name: str
    expires: datetime


def client_id(table: str, unit: str, key: str | None) -> str:
    """Name a connection so that nobody else can take its place.

    A broker cuts off whoever has the client id of a newcomer. So with a private key the id is
    made from it: known to no other table. `unit` tells those of one table apart: a second one
    must not cut off the first, but be refused by the controller.
    """
    if key is None:
        return f"underfelt-{table}-{unit}"
    secret = sha256(_file("link.key", key).read_bytes()).digest()
    return f"underfelt-{table}-{hmac.new(secret, unit.encode(), sha256).hexdigest()[:32]}"


def client_context(
    settings: LinkSettings, table: str | None = None
) -> tuple[ssl.SSLContext, CertificateIdentity | None]:
    """Make what a connection needs, or say which file is wrong and what to do.

    There is no identity if the table has no certificate, or one that its own clock does not
    accept; on that the broker has the last word. Without a table, as for a controller, any
    name will do.
    """
    ca = _file("link.ca", settings.ca or "")
    # Made by hand: the library's default context would trust every authority of the system too.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(ca)
    except ssl.SSLError:
        raise BadInput("link.ca", f"{ca} contains no certificate") from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if settings.certificate is None or settings.key is None:
        return context, None
    certificate = _file("link.certificate", settings.certificate)
    key = _private("link.key", settings.key)
    load_own(context, certificate, key)
    identity = own_identity(certificate, key)
    if identity is not None and table is not None and identity.name != table:
        raise BadInput(
            "link.certificate",
            f"{certificate} is made out to {identity.name!r}, but this table is {table!r}",
        )
    return context, identity


def load_own(context: ssl.SSLContext, certificate: Path, key: Path) -> None:
    """Load the table's own certificate and key; the key must not need a password."""
    try:
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise BadInput("link.key", f"{key} does not belong to {certificate}") from None
        raise BadInput(
            "link.certificate",
            f"{certificate} and {key} are not a certificate and its unencrypted key",
        ) from None


def own_identity(certificate: Path, key: Path) -> CertificateIdentity | None:
    """Read our own certificate as a peer would see it, by a handshake in memory.

    Python's library shows the contents of a certificate only to the peer.
    """
    shows = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    shows.check_hostname, shows.verify_mode = False, ssl.CERT_NONE
    looks = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    looks.verify_mode = ssl.CERT_REQUIRED
    # The certificate is trusted whoever signed it: the broker judges that.
    looks.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    looks.load_verify_locations(certificate)
    for context in (shows, looks):
        load_own(context, certificate, key)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = shows.wrap_bio(back, there)
    server = looks.wrap_bio(there, back, server_side=True)
    try:
        for side in (client, server, client, server):
            _go_on(side)
    except ssl.SSLError:
        return None
    return _identity(server.getpeercert() or {})


def _go_on(side: ssl.SSLObject) -> None:
    try:
        side.do_handshake()
    except ssl.SSLWantReadError:
        return


def _identity(seen: object) -> CertificateIdentity | None:
    """Find the name and the expiry date in the library's form of a certificate."""
    match seen:
        case {"subject": subject, "notAfter": str(expires)}:
            names = [value for part in subject for kind, value in part if kind == "commonName"]
            at = datetime.fromtimestamp(ssl.cert_time_to_seconds(expires), UTC)
            return CertificateIdentity(names[-1] if names else "", at)
    return None


def _file(field: str, name: str) -> Path:
    path = Path(name)
    try:
        with path.open("rb"):
            return path
    except OSError as error:
        raise BadInput(field, f"{path} cannot be read: {error.strerror}") from None


def _private(field: str, name: str) -> Path:
    path = _file(field, name)
    if path.stat().st_mode & _OTHERS:
        raise BadInput(field, f"{path} is readable by others than its owner: run chmod 600 {path}")
    return path
