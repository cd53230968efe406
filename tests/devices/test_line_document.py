"""`hw/line-protocol.md` is what makers build from: its examples are what the firmware speaks.

Frames are read from the document; their CRCs are worked out here, bit by bit, as the
document says, and the session is played against the table's own port.
"""

import asyncio
import re
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import get_args

import pytest

from firmware.devices import card_source, line_channel, panel, serial_port, sign, spot_texts
from firmware.devices.lamp_patterns import PATTERNS
from firmware.devices.line import DEVICE_NUMBERS, LONGEST_LINE, TABLE_NUMBERS, decode, encode
from firmware.devices.line_port import BAUD, LinePort
from firmware.devices.panel_keys import KEYS, PERSON_KEYS, PLAIN_KEYS
from firmware.devices.panel_pages import SMALLEST, USUAL
from firmware.devices.panel_refusals import not_understood
from firmware.devices.panel_screen import SCREEN_KEYS, PanelScreen
from firmware.devices.sensor_limits import SensorLimits, SensorNews
from firmware.protocol.fault_catalogue import FAULTS, FaultCode
from firmware.rules.games import GAMES
from firmware.table.effects import Pattern, ShowPrompt, ShowSign
from firmware.table.events import FaultClearAsked
from tests.devices.intake import FakeIntake, panel_event
from tests.devices.reports_document import reports
from tests.devices.wire import Wire, in_a_loop
from tests.devices.wire import line as framed

DOCUMENT = (Path(__file__).parents[2] / "hw" / "line-protocol.md").read_text(encoding="utf-8")


def block(kind: str) -> list[str]:
    """Give the lines of the block of a kind."""
    found = re.search(rf"^```{kind}\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1].splitlines()


def crc(data: bytes) -> int:
    """Work out a CRC as the document's C does."""
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value


FRAMES = block("frames")
SESSION = [(line[0], line[2:]) for line in block("session")]


@pytest.mark.parametrize("line", [*FRAMES, *(line for _, line in SESSION)])
def test_every_frame_of_the_document_is_good_and_written_so(line: str) -> None:
    body, _, digits = line.rpartition("*")
    assert f"{crc(body.encode('ascii')):04X}" == digits
    frame = decode(line.encode("ascii"))
    assert frame is not None
    assert encode(frame) == f"{line}\n".encode("ascii")


def test_the_worked_example_is_byte_for_byte_the_frame_that_it_explains() -> None:
    (digits,) = block("hex")
    data = bytes.fromhex(digits)
    assert data == b"!7 KEY OPEN*6FD7\n"
    assert crc(data[:11]) == 0x6FD7
    assert "the CRC 6FD7 of the eleven bytes before it" in DOCUMENT


@pytest.mark.parametrize("line", FRAMES)
def test_every_message_of_a_device_among_the_frames_is_understood(line: str) -> None:
    frame = decode(line.encode("ascii"))
    assert frame is not None
    if frame.kind == "message" and frame.text.split()[0] in {
        "CARD",
        "HAND",
        "UNREAD",
        "AGAIN",
        "KEY",
    }:
        source: card_source.Kind = "shuffler" if "HAND" in frame.text else "shoe"
        from_source = partial(card_source.event_of, source)
        reader = panel_event if frame.text.startswith("KEY") else from_source
        assert reader(frame.text, frame.number, 1) is not None


@pytest.mark.parametrize("line", [line for line in FRAMES if line.startswith(("!", "=H", "=R"))])
def test_every_frame_of_a_spot_board_is_understood(line: str) -> None:
    frame = decode(line.encode("ascii"))
    assert frame is not None
    match frame.text.split():
        case ["SPOT", number, news, age_ms, *words]:
            found = spot_texts.found_of(frame.text)
            assert found is not None
            assert (found.input, found.news, found.age_ms) == (int(number), news, int(age_ms))
            assert found.words == " ".join(words)
        case ["LEVELS", _]:
            assert spot_texts.levels_of(frame.text) is not None
        case ["READINGS", *words]:
            assert spot_texts.readings_of(tuple(words)) is not None
        case ["HELLO", "spots", version, _session, *more]:
            greeting = spot_texts.greeting_of(version, tuple(more))
            assert greeting is not None
            assert greeting.major == spot_texts.MAJOR


def test_what_the_table_sends_to_a_spot_board_is_among_the_frames() -> None:
    limits = spot_texts.limits_text(range(1, spot_texts.LINES + 1), SensorLimits())
    patterns: dict[int, Pattern] = dict.fromkeys(range(1, 7), "slow_blink")
    lamps = spot_texts.lamps_text(patterns | {3: "quick_blink", 5: "steady"})
    texts = [frame.text for frame in map(decode, map(str.encode, FRAMES)) if frame is not None]
    assert {limits, lamps, "LEVELS", "ALIVE", "READ"} <= set(texts)
    assert f"whose text has the CRC {spot_texts.crc_of(limits)}" in DOCUMENT


@pytest.mark.parametrize("pattern", get_args(Pattern))
def test_the_document_has_the_letter_and_the_times_of_every_pattern(pattern: Pattern) -> None:
    turns = zip(PATTERNS[pattern], cycle(("on", "off")), strict=False)
    times = ", ".join(f"{ms} {level}" for ms, level in turns) if len(PATTERNS[pattern]) > 1 else ""
    letter = spot_texts.LETTERS[pattern]
    assert (
        f"| `{letter}` | {pattern.replace('_', ' ')} | {times} |".replace("|  |", "| |") in DOCUMENT
    )


def test_the_document_explains_every_finding_and_every_letter_of_a_level() -> None:
    table = DOCUMENT.partition("| finding | is |")[2].partition("\n\n")[0]
    assert set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    ) == {*get_args(SensorNews)}
    (levels,) = [line for line in DOCUMENT.splitlines() if line.startswith("| `LEVELS <letters>`")]
    assert set(get_args(spot_texts.Level)) == set(re.findall(r"`(.)`", levels))


def test_what_the_table_sends_has_the_form_that_the_document_gives() -> None:
    assert sign.sign_text(ShowSign(1_234_500, "Jackpot bet $5.00")) in "\n".join(FRAMES)
    shown = PanelScreen().show(ShowPrompt("idle", ("Press OPEN.",)))
    assert any(shown in line for _, line in SESSION)


@pytest.mark.parametrize(
    "sentence",
    [
        f"{BAUD} baud",
        f"1 to {TABLE_NUMBERS[-1]}, in decimal",
        f"A device counts {DEVICE_NUMBERS[0]} to {DEVICE_NUMBERS[-1]}",
        f"the table {TABLE_NUMBERS[0]} to {TABLE_NUMBERS[-1]}, each over and over",
        f"It must be able to receive lines of up to {LONGEST_LINE}",
        f"**repeat it every {line_channel.REPEAT_S * 1000:.0f} ms",
        f"and every {serial_port.BEAT_S:.0f} seconds",
        f"without it the table takes {USUAL}",
        f"at least {SMALLEST}",
        f"sends nothing for {serial_port.SILENT_S:.0f} seconds",
        f"and within {serial_port.SILENT_S - serial_port.BEAT_S:.0f} seconds",
        f"the table keeps {card_source.MOST_WORDS} characters",
        f"raises the fault {FAULTS['device_unfit'].number} until",
        f"one that sends {serial_port.BABBLE_BYTES}\nbytes without a valid frame",
    ],
)
def test_the_numbers_of_the_document_are_those_of_the_firmware(sentence: str) -> None:
    assert sentence in DOCUMENT


def test_the_document_lists_every_irregularity_fact_and_option() -> None:
    assert reports() in DOCUMENT


def test_the_document_lists_every_fault_by_number_and_name() -> None:
    table = DOCUMENT.partition("| number | name | what it is |")[2].partition("\n\n")[0]
    faults = sorted(FAULTS.items(), key=lambda each: each[1].number)
    rows = [f"| {fault.number} | `{code}` | {fault.what} |" for code, fault in faults]
    assert table.splitlines()[2:] == rows


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_is_cleared_by_its_number_or_its_name(code: FaultCode) -> None:
    stamp = {"at_ms": 1, "frame": 1}
    wanted = FaultClearAsked(at_ms=1, frame=1, code=code, where="seat 3")
    assert KEYS["CLEAR"](stamp, [code, "seat", "3"]) == wanted
    assert KEYS["CLEAR"](stamp, [FAULTS[code].number, "seat", "3"]) == wanted


def test_the_document_names_every_bet_that_can_be_keyed() -> None:
    sentence = DOCUMENT.partition("A `<bet>` of `AMOUNT` and `OUT` is one of")[2].partition(".")[0]
    bets = {wager.name for game in GAMES.values() for wager in game.wagers}
    bets |= {bet for game in GAMES.values() for bet in game.jackpot_bets}
    bets |= {"bonus" for game in GAMES.values() if game.bonus}
    assert set(re.findall(r"`(\w+)`", sentence)) == bets


def test_a_report_with_a_wrong_value_is_not_called_unknown() -> None:
    told = not_understood("KEY REPORT cards_exposed count=0", ())
    assert told == ("REPORT cards_exposed: a fact or its value is wrong. Press MENU and pick it.")
    assert "not known" in not_understood("KEY REPORT nothing_such count=0", ())


def test_the_document_lists_every_key_of_the_panel_and_no_other() -> None:
    table = DOCUMENT.partition("| message | key |")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `KEY")]
    listed = {word for cell in cells for word in re.findall(r"\b[A-Z]{2,}\b", cell)} - {
        "KEY",
        "PIN",
    }
    answers = {answer.upper() for game in GAMES.values() for answer in game.answers}
    assert listed == {*KEYS, *PLAIN_KEYS, *PERSON_KEYS, *SCREEN_KEYS, *answers}


def test_the_session_of_the_document_is_what_a_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_channel, "REPEAT_S", 3_600.0)

    async def play() -> None:
        wire = Wire()
        wire.answering = False
        wire.plug_in()
        messages: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        take = messages.put_nowait
        port = LinePort(wire.path, "panel", lambda text, frame: take((text, frame)), FakeIntake())
        port.send("SHOW idle|Press OPEN.")
        frames: list[int] = []
        for number, (direction, line) in enumerate(SESSION):
            if direction == "<":
                wire.say(f"{line}\n".encode("ascii"))
            elif line.startswith("=PING"):
                continue
            else:
                if line.startswith("+"):
                    async with asyncio.timeout(30):
                        frames.append((await messages.get())[1])
                    port.acknowledge(frames[-1])
                if line.startswith("!502"):
                    port.send("SHOW betting|Place your bets.")
                assert await wire.line() == f"{line}\n".encode("ascii"), number
        opened, repeated, closed = frames
        assert opened == repeated != closed
        port.close()
        wire.close()

    in_a_loop(play)


def test_what_an_unknown_key_is_answered_with_and_how_long_a_reason_may_be_is_written() -> None:
    flat = " ".join(DOCUMENT.split())
    shown, longest = (
        int(re.search(pattern, flat)[1])  # type: ignore[index]  # a document without it fails here
        for pattern in (
            r"`REFUSED` and the first (\d+) characters of what was typed",
            r"A reason for `KEY NOTCONFIRMED` has at most (\d+) characters",
        )
    )
    assert panel_event(f"KEY NOTCONFIRMED 1 {'x' * longest}", 1, 1) is not None
    assert panel_event(f"KEY NOTCONFIRMED 1 {'x' * (longest + 1)}", 1, 1) is None

    said: list[bytes] = []
    unknown = "FOO " + "z" * 100

    async def played() -> None:
        wire, shell = Wire(), FakeIntake()
        wire.plug_in()
        device = panel.Panel(wire.path, (), lambda _number, _pin: None, shell)
        wire.hello()
        wire.say(framed(f"!1 {unknown}"))
        said.extend(await wire.until(framed("+1")))
        device.close()
        wire.close()

    in_a_loop(played)
    (refused,) = [each for each in said if b"REFUSED" in each]
    assert refused.count(b"z") == shown - len("FOO ")
