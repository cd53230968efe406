"""The command `underfelt-sim conformance`: runs every check against a controller, and reports.

The controller under test needs books of its own for a run: tables that it has never heard of play
there, and win its jackpot several times. Its options are in `options.py`.
"""

import argparse
import asyncio
import shlex
from collections.abc import Awaitable, Callable, Iterator, Sequence

import aiomqtt
from msgspec import Struct

from firmware.errors import BadInput, UnderfeltError
from firmware.link.problems import problem_of
from firmware.link.settings import LinkSettings
from firmware.protocol.messages import ControllerStatus, Topics, UnitRefused
from firmware.rules.game import Game
from firmware.rules.games import GAMES
from firmware.shell.command_line import TYPED_WRONG, complain
from sim.conformance import awards, checks, claims, rounds, units, withdrawals
from sim.conformance.checks import Check, Link
from sim.conformance.seating import seated
from sim.conformance.tables import Wrong
from sim.conformance.watching import Watch
from sim.connection import link_settings

CHECKS: Sequence[Check] = (
    *checks.CHECKS,
    *units.CHECKS,
    *claims.CHECKS,
    *withdrawals.CHECKS,
    *awards.CHECKS,
    *rounds.CHECKS,
)
WATCHED = {
    "1.2": "Every message comes with QoS 1.",
    "1.8": "Every message is one of the contract's, and not too long.",
    "3.5": "Sequences never fall or stand for two contents; pending claims follow their meter.",
    "5.3": "Nothing is awarded that nobody has claimed.",
    "5.5": "Two awards of one win never differ.",
    "7.11": "No start goes on without its records by an order that nobody has given.",
}
"""What is watched during all checks."""


class NoControllerError(UnderfeltError):
    """There is nothing to check."""


class Result(Struct, frozen=True):
    """What came of a check."""

    check: str
    paragraphs: str
    wrong: tuple[str, ...] = ()
    skipped: str = ""

    @property
    def line(self) -> str:
        """The result in one line, or one for each thing that is wrong."""
        if self.skipped:
            return f"  –    {self.paragraphs:<20} {self.check} ({self.skipped})"
        if not self.wrong:
            return f"  ok   {self.paragraphs:<20} {self.check}"
        found = (f"\n{'':7}{'':20} {words}" for words in self.wrong)
        return f"WRONG  {self.paragraphs:<20} {self.check}{''.join(found)}"


def run_conformance(options: argparse.Namespace) -> int:
    """Run the checks, and return 1 if the controller does something wrong."""
    try:
        link = link_settings(options, options.broker, options.root)
    except BadInput as error:
        complain("underfelt-sim conformance", str(error))
        return TYPED_WRONG
    names = options.tables
    chosen = [c for c in CHECKS if not options.only or options.only in c.paragraphs.split(", ")]
    restart = _restarting(options.restart) if options.restart else None
    accept = _accepting(options.accept_unit) if options.accept_unit else None
    results = asyncio.run(conform(link, names, chosen, options.patience, restart, accept=accept))
    wrong = sum(bool(each.wrong) for each in results)
    total = sum(not each.skipped for each in results)
    print(f"{wrong} of {total} checks found something wrong" if wrong else f"all {total} are right")
    return 1 if wrong else 0


async def conform(  # noqa: PLR0913  # what a run needs
    link: LinkSettings,
    names: Sequence[str],
    chosen: Sequence[Check],
    patience_s: float,
    restart: Callable[[], Awaitable[None]] | None = None,
    *,
    accept: Callable[[str, str], Awaitable[None]] | None = None,
) -> list[Result]:
    """Seat tables, run checks, and print each result as it is known."""
    watch = Watch(Topics(link.root))
    results: list[Result] = []
    try:
        async with seated(link, watch, names, patience_s) as tables:
            game = await _game(watch)
            played = Link(tables, watch, link, game, restart, accept)
            results.append(await _introduced(played))
            print(results[-1].line, flush=True)
            for check in chosen:
                # A table that is not accepted does not play.
                known = _no_table_plays(check) if results[0].wrong else await _result(check, played)
                results.append(known)
                print(results[-1].line, flush=True)
    except (aiomqtt.MqttError, OSError) as error:
        raise NoControllerError(problem_of(error, link.brokers[0]).words) from None
    for result in _watched(watch):
        results.append(result)
        print(result.line, flush=True)
    return results


async def _result(check: Check, link: Link) -> Result:
    if check.restarts and link.restart is None:
        return Result(check.sentence, check.paragraphs, skipped="not checked without --restart")
    if check.orders and link.accept is None:
        return Result(check.sentence, check.paragraphs, skipped="not checked without --accept-unit")
    result = await _played(check, link)
    await claims.clean_up(link)
    return result


async def _played(check: Check, link: Link) -> Result:
    wrong: tuple[str, ...] = ()
    try:
        await check.play(link)
    except Wrong as error:
        wrong = (str(error),)
    return Result(check.sentence, check.paragraphs, wrong)


def _no_table_plays(check: Check) -> Result:
    return Result(check.sentence, check.paragraphs, skipped="not checked: no table is accepted")


def _watched(watch: Watch) -> Iterator[Result]:
    for paragraph, sentence in WATCHED.items():
        yield Result(sentence, paragraph, tuple(sorted(watch.complaints.get(paragraph, ()))))


async def _game(watch: Watch) -> Game:
    """Learn from the controller which game it serves."""

    def online() -> ControllerStatus | None:
        newest = watch.newest(ControllerStatus)
        return newest if newest is not None and newest.online else None

    if not await watch.until(lambda: online() is not None, 2 * checks.SILENT_S):
        raise NoControllerError(
            f"no jackpot controller says on {watch.topics.controller} that it is online"
        )
    status = online()
    if status is None or status.game not in GAMES:
        raise NoControllerError("the controller's status does not name a game: par. 2.1")
    return GAMES[status.game]


async def _introduced(link: Link) -> Result:
    """Let every table come to the link; books that know them already are no use."""
    result = await _played(units.INTRODUCTION, link)
    for table in link.tables:
        if any(isinstance(each, UnitRefused) for each in table.verdicts(0)):
            raise NoControllerError(
                f"the controller refuses table {table.name}: begin with new books, or use other"
                " names (--tables)"
            )
    return result


def _restarting(command: str) -> Callable[[], Awaitable[None]]:
    async def restart() -> None:
        await _run(command, "restart the controller")

    return restart


def _accepting(command: str) -> Callable[[str, str], Awaitable[None]]:
    async def accept(table: str, journal: str) -> None:
        named = command.replace("{table}", table).replace("{journal}", journal)
        await _run(named, "let a unit go on")

    return accept


async def _run(command: str, what: str) -> None:
    process = await asyncio.create_subprocess_exec(*shlex.split(command))
    if await process.wait() != 0:
        raise NoControllerError(f"the command to {what} failed: {command}")
