"""Certificates for the tests: a floor as `hw/broker/make-certificates` makes it, and worse ones."""

import shutil
import ssl
import subprocess
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sim.broker import HOST, SETTINGS


def make(folder: Path, kind: str, *names: str) -> None:
    """Make certificates with the script that is shipped."""
    subprocess.run(
        [SETTINGS / "make-certificates", folder, kind, *names], check=True, capture_output=True
    )


def floor(folder: Path) -> Path:
    """Make an authority, the broker's certificate, the controller's and those of two tables."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl not installed")
    make(folder, "broker", HOST)
    make(folder, "client", "controller", "T1", "T2")
    return folder


def expired(folder: Path, name: str) -> None:
    """Make a certificate of the folder's authority that was good until yesterday."""
    authority = x509.load_pem_x509_certificate((folder / "ca.crt").read_bytes())
    authority_key = serialization.load_pem_private_key((folder / "ca.key").read_bytes(), None)
    assert isinstance(authority_key, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(authority.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - timedelta(days=30))
        .not_valid_after(today - timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))]), False)  # noqa: FBT003  # its own order
        .sign(authority_key, hashes.SHA256())
    )
    (folder / f"{name}.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / f"{name}.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
    )
    (folder / f"{name}.key").chmod(0o600)


def shown(folder: Path, name: str) -> dict[str, Any]:
    """Give the settings of a link that shows a certificate of the folder."""
    return {
        "ca": str(folder / "ca.crt"),
        "certificate": str(folder / f"{name}.crt"),
        "key": str(folder / f"{name}.key"),
    }


def context(folder: Path, name: str) -> ssl.SSLContext:
    """Give what any other client needs to show a certificate of the folder."""
    made = ssl.create_default_context(cafile=folder / "ca.crt")
    made.load_cert_chain(folder / f"{name}.crt", folder / f"{name}.key")
    return made
