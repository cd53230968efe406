"""A dealer who plays a real table, round after round, and keeps the felt beside it.

What he does is drawn from seeds: bets, cards and decisions from one each, every kind of mishap from its
own, so that leaving a kind out leaves the rest of the round as it was. How often which mishap comes is in
`mishaps`, who confirms what in `confirming`; what must come out, in `comparison`.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import NoReturn

from firmware.protocol.obligations import Contribution, Reversal, Verdict, Win
from firmware.table.effects import Send, ShowRefusal
from firmware.table.events import Event, RoundPaid
from firmware.table.settings import TableSettings
from firmware.table.table import Outcome
from tests.table.playing import Effects, Playing
from tests.table.shadow.cards import Stack
from tests.table.shadow.felt import Felt
from tests.table.shadow.letter import LETTERS, Letter
from tests.table.shadow.procedure import Place, Step

METER_CENTS, RESET_CENTS = 80_000_00, 50_000_00
Money = Contribution | Reversal | Win | Verdict


class Difference(Exception):  # noqa: N818  # it is what the search finds, not an error
    """The table and the documents do not agree."""


@dataclass
class Sent:
    """What the table has sent about the round, as the jackpot controller would hear it."""

    money: list[Money] = field(default_factory=list)

    def of(self, kind: type) -> list[Money]:
        """Give the messages of a kind."""
        return [each for each in self.money if isinstance(each, kind)]


class Shadow:
    """One table, its felt, and everything that happened at it."""

    def __init__(self, settings: TableSettings, seed: str, without: frozenset[str]) -> None:
        """Set up a table; `without` names the kinds of mishap that do not happen."""
        self.playing = Playing(settings)
        self.settings = settings
        self.letter: Letter = LETTERS[settings.game]
        self.seed = seed
        self.without = without
        self.story: list[str] = []
        """Every event that the table was given, for whoever has to understand a difference."""
        self.reached: Counter[str] = Counter()
        self.playing.listener = self._heard
        self.meter_sequence = 0
        self.publish_meter()
        self.last_ante: dict[int, int] = {}
        self.under_before: set[int] = set()
        self.keyed_none: set[int] = set()
        self.number = 0
        self.turn = Random(f"{seed} turn").randrange(1_000)
        """Which kind of report comes next."""
        self._randoms: dict[str, Random] = {}
        self.begin_round()

    # What both sides of a round need

    def begin_round(self) -> None:
        """Clear the felt."""
        self.felt = Felt(
            self.letter,
            self.settings.ante_min_cents,
            self.settings.ante_max_cents,
            self.settings.bonus_max_cents,
            by_hand=self.settings.card_source == "manual",
        )
        self.sent = Sent()
        self.keyed_none.clear()
        self.dealt_at: dict[int, int] = {}
        self.places: dict[Place, list[str]] = {}
        self.stack = Stack(Random(0))
        self.steps: list[Step] = []
        self.all_steps = 0
        self.given = 0
        self.link_up = True
        self.sayable: set[str] = set()
        self.cuts: list[set[int]] = []
        """Whose folds were the outcome at each power cut of the round after which play went on."""
        """Which keys may say where cards lie: a dealing error was ruled on, and play goes on."""
        self.moved: set[int] = set()
        """The seats whose hands lay elsewhere first; when such a hand was dealt nobody says."""
        self.players: list[list[int]] = []
        """The seats of each player who has several."""
        self.awarded: set[str] = set()
        """The wins that the controller has awarded."""
        self.pays_registered = False
        """Whether claims are paid from the meter that was registered before the link was lost."""
        self.shown: RoundPaid | None = None
        self._randoms = {}

    def rng(self, kind: str) -> Random:
        """Give the random source of one kind of choice in this round."""
        if kind not in self._randoms:
            self._randoms[kind] = Random(f"{self.seed} {self.number} {kind}")
        return self._randoms[kind]

    def happens(self, kind: str, chance: float) -> bool:
        """Say whether a mishap happens now."""
        return self.rng(kind).random() < chance and kind not in self.without

    def note(self, what: str) -> None:
        """Count something that was reached."""
        self.reached[what] += 1

    def differ(self, what: str) -> NoReturn:
        """Say where the two sides part."""
        raise Difference(f"{self.settings.game} {self.settings.card_source}: {what}")

    @property
    def phase(self) -> str:
        """Where the table is; asked again after each event."""
        return self.playing.phase()

    def do(self, effects: Effects) -> bool:
        """Say whether the table took the last event; what it said no to is in the story."""
        refusals = [effect.reason for effect in effects if isinstance(effect, ShowRefusal)]
        if refusals:
            self.story.append(f"    refused: {refusals[0]}")
        return self.playing.decided and not refusals

    def must(self, effects: Effects) -> None:
        """Do something that the documents provide for; the table must take it."""
        if not self.do(effects):
            self.differ(f"refused what the rules provide: {self.story[-1].strip()}")

    def _heard(self, event: Event, _: bytes, outcome: Outcome) -> None:
        self.story.append(repr(event))
        if outcome.failure is not None:
            self.differ(f"the table fails on {event!r}: {outcome.failure!r}")
        for effect in outcome.effects:
            if isinstance(effect, Send) and isinstance(effect.obligation, Money):
                self.sent.money.append(effect.obligation)
        if isinstance(event, RoundPaid) and outcome.decided:
            self.shown = event

    # What the documents ask about

    def outcome_established(self) -> bool:
        """I-24: somebody has folded, or the dealer's hand lies open."""
        return bool(self.lost_seats()) or (not self.steps and bool(self.places))

    def lost_seats(self) -> set[int]:
        """Who has lost before any hand is compared."""
        lost = {"fold", "absent"} if self.letter.operator == "rws" else {"fold"}
        return {seat for seat, box in self.felt.boxes.items() if box.said in lost}

    def cards_seen(self) -> bool:
        """I-27: with a shoe from the last card of the deal, with a shuffler from the first hand."""
        seats = [self.felt.boxes[seat] for seat in self.felt.hands()]
        if self.settings.card_source == "shuffler":
            return any(box.cards for box in seats)
        self.step()
        return len(self.steps) < self.all_steps

    @property
    def begun(self) -> bool:
        """Whether a card has been dealt or burnt, or the table was told so."""
        return self.given > 0 or len(self.steps) < self.all_steps

    def any_jackpot_bet(self, *, noticed: bool = False) -> bool:
        """Say whether anything of the round depends on the jackpot system (I-36).

        What the table notices at the settlement concerns only what is not awarded yet.
        """
        if noticed and self.phase == "settling":
            wins = {each.id for each in self.sent.money if isinstance(each, Win)}
            return bool(wins - self.awarded)
        boxes, chips = self.felt.boxes, self.letter.chips
        if self.phase == "betting":
            # The ante of a box with a chip may still be placed.
            return any(box.stakes.get(bet) for box in boxes.values() for bet in chips)
        return any(self.stands(seat, bet) for seat in boxes for bet in chips)

    def stands(self, seat: int, bet: str) -> bool:
        """Say whether a jackpot bet is still one."""
        box = self.felt.boxes[seat]
        return bool(box.stakes.get(bet)) and bool(box.ante) and not box.out

    def in_the_round(self) -> list[int]:
        """Give the seats whose players are asked when everybody may choose."""
        return self.felt.playing()

    def take_out(self, seat: int) -> None:
        """Take a hand out of the round; its bets go back."""
        self.felt.boxes[seat].out = True

    # The jackpot system

    def lose_link(self) -> None:
        """Lose the jackpot system."""
        self.link_up = False
        self.playing.link(healthy=False, problem="no route")

    def mend_link(self) -> None:
        """Bring the jackpot system back, if it was lost."""
        if not self.link_up:
            self.playing.link(healthy=True)
            self.publish_meter()
            self.link_up = True

    def publish_meter(self) -> None:
        """Let the controller publish its meter."""
        self.meter_sequence += 1
        self.playing.meter(METER_CENTS, self.meter_sequence, RESET_CENTS)

    def after_round(self) -> None:
        """Sweep the chips, answer what is owed, bring the link back, remember who was under."""
        for seat, box in self.felt.boxes.items():
            for bet in self.letter.chips:
                if box.stakes.get(bet):
                    self.playing.lift(seat, bet)
            took_part = not (self.felt.void or box.out or box.said == "absent")
            if self.letter.operator == "mbs" and 0 < box.ante < self.felt.ante_min and took_part:
                self.under_before.add(seat)
        self.mend_link()
        for each in self.sent.money:
            self.playing.acknowledge(each.id)

    # The order of a round

    def step(self) -> Step | None:
        """Give the step that the round is at, past those in which nothing is left to do."""
        while self.steps and self._is_done(self.steps[0]):
            self.steps.pop(0)
            self.given = 0
        return self.steps[0] if self.steps else None

    def _is_done(self, step: Step) -> bool:
        if step.kind == "deal":
            return self.given == len(step.places)
        if step.kind == "decide":
            return not self.asked(step.bet)
        return False

    def asked(self, bet: str) -> list[int]:
        """Give the seats that still have to answer a question."""
        boxes = self.felt.boxes
        return [seat for seat in self.felt.playing() if bet not in boxes[seat].answered]

    def lying(self, place: Place) -> list[str]:
        """Give the cards that lie at a place."""
        match place:
            case "dealer":
                return self.felt.dealer
            case "board":
                return self.felt.board
            case "burn":
                return []
        assert isinstance(place, int)
        return self.felt.boxes[place].cards
