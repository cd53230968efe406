"""Rounds that go on by themselves: any game, any card source, a deck in a fixed order.

What a seat answers, and where a round stops, the tests say; they are about what games have
in common. A round told effect by effect is in `test_round.py` and `transcripts/`.
"""

from collections.abc import Iterator
from itertools import groupby
from random import Random

from msgspec.structs import replace

from firmware.rules.cards import CODES
from firmware.rules.contract import IrregularityName
from firmware.table.settings import CardSource, TableSettings
from firmware.table.stages import current, due, undecided
from firmware.table.state import CARDS_COME, Phase
from tests.table.playing import SETTINGS, Effects, Playing, bets_placed


def settings_of(game: str, source: CardSource = "shoe") -> TableSettings:
    return replace(SETTINGS, game=game, card_source=source)


SEED = 9
"""Shuffles a deck whose dealer qualifies in every game, from shoe and shuffler."""


class Round(Playing):
    """A round that goes on by itself: a deck in a fixed order, and an answer for every seat."""

    def __init__(self, settings: TableSettings) -> None:
        super().__init__(settings)
        self.answers: dict[int, str] = {}
        """What a seat answers instead of placing the bet that it is asked for."""
        self._deck: list[str] = []
        self.refill()

    def refill(self) -> None:
        """Put the deck in order again, for another round."""
        self._deck = list(CODES)
        Random(SEED).shuffle(self._deck)

    def next_cards(self) -> Effects:
        """Deal what comes next: a card from the shoe, or all cards in a row to one place."""
        settings, played = self.table.settings, self.state.round
        stage = current(settings, played)
        assert stage is not None
        left = due(stage, played)
        if played.source == "manual":
            return self.dealt()
        if played.source == "shoe":
            return self.draw(self._deck.pop())
        count = len(list(next(iter(groupby(left)))[1]))
        return self.dispense(*[self._deck.pop() for _ in range(count)])

    def too_many(self) -> Effects:
        """Draw the deck's next card although the deal needs none now."""
        return self.draw(self._deck.pop())

    def next_unused(self) -> str:
        """Take the deck's next card."""
        return self._deck.pop()

    def decide_next(self) -> Effects:
        """Let the next seat that is asked answer."""
        stage = current(self.table.settings, self.state.round)
        assert stage is not None
        seat = undecided(self.state.round, stage.step.bet)[0]
        return self.decide(seat, self.answers.get(seat, stage.step.bet))

    def go_on(self) -> Effects:
        """Do what comes next after the bets were closed; a card too many is in no hand."""
        if self.state.round.unexplained and self.state.phase in CARDS_COME:
            self.dealt()
        match self.state.phase:
            case "drawing":
                return self.lots("2c")
            case "dealing":
                return self.next_cards()
            case "deciding":
                return self.decide_next()
            case "revealing":
                return self.reveal()
            case "claiming":
                return self.paid()
            case _:
                self.confirm_as("pit_supervisor")
                for claim in list(self.state.round.claims):
                    self.award(claim, self.worth_cents(claim))
                return self.paid()

    def rest(self, until: Phase = "idle") -> Iterator[tuple[Phase, Effects]]:
        """Go on until a phase, and give the phases on the way with the effects."""
        while self.state.phase != until:
            effects = self.go_on()
            assert self.decided, effects
            yield self.state.phase, effects

    def play_until(self, phase: Phase) -> "Round":
        """Go on until a phase."""
        for _ in self.rest(phase):
            pass
        return self


def closed(settings: TableSettings, *, jackpot: bool = True) -> Round:
    """Take bets of seats 1 and 3 and close them; all jackpot bets, or none."""
    played = Round(settings)
    played.open()
    for seat in (1, 3):
        played.ante(seat, 5_000)
        for bet in settings.rules.jackpot_bets if jackpot else ():
            played.chip(seat, bet)
    played.close()
    return played


SHUFFLER = replace(SETTINGS, card_source="shuffler")


def dealing(settings: TableSettings = SETTINGS) -> Playing:
    """Bring a table to its first card, with chips of seats 1 and 3."""
    playing = bets_placed(settings)
    playing.close()
    return playing


def noticed(playing: Playing) -> IrregularityName:
    """Give what the table has noticed; the dealer alone cannot make it undone."""
    incident = playing.state.incident
    assert playing.phase() == "ruling"
    assert incident.noticed
    return incident.irregularity
