"""What somebody types at the panel before the table asks for it: seen as dots, whatever is shown.

A real port under a pseudo-terminal; the panel's side is written by hand (`wire.py`). How many digits
there are is told, never which.
"""

import threading

import pytest

from firmware.devices.panel import Panel
from firmware.devices.panel_keys import checked_row, typed_row
from firmware.devices.panel_pages import SMALLEST, Display
from firmware.devices.panel_screen import PanelScreen
from firmware.table.effects import ShowPrompt, ShowRefusal
from tests.devices.intake import ANSWERS, FakeIntake
from tests.devices.wire import Wire, in_a_loop, line

IDLE = ShowPrompt("idle", ("Press OPEN.",))


async def shown(wire: Wire) -> str:
    """Give the next message that the panel is to show, once acknowledged."""
    while not (heard := await wire.line()).startswith(b"!"):
        pass
    number, _, text = heard[1:].rpartition(b"*")[0].decode().partition(" ")
    wire.say(line(f"+{number}"))
    return text


async def until_shown(wire: Wire, wanted: str) -> list[str]:
    """Wait until the panel shows something; give all that it was to show."""
    texts = [await shown(wire)]
    while texts[-1] != wanted:
        texts.append(await shown(wire))
    return texts


def test_a_pin_that_is_typed_early_is_seen_as_dots_that_stay() -> None:
    heard: list[str] = []
    may_go_on = threading.Event()

    def identify(_number: str, _pin: str) -> None:
        may_go_on.wait()

    async def play() -> None:
        wire = Wire()
        wire.plug_in()
        device = Panel(wire.path, ANSWERS, identify, FakeIntake())
        wire.hello()
        device.show(IDLE)
        heard.extend(await until_shown(wire, "SHOW idle|Press OPEN."))
        wire.say(line("=TYPING AUTH 3"))
        heard.extend(await until_shown(wire, "SHOW idle|Press OPEN.|Number ... 3"))
        wire.say(line("=TYPING AUTH 3 2"))
        heard.extend(await until_shown(wire, "SHOW idle|Press OPEN.|PIN .. 2"))
        device.show(ShowPrompt("ruling", ("Pit supervisor: key and PIN.",)))
        asked = "SHOW ruling|Pit supervisor: key and PIN."
        heard.extend(await until_shown(wire, f"{asked}|PIN .. 2"))
        device.refuse(ShowRefusal("Not now."))
        heard.extend(await until_shown(wire, "REFUSED Not now.|PIN .. 2"))
        wire.say(line("!7 KEY AUTH 200 8642"))
        heard.extend(await until_shown(wire, f"{asked}|PIN ....: wait"))
        may_go_on.set()
        heard.extend(await until_shown(wire, asked))
        device.close()
        wire.close()

    in_a_loop(play)
    assert not any("8642" in text or "200" in text for text in heard)


def test_what_was_typed_at_a_panel_that_has_restarted_is_no_longer_shown() -> None:
    async def play() -> None:
        wire = Wire()
        wire.plug_in()
        device = Panel(wire.path, ANSWERS, lambda _number, _pin: None, FakeIntake())
        wire.hello()
        device.show(IDLE)
        wire.say(line("=TYPING AUTH 3 2"))
        await until_shown(wire, "SHOW idle|Press OPEN.|PIN .. 2")
        wire.session += 1
        wire.hello()
        await until_shown(wire, "SHOW idle|Press OPEN.")
        device.close()
        wire.close()

    in_a_loop(play)


@pytest.mark.parametrize("counts", [("AUTH", "8"), ("AUTH", "8", "12"), ("SIGNON", "3", "99")])
def test_what_was_typed_fits_one_row_of_the_smallest_display(counts: tuple[str, ...]) -> None:
    assert 0 < len(typed_row(counts)) <= SMALLEST.columns
    assert len(checked_row("1" * 20)) <= SMALLEST.columns


@pytest.mark.parametrize(
    "counts", [(), ("AUTH",), ("AUTH", "0"), ("OPEN", "3"), ("AUTH", "x", "2"), ("AUTH", "3", "-1")]
)
def test_what_is_no_count_shows_nothing(counts: tuple[str, ...]) -> None:
    assert typed_row(counts) == ""


def test_a_full_page_keeps_what_to_do_and_gives_its_last_row_to_what_is_typed() -> None:
    screen = PanelScreen(Display(20, 4))
    screen.show(ShowPrompt("idle", ("One.", "Two.", "Three.", "Four.", "Five.")))
    assert screen.typed("PIN .. 2") == "SHOW idle|One.|Two.|Three.|PIN .. 2"
    assert screen.typed("") == "SHOW idle|One.|Two.|Three.|1/2 NEXT"
