"""The bridge that ssh runs on a table: what it says of itself, and where it looks."""

import socket
from pathlib import Path

import pytest

from firmware.maintenance import SOCKET
from firmware.maintenance.bridge import main


def test_help_says_what_it_is_and_joins_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("usage: underfelt-table-bridge [-h] [--version] [socket]")
    assert SOCKET in out


def test_an_option_that_it_does_not_have_is_no_socket(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--verbose"])
    assert ended.value.code == 2
    assert "unrecognized arguments: --verbose" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "is not a socket; name the maintenance socket of a table"),
        ("file", "is not a socket; name the maintenance socket of a table"),
        ("nope", "there is no such socket; correct the name, or start the table's firmware"),
        ("old.sock", "the table's firmware has stopped"),
    ],
)
def test_a_path_that_leads_to_no_table_is_told_as_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    (tmp_path / "file").touch()
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(tmp_path / "old.sock"))
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / name)])
    assert ended.value.code == 1
    err = capsys.readouterr().err
    assert err.startswith(f"underfelt-table-bridge: {tmp_path / name}: {said}")
