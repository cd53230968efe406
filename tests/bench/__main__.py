"""Runs every measurement and prints it beside its goal: `python -m tests.bench`."""

from rich.console import Console
from rich.table import Table

from tests.bench import ranking, settling, starting
from tests.bench.clock import race

GOAL_FIVE = 1.8
GOAL_SEVEN = 10.0
GOAL_SETTLE = 1.0

console = Console(highlight=False)


def main() -> None:
    """Print the whole report."""
    five = race(ranking.contenders(5))
    treys = min(("treys evaluate", "treys _five"), key=lambda name: five[name])
    report("Five cards ranked", five, "Underfelt five_strength", GOAL_FIVE, treys)
    seven = race(ranking.contenders(7))
    report("Seven cards ranked", seven, "Underfelt strength", GOAL_SEVEN, "treys evaluate")
    rounds = race(settling.contenders())
    report("A stud round of five seats", rounds, "Underfelt settles", GOAL_SETTLE, "PokerKit ranks")
    report_start()


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
    console.print(table)


def _table(title: str, *headings: str) -> Table:
    table = Table("", title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


main()
