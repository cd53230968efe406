"""How a table looks, in whatever room there is: what everyone at it may see, as lines of text.

`underfelt watch` and the simulator's floor draw their tables with it. Pure: a `PublicTable` in,
something that rich can draw out. The line of a seat is in `seats.py`, how several tables share a
screen in `arrangement.py`; nothing here reads a table.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Group
from rich.text import Text

from firmware.rules.games import GAMES
from firmware.rules.words import counted, money, spaced
from firmware.table.public import PublicClaim, PublicTable
from host_tools.watch.fitting import fault_ways
from host_tools.watch.seats import faces, rank_words, seat_lines

_MOST_NEWS = 6
_LABEL = 8
_SEAT = re.compile(r"Seat \d+\b")
_WHOLE_SEAT = re.compile(r"Seat \d+:")


class TableView(Struct, frozen=True):
    """One table in a live view: its latest state, or why there is none, and its news."""

    target: str
    table: PublicTable | None = None
    problem: str = "connecting …"
    news: tuple[str, ...] = ()
    lost_at: str = ""
    """The time of day at which it was found not to answer, until it does again."""
    by_devices: bool = False
    """Whether it is only known what the devices show, and so not how the link is."""


def news(before: PublicTable | None, after: PublicTable) -> list[str]:
    """Return, in words, the changes worth remembering."""
    if before is None:
        return [f"{spaced(after.phase)}, round {after.round}"]
    told = []
    if before.phase != after.phase:
        told.append(f"round {after.round}: {spaced(after.phase)}")
    if before.link_healthy != after.link_healthy:
        told.append("link up" if after.link_healthy else f"link down: {after.link_problem}")
    told += [f"fault: {fault}" for fault in after.faults if fault not in before.faults]
    told += [f"over: {fault.split(':')[0]}" for fault in before.faults if fault not in after.faults]
    told += [_claim(after, claim) for claim in after.claims if claim not in before.claims]
    if before.owed < after.owed:
        told.append(f"owed to the jackpot controller: {after.owed}")
    elif before.owed and not after.owed:
        told.append("everything is acknowledged")
    return told


def heading(seen: TableView) -> Text:
    """Return the title of a table's panel."""
    table = seen.table
    if table is None:
        return Text(seen.target, style="bold")
    return Text.assemble((table.name, "bold"), f" · {game_title(table.game)} · ", seen.target)


def game_title(game: str) -> str:
    """Return what people call a game; one that this tool does not know has only its name."""
    return GAMES[game].title if game in GAMES else game


def meter_words(table: PublicTable) -> str:
    """Return the meter as it is displayed."""
    if table.meter_cents is None:
        return "meter unknown"
    return money(table.meter_cents, table.currency)


def body(seen: TableView, width: int, height: int) -> Group:
    """Draw a table in so many columns and lines.

    Phase, meter, seats, panel and sign are always there; the panel's lines move together where
    the room is short. Then come faults, claims and, where there is still room, the news.
    """
    table = seen.table
    if table is None:
        return Group(*_plain(wrap(seen.problem, max(width, 1)), "red")[:height])
    if seen.problem:
        return _as_it_was(seen, table, width, height)
    fixed = [*_status(table, seen, width), *seat_lines(table, width), _cards(table, width)]
    sign = _labelled("sign", [table.sign], width, "yellow")
    room = height - len(fixed) - len(sign)
    faults = _faults(table.faults, width, max(1, room // 2))
    panel = _panel(table.prompt, width, max(1, room - len(faults)))
    shown = [*fixed, *panel, *sign, *faults]
    if len(shown) > height:
        # The seats come last where not all of it has room: a fault must be seen.
        status = len(_status(table, seen, width))
        return _from_the_top([*shown[:status], *faults, *panel, *sign, *fixed[status:]], height)
    for more in (
        _labelled("claim", [_claim(table, claim) for claim in table.claims], width, "magenta"),
        _labelled("pending", table.pending, width, "magenta"),
    ):
        shown += more if len(more) <= height - len(shown) else []
    shown += _news(seen.news, width, height - len(shown))
    return Group(*shown[: max(height, 1)])


def _from_the_top(lines: Sequence[Text], height: int) -> Group:
    """Draw as many lines as there is room for, and say that there are more."""
    more = _plain(["… make the window larger"], "dim") if height > 1 else []
    return Group(*lines[: max(height, 1) - len(more)], *more)


def _faults(faults: Sequence[str], width: int, room: int) -> list[Text]:
    """Draw the faults: in full, else only what they are, else their numbers; none is cut."""
    ways = [list(each) for each in zip(*map(fault_ways, faults), strict=True)]
    for lines in (*ways, [", ".join(ways[-1])] if ways else []):
        drawn = _labelled("FAULT", lines, width, "bold red")
        if len(drawn) <= room:
            return drawn
    return _labelled("FAULT", [counted(len(faults), "fault")], width, "bold red")[:room]


def _as_it_was(seen: TableView, table: PublicTable, width: int, height: int) -> Group:
    """Draw a table that does not answer: that first, then dim how it was last seen."""
    since = f" since {seen.lost_at}" if seen.lost_at else ""
    why = seen.problem.removeprefix(f"{seen.target}: ")
    first = _plain(wrap(f"NOT CONNECTED{since}: {why}", max(width, 1)), "bold red")[:height]
    # Without phase and link, which it may have left long ago.
    gone = len(_status(table, seen, width))
    left = height - len(first)
    live = body(replace(seen, problem=""), width, left + gone).renderables[gone:]
    was = [line.plain for line in live if isinstance(line, Text)]
    return Group(*first, *_plain(was[: max(0, left)], "dim"))


def _status(table: PublicTable, seen: TableView, width: int) -> list[Text]:
    """Draw phase, round, meter and link: on one line, or on two if the link has a problem."""
    link = Text("" if seen.by_devices else "link up", "green")
    if not table.link_healthy:
        link = Text(f"link: {table.link_problem}", "bold red")
    if table.owed:
        link.append(f", {table.owed} owed", "yellow")
    first = Text.assemble(
        (f"{spaced(table.phase)}  ", "bold yellow"),
        f"round {table.round}   ",
        (meter_words(table), "bold green"),
    )
    if first.cell_len + link.cell_len + 3 <= width:
        return [first.append("   ").append_text(link)]
    meter = [first]
    if first.cell_len > width:
        # The meter is never broken.
        meter = [
            *_plain(
                wrap(f"{spaced(table.phase)} round {table.round}", max(width, 1)), "bold yellow"
            ),
            *_plain([meter_words(table)], "bold green"),
        ]
    return [*meter, *_plain(wrap(link.plain, max(width, 1)), "bold red")]


def _cards(table: PublicTable, width: int) -> Text:
    """Draw the dealer's cards and the community cards on one line; in words if there is room."""
    words = rank_words(table.dealer, table)
    lines = [_cards_line(table, said) for said in dict.fromkeys((words, ""))]
    return next((line for line in lines if line.cell_len <= width), lines[-1])


def _cards_line(table: PublicTable, words: str) -> Text:
    line = Text.assemble((f"{'dealer':{_LABEL}}", "dim"), no_wrap=True, overflow="ellipsis")
    line.append_text(faces(table.dealer) if table.dealer else Text("–", "dim"))
    line.append(f"  {words}" if words else "", "dim")
    if table.community:
        line.append("   board  ", "dim").append_text(faces(table.community))
    return line


def _panel(prompt: Sequence[str], width: int, room: int) -> list[Text]:
    """Draw the dealer's prompt: line by line, else run together, else what it comes to.

    Where even that has no room, its first sentences and its last: each whole, since it tells of money.
    """
    summed_up = _summed_up(prompt)
    for lines in (prompt, _by_seat(prompt), [" · ".join(prompt)], summed_up, _by_seat(summed_up)):
        drawn = [text for line in lines for text in _labelled("", [line], width, _weight(line))]
        if len(drawn) <= room:
            return _with_label("panel", drawn)
    drawn = _labelled("panel", [" · ".join(summed_up)], width, "bold")
    for left in range(len(summed_up) - 2, -1, -1):
        if len(drawn) <= room:
            break
        said = " · ".join([*summed_up[:left], f"… {prompt[-1]}"])
        drawn = _labelled("panel", [said], width, "bold")
    return drawn


def _weight(line: str) -> str:
    """Make what is said bet by bet of a seat lighter than what it comes to."""
    return "" if _SEAT.match(line) and not _WHOLE_SEAT.match(line) else "bold"


def _summed_up(prompt: Sequence[str]) -> list[str]:
    """Leave out what is said bet by bet of a seat for which it is also said as a whole."""
    whole = {match[0] for line in prompt if (match := _WHOLE_SEAT.match(line))}
    return [
        line
        for line in prompt
        if _WHOLE_SEAT.match(line) or f"{(_SEAT.match(line) or [''])[0]}:" not in whole
    ]


def _by_seat(prompt: Sequence[str]) -> list[str]:
    """Run together what the panel says of one seat."""
    grouped = groupby(prompt, lambda line: (_SEAT.match(line) or [line])[0])
    return [" · ".join(lines) for _, lines in grouped]


def _news(told: Sequence[str], width: int, room: int) -> list[Text]:
    drawn: list[Text] = []
    for sentence in reversed(told[-_MOST_NEWS:]):
        lines = _labelled("", [sentence], width, "dim")
        if len(drawn) + len(lines) > room:
            break
        drawn = [*lines, *drawn]
    return _with_label("news", drawn)


def _labelled(label: str, lines: Iterable[str], width: int, style: str) -> list[Text]:
    """Draw lines beside their label, wrapped."""
    wide = max(width - _LABEL, 1)
    wrapped = [part for line in lines for part in wrap(line, wide) or [""]]
    drawn = [Text(" " * _LABEL, no_wrap=True, overflow="ellipsis") for _ in wrapped]
    return _with_label(label, [a.append(b, style) for a, b in zip(drawn, wrapped, strict=True)])


def _with_label(label: str, lines: list[Text]) -> list[Text]:
    if lines:
        rest = lines[0][_LABEL:]
        style = "bold red" if label == "FAULT" else "dim"
        lines[0] = Text.assemble((f"{label:{_LABEL}}", style), rest, no_wrap=True)
        lines[0].overflow = "ellipsis"
    return lines


def _plain(lines: Iterable[str], style: str) -> list[Text]:
    return [Text(line, style, no_wrap=True, overflow="ellipsis") for line in lines]


def _claim(table: PublicTable, claim: PublicClaim) -> str:
    cents = claim.amount_cents
    amount = "pending" if cents is None else f"pay {money(cents, table.currency)}"
    return f"seat {claim.seat}: {claim.words}: {amount}"
