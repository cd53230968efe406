"""Names what a settled round was about, so that a search can say which paragraphs it has been to."""

from collections.abc import Iterator

from tests.table.shadow.felt import Box, Felt
from tests.table.shadow.hands import at_least, category, qualifies, ranked
from tests.table.shadow.letter import BET_ODDS, MOST_PAID_CENTS, bonus_odds
from tests.table.shadow.settling import Settled


def situations(felt: Felt, settled: Settled) -> Iterator[str]:
    """Name every situation of a round in which the documents had to decide something."""
    if felt.void:
        yield "void: all bets back"
        return
    if len([claim for claim in settled.claims if claim.major]) > 1:
        yield "two majors in a round"
    for seat, box in felt.boxes.items():
        yield from _stakes(felt, box)
        if _takes_part(felt, box):
            yield from _main_game(felt, box)
            if any(claim.seat == seat for claim in settled.claims):
                yield from _claims(felt, box)


def _claims(felt: Felt, box: Box) -> Iterator[str]:
    yield "a folded hand claims" if box.said == "fold" else "jackpot besides the main game"
    if felt.dealer and not felt.letter.holdem and not qualifies(tuple(felt.dealer)):
        yield "jackpot without a dealer's hand"


def _takes_part(felt: Felt, box: Box) -> bool:
    return bool(box.ante) and not box.out and not felt.by_hand and box.said in {"in", "fold"}


def _stakes(felt: Felt, box: Box) -> Iterator[str]:
    if not box.ante:
        yield "no ante"
    elif box.ante > felt.ante_max:
        yield "over the maximum"
    elif box.ante < felt.ante_min:
        yield "under the minimum again" if box.under_before else "under the minimum"
    if box.stakes.get("jackpot", 0) and not felt.by_hand and box.said == "fold":
        yield "fold with a jackpot bet"


def _main_game(felt: Felt, box: Box) -> Iterator[str]:
    if box.said == "fold" or box.hidden:
        yield "fold" if box.said == "fold" else "hand not shown"
        return
    board = felt.board if felt.letter.holdem else []
    own, dealer = tuple(box.cards + board), tuple(felt.dealer + board)
    if felt.letter.holdem:
        yield "bonus paid" if bonus_odds(tuple(box.cards), tuple(felt.dealer)) else "bonus lost"
    elif not qualifies(dealer):
        yield "no dealer's hand"
        return
    yield from _compared(felt, box, own, dealer)


def _compared(felt: Felt, box: Box, own: tuple[str, ...], dealer: tuple[str, ...]) -> Iterator[str]:
    yield "hands compared"
    yield f"hand {category(own)}"
    if ranked(own)[0] == ranked(dealer)[0]:
        yield "same kind of hand"
        yield f"two of {category(own)}"
    if ranked(own) <= ranked(dealer):
        yield "stand-off" if ranked(own) == ranked(dealer) else "lower hand"
        return
    yield "higher hand"
    if felt.letter.holdem:
        yield "ante paid" if at_least(own, "straight") else "ante neither paid nor collected"
        return
    yield f"paid as {category(own)}"
    stake = min(box.stakes["bet"], 2 * min(box.ante, felt.ante_max))
    if stake * BET_ODDS[category(own)] > MOST_PAID_CENTS:
        yield "more than the most paid"
