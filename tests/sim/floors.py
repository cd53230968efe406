"""What the tests of whole floors share: brokers, a table, and rounds made up beforehand."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from firmware.rules.cards import CODES
from firmware.rules.dealing import card_order
from firmware.table.settings import TableSettings
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.floor.dealer import PlannedRound, planned
from sim.floor.floor import Floor, FloorSettings
from sim.jackpot_controller.store import JackpotLinkSettings, LedgerTotals, Store

GAME = "rws-multilink-stud"
SEATS = 4
RESET_CENTS = FloorSettings().reset_cents
RATE_BASIS_POINTS = FloorSettings().rate_basis_points

on_both_brokers = pytest.mark.parametrize(
    "broker",
    [
        pytest.param(EmbeddedBroker, id="embedded"),
        pytest.param(
            Mosquitto,
            id="mosquitto",
            marks=pytest.mark.skipif(mosquitto_path() is None, reason="mosquitto not installed"),
        ),
    ],
)


SETTINGS = TableSettings(
    name="T1",
    game=GAME,
    seats=SEATS,
    ante_min_cents=2_500,
    ante_max_cents=100_000,
    jackpot_bet_cents=500,
)


def stacked(
    coins: tuple[int, ...], hands: dict[int, str], dealer: str, game: str = GAME
) -> PlannedRound:
    """Make up a round in which the seats and the dealer get these hands."""
    settings = replace(SETTINGS, game=game)
    wanted = {seat: cards.split() for seat, cards in hands.items()} | {0: dealer.split()}
    spare = [card for card in CODES if not any(card in cards for cards in wanted.values())]
    deck = [
        spare.pop() if target.to == "burn" else wanted[target.seat].pop(0)
        for target in card_order(settings.rules, "shoe", list(hands))
    ]
    antes = {(seat, "ante"): 2_500 for seat in hands if seat not in coins}
    return planned(settings, tuple((seat, "jackpot") for seat in coins), antes, deck)


@asynccontextmanager
async def one_table(folder: Path, broker: type[Broker]) -> AsyncIterator[Floor]:
    """Start a floor of one table."""
    settings = FloorSettings(tables=1, seats=SEATS, game=GAME, broker=broker)
    async with Floor(folder, settings) as floor:
        yield floor


class Books(NamedTuple):
    """What the jackpot controller has in its books, once it has stopped."""

    meter_cents: int
    totals: LedgerTotals


def books(folder: Path, game: str = GAME) -> Books:
    """Read the books that a floor has left."""
    with Store.open(folder / "jackpot.sqlite", link_settings(game)) as store:
        return Books(store.meter_cents, store.totals())


def link_settings(game: str = GAME) -> JackpotLinkSettings:
    """Give the link that every floor of the tests has."""
    return JackpotLinkSettings(game, RESET_CENTS, RATE_BASIS_POINTS)
