"""Panel, card sources and sign: messages into events, effects into messages.

What an event does is the table's business; bytes and repetitions are in `test_line.py`.
"""

import asyncio
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.devices import card_source, panel, panel_keys
from firmware.devices.displays import display_text
from firmware.devices.panel_keys import PERSON_KEYS, PLAIN_KEYS
from firmware.devices.panel_pages import SMALLEST, rows_of
from firmware.devices.panel_refusals import not_understood
from firmware.devices.sign import sign_text
from firmware.rules.contract import Facts
from firmware.settings.staff import Staff
from firmware.table.effects import ShowSign
from firmware.table.events import (
    BetKeyed,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardsCorrected,
    CardsKeyed,
    CardsRevealed,
    CardUnread,
    DealerSignedOff,
    DealerSignedOn,
    DecisionCorrected,
    Event,
    FaceUpKeyed,
    FaultClearAsked,
    FromPanel,
    HandDispensed,
    HandNotShown,
    HandsDealt,
    IrregularityReported,
    KeyTakenBack,
    MajorDenied,
    MeasureAsked,
    NewPlayer,
    OptionChosen,
    PlayerDecided,
    ReportWithdrawn,
    RestDecided,
    RoundPaid,
    RulingConfirmed,
    SeatsJoined,
    StaffIdentified,
    StaffRefused,
    TableClosed,
    TableOpened,
)
from tests.devices.intake import ANSWERS, FakeIntake, panel_event
from tests.devices.wire import Wire, in_a_loop, line

KEYS: dict[str, Event] = {
    "KEY OPEN": BetsOpened(at_ms=9, frame=7),
    "KEY CLOSE": BetsClosed(at_ms=9, frame=7),
    "KEY REVEAL": CardsRevealed(at_ms=9, frame=7),
    "KEY PAID": RoundPaid(at_ms=9, frame=7),
    "KEY AMOUNT 3 ante 2500": BetKeyed(at_ms=9, frame=7, seat=3, bet="ante", stake_cents=2_500),
    "KEY AMOUNT 3 ante 0": BetKeyed(at_ms=9, frame=7, seat=3, bet="ante", stake_cents=0),
    "KEY AMOUNT 3 jackpot on the dealer 500": BetKeyed(
        at_ms=9, frame=7, seat=3, bet="jackpot_dealer", stake_cents=500
    ),
    "KEY AMOUNT 2 bonus 500": BetKeyed(at_ms=9, frame=7, seat=2, bet="bonus", stake_cents=500),
    "KEY BET 1": PlayerDecided(at_ms=9, frame=7, seat=1, decision="bet"),
    "KEY FOLD 7": PlayerDecided(at_ms=9, frame=7, seat=7, decision="fold"),
    "KEY FLOP 1": PlayerDecided(at_ms=9, frame=7, seat=1, decision="flop"),
    "KEY TURN 1": PlayerDecided(at_ms=9, frame=7, seat=1, decision="turn"),
    "KEY RIVER 1": PlayerDecided(at_ms=9, frame=7, seat=1, decision="river"),
    "KEY CHECK 2": PlayerDecided(at_ms=9, frame=7, seat=2, decision="check"),
    "KEY ABSENT 3": PlayerDecided(at_ms=9, frame=7, seat=3, decision="absent"),
    "KEY HIDDEN 4": HandNotShown(at_ms=9, frame=7, seat=4),
    "KEY DEALT": HandsDealt(at_ms=9, frame=7),
    "KEY CONFIRM": RulingConfirmed(at_ms=9, frame=7),
    "KEY CANCEL": ReportWithdrawn(at_ms=9, frame=7),
    "KEY CLOSETABLE": TableClosed(at_ms=9, frame=7),
    "KEY OPENTABLE": TableOpened(at_ms=9, frame=7),
    "KEY OUT 3": BetKeyed(at_ms=9, frame=7, seat=3, bet="ante", stake_cents=0),
    "KEY REST": RestDecided(at_ms=9, frame=7),
    "KEY REST BET": RestDecided(at_ms=9, frame=7, decision="bet"),
    "KEY UNDO": KeyTakenBack(at_ms=9, frame=7),
    "KEY CORRECT 3 FOLD": DecisionCorrected(at_ms=9, frame=7, seat=3, decision="fold"),
    "KEY SIGNOFF": DealerSignedOff(at_ms=9, frame=7),
    "KEY BAR 3": MeasureAsked(at_ms=9, frame=7, seat=3, measure="bar"),
    "KEY RESTRICT 3": MeasureAsked(at_ms=9, frame=7, seat=3, measure="restrict"),
    "KEY LIFT 3": MeasureAsked(at_ms=9, frame=7, seat=3, measure="lift"),
    "KEY NEW 3": NewPlayer(at_ms=9, frame=7, seat=3),
    "KEY PLAYER 2 5 1": SeatsJoined(at_ms=9, frame=7, seats=(2, 5, 1)),
    "KEY CARDS 3 As Td": CardsKeyed(at_ms=9, frame=7, to="seat", seat=3, cards=("As", "Td")),
    "KEY CARDS dealer As": CardsKeyed(at_ms=9, frame=7, to="dealer", cards=("As",)),
    "KEY CARDS board 2c": CardsKeyed(at_ms=9, frame=7, to="community", cards=("2c",)),
    "KEY SWAP 1 dealer": CardsCorrected(at_ms=9, frame=7, how="swap", places=("1", "dealer")),
    "KEY WENT 03 1": CardsCorrected(at_ms=9, frame=7, how="went", places=("3", "1")),
    "KEY ORDER": CardsCorrected(at_ms=9, frame=7, how="order"),
    "KEY LOST 1 3 board": CardsCorrected(at_ms=9, frame=7, how="lost", places=("1", "3", "board")),
    "KEY UP 9c": FaceUpKeyed(at_ms=9, frame=7, card="9c"),
    "KEY REPORT other": IrregularityReported(at_ms=9, frame=7, irregularity="other"),
    "KEY REPORT cards_exposed count=2 any_player_seen=no": IrregularityReported(
        at_ms=9, frame=7, irregularity="cards_exposed", facts=Facts(count=2, any_player_seen=False)
    ),
    "KEY REPORT played_several_positions seats=1,3 viewed=": IrregularityReported(
        at_ms=9,
        frame=7,
        irregularity="played_several_positions",
        facts=Facts(seats=(1, 3), viewed=()),
    ),
    "KEY CHOOSE withdraw 3": OptionChosen(at_ms=9, frame=7, option="withdraw", seat=3),
    "KEY CHOOSE void": OptionChosen(at_ms=9, frame=7, option="void"),
    "KEY NOTCONFIRMED 3": MajorDenied(at_ms=9, frame=7, seat=3),
    "KEY NOTCONFIRMED 3 a card too many": MajorDenied(
        at_ms=9, frame=7, seat=3, reason="a card too many"
    ),
    "KEY CLEAR cover_open": FaultClearAsked(at_ms=9, frame=7, code="cover_open"),
    "KEY CLEAR sensor_stuck seat 3": FaultClearAsked(
        at_ms=9, frame=7, code="sensor_stuck", where="seat 3"
    ),
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
    "KEY bet 1",
    "KEY Fold 1",
    "KEY HIDDEN",
    "KEY HIDDEN 0",
    "KEY SWAP 1 0",
    "KEY WENT seat 1",
    "KEY LOST x",
    "KEY UP",
    "KEY UP 9c 8c",
    "KEY ANTE 1 2500",
    "KEY AMOUNT 1",
    "KEY AMOUNT 1 ante",
    "KEY AMOUNT 1 ante -5",
    "KEY AMOUNT 0 ante 5",
    "KEY AMOUNT 1 ante 2500 3",
    "KEY AMOUNT ² ante 5",
    "KEY AMOUNT 1 ante ²",
    "CARD As",
    "SHOW idle",
    "KEY NEW",
    "KEY NEW x",
    "KEY PLAYER",
    "KEY PLAYER 1 0",
    "KEY CARDS",
    "KEY CARDS 0 As",
    "KEY CARDS me As",
    "KEY REPORT",
    "KEY REPORT theft",
    "KEY REPORT late_bet seat",
    "KEY REPORT late_bet seat=x",
    "KEY REPORT late_bet seat=0",
    "KEY REPORT late_bet seat=1 seat=2",
    "KEY REPORT cards_exposed count=yes",
    "KEY REPORT other why=yes",
    "KEY REPORT played_several_positions seats=1,x",
    "KEY CHOOSE",
    "KEY CHOOSE void 0",
    "KEY CHOOSE void 1 2",
    "KEY CLEAR",
    "KEY CLEAR dust",
    "KEY AUTH 7 1234",
)


# The panel


@pytest.mark.parametrize("text", KEYS)
def test_a_key_is_its_event_with_the_number_and_the_time(text: str) -> None:
    assert panel_event(text, 7, 9) == KEYS[text]


@pytest.mark.parametrize("text", GARBAGE)
def test_a_message_that_no_panel_sends_is_no_event(text: str) -> None:
    assert panel_event(text, 7, 9) is None


@given(
    st.text()
    | st.from_regex(
        r"KEY (AMOUNT|BET|HIDDEN|NEW|PLAYER|CARDS|CHOOSE|CLEAR) [^ ]* ?[^ ]* ?[^ ]*", fullmatch=True
    )
    | st.from_regex(r"KEY REPORT (late_bet|misdeal|other)( [a-z_]*=[^ ]*)*", fullmatch=True)
)
def test_no_message_of_the_panel_stops_the_table(text: str) -> None:
    event = panel_event(text, 7, 9)
    assert event is None or event.at_ms == 9


@pytest.mark.parametrize("key", ["AMOUNT 1 ante", "BET", "FOLD", "HIDDEN"])
def test_a_number_that_is_too_long_to_be_one_is_no_event(key: str) -> None:
    assert panel_event(f"KEY {key} {'1' * 5_000}", 7, 9) is None


def test_number_and_pin_are_read_apart_and_are_in_no_event() -> None:
    assert panel_keys.credentials_of("KEY AUTH 7 1234") == ("AUTH", "7", "1234")
    assert panel_keys.credentials_of("KEY SIGNON 7 1234") == ("SIGNON", "7", "1234")
    assert panel_event("KEY AUTH 7 1234", 7, 9) is None
    for other in ("KEY AUTH", "KEY AUTH 7", "KEY AUTH 7 12 34", "KEY OPEN", ""):
        assert panel_keys.credentials_of(other) is None


def test_what_a_display_does_not_have_is_spelt_in_letters_that_it_has() -> None:
    assert display_text("§5.7.2: 7♦ – 5 × $5 | $10") == "par. 5.7.2: 7d - 5 x $5 / $10"


def test_a_pin_that_is_sent_again_confirms_nothing_after_the_panel_has_gone_on() -> None:
    checked, slow = threading.Event(), threading.Event()
    taken: list[type[Event]] = []

    def identify(_number: str, _pin: str) -> Staff:
        if checked.is_set():
            slow.wait(60)
        checked.set()
        return Staff(number="7", name="Shift Manager", role="shift_manager", pin="unused")

    async def play() -> None:
        wire, shell = Wire(), FakeIntake()
        wire.plug_in()
        device = panel.Panel(wire.path, ANSWERS, identify, shell)
        wire.hello()
        # The check of a PIN takes long enough for the panel to send it again.
        wire.say(line("!7 KEY AUTH 7 1234"))
        await wire.until(line("+7"))
        wire.say(line("!7 KEY AUTH 7 1234") + line("!8 KEY BET 1"))
        await wire.until(line("+8"))
        slow.set()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
        device.close()
        wire.close()
        events = [shell.events.get_nowait() for _ in range(shell.events.qsize())]
        taken.extend(type(event) for event in events if isinstance(event, FromPanel))

    in_a_loop(play)
    assert taken == [StaffIdentified, PlayerDecided]


def test_a_dealer_signs_on_with_a_pin_that_goes_no_further() -> None:
    taken: list[Event] = []

    def identify(number: str, pin: str) -> Staff | None:
        if (number, pin) != ("7", "1234"):
            return None
        return Staff(number="7", name="Dealer Seven", role="dealer", pin="unused")

    async def play() -> None:
        wire, shell = Wire(), FakeIntake()
        wire.plug_in()
        device = panel.Panel(wire.path, ANSWERS, identify, shell)
        wire.hello()
        wire.say(line("!7 KEY SIGNON 7 1234"))
        await wire.until(line("+7"))
        wire.say(line("!8 KEY SIGNON 7 9876"))
        await wire.until(line("+8"))
        device.close()
        wire.close()
        events = [shell.events.get_nowait() for _ in range(shell.events.qsize())]
        taken.extend(event for event in events if isinstance(event, FromPanel))

    in_a_loop(play)
    first, second = taken
    assert isinstance(first, DealerSignedOn)
    assert (first.staff, first.name, first.role) == ("7", "Dealer Seven", "dealer")
    assert isinstance(second, StaffRefused)
    assert not any(pin in repr(event) for event in taken for pin in ("1234", "9876"))


def test_one_pin_is_checked_at_a_time_and_a_flood_of_others_is_refused_at_once() -> None:
    checking, may_go_on = threading.Event(), threading.Event()
    checks: list[str] = []
    taken: list[Event] = []

    def identify(number: str, _pin: str) -> None:
        checks.append(number)
        checking.set()
        may_go_on.wait()

    async def play() -> None:
        wire, shell = Wire(), FakeIntake()
        wire.plug_in()
        device = panel.Panel(wire.path, ANSWERS, identify, shell)
        wire.hello()
        wire.say(line("!7 KEY AUTH 7 1234"))
        await asyncio.to_thread(checking.wait)
        for number in range(8, 20):
            wire.say(line(f"!{number} KEY AUTH {number} 1234"))
            await wire.until(line(f"+{number}"))
        may_go_on.set()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
        device.close()
        wire.close()
        events = [shell.events.get_nowait() for _ in range(shell.events.qsize())]
        taken.extend(event for event in events if isinstance(event, FromPanel))

    in_a_loop(play)
    assert checks == ["7"]
    assert taken == [], "the panel has gone on, so the first one confirms nothing either"


@pytest.mark.parametrize("number", ["123456789", "12a", "\x1b[2J", "-1"])
def test_what_is_no_staff_number_is_written_down_as_none(number: str) -> None:
    taken: list[Event] = []

    async def play() -> None:
        wire, shell = Wire(), FakeIntake()
        wire.plug_in()
        device = panel.Panel(wire.path, ANSWERS, lambda _number, _pin: None, shell)
        wire.hello()
        wire.say(line(f"!7 KEY AUTH {number} 1234"))
        await wire.until(line("+7"))
        device.close()
        wire.close()
        events = [shell.events.get_nowait() for _ in range(shell.events.qsize())]
        taken.extend(event for event in events if isinstance(event, StaffRefused))

    in_a_loop(play)
    assert [event.staff for event in taken if isinstance(event, StaffRefused)] == ["?"]


def test_a_key_with_a_pin_that_is_not_understood_is_shown_without_it() -> None:
    shown: list[bytes] = []

    async def play() -> None:
        wire, shell = Wire(), FakeIntake()
        wire.plug_in()
        device = panel.Panel(wire.path, ANSWERS, lambda _number, _pin: None, shell)
        wire.hello()
        wire.say(line("!7 KEY SIGNON 7 1234 5"))
        shown.extend(await wire.until(line("+7")))
        device.close()
        wire.close()

    in_a_loop(play)
    assert any(b"REFUSED SIGNON: key your number, then your PIN.*" in each for each in shown)
    assert not any(b"1234" in each for each in shown)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("KEY FOO 3", "FOO 3: no such key. Press MENU."),
        ("FOO", "FOO: no such key. Press MENU."),
        ("KEY OPEN 3", "OPEN 3: press OPEN alone."),
        ("KEY BET", "BET: not clear. Key it like BET 3."),
        ("KEY BET x", "BET x: not clear. Key it like BET 3."),
        ("KEY AMOUNT 3 2500", "AMOUNT 3 2500: not clear. Key it like AMOUNT 3 ante 2500."),
        ("KEY LOST x", "LOST x: not clear. Key it like LOST 3."),
        ("KEY REPORT foreign_crd", "REPORT foreign_crd: not known. Press MENU and pick it."),
        (
            "KEY REPORT misdeal a=b",
            "REPORT misdeal: a fact or its value is wrong. Press MENU and pick it.",
        ),
        ("KEY CLEAR covr_open", "CLEAR covr_open: not known. Press MENU and pick it."),
        ("KEY CHOOSE", "CHOOSE: not known. Press MENU and pick it."),
        ("KEY AUTH 7", "AUTH: key your number, then your PIN."),
        ("KEY", "KEY: no such key. Press MENU."),
        ("", "Nothing: no such key. Press MENU."),
    ],
)
def test_a_mistyped_key_is_named_with_its_remedy(typed: str, said: str) -> None:
    assert panel_event(typed, 1, 1) is None
    assert not_understood(typed, ANSWERS) == said


@pytest.mark.parametrize("key", [*panel_keys.KEYS, *PLAIN_KEYS, *PERSON_KEYS, "BET", "NONSENSE"])
def test_what_a_mistyped_key_is_answered_with_fits_the_smallest_display(key: str) -> None:
    said = not_understood(f"KEY {key} {'mistyped ' * 10}", ANSWERS)
    assert len(rows_of(said, SMALLEST.columns)) <= SMALLEST.rows


# Card sources


def test_a_card_is_its_event_with_the_number_and_the_time() -> None:
    assert card_source.event_of("shoe", "CARD As", 7, 9) == CardDrawn(at_ms=9, frame=7, card="As")


def test_a_hand_is_its_event_with_its_cards_in_their_order() -> None:
    hand = HandDispensed(at_ms=9, frame=7, cards=("As", "Kd", "2c"))
    assert card_source.event_of("shuffler", "HAND As Kd 2c", 7, 9) == hand


NO_SHOE_SENDS = ("", "CARD", "CARD ", "As", "card As", "CARD As Kd", "KEY OPEN", "HAND As Kd")
NO_SHUFFLER_SENDS = ("HAND", "HAND ", "hand As", "HANDS As Kd", "CARD As")
NOBODY_SENDS = (
    "AGAIN",
    "AGAIN 5 CARD As",
    "AGAIN 0 12 CARD As",
    "AGAIN 4711 0 CARD As",
    "AGAIN 4711 012 CARD As",
    "AGAIN 4711 501 CARD As",
    "AGAIN 4711 12",
    "AGAIN 4711 12 AGAIN 4710 3 CARD As",
)


@pytest.mark.parametrize("text", [*NO_SHOE_SENDS, *NOBODY_SENDS])
def test_a_message_that_no_shoe_sends_is_no_event(text: str) -> None:
    assert card_source.event_of("shoe", text, 7, 9) is None


@pytest.mark.parametrize("text", [*NO_SHUFFLER_SENDS, *NOBODY_SENDS])
def test_a_message_that_no_shuffler_sends_is_no_event(text: str) -> None:
    assert card_source.event_of("shuffler", text, 7, 9) is None


def test_what_is_sent_again_after_a_restart_has_the_frame_that_it_had_before() -> None:
    card = CardDrawn(at_ms=9, frame=4_711_012, card="As")
    assert card_source.event_of("shoe", "AGAIN 4711 12 CARD As", 4_712_001, 9) == card
    hand = HandDispensed(at_ms=9, frame=4_711_012, cards=("As", "Kd"))
    assert card_source.event_of("shuffler", "AGAIN 4711 12 HAND As Kd", 4_712_001, 9) == hand
    unread = CardUnread(at_ms=9, frame=4_711_012, problem="smudged")
    for kind in ("shoe", "shuffler"):
        assert card_source.event_of(kind, "AGAIN 4711 12 UNREAD smudged", 4_712_001, 9) == unread


def test_only_the_first_message_of_a_session_may_be_a_repetition_that_is_not_marked() -> None:
    first = CardDrawn(at_ms=9, frame=4_712_001, card="As", unmarked=True)
    assert card_source.event_of("shoe", "CARD As", 4_712_001, 9) == first
    second = CardDrawn(at_ms=9, frame=4_712_002, card="As")
    assert card_source.event_of("shoe", "CARD As", 4_712_002, 9) == second


@given(
    st.sampled_from(["shoe", "shuffler"]),
    st.text() | st.from_regex(r"(AGAIN \d{1,3} \d{1,3} )?(CARD|HAND|UNREAD) .*", fullmatch=True),
)
def test_no_message_of_a_card_source_stops_the_table(kind: card_source.Kind, text: str) -> None:
    event = card_source.event_of(kind, text, 7, 9)
    assert event is None or isinstance(event, CardDrawn | HandDispensed | CardUnread)


# The sign


def test_a_sign_shows_the_meter_in_cents_and_a_text() -> None:
    text = sign_text(ShowSign(1_234_500, "Ante $25.00 to $1,000.00"))
    assert text == "SIGN 1234500|Ante $25.00 to $1,000.00"


def test_a_sign_without_a_meter_shows_a_dash() -> None:
    assert sign_text(ShowSign(None, "a|b")) == "SIGN -|a/b"


def test_a_meter_of_nothing_is_shown_as_nothing_and_not_as_unknown() -> None:
    assert sign_text(ShowSign(0, "x")) == "SIGN 0|x"
