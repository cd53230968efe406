"""Awards: believed if the claim can be worth them, in doubt otherwise, and who decides then.

Also what a claim is worth while the link is down (I-28): the meter that it holds.
"""

from msgspec.structs import replace

from firmware.protocol.obligations import FaultReport, Verdict, Win
from firmware.table.effects import NOT_ACCEPTED, ShowSign
from firmware.table.events import (
    AwardDecided,
    AwardGranted,
    CardsCorrected,
    JournalOpened,
    MajorDenied,
    PendingChanged,
)
from firmware.table.settings import TableSettings
from firmware.table.state import PaidClaim
from firmware.table.table import Table
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    QUEEN_HIGH,
    SETTINGS,
    STRAIGHT_FLUSH,
    Effects,
    Playing,
    at_reveal,
    bets_placed,
    owed_in,
    prompt_in,
    refused,
    remembered,
)

ROYAL = ("Tc", "Jc", "Qc", "Kc", "Ac")
OTHER_STRAIGHT_FLUSH = ("4d", "5d", "6d", "7d", "8d")
LOCKED_CENTS, RESET_CENTS = 50_000_000, 10_000_000
DOUBT = "Seat 1's award is in doubt: pay nothing on it before it is decided."


def flush() -> tuple[Playing, str]:
    """Claim a flush, which is worth $100."""
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    return playing, win.id


def royal() -> tuple[Playing, str]:
    """Claim a royal flush that a supervisor has confirmed, and lock the meter for it."""
    playing = metered(ROYAL)
    (win,) = owed_in(playing.reveal())
    playing.pending(win.id, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.confirm_as()
    return playing, win.id


def metered(first: tuple[str, ...], third: tuple[str, ...] = QUEEN_HIGH) -> Playing:
    """Play to the reveal, with the meter that is then locked."""
    playing = at_reveal(first, third)
    playing.meter(LOCKED_CENTS, 2, RESET_CENTS)
    return playing


def is_doubted(playing: Playing, claim_id: str) -> bool:
    """Say whether an award is in doubt: nothing is payable, the fault is there, PAID is refused."""
    fault = f"award_doubted {claim_id}" in playing.state.faults
    assert (playing.paid() == refused(DOUBT)) == fault
    return fault


def signs(effects: Effects) -> list[str]:
    """List what the sign says."""
    return [effect.text for effect in effects if isinstance(effect, ShowSign)]


# Fixed amounts


def test_an_award_of_a_fixed_amount_is_believed_to_the_cent_and_no_other() -> None:
    for cents in (0, 9_999, 10_001, 10**15):
        playing, win = flush()
        effects = playing.award(win, cents)
        assert is_doubted(playing, win)
        assert not any("wins" in text for text in signs(effects))
        assert not any("pay $" in line for line in prompt_in(effects) if "JACKPOT" in line)
    playing, win = flush()
    playing.award(win, 10_000)
    assert not is_doubted(playing, win)
    assert playing.phase() == "idle"


def test_the_panel_says_both_amounts_and_the_controller_hears_of_the_doubt() -> None:
    playing, win = flush()
    lines = prompt_in(playing.award(win, 10**15))
    words = "Seat 1 JACKPOT flush (player's hand), minor, $100.00: "
    assert f"{words}awarded $10,000,000,000,000.00, the table reckons $100.00, do not pay" in lines
    assert "Seat 1: JACKPOT in doubt, do not pay." in lines
    assert lines[0] == "Table games shift manager: MENU, award in doubt, seat 1."
    (report,) = [each for each in playing.reports if isinstance(each, FaultReport)]
    assert (report.code, report.where) == ("award_doubted", win)
    assert "awarded $10,000,000,000,000.00, worth $100.00" in report.text


def test_what_the_table_reckons_is_paid_if_the_shift_manager_says_so_and_the_controller_is_told() -> (
    None
):
    playing, win = flush()
    playing.award(win, 10**15)
    playing.press(AwardDecided, seat=1, pay="reckoned")
    who = "Table games shift manager: key and PIN, or CANCEL."
    assert prompt_in(playing.table.resumed())[0] == f"{who} Pay seat 1 $100.00, as reckoned."
    assert playing.confirm_as("pit_supervisor") == refused(NOT_ACCEPTED)
    playing.confirm_as("shift_manager")
    assert not playing.state.faults
    assert "Seat 1: JACKPOT, pay $100.00." in prompt_in(playing.table.resumed())
    (verdict,) = [owed for owed in owed_in(playing.paid()) if isinstance(owed, Verdict)]
    assert (verdict.win, verdict.confirmed, verdict.paid_cents) == (win, True, 10_000)
    assert verdict.staff == "shift_manager-7"
    assert playing.phase() == "idle"
    cleared = [r for r in playing.reports if isinstance(r, FaultReport) and r.cleared]
    assert [report.by for report in cleared] == ["the shift_manager"]


def test_what_was_awarded_is_paid_if_the_shift_manager_says_so_and_nothing_more_is_told() -> None:
    playing, win = flush()
    playing.award(win, 20_000)
    playing.press(AwardDecided, seat=1, pay="awarded")
    playing.confirm_as("shift_manager")
    assert "Seat 1: JACKPOT, pay $200.00." in prompt_in(playing.table.resumed())
    assert not any(isinstance(owed, Verdict) for owed in owed_in(playing.paid()))


def test_a_doubted_claim_can_be_withdrawn_instead_and_the_doubt_ends_with_it() -> None:
    playing, win = flush()
    playing.award(win, 20_000)
    playing.press(MajorDenied, seat=1, reason="wrong card")
    playing.confirm_as("shift_manager")
    assert not playing.state.faults
    assert playing.state.round.withdrawn[win].awarded
    playing.paid()
    assert playing.phase() == "idle"


def test_a_doubt_is_not_cleared_like_another_fault_before_it_is_decided_what_is_paid() -> None:
    playing, win = flush()
    playing.award(win, 20_000)
    first = "First decide what seat 1 is paid: PAYOUT 1 awarded, PAYOUT 1 reckoned, or "
    assert playing.clear("award_doubted", win) == refused(f"{first}NOTCONFIRMED 1 and the reason.")
    assert playing.press(AwardDecided, seat=3, pay="awarded") == refused(
        "Seat 3 has no award that is in doubt."
    )


# A second award


def test_a_second_different_award_before_paid_is_a_doubt_and_never_silence() -> None:
    playing, win = flush()
    playing.award(win, 10_000)
    playing.award(win, 99_999)
    assert is_doubted(playing, win)
    claim = playing.state.round.claims[win]
    assert (claim.reckoned_cents, claim.award_cents) == (10_000, 99_999)
    playing.award(win, 99_999)
    assert not playing.decided, "the same once more is no news"
    playing.award(win, 88_888)
    assert "$888.88" in playing.state.faults[f"award_doubted {win}"].detail


def test_an_award_that_the_table_reckons_too_ends_the_doubt_that_another_one_began() -> None:
    playing, win = flush()
    for cents in (10_000, 10_001):
        playing.award(win, cents)
    playing.press(AwardDecided, seat=1, pay="awarded")
    told = playing.award(win, 10_000)
    last = [each for each in playing.reports if isinstance(each, FaultReport)][-1]
    assert (last.cleared, last.by) == (True, "an award that the claim is worth")
    assert "Seat 1: JACKPOT, pay $100.00." in prompt_in(told)
    assert playing.state.round.deciding_award is None
    assert not playing.state.faults


def test_a_second_different_award_after_paid_is_a_fault_that_the_shift_manager_clears() -> None:
    playing, win = flush()
    playing.award(win, 10_000)
    playing.paid()
    playing.award(win, 10_000)
    assert not playing.decided
    playing.award(win, 99_999)
    fault = playing.state.faults[f"award_doubted {win}"]
    assert fault.detail == "paid $100.00, awarded $999.99"
    playing.award(win, 99_999)
    assert not playing.decided
    playing.open()
    assert playing.phase() == "betting", "play goes on"
    playing.clear("award_doubted", win)
    playing.confirm_as("shift_manager")
    assert not playing.state.faults


def test_what_was_paid_is_remembered_over_the_next_rounds_but_not_for_ever() -> None:
    playing, win = flush()
    older = [f"T1.fresh.{number}.1" for number in range(1000, 1064)]
    playing.state.paid.update((claim, PaidClaim(1)) for claim in older)
    playing.award(win, 10_000)
    playing.paid()
    assert list(playing.state.paid) == [*older[1:], win]


# Shares of the meter


def test_a_share_of_the_locked_meter_is_believed_to_the_cent() -> None:
    playing, win = royal()
    playing.award(win, LOCKED_CENTS, LOCKED_CENTS)
    assert not is_doubted(playing, win)


def test_a_royal_that_is_10_000_dollars_too_high_is_not_paid() -> None:
    for cents in (LOCKED_CENTS + 1_000_000, LOCKED_CENTS + 1, LOCKED_CENTS - 1, 0):
        playing, win = royal()
        playing.award(win, cents, cents)
        assert is_doubted(playing, win), cents
        assert playing.state.round.claims[win].reckoned_cents == LOCKED_CENTS
        playing, win = royal()
        playing.award(win, cents, LOCKED_CENTS)
        assert is_doubted(playing, win), cents


def test_a_share_that_does_not_say_of_which_meter_is_of_the_locked_one() -> None:
    playing, win = royal()
    playing.take(AwardGranted(at_ms=playing.now(), id=win, amount_cents=LOCKED_CENTS))
    assert not is_doubted(playing, win)


def test_after_a_hand_that_is_paid_before_it_a_royal_is_worth_the_reset_meter() -> None:
    for beside, meter_cents, doubted in (
        ((100,), RESET_CENTS, False),
        ((10,), LOCKED_CENTS * 9 // 10, False),
        ((), RESET_CENTS, True),
        ((10,), RESET_CENTS, True),
        ((100,), LOCKED_CENTS + 1_000_000, True),
    ):
        playing = metered(ROYAL)
        (win,) = owed_in(playing.reveal())
        playing.pending(win.id, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS, beside=beside)
        playing.confirm_as()
        playing.award(win.id, meter_cents, meter_cents)
        assert is_doubted(playing, win.id) == doubted, (beside, meter_cents)


def test_winners_who_share_are_checked_by_the_sharing_rule_of_the_game() -> None:
    megalink = replace(SETTINGS, game="mbs-megalink-stud")
    for winners, cents, doubted in ((2, 4_750_000, False), (2, 5_000_000, True), (3, 1, True)):
        playing, wins = two_straight_flushes(megalink)
        playing.pending(*wins, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
        playing.confirm_as()
        playing.award(wins[0], cents, LOCKED_CENTS, winners)
        assert playing.state.round.claims[wins[0]].doubted == doubted, (winners, cents)


def two_straight_flushes(settings: TableSettings) -> tuple[Playing, list[str]]:
    """Claim two straight flushes at a table whose winners share."""
    playing = bets_placed(settings)
    playing.close()
    hands = (STRAIGHT_FLUSH, OTHER_STRAIGHT_FLUSH, ACE_HIGH)
    for place in range(5):
        for hand in hands:
            playing.draw(hand[place])
    playing.bet(1)
    playing.bet(3)
    playing.meter(LOCKED_CENTS, 2, RESET_CENTS)
    return playing, [owed.id for owed in owed_in(playing.reveal())]


def test_an_award_anew_after_a_withdrawal_in_the_round_is_no_contradiction() -> None:
    playing = metered(STRAIGHT_FLUSH, OTHER_STRAIGHT_FLUSH)
    first, third = owed_in(playing.reveal())
    playing.pending(first.id, third.id, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.confirm_as()
    playing.award(first.id, LOCKED_CENTS // 10, LOCKED_CENTS)
    playing.award(third.id, LOCKED_CENTS * 9 // 100, LOCKED_CENTS * 9 // 10)
    playing.press(MajorDenied, seat=1, reason="wrong card")
    (verdict, _) = owed_in(playing.confirm_as())
    playing.acknowledge(verdict.id)
    playing.award(third.id, LOCKED_CENTS // 10, LOCKED_CENTS)
    assert not playing.state.faults
    assert playing.state.round.claims[third.id].amount_cents == LOCKED_CENTS // 10


def test_3_15_an_award_waits_for_a_major_of_its_round_that_is_claimed_later() -> None:
    playing, (first, third) = two_straight_flushes(replace(SETTINGS, game="mbs-megalink-stud"))
    playing.pending(first, third, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.confirm_as()
    playing.award(first, 4_750_000, LOCKED_CENTS, 2)
    playing.award(third, 4_750_000, LOCKED_CENTS, 2)
    playing.press(CardsCorrected, how="lost", places=("3",))
    (verdict, _) = owed_in(playing.confirm_as())
    playing.acknowledge(verdict.id)
    playing.award(first, 5_000_000, LOCKED_CENTS)
    assert playing.state.round.claims[first].amount_cents == 5_000_000
    playing.cards(3, *OTHER_STRAIGHT_FLUSH)
    asked, again = (owed.id for owed in owed_in(playing.paid()) if isinstance(owed, Win))
    assert asked == first
    # What was on its way is not believed before the controller knows of the other claim.
    playing.award(first, 5_000_000, LOCKED_CENTS)
    assert playing.state.round.claims[first].amount_cents is None
    playing.acknowledge(again)
    playing.pending(first, again, locked_cents=LOCKED_CENTS, reset_cents=RESET_CENTS)
    playing.confirm_as()
    playing.award(first, 4_750_000, LOCKED_CENTS, 2)
    playing.award(again, 4_750_000, LOCKED_CENTS, 2)
    assert not playing.state.faults
    assert {c.amount_cents for c in playing.state.round.claims.values()} == {4_750_000}


# Without the link


def test_a_claim_is_worth_the_meter_that_was_locked_for_it_not_the_new_one() -> None:
    playing, win = royal()
    playing.meter(RESET_CENTS, 9, RESET_CENTS)
    playing.take(PendingChanged(at_ms=playing.now(), ids=(), words=()))
    playing.link(healthy=False)
    assert playing.state.round.claims[win].amount_cents == LOCKED_CENTS
    recovered = Table.recovered(playing.table.settings, playing.journal)
    assert recovered.state.round.claims[win].amount_cents == LOCKED_CENTS
    (verdict,) = [o for o in owed_in(playing.paid()) if isinstance(o, Verdict)]
    assert verdict.paid_cents == LOCKED_CENTS


def test_the_true_award_that_comes_after_the_table_has_paid_is_a_fault_if_it_differs() -> None:
    playing, win = royal()
    playing.link(healthy=False)
    playing.paid()
    playing.link(healthy=True)
    playing.award(win, LOCKED_CENTS, LOCKED_CENTS)
    assert not playing.state.faults
    playing.award(win, LOCKED_CENTS - 500, LOCKED_CENTS - 500)
    assert f"award_doubted {win}" in playing.state.faults


# Older journals


def test_an_award_in_a_journal_of_an_older_edition_is_replayed_as_it_was_believed() -> None:
    playing, win = flush()
    playing.award(win, 77_700)
    opened, *rest = playing.journal
    assert isinstance(opened, JournalOpened)
    old = [replace(opened, edition=1), *rest]
    table = Table.recovered(playing.table.settings, old)
    assert table.state.round.claims[win].amount_cents == 77_700
    assert not table.state.faults


def test_a_doubt_survives_the_power() -> None:
    playing, win = royal()
    playing.award(win, 1, 1)
    table = Table.recovered(playing.table.settings, playing.journal)
    assert remembered(table.state) == remembered(playing.state)
    assert table.state.round.claims[win].doubted


# What nobody can have awarded


def test_5_5_an_award_while_the_link_is_down_leaves_the_win_owed_until_the_books_have_it() -> None:
    playing, win = flush()
    playing.link(healthy=False)
    playing.award(win, 10_000)
    assert win in playing.state.owed, "nobody has acknowledged it"
    playing.paid()
    assert playing.phase() == "idle"
    assert win in playing.state.owed, "what was paid is owed to the books"
    playing.link(healthy=True)
    playing.award(win, 10_000)  # it was sent again
    assert win not in playing.state.owed
    assert not playing.state.faults


def test_5_5_an_award_of_an_acknowledged_win_strikes_it_out_although_the_link_is_down() -> None:
    playing, win = flush()
    playing.acknowledge(win)
    playing.link(healthy=False)
    playing.award(win, 10_000)
    assert win not in playing.state.owed


def test_an_award_of_what_was_never_claimed_is_a_fault_and_told_once() -> None:
    for at_rest in (False, True):
        playing, win = flush()
        if at_rest:
            playing.award(win, 10_000)
            playing.paid()
        playing.award("T1.fresh.9999.1", 10**12)
        (fault,) = playing.state.faults.values()
        assert (fault.code, fault.where) == ("award_doubted", "no claim")
        assert "$10,000,000,000.00 on T1.fresh.9999.1" in fault.detail
        playing.award("T1.fresh.9998.1", 10**12)
        assert list(playing.state.faults.values()) == [fault]


def test_a_second_award_of_a_withdrawn_claim_that_differs_is_a_fault_each_time() -> None:
    playing, win = royal()
    playing.press(MajorDenied, seat=1, reason="wrong card")
    playing.confirm_as()
    playing.award(win, LOCKED_CENTS, LOCKED_CENTS)
    playing.award(win, LOCKED_CENTS, LOCKED_CENTS)
    assert not playing.state.faults, "it was on its way"
    for cents, before in ((10**12, "$500,000.00"), (77, "$10,000,000,000.00")):
        playing.award(win, cents, cents)
        fault = playing.state.faults[f"award_doubted {win}"]
        assert f"withdrawn, awarded {before} before" in fault.detail
    playing.paid()
    playing.open()
    told = len(playing.reports)
    playing.award(win, 78, 78)
    assert len(playing.reports) == told + 1, "in the next round, too"


def test_an_award_of_a_claim_withdrawn_in_an_earlier_round_may_have_been_on_its_way() -> None:
    playing, win = royal()
    playing.press(MajorDenied, seat=1, reason="wrong card")
    playing.confirm_as()
    playing.paid()
    for owed in list(playing.state.owed):
        playing.acknowledge(owed)
    playing.open()
    playing.award(win, LOCKED_CENTS, LOCKED_CENTS)
    assert not playing.state.faults
