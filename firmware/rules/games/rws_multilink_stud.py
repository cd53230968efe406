"""Multi-Link Progressive Casino Stud Poker: RWS, version 2 of 28 June 2020.

Unlike `rws_casino_stud`: a fold keeps the jackpot bet in (§3.12.1), four of a kind
pays $2,000 (§4.2), and a hand that is not shown counts as folded (§4.3).
"""

from firmware.rules.game import Game
from firmware.rules.games import rws, stud
from firmware.rules.games.cases import refer

GAME = Game(
    id="rws-multilink-stud",
    title="Multi-Link Progressive Casino Stud Poker",
    version="RWS, version 2 of 28 June 2020",
    positions=(4, 7),
    own_cards=5,
    dealer_cards=5,
    dealer_must_qualify=True,
    qualify_rule="1.14",
    shoe=rws.STUD_SHOE,
    shuffler=rws.STUD_SHUFFLER,
    wagers=rws.STUD_WAGERS,
    stay="bet",
    jackpot_bets={"jackpot": "player"},
    lines=(
        *stud.meter_lines(rule="4.2"),
        *stud.fixed_lines(four_of_a_kind=200_000, full_house=20_000, flush=10_000, rule="4.2"),
    ),
    paragraphs=rws.STUD_PARAGRAPHS,
    absent="folded",
    hidden="folded",
    fold_keeps=frozenset({"player"}),
    under_min_again="settled",
    jackpot_bet_back="at_once",
    payment=rws.STUD_PAYMENT,
    irregularities=rws.STUD_IRREGULARITIES,
    impossible=frozenset({"community_count_wrong"}),
    silent=refer("5.24", "table_games_shift_manager"),
)
