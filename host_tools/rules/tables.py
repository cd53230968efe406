"""The tables that `underfelt rules games` and `underfelt rules interpretations` print.

Every cell is read from the game descriptions, with its paragraph; nothing about a
game is repeated here.
"""

from collections.abc import Callable, Iterator
from typing import get_args

from rich.table import Table

from firmware.rules.contract import IrregularityName
from firmware.rules.game import Case, Game, JackpotLine, Step
from firmware.rules.games import GAMES
from firmware.rules.interpretations import INTERPRETATIONS
from firmware.rules.ruling import NEEDED_FACTS
from firmware.rules.words import money, paragraphs, spaced
from host_tools.terminal import Terminal

_PIPE_WIDTH = 150


def print_tables(*tables: Table) -> None:
    """Print tables as wide as the terminal, or wide enough to read when piped to a file."""
    console = Terminal()
    if not console.is_terminal:
        console = Terminal(width=_PIPE_WIDTH)
    for table in tables:
        console.print(table)


def interpretations_table() -> Table:
    """Return every decision made where the documents leave room."""
    table = Table("id", "open question", "decision", "implemented in", show_lines=True)
    for entry in INTERPRETATIONS:
        decision = (
            f"{entry.decision}\nsetting: {entry.setting}" if entry.setting else entry.decision
        )
        table.add_row(entry.id, entry.question, decision, entry.where)
    return table


def games_tables() -> tuple[Table, Table]:
    """Return the five games side by side: how they play and pay, and their irregularities."""
    rows = [(name, [cell(game) for game in GAMES.values()]) for name, cell in _ROWS]
    return (
        _side_by_side("How the games play and pay  (≠: they differ)", rows),
        irregularities_table(spaced),
    )


def irregularities_table(named: Callable[[IrregularityName], str]) -> Table:
    """Return what happens after each irregularity, each named in some way."""
    rulings = [
        (named(name), [_ruling_cell(game, name) for game in GAMES.values()])
        for name in get_args(IrregularityName)
    ]
    return _side_by_side("What happens after an irregularity  (≠: they differ)", rulings)


def with_facts(name: IrregularityName) -> str:
    """Name an irregularity as a ruling takes it, with the facts that it needs."""
    facts = NEEDED_FACTS[name]
    return name + (f"\n(facts: {', '.join(facts)})" if facts else "")


def _side_by_side(title: str, rows: list[tuple[str, list[str]]]) -> Table:
    table = Table("", "", *GAMES, title=title, title_justify="left", show_lines=True)
    for name, cells in rows:
        differ = len({_without_paragraphs(cell) for cell in cells}) > 1
        table.add_row("≠" if differ else "", name, *cells)
    return table


def _without_paragraphs(cell: str) -> str:
    """Compare what is done, not where it is written."""
    return " ".join(word for word in cell.split() if not word.startswith(("§", "I-", "silent")))


def _cited(text: str, *rules: str) -> str:
    return f"{text} {paragraphs(rules)}" if any(rules) else text


def _deal(steps: tuple[Step, ...]) -> str:
    words = []
    for step in steps:
        if step.kind == "burn":
            words.append("burn")
        elif step.kind == "deal":
            words.append(f"{step.cards} to {' and '.join(step.to)}, {step.packet} at a time")
    return _cited("; ".join(words), steps[0].rule)


def _wagers(game: Game) -> str:
    return "\n".join(
        f"{wager.name}: {wager.antes} × ante" if wager.name != "ante" else wager.name
        for wager in game.wagers
    )


def _odds(game: Game) -> str:
    """Return what the bet to stay in pays, best hand first, and its cap."""
    wager = next(wager for wager in game.wagers if wager.name == game.stay)
    odds = list(wager.odds.values())
    text = "1 to 1" if set(odds) == {1} else " ".join(map(str, odds)) + " to 1"
    return _cited(text, wager.rule)


def _cap(game: Game) -> str:
    capped = [bet for bet in (*game.wagers, game.bonus) if bet and bet.cap_cents]
    return (
        "\n".join(_cited(f"{b.name}: {money(b.cap_cents or 0)}", b.cap_rule) for b in capped)
        or "none"
    )


def _bonus(game: Game) -> str:
    if game.bonus is None:
        return "none"
    return _cited(" ".join(str(line.odds) for line in game.bonus.lines) + " to 1", game.bonus.rule)


def _lines(game: Game) -> str:
    return "\n".join(
        f"{spaced(line.tier)}{'' if line.on == 'player' else f' ({line.on})'}: {_pays(line)}"
        for line in game.lines
    )


def _pays(line: JackpotLine) -> str:
    if line.percent is not None:
        return f"{line.percent} %"
    return f"{line.odds} to 1" if line.odds else money(line.amount_cents or 0)


def _draws(game: Game) -> str:
    return "\n".join(f"{spaced(d.tier)} ({d.on}): {d.odds} to 1" for d in game.draws) or "none"


def _fold(game: Game) -> str:
    kept = " and ".join(sorted(game.fold_keeps))
    return _cited(f"still wins on {kept}" if kept else "is lost", *game.paragraphs.fold)


def _under_min(game: Game) -> str:
    again = {"settled": "settled as placed", "returned": "settled once, then returned"}
    return _cited(again[game.under_min_again], *game.paragraphs.under_min)


def _payment(game: Game) -> str:
    by = {"dealt_at": "by time of the deal", "entered_at": "by entry, lower hands first"}
    return _cited(by[game.payment.by], game.payment.across_tables)


def _sharing(game: Game) -> str:
    shared = [_cited(spaced(tier), rule) for tier, rule in game.payment.sharing.items()]
    return "\n".join(shared) or "nothing is shared"


def _ruling_cell(game: Game, name: IrregularityName) -> str:
    if name in game.impossible:
        return "cannot happen"
    return "\n".join(_case_lines(game.irregularities.get(name, (game.silent,))))


def _case_lines(cases: tuple[Case, ...]) -> Iterator[str]:
    for case in cases:
        when = ", ".join(_condition(fact, value) for fact, value in case.when.items())
        if not when and len(cases) > 1:
            when = "otherwise"
        yield _cited((f"{when}: " if when else "") + _case_words(case), case.rule)


def _case_words(case: Case) -> str:
    words = spaced(case.action)
    if case.use_as:
        words += f" as {spaced(case.use_as)}"
    if case.options:
        choices = " or ".join(spaced(option) for option in case.options)
        words += f" ({case.affects or 'choice'}: {choices})"
    return f"{words}, {spaced(case.authority)}" if case.authority else words


def _condition(fact: str, value: object) -> str:
    if isinstance(value, bool):
        return spaced(fact) if value else f"not {spaced(fact)}"
    return f"{spaced(fact)} {value if value != () else 'none'}"


_ROWS: tuple[tuple[str, Callable[[Game], str]], ...] = (
    ("document", lambda game: f"{game.title}, {game.version}"),
    ("positions", lambda game: "{}–{}".format(*game.positions)),
    ("deal from a shoe", lambda game: _deal(game.shoe)),
    ("deal from a shuffler", lambda game: _deal(game.shuffler)),
    (
        "dealer must qualify",
        lambda game: (
            _cited("ace and king", game.qualify_rule) if game.dealer_must_qualify else "no"
        ),
    ),
    ("bets against the dealer", _wagers),
    ("bet to stay in pays", _odds),
    ("maximum payout", _cap),
    ("bonus pays", _bonus),
    ("jackpot bets", lambda game: "\n".join(map(spaced, game.jackpot_bets))),
    ("jackpot lines", _lines),
    ("draws", _draws),
    ("jackpot bet after a fold", _fold),
    ("hand not shown", lambda game: _cited(f"{game.hidden}", *game.paragraphs.hidden)),
    ("absent player", lambda game: _cited(game.absent, *game.paragraphs.absent)),
    ("under the minimum", _under_min),
    ("order of payment", _payment),
    ("shared in one round", _sharing),
    (
        "last authority",
        lambda game: _cited(spaced(game.silent.authority or ""), game.silent.rule),
    ),
)
