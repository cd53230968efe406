"""The modules that the board shares with the Pi: each imports on MicroPython and says there what it says here."""

import json
import subprocess
from binascii import crc_hqx
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices.lamp_patterns import PATTERNS
from firmware.devices.line import LONGEST_LINE, Frame, encode
from firmware.spot_board import manifest
from sim.spot_board.process import program_files
from tests.spot_board.interpreters import PROJECT, Answers, micropython, needs_interpreter
from tests.spot_board.on_board import answers

pytestmark = needs_interpreter
NEEDS_CHIP = {"chip", "main", "pins", "start"}
"""The modules of the board that the chip's own modules are needed for."""


@pytest.fixture(scope="module")
def board() -> Iterator[Answers]:
    """Start MicroPython once."""
    there = Answers()
    yield there
    there.close()


def same(board: Answers, function: str, *arguments: object) -> object:
    """Ask both interpreters, and return the one answer."""
    here = json.loads(json.dumps(answers.FUNCTIONS[function](*arguments)))  # type: ignore[operator]
    assert board.ask(function, *arguments) == here
    return here


def test_every_module_without_the_chip_imports_on_micropython() -> None:
    names = [path.removesuffix(".py").replace("/", ".") for path in program_files()]
    names = [name for name in names if name.rpartition(".")[2] not in NEEDS_CHIP]
    assert {name for name in names if "devices" in name} >= {
        "firmware.devices.sensing",
        "firmware.devices.lamp_patterns",
        "firmware.devices.line",
    }
    lines = [f"import sys; sys.path.insert(0, {str(PROJECT)!r})"]
    lines += [f"import {name.removesuffix('.__init__')}" for name in names]
    done = subprocess.run(
        micropython("-c", "\n".join(lines)), check=False, capture_output=True, text=True
    )
    assert (done.stderr, done.returncode) == ("", 0)


def test_what_belongs_to_the_program_is_there() -> None:
    assert set(manifest.SHARED) < set(program_files())
    assert all((PROJECT / name).is_file() for name in program_files())


numbers = st.integers(0, 10**9)
limits = st.one_of(
    st.just("LIMITS 3fff 30 20 1000 600 1000 2000 600000"),
    st.tuples(
        st.integers(0, 60),
        st.integers(0, 12),
        st.integers(0, 2_000),
        st.integers(0, 20),
        st.integers(0, 2_000),
        st.integers(0, 4_000),
        st.integers(0, 8_000),
    ).map(lambda each: "LIMITS 0001 " + " ".join(map(str, each))),
)
LOOK = -1
later = st.one_of(st.integers(0, 40), st.integers(0, 3_000), st.integers(0, 2**31))
events = st.lists(st.tuples(later, st.sampled_from([0, 1, LOOK])), max_size=60)
bursts = st.lists(st.tuples(st.integers(0, 60), st.sampled_from([0, 1, LOOK])), max_size=120)


@given(limits, st.one_of(events, bursts))
def test_any_pattern_of_edges_gives_the_same_findings(
    board: Answers, limits: str, events: list[tuple[int, int]]
) -> None:
    same(board, "findings", limits, events)


ascii_texts = st.text(st.characters(min_codepoint=0, max_codepoint=0x7F), max_size=200)


@given(st.sampled_from(["message", "announcement"]), st.integers(1, 999), ascii_texts)
def test_a_frame_is_the_same_line(board: Answers, kind: str, number: int, text: str) -> None:
    line = same(board, "encoded", kind, number, text)
    assert isinstance(line, str)
    same(board, "decoded", line[:-2])


@given(st.binary(max_size=60))
def test_a_line_of_any_bytes_is_read_the_same(board: Answers, line: bytes) -> None:
    same(board, "decoded", line.hex())


@given(st.sampled_from([b"=", b"!501 "]), ascii_texts)
def test_a_line_with_a_right_crc_is_read_the_same_whatever_it_says(
    board: Answers, start: bytes, text: str
) -> None:
    body = start + text.encode("ascii")
    same(board, "decoded", (body + b"*%04X" % crc_hqx(body, 0)).hex())


frames = st.builds(Frame, st.just("message"), st.integers(1, 999), ascii_texts).map(encode)
streams = st.lists(st.one_of(frames, st.binary(max_size=40), st.just(b"\n")), max_size=12)


@given(streams, st.lists(st.integers(0, 2_000), max_size=10))
def test_any_stream_is_cut_the_same_however_it_is_split(
    board: Answers, stream: list[bytes], places: list[int]
) -> None:
    whole = b"".join(stream)
    ends = [0, *sorted(place for place in places if place < len(whole)), len(whole)]
    pieces = [whole[a:b].hex() for a, b in pairwise(ends)]
    same(board, "cut", pieces)


def test_a_line_that_is_too_long_is_dropped_the_same(board: Answers) -> None:
    long = b"x" * (LONGEST_LINE + 1)
    good = encode(Frame("message", 501, "LEVELS"))
    same(board, "cut", [long.hex(), good.hex(), (long[:9] + b"\n").hex(), good.hex()])


@given(st.sampled_from(sorted(PATTERNS)), st.one_of(st.integers(0, 10_000), st.integers(0, 2**40)))
def test_a_lamp_does_the_same(board: Answers, pattern: str, into_ms: int) -> None:
    same(board, "lamp", pattern, into_ms)
