"""How many strokes and lines a round takes a dealer: `make strokes` prints the table.

The second round of a table is counted, so that what can be remembered is.
"""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from firmware.devices.panel_pages import SMALLEST, USUAL, Display
from firmware.table.settings import CardSource, TableSettings
from sim.panel.player import Bets, Counted, PanelDealer

GAMES = {
    "stud": "rws-multilink-stud",
    "hold'em": "rws-holdem",
    "Singapore": "mbs-singapore-stud",
}
SOURCES: tuple[CardSource, ...] = ("shoe", "shuffler", "manual")
SEATS = (5, 7)
DISPLAYS = (SMALLEST, USUAL)
_MIN_CENTS = 2_500


def settings_of(game: str, source: CardSource, seats: int) -> TableSettings:
    """Set a table up for counting."""
    return TableSettings(
        name="T1",
        game=game,
        seats=seats,
        ante_min_cents=_MIN_CENTS,
        ante_max_cents=100_000,
        jackpot_bet_cents=500,
        card_source=source,
    )


def minimum(settings: TableSettings) -> Bets:
    """Let every seat bet the minimum, with a chip on the jackpot."""
    seats = range(1, settings.seats + 1)
    return Bets(dict.fromkeys(seats, _MIN_CENTS), frozenset(seats))


def other(settings: TableSettings) -> Bets:
    """Let every seat bet another ante, one of them without a chip."""
    seats = range(1, settings.seats + 1)
    return Bets({seat: _MIN_CENTS * (seat + 1) for seat in seats}, frozenset(seats) - {2})


def with_bonus(settings: TableSettings) -> Bets:
    """Let every seat bet on the bonus too, where the game has one."""
    return replace(other(settings), bonus_cents=_MIN_CENTS if settings.rules.bonus else 0)


def with_card_shown(settings: TableSettings) -> Bets:
    """Let the dealer say which of his cards lies face up, where the table cannot know it."""
    return replace(minimum(settings), shows_card=True)


def second_round(settings: TableSettings, display: Display, bets: Bets) -> Counted:
    """Play two rounds with the same bets, and count the second."""
    dealer = PanelDealer(settings, display)
    dealer.play(bets)
    return dealer.play(bets)


HEADINGS = (
    "game",
    "cards from",
    "seats",
    "display",
    "strokes, minimum antes",
    "strokes, other antes, a seat without a chip",
    "with a bonus on every seat",
    "with UP",
    "of these NEXT",
    "most lines",
    "most pages",
    "widest line",
)


def lines() -> Iterator[str]:
    """Write the table."""
    yield f"| {' | '.join(HEADINGS)} |"
    yield "|---" * len(HEADINGS) + "|"
    for words, source, seats, display in product(GAMES, SOURCES, SEATS, DISPLAYS):
        settings = settings_of(GAMES[words], source, seats)
        least = second_round(settings, display, minimum(settings))
        others = second_round(settings, display, other(settings))
        most = second_round(settings, display, with_bonus(settings))
        shown = second_round(settings, display, with_card_shown(settings))
        cells = (
            words,
            "by hand" if source == "manual" else source,
            seats,
            display,
            least.strokes,
            others.strokes,
            most.strokes if settings.rules.bonus else "–",
            shown.strokes if shown.strokes > least.strokes else "–",
            most.turns,
            most.most_lines,
            most.most_pages,
            most.widest,
        )
        yield f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    print("\n".join(lines()))
