"""Which program runs: a new one once on trial, then for good, and after anything that is wrong the frozen one."""

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.spot_board import manifest
from firmware.spot_board.slots import MOST_CRASHES, Slots


def put(root: Path, letter: str, content: str = "program") -> str:
    """Put a program into a slot, and return its digest."""
    files = {"firmware/one.mpy": content, "firmware/two.mpy": "two"}
    for name, text in files.items():
        path = root / letter / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")
    digests = {name: manifest.digest_of(text.encode()) for name, text in files.items()}
    text = manifest.write_manifest(digests)
    (root / letter / manifest.NAME).write_text(text, encoding="ascii")
    read = manifest.read_manifest(text)
    assert read is not None
    return read[1]


def name(root: Path, file: str, letter: str) -> None:
    (root / file).write_text(letter, encoding="ascii")


def chosen(root: Path, crashes: int = 0) -> str | None:
    """Start once; return the letter of the slot that runs, or None for the frozen program."""
    slot = Slots(str(root)).choose(crashes)
    return None if slot is None else slot.letter


def test_an_empty_file_system_has_no_program(tmp_path: Path) -> None:
    assert chosen(tmp_path) is None


def test_a_trial_runs_once_and_then_the_old_program_again(tmp_path: Path) -> None:
    put(tmp_path, "a")
    put(tmp_path, "b", "new")
    name(tmp_path, "chosen", "a")
    name(tmp_path, "trial", "b")
    assert [chosen(tmp_path) for _ in range(3)] == ["b", "a", "a"]


def test_a_trial_that_proves_itself_stays(tmp_path: Path) -> None:
    put(tmp_path, "a")
    digest = put(tmp_path, "b", "new")
    name(tmp_path, "chosen", "a")
    name(tmp_path, "trial", "b")
    slots = Slots(str(tmp_path))
    slot = slots.choose(0)
    assert slot is not None
    assert (slot.path, slot.digest) == (f"{tmp_path}/b", digest)
    slots.commit(slot)
    slots.commit(slot)
    assert [chosen(tmp_path) for _ in range(3)] == ["b", "b", "b"]


def test_after_three_starts_in_a_row_that_failed_the_frozen_program_runs(tmp_path: Path) -> None:
    put(tmp_path, "a")
    name(tmp_path, "chosen", "a")
    runs = [chosen(tmp_path, crashes) for crashes in range(MOST_CRASHES + 2)]
    assert runs == ["a"] * MOST_CRASHES + [None] * 2


@pytest.mark.parametrize("file", ["firmware/one.mpy", "firmware/two.mpy", manifest.NAME])
@pytest.mark.parametrize("how", ["gone", "empty", "longer", "other"])
def test_a_program_of_which_anything_is_damaged_does_not_run(
    tmp_path: Path, file: str, how: str
) -> None:
    put(tmp_path, "a")
    put(tmp_path, "b", "new")
    name(tmp_path, "chosen", "a")
    name(tmp_path, "trial", "b")
    path = tmp_path / "b" / file
    content = path.read_bytes()
    if how == "gone":
        path.unlink()
    else:
        other = bytes([content[0] ^ 1]) + content[1:]
        path.write_bytes({"empty": b"", "longer": content + b"x", "other": other}[how])
    assert chosen(tmp_path) == "a"


@given(st.integers(0, 2**32))
def test_a_damaged_byte_anywhere_in_a_manifest_is_noticed(seed: int) -> None:
    rng = Random(seed)
    text = manifest.write_manifest({"a.mpy": "0" * 64, "b/c.mpy": "f" * 64})
    assert manifest.read_manifest(text) is not None
    place = rng.randrange(len(text))
    other = chr((ord(text[place]) + rng.randrange(1, 128)) % 128)
    assert manifest.read_manifest(text[:place] + other + text[place + 1 :]) is None
    assert manifest.read_manifest(text[:place]) is None


class PowerCutError(Exception):
    """The power is gone."""


def bring(root: Path, steps: int) -> None:
    """Bring a new program as the host does, and lose the power after so many steps."""
    files = ["firmware/one.mpy", "firmware/two.mpy", manifest.NAME]
    fresh = root.parent / f"{root.name}-fresh"
    put(fresh, "b", "new")
    for done, file in enumerate([*reversed(files), *files, "trial"]):
        if done == steps:
            raise PowerCutError
        if file == "trial":
            name(root, "trial", "b")
        elif done < len(files):
            (root / "b" / file).unlink()
        else:
            (root / "b" / file).write_bytes((fresh / "b" / file).read_bytes())


@pytest.mark.parametrize("steps", range(8))
def test_a_power_cut_at_any_step_leaves_the_old_program_or_the_new_one(
    tmp_path: Path, steps: int
) -> None:
    root = tmp_path / "board"
    put(root, "a")
    put(root, "b", "older")
    name(root, "chosen", "a")
    if steps < 7:
        with pytest.raises(PowerCutError):
            bring(root, steps)
    else:
        bring(root, steps)
    assert chosen(root) == ("b" if steps == 7 else "a")
    assert chosen(root) == "a"


def test_what_is_no_letter_of_a_slot_chooses_nothing(tmp_path: Path) -> None:
    put(tmp_path, "a")
    for text in ("", "c", "ab", "a\n", "/a"):
        name(tmp_path, "chosen", text)
        assert chosen(tmp_path) is None
    (tmp_path / "chosen").unlink()
    os.mkdir(tmp_path / "chosen")  # noqa: PTH102  # a folder where a file should be
    assert chosen(tmp_path) is None
