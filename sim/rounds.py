"""Plays and settles rounds of all five games in the terminal: `underfelt-sim rounds`.

Deals from a seeded shuffle in each game's own order, lets the simulated players
decide, asks the rules core, and shows what the dealer would read. There are no
tables, pins or links here, only cards and rules.
"""

import argparse
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from random import Random

from msgspec import UNSET
from rich.console import Console

from firmware.rules.award import award
from firmware.rules.cards import CODES
from firmware.rules.contract import (
    Claims,
    Draws,
    EnteredClaim,
    Limits,
    Maybe,
    Meter,
    Round,
    Seat,
    Settlement,
)
from firmware.rules.dealing import card_order
from firmware.rules.explain import explain_awards, explain_settlement
from firmware.rules.game import Game
from firmware.rules.games import GAMES
from firmware.rules.settle import settle
from sim.arguments import whole
from sim.floor.players import bets_before_the_deal, stays

_LIMITS = Limits(ante_min=2_500, ante_max=100_000)
_METER = Meter(value=100_000_000, reset=20_000_000)
_FIRST_ROUND = datetime(2026, 1, 1, 20, tzinfo=UTC)


def play_round(game: Game, rng: Random) -> Round:
    """Deal a round and let the players decide."""
    occupied = sorted(rng.sample(range(1, game.positions[1] + 1), rng.randint(3, 5)))
    deck = list(CODES)
    rng.shuffle(deck)
    dealt = defaultdict(list)
    for card, target in zip(deck, card_order(game, "shoe", occupied), strict=False):
        dealt[target.to, target.seat].append(card)
    return Round(
        game=game.id,
        limits=_LIMITS,
        dealer=tuple(dealt["dealer", 0]),
        community=tuple(dealt["community", 0]),
        seats=tuple(_seat(game, seat, dealt["seat", seat], rng) for seat in occupied),
        draws=_draws(game, rng),
    )


def _seat(game: Game, seat: int, cards: list[str], rng: Random) -> Seat:
    bets = bets_before_the_deal(game, rng)
    if not stays(cards):
        return Seat(seat=seat, cards=tuple(cards), bets=bets, decision="fold")
    for wager in game.wagers[1:]:
        if wager.name == game.stay or rng.random() < 0.5:  # noqa: PLR2004  # or check
            bets[wager.name] = bets["ante"] * wager.antes
    return Seat(seat=seat, cards=tuple(cards), bets=bets, decision=game.stay)


def _draws(game: Game, rng: Random) -> Maybe[Draws]:
    if not game.draws:
        return UNSET
    return Draws(magic_card=rng.choice(list(CODES)), lucky_seat=rng.randint(1, game.positions[1]))


def claims_of(asked: Round, answer: Settlement, number: int) -> tuple[EnteredClaim, ...]:
    """Return the claims of a round as entered into the jackpot system, a second apart."""
    dealt_at = _FIRST_ROUND + timedelta(minutes=number)
    return tuple(
        EnteredClaim(
            id=f"{asked.game}-{number}-{place}",
            table="T1",
            round=number,
            seat=claim.seat,
            tier=claim.tier,
            dealt_at=dealt_at,
            entered_at=dealt_at + timedelta(seconds=place),
            percent=UNSET if claim.percent is None else claim.percent,
            amount=UNSET if claim.amount is None else claim.amount,
            on=claim.on,
            level=claim.level,
        )
        for place, claim in enumerate(answer.claims, start=1)
    )


def add_round_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `underfelt-sim rounds`."""
    parser.add_argument("--seed", type=whole(), default=7, help="the same seed, the same cards")
    parser.add_argument("--rounds", type=whole(1), default=1, help="rounds of each game")


def run_rounds(options: argparse.Namespace) -> int:
    """Play rounds of every game and show them."""
    rng = Random(options.seed)
    console = Console(highlight=False)
    for game in GAMES.values():
        meter = _METER
        for number in range(1, options.rounds + 1):
            meter = _show_round(console, game, number, play_round(game, rng), meter)
    console.rule()
    console.print(f"Seed {options.seed}; for other cards: --seed 8 --rounds 3")
    return 0


def _show_round(console: Console, game: Game, number: int, asked: Round, meter: Meter) -> Meter:
    answer = settle(asked)
    console.rule(f"{game.id}, round {number}")
    console.print(explain_settlement(asked, answer), soft_wrap=True)
    entered = claims_of(asked, answer, number)
    if not entered:
        return meter
    claims = Claims(game=game.id, meter=meter, claims=entered)
    awards = award(claims)
    console.print(explain_awards(claims, awards), soft_wrap=True)
    return awards.meter
