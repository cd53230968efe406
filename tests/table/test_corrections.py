"""What lies where, as the dealer says after a dealing error (I-40): told, refused, settled.

Deals with errors at random, against a felt that only the test knows, are in `test_felt.py`.
"""

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import Verdict, Win
from firmware.rules.games import GAMES
from firmware.table.effects import NOT_ASKED
from firmware.table.events import CardsCorrected, CorrectionKind
from firmware.table.menus import menu
from firmware.table.public import public
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    SETTINGS,
    TENS,
    Effects,
    Playing,
    at_reveal,
    owed_in,
    prompt_in,
    refused,
    remembered,
)
from tests.table.rounds import SHUFFLER, closed, dealing, noticed, settings_of

DOCUMENTS = ("rws-multilink-stud", "rws-casino-stud", "rws-holdem")


def tell(playing: Playing, how: CorrectionKind, *places: int | str) -> Effects:
    """Say where cards lie, once it was ruled on; before the reveal the supervisor agrees at once."""
    in_play = playing.state.phase in {"dealing", "deciding", "revealing"}
    if in_play and how != "lost" and how not in playing.state.round.tellable:
        playing.rule_on_the_deal()
    effects = playing.press(CardsCorrected, how=how, places=tuple(map(str, places)))
    in_play = playing.state.doing in {"dealing", "deciding", "revealing"}
    if playing.state.round.correction is not None and how != "order" and in_play:
        return playing.confirm_as("pit_supervisor")
    return effects


def wins_in(effects: Effects) -> list[tuple[int, str]]:
    """Pick seat and hand of the wins out of some effects."""
    wins = [owed for owed in owed_in(effects) if isinstance(owed, Win)]
    return [(win.seat, win.claim.tier) for win in wins]


def deal_from(playing: Playing, cards: str) -> None:
    """Draw these cards one after another."""
    for card in cards.split():
        playing.draw(card)
        assert playing.decided


def hands(playing: Playing) -> dict[str, str]:
    """Give the cards that the table has at every place."""
    played = playing.state.round
    seats = {str(seat): player.cards for seat, player in played.seats.items()}
    return {place: " ".join(cards) for place, cards in {**seats, "dealer": played.dealer}.items()}


# Only after the dealing error was ruled on (I-40)

NOT_YET = refused("Report the dealing error first (MENU). Then say where the cards lie.")


def say(playing: Playing, how: CorrectionKind, *places: int) -> Effects:
    """Key where cards lie, and nothing else."""
    return playing.press(CardsCorrected, how=how, places=tuple(map(str, places)))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_nobody_says_where_cards_lie_before_the_dealing_error_was_ruled_on(game: str) -> None:
    playing = closed(settings_of(game)).play_until("dealing")
    while not playing.state.round.seats[3].cards:
        playing.next_cards()
    before = remembered(playing.state)
    for how, places in (("swap", (1, 3)), ("went", (3, 1)), ("order", ())):
        assert say(playing, how, *places) == NOT_YET  # type: ignore[arg-type]  # one of the names
    assert remembered(playing.state) == before
    playing.rule_on_the_deal()
    say(playing, "went", 3, 1)
    assert playing.decided


@pytest.mark.parametrize("game", ["mbs-megalink-stud", "rws-multilink-stud"])
def test_5_2_a_card_dealt_elsewhere_before_anybody_has_seen_his_hand_voids_the_round(
    game: str,
) -> None:
    playing = closed(settings_of(game)).play_until("dealing")
    for _ in range(5):
        playing.next_cards()
    playing.report("misdeal", any_player_seen=False, movable=False)
    assert say(playing, "went", 3, 1) == refused("Deal with the irregularity first.")
    playing.confirm()
    assert playing.state.round.void


@pytest.mark.parametrize("game", ["mbs-megalink-stud", "rws-multilink-stud"])
def test_5_2_where_complete_hands_are_moved_no_single_card_is(game: str) -> None:
    playing = closed(settings_of(game, "shuffler")).play_until("dealing")
    playing.next_cards()
    playing.report("misdeal", any_player_seen=False, movable=True)
    playing.confirm()
    assert say(playing, "went", 1, 3) == NOT_YET
    say(playing, "swap", 1, 3)
    assert playing.state.round.correction is not None or playing.state.round.corrected


def test_5_14_1_after_two_cards_at_once_only_their_order_is_said() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c")
    playing.report("simultaneous_draw", order_known=True)
    for seat in (1, 3):
        playing.choose("continue_reconstructed", seat)
    playing.confirm()
    assert say(playing, "swap", 1, 3) == NOT_YET
    say(playing, "order")
    assert playing.state.round.correction is not None


def test_what_the_table_noticed_and_a_supervisor_withdrew_lets_nobody_say_it() -> None:
    playing = dealing()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.draw("8d")
    playing.cancel()
    playing.confirm_as("pit_supervisor")
    assert say(playing, "went", 3, 1) == NOT_YET


def test_the_menu_offers_to_say_where_cards_lie_only_when_it_may_be_said() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c")

    def keys() -> set[str]:
        entries = menu(playing.table.settings, playing.state)
        return {each.key for entry in entries for each in entry.entries}

    assert not {"SWAP", "WENT", "ORDER"} & keys()
    playing.rule_on_the_deal()
    assert keys() >= {"SWAP", "WENT", "ORDER", "LOST"}


# Two hands exchanged


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_5_10_1_two_crossed_hands_are_settled_as_they_lie(source: str) -> None:
    playing = dealing(replace(SETTINGS, card_source=source))
    if source == "shoe":
        playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    else:
        for hand in (FLUSH, QUEEN_HIGH, ACE_HIGH):
            playing.dispense(*hand)
    playing.report("dealing_error", reconstructable=False)
    playing.confirm()
    assert "Confirmed by the pit_supervisor" in str(tell(playing, "swap", 1, 3))
    playing.bet(1)
    playing.bet(3)
    effects = playing.reveal()
    assert wins_in(effects) == [(3, "flush")]
    assert "Seat 1 ante loses: take $25.00" in prompt_in(effects)
    assert "Seat 3 bet wins: pay $250.00, leave $50.00" in prompt_in(effects)


def test_4_5_2_a_swapped_hand_keeps_the_moment_of_its_fifth_card() -> None:
    playing = dealing()
    playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    first, third = (playing.state.round.seats[seat].dealt_at_ms for seat in (1, 3))
    assert first < third
    tell(playing, "swap", 1, 3)
    assert playing.state.round.seats[1].dealt_at_ms == third
    assert playing.state.round.seats[3].dealt_at_ms == first


def test_a_first_hand_put_down_at_the_wrong_seat_leaves_the_right_one_to_be_dealt() -> None:
    playing = dealing(SHUFFLER)
    playing.dispense(*TENS)
    assert prompt_in(tell(playing, "swap", 1, 3))[0] == "Deal to seat 1: 5 cards."
    playing.dispense(*QUEEN_HIGH)
    playing.dispense(*ACE_HIGH)
    assert hands(playing) == {
        "1": " ".join(QUEEN_HIGH),
        "3": " ".join(TENS),
        "dealer": " ".join(ACE_HIGH),
    }


# One card elsewhere


def test_5_10_1_after_a_double_dealt_card_the_deal_follows_the_felt() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c")  # the three lies on the two, at seat 1
    lines = prompt_in(tell(playing, "went", 3, 1))
    assert lines[0] == "Deal to seat 3."
    assert "Cards dealt so far: seat 1 2, seat 3 0, the dealer 0." in lines
    deal_from(playing, "4c 5c")
    (line, *_) = prompt_in(playing.draw("6c"))  # seat 1 has its two already: to seat 3
    assert line == "Deal to yourself."
    deal_from(playing, "7c 8c 9c Tc Jc Qc Kc 2h 3h 4h")
    assert playing.phase() == "deciding"
    assert hands(playing) == {
        "1": "2c 3c 8c Jc 2h",
        "3": "4c 6c 9c Qc 3h",
        "dealer": "5c 7c Tc Kc 4h",
    }


def test_several_cards_are_told_in_the_order_in_which_they_were_dealt() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c 4c 5c")  # 2c and 3c at seat 1, 4c at 3, 5c at the dealer
    tell(playing, "went", 3, 1)
    assert hands(playing)["1"] == "2c 3c 5c"
    tell(playing, "went", "dealer", 3)
    tell(playing, "went", 1, "dealer")
    assert hands(playing) == {"1": "2c 3c", "3": "4c", "dealer": "5c"}


def test_5_15_a_hand_of_six_cards_stops_the_round_until_it_is_ruled_on() -> None:
    playing = dealing()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    effects = tell(playing, "went", 3, 1)
    assert "Seat 1 has 6 cards: wrong." in prompt_in(effects)
    assert "Seat 3 has 4 cards: wrong." in prompt_in(effects)
    stopped = refused(
        "Seat 1 has 6 cards. Deal what is missing, say where the cards lie, or report it."
    )
    assert playing.bet(1) == stopped
    playing.draw("8d")  # the card that seat 3 lacks
    assert hands(playing)["3"] == "Qs Jd 9d 6s 8d"
    playing.report("player_count_wrong", seat=1, reconstructable=False)
    playing.confirm_as("pit_supervisor")
    playing.bet(3)
    effects = playing.reveal()
    assert "Seat 1 ante goes back: return $25.00" in prompt_in(effects)
    assert "Seat 3 ante loses: take $25.00" in prompt_in(effects)


def test_a_card_that_came_too_late_for_the_table_goes_where_one_is_missing() -> None:
    playing = dealing()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    playing.draw("8d")
    assert noticed(playing) == "dealing_error"
    playing.confirm()
    tell(playing, "went", 3, 1)
    tell(playing, "went", "dealer", 3)
    playing.report("player_count_wrong", seat=1, reconstructable=False)
    playing.confirm_as("pit_supervisor")
    playing.bet(3)
    assert hands(playing)["3"] == "Qs Jd 9d 6s 2s"
    assert hands(playing)["dealer"] == "As Kd 9c 7h 8d"
    assert playing.state.round.surplus == []


# Two cards drawn at once


def test_5_14_the_order_of_two_cards_drawn_at_once_is_the_supervisors() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c")
    effects = tell(playing, "order")
    assert (
        "Pit supervisor: key and PIN, or CANCEL. The last two cards lie the other way round."
        in prompt_in(effects)
    )
    assert hands(playing) == {"1": "2c", "3": "3c", "dealer": ""}
    playing.confirm_as("dealer")
    assert hands(playing)["1"] == "2c"
    playing.confirm_as("pit_supervisor")
    assert hands(playing) == {"1": "3c", "3": "2c", "dealer": ""}


def test_5_14_one_of_the_two_may_be_the_burnt_card() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c")
    tell(playing, "order")
    playing.confirm_as("pit_supervisor")
    assert hands(playing)["1"] == "2d"


def test_4_5_2_two_cards_drawn_at_once_leave_the_hands_the_moments_that_they_had() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc 2h 3h")
    moments = [player.dealt_at_ms for player in playing.state.round.seats.values()]
    tell(playing, "order")
    playing.confirm_as("pit_supervisor")
    assert hands(playing)["1"].endswith("3h")
    assert [player.dealt_at_ms for player in playing.state.round.seats.values()] == moments


def test_a_correction_that_waits_can_be_cancelled() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c")
    tell(playing, "order")
    playing.cancel()
    assert playing.cancel() == refused("There is nothing to cancel.")
    assert playing.confirm_as("pit_supervisor") == refused(NOT_ASKED)


# Hands that are lost


def test_5_10_1_a_hand_that_is_lost_is_settled_by_the_dealer_and_keyed_if_it_claims() -> None:
    playing = dealing()
    playing.deal({1: TENS, 3: QUEEN_HIGH}, ACE_HIGH)
    tell(playing, "lost", 3)
    playing.bet(1)
    playing.bet(3)
    effects = playing.reveal()
    assert playing.phase() == "claiming"
    assert prompt_in(effects)[:2] == (
        "CARDS for each claiming hand, then PAID.",
        "Settle seat 3 by hand.",
    )
    assert playing.cards(1, *FLUSH) == refused(
        "The table has followed seat 1. Press LOST first if wrong."
    )
    playing.cards(3, *FLUSH)
    effects = playing.paid()
    assert wins_in(effects) == [(3, "flush")]
    lines = prompt_in(effects)
    assert "Seat 1 ante wins: pay $25.00, leave $25.00" in lines
    assert not any(line.startswith("Seat 3 ante") for line in lines)
    assert "Settle seat 3 by hand: keyed cards count for the jackpot alone." in lines


def test_a_hand_that_was_read_gives_way_to_keyed_cards_only_with_a_supervisor() -> None:
    playing = dealing()
    playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    tell(playing, "lost", 3)
    playing.bet(1)
    playing.bet(3)
    playing.reveal()
    assert playing.cards(3, *FLUSH) == refused(
        "A♥ lies face up at seat 1; check the cards, or LOST 1 first."
    )
    tell(playing, "lost", 1)
    assert list(playing.state.round.lost) == ["3"]
    playing.confirm_as("pit_supervisor")
    assert list(playing.state.round.lost) == ["3", "1"]
    playing.cards(3, *FLUSH)
    assert wins_in(playing.paid()) == [(3, "flush")]


def test_without_the_dealers_hand_everybody_is_settled_by_hand() -> None:
    playing = dealing()
    playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    tell(playing, "lost", "dealer")
    playing.bet(1)
    playing.bet(3)
    playing.reveal()
    effects = playing.paid()
    assert wins_in(effects) == [(1, "flush")]  # the hand itself is known
    assert not any("ante" in line for line in prompt_in(effects))


def test_a_hand_lost_in_the_deal_still_has_the_moment_of_its_fifth_card() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c 4c")
    tell(playing, "lost", 1)
    deal_from(playing, "5c 6c 7c 8c 9c Tc Jc Qc Kc 2h")
    assert playing.state.round.seats[1].dealt_at_ms == playing.at_ms
    deal_from(playing, "3h 4h")
    assert playing.phase() == "deciding"


def test_a_hand_of_a_wrong_number_is_lost_if_the_round_ends_without_a_reveal() -> None:
    playing = closed(settings_of("rws-multilink-stud"), jackpot=False).play_until("deciding")
    playing.fold(1)
    tell(playing, "went", 1, 3)
    playing.report("dealing_error", reconstructable=False)
    playing.choose("withdraw", 3)
    lines = prompt_in(playing.confirm_as("pit_supervisor"))
    assert playing.phase() == "claiming"
    assert lines[1] == "Settle seat 1 by hand."
    assert "Seat 3 ante goes back: return $50.00" in prompt_in(playing.paid())


def test_a_hand_lost_before_a_reader_fails_is_dealt_when_the_dealer_says_so() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c 4c")
    tell(playing, "lost", 1)
    playing.unread()
    playing.cancel()
    playing.confirm_as("pit_supervisor")
    playing.dealt()
    assert playing.state.round.seats[1].dealt_at_ms == playing.at_ms


# After the reveal


def test_once_cards_are_turned_up_a_correction_needs_the_supervisor() -> None:
    playing = at_reveal(FLUSH)
    (claim,) = wins_in(playing.reveal())
    assert claim == (1, "flush")
    tell(playing, "swap", 1, 3)
    assert [claim.seat for claim in playing.state.round.claims.values()] == [1]
    effects = playing.confirm_as("pit_supervisor")
    assert wins_in(effects) == [(3, "flush")]
    assert [o.confirmed for o in owed_in(effects) if isinstance(o, Verdict)] == [False]
    assert "Seat 3 bet wins: pay $250.00, leave $50.00" in prompt_in(effects)


def test_a_hand_lost_at_the_settlement_is_keyed_then() -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    tell(playing, "lost", 1)
    withdrawn = owed_in(playing.confirm_as("pit_supervisor"))
    assert [o.confirmed for o in withdrawn if isinstance(o, Verdict)] == [False]
    assert playing.phase() == "claiming"
    playing.cards(1, *TENS)
    effects = playing.paid()
    assert playing.state.round.claims == {}
    assert "Seat 3 ante loses: take $25.00" in prompt_in(effects)


def test_i_37_a_claim_on_a_lost_hand_is_withdrawn_in_the_supervisors_name_and_made_again() -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    (claim,) = playing.state.round.claims
    playing.award(claim, 10_000)
    tell(playing, "lost", 1)
    owed = owed_in(playing.confirm_as("pit_supervisor"))
    assert [(o.win, o.confirmed, o.staff) for o in owed if isinstance(o, Verdict)] == [
        (claim, False, "pit_supervisor-7")
    ]
    playing.cards(1, *FLUSH)
    (again,) = [o for o in owed_in(playing.paid()) if isinstance(o, Win)]
    assert again.id != claim
    assert list(playing.state.round.claims) == [again.id]


# What is refused tells nothing, and everything replays


@pytest.mark.parametrize(
    ("how", "places", "reason"),
    [
        ("swap", (1, 1), "Key SWAP and the two hands, such as SWAP 1 3."),
        ("swap", (1,), "Key SWAP and the two hands, such as SWAP 1 3."),
        ("swap", (1, 2), "Seat 2 has no hand in this round."),
        ("swap", (1, "board"), "There is no such hand in this round."),
        ("went", (3, 1), "The table has no card at seat 3."),
        ("lost", (), "Key LOST and the hands that the table no longer knows."),
        ("order", (1,), "Key ORDER alone."),
        ("order", (), "ORDER is for two cards that were drawn from the shoe at once."),
    ],
)
def test_a_correction_that_cannot_be_is_refused(
    how: CorrectionKind, places: tuple[int | str, ...], reason: str
) -> None:
    playing = dealing()
    playing.draw("2d")
    assert tell(playing, how, *places) == refused(reason)


def test_the_record_holds_the_places_and_the_cards_as_they_were() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c")
    tell(playing, "went", 3, 1)
    record = playing.journal[-1]
    assert isinstance(record, CardsCorrected)
    assert (record.places, record.cards) == (("3", "1"), ("3c",))
    before = remembered(playing.state)
    playing.table = type(playing.table).recovered(SETTINGS, playing.journal)
    assert remembered(playing.state) == before


def test_nothing_about_a_correction_names_a_card_that_lies_face_down() -> None:
    playing = dealing()
    playing.deal({1: FLUSH, 3: QUEEN_HIGH}, ACE_HIGH)
    told = [
        tell(playing, "swap", 1, "dealer"),
        tell(playing, "went", 1, 3),
        playing.bet(1),
        tell(playing, "order"),
        tell(playing, "lost", 3),
    ]
    for card in (*FLUSH, *QUEEN_HIGH, *ACE_HIGH):
        assert card not in str(told)
    assert public(playing.table.settings, playing.state).dealer == ()


# The moment of a hand


def test_4_5_2_a_fifth_card_that_comes_while_a_ruling_is_open_counts_from_then() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc")
    playing.report("other")
    playing.draw("2h")
    fifth = playing.at_ms
    playing.choose("continue")
    playing.confirm_as("shift_manager")
    assert hands(playing)["1"] == "2c 5c 8c Jc 2h"
    assert playing.state.round.seats[1].dealt_at_ms == fifth
    assert playing.state.round.dealt_at_ms == fifth


def test_4_5_2_hands_that_are_lost_before_they_are_whole_are_told_to_the_controller() -> None:
    playing = dealing()
    deal_from(playing, "2d 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc")
    tell(playing, "lost", 1, 3)
    seats = playing.state.round.seats
    assert playing.status is not None
    assert playing.status.dealt_at_ms == min(seat.dealt_at_ms for seat in seats.values())
    assert playing.status.dealt_at_ms


def test_4_5_2_a_round_may_claim_until_it_is_paid_or_void() -> None:
    playing = dealing()
    playing.deal({1: TENS, 3: FLUSH}, ACE_HIGH)
    first_ms = playing.state.round.dealt_at_ms
    playing.fold(1)
    playing.fold(3)
    playing.reveal()
    assert playing.status is not None
    assert (playing.status.phase, playing.status.dealt_at_ms) == ("settling", first_ms)
    playing.report("foreign_card")
    assert (playing.status.phase, playing.status.dealt_at_ms) == ("ruling", first_ms)
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.void
    assert (playing.status.phase, playing.status.dealt_at_ms) == ("settling", None)


def test_4_5_a_hand_that_a_reader_left_unfinished_is_dealt_when_the_dealer_says_so() -> None:
    playing = closed(settings_of("rws-holdem")).play_until("dealing")
    for _ in range(4):
        playing.next_cards()  # burnt, one each, and the second card of seat 1
    whole = playing.at_ms
    playing.unread()
    playing.cancel()
    playing.confirm_as("pit_supervisor")
    assert playing.state.round.source == "manual"
    playing.dealt()
    dealt_at = {seat: player.dealt_at_ms for seat, player in playing.state.round.seats.items()}
    assert dealt_at == {1: whole, 3: playing.at_ms}
