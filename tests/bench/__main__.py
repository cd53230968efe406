"""Runs every measurement and prints it beside its goal or floor: `python -m tests.bench`."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from firmware.devices.sensing import DEBOUNCE_MS
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.spot_board.interpreter import here
from tests.bench import (
    commands,
    crossings,
    journal,
    link_close,
    ranking,
    settling,
    spots,
    starting,
    stepping,
    table_close,
    table_coin,
    table_frame,
    table_idle,
    table_start,
)
from tests.bench.clock import race

GOAL_FIVE = 1.8
GOAL_SEVEN = 10.0
GOAL_SETTLE = 1.0
GOAL_APPEND = 1.3
GOAL_ACKNOWLEDGED = 1.3
GOAL_IDLE = 0.01
GOAL_START_S = 0.2

console = Console(highlight=False)


def main() -> None:
    """Print the whole report."""
    with TemporaryDirectory(prefix="underfelt-bench-") as folder:
        # Processes find their modules compiled, as on a Pi, whatever is set here.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
        report_rules()
        report_steps()
        report_journal(Path(folder))
        report_table(Path(folder))


def report_rules() -> None:
    """Print how fast the rules core is."""
    five = race(ranking.contenders(5))
    treys = min(("treys evaluate", "treys _five"), key=lambda name: five[name])
    report("Five cards ranked", five, "Underfelt five_strength", GOAL_FIVE, treys)
    seven = race(ranking.contenders(7))
    report("Seven cards ranked", seven, "Underfelt strength", GOAL_SEVEN, "treys evaluate")
    rounds = race(settling.contenders())
    report("A stud round of five seats", rounds, "Underfelt settles", GOAL_SETTLE, "PokerKit ranks")
    report_start()
    report_commands()


def report_steps() -> None:
    """Print how fast the pure table is, and how many files one event crosses in it."""
    each = race(stepping.contenders())
    table = _table("One event of a round", "µs each", "each second", "× the floor")
    for name, seconds in sorted(each.items(), key=lambda item: item[1]):
        ratio = f"{seconds / each[stepping.FLOOR]:.2f}"
        table.add_row(name, f"{seconds * 1e6:,.2f}", f"{1 / seconds:,.0f}", ratio)
    console.print(table, "", crossings.crossings_table(), "")


def report(title: str, times: dict[str, float], ours: str, goal: float, base: str) -> None:
    """Print contenders from fastest to slowest, and whether ours beats the base by the goal."""
    table = _table(title, "µs each", "each second", f"× {base}")
    for name, seconds in sorted(times.items(), key=lambda item: item[1]):
        ratio = f"{times[base] / seconds:.2f}"
        table.add_row(name, f"{seconds * 1e6:,.3f}", f"{1 / seconds:,.0f}", ratio)
    console.print(table)
    reached = times[base] / times[ours]
    met = "[green]met[/]" if reached > goal else "[red]missed[/]"
    console.print(f"goal: {ours} above {goal:g} × {base}; {reached:.2f} × is {met}\n")


def report_start() -> None:
    """Print what a fresh process costs, and how much of it is ours."""
    table = _table("A process that imports", "ms", "MB", "ms above python", "MB above python")
    costs = starting.costs()
    floor_time, floor_size = costs["python alone"]
    for name, (seconds, size) in costs.items():
        figures = (
            seconds * 1e3,
            size / 1e6,
            (seconds - floor_time) * 1e3,
            (size - floor_size) / 1e6,
        )
        table.add_row(name, *(f"{figure:.1f}" for figure in figures))
    console.print(table, "")


def report_commands() -> None:
    """Print what each command costs before it does anything, beside a bare typer program."""
    table = _table("A command that only says", "ms of processor", f"× {commands.BARE}")
    costs = commands.costs()
    for name, seconds in costs.items():
        table.add_row(name, f"{seconds * 1e3:.0f}", f"{seconds / costs[commands.BARE]:.2f}")
    console.print(table)
    slowest = max(costs["underfelt --help"], costs["underfelt --version"])
    met = "[green]met[/]" if slowest < GOAL_START_S else "[red]missed[/]"
    console.print(f"goal: underfelt below {GOAL_START_S:g} s; {slowest:.2f} s is {met}\n")


def report_journal(folder: Path) -> None:
    """Print what an event costs on its way to the disk, and a start from a long journal."""
    (step,) = race({"step": journal.steps()}).values()
    console.print(f"{1 / step:,.0f} steps each second without a disk\n")
    (folder / "appends").mkdir()
    found = journal.appends(folder / "appends")
    bare = "bare write and fdatasync"
    rows = {
        bare: [each.bare for each in found],
        "Underfelt, step and append": [each.stepped + each.appended for each in found],
        "of it the step": [each.stepped for each in found],
        "of it the append": [each.appended for each in found],
    }
    _report_latencies("An event to the disk", rows, bare)
    reached = median(rows["Underfelt, step and append"]) / median(rows[bare])
    met = "[green]met[/]" if reached <= GOAL_APPEND else "[red]missed[/]"
    console.print(f"goal: at most {GOAL_APPEND:g} × {bare}; {reached:.2f} × is {met}\n")
    for count in (journal.RECORDS // 100, journal.RECORDS):
        records = journal.built(folder / f"records{count}", count)
        report_starts(folder / f"records{count}", records)


def report_starts(folder: Path, records: int) -> None:
    """Print how long a table takes to recover, beside reading the newest segment."""
    found = journal.starts(folder, records)
    read = "newest segment, read and verified"
    rows = {
        read: [each.read for each in found],
        "Underfelt, table recovered": [each.fold for each in found],
        "newest segment, its bytes alone": [each.bytes_alone for each in found],
    }
    _report_latencies(f"A start from {records:,} records", rows, read)


def report_table(folder: Path) -> None:
    """Print what a table process costs and how quickly it answers, over its libraries."""
    report_table_start(folder / "start")
    report_idle(folder / "idle")
    report_frame()
    report_coin(folder / "coin")
    report_spots(folder / "spots")
    report_close("the embedded broker", folder / "embedded", EmbeddedBroker)
    if mosquitto_path() is None:
        console.print("Mosquitto is not installed: bets were closed on the embedded broker only")
    else:
        report_close("Mosquitto", folder / "mosquitto", Mosquitto)
        report_link(folder / "link", Mosquitto)


def report_table_start(folder: Path) -> None:
    """Print the start of a table process, and what of it are libraries and imports."""
    folder.mkdir()
    table = _table("A process, from its spawning", "median ms", "MB", "× libraries, ms", "× MB")
    costs = asyncio.run(table_start.costs(folder))
    medians = {
        name: (median(cost.seconds for cost in found), median(c.resident_bytes for c in found))
        for name, found in costs.items()
    }
    floor_time, floor_size = medians[table_start.LIBRARIES]
    for name, (seconds, size) in medians.items():
        ratios = f"{seconds / floor_time:.2f}", f"{size / floor_size:.2f}"
        table.add_row(name, f"{seconds * 1e3:.1f}", f"{size / 1e6:.1f}", *ratios)
    console.print(table, "")


def report_idle(folder: Path) -> None:
    """Print what a table takes of a core while nothing happens."""
    table = _table("A table that waits", "% of a core", f"goal below {GOAL_IDLE:.0%}")
    for name, share in asyncio.run(table_idle.shares(folder)).items():
        met = "[green]met[/]" if share < GOAL_IDLE else "[red]missed[/]"
        table.add_row(name, f"{share * 100:.2f}", met)
    console.print(table, "")


def report_frame() -> None:
    """Print how long a frame takes from the line to its event."""
    title, base = "A card's frame to its event", table_frame.BARE
    table = _table(title, "median µs", "99 of 100 below", f"× {base}, median", "× 99 of 100")
    found = asyncio.run(table_frame.latencies())
    figures = {name: (median(each), quantiles(each, n=100)[-1]) for name, each in found.items()}
    for name, (middle, high) in figures.items():
        ratios = [middle / figures[base][0], high / figures[base][1]]
        times = [middle * 1e6, high * 1e6]
        table.add_row(name, *(f"{figure:.1f}" for figure in times), *(f"{r:.2f}" for r in ratios))
    console.print(table, "")


def report_coin(folder: Path) -> None:
    """Print how long a coin takes from the pin until it is seen."""
    bare, lamp, prompt, append = zip(*asyncio.run(table_coin.sightings(folder)), strict=True)
    debounce_s = DEBOUNCE_MS / 1000
    rows = {
        "gpiozero alone": bare,
        "Underfelt, coin to lamp": lamp,
        "Underfelt, coin to prompt": prompt,
        "of it debouncing, DEBOUNCE_MS": [debounce_s] * len(lamp),
        "coin to lamp without that": [seconds - debounce_s for seconds in lamp],
        "of it a line to the disk": append,
    }
    _report_latencies("A coin, with bets open", rows, "gpiozero alone")


def report_spots(folder: Path) -> None:
    """Print what a spot costs on a spot board, beside one on pins, and what the board has left."""
    if here() is None:
        console.print("MicroPython is not to be had: no spot board was measured\n")
        return
    found = spots.latencies(folder)
    events = {f"sensor to event, {name}": [t.event for t in each] for name, each in found.items()}
    lamps = {f"command to lamp, {name}": [t.lamp for t in each] for name, each in found.items()}
    _report_latencies("A sensor's edge, debounced", events, next(iter(events)))
    _report_latencies("A lamp", lamps, next(iter(lamps)))
    console.print(f"{spots.heap_free_bytes():,} bytes of the spot board's heap stay free\n")


def report_close(where: str, folder: Path, broker: type[Broker]) -> None:
    """Print how long the jackpot controller's acknowledgement takes after CLOSE."""
    found = asyncio.run(table_close.confirmations(folder, broker))
    bare, asked, confirmed, append = zip(*found, strict=True)
    rows = {
        "aiomqtt alone": bare,
        "Underfelt, CLOSE to confirmed": confirmed,
        "of it CLOSE to its prompt": asked,
        "of it two lines to the disk": [2 * seconds for seconds in append],
    }
    title = f"Bets closed, one contribution, {where}"
    _report_latencies(title, rows, "aiomqtt alone")


def report_link(folder: Path, broker: type[Broker]) -> None:
    """Print how long an acknowledgement takes, beside what no link can do without."""
    acknowledged, round_trip, two_syncs = zip(
        *asyncio.run(link_close.closings(folder, broker)), strict=True
    )
    both = [one + other for one, other in zip(round_trip, two_syncs, strict=True)]
    floor = "round trip and two fdatasyncs"
    rows = {
        "an MQTT round trip": round_trip,
        "two bare fdatasyncs": two_syncs,
        floor: both,
        "Underfelt, closed to acknowledged": acknowledged,
    }
    _report_latencies("Closed to acknowledged, both on disk, Mosquitto", rows, floor)
    reached = median(acknowledged) / median(both)
    met = "[green]met[/]" if reached < GOAL_ACKNOWLEDGED else "[red]missed[/]"
    console.print(f"goal: below {GOAL_ACKNOWLEDGED:g} × {floor}; {reached:.2f} × is {met}\n")


def _report_latencies(title: str, rows: Mapping[str, Sequence[float]], base: str) -> None:
    """Print medians, how far they spread, and each beside the base."""
    table = _table(title, "median ms", "9 of 10 below", f"× {base}")
    floor = median(rows[base])
    for name, seconds in rows.items():
        middle, high = median(seconds), quantiles(seconds, n=10)[-1]
        table.add_row(name, f"{middle * 1e3:.2f}", f"{high * 1e3:.2f}", f"{middle / floor:.2f}")
    console.print(table, "")


def _table(title: str, *headings: str) -> Table:
    table = Table("", title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


if __name__ == "__main__":
    main()
