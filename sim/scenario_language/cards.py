"""The cards of a scenario: a deck in the source, stacked to deal the hands that are named.

A shoe deals one card at a time, a shuffler a whole hand; an Angel Eye shoe sends each report
three times, as the real one may. By hand, no source reports anything. Which cards come when
nobody names them is in `decks.py`.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from firmware.errors import BadInput
from firmware.journal.reader import records
from firmware.rules.dealing import card_order
from firmware.table.state import RoundState
from firmware.table.table import Table
from sim.floor.dealer import ends_of_dealing, read_by
from sim.scenario_language.decks import Deal, Place, stacked_deck
from sim.table.angel_eye_shoe import AngelEyeShoe
from sim.table.hardware import TableHardware

_REPORTS = 3
_UNREADABLE = 1
"""The error code of an Angel Eye shoe for a card that it could not read."""


class Cards:
    """The source of one table's cards, with a deck in it."""

    def __init__(
        self,
        hardware: TableHardware,
        journal: Path,
        angel_eye: AngelEyeShoe | None,
        seed: str = "",
    ) -> None:
        self._hardware = hardware
        self._journal = journal
        self._angel_eye = angel_eye
        self._seed = seed
        self.goes_on = False
        """Whether a deal goes on from the cards that somebody else has dealt in the round."""
        self._deals = 0
        self._deck: list[str] = []
        self._dealt = 0

    def arrange(self, named: Mapping[Place, list[str]]) -> None:
        """Load a deck that deals the named hands; the others come from a shuffled deck."""
        settings, play = self._hardware.settings, self._round()
        came = play.drawn if self.goes_on else []
        order: list[Place] = [
            (target.to, target.seat)
            for target in card_order(settings.rules, read_by(settings), play.dealt)
        ]
        _check_named(named, order[len(came) :], came)
        self._deals += 1
        self._dealt = len(came)
        deal = Deal(game=settings.rules, order=order, named=named, came=came)
        self._deck = stacked_deck(deal, f"{self._seed} deal {self._deals}")

    async def deal(self, count: int | None) -> None:
        """Deal `count` cards or hands, or all until the table waits for a decision or a key."""
        if not self._deck:
            self.arrange({})
        for each in self._portions()[:count]:
            self._dealt += len(each)
            if self._hardware.settings.card_source == "shuffler":
                await self.dispense(each)
            else:
                await self.draw(each[0])

    def _portions(self) -> list[list[str]]:
        """Return what is dealt now, as cards or, for a shuffler, whole hands."""
        settings, seats = self._hardware.settings, self._seats()
        source = read_by(settings)
        until = next((end for end in ends_of_dealing(settings, seats) if end > self._dealt), None)
        if until is None:
            raise BadInput("deal", "every card of this round has been dealt")
        cards = self._deck[self._dealt : until]
        if source == "shoe":
            return [[card] for card in cards]
        order = card_order(settings.rules, source, seats)[self._dealt : until]
        sizes = [len(list(alike)) for _, alike in groupby(order)]
        left = iter(cards)
        return [[next(left) for _ in range(size)] for size in sizes]

    def _seats(self) -> list[int]:
        """List the seats that get a hand, as the table has them."""
        return self._round().dealt

    def _round(self) -> RoundState:
        events = (record.event for record in records(self._journal))
        play = Table.recovered(self._hardware.settings, events).state.round
        if not play.dealt:
            raise BadInput("deal", "no seat gets a hand; are the bets closed?")
        return play

    # What leaves the source

    async def draw(self, card: str) -> None:
        """Draw a card from the shoe."""
        if self._angel_eye is not None:
            self._angel_eye.draw(card, times=_REPORTS)
        else:
            await self._hardware.draw(card)

    async def dispense(self, cards: Sequence[str]) -> None:
        """Dispense a hand from the shuffler."""
        await self._hardware.dispense(cards)

    async def unread(self) -> None:
        """Draw a card that could not be read."""
        if self._angel_eye is not None:
            self._angel_eye.fail(_UNREADABLE)
        else:
            await self._hardware.cards.send("UNREAD the card is smudged")


def _check_named(
    named: Mapping[Place, list[str]], to_come: Sequence[Place], came: Sequence[str]
) -> None:
    over = [
        f"{to} {seat or ''}".rstrip()
        for (to, seat), cards in named.items()
        if len(cards) > sum(place == (to, seat) for place in to_come)
    ]
    if over:
        raise BadInput("deal", f"this round does not deal that many cards to {', '.join(over)}")
    again = [card for cards in named.values() for card in cards if card in came]
    if again:
        raise BadInput("deal", f"{again[0]} has come already in this round; name another card")
