"""The bridge that ssh runs on a table: what it says of itself, and where it looks."""

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
