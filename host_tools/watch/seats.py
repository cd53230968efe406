"""The seats of a table as lines: one for each seat, in as many columns as there is room for.

Pure: a `PublicTable` and a width in, lines out. Where the room is short, columns are left out in
a fixed order, those that are empty first; a stake is left out last, and none is cut. What stands above
and below the seats is in `view.py`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from firmware.rules.cards import CODES, pretty
from firmware.rules.games import GAMES
from firmware.rules.words import hand_words, money, spaced
from firmware.table.public import PublicSeat, PublicTable
from host_tools.spot_board_gone import why_gone

LAMPS = {
    "off": ("○", "dim"),
    "slow_blink": ("◔", "cyan"),
    "quick_blink": ("◑", "yellow"),
    "steady": ("●", "green"),
    "flutter": ("★", "bold magenta"),
    "double_blink": ("▲", "bold red"),
}
_RED = ("♥", "♦")
_WHOLE_HANDS = (5, 6, 7)
"""So many cards have a rank in words."""


class Column(Struct, frozen=True):
    """One column: its heading, that heading where the room is short, and a cell for each seat."""

    heading: str
    short: str
    cells: tuple[Text, ...]

    @property
    def is_empty(self) -> bool:
        """Whether no seat has anything in it."""
        return not any(cell.plain.strip(" ·") for cell in self.cells)

    def width(self, *, short: bool) -> int:
        """Return how wide it is."""
        heading = self.short if short else self.heading
        return max(cell_len(text) for text in (heading, *(cell.plain for cell in self.cells)))


class _Layout(Struct, frozen=True):
    """The columns that are shown, and how."""

    columns: tuple[Column, ...]
    gap: int
    short: bool = False

    @property
    def width(self) -> int:
        widths = [column.width(short=self.short) for column in self.columns]
        return sum(widths) + self.gap * (len(widths) - 1)


def seat_lines(table: PublicTable, width: int) -> list[Text]:
    """Draw the seats of a table: the headings, then a line for each seat."""
    layouts = list(_narrower_and_narrower(table))
    layout = next((each for each in layouts if each.width <= width), layouts[-1])
    widths = [column.width(short=layout.short) for column in layout.columns]
    headings = [column.short if layout.short else column.heading for column in layout.columns]
    rows = [[Text(heading, style="dim") for heading in headings]]
    rows += [
        [column.cells[place] for column in layout.columns] for place in range(len(table.seats))
    ]
    return [_row(cells, widths, layout.gap) for cells in rows]


def _row(cells: Sequence[Text], widths: Sequence[int], gap: int) -> Text:
    line = Text(no_wrap=True, overflow="ellipsis")
    for cell, width in zip(cells, widths, strict=True):
        line.append_text(cell)
        line.append(" " * (width - cell.cell_len + gap))
    line.rstrip()
    return line


def _narrower_and_narrower(table: PublicTable) -> Iterator[_Layout]:
    """List the ways to draw the seats, the widest first."""
    seats, placed = table.seats, _placed(table)
    first = (_column(seats, "seat", lambda seat: Text(str(seat.seat)), short="#"),)
    # What the lamps of a board that is gone do is not seen; its chips are drawn as it told them last.
    lamps = (_column(seats, "lamp", _unknown_lamps if why_gone(table) else _lamps),)
    chips = (_column(seats, "chip", _chips),)
    every = tuple(_stakes(table, bet) for bet in _bets_of(table))
    staked = tuple(_stakes(table, bet) for bet in placed)
    plays = (_column(seats, "plays", lambda seat: Text(spaced(seat.decision)), short=""),)
    cards = (_column(seats, "cards", lambda seat: faces(seat.cards), short=""),)
    words = (_column(seats, "", lambda seat: Text(rank_words(seat.cards, table), "dim")),)
    yield _Layout((*first, *lamps, *chips, *every, *plays, *cards, *words), 2)
    shown = (*first, *lamps, *chips, *staked, *plays, *cards)
    yield _Layout((*shown, *words), 2)
    yield _Layout((*shown, *words), 1)
    yield _Layout(shown, 2)
    yield _Layout(shown, 1)
    filled = tuple(column for column in shown if not column.is_empty or column in staked)
    yield _Layout(filled, 1)
    yield _Layout(filled, 1, short=True)
    yield _Layout((*first, *lamps, *staked, *plays, *cards), 1, short=True)
    yield _Layout((*first, *lamps, *staked, *cards), 1, short=True)
    yield _Layout((*first, *lamps, *staked), 1, short=True)
    # Rather what it comes to than half of it.
    total = (_column(seats, "staked", lambda seat: _total(seat, table)),)
    yield _Layout((*first, *lamps, *total), 1, short=True)
    yield _Layout((*first, *lamps), 1, short=True)


def _column(
    seats: Iterable[PublicSeat],
    heading: str,
    cell: Callable[[PublicSeat], Text],
    short: str | None = None,
) -> Column:
    return Column(heading, heading if short is None else short, tuple(map(cell, seats)))


def _placed(table: PublicTable) -> list[str]:
    """List the bets that somebody has placed, in the order of the game."""
    placed = dict.fromkeys(bet for seat in table.seats for bet in seat.stakes)
    known = _bets_of(table)
    return sorted(placed, key=lambda bet: known.index(bet) if bet in known else len(known))


def _bets_of(table: PublicTable) -> list[str]:
    """List the bets of the game; those of a game that this tool does not know as they come."""
    game = GAMES.get(table.game)
    if game is None:
        return list(dict.fromkeys(bet for seat in table.seats for bet in seat.stakes))
    bonus = [game.bonus.name] if game.bonus else []
    return [game.wagers[0].name, *bonus, *(w.name for w in game.wagers[1:]), *game.jackpot_bets]


def _stakes(table: PublicTable, bet: str) -> Column:
    words = spaced(bet)

    def cell(seat: PublicSeat) -> Text:
        return _amount(seat.stakes.get(bet, 0), table)

    return _column(table.seats, words, cell, short=words.rpartition(" ")[2])


def _total(seat: PublicSeat, table: PublicTable) -> Text:
    return _amount(sum(seat.stakes.values()), table)


def _amount(cents: int, table: PublicTable) -> Text:
    return Text(money(cents, table.currency).removesuffix(".00") if cents else "")


def _lamps(seat: PublicSeat) -> Text:
    return Text(" ").join(Text(*LAMPS[pattern]) for pattern in seat.lamps.values())


def _unknown_lamps(seat: PublicSeat) -> Text:
    return Text(" ").join(Text("?", "dim") for _ in seat.lamps)


def _chips(seat: PublicSeat) -> Text:
    return Text(" ".join("◉" if bet in seat.chips else "·" for bet in seat.lamps))


def faces(cards: Iterable[str]) -> Text:
    """Draw cards that lie face up."""
    line = Text()
    for card in cards:
        face = pretty([card]) if card in CODES else card
        line.append(f" {face}" if line else face, style="red" if face.endswith(_RED) else "")
    return line


def rank_words(cards: Sequence[str], table: PublicTable) -> str:
    """Return what a hand is, without its kickers, which stand beside it; nothing if it is none."""
    hand = {*cards, *table.community}
    if not cards or len(hand) not in _WHOLE_HANDS or not hand <= CODES.keys():
        return ""
    return hand_words(sorted(hand)).partition(", then")[0]
