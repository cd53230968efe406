"""Random play: a walk over events, most of them sensible, some refused, some repeated.

A walk is a list of moves that hypothesis draws and shrinks; the same moves with another
deck are the same walk with other cards. `Shown` is what stands outside after all effects
so far. What must hold along the way is in the tests that walk.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

from hypothesis import strategies as st
from msgspec import Struct, field

from firmware.rules.cards import CODES
from firmware.table.effects import (
    AnyEffect,
    Pattern,
    Send,
    SetLamp,
    ShowPrompt,
    ShowSign,
    StopSending,
)
from firmware.table.outbox import AnyObligation
from tests.table.playing import Effects, Playing

LONGEST_PHASE = 30
"""More events than any phase needs with four seats: the deal has 26 cards."""


class Shown(Struct):
    """What is seen and owed outside, once effects have been carried out."""

    lamps: dict[int, Pattern] = field(default_factory=dict)
    prompt: ShowPrompt | None = None
    sign: ShowSign | None = None
    owed: dict[str, AnyObligation] = field(default_factory=dict)

    def carry_out(self, effects: Iterable[AnyEffect]) -> "Shown":
        """Let effects happen to lamps, panel, sign and link."""
        for effect in effects:
            match effect:
                case SetLamp(seat, pattern):
                    self.lamps[seat] = pattern
                case ShowPrompt():
                    self.prompt = effect
                case ShowSign():
                    self.sign = effect
                case Send(obligation):
                    self.owed[obligation.id] = obligation
                case StopSending(message_id):
                    del self.owed[message_id]
        return self


class Deck:
    """A shuffled deck; a kind one gives every hand cards of one suit, so that all win."""

    def __init__(self, seed: int, *, kind: bool) -> None:
        self._rng = Random(seed)
        self._kind = kind
        self._left: list[str] = []

    def shuffle(self) -> None:
        """Put all cards back and shuffle them."""
        self._left = list(CODES)
        self._rng.shuffle(self._left)

    def draw(self, place: int, hands: int) -> str:
        """Draw the card for a place in the deal to so many hands."""
        suit = "cdhs"[(place - 1) % hands % 4]
        fitting = [card for card in self._left if card[1] == suit] if self._kind else []
        card = (fitting or self._left)[0]
        self._left.remove(card)
        return card


decks = st.builds(Deck, st.integers(0, 2**32), kind=st.booleans())


class Walker(Playing):
    """A table being walked."""

    def __init__(self, deck: Deck) -> None:
        super().__init__()
        self._deck = deck
        self._meter_sequence = 0

    def walk(self, moves: Iterable["Move"]) -> Iterator[Effects]:
        """Make every move, and give the effects of each of its events."""
        for move in moves:
            if move.name == "phase":
                yield from self._through_the_phase(move.number)
            else:
                yield MOVES[move.name](self, move.number)

    def _through_the_phase(self, number: int) -> Iterator[Effects]:
        phase = self.state.phase
        for _ in range(LONGEST_PHASE):
            yield self.go_on(number)
            if self.state.phase != phase:
                return
        raise AssertionError(f"the table does not come out of {phase}")

    def next_card(self) -> Effects:
        """Draw the next card that the deal needs; any card if it needs none."""
        if self.state.phase != "dealing":
            return self.draw("As")
        played = self.state.round
        if not played.drawn:
            self._deck.shuffle()
        return self.draw(self._deck.draw(len(played.drawn), len(played.seats) + 1))

    def go_on(self, number: int) -> Effects:
        """Do what a dealer does next."""
        match self.state.phase:
            case "idle":
                return self.open()
            case "betting":
                return self.bet_or_close(number % 4 + 1)
            case "dealing":
                return self.next_card()
            case "deciding":
                seats = self.state.round.seats.items()
                undecided = next(seat for seat, play in seats if play.decision is None)
                return self.bet(undecided) if number % 2 else self.fold(undecided)
            case "revealing":
                return self.reveal()
            case "settling":
                pending = any(c.amount_cents is None for c in self.state.round.claims.values())
                return self.award_one(number) if pending else self.paid()

    def bet_or_close(self, seat: int) -> Effects:
        """Close the bets if there are any; otherwise place one, sweeping the spot first."""
        spots = self.state.spots
        if any(spot.chip and spot.ready for spot in spots.values()):
            return self.close()
        return self.lift(seat) if seat in spots and spots[seat].chip else self.chip(seat)

    def acknowledge_one(self, number: int) -> Effects:
        """Let something owed be acknowledged, or what is not owed if nothing is."""
        owed = list(self.state.owed) or ["T1.another.1.1"]
        return self.acknowledge(owed[number % len(owed)])

    def award_one(self, number: int) -> Effects:
        """Let a claim be awarded, again perhaps, or what is no claim if there is none."""
        pending = [i for i, c in self.state.round.claims.items() if c.amount_cents is None]
        claims = pending or list(self.state.round.claims) or ["T1.another.1.1"]
        return self.award(claims[number % len(claims)], number * 10_000)

    def move_meter(self, number: int) -> Effects:
        """Let the meter move, or an old message of it arrive."""
        self._meter_sequence += number - 2
        return self.meter(1_000_000 + number, self._meter_sequence)


MOVES: Mapping[str, Callable[[Walker, int], Effects]] = {
    "go_on": Walker.go_on,
    "chip": Walker.chip,
    "lift": Walker.lift,
    "acknowledge": Walker.acknowledge_one,
    "open": lambda table, _: table.open(),
    "ante": lambda table, number: table.ante(number, 2_500 * (number - 1)),
    "close": lambda table, _: table.close(),
    "draw": lambda table, _: table.next_card(),
    "misread": lambda table, _: table.draw("1x"),
    "drawn_again": lambda table, _: table.draw([*table.state.round.drawn, "1x"][0]),
    "bet": Walker.bet,
    "fold": Walker.fold,
    "reveal": lambda table, _: table.reveal(),
    "paid": lambda table, _: table.paid(),
    "award": Walker.award_one,
    "meter": Walker.move_meter,
    "link": lambda table, number: table.link(healthy=number > 1),
    "again": lambda table, _: table.again(),
    "restart": lambda table, _: table.restart(),
}
SENSIBLE = ("go_on", "phase", "phase", "phase", "chip", "lift", "acknowledge")
"""What happens most; `phase` is to go on until the next one begins."""


class Move(Struct, frozen=True):
    """One thing that happens; `number` is a seat, or which one of several, or how much."""

    name: str
    number: int


_move = st.builds(Move, st.sampled_from(SENSIBLE * 3 + tuple(MOVES)), st.integers(1, 5))
walks = st.lists(_move, min_size=15, max_size=80)
