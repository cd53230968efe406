"""Holds what the table did against what the documents say: at the close, at the reveal and at the end."""

from typing import TYPE_CHECKING

from firmware.protocol.obligations import Contribution, Reversal, Verdict, Win
from tests.table.shadow.settling import Claim, Settled, settled
from tests.table.shadow.situations import situations

if TYPE_CHECKING:
    from tests.table.shadow.shadowing import Shadow


def compare_close(dealer: "Shadow") -> None:
    """After "No more bets": every jackpot bet with an ante has gone to the jackpot, and no other."""
    sent = {
        (each.seat, each.bet): each.stake_cents
        for each in dealer.sent.money
        if isinstance(each, Contribution)
    }
    if sent != dealer.felt.contributed:
        dealer.differ(f"contributed {sent}, should be {dealer.felt.contributed}")
    dealer.reached["contributions"] += len(sent)


def claims_made(dealer: "Shadow") -> dict[Claim, Win]:
    """Give the claims that the table has made and not withdrawn."""
    gone = {
        each.win for each in dealer.sent.money if isinstance(each, Verdict) and not each.confirmed
    }
    made = {}
    # A win that is owed again is the same one.
    wins = {win.id: win for win in dealer.sent.money if isinstance(win, Win)}
    for win in wins.values():
        if win.id not in gone:
            told = win.claim
            claim = Claim(
                win.seat,
                told.on,
                told.tier,
                major=told.level == "major",
                percent=told.percent or 0,
                amount=told.amount or 0,
            )
            if claim in made:
                dealer.differ(f"claimed twice: {claim}")
            made[claim] = win
    return made


def settled_felt(dealer: "Shadow") -> Settled:
    """Settle the felt; a table that settles before the cards are there has gone wrong."""
    try:
        return settled(dealer.felt)
    except ValueError:
        dealer.differ(f"settled without the cards that it needs: {dealer.felt}")


def compare_wins(dealer: "Shadow") -> None:
    """At the settlement: the claims are those of the documents, with their level and times."""
    expected = settled_felt(dealer)
    made = claims_made(dealer)
    if set(made) != expected.claims:
        missing, extra = expected.claims - set(made), set(made) - expected.claims
        dealer.differ(f"claims not made {sorted(map(str, missing))}, made wrongly {extra}")
    for claim, win in made.items():
        if win.final == claim.major:
            dealer.differ(f"{claim} is {'final' if win.final else 'not final'} at once")
        if dealer.felt.by_hand or claim.seat in dealer.moved:
            continue
        if win.dealt_at_ms != dealer.dealt_at[claim.seat]:
            dealer.differ(f"{claim}: dealt at {win.dealt_at_ms}, not {dealer.dealt_at[claim.seat]}")


def compare(dealer: "Shadow") -> None:
    """At the end of a round: every stake, every claim, every cent that goes back."""
    expected = settled_felt(dealer)
    compare_wins(dealer)
    _compare_bets(dealer, expected)
    contributions = {
        each.id: (each.seat, each.bet)
        for each in dealer.sent.money
        if isinstance(each, Contribution)
    }
    back: dict[tuple[int, str], int] = {}
    for each in dealer.sent.money:
        if isinstance(each, Reversal):
            key = contributions[each.contribution]
            if key in back:
                dealer.differ(f"reversed twice: {key}")
            back[key] = each.stake_cents
    if back != expected.reversed_stakes:
        dealer.differ(f"reversed {back}, should be {expected.reversed_stakes}")
    for situation in situations(dealer.felt, expected):
        dealer.note(situation)
    for claim in expected.claims:
        dealer.note(f"claim {claim.tier} on {claim.on}")
    dealer.note("void" if dealer.felt.void else "settled")
    dealer.reached["reversals"] += len(back)


def _compare_bets(dealer: "Shadow", expected: Settled) -> None:
    if dealer.shown is None:
        dealer.differ("the round ended without a settlement")
    told = {
        (result.seat, bet): (of.stake, of.outcome, of.winnings, of.returned)
        for result in dealer.shown.results
        for bet, of in result.bets.items()
        if of.stake
    }
    should = {
        key: (paid.stake, paid.outcome, paid.winnings, paid.returned)
        for key, paid in expected.bets.items()
        if key in told or not dealer.felt.by_hand or dealer.felt.void
    }
    if dealer.felt.by_hand and not dealer.felt.void:
        # The dealer settles the main game himself; the table knows the jackpot alone.
        told = {key: value for key, value in told.items() if key[1] in dealer.letter.chips}
        should = {key: value for key, value in should.items() if key[1] in dealer.letter.chips}
    if told != should:
        parts = [
            f"seat {key[0]} {key[1]}: {told.get(key)}, should be {should.get(key)}"
            for key in sorted({*told, *should})
            if told.get(key) != should.get(key)
        ]
        dealer.differ("; ".join(parts))
    for (_, bet), (_, outcome, _, _) in told.items():
        dealer.note(f"{bet} {outcome}")
