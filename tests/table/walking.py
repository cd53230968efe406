"""Random play: a walk over events, most of them sensible, some refused, some repeated.

A walk is a list of moves that hypothesis draws and shrinks; the same moves with another
deck are the same walk with other cards. `Shown` is what stands outside after all effects
so far. What must hold along the way is in the tests that walk.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from random import Random

from hypothesis import strategies as st
from msgspec import Struct, field
from msgspec.structs import replace

from firmware.protocol.fault_catalogue import Role
from firmware.protocol.obligations import AnyObligation
from firmware.rules.cards import CODES
from firmware.rules.dealing import Target
from firmware.rules.games import GAMES
from firmware.table.effects import (
    AnyEffect,
    Pattern,
    Send,
    SetLamp,
    ShowPrompt,
    ShowSign,
    StopSending,
)
from firmware.table.events import AwardDecided, ServiceEnded, TableOpened
from firmware.table.irregularities.reports import authority_of, choices
from firmware.table.settings import TableSettings
from firmware.table.stages import current, deal_waits, due, undecided
from firmware.table.state import FaultState, Phase, Spot
from tests.table.playing import SETTINGS, Effects, Playing

LONGEST_PHASE = 30
"""More events than any phase needs with four seats: the deal has 26 cards."""


class Shown(Struct):
    """What is seen and owed outside, once effects have been carried out."""

    lamps: dict[tuple[int, str], Pattern] = field(default_factory=dict)
    prompt: ShowPrompt | None = None
    sign: ShowSign | None = None
    owed: dict[str, AnyObligation] = field(default_factory=dict)

    def carry_out(self, effects: Iterable[AnyEffect]) -> "Shown":
        """Let effects happen to lamps, panel, sign and link."""
        for effect in effects:
            match effect:
                case SetLamp(seat, bet, pattern):
                    self.lamps[seat, bet] = pattern
                case ShowPrompt():
                    self.prompt = effect
                case ShowSign():
                    self.sign = effect
                case Send(obligation):
                    self.owed[obligation.id] = obligation
                case StopSending(message_id):
                    self.owed.pop(message_id, None)
        return self


class Deck:
    """A shuffled deck; a kind one gives every hand cards of one suit, so that all win.

    One with `nines` has them for the dealer and the board, and for nobody else.
    """

    def __init__(self, seed: int, *, kind: bool, nines: bool = False) -> None:
        self._rng = Random(seed)
        self._kind = kind
        self._nines = nines
        self._left: list[str] = []

    @property
    def is_empty(self) -> bool:
        """Whether too few cards are left for a hand, or it was never shuffled."""
        return len(self._left) < 10

    @property
    def stray(self) -> str:
        """A card that no deal needs now: not one that was dealt, which would tell its rank."""
        return self._left[-1] if self._left else "As"

    def shuffle(self) -> None:
        """Put all cards back and shuffle them."""
        self._left = list(CODES)
        self._rng.shuffle(self._left)

    def draw(self, target: Target) -> str:
        """Draw the card for a place."""
        card = (self._fitting(target) or self._left)[0]
        self._left.remove(card)
        return card

    def _fitting(self, target: Target) -> list[str]:
        if self._nines:
            shared = target.to in {"dealer", "community"}
            return [card for card in self._left if (card[0] == "9") == shared]
        suit = "cdhs"[target.seat % 4]
        return [card for card in self._left if card[1] == suit] if self._kind else []


decks = st.builds(Deck, st.integers(0, 2**32), kind=st.booleans())


tables = st.builds(
    lambda game, card_source: replace(SETTINGS, game=game, card_source=card_source),
    st.sampled_from(sorted(GAMES)),
    st.sampled_from(["shoe", "shuffler", "manual"]),
)
"""A table of any game, with any source of cards."""


class Walker(Playing):
    """A table being walked."""

    def __init__(self, deck: Deck, settings: TableSettings = SETTINGS) -> None:
        super().__init__(settings)
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
            if self.state.phase != phase or not self.decided:
                return
        raise AssertionError(f"the table does not come out of {phase}")

    def next_card(self) -> Effects:
        """Draw the next card, or dispense the hand, that the deal needs; any card if none."""
        played = self.state.round
        stage = current(self.table.settings, played)
        if self.state.phase != "dealing" or stage is None:
            return self.draw(self._deck.stray)
        if played.source == "manual" or deal_waits(played):
            return self.dealt()
        if not played.drawn or self._deck.is_empty:
            self._deck.shuffle()
        target, *more = due(stage, played)
        if played.source == "shoe":
            return self.draw(self._deck.draw(target))
        hand = [target, *takewhile(lambda other: other == target, more)]
        return self.dispense(*map(self._deck.draw, hand))

    def go_on(self, number: int) -> Effects:
        """Do what a dealer, or the system, does next."""
        return NEXT[self.state.phase](self, number)

    def award_or_end(self, number: int) -> Effects:
        """End the round, once every major is confirmed and every claim has its award."""
        claims = self.state.round.claims.values()
        if any(claim.unconfirmed for claim in claims):
            return self.confirm_as("pit_supervisor")
        pending = any(claim.amount_cents is None for claim in claims)
        return self.award_one(number) if pending else self.paid()

    def key_or_end(self, number: int) -> Effects:
        """Key a hand of one suit if there is one left, or say that no more are to be keyed."""
        played, rules = self.state.round, self.table.settings.rules
        unknown = [seat for seat in played.dealt if not played.seats[seat].cards]
        known = {*played.dealer, *played.community}.union(*(p.cards for p in played.seats.values()))
        hand = [card for card in CODES if card[1] == "cdhs"[number % 4] and card not in known]
        if number % 2 == 0 or not unknown or len(hand) < rules.own_cards:
            return self.paid()
        return self.cards(unknown[0], *hand[: rules.own_cards])

    def rule_on(self, number: int) -> Effects:
        """Choose what a ruling offers, if it does, and let whoever has to confirm it do so."""
        incident = self.state.incident
        offered = choices(incident)
        if offered and not incident.chosen:
            return self.choose(offered[number % len(offered)])
        authority = authority_of(self.table.settings, self.state)
        if authority is None and not incident.withdrawing:
            return self.confirm()
        return self.confirm_as("shift_manager")

    def answer(self, number: int) -> Effects:
        """Let the next player who is asked place the bet, or not."""
        settings, played = self.table.settings, self.state.round
        stage = current(settings, played)
        assert stage is not None
        bet = stage.step.bet
        places = bet
        other = "fold" if bet == settings.rules.stay else "check"
        return self.decide(undecided(played, bet)[0], places if number % 2 else other)

    def draw_lots(self, number: int) -> Effects:
        """Draw lots that do not depend on the deck."""
        return self.lots(list(CODES)[number], lucky_seat=number, lucky_dealer=number % 2 == 0)

    def bet_or_close(self, number: int) -> Effects:
        """Close the bets if there are any; otherwise place one, sweeping the spot first."""
        if self.state.chips():
            return self.close()
        bets = list(self.table.settings.rules.jackpot_bets)
        seat, bet = number % 4 + 1, bets[number % len(bets)]
        spot = self.state.spots.get(seat, {}).get(bet, Spot())
        return self.lift(seat, bet) if spot.chip else self.chip(seat, bet)

    def mend_everything(self) -> None:
        """Take back, mend and clear whatever keeps the dealer from going on."""
        self.cancel()
        self.link(healthy=True)
        for fault in list(self.state.faults.values()):
            self.mend(fault, "technician")
            self.mend(fault, "shift_manager")

    def mend(self, fault: FaultState, role: Role) -> None:
        """Let a fault be over, and somebody clear it."""
        self.fault_passes(fault.code, fault.where)
        self.clear(fault.code, fault.where)
        self.confirm_as(role)

    def acknowledge_one(self, number: int) -> Effects:
        """Let something owed be acknowledged, or what is not owed if nothing is."""
        owed = list(self.state.owed) or ["T1.another.1.1"]
        return self.acknowledge(owed[number % len(owed)])

    def award_one(self, number: int) -> Effects:
        """Let a claim be awarded, again perhaps, or what is no claim if there is none."""
        pending = [i for i, c in self.state.round.claims.items() if c.amount_cents is None]
        claims = pending or list(self.state.round.claims) or ["T1.another.1.1"]
        claim = claims[number % len(claims)]
        right = claim in self.state.round.claims and number % 4
        return self.award(claim, self.worth_cents(claim) if right else number * 10_000)

    def decide_one(self, number: int) -> Effects:
        """Let the shift manager decide what is paid on a claim whose award is in doubt."""
        doubted = [c.seat for c in self.state.round.claims.values() if c.doubted] or [1]
        pay = ("awarded", "reckoned")[number % 2]
        self.press(AwardDecided, seat=doubted[number % len(doubted)], pay=pay)
        return self.confirm_as("shift_manager")

    def move_meter(self, number: int) -> Effects:
        """Let the meter move, or an old message of it arrive."""
        self._meter_sequence += number - 2
        return self.meter(1_000_000 + number, self._meter_sequence)


NEXT: Mapping[Phase, Callable[[Walker, int], Effects]] = {
    "idle": lambda table, _: table.open(),
    "betting": Walker.bet_or_close,
    "drawing": Walker.draw_lots,
    "dealing": lambda table, _: table.next_card(),
    "deciding": Walker.answer,
    "revealing": lambda table, _: table.reveal(),
    "claiming": Walker.key_or_end,
    "ruling": Walker.rule_on,
    "settling": Walker.award_or_end,
    "closed": lambda table, _: table.press(TableOpened),
    "service": lambda table, _: table.take(ServiceEnded(at_ms=table.now())),
}
MOVES: Mapping[str, Callable[[Walker, int], Effects]] = {
    "go_on": Walker.go_on,
    "chip": lambda table, number: table.chip(number),
    "lift": lambda table, number: table.lift(number),
    "acknowledge": Walker.acknowledge_one,
    "open": lambda table, _: table.open(),
    "ante": lambda table, number: table.ante(number, 2_500 * (number - 1)),
    "close": lambda table, _: table.close(),
    "draw": lambda table, _: table.next_card(),
    "misread": lambda table, _: table.draw("1x"),
    "drawn_again": lambda table, _: table.draw([*table.state.round.drawn, "1x"][0]),
    "bet": Walker.bet,
    "fold": Walker.fold,
    "absent": lambda table, number: table.decide(number, "absent"),
    "check": lambda table, number: table.decide(number, "check"),
    "hidden": Walker.hidden,
    "lots": Walker.draw_lots,
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
