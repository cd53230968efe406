"""`underfelt board show`: who is at the end of a cable, or what a running table knows of its spot board."""

from typing import Literal

import msgspec
from msgspec import Struct
from rich.table import Table

from firmware.devices.spot_texts import Readings
from firmware.maintenance.protocol import ReadVitals, VitalsRead
from firmware.maintenance.vitals import SensorVitals, Vitals
from firmware.protocol.fault_catalogue import place_words
from host_tools.board import program
from host_tools.board.asking import BoardLine, Heard
from host_tools.board.cable import Cable, PortError
from host_tools.board.judging import Judgement, State, judge, judge_port
from host_tools.connection.table_stream import open_table
from host_tools.diagnose.spot_board import senses
from host_tools.terminal import Terminal, say, say_json, sentence

IN_ORDER, AMISS, NOT_REACHED = 0, 1, 3
_NO_BOARD: frozenset[State] = frozenset(
    {"missing", "bootsel", "in_use", "forbidden", "no_port", "silent"}
)


class ShownInput(Struct, frozen=True):
    """One input: what it senses now, and how often that has changed since the board started.

    While that is not known `level` is None, and `last` is what it sensed last.
    """

    input: int
    level: bool | None
    edges: int
    spot: str = ""
    last: bool | None = None


class BoardShown(Struct, frozen=True, kw_only=True):
    """All of it, as `--json` has it."""

    place: str
    state: State
    problem: str = ""
    remedy: str = ""
    kind: str = ""
    version: str = ""
    session: int | None = None
    inputs: int | None = None
    limits: str = ""
    """The CRC of the limits in force; a dash before any, and nothing if it is not known here."""
    program: str = ""
    same_program: bool | None = None
    """Whether it is the one of this installation."""
    lines: tuple[ShownInput, ...] = ()

    @property
    def status(self) -> int:
        """The exit status."""
        if self.state == "in_order":
            return IN_ORDER
        return NOT_REACHED if self.state in _NO_BOARD else AMISS


def at_port(cable: Cable) -> BoardShown:
    """Ask a board that no table uses."""
    line = BoardLine(cable)
    try:
        heard = line.ask_who()
        readings = line.ask_readings() if heard.greeting is not None else None
    except PortError as error:
        return _shown(cable.path, judge_port(error))
    except OSError:
        gone = Judgement("missing", "the port vanished", "plug the board in again")
        return _shown(cable.path, gone)
    finally:
        line.close()
    return _of_heard(cable.path, heard, readings)


def at_table(target: str) -> BoardShown:
    """Ask a running table for its board."""
    with open_table(target) as table:
        vitals = msgspec.convert(
            table.ask(VitalsRead, lambda number: ReadVitals(number=number)).vitals, Vitals
        )
    board = vitals.spot_board
    if board is None:
        none = Judgement(
            "other_device", "this table has no spot board", "its coin spots are on pins"
        )
        return _shown(target, none)
    judged = Judgement("in_order")
    if not board.known:
        judged = Judgement("unknown_spots", board.why_unknown, f"see 'underfelt diagnose {target}'")
    lines = [_of_sensor(each) for each in vitals.sensors if each.input is not None]
    return BoardShown(
        place=target,
        state=judged.state,
        problem=judged.what,
        remedy=judged.remedy,
        kind="spots" if board.version else "",
        version=board.version,
        session=board.session,
        program=board.program,
        same_program=_same(board.program),
        lines=tuple(sorted(lines, key=lambda each: each.input)),
    )


def tell(shown: BoardShown, *, json: bool) -> int:
    """Print it; return the exit status."""
    if json:
        say_json(shown, pretty=True)
        return shown.status
    if shown.version:
        Terminal().print(_facts(shown))
    if shown.lines:
        Terminal().print(_inputs(shown))
    if shown.problem:
        say(sentence(f"{shown.place}: {shown.problem}; {shown.remedy}"), err=True)
    else:
        say(f"{shown.place}: the spot board is in order.")
    return shown.status


def _of_heard(path: str, heard: Heard, readings: Readings | None) -> BoardShown:
    judged = judge(heard, path)
    greeting = heard.greeting
    if greeting is None:
        return _shown(path, judged, heard.kind)
    told = readings or Readings(())
    pairs = zip(told.levels, told.edges, strict=False)
    lines = (ShownInput(number, level, edges) for number, (level, edges) in enumerate(pairs, 1))
    return BoardShown(
        place=path,
        state=judged.state,
        problem=judged.what,
        remedy=judged.remedy,
        kind=heard.kind,
        version=greeting.version,
        session=heard.session,
        inputs=greeting.inputs,
        limits=greeting.limits,
        program=greeting.program,
        same_program=_same(greeting.program),
        lines=tuple(lines)[: greeting.inputs],
    )


def _shown(place: str, judged: Judgement, kind: str = "") -> BoardShown:
    return BoardShown(
        place=place, state=judged.state, problem=judged.what, remedy=judged.remedy, kind=kind
    )


def _of_sensor(sensor: SensorVitals) -> ShownInput:
    return ShownInput(sensor.input or 0, sensor.level, sensor.edges, sensor.where, sensor.last)


def _same(running: str) -> bool | None:
    """Return whether a program is the one that is installed here."""
    _, _, name = running.partition(":")
    if not name:
        return None
    source = program.sources()
    if name == source.name:
        return True
    compiled = program.compiled(source)
    return None if compiled is None else name == compiled.name


_WHERE = {"frozen": "that of the image", "file": "out of its file system"}
_SAME = {
    True: ", the one of this installation",
    False: ", not the one of this installation",
    None: "",
}
Side = Literal["left", "right"]


def _facts(shown: BoardShown) -> Table:
    table = Table(title=f"Spot board at {shown.place}", title_justify="left", show_header=False)
    where, _, name = shown.program.partition(":")
    table.add_row("version", shown.version)
    table.add_row("program", f"{name}, {_WHERE.get(where, where)}{_SAME[shown.same_program]}")
    table.add_row("session", "" if shown.session is None else str(shown.session))
    if shown.inputs is not None:
        table.add_row("inputs", str(shown.inputs))
        none_yet = "none yet: no table has given it any since its start"
        table.add_row("limits", none_yet if shown.limits == "-" else shown.limits)
    return table


def _inputs(shown: BoardShown) -> Table:
    spots = any(each.spot for each in shown.lines)
    table = Table(title="Inputs", title_justify="left")
    table.add_column("input", justify="right")
    for name in ("spot",) if spots else ():
        table.add_column(name)
    table.add_column("senses")
    table.add_column("edges", justify="right")
    for each in shown.lines:
        spot = (place_words(each.spot),) if spots else ()
        table.add_row(str(each.input), *spot, senses(each.level, each.last), f"{each.edges:,}")
    return table
