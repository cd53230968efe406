"""Panel, shoe and sign: messages into events, effects into messages.

What an event does is the table's business; bytes and repetitions are in `test_line.py`.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices import panel, shoe
from firmware.devices.sign import sign_text
from firmware.table.effects import ShowPrompt, ShowRefusal, ShowSign
from firmware.table.events import (
    AnteKeyed,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    Event,
    HandsRevealed,
    PlayerDecided,
    RoundPaid,
)

KEYS: dict[str, Event] = {
    "KEY OPEN": BetsOpened(at_ms=9, frame=7),
    "KEY CLOSE": BetsClosed(at_ms=9, frame=7),
    "KEY REVEAL": HandsRevealed(at_ms=9, frame=7),
    "KEY PAID": RoundPaid(at_ms=9, frame=7),
    "KEY ANTE 3 2500": AnteKeyed(at_ms=9, frame=7, seat=3, ante_cents=2_500),
    "KEY ANTE 3 0": AnteKeyed(at_ms=9, frame=7, seat=3, ante_cents=0),
    "KEY BET 1": PlayerDecided(at_ms=9, frame=7, seat=1, decision="bet"),
    "KEY FOLD 7": PlayerDecided(at_ms=9, frame=7, seat=7, decision="fold"),
}
GARBAGE = (
    "",
    "KEY",
    "KEY ",
    "OPEN",
    "KEY open",
    "key OPEN",
    "KEY OPEN 1",
    "KEY PRESS",
    "KEY BET",
    "KEY BET x",
    "KEY BET 0",
    "KEY BET -1",
    "KEY BET 1 2",
    "KEY FOLD 1.5",
    "KEY ANTE 1",
    "KEY ANTE 1 -5",
    "KEY ANTE 0 5",
    "KEY ANTE 1 2500 3",
    "KEY ANTE ² 5",
    "CARD As",
    "SHOW idle",
)


# The panel


@pytest.mark.parametrize("text", KEYS)
def test_a_key_is_its_event_with_the_number_and_the_time(text: str) -> None:
    assert panel.event_of(text, 7, 9) == KEYS[text]


@pytest.mark.parametrize("text", GARBAGE)
def test_a_message_that_no_panel_sends_is_no_event(text: str) -> None:
    assert panel.event_of(text, 7, 9) is None


@given(st.text() | st.from_regex(r"KEY (ANTE|BET|FOLD) [^ ]* ?[^ ]*", fullmatch=True))
def test_no_message_of_the_panel_stops_the_table(text: str) -> None:
    event = panel.event_of(text, 7, 9)
    assert event is None or event.at_ms == 9


@pytest.mark.parametrize("key", ["ANTE 1", "BET", "FOLD"])
def test_a_number_that_is_too_long_to_be_one_is_no_event(key: str) -> None:
    assert panel.event_of(f"KEY {key} {'1' * 5_000}", 7, 9) is None


def test_a_prompt_is_its_code_and_its_lines() -> None:
    prompt = ShowPrompt("deciding", ("BET or FOLD: seats 1, 3.", "Second line."))
    assert panel.prompt_text(prompt) == "SHOW deciding|BET or FOLD: seats 1, 3.|Second line."


def test_a_prompt_without_lines_is_its_code() -> None:
    assert panel.prompt_text(ShowPrompt("idle", ())) == "SHOW idle"


def test_a_bar_in_a_line_does_not_make_two_lines_of_it() -> None:
    assert panel.prompt_text(ShowPrompt("idle", ("a|b", "c"))) == "SHOW idle|a/b|c"


@given(st.lists(st.text(), max_size=5))
def test_a_panel_can_tell_the_lines_of_any_prompt_apart(lines: list[str]) -> None:
    text = panel.prompt_text(ShowPrompt("code", tuple(lines)))
    shown = [line.replace("|", "/") for line in lines]
    assert text.removeprefix("SHOW ").split("|") == ["code", *shown]


def test_a_refusal_is_its_reason() -> None:
    assert panel.refusal_text(ShowRefusal("nobody has bet yet")) == "REFUSED nobody has bet yet"


# The shoe


def test_a_card_is_its_event_with_the_number_and_the_time() -> None:
    assert shoe.event_of("CARD As", 7, 9) == CardDrawn(at_ms=9, frame=7, card="As")


@pytest.mark.parametrize("text", ["", "CARD", "CARD ", "As", "card As", "CARD As Kd", "KEY OPEN"])
def test_a_message_that_no_shoe_sends_is_no_event(text: str) -> None:
    assert shoe.event_of(text, 7, 9) is None


@given(st.text())
def test_no_message_of_the_shoe_stops_the_table(text: str) -> None:
    event = shoe.event_of(text, 7, 9)
    assert event is None or isinstance(event, CardDrawn)


# The sign


def test_a_sign_shows_the_meter_in_cents_and_a_text() -> None:
    shown = sign_text(ShowSign(1_234_500, "Ante $25.00 to $1,000.00"))
    assert shown == "SIGN 1234500|Ante $25.00 to $1,000.00"


def test_a_sign_without_a_meter_shows_a_dash() -> None:
    assert sign_text(ShowSign(None, "a|b")) == "SIGN -|a/b"


def test_a_meter_of_nothing_is_shown_as_nothing_and_not_as_unknown() -> None:
    assert sign_text(ShowSign(0, "x")) == "SIGN 0|x"
