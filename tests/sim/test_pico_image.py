"""What the spot board's image is put together from, as far as it takes no compiler.

The image itself, and the board that runs it, are tested in `tests/board/`.
"""

import hashlib
from pathlib import Path

import pytest

from sim.emulator.steps import BuildError
from sim.pico import notices, sources, uf2
from sim.pico.image import RECIPE, program_digest, program_files


def test_a_program_comes_back_from_its_uf2_with_blocks_filled_up() -> None:
    program = bytes(range(256)) * 3 + b"end"
    data = uf2.encode(program)
    assert len(data) == 4 * uf2.BLOCK
    assert uf2.decode(data) == program.ljust(1024, b"\x00")


@pytest.mark.parametrize("cut", [slice(None, -1), slice(uf2.BLOCK, None), slice(8, 8 + uf2.BLOCK)])
def test_a_part_of_an_image_is_no_image(cut: slice) -> None:
    with pytest.raises(ValueError, match="block"):
        uf2.decode(uf2.encode(bytes(1024))[cut])


def test_every_source_is_pinned_by_its_version_and_its_hash() -> None:
    recipe = sources.read_recipe(RECIPE)
    assert {each.package for each in recipe.sources} >= {"micropython", "pico-sdk-source"}
    assert all(
        len(bytes.fromhex(each.sha256)) == hashlib.sha256().digest_size for each in recipe.sources
    )
    assert all(each.version.partition("-")[0] in each.file for each in recipe.sources)


def test_the_program_has_the_same_digest_wherever_it_lies(tmp_path: Path) -> None:
    files = program_files()
    copies = {}
    for name, file in files.items():
        copies[name] = tmp_path / name
        copies[name].parent.mkdir(parents=True, exist_ok=True)
        copies[name].write_bytes(file.read_bytes())
    assert program_digest(copies) == program_digest(files)
    copies["firmware/spot_board/main.py"].write_text("", encoding="utf-8")
    assert program_digest(copies) != program_digest(files)


def test_every_module_that_the_board_imports_is_frozen_in() -> None:
    names = set(program_files())
    assert {"firmware/devices/sensing.py", "firmware/spot_board/start.py"} <= names
    assert {name.rpartition("/")[0] for name in names} == {
        "firmware",
        "firmware/devices",
        "firmware/spot_board",
    }


def test_a_notice_is_said_once_under_all_who_hold_a_copyright_with_it(tmp_path: Path) -> None:
    wording = "Do with it what you like."
    for name in ("Ada", "Bob"):
        (tmp_path / f"{name}.c").write_text(
            f"/*\n * Copyright (c) 2020 {name}\n * {wording}\n */\n"
        )
    (tmp_path / "none.c").write_text("/* Nobody's. */\n// 2020\n")
    (said,) = notices.gather(sorted(tmp_path.glob("*.c")))
    assert said.count(wording) == 1
    assert "2020 Ada\nCopyright (c) 2020 Bob" in said


def test_notices_that_are_missing_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="is its package installed"):
        notices.read(tmp_path / "copyright")
