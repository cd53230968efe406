"""Where MicroPython comes from, and what is said where it cannot be had."""

from pathlib import Path

import pytest

from sim.emulator.steps import BuildError
from sim.spot_board import interpreter


@pytest.fixture
def nothing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make as if nothing was fetched yet and this machine had no apt; give the folder that is cached in."""
    monkeypatch.setattr(interpreter, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(interpreter, "_FETCHED", tmp_path / "cache/micropython")
    monkeypatch.setattr(interpreter, "UNITTEST", tmp_path / "cache/unittest")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path


def own(folder: Path, version: str) -> None:
    """Put a MicroPython of some version into the path."""
    file = folder / "bin/micropython"
    file.write_text(f"#!/bin/sh\necho '{version}'\n", encoding="ascii")
    file.chmod(0o755)


def test_where_it_cannot_be_had_one_sentence_says_so_and_nothing_is_left_behind(
    nothing_there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BuildError) as raised:
        interpreter.find()
    assert str(raised.value) == (
        "micropython cannot be had here: this machine has no apt, and no micropython in its path"
    )
    assert list((nothing_there / "cache").iterdir()) == []
    assert interpreter.here() is None
    capsys.readouterr()


@pytest.mark.parametrize(
    ("version", "is_taken"), [("(1, 25, 0, '')", True), ("(1, 26)", True), ("(1, 22, 1)", False)]
)
def test_the_machine_s_own_is_taken_if_it_is_new_enough(
    nothing_there: Path, version: str, *, is_taken: bool
) -> None:
    own(nothing_there, version)
    found = interpreter.here()
    assert (found is not None) == is_taken
    if found is not None:
        assert found.runs("program.py", "1") == [
            *(str(nothing_there / "bin/micropython"), "-X", "heapsize=240k", "program.py", "1")
        ]


def test_a_file_with_another_hash_is_refused(
    nothing_there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(*words: str | Path, **_: object) -> str:
        (Path(words[-1]) / "micropython-unittest-0.4.tar.gz").write_bytes(b"another")
        return ""

    monkeypatch.setattr(interpreter, "run_program", download)
    with pytest.raises(BuildError, match="its hash is another one"):
        interpreter.find_unittest()
    assert list((nothing_there / "cache").iterdir()) == []
