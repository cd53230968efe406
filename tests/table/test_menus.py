"""The menus of the panel: what they offer when, and that every pick ends in a key that is typed."""

import re
from itertools import product
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

from firmware.devices.panel_keys import KEYS, PERSON_KEYS, PLAIN_KEYS, event_of
from firmware.devices.panel_menu import Menu
from firmware.devices.panel_pages import SMALLEST, USUAL, Display
from firmware.devices.panel_screen import SCREEN_KEYS, PanelScreen
from firmware.rules.contract import Facts, IrregularityName, Option
from firmware.rules.games import GAMES
from firmware.rules.ruling import NEEDED_FACTS
from firmware.rules.words import IRREGULARITIES, OPTIONS
from firmware.table.effects import ShowPrompt, ShowRefusal
from firmware.table.events import (
    BetKeyed,
    DealerSignedOn,
    Event,
    IrregularityReported,
    OptionChosen,
    SeatsJoined,
    TableClosed,
)
from firmware.table.irregularities.reports import CAN_OCCUR
from firmware.table.menus import menu
from firmware.table.questions import Entry
from firmware.table.report_menu import FACTS, GROUPS, KNOWN_TO_THE_TABLE
from firmware.table.settings import CardSource
from firmware.table.state import Phase
from tests.devices.intake import ANSWERS
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    SETTINGS,
    STRAIGHT_FLUSH,
    TENS,
    Playing,
    at_reveal,
    bets_placed,
    owed_in,
)
from tests.table.rounds import closed, settings_of

USED: tuple[Phase, ...] = ("idle", "betting", "dealing", "deciding", "revealing", "settling")


def reached(phase: Phase, playing: Playing) -> Playing:
    """Play until a phase is reached, at a table with a burnt card."""
    steps = {
        "idle": lambda: None,
        "betting": lambda: (playing.open(), playing.chip(1), playing.chip(3)),
        "dealing": playing.close,
        "deciding": lambda: playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH),
        "revealing": lambda: (playing.bet(1), playing.bet(3)),
        "settling": playing.reveal,
    }
    for name, step in steps.items():
        step()
        if name == phase:
            break
    assert playing.state.phase == phase
    return playing


def walked(entries: tuple[Entry, ...], *picks: int) -> Menu:
    """Pick these numbers, one after another."""
    walk = Menu(entries)
    for number in picks:
        assert walk.pick(number)
    return walk


def offered(playing: Playing) -> tuple[Entry, ...]:
    """List what the menu has now."""
    return menu(playing.table.settings, playing.state)


def pick_by_words(entries: tuple[Entry, ...], *words: str) -> Menu:
    """Pick the lines with these words."""
    walk = Menu(entries)
    for each in words:
        (number,) = [line.split()[0] for line in walk.lines()[1:] if each in line]
        assert walk.pick(int(number))
    return walk


def event(key: str) -> Event:
    """Read a key as the panel's driver does."""
    found = event_of(key, 7, 9, ANSWERS)
    assert found is not None, key
    return found


def test_every_irregularity_fact_and_option_has_words() -> None:
    listed = [kind for kinds in GROUPS.values() for kind in kinds]
    assert sorted(listed) == sorted(get_args(IrregularityName)) == sorted(IRREGULARITIES)
    asked = {fact for facts in NEEDED_FACTS.values() for fact in facts} - set(KNOWN_TO_THE_TABLE)
    assert asked == set(FACTS)
    assert {*FACTS, *KNOWN_TO_THE_TABLE} == set(Facts.__struct_fields__)
    assert set(get_args(Option)) < set(OPTIONS)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("phase", USED)
def test_the_menu_offers_every_irregularity_that_can_occur_now_and_no_other(
    game: str, phase: Phase
) -> None:
    playing = reached(phase, Playing())
    settings = replace(SETTINGS, game=game)
    (report,) = [
        entry for entry in menu(settings, playing.state) if entry.words == "Report an irregularity"
    ]
    keys = {entry.key for group in report.entries for entry in group.entries}
    can_occur = {kind for kind, phases in CAN_OCCUR.items() if phase in phases}
    assert keys == {f"REPORT {kind}" for kind in can_occur - settings.rules.impossible}


@pytest.mark.parametrize("phase", USED)
@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_picked_ends_in_a_key_that_the_table_knows(phase: Phase, seed: int) -> None:
    playing, rng = reached(phase, Playing()), Random(f"{phase} {seed}")
    walk = Menu(offered(playing))
    for _ in range(40):
        if walk.key:
            break
        assert walk.pick(rng.randint(1, max(len(walk.lines()) - 1, 1)))
    assert walk.key
    event(walk.key)


def test_a_report_is_asked_for_its_facts_and_is_then_the_typed_key() -> None:
    playing = reached("deciding", Playing())
    walk = pick_by_words(
        offered(playing), "Report", "Cards", "Cards exposed in the deal", "2", "No"
    )
    assert walk.key == "KEY REPORT cards_exposed count=2 any_player_seen=no"
    playing.take(event(walk.key))
    assert playing.state.incident.irregularity == "cards_exposed"


def test_only_seats_in_play_are_offered() -> None:
    playing = reached("deciding", Playing())
    walk = pick_by_words(offered(playing), "Report", "Bets", "Bet raised too late")
    assert walk.lines() == ("Which seat?", "1 Seat 1", "2 Seat 3")
    # A bet that comes too late may be the box's first.
    walk = pick_by_words(offered(playing), "Report", "Bets", "Late bet")
    assert len(walk.lines()) == 1 + playing.table.settings.seats


def test_the_seats_of_one_player_are_offered_together() -> None:
    playing = reached("dealing", Playing())
    playing.press(SeatsJoined, seats=(3, 1))
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    reported = ("Report", "Players", "Player looked at another hand")
    walk = pick_by_words(offered(playing), *reported, "Seats 1 and 3", "Seat 3", "Yes")
    assert walk.key == ("KEY REPORT extra_hand_examined seats=1,3 first_seat=3 intentional=yes")


def test_several_seats_are_picked_one_after_another_until_done() -> None:
    playing = reached("betting", Playing())
    walk = pick_by_words(offered(playing), "several seats", "Seat 4", "Seat 2")
    assert walk.lines() == (
        "Which seats? The one looked at first",
        "1 Seat 1",
        "2 Seat 3",
        "3 Done: 4, 2",
    )
    walk.pick(3)
    assert event(walk.key) == SeatsJoined(at_ms=9, frame=7, seats=(4, 2))


def test_the_choices_of_a_ruling_come_first_for_all_or_for_a_seat() -> None:
    playing = reached("deciding", Playing())
    playing.report("misdeal", any_player_seen=True, movable=False)
    assert Menu(offered(playing)).lines()[1:3] == (
        "1 Play on with the cards as they are",
        "2 Withdraw, bets returned",
    )
    everybody = walked(offered(playing), 1, 1)
    assert event(everybody.key) == OptionChosen(at_ms=9, frame=7, option="continue")
    third = walked(offered(playing), 2, 3)
    assert event(third.key) == OptionChosen(at_ms=9, frame=7, option="withdraw", seat=3)


def test_what_is_referred_has_no_seat_to_ask_for() -> None:
    playing = reached("deciding", Playing())
    playing.report("other")
    assert walked(offered(playing), 1).key == "KEY CHOOSE continue"


def test_a_fault_that_somebody_has_to_clear_is_in_the_menu_by_its_words() -> None:
    playing = Playing()
    playing.fault("sensor_stuck", "seat 3")
    playing.fault("device_gone", "sign")
    clears = [entry for entry in offered(playing) if entry.key.startswith("CLEAR")]
    assert [entry.key for entry in clears] in ([], ["CLEAR sensor_stuck seat 3"])
    playing.fault("cover_open")
    keys = [entry.key for entry in offered(playing)]
    assert "CLEAR cover_open" in keys
    assert "CLEAR device_gone sign" not in keys


@pytest.mark.parametrize("display", [SMALLEST, USUAL], ids=str)
def test_a_report_can_be_made_on_any_display_without_typing_a_name(display: Display) -> None:
    playing = reached("deciding", Playing())
    screen = PanelScreen(display, lambda: offered(playing))
    screen.show(ShowPrompt("deciding", ("BET or FOLD: seats 1, 3.",)))
    shown, key = screen.pressed("KEY MENU")
    assert shown.startswith("SHOW menu|")
    for words in ("Report", "Bets", "Late bet", "Seat 3"):
        number = number_of(screen, shown, words)
        shown, key = screen.pressed(f"KEY PICK {number}")
    assert key == "KEY REPORT late_bet seat=3"
    assert " ".join(shown.split("|")) == "SHOW deciding BET or FOLD: seats 1, 3."
    assert isinstance(event(key), IrregularityReported)


def number_of(screen: PanelScreen, shown: str, words: str) -> int:
    """Turn pages until one has a line that begins with these words, and read its number."""
    for _ in range(30):
        for row in shown.split("|")[1:]:
            number, _, rest = row.partition(" ")
            if number.isdigit() and rest.startswith(words[:15]):
                return int(number)
        shown, _ = screen.pressed("KEY NEXT")
    raise AssertionError(f"{words} is nowhere in the menu")


def test_cancel_leaves_the_menu_and_reaches_the_table_only_without_one() -> None:
    playing = reached("deciding", Playing())
    screen = PanelScreen(USUAL, lambda: offered(playing))
    prompt = screen.show(ShowPrompt("deciding", ("BET or FOLD: seats 1, 3.",)))
    assert not screen.takes("KEY CANCEL")
    screen.pressed("KEY MENU")
    assert screen.takes("KEY CANCEL")
    assert screen.pressed("KEY CANCEL") == (prompt, "")
    assert not screen.takes("KEY CANCEL")


def test_a_menu_stays_open_until_the_phase_changes() -> None:
    playing = reached("deciding", Playing())
    screen = PanelScreen(USUAL, lambda: offered(playing))
    screen.show(ShowPrompt("deciding", ("BET or FOLD: seats 1, 3.",)))
    shown, _ = screen.pressed("KEY MENU")
    assert screen.show(ShowPrompt("deciding", ("BET or FOLD: seat 3.",))) == shown
    assert screen.show(ShowPrompt("revealing", ("Turn up.",))) == "SHOW revealing|Turn up."


@pytest.mark.parametrize("key", ["KEY PICK 99", "KEY PICK 0", "KEY PICK x", "KEY PICK"])
def test_a_number_that_is_not_in_the_menu_is_refused_and_the_menu_stays(key: str) -> None:
    playing = bets_placed()
    screen = PanelScreen(USUAL, lambda: offered(playing))
    screen.show(ShowPrompt("betting", ("Place your bets.",)))
    opened, _ = screen.pressed("KEY MENU")
    refused, made = screen.pressed(key)
    assert refused.startswith("REFUSED ")
    assert made == ""
    assert screen.pressed("KEY NEXT") == (opened, "")


def test_a_pick_without_a_menu_is_refused() -> None:
    screen = PanelScreen()
    screen.show(ShowPrompt("idle", ("Press OPEN.",)))
    text = screen.refuse(ShowRefusal("Press MENU, then PICK and one of its numbers."))
    assert screen.pressed("KEY PICK 1") == (text, "")


# A panel without letters


def keys_in(entries: tuple[Entry, ...]) -> set[str]:
    """List the keys that a menu can end in."""
    inner = [keys_in(entry.entries) for entry in entries]
    return {entry.key.split()[0] for entry in entries if entry.key}.union(*inner)


def own_keys() -> set[str]:
    """Read which keys a panel without letters has, from the document."""
    text = (Path(__file__).parents[2] / "hw" / "line-protocol.md").read_text(encoding="utf-8")
    sentence = text.partition("A panel without letters needs")[2].partition("All others")[0]
    return set(re.findall(r"`([A-Z]+)`", sentence))


def test_every_key_that_a_panel_without_letters_lacks_is_in_a_menu() -> None:
    found: set[str] = set()
    for game, source in product(GAMES, get_args(CardSource)):
        settings = settings_of(game, source)
        opened = Playing(settings)
        found |= keys_in(offered(opened))
        opened.open()
        opened.ante(1, 2_500)
        found |= keys_in(offered(opened))
        played = closed(settings)
        for _ in played.rest("idle"):
            found |= keys_in(offered(played))
    ruled = reached("deciding", Playing())
    ruled.report("other")
    found |= keys_in(offered(ruled))
    major = at_reveal(STRAIGHT_FLUSH)
    major.reveal()
    found |= keys_in(offered(major))
    doubted = at_reveal(FLUSH)
    doubted.award(owed_in(doubted.reveal())[0].id, 1)
    found |= keys_in(offered(doubted))
    faulty = Playing()
    faulty.fault("cover_open")
    faulty.press(DealerSignedOn, staff="100", name="Tan", role="dealer")
    found |= keys_in(offered(faulty))
    faulty.press(TableClosed)
    found |= keys_in(offered(faulty))
    everything = {*KEYS, *PLAIN_KEYS, *PERSON_KEYS, *SCREEN_KEYS}
    assert everything - found == own_keys() - found
    assert own_keys() <= everything


def test_an_amount_is_keyed_as_a_number_where_the_menu_asks_for_one() -> None:
    playing = reached("betting", Playing())
    screen = PanelScreen(SMALLEST, lambda: offered(playing))
    screen.show(ShowPrompt("betting", ("Place your bets.",)))
    shown, key = screen.pressed("KEY MENU")
    for words in ("A bet is another", "Seat 3", "Ante"):
        shown, key = screen.pressed(f"KEY PICK {number_of(screen, shown, words)}")
        assert key == ""
    assert " ".join(shown.split("|")[1:]) == "PICK and the amount in cents"
    shown, key = screen.pressed("KEY PICK 7500")
    assert key == "KEY AMOUNT 3 ante 7500"
    assert event(key) == BetKeyed(at_ms=9, frame=7, seat=3, bet="ante", stake_cents=7_500)


def test_cards_are_picked_by_rank_and_suit() -> None:
    playing = closed(settings_of("rws-holdem", "manual")).play_until("claiming")
    hand = pick_by_words(offered(playing), "A seat's cards", "Seat 3")
    for number in (1, 4, 13, 1):
        assert hand.pick(number)
    assert hand.key == "KEY CARDS 3 As Kc"
    board = pick_by_words(offered(playing), "The board")
    for rank, suit in ((10, 2), (11, 3), (2, 1), (3, 1), (12, 4)):
        assert board.pick(rank)
        assert board.pick(suit)
    assert board.key == "KEY CARDS board Td Jh 2c 3c Qs"


def test_no_seat_can_be_picked_twice_where_the_seats_of_one_player_are_offered_together() -> None:
    playing = reached("dealing", Playing())
    playing.press(SeatsJoined, seats=(3, 1))
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    reported = ("Report", "Players", "Player looked at another hand")
    walk = pick_by_words(offered(playing), *reported)
    (number,) = [line.split()[0] for line in walk.lines()[1:] if line.endswith(" Seat 1")]
    walk.pick(int(number))
    assert not any("Seats" in line for line in walk.lines()[1:])


def test_a_claim_that_is_not_confirmed_is_picked_with_its_reason() -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    playing.reveal()
    walk = pick_by_words(offered(playing), "A claim is not confirmed", "Seat 1: straight flush")
    assert walk.pick(2)
    assert walk.key == "KEY NOTCONFIRMED 1 a card is not of this deck"
    (claim,) = playing.state.round.claims.values()
    playing.state.round.claims["another"] = claim
    answers = [line.partition(" ")[2] for line in walked_to_claims(playing)]
    assert len(answers) == 2
    twice = Menu(offered(playing))
    pick(twice, "A claim is not confirmed")
    assert twice.pick(2)
    assert twice.pick(2)
    assert twice.key == "KEY NOTCONFIRMED 1 2 a card is not of this deck"


def pick(walk: Menu, words: str) -> None:
    """Pick the line with these words."""
    (number,) = [line.split()[0] for line in walk.lines()[1:] if words in line]
    assert walk.pick(int(number))


def walked_to_claims(playing: Playing) -> tuple[str, ...]:
    """List the claims that the menu offers not to confirm."""
    walk = Menu(offered(playing))
    pick(walk, "A claim is not confirmed")
    return walk.lines()[1:]
