"""Two tables alike but for hidden cards: one is walked, the other hears the same with others.

What may be seen of cards, and what follows from them, is the boundary; nothing else may:

- **Face up** are the cards of the board that REVEAL has turned up, the dealer's last card where
  the game deals it so, and from the last reveal on the dealer's hand, the board, and the hands
  of the players who are in the round and show them. A void round turns nothing more up. `face_up.py`
  follows which cards these are, event by event: a correction turns none of them, either way.
- **The rules look** at that moment at every hand whose jackpot bet its own cards can still win,
  also one that was folded where a fold keeps it: if it claims, it is turned up. So those count
  as face up.
- **A card that comes twice, or is none**, is noticed at once and may void the round: that two
  cards are the same is visible, which ones they are is not. Renaming keeps it so.
- **What people key** is what they see; the table must not tell whether it agrees with a
  hidden card.

- **The journal** has every card, and may be read once the round is over; until then only how
  much is written may be seen.

All else is hidden: hands face down, burnt cards, the rest of the deck, of every round. What is
turned up later is hidden until then: tables are compared up to any moment, with all else other.
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
from firmware.rules.games import GAMES
from firmware.table.effects import AnyEffect
from firmware.table.events import (
    CardDrawn,
    CardsCorrected,
    CardsKeyed,
    CardsRevealed,
    Event,
    HandDispensed,
)
from firmware.table.menus import menu
from firmware.table.public import PublicTable, public
from firmware.table.questions import Entry
from firmware.table.seen import seen
from firmware.table.settings import TableSettings
from firmware.table.state import AT_REST, CARDS_COME
from firmware.table.table import Outcome, Table
from tests.table.face_up import Felt
from tests.table.playing import SETTINGS, Effects, Playing
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
        self.felt = Felt()
        self.face_up: list[tuple[int, int, set[str]]] = []
        """After how many steps, in which round, which cards lay face up."""
        self.most_hidden = 0
        """How many cards were known and not face up, at most."""
        self.ears = Listening()
        self.ears.listen(self)

    def take(self, event: Event) -> Effects:
        """Note an event, let it happen, and note what lies face up after it."""
        if not hasattr(self, "steps"):
            return super().take(event)
        waits = self.state.round.correction is not None
        self.steps.append(Step(self.state.round.number, event))
        effects = super().take(event)
        confirmed = waits and self.state.round.correction is None
        turned_up = self.felt.after(
            self.table,
            reveals=self.decided and isinstance(event, CardsRevealed),
            corrects=confirmed or isinstance(event, CardsCorrected),
        )
        self.face_up.append((len(self.steps), self.state.round.number, turned_up))
        self.most_hidden = max(self.most_hidden, len({*self.state.round.drawn} - turned_up))
        return effects

    def restart(self) -> Effects:
        """Note that the power is cut."""
        self.steps.append(Step(self.state.round.number))
        effects = super().restart()
        self.ears.told.append(effects)
        return effects

    def wander(self, chips: Iterable[int], moves: Iterable[Move], bets: Iterable[str] = ()) -> None:
        """Open a round of three seats, some with chips, and make every move, sensible or not."""
        placed = tuple(bets) or tuple(self.table.settings.rules.jackpot_bets)
        self.open()
        for seat in (1, 2, 3):
            self.ante(seat, 5_000)
        for seat in chips:
            for bet in placed:
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

    def correct(self, seed: int) -> None:
        """Say that cards lie elsewhere: at a seat, the dealer, the board, or the other way round."""
        rng = Random(seed)
        places = [*map(str, self.state.round.dealt), "dealer", "board", "board"]
        how = rng.choice(("went", "went", "order", "swap"))
        told = () if how == "order" else tuple(rng.sample([*places], k=2))
        if self.state.phase in CARDS_COME:
            self.rule_on_the_deal()
        self.press(CardsCorrected, how=how, places=told)
        self.confirm_as("pit_supervisor")

    def ask_by_keys(self, seed: int) -> None:
        """Lose a hand, go on to its claims, and key it with a card of a hand that lies face down."""
        rng, play = Random(seed), self.state.round
        staying = [seat for seat, player in play.seats.items() if player.in_round]
        place = rng.choice([*map(str, staying[:1]), *map(str, staying[:1]), "dealer", "board"])
        self.press(CardsCorrected, how="lost", places=(place,))
        self.confirm_as("pit_supervisor")
        self._go_on_to_the_claims(rng)
        for _ in range(2):
            self._key_a_hidden_card(rng, place)
            self.paid()

    def claim_elsewhere(self, seed: int) -> None:
        """Let seat 3 fold, and key a card of its hand for another, lost before the claims or after."""
        rng = Random(seed)
        while self.state.phase in {"drawing", "dealing"}:
            self.go_on(rng.randint(1, 5))
        self.fold(3)
        before_the_claims = rng.random() < 0.5
        if before_the_claims:
            self.lose(0)
        self._go_on_to_the_claims(rng, staying=True)
        if not before_the_claims:
            self.lose(0)
        for _ in range(2):
            self._key_a_hidden_card(rng, "1")
            self.paid()

    def _go_on_to_the_claims(self, rng: Random, *, staying: bool = False) -> None:
        for _ in range(LONGEST_PHASE):
            if self.state.phase not in {"dealing", "deciding", "revealing"}:
                break
            if self.state.phase == "deciding" and rng.random() < 0.3 and not staying:
                self.hidden(rng.randint(1, 3))
            self.go_on(1 if staying else rng.randint(1, 5))

    def _key_a_hidden_card(self, rng: Random, place: str) -> None:
        play, rules = self.state.round, self.table.settings.rules
        down = [p.cards for p in play.seats.values() if not (p.in_round and p.shown)]
        asked = rng.choice([card for cards in down for card in cards] or [*play.drawn, "As"])
        count = {"dealer": rules.dealer_cards, "board": rules.community_cards}.get(
            place, rules.own_cards
        )
        others = [card for card in CODES if card not in {*play.drawn, asked}]
        self.press(
            CardsKeyed,
            to={"dealer": "dealer", "board": "community"}.get(place, "seat"),
            seat=int(place) if place.isdecimal() else 0,
            cards=tuple([asked, *others][:count]),
        )

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


def moment(first: First, seed: int) -> int:
    """Choose up to which step tables are compared: the end, or any before it."""
    rng = Random(seed)
    return rng.choice((len(first.steps), rng.randint(1, len(first.steps))))


def names_in_rounds(first: First, seed: int) -> Mapping[int, Renamed]:
    """Let every card that has stayed hidden in a round until a moment be another one in it."""
    rng, numbers = Random(seed), sorted({step.round for step in first.steps})
    turned_up = defaultdict[int, set[str]](set)
    for steps, number, cards in first.face_up:
        if steps <= moment(first, seed):
            turned_up[number] |= cards
    return {number: other_names(turned_up[number], rng) for number in numbers}


def second(first: First, settings: TableSettings, seed: int) -> Listening:
    """Let another table hear the same up to a moment, but for the cards hidden until then."""
    names = names_in_rounds(first, seed)
    playing, ears = Playing(settings), Listening()
    ears.listen(playing)
    after_start = 0
    for step in first.steps[: moment(first, seed)]:
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
    """Say where two tables have told different things, as long as the other one goes on."""
    assert other.told
    until = first.told[: len(other.told)]
    for number, (one, two) in enumerate(zip(until, other.told, strict=True)):
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
    "corrected": First.correct,
    "asked": First.ask_by_keys,
    "elsewhere": First.claim_elsewhere,
}
"""Moves beside those of a usual walk: anything, and what makes the table settle what is keyed."""
ODD = (*["anything"] * 3, *["corrected"] * 3, "probe", "probe", "unread", "lost", "asked")
_usual = st.builds(Move, st.sampled_from(SENSIBLE * 3 + tuple(MOVES)), st.integers(1, 5))
_odd = st.builds(Move, st.sampled_from(ODD), st.integers(0, 2**32))
chips = st.sets(st.integers(1, 3))
wanderings = st.lists(_usual | _usual | _odd, min_size=15, max_size=40)
_plain = st.builds(
    Move, st.sampled_from((*["phase"] * 3, *["go_on"] * 3, "hidden", "fold")), st.integers(1, 3)
)
_doubtful = st.builds(Move, st.sampled_from((*["corrected"] * 4, "asked")), st.integers(0, 2**32))
doubts = st.builds(
    lambda phases, moves: [Move("phase", 1)] * phases + moves,
    st.integers(0, 8),
    st.lists(_plain | _plain | _doubtful, min_size=5, max_size=20),
)
"""Rounds that go well for some phases, then cards are said to lie elsewhere, or to be others."""
claimed_elsewhere = st.builds(
    lambda game, card_source: replace(SETTINGS, game=game, card_source=card_source),
    st.sampled_from(
        sorted(
            name
            for name, game in GAMES.items()
            if any(line.on != "player" and line.on in game.fold_keeps for line in game.lines)
        )
    ),
    st.sampled_from(["shoe", "shuffler"]),
)
"""A table of a game in which a folded player still claims on cards that are not his own."""
