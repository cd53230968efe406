"""The jackpot link is lost: between rounds, before and after cards were seen, in settling.

What follows is the game's (jackpot_fault), what is done about later rounds the house's
(jackpot_fault_persists). Payment from the registered meter is I-28.
"""

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import Verdict, Win
from firmware.rules.games import GAMES
from firmware.table.events import (
    AwardDecided,
    BetsClosed,
    CardsRevealed,
    LinkChanged,
    MeterMoved,
    PendingChanged,
    Restarted,
)
from firmware.table.settings import HousePolicy
from firmware.table.state import Phase
from firmware.table.table import Table
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    SETTINGS,
    STRAIGHT_FLUSH,
    Playing,
    bets_placed,
    owed_in,
    prompt_in,
    refused,
)
from tests.table.rounds import Round, closed, settings_of

every_game = pytest.mark.parametrize("game", sorted(GAMES))
RWS = sorted(game for game in GAMES if game.startswith("rws"))
MBS = sorted(game for game in GAMES if game.startswith("mbs"))


# Between rounds and while bets are open


@every_game
@pytest.mark.parametrize("policy", ["close_table", "disallow_box", "no_jackpot_bets"])
def test_later_rounds_need_the_link_or_the_houses_leave(game: str, policy: HousePolicy) -> None:
    playing = Playing(replace(settings_of(game), house_policy=policy))
    playing.link(healthy=False, problem="no route to the broker")
    effects = playing.open()
    if game in RWS and policy == "no_jackpot_bets":
        assert playing.phase() == "betting"
        assert playing.key(1, "jackpot", 500) == refused(
            "The jackpot link is down: take no jackpot bets."
        )
    else:
        assert effects == refused(
            "The jackpot link is down and the house does not play without it: "
            "no route to the broker."
        )
        playing.link(healthy=True)
        playing.open()
        assert playing.phase() == "betting"


@every_game
@pytest.mark.parametrize("option", ["close_table", "no_jackpot_bets"])
def test_the_shift_manager_decides_about_later_rounds_at_the_table(game: str, option: str) -> None:
    playing = Playing(settings_of(game))
    playing.link(healthy=False)
    playing.report("jackpot_fault_persists")
    playing.choose(option)
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "ruling"
    playing.confirm_as("shift_manager")
    if option == "close_table":
        assert playing.phase() == "closed"
        return
    playing.open()
    assert playing.phase() == "betting"
    playing.chip(1)
    assert playing.close() == refused(
        "The jackpot link is down: hand back the jackpot chips, wait, or report it with MENU."
    )
    playing.lift(1)
    playing.ante(1, 2_500)
    playing.close()
    assert playing.phase() in {"dealing", "drawing"}
    assert owed_in(playing.table.resumed()) == []


# In the round


@every_game
def test_a_link_lost_before_cards_were_seen(game: str) -> None:
    playing = closed(settings_of(game)).play_until("dealing")
    playing.link(healthy=False)
    incident = playing.state.incident
    assert (incident.irregularity, incident.noticed) == ("jackpot_fault", True)
    assert incident.ruling.action == ("void" if game in RWS else "refer")


@every_game
@pytest.mark.parametrize("phase", ["deciding", "revealing"])
def test_a_link_lost_after_cards_were_seen(game: str, phase: Phase) -> None:
    playing = closed(settings_of(game)).play_until(phase)
    playing.link(healthy=False)
    if game in RWS:
        assert playing.phase() == phase
        assert playing.state.round.rulings[-1].startswith("Jackpot fault: play continues as dealt.")
    else:
        assert playing.state.incident.ruling.action == "refer"
        playing.choose("continue")
        playing.confirm_as("shift_manager")
        assert playing.phase() == phase


@every_game
def test_a_link_lost_without_a_jackpot_bet_in_the_round_changes_nothing(game: str) -> None:
    playing = closed(settings_of(game), jackpot=False).play_until("dealing")
    playing.link(healthy=False)
    assert playing.phase() == "dealing"
    playing.play_until("idle")


# Paying by the meter that was registered (I-28)


def won(game: str, *, meter_cents: int = 1_000_000) -> Playing:
    """Play to the reveal: seat 1 has a straight flush, seat 3 a flush; all is acknowledged."""
    playing = bets_placed(replace(SETTINGS, game=game, card_source="shuffler"))
    playing.meter(meter_cents, 1, reset_cents=200_000)
    for contribution in owed_in(playing.close()):
        playing.acknowledge(contribution.id)
    for hand in (STRAIGHT_FLUSH, FLUSH, ACE_HIGH):
        playing.dispense(*hand)
    playing.bet(1)
    playing.bet(3)
    return playing


def test_rws_pays_a_lost_link_from_the_registered_meter_and_says_so() -> None:
    playing = won("rws-multilink-stud")
    playing.meter(2_000_000, 2)
    playing.link(healthy=False)
    effects = playing.reveal()
    lines = prompt_in(effects)
    major = "Seat 1 JACKPOT straight flush (player's hand), major, 10 % of the meter"
    assert f"{major}: to be confirmed, do not pay yet" in lines, (
        "no amount to pay before it may be paid"
    )
    assert "2,000.00" not in " ".join(lines)
    assert "Seat 3 JACKPOT flush (player's hand), minor, $100.00: pay $100.00" in " ".join(lines)
    first, third = owed_in(effects)
    assert [isinstance(win, Win) and win.final for win in (first, third)] == [False, True]
    assert playing.paid() == refused("Pit supervisor: check seat 1, key and PIN.")
    confirmed = prompt_in(playing.confirm_as("pit_supervisor"))
    assert f"{major}: pay $2,000.00 from the registered meter" in confirmed
    paid = [owed for owed in owed_in(playing.paid()) if isinstance(owed, Verdict)]
    assert [(v.win, v.confirmed, v.paid_cents) for v in paid] == [
        (first.id, True, 200_000),
        (third.id, True, 10_000),
    ]
    owed = [o for o in playing.state.owed.values() if isinstance(o, Verdict)]
    assert owed == paid  # the one that only confirmed would have it awarded as well
    for verdict in paid:
        playing.acknowledge(verdict.id)
    assert not {first.id, third.id} & set(playing.state.owed)


def confirmed_while_cut_off() -> tuple[Playing, str]:
    """Confirm a straight flush that is paid $1,000.00 from the registered meter; mend the link."""
    playing = won("rws-multilink-stud")
    playing.link(healthy=False)
    first, _ = owed_in(playing.reveal())
    playing.confirm_as("pit_supervisor")
    playing.link(healthy=True)
    return playing, first.id


def test_5_18_1_what_was_confirmed_at_the_registered_meter_is_not_replaced_in_silence() -> None:
    playing, win = confirmed_while_cut_off()
    playing.award(win, 123_400)
    claim = playing.state.round.claims[win]
    assert (claim.reckoned_cents, claim.award_cents) == (100_000, 123_400)
    detail = playing.state.faults[f"award_doubted {win}"].detail
    assert detail.endswith("awarded $1,234.00, worth $1,000.00")
    assert playing.phase() == "settling"
    doubt = "Seat 1's award is in doubt: pay nothing on it before it is decided."
    assert playing.paid() == refused(doubt)


@pytest.mark.parametrize(("pay", "cents"), [("awarded", None), ("reckoned", 100_000)])
def test_5_18_1_the_shift_manager_decides_between_the_registered_amount_and_the_award(
    pay: str, cents: int | None
) -> None:
    playing, win = confirmed_while_cut_off()
    playing.award(win, 123_400)
    playing.press(AwardDecided, seat=1, pay=pay)
    playing.confirm_as("shift_manager")
    assert not playing.state.faults
    told = [o for o in owed_in(playing.paid()) if isinstance(o, Verdict) and o.win == win]
    assert [verdict.paid_cents for verdict in told] == ([] if cents is None else [cents])


def test_an_award_of_the_registered_amount_is_simply_believed() -> None:
    playing, win = confirmed_while_cut_off()
    playing.award(win, 100_000)
    assert not playing.state.faults
    lines = prompt_in(playing.table.resumed())
    assert not any("registered" in line for line in lines if line.startswith("Seat 1"))
    assert any("pay $1,000.00" in line for line in lines)


def test_an_award_that_comes_before_the_supervisor_replaces_the_registered_amount() -> None:
    playing = won("rws-multilink-stud")
    playing.link(healthy=False)
    first, _ = owed_in(playing.reveal())
    playing.link(healthy=True)
    playing.award(first.id, 100_500)
    assert not playing.state.faults
    assert playing.state.round.claims[first.id].amount_cents == 100_500


def test_5_18_1_what_was_confirmed_stays_when_the_link_is_lost_again_with_another_meter() -> None:
    playing, win = confirmed_while_cut_off()
    playing.meter(300_000, 3, 300_000)
    playing.pending(win, locked_cents=300_000, reset_cents=300_000)
    playing.link(healthy=False)
    assert playing.state.round.claims[win].amount_cents == 100_000
    assert not playing.state.faults


def test_what_is_pending_is_not_shown_while_the_link_is_down() -> None:
    playing = won("rws-multilink-stud")
    playing.reveal()
    playing.take(PendingChanged(at_ms=playing.now(), ids=("T2.x.9.1",), words=("table T2",)))
    pending = "Jackpot pending: table T2."
    assert pending in prompt_in(playing.table.resumed())
    playing.link(healthy=False)
    assert pending not in prompt_in(playing.table.resumed())
    playing.link(healthy=True)
    assert pending in prompt_in(playing.table.resumed()), "it is not told anew"


def test_an_award_that_comes_after_the_payment_changes_nothing_that_was_paid() -> None:
    playing = won("rws-multilink-stud")
    playing.link(healthy=False)
    first, _ = owed_in(playing.reveal())
    playing.confirm_as("pit_supervisor")
    playing.paid()
    playing.link(healthy=True)
    playing.award(first.id, 999)
    assert playing.state.round.claims[first.id].amount_cents == 100_000
    (verdict,) = [
        o for o in playing.state.owed.values() if isinstance(o, Verdict) and o.win == first.id
    ]
    assert verdict.paid_cents == 100_000


def test_a_link_lost_while_an_award_is_pending_in_rws_pays_at_once() -> None:
    playing = won("rws-multilink-stud")
    playing.reveal()
    assert all(c.amount_cents is None for c in playing.state.round.claims.values())
    playing.link(healthy=False)
    assert playing.phase() == "settling"
    assert [c.amount_cents for c in playing.state.round.claims.values()] == [100_000, 10_000]


def test_what_pays_is_the_meter_of_the_moment_when_the_link_was_lost() -> None:
    playing = won("rws-multilink-stud")
    playing.reveal()
    playing.meter(2_000_000, 2, reset_cents=300_000)
    playing.link(healthy=False)
    play = playing.state.round
    assert (play.meter_cents, play.reset_cents) == (2_000_000, 300_000)
    assert [c.amount_cents for c in play.claims.values()] == [200_000, 10_000]


def test_i_28_a_meter_of_other_books_is_not_registered_with_a_round_that_was_closed_before() -> (
    None
):
    playing = won("rws-multilink-stud")
    other = MeterMoved(at_ms=playing.now(), meter_cents=77_000_000, sequence=1, books="others")
    playing.take(other)
    playing.reveal()
    playing.link(healthy=False)
    assert playing.state.round.meter_cents == 1_000_000
    first, _ = playing.state.round.claims.values()
    assert first.amount_cents == 100_000


def test_an_award_is_not_judged_by_a_meter_of_other_books() -> None:
    playing = won("rws-multilink-stud")
    first, _ = owed_in(playing.reveal())
    other = MeterMoved(at_ms=playing.now(), meter_cents=77_000_000, sequence=1, books="others")
    playing.take(other)
    playing.award(first.id, 7_700_000, 77_000_000)
    assert f"award_doubted {first.id}" in playing.state.faults


def test_the_meter_of_the_lost_link_outlives_a_power_cut() -> None:
    playing = won("rws-multilink-stud")
    playing.meter(2_000_000, 2)
    playing.link(healthy=False)
    # What was only observed is forgotten now; what was registered is in the journal.
    playing.table = Table.recovered(playing.table.settings, playing.journal)
    assert playing.state.meter_cents is None
    playing.take(Restarted(at_ms=playing.now()))
    playing.cancel()
    playing.confirm_as("pit_supervisor")
    playing.link(healthy=False, problem="no route")
    playing.reveal()
    assert [c.amount_cents for c in playing.state.round.claims.values()] == [200_000, 10_000]


def test_a_link_that_stays_away_after_a_restart_in_rws_pays_too() -> None:
    playing = won("rws-multilink-stud")
    playing.reveal()
    playing.take(Restarted(at_ms=playing.now()))
    assert all(c.amount_cents is None for c in playing.state.round.claims.values())
    playing.link(healthy=False, problem="no route")
    assert [c.amount_cents for c in playing.state.round.claims.values()] == [100_000, 10_000]


@pytest.mark.parametrize("game", MBS)
@pytest.mark.parametrize("when", ["deciding", "settling"])
def test_mbs_pays_from_the_registered_meter_as_the_shift_manager_decides(
    game: str, when: Phase
) -> None:
    playing: Playing = singapore() if game == "mbs-singapore-stud" else won(game)
    if when == "settling":
        playing.reveal()
    playing.link(healthy=False)
    assert playing.state.incident.ruling.authority == "gaming_shift_manager"
    assert "pay from the registered meter" in prompt_in(playing.table.resumed())[0]
    playing.choose("pay_registered")
    playing.confirm_as("shift_manager")
    if when == "deciding":
        assert playing.phase() == "revealing"
        playing.reveal()
    amounts = {c.seat: c.amount_cents for c in playing.state.round.claims.values()}
    assert amounts[1] == 100_000
    assert all(claim.registered for claim in playing.state.round.claims.values())


def test_a_meter_without_a_reset_value_has_none() -> None:
    playing = won("rws-multilink-stud")
    playing.take(MeterMoved(at_ms=playing.now(), meter_cents=2_000_000, sequence=2))
    assert playing.state.reset_cents == 0
    # Records of before there was one are read the same way.
    assert BetsClosed(at_ms=1, frame=1).reset_cents == 0
    assert CardsRevealed(at_ms=1, frame=1).reset_cents == 0
    assert LinkChanged(at_ms=1, healthy=False).reset_cents == 0


def singapore() -> Round:
    """Play to the reveal of `mbs-singapore-stud` with the hands of `won`."""
    playing = Round(settings_of("mbs-singapore-stud"))
    playing.open()
    playing.chip(1)
    playing.chip(3)
    playing.meter(1_000_000, 1)
    playing.close()
    playing.lots("2d")
    for hand in (STRAIGHT_FLUSH, FLUSH, ACE_HIGH):
        for card in hand:
            playing.draw(card)
    playing.bet(1)
    playing.bet(3)
    return playing


def test_mbs_whose_manager_let_play_go_on_is_told_what_to_do_about_a_win() -> None:
    playing = won("mbs-megalink-stud")
    playing.link(healthy=False)
    playing.choose("continue")
    playing.confirm_as("shift_manager")
    lines = prompt_in(playing.reveal())
    assert "The jackpot link is down: wait, or report it with MENU." in lines
    playing.report("jackpot_fault", any_player_seen=True)
    playing.choose("pay_registered")
    playing.confirm_as("shift_manager")
    assert [c.amount_cents for c in playing.state.round.claims.values()] == [100_000, 10_000]


def test_several_straight_flushes_of_mbs_share_through_the_registered_meter() -> None:
    playing = bets_placed(replace(SETTINGS, game="mbs-megalink-stud", card_source="shuffler"))
    playing.meter(1_000_000, 1)
    playing.close()
    for hand in (STRAIGHT_FLUSH, ("4d", "5d", "6d", "7d", "8d"), ACE_HIGH):
        playing.dispense(*hand)
    playing.bet(1)
    playing.bet(3)
    playing.link(healthy=False)
    playing.choose("pay_registered")
    playing.confirm_as("shift_manager")
    playing.reveal()
    # 10 % of 10,000.00, then of 9,000.00, shared by two (§3.15.2, I-4).
    assert [c.amount_cents for c in playing.state.round.claims.values()] == [95_000, 95_000]


def test_i_28_what_was_decided_about_one_loss_of_the_link_says_nothing_about_the_next() -> None:
    playing = won("mbs-megalink-stud")
    playing.reveal()
    for choice, registered in (("pay_registered", True), ("continue", False)):
        playing.link(healthy=True)
        playing.link(healthy=False)
        assert playing.phase() == "ruling"
        playing.choose(choice)
        playing.confirm_as("shift_manager")
        claims = playing.state.round.claims.values()
        assert [claim.registered for claim in claims] == [registered, registered]
    assert [claim.amount_cents for claim in claims] == [None, None]


def test_what_was_decided_against_an_award_stands_when_the_link_is_lost_again() -> None:
    playing = won("mbs-megalink-stud")
    playing.reveal()
    playing.link(healthy=False)
    playing.choose("pay_registered")
    playing.confirm_as("shift_manager")
    playing.link(healthy=True)
    (claim_id, claim), *_ = playing.state.round.claims.items()
    own_cents = claim.amount_cents
    assert own_cents is not None
    playing.award(claim_id, own_cents + 100, meter_cents=10 * own_cents)
    assert claim.doubted
    playing.press(AwardDecided, seat=claim.seat, pay="reckoned")
    playing.confirm_as("shift_manager")
    assert claim.amount_cents == own_cents
    playing.link(healthy=False)
    assert claim.amount_cents == own_cents


def test_where_the_house_does_not_play_without_the_link_open_is_not_offered() -> None:
    playing = Playing()
    lines = prompt_in(playing.link(healthy=False, problem="the broker is gone"))
    assert lines[0] == "No bets while the jackpot link is down: wait, or report it with MENU."
    assert not any("OPEN" in line for line in lines)
    playing.open()
    assert playing.phase() == "idle"
