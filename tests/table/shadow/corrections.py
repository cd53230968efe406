"""What a dealer sets right with a key of its own: where cards lie, what was staked, what was decided.

The keys are the panel's (I-38 to I-40). One that the panel does not know is not pressed, and counted as such;
one that the table refuses has changed nothing. What the table takes must be so in the settlement.
"""

from collections.abc import Callable
from random import Random

from firmware.devices.panel_keys import event_of
from tests.table.shadow.dealer import Dealer

_ANSWERS = ("bet", "flop", "turn", "river", "check", "fold", "absent")


def correct_something(dealer: Dealer) -> None:
    """Set one thing right, if there is one here that the panel has a key for."""
    rng = dealer.rng("correction")
    rng.choice(_CORRECTIONS)(dealer, rng)


def press(dealer: Dealer, name: str, text: str, *, supervised: bool = False) -> bool:
    """Press a key as the panel reads it, with a supervisor where one must agree."""
    playing = dealer.playing
    event = event_of(f"KEY {text}", playing.frame(), playing.now(), _ANSWERS)
    if event is None:
        dealer.note(f"no key for {name}")
        return False
    if not dealer.do(playing.take(event)):
        dealer.note(f"refused in {dealer.phase}: {name}")
        return False
    if supervised:
        dealer.do(playing.confirm_as("pit_supervisor"))
    dealer.note(f"corrected: {name}")
    return True


def _report_first(dealer: Dealer, text: str) -> None:
    """Have the dealing error ruled on: nobody may just say where cards lie (I-40).

    Whom it concerns may go on or withdraw (RWS §5.10); MBS documents leave it to the shift
    manager (§6.1). Here everybody goes on.
    """
    playing = dealer.playing
    if text.partition(" ")[0] not in dealer.sayable:
        event = event_of(f"KEY {text}", playing.frame(), playing.now(), _ANSWERS)
        if event is not None and dealer.do(playing.take(event)):
            dealer.differ(f"{text} is taken before the dealing error was reported")
        playing.rule_on_the_deal()
        dealer.sayable |= {"SWAP", "ORDER"}


def _swap(dealer: Dealer, rng: Random) -> None:
    """Say that two players have each other's hands (RWS §5.10.1)."""
    seats = [s for s in dealer.felt.playing() if len(dealer.lying(s)) == dealer.letter.own_cards]
    if len(seats) < 2 or dealer.phase not in {"deciding", "revealing"} or dealer.felt.by_hand:
        return
    one, other = rng.sample(seats, 2)
    _report_first(dealer, f"SWAP {one} {other}")
    if press(dealer, "two hands exchanged", f"SWAP {one} {other}", supervised=True):
        boxes = dealer.felt.boxes
        boxes[one].cards, boxes[other].cards = boxes[other].cards, boxes[one].cards
        dealer.moved |= {one, other}


def _order(dealer: Dealer, _: Random) -> None:
    """Say that the last two cards were drawn at once, and lie the other way round (RWS §5.14)."""
    if dealer.settings.card_source != "shoe" or dealer.phase != "dealing" or dealer.given < 2:
        return
    step = dealer.step()
    if step is None or step.kind != "deal" or dealer.given < 2:
        return
    one, other = step.places[dealer.given - 2 : dealer.given]
    if "burn" in {one, other} or not dealer.lying(one) or not dealer.lying(other):
        return
    _report_first(dealer, "ORDER")
    if press(dealer, "two cards in the other order", "ORDER", supervised=True):
        first, second = dealer.lying(one), dealer.lying(other)
        if one == other:
            first[-1], first[-2] = first[-2], first[-1]
        else:
            first[-1], second[-1] = second[-1], first[-1]


def _amount(dealer: Dealer, rng: Random) -> None:
    """Key a bet that is not the prescribed multiple of the ante (RWS §5.3, I-38)."""
    if dealer.phase not in {"revealing", "settling"} or dealer.felt.by_hand or dealer.felt.void:
        return
    bets = [
        (seat, bet)
        for seat in dealer.felt.playing()
        for bet, _ in dealer.letter.follow_ups
        if dealer.felt.boxes[seat].stakes.get(bet)
    ]
    if not bets:
        return
    seat, bet = rng.choice(bets)
    stakes = dealer.felt.boxes[seat].stakes
    cents = max(stakes[bet] + rng.choice([-2_500, -500, 500, 40_000]), 500)
    if press(dealer, "another amount of a bet", f"AMOUNT {seat} {bet} {cents}"):
        stakes[bet] = cents
        dealer.note("bet above its multiple" if cents > stakes["ante"] * 2 else "bet below it")


def _ante(dealer: Dealer, rng: Random) -> None:
    """Key an ante again that was keyed wrongly (I-39), noticed before anybody has decided."""
    dealt = dealer.phase == "deciding" and not any(b.said for b in dealer.felt.boxes.values())
    if dealer.felt.by_hand or not (dealt or (dealer.phase == "dealing" and dealer.given)):
        return
    seats = [seat for seat in dealer.felt.playing() if not dealer.felt.boxes[seat].said]
    if seats:
        seat, cents = rng.choice(seats), rng.choice([2_500, 5_000, 30_000])
        if press(dealer, "another ante", f"AMOUNT {seat} ante {cents}", supervised=True):
            dealer.felt.boxes[seat].stakes["ante"] = cents
            dealer.last_ante[seat] = cents


def _decision(dealer: Dealer, rng: Random) -> None:
    """Key BET for a player for whom FOLD was keyed, or the other way round (I-39)."""
    if dealer.phase not in {"deciding", "revealing"} or dealer.felt.by_hand or dealer.letter.holdem:
        return
    decided = [s for s, box in dealer.felt.boxes.items() if box.said in {"in", "fold"}]
    decided = [seat for seat in decided if not dealer.felt.boxes[seat].out]
    if not decided:
        return
    seat = rng.choice(decided)
    box = dealer.felt.boxes[seat]
    said = "fold" if box.said == "in" else dealer.letter.stay
    if press(dealer, "another decision", f"CORRECT {seat} {said}", supervised=True):
        box.said = "fold" if said == "fold" else "in"
        box.hidden = False
        box.stakes.pop("bet", None)
        if said == "bet":
            box.stakes["bet"] = 2 * box.ante


_CORRECTIONS: tuple[Callable[[Dealer, Random], None], ...] = (
    _swap,
    _order,
    _amount,
    _ante,
    _decision,
)
