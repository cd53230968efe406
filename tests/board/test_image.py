"""The image: the same bytes wherever it is built, nothing of this machine in it, all notices beside it."""

import shutil
from collections.abc import Callable
from pathlib import Path

from sim.pico import uf2
from sim.pico.image import FOLDER, PROJECT, Image, build_image
from tests.board.table import Table

STORAGE_AT = (2048 - 1408) * 1024
"""Behind this offset in the flash are the session and the files."""
HOLDERS = (
    "Damien P. George",  # MicroPython
    "Raspberry Pi (Trading) Ltd",
    "Ha Thach",  # TinyUSB
    "The littlefs authors",
    "ChaN",  # the FAT file system
    "Joergen Ibsen",  # inflate
    "Brad Conte",  # SHA-256
    "Sun Microsystems",  # mathematics
    "Red Hat",  # newlib
    "GCC RUNTIME LIBRARY EXCEPTION",
    "Underfelt",
)


def test_two_folders_give_the_same_bytes(image: Image) -> None:
    again = FOLDER.with_name("spot-board-again")
    _take_sources(FOLDER, again)
    other = build_image(again)
    assert other.uf2.read_bytes() == image.uf2.read_bytes()
    assert other.licences.read_bytes() == image.licences.read_bytes()


def _take_sources(folder: Path, again: Path) -> None:
    """Copy the sources, which are the same by their hashes; what is made of them is made anew."""
    stamp = (folder / "sources.stamp").read_text(encoding="ascii")
    copied = again / "sources.stamp"
    if copied.is_file() and copied.read_text(encoding="ascii") == stamp:
        return
    shutil.rmtree(again, ignore_errors=True)
    shutil.copytree(folder / "sources", again / "sources", symlinks=True)
    copied.write_text(stamp, encoding="ascii")


def test_nothing_of_this_machine_is_in_it(flash: bytes) -> None:
    for words in (str(PROJECT), str(Path.home()) + "/", "/usr/"):
        assert words.encode() not in flash


def test_it_leaves_the_session_and_the_files_alone(
    flash: bytes, measured: Callable[[str], None]
) -> None:
    measured(f"image: {len(flash):,} bytes of the {STORAGE_AT:,} before the storage")
    assert len(flash) <= STORAGE_AT


def test_the_notices_name_everybody_whose_work_is_in_it(image: Image) -> None:
    text = image.licences.read_text(encoding="utf-8")
    assert [name for name in HOLDERS if name.lower() not in text.lower()] == []


def test_the_greeting_names_the_program_that_was_frozen_in(image: Image, table: Table) -> None:
    assert table.program == f"frozen:{image.program[:12]}"


def test_a_damaged_file_is_not_taken_for_an_image(image: Image) -> None:
    data = image.uf2.read_bytes()
    for damaged in (data[:-1], data[512:], b"\x00" * 512):
        try:
            uf2.decode(damaged)
        except ValueError:
            continue
        raise AssertionError("a damaged file was read")
