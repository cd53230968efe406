"""A dealer who plays whole rounds by what the display shows, and counts what he presses.

A stroke is a key or a digit: `BET 3` is two, `AMOUNT 3 ante 2500` with the key that ends a number
is eight. Chips and cards are no strokes. Pages are turned as far as a dealer has to read: to the
end of the question, and at settlement from seat to seat.
"""

import re
from collections.abc import Callable, Mapping
from random import Random

from msgspec import Struct

from firmware.devices.panel_keys import event_of
from firmware.devices.panel_pages import Display, prompt_pages
from firmware.rules.cards import CODES
from firmware.rules.dealing import card_order
from firmware.table.effects import ShowPrompt
from firmware.table.settings import TableSettings
from sim.floor.dealer import ends_of_dealing, read_by
from sim.panel.felt import Felt

_PAGE = re.compile(r"(\d+)/(\d+) NEXT")
_ASKED = re.compile(r"(?P<bet>[A-Z]+) or (?P<other>[A-Z]+): seats? (?P<seats>[\d, ]+)")
_SHOW_CARD = "face-up card: UP"
_MOST_KEYS = 400
"""More than any round needs."""


class Counted(Struct):
    """What one round took."""

    strokes: int = 0
    turns: int = 0
    """How many of the strokes turned a page."""
    most_lines: int = 0
    most_pages: int = 0
    widest: int = 0
    """The longest line of a prompt before it is wrapped."""


class Bets(Struct, frozen=True):
    """What the players do in every round: antes, chips, a bonus, and who does not bet on."""

    antes_cents: Mapping[int, int]
    chips: frozenset[int]
    bonus_cents: int = 0
    shows_card: bool = False
    """Whether the dealer says which of his cards lies face up, where the panel offers it."""


def strokes_of(key: str) -> int:
    """Count the strokes of a key: a word is one, a number has its digits, an amount ends.

    A card is two, its rank and its suit.
    """
    words = key.split()
    strokes = sum(len(word) if word.isdecimal() or word in CODES else 1 for word in words)
    return strokes + (words[0] == "AMOUNT")


class PanelDealer:
    """Plays one table by its display."""

    def __init__(self, settings: TableSettings, display: Display, seed: int = 0) -> None:
        self.felt = Felt(settings, display)
        self.felt.on_prompt = self._measure
        self._prompt = ShowPrompt("", ())
        self.counted = Counted()
        self.keys: list[str] = []
        self.on_act: Callable[[str], None] = lambda _what: None
        """Who wants to hear of every key before it is pressed, and of every deal."""
        self._settings = settings
        self._rng = Random(seed)
        answers = settings.rules.answers
        self.has_rest = event_of("KEY REST", 1, 1, answers) is not None
        """Whether one key answers for all seats that have not answered."""

    def play(self, bets: Bets) -> Counted:
        """Play one round, and say what it took."""
        self.counted, self.keys = Counted(), []
        self._dealt = 0
        self._deck = list(CODES)
        self._rng.shuffle(self._deck)
        self._press("OPEN")
        self._bet(bets)
        self._press("CLOSE")
        self._lift(bets)
        stages: Mapping[str, Callable[[Bets], None]] = {
            "dealing": self._deal,
            "deciding": self._decide,
            "revealing": lambda _bets: self._press("REVEAL"),
            "claiming": lambda _bets: self._read_on_and_pay(),
            "settling": lambda _bets: self._read_on_and_pay(),
        }
        while self.felt.code != "idle":
            if len(self.keys) > _MOST_KEYS:
                raise AssertionError(f"the round does not end: {self.felt.rows}")
            stages[self.felt.code](bets)
        return self.counted

    def _press(self, key: str) -> None:
        self.on_act(key)
        self.felt.press(key)
        self.keys.append(key)
        self.counted.strokes += strokes_of(key)

    def _bet(self, bets: Bets) -> None:
        """Place the chips; key only what the table does not assume or remember."""
        for seat in sorted(bets.chips):
            for bet in self._settings.rules.jackpot_bets:
                self.felt.chip(seat, bet, present=True)
        state = self.felt.table.state
        for seat, cents in sorted(bets.antes_cents.items()):
            if self._assumed(seat, in_play=seat in bets.chips) != cents:
                self._press(f"AMOUNT {seat} ante {cents}")
            if bets.bonus_cents:
                player = state.round.seats.get(seat)
                bonus = self._settings.rules.bonus
                assumed = state.round.bonus_by_memory.get(seat)
                keyed = player.stakes.get(bonus.name, assumed) if bonus and player else assumed
                if bonus and keyed != bets.bonus_cents:
                    self._press(f"AMOUNT {seat} {bonus.name} {bets.bonus_cents}")

    def _assumed(self, seat: int, *, in_play: bool) -> int | None:
        """Give the ante that the table has for a seat if nothing is keyed; None if it has none."""
        state = self.felt.table.state
        player = state.round.seats.get(seat)
        if player is not None and "ante" in player.stakes:
            return player.stakes["ante"]
        if not in_play:
            return None
        return state.last_ante_cents.get(seat, self._settings.ante_min_cents)

    def _lift(self, bets: Bets) -> None:
        for seat in sorted(bets.chips):
            for bet in self._settings.rules.jackpot_bets:
                self.felt.chip(seat, bet, present=False)

    def _deal(self, bets: Bets) -> None:
        """Deal until the panel asks for something else; by hand the dealer says when he has."""
        settings, seats = self._settings, sorted(bets.antes_cents)
        if settings.card_source == "manual":
            self._press("DEALT")
            return
        order = card_order(settings.rules, read_by(settings), seats)
        until = next(end for end in ends_of_dealing(settings, seats) if end > self._dealt)
        while self._dealt < until and self.felt.code == "dealing":
            first, count = self._dealt, 1
            if settings.card_source == "shuffler":
                while first + count < until and order[first + count] == order[first]:
                    count += 1
            self.on_act("(deal)")
            self.felt.deal(tuple(self._deck[first : first + count]))
            self._dealt += count

    def _decide(self, bets: Bets) -> None:
        """Answer by exception: one seat does not bet, the others do."""
        if bets.shows_card and any(_SHOW_CARD in line for line in self._prompt.lines):
            self._press(f"UP {self._deck[self._dealt - 1]}")
        while (asked := _ASKED.search(self._read())) is None:
            self._turn()
        seats = [int(seat) for seat in re.findall(r"\d+", asked["seats"])]
        self._press(f"{asked['other']} {seats[0]}")
        if len(seats) > 1 and self.has_rest:
            self._press("REST")
            return
        for seat in seats[1:]:
            self._press(f"{asked['bet']} {seat}")

    def _read_on_and_pay(self) -> None:
        """Turn from seat to seat until the panel says that it was the last, then press PAID."""
        while "PAID" not in self._read():
            self._turn()
        self._press("PAID")

    def _read(self) -> str:
        """Read the page on the display, without the number of the page."""
        rows = self.felt.rows
        return " ".join(rows[:-1] if rows and _PAGE.fullmatch(rows[-1]) else rows)

    def _turn(self) -> None:
        if not (self.felt.rows and _PAGE.fullmatch(self.felt.rows[-1])):
            raise AssertionError(f"the display does not say how to go on: {self.felt.rows}")
        self._press("NEXT")
        self.counted.turns += 1

    def _measure(self, prompt: ShowPrompt) -> None:
        self._prompt = prompt
        display = self.felt.screen.display
        pages = prompt_pages(prompt, display)
        texts = sum(len(page) - (len(pages) > 1) for page in pages)
        self.counted.most_lines = max(self.counted.most_lines, texts)
        self.counted.most_pages = max(self.counted.most_pages, len(pages))
        self.counted.widest = max(self.counted.widest, *map(len, prompt.lines or ("",)))
