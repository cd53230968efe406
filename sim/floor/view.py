"""The floor in the terminal: what somebody standing on it would see.

Lamps are drawn as the firmware drives them, cards once they are face up, the dealer's
prompt and the sign as the devices received them, and what passes over the link.
"""

import re
from io import StringIO
from pathlib import Path

from rich.columns import Columns
from rich.console import Console, ConsoleDimensions, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware.journal.regular_files import write_text
from firmware.rules.cards import pretty
from firmware.rules.words import hand_words, money, spaced
from sim.floor.dealer import Dealer, PlannedRound
from sim.floor.floor import Floor

_PICTURE = (202, 34)
_TABLE_WIDTH = 66
_PROMPT_LINES = 14
_MESSAGES = 9
_TALL = 32
_HEADING_LINES = 2
_FRAME_LINES = 2
_MESSAGE_WIDTH = 150


def floor_view(floor: Floor, size: ConsoleDimensions) -> RenderableType:
    """Draw the whole floor, in as many lines as the terminal has."""
    across = max(1, size.width // _TABLE_WIDTH)
    rows = -(-len(floor.dealers) // across)
    messages = _MESSAGES if size.height > _TALL else 0
    left = size.height - _HEADING_LINES - messages - _FRAME_LINES
    prompt_lines = max(1, min(_PROMPT_LINES, left // rows - _FRAME_LINES - _seat_lines(floor)))
    tables = Columns([_table_panel(dealer, prompt_lines) for dealer in floor.dealers])
    below = [_messages(floor, messages)] if messages else []
    return Group(_heading(floor), tables, *below)


def round_line(dealer: Dealer) -> str:
    """Return a line about the round that a dealer has just finished."""
    meter = dealer.hardware.screen.meter_cents
    shown = "unknown" if meter is None else money(meter)
    name = dealer.hardware.settings.name
    return f"{name}: round {dealer.rounds_played} is paid, the jackpot stands at {shown}"


def has_hands_up(floor: Floor) -> bool:
    """Return whether there is something to see: most hands of most tables are face up."""
    return sum(dealer.face_up is not None for dealer in floor.dealers) > len(floor.dealers) // 2


def save_picture(floor: Floor, path: Path) -> None:
    """Save the floor as a self-contained SVG."""
    console = Console(record=True, file=StringIO(), width=_PICTURE[0], height=_PICTURE[1])
    console.print(floor_view(floor, ConsoleDimensions(*_PICTURE)))
    svg = console.export_svg(title="underfelt-sim floor")
    # The fonts that rich would load from a server are left out; any monospace font will do.
    write_text(path, re.sub(r"@font-face\s*{[^}]*}", "", svg))


def _seat_lines(floor: Floor) -> int:
    return floor.settings.seats + 2  # the seats, the dealer and the sign


def _heading(floor: Floor) -> RenderableType:
    meters = [table.screen.meter_cents for table in floor.tables]
    known = [meter for meter in meters if meter is not None]
    rounds = sum(dealer.rounds_played for dealer in floor.dealers)
    text = Text("Progressive jackpot  ", style="bold")
    text.append(money(known[-1]) if known else "waiting for the meter", style="bold yellow")
    text.append(f"   seed {floor.settings.seed}, {rounds} rounds played, Ctrl-C ends", style="dim")
    return text


def _table_panel(dealer: Dealer, prompt_lines: int) -> RenderableType:
    hardware, screen = dealer.hardware, dealer.hardware.screen
    seats = Table.grid(padding=(0, 1))
    for seat in range(1, hardware.settings.seats + 1):
        bets = hardware.settings.rules.jackpot_bets
        light = Text()
        for bet in bets:
            lit = hardware.lamps[seat, bet].lit
            light.append("●" if lit else "○", style="bright_red" if lit else "dim")
        pattern = " ".join(spaced(hardware.lamp_pattern(seat, bet)) for bet in bets)
        seats.add_row(
            f"seat {seat}", light, Text(f"{pattern:<12}", style="dim"), _hand(dealer, seat)
        )
    seats.add_row("dealer", " ", " ", _dealer_hand(dealer))
    prompt = list(screen.lines[:prompt_lines])
    prompt += [""] * (prompt_lines - len(prompt))
    sign = Text(f"sign: {screen.sign}", style="yellow", no_wrap=True, overflow="ellipsis")
    lines = [Text(line, style="cyan", no_wrap=True, overflow="ellipsis") for line in prompt]
    title = f"{hardware.settings.name}  {screen.code or 'starting'}"
    return Panel(Group(seats, sign, *lines), title=title, width=_TABLE_WIDTH)


def _hand(dealer: Dealer, seat: int) -> Text:
    plan = dealer.face_up
    if plan is None or seat not in plan.hands:
        return Text("")
    folded = "" if plan.stays[seat] else "  folded"
    return _one_line(f"{_cards_words(plan.hands[seat], plan)}{folded}")


def _dealer_hand(dealer: Dealer) -> Text:
    plan = dealer.face_up
    return _one_line("" if plan is None else _cards_words(plan.dealer, plan))


def _cards_words(cards: tuple[str, ...], plan: PlannedRound) -> str:
    """Return a hand in words, without its kickers, which are shown beside it anyway."""
    words = hand_words((*cards, *plan.community)).partition(", then")[0]
    return f"{pretty(cards)}  {words}"


def _one_line(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ellipsis")


def _messages(floor: Floor, count: int) -> RenderableType:
    shown = [(topic, text) for topic, text in floor.messages if "status" not in topic]
    lines = [
        Text(f"{topic:<18} {text[:_MESSAGE_WIDTH]}", no_wrap=True, overflow="ellipsis", style="dim")
        for topic, text in shown[-count:]
    ]
    return Panel(Group(*lines, *[Text("")] * (count - len(lines))), title="jackpot link")
