"""What a table file names on the machine: certificates, journal folder, ports, and the program.

The certificate and the keys below were made for these tests and are used nowhere else.
"""

import os
import pty
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from firmware.errors import BadInput, SelfTestFailed
from firmware.link.settings import LinkSettings
from firmware.rules import hand_tables
from firmware.settings import machine_checks
from firmware.settings.table_file import TableFile, load
from tests.settings.bad_table_files import GOOD

CERTIFICATE = """-----BEGIN CERTIFICATE-----
MIIBcTCCARegAwIBAgIUVc3MixlpAIfGbyRsmdERxXTcwy8wCgYIKoZIzj0EAwIw
DTELMAkGA1UEAwwCVDEwIBcNMjYxMTE3MTI1MzQ5WhgPMjEyNjEwMjQxMjUzNDla
MA0xCzAJBgNVBAMMAlQxMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE+bAVs6+Q
kESV6zPPGe8AC6gNR336rFtAgjyrSZaA7XDOnSRnDvvXFjH9LiIVZcPyWSBVV5nF
o5B999b8OhC2QqNTMFEwHQYDVR0OBBYEFFsl13uHY1bARzPcK4yK6PJz5m1qMB8G
A1UdIwQYMBaAFFsl13uHY1bARzPcK4yK6PJz5m1qMA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDSAAwRQIhAL9WAsLbE1qQ5eotskkGm3vXmQHqg1ivVbeEnqZ6
mrmgAiAl2LkcSyvVkfKqtJGcGzVFTcF1nGWDclVOErYBZMmIJA==
-----END CERTIFICATE-----
"""
KEY = """-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxAgLDlr0zD8JIQtP
AADx4UA207iV7IpzQzWr5it5kN2hRANCAAT5sBWzr5CQRJXrM88Z7wALqA1Hffqs
W0CCPKtJloDtcM6dJGcO+9cWMf0uIhVlw/JZIFVXmcWjkH331vw6ELZC
-----END PRIVATE KEY-----
"""
REMEDY = "put the right file there, or correct the key"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Write a table file whose journal folder is there."""
    path = tmp_path / "T1.toml"
    path.write_text(GOOD.replace("/var/lib/underfelt", str(tmp_path)), encoding="utf-8")
    return path


def with_tls(path: Path, **files: str) -> TableFile:
    """Write files beside the table file, and name them in the link's settings."""
    file = load(path)
    for key, text in files.items():
        if text:
            path.with_name(f"{key}.pem").write_text(text, encoding="utf-8")
            path.with_name(f"{key}.pem").chmod(0o600)
    names = {key: str(path.with_name(f"{key}.pem")) for key in files}
    link = msgspec.convert({"host": file.link.host, **names}, LinkSettings)
    return msgspec.structs.replace(file, link=link)


def complaint(path: Path, file: TableFile) -> str:
    """Check what cannot be accepted, and give the sentence after the file's name."""
    with pytest.raises(BadInput) as caught:
        machine_checks.check_before_start(path, file)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_link_without_tls_needs_no_file(path: Path) -> None:
    machine_checks.check_before_start(path, load(path))


def test_files_that_belong_together_are_accepted(path: Path) -> None:
    file = with_tls(path, ca=CERTIFICATE, certificate=CERTIFICATE, key=KEY)
    machine_checks.check_before_start(path, file)


@pytest.mark.parametrize("key", ["ca", "certificate", "key"])
def test_a_file_that_is_not_there_is_named(path: Path, key: str) -> None:
    missing = path.with_name(f"{key}.pem")
    files = {"ca": CERTIFICATE, "certificate": CERTIFICATE, "key": KEY}
    assert complaint(path, with_tls(path, **(files | {key: ""}))) == (
        f"link.{key}: {missing} cannot be read: No such file or directory; {REMEDY}"
    )


def test_what_is_wrong_with_a_file_is_told_in_the_words_of_the_link(path: Path) -> None:
    wrong = path.with_name("ca.pem")
    assert complaint(path, with_tls(path, ca=KEY)) == (
        f"link.ca: {wrong} contains no certificate; {REMEDY}"
    )


def test_a_journal_that_is_a_file_is_no_folder(path: Path) -> None:
    wrong = msgspec.structs.replace(load(path), journal=str(path))
    assert complaint(path, wrong) == (
        f"journal: there is no folder {path}; create it with 'mkdir -p {path}', or correct the key"
    )


def test_a_port_that_is_not_there_is_named(path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        machine_checks.check_ports(path, load(path))
    assert str(caught.value) == (
        f"{path}: serial.cards: there is no /dev/underfelt/cards;"
        " plug its adapter in, or name its port under [serial]"
    )


@pytest.mark.parametrize(
    ("waits", "reason"),
    [
        (
            False,
            "there is no /dev/nowhere; plug the spot board in, or name its port under [serial]",
        ),
        (
            True,
            "there is no /dev/nowhere, but a Pico waits in BOOTSEL without a program:"
            " run 'underfelt board flash'",
        ),
    ],
)
def test_a_spot_board_that_is_not_there_is_named_with_what_would_help(
    path: Path,
    waits: bool,  # noqa: FBT001  # whether a Pico waits in BOOTSEL
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine_checks, "pico_waits", lambda: waits)
    file = load(path)
    serial = msgspec.structs.replace(
        file.serial, cards=None, panel=None, sign=None, spots="/dev/nowhere"
    )
    with pytest.raises(BadInput) as caught:
        machine_checks.check_ports(path, msgspec.structs.replace(file, serial=serial))
    assert str(caught.value) == f"{path}: serial.spots: {reason}"


def test_ports_that_are_there_are_accepted(path: Path) -> None:
    pairs = [pty.openpty() for _ in range(2)]
    panel, sign = (os.ttyname(far) for _, far in pairs)
    # No port for cards, as at a table without a reader.
    file = load(path)
    serial = msgspec.structs.replace(file.serial, cards=None, panel=panel, sign=sign)
    machine_checks.check_ports(path, msgspec.structs.replace(file, serial=serial))
    for end in chain.from_iterable(pairs):
        os.close(end)


# The program itself


def test_the_tables_of_the_evaluator_are_those_that_were_released() -> None:
    machine_checks.check_hand_tables()


def test_a_changed_table_of_the_evaluator_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = bytearray(hand_tables.FILE.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path = tmp_path / "hand_tables.bin"
    path.write_bytes(damaged)
    monkeypatch.setattr(hand_tables, "FILE", path)
    with pytest.raises(SelfTestFailed) as caught:
        machine_checks.check_hand_tables()
    assert str(caught.value) == f"{path}: is damaged; reinstall the software"
