"""What a display of 20x4 shows first is what to do now: a key, somebody's PIN, or what to deal.

Every prompt of whole rounds, and of what can come into them, in every game and from every source.
"""

import re
from collections.abc import Mapping
from itertools import product
from typing import Literal, get_args

import pytest

from firmware.devices.panel_pages import SMALLEST, USUAL, prompt_pages, rows_of
from firmware.devices.panel_screen import PanelScreen
from firmware.rules.games import GAMES
from firmware.rules.ruling import NEEDED_FACTS
from firmware.table.effects import ShowPrompt
from firmware.table.events import (
    BetKeyed,
    CardsCorrected,
    DecisionCorrected,
    FaultClearAsked,
    IrregularityReported,
    MajorDenied,
    MeasureAsked,
)
from firmware.table.irregularities.reports import CAN_OCCUR
from firmware.table.menus import menu
from firmware.table.phases import PHASES
from firmware.table.prompts import prompt
from firmware.table.questions import Entry, Question
from firmware.table.report_menu import KNOWN_TO_THE_TABLE
from firmware.table.settings import CardSource
from firmware.table.state import CARDS_COME, Phase
from tests.table.playing import STRAIGHT_FLUSH, Playing, at_reveal
from tests.table.rounds import Round, closed, settings_of

KEYS = re.compile(
    r"\b(OPEN|CLOSE|DEALT|REVEAL|PAID|CONFIRM|CANCEL|MENU|CARDS|SIGNON|OPENTABLE|PIN"
    r"|BET|FLOP|TURN|RIVER)\b"
)
DONE_BY_HAND = re.compile(r"Deal t|Burn a card|pay \$|take \$|return (\$|bets)|Please wait")
"""What has to be dealt, paid or waited for needs no key."""
MEASURES: tuple[Literal["bar", "restrict", "lift"], ...] = ("bar", "restrict")
READERS: tuple[CardSource, ...] = ("shoe", "shuffler")
READ: tuple[Phase, ...] = ("dealing", "deciding", "revealing", "settling")
BY_HAND: tuple[Phase, ...] = ("dealing", "revealing", "claiming")
PLAYED: list[tuple[CardSource, Phase]] = [
    *product(READERS, READ),
    *(("manual", phase) for phase in BY_HAND),
]
"""How far a round goes that the table follows, and one that it does not."""
TOLD: Mapping[str, object] = {
    "count": 2,
    "any_player_seen": True,
    "movable": True,
    "reconstructable": True,
    "order_known": True,
    "intentional": True,
    "seat": 1,
    "seats": [1, 3],
    "first_seat": 1,
    "viewed": [1],
}

every_game = pytest.mark.parametrize("game", sorted(GAMES))
every_phase = pytest.mark.parametrize(("source", "phase"), PLAYED)
every_source = pytest.mark.parametrize("source", get_args(CardSource))


def first_page(playing: Playing) -> str:
    """Give the first page of what the panel says now on the smallest display."""
    shown = prompt(playing.table.settings, playing.state)
    page = prompt_pages(shown, SMALLEST)[0]
    return " ".join(page)


def check(playing: Playing) -> None:
    """Check that the first page says what to do."""
    page = first_page(playing)
    assert KEYS.search(page) or DONE_BY_HAND.search(page), page


def cancelled(playing: Playing) -> None:
    """Drop what was asked for, and check what is shown then."""
    playing.cancel()
    check(playing)


@every_game
@every_source
def test_the_first_page_of_every_prompt_of_a_round_says_what_to_do(
    game: str, source: CardSource
) -> None:
    playing = Round(settings_of(game, source))
    check(playing)
    playing.open()
    check(playing)
    playing = closed(settings_of(game, source))
    check(playing)
    for _ in playing.rest("idle"):
        check(playing)


@every_game
@every_phase
def test_the_first_page_says_whose_pin_or_what_key_an_asked_thing_waits_for(
    game: str, source: CardSource, phase: Phase
) -> None:
    playing = closed(settings_of(game, source)).play_until(phase)
    for measure in MEASURES:
        playing.press(MeasureAsked, seat=1, measure=measure)
        assert "PIN" in first_page(playing)
        cancelled(playing)
    if BetKeyed in PHASES[phase]:
        playing.press(BetKeyed, seat=1, bet="ante", stake_cents=7_500)
        check(playing)
        playing.cancel()
    if phase in CARDS_COME:
        playing.rule_on_the_deal()
    playing.press(CardsCorrected, how="order", places=())
    check(playing)
    playing.cancel()
    if DecisionCorrected in PHASES[phase]:
        playing.press(DecisionCorrected, seat=1, decision="fold")
        check(playing)


@every_game
@every_phase
def test_the_first_page_of_every_ruling_says_what_to_do(
    game: str, source: CardSource, phase: Phase
) -> None:
    playing = closed(settings_of(game, source)).play_until(phase)
    ruled = 0
    for kind, phases in CAN_OCCUR.items():
        if phase in phases and IrregularityReported in PHASES[phase]:
            asked = [fact for fact in NEEDED_FACTS[kind] if fact not in KNOWN_TO_THE_TABLE]
            playing.report(kind, **{fact: TOLD[fact] for fact in asked})
            check(playing)
            ruled += playing.phase() == "ruling"
            if playing.phase() == "ruling":
                playing.cancel()
                check(playing)
    assert ruled


def test_the_first_page_says_void_and_what_goes_back_to_the_first_seat() -> None:
    playing = closed(settings_of("rws-multilink-stud")).play_until("deciding")
    playing.report("foreign_card")
    playing.confirm_as("pit_supervisor")
    page = first_page(playing)
    assert page.startswith("Void: return bets. Seat 1: return $")


def test_the_first_page_of_a_major_asks_for_the_pit_supervisor_and_tells_a_yes_from_a_no() -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    playing.reveal()
    assert first_page(playing).startswith("Pit supervisor: check seat 1, key and PIN.")
    playing.press(MajorDenied, seat=1, reason="a card is not of this deck")
    page = first_page(playing)
    assert page.startswith("Pit supervisor: key and PIN, or CANCEL. Seat 1: no")


def test_the_first_page_says_who_clears_a_fault() -> None:
    playing = Playing()
    playing.fault("cover_open")
    playing.fault_passes("cover_open")
    playing.press(FaultClearAsked, code="cover_open", where="")
    assert first_page(playing).startswith("Technician: key and PIN, or CANCEL. To clear F301.")


@every_game
@every_source
def test_a_fault_that_locks_the_table_is_on_the_first_page_in_every_phase(
    game: str, source: CardSource
) -> None:
    playing = Round(settings_of(game, source))
    playing.fault("power_failing")
    assert first_page(playing).startswith("F302 The power supply has failed")
    playing.fault_passes("power_failing")
    playing.open()
    playing.fault("power_failing")
    assert first_page(playing).startswith("F302 The power supply has failed")
    playing = closed(settings_of(game, source))
    playing.fault("power_failing")
    assert "F302" in first_page(playing)
    until: Phase = "claiming" if source == "manual" else "settling"
    for _ in playing.rest(until):
        assert "F302" in first_page(playing)
        check(playing)
    assert playing.phase() == until


def test_two_faults_and_many_pages_leave_room_for_one_number() -> None:
    pages = prompt_pages(
        ShowPrompt("settling", tuple(map(str, range(60))), alerts=("F302", "F201")), SMALLEST
    )
    assert {*(page[-1].split()[-1] for page in pages)} == {"F302"}
    (page, *_) = prompt_pages(
        ShowPrompt("settling", tuple(map(str, range(60))), alerts=("F302", "F201")), USUAL
    )
    assert page[-1] == "1/4 NEXT FAULT F302, F201"


def test_a_prompt_is_bounded_however_much_has_happened() -> None:
    playing = closed(settings_of("rws-multilink-stud")).play_until("deciding")
    playing.state.pending_words = tuple(f"table T{number}" for number in range(100))
    playing.state.round.rulings = [f"Ruling {number}." for number in range(100)]
    for number in range(100):
        playing.fault("message_rejected", f"T1.{number}.1.1")
    lines = prompt(playing.table.settings, playing.state).lines
    assert len(lines) < 40
    assert "Jackpot pending: table T99." in lines
    assert "And 92 more jackpots pending." in lines
    assert lines.index("Ruling 99.") < lines.index("Ruling 98.")
    assert "And 92 more rulings before these." in lines
    assert "And 92 more faults." in lines


@every_game
@every_phase
def test_the_first_page_of_every_menu_and_question_shows_something_to_pick(
    game: str, source: CardSource, phase: Phase
) -> None:
    check_menu(closed(settings_of(game, source)).play_until(phase))


@every_game
def test_the_first_page_of_a_menu_before_the_close_shows_something_to_pick(game: str) -> None:
    playing = Playing(settings_of(game))
    check_menu(playing)
    playing.open()
    check_menu(playing)


def check_menu(playing: Playing) -> None:
    """Open the menu, and look at everything in it."""
    offered = menu(playing.table.settings, playing.state)
    screen = PanelScreen(SMALLEST, lambda: offered)
    assert re.search(r"\|1 ", screen.pressed("KEY MENU")[0])
    check_entries(offered)


def check_entries(entries: tuple[Entry, ...]) -> None:
    """Check that what is asked leaves room for the first answer."""
    for entry in entries:
        if entry.entries:
            check_asked(entry.words, entry.entries[0].words)
            check_entries(entry.entries)
        for question in entry.questions:
            check_question(question)


def check_question(question: Question) -> None:
    """Check that the first answer to a question is in view with it."""
    if not question.number:
        check_asked(question.words, question.answers[0].words)


def check_asked(asked: str, first: str) -> None:
    """Check that a heading and its first line have room on one page."""
    rows = [*rows_of(asked, SMALLEST.columns), *rows_of(f"1 {first}", SMALLEST.columns)]
    assert len(rows) < SMALLEST.rows, asked


def test_holdem_by_hand_names_every_card_of_the_board_in_its_order() -> None:
    playing = closed(settings_of("rws-holdem", "manual"))
    dealt = prompt(playing.table.settings, playing.state).lines[0]
    assert dealt == "Deal, then DEALT. Burn one; 2 cards to seats 1, 3."
    playing.play_until("revealing")
    lines = prompt(playing.table.settings, playing.state).lines
    assert lines[:8] == (
        "REVEAL at the end, with all hands up.",
        "1. Flop or fold?",
        "2. Burn one. Deal the flop: 3 cards face down, then up.",
        "3. Turn or check?",
        "4. Burn one. Deal the turn card face down, then up.",
        "5. River or check?",
        "6. Burn one. Deal the river card face down, then up.",
        "7. Deal to yourself: 2 cards.",
    )


@pytest.mark.parametrize(
    ("game", "source", "said"),
    [
        ("rws-multilink-stud", "shoe", "Deal to yourself, face up."),
        ("rws-multilink-stud", "shuffler", "Deal to yourself: 5 cards, one face up."),
        ("mbs-megalink-stud", "shuffler", "Deal to yourself: 5 cards, the last face up."),
        ("mbs-singapore-stud", "shoe", "Deal to yourself: 5 cards, the last face up."),
        ("rws-holdem", "shuffler", "Deal to seat 3: 2 cards."),
        ("rws-multilink-stud", "shuffler", "Deal to seat 1: 5 cards."),
    ],
)
def test_the_deal_says_how_many_cards_and_which_lies_face_up(
    game: str, source: CardSource, said: str
) -> None:
    playing = closed(settings_of(game, source))
    heard = [prompt(playing.table.settings, playing.state).lines[0]]
    heard += [
        prompt(playing.table.settings, playing.state).lines[0]
        for _ in playing.rest("settling")
        if playing.phase() != "settling"
    ]
    assert said in heard
