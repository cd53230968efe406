"""The form in which a game is described: frozen data that one engine reads.

A description says *what* a document lays down (bets, odds, lines, who is paid
first, which irregularity leads where) and cites the paragraph next to each entry.
*How* a named rule works is in the engine: `settle.py`, `ruling.py`, `award.py`.
The five descriptions are in `games/`; adding a sixth is adding a file there.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct

from firmware.rules.contract import (
    Action,
    Authority,
    IrregularityName,
    Level,
    Option,
    Owner,
)
from firmware.rules.hands import Category

TAKEN_OUT = frozenset({"withdrawn", "invalid"})
"""The decisions of a seat whose hand no longer takes part, in every game."""
LEAVING = frozenset({"fold", "absent", *TAKEN_OUT})
"""The decisions that leave the round, in every game; the one that stays is `Game.stay`."""

Draw = Literal["magic_card", "lucky_seat", "lucky_dealer"]
"""What the system can draw for a round."""

Rules = tuple[str, ...]
"""Paragraphs of the game's document, or an interpretation where it is silent."""


class Wager(Struct, frozen=True, kw_only=True):
    """A bet on the player's hand against the dealer's.

    `odds` pays by the category of the winning hand; a category that is not in it
    is neither paid nor collected. `no_hand_odds` is what it pays when the dealer
    does not qualify; None returns the stake.
    """

    name: str
    rule: str
    odds: Mapping[Category, int]
    antes: int = 1
    no_hand_odds: int | None = None
    cap_cents: int | None = None
    cap_rule: str = ""


class HoleLine(Struct, frozen=True, kw_only=True):
    """A line of the bonus pay table: the player's two hole cards, higher rank first."""

    ranks: frozenset[str]
    odds: int
    suited: bool | None = None
    dealer_too: bool = False


class Bonus(Struct, frozen=True, kw_only=True):
    """A bet on the player's hole cards, whatever else happens in the round."""

    name: str
    rule: str
    lines: tuple[HoleLine, ...]
    cap_cents: int
    cap_rule: str


class JackpotLine(Struct, frozen=True, kw_only=True):
    """A hand that the jackpot pays: a percentage of the meter, an amount, or odds.

    `on` says whose cards; `board` is how many community cards count with them.
    Of the lines on one bet only the first match is paid, so a game lists the highest
    first.
    """

    bet: str
    on: Owner
    tier: str
    category: Category
    level: Level
    rule: str
    percent: int | None = None
    amount_cents: int | None = None
    odds: int | None = None
    board: int = 0


class DrawLine(Struct, frozen=True, kw_only=True):
    """A payout by a draw of the system, on top of any hand: odds on the jackpot bet.

    `drawn_rule` says who qualifies, `rule` what it pays.
    """

    bet: str
    on: Owner
    tier: str
    draw: Draw
    odds: int
    drawn_rule: str
    rule: str


class Step(Struct, frozen=True, kw_only=True):
    """One step of the deal.

    `deal` gives `cards` to each of `to`, `packet` at a time; `burn` discards one;
    `decide` waits for the players' decision on `bet`; `reveal` turns cards up, which
    needs no step of its own if they are dealt face up (`by_deal`): the last card, or
    `any_card` that the dealer likes. `name` is what dealers call these cards.
    """

    kind: Literal["burn", "deal", "decide", "reveal"]
    rule: str
    to: tuple[Literal["seats", "dealer", "community"], ...] = ()
    cards: int = 1
    packet: int = 1
    bet: str = ""
    by_deal: bool = False
    any_card: bool = False
    name: str = ""


class Paragraphs(Struct, frozen=True, kw_only=True):
    """The paragraphs that decide a seat's fate."""

    no_ante: Rules
    jackpot_without_ante: Rules
    fold: Rules
    absent: Rules
    hidden: Rules
    win: Rules
    lose: Rules
    stand_off: Rules
    over_max: Rules
    under_min: Rules
    more_than_allowed: Rules
    less_than_prescribed: Rules
    withdrawn: Rules = ()
    no_hand: Rules = ()


class PaymentOrder(Struct, frozen=True, kw_only=True):
    """Who is paid first: by the time the hand was dealt, or by entry into the system.

    `sharing` has the paragraph for each tier that the winners of one table and round
    share, the highest tier first.
    """

    by: Literal["dealt_at", "entered_at"]
    same_round: str
    across_tables: str
    sharing: Mapping[str, str] = {}


class Case(Struct, frozen=True, kw_only=True):
    """One answer to an irregularity, and the facts under which it is the answer.

    `when` names facts and the values they must have; the first case that matches
    decides. `seats_out` names the seats that an `invalidate` takes out.
    """

    action: Action
    rule: str
    when: Mapping[str, object] = {}
    use_as: Literal["face_up_card", "next_card"] | None = None
    seats_out: Literal["seat", "additional", "unviewed", "all_but_first_dealt"] | None = None
    options: tuple[Option, ...] = ()
    affects: Literal["all", "affected"] | None = None
    authority: Authority | None = None


class Measure(Struct, frozen=True):
    """Something that may be done about a player: by which paragraph, and at whose discretion."""

    rule: str
    authority: Authority | Literal["pit_manager"]


class Game(Struct, frozen=True, kw_only=True, dict=True):
    """A game: everything that its document decides."""

    id: str
    title: str
    version: str
    positions: tuple[int, int]
    """The fewest and the most playing positions of any layout."""
    layouts: Mapping[str, tuple[int, int]] = {}
    """The same for each layout, where the document has several; by the name of its appendix."""

    own_cards: int
    dealer_cards: int
    community_cards: int = 0
    dealer_must_qualify: bool
    qualify_rule: str = ""
    shoe: tuple[Step, ...]
    shuffler: tuple[Step, ...]

    wagers: tuple[Wager, ...]
    """The ante first, then the bet that stays in, then what may follow it."""
    stay: str
    """The decision that stays in the round: the name of the bet that it places."""
    bonus: Bonus | None = None
    jackpot_bets: Mapping[str, Owner]
    jackpot_credits: bool = False
    """Whether a jackpot bet may be several times the prescribed amount."""
    lines: tuple[JackpotLine, ...]
    draws: tuple[DrawLine, ...] = ()

    paragraphs: Paragraphs
    absent: Literal["folded", "returned"]
    hidden: Literal["folded", "loses"]
    """What a hand that is not shown is: folded, or beaten where hands are compared."""
    fold_keeps: frozenset[Owner]
    """Whose cards still win on the jackpot bets of a player who has folded."""
    under_min_again: Literal["settled", "returned"]
    jackpot_bet_back: Literal["at_once", "at_the_end"]
    """When a jackpot bet without an ante, noticed after the close, goes back to the player."""

    payment: PaymentOrder
    irregularities: Mapping[IrregularityName, tuple[Case, ...]]
    impossible: frozenset[IrregularityName]
    silent: Case
    """The answer if the document says nothing: whom to refer to."""
    barring: Measure | None = None
    """Who may bar a player from further play, if the document says it."""
    restricting: Measure | None = None
    """Who may restrict a player to one position, if the document says it."""

    @cached_property
    def bar(self) -> Measure:
        """Who may bar a player: whom the document names, or to whom it refers."""
        return self.barring or self._referred

    @cached_property
    def restrict(self) -> Measure:
        """Who may restrict a player to one position: the same."""
        return self.restricting or self._referred

    @property
    def _referred(self) -> Measure:
        return Measure(self.silent.rule, self.silent.authority or "house")

    @cached_property
    def bets(self) -> tuple[str, ...]:
        """Return the name of every bet on the layout."""
        bonus = (self.bonus.name,) if self.bonus else ()
        wagers = tuple(wager.name for wager in self.wagers)
        return (wagers[0], *bonus, *wagers[1:], *self.jackpot_bets)

    @cached_property
    def bet_names(self) -> frozenset[str]:
        """Return the name of every bet on the layout, for lookup."""
        return frozenset(self.bets)

    @cached_property
    def answers(self) -> frozenset[str]:
        """Return everything that a player may answer when a bet is asked for."""
        asked = {step.bet for step in (*self.shoe, *self.shuffler) if step.kind == "decide"}
        return frozenset({*asked, "check", "fold", "absent"})

    @cached_property
    def lines_on(self) -> Mapping[str, tuple[JackpotLine, ...]]:
        """Group the jackpot lines by the bet that collects them."""
        return {b: tuple(line for line in self.lines if line.bet == b) for b in self.jackpot_bets}

    @cached_property
    def paying_categories(self) -> frozenset[Category | None]:
        """Collect the categories that any jackpot line pays; most hands are in none of them."""
        return frozenset(line.category for line in self.lines)

    @cached_property
    def comparison_rules(self) -> Mapping[str, Rules]:
        """Return the paragraphs behind each comparison of a hand, pay table included."""
        rules = self.paragraphs
        on_win = dict.fromkeys(wager.rule for wager in self.wagers)
        on_no_hand = dict.fromkeys(w.rule for w in self.wagers if w.no_hand_odds is not None)
        return {
            "no_hand": (*rules.no_hand, *on_no_hand),
            "win": (*rules.win, *on_win),
            "lose": rules.lose,
            "stand_off": rules.stand_off,
        }

    @cached_property
    def tiers(self) -> Mapping[str, tuple[JackpotLine | DrawLine, ...]]:
        """Group what the jackpot pays by tier."""
        every: tuple[JackpotLine | DrawLine, ...] = (*self.lines, *self.draws)
        names = dict.fromkeys([line.tier for line in every])
        return {name: tuple(line for line in every if line.tier == name) for name in names}
