"""Singapore Stud Poker: MBS, version 4 of 9 May 2013.

Two jackpot wagers per seat, on the player's hand and on the dealer's (§3.5), in any
number of credits; odds instead of fixed amounts (§4.2); three draws by the system
(§4.3–4.5). Where the document is silent on money, the same operator's later one
decides (I-1); where it is silent on an irregularity, the shift manager does.
"""

from collections.abc import Mapping

from firmware.rules.contract import Owner
from firmware.rules.game import (
    Draw,
    DrawLine,
    Game,
    JackpotLine,
    Paragraphs,
    PaymentOrder,
    Step,
)
from firmware.rules.games import mbs, stud
from firmware.rules.games.cases import refer
from firmware.rules.hands import Category

_SILENT = refer("silent", "gaming_shift_manager")
_LATER_DOCUMENT = ("I-1",)

_DEAL = (
    Step(kind="deal", to=("seats", "dealer"), cards=5, packet=5, rule="3.6"),
    Step(kind="reveal", to=("dealer",), by_deal=True, rule="3.7"),
    Step(kind="decide", bet="bet", rule="3.8"),
    Step(kind="reveal", to=("dealer",), cards=4, rule="3.11"),
)
_ODDS: Mapping[Category, int] = {"four_of_a_kind": 500, "full_house": 100, "flush": 50}


def _lines(bet: str, on: Owner) -> tuple[JackpotLine, ...]:
    by_odds = tuple(
        JackpotLine(bet=bet, on=on, tier=tier, category=tier, level="minor", odds=odds, rule="4.2")
        for tier, odds in _ODDS.items()
    )
    return (*stud.meter_lines(bet=bet, on=on, rule="4.2"), *by_odds)


def _draw(bet: str, on: Owner, tier: str, draw: Draw, drawn_rule: str) -> DrawLine:
    return DrawLine(bet=bet, on=on, tier=tier, draw=draw, odds=5, drawn_rule=drawn_rule, rule="4.5")


GAME = Game(
    id="mbs-singapore-stud",
    title="Singapore Stud Poker",
    version="MBS, version 4 of 9 May 2013",
    positions=(4, 7),
    own_cards=5,
    dealer_cards=5,
    dealer_must_qualify=True,
    qualify_rule="3.12",
    shoe=_DEAL,
    shuffler=_DEAL,
    wagers=stud.wagers(ante_rule="4.1.1", bet_rule="4.1.2"),
    stay="bet",
    jackpot_bets={"jackpot": "player", "jackpot_dealer": "dealer"},
    jackpot_credits=True,
    lines=(*_lines("jackpot", "player"), *_lines("jackpot_dealer", "dealer")),
    draws=(
        _draw("jackpot", "player", "magic_card", "magic_card", "4.3"),
        _draw("jackpot", "player", "lucky_player", "lucky_seat", "4.4"),
        _draw("jackpot_dealer", "dealer", "magic_card", "magic_card", "4.3.1"),
        _draw("jackpot_dealer", "dealer", "lucky_dealer", "lucky_dealer", "4.4.1"),
    ),
    paragraphs=Paragraphs(
        no_ante=("3.4",),
        jackpot_without_ante=_LATER_DOCUMENT,
        fold=("3.9",),
        absent=_LATER_DOCUMENT,
        hidden=_LATER_DOCUMENT,
        no_hand=("3.12.1", "3.12.2"),
        win=("3.13.1",),
        lose=("3.13.2",),
        stand_off=("3.16",),
        over_max=_LATER_DOCUMENT,
        under_min=_LATER_DOCUMENT,
        more_than_allowed=("I-11",),
        less_than_prescribed=("I-11",),
    ),
    absent="returned",
    hidden="loses",
    fold_keeps=frozenset({"player", "dealer"}),
    under_min_again="returned",
    jackpot_bet_back="at_the_end",
    payment=PaymentOrder(
        by="entered_at",
        same_round="I-1",
        across_tables="I-1",
        sharing={"royal_flush": "I-1", "straight_flush": "I-1"},
    ),
    irregularities={
        **mbs.irregularities(_SILENT, deck_count="5.5", late_bet="5.6", late_withdrawal="5.7"),
        **mbs.bets_on_the_layout(
            over_max="I-1",
            under_min="I-1",
            before_closing="I-1",
            jackpot_before_closing="I-1",
            jackpot_after_closing="I-1",
        ),
    },
    impossible=frozenset({"community_count_wrong", "no_burn"}),
    silent=_SILENT,
)
