"""Two tables alike but for hidden cards: one is walked, the other hears the same with others.

What may be seen of cards, and what follows from them, is the boundary; nothing else may:

- **Face up** are the cards of the board that REVEAL has turned up, the dealer's last card where
  the game deals it so, and from the last reveal on the dealer's hand, the board, and the hands
  of the players who are in the round and show them. A void round turns nothing more up.
- **The rules look** at that moment at every hand with a jackpot bet, also one that was folded: if
  it claims, it is turned up. So those count as face up.
- **A card that comes twice, or is none**, is noticed at once and may void the round: that two
  cards are the same is visible, which ones they are is not. Renaming keeps it so.
- **What people key** is what they see; the table must not tell whether it agrees with a
  hidden card.

- **The journal** has every card, and may be read once the round is over; until then only how
  much is written may be seen.

All else is hidden: hands face down, burnt cards, the rest of the deck, of every round.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Literal

import msgspec
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from firmware.rules.cards import CODES
from firmware.table.effects import AnyEffect
from firmware.table.events import CardDrawn, CardsCorrected, CardsKeyed, Event, HandDispensed
from firmware.table.menus import menu
from firmware.table.public import PublicTable, public
from firmware.table.questions import Entry
from firmware.table.seen import seen
from firmware.table.settings import TableSettings
from firmware.table.stages import current, last_is_face_up, stages
from firmware.table.state import AT_REST
from firmware.table.table import Outcome, Table
from tests.table.playing import Effects, Playing
from tests.table.random_events import any_event
from tests.table.walking import LONGEST_PHASE, MOVES, SENSIBLE, Deck, Move, Walker

Renamed = Mapping[str, str]


class Told(Struct, frozen=True):
    """Everything that leaves a table after an event."""

    event: str
    decided: bool
    effects: tuple[AnyEffect, ...]
    failure: str
    left_out: bool
    shown: PublicTable
    menu: tuple[Entry, ...]
    seen: bytes
    """All that prompts, lamps, menus and maintenance are made from."""
    sequence: int
    written_bytes: int
    """How much the journal has grown, which maintenance tells."""


class Step(Struct, frozen=True):
    """An event as it was before the table completed it, or a start from the journal."""

    round: int
    event: Event | None = None


class Listening:
    """Notes everything that leaves a table."""

    def __init__(self) -> None:
        self.told: list[Told | Effects] = []

    def listen(self, playing: Playing) -> None:
        """Begin to note."""

        def heard(event: Event, _before: bytes, outcome: Outcome) -> None:
            table = playing.table
            kept_back = outcome.decided and table.state.phase not in AT_REST
            written = len(msgspec.json.encode(event)) if kept_back else 0
            failure = type(outcome.failure).__name__ if outcome.failure else ""
            self.told.append(
                Told(
                    type(event).__name__,
                    outcome.decided,
                    outcome.effects,
                    failure,
                    outcome.left_out,
                    public(table.settings, table.state),
                    menu(table.settings, table.state),
                    msgspec.msgpack.encode(seen(table.settings, table.state)),
                    table.state.sequence,
                    written,
                )
            )

        playing.listener = heard


class First(Walker):
    """The table that is walked; notes every step, and which cards were face up in which round."""

    def __init__(self, deck: Deck, settings: TableSettings) -> None:
        super().__init__(deck, settings)
        self.steps: list[Step] = []
        self.face_up: defaultdict[int, set[str]] = defaultdict(set)
        self.most_hidden = 0
        """How many cards were known and not face up, at most."""
        self.ears = Listening()
        self.ears.listen(self)

    def take(self, event: Event) -> Effects:
        """Note an event, let it happen, and note what lies face up after it."""
        if hasattr(self, "steps"):
            self.steps.append(Step(self.state.round.number, event))
        effects = super().take(event)
        if hasattr(self, "steps"):
            turned_up = face_up(self.table)
            self.face_up[self.state.round.number] |= turned_up
            self.most_hidden = max(self.most_hidden, len({*self.state.round.drawn} - turned_up))
        return effects

    def restart(self) -> Effects:
        """Note that the power is cut."""
        self.steps.append(Step(self.state.round.number))
        effects = super().restart()
        self.ears.told.append(effects)
        return effects

    def wander(self, chips: Iterable[int], moves: Iterable[Move]) -> None:
        """Open a round of three seats, some with chips, and make every move, sensible or not."""
        self.open()
        for seat in (1, 2, 3):
            self.ante(seat, 5_000)
        for seat in chips:
            for bet in self.table.settings.rules.jackpot_bets:
                self.chip(seat, bet)
        self.close()
        for move in moves:
            if move.name in ODD_MOVES:
                ODD_MOVES[move.name](self, move.number)
            else:
                MOVES[move.name](self, move.number)

    def anything(self, seed: int) -> None:
        """Let anything happen."""
        self.take(any_event(Random(seed), self))

    def lose(self, number: int) -> None:
        """Say that the table no longer knows a hand."""
        places = (*map(str, self.state.round.dealt), "dealer", "board")
        place = places[number % len(places)]
        self.press(CardsCorrected, how="lost", places=(place,))
        self.confirm_as("pit_supervisor")

    def until_another_phase(self, number: int) -> None:
        """Go on as long as that leads anywhere."""
        phase = self.state.phase
        for _ in range(LONGEST_PHASE):
            self.go_on(number)
            if self.state.phase != phase or not self.decided:
                return

    def probe(self, seed: int) -> None:
        """Key as many cards as a place has, among them one that may lie hidden elsewhere."""
        rng = Random(seed)
        rules = self.table.settings.rules
        counts: list[tuple[Literal["seat", "dealer", "community"], int]] = [
            ("seat", rules.own_cards),
            ("seat", rules.own_cards),
            ("dealer", rules.dealer_cards),
            ("community", rules.community_cards),
        ]
        to, count = rng.choice(counts)
        seat = rng.choice([*self.state.round.dealt, 1]) if to == "seat" else 0
        known = rng.sample(self.state.round.drawn, k=min(1, len(self.state.round.drawn)))
        others = rng.sample([card for card in CODES if card not in known], k=max(count, 1))
        cards = tuple([*known, *others][:count])
        self.press(CardsKeyed, to=to, seat=seat, cards=cards)


def face_up(table: Table) -> set[str]:
    """List the cards of the round that lie face up, or that the rules look at, as the felt has it."""
    settings, state = table.settings, table.state
    play = state.round
    if state.doing in {"idle", "closed", "service", "betting"}:
        return set()
    over = current(settings, play) is None and not play.void
    if over and state.doing in {"settling", "claiming"}:
        hands = [
            player.cards
            for player in play.seats.values()
            if (player.in_round and player.shown) or player.contributions
        ]
        return {*play.dealer, *play.community}.union(*hands)
    turned = sum(
        stage.step.cards
        for stage in stages(settings, play)[: play.stage]
        if stage.kind == "reveal" and "community" in stage.step.to
    )
    whole = len(play.dealer) == settings.rules.dealer_cards
    dealers = play.dealer[-1:] if whole and last_is_face_up(settings, play) else []
    return {*play.community[: turned if play.source != "manual" else 0], *dealers}


def renamed(event: Event, names: Renamed) -> Event:
    """Give the card source other cards; what people key stays what it is."""
    match event:
        case CardDrawn(card=card):
            return replace(event, card=names.get(card, card))
        case HandDispensed(cards=cards):
            return replace(event, cards=tuple(names.get(card, card) for card in cards))
    return event


def other_names(fixed: set[str], rng: Random) -> Renamed:
    """Let every hidden card be another one."""
    free = [card for card in CODES if card not in fixed]
    shuffled = free.copy()
    rng.shuffle(shuffled)
    return dict(zip(free, shuffled, strict=True))


def names_in_rounds(first: First, seed: int) -> Mapping[int, Renamed]:
    """Let every card that stayed hidden in a round be another one in it."""
    rng, numbers = Random(seed), sorted({step.round for step in first.steps})
    return {number: other_names(first.face_up[number], rng) for number in numbers}


def second(first: First, settings: TableSettings, seed: int) -> Listening:
    """Let another table hear the same, but for the cards that stayed hidden in each round."""
    names = names_in_rounds(first, seed)
    playing, ears = Playing(settings), Listening()
    ears.listen(playing)
    after_start = 0
    for step in first.steps:
        if step.event is None:
            playing.table = Table.recovered(playing.table.settings, playing.journal)
            after_start = 3  # the restart, the link, and the meter that comes with it
            continue
        playing.take(renamed(step.event, names[step.round]))
        if after_start:
            after_start -= 1
            if not after_start:
                ears.told.append(playing.without_reports(playing.table.resumed()))
    return ears


def differences(first: Listening, other: Listening) -> Iterator[str]:
    """Say where two tables have told different things."""
    for number, (one, two) in enumerate(zip(first.told, other.told, strict=True)):
        if one != two:
            yield f"step {number}: {_differing(one, two)}"


def _differing(one: Told | Effects, two: Told | Effects) -> str:
    if not isinstance(one, Told) or not isinstance(two, Told):
        return f"after a start {one} and {two}"
    fields = [name for name in Told.__struct_fields__ if getattr(one, name) != getattr(two, name)]
    return f"{one.event}: " + "; ".join(
        f"{name}: {getattr(one, name)} and {getattr(two, name)}" for name in fields
    )


ODD_MOVES: Mapping[str, Callable[[First, int], object]] = {
    "phase": First.until_another_phase,
    "anything": First.anything,
    "probe": First.probe,
    "unread": lambda table, _: table.unread(),
    "lost": First.lose,
}
"""Moves beside those of a usual walk: anything, and what makes the table settle what is keyed."""
ODD = ("anything", "anything", "anything", "probe", "probe", "unread", "lost")
_usual = st.builds(Move, st.sampled_from(SENSIBLE * 3 + tuple(MOVES)), st.integers(1, 5))
_odd = st.builds(Move, st.sampled_from(ODD), st.integers(0, 2**32))
chips = st.sets(st.integers(1, 3))
wanderings = st.lists(_usual | _usual | _odd, min_size=15, max_size=40)
