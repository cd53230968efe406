"""`underfelt phases`: every pair of a phase and an event is there, possible or with its reason."""

from typing import get_args

from firmware.table.phases import DOING, pairs
from firmware.table.state import Phase
from host_tools.phases import POSSIBLE, name_of
from tests.host_tools.command import run


def printed() -> dict[tuple[str, str], str]:
    """Read the printed table back: what stands at each phase and event."""
    ran = run("phases")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    head = next(line for line in lines if line.split()[:1] == ["event"])
    assert tuple(head.split()[1:]) == get_args(Phase)
    cells: dict[tuple[str, str], str] = {}
    names = {name_of(kind) for _, kind, _ in pairs()}
    for line in lines:
        name, *row = line.rsplit(maxsplit=len(get_args(Phase))) or [""]
        if name.strip() in names:
            name = name.strip()
            cells |= {(phase, name): cell for phase, cell in zip(DOING, row, strict=True)}
    return cells


def test_no_pair_is_blank_and_each_says_what_the_firmware_does() -> None:
    cells = printed()
    letters = dict(zip(get_args(Phase), "abcdefghijk", strict=True))
    wanted = {
        (phase, name_of(kind)): letters[phase] if reason else POSSIBLE
        for phase, kind, reason in pairs()
    }
    assert cells == wanted


def test_every_letter_has_its_reason_below_the_table() -> None:
    out = run("phases").out
    for letter, phase in zip("abcdefghijk", get_args(Phase), strict=True):
        assert f"{letter} not possible in {phase}: {DOING[phase]}\n" in out


def test_explained_each_blank_is_the_sentence_that_the_dealer_reads() -> None:
    ran = run("phases", "--explain")
    told = ran.out.splitlines()
    blanks = [(phase, kind, reason) for phase, kind, reason in pairs() if reason]
    assert len(told) == len(blanks) + 1
    for phase, kind, reason in blanks:
        assert f"{phase}, {name_of(kind)}: {reason}" in told


def test_the_phases_stand_in_one_order_everywhere() -> None:
    assert tuple(DOING) == get_args(Phase)
