"""Which checks a table has, in their order, and which of them were chosen.

A part that the table does not have is in the plan too, as not fitted. How a check is done is in
`checks.py`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.maintenance.protocol import Shown
from firmware.maintenance.vitals import Vitals
from firmware.protocol.fault_catalogue import spot_place
from firmware.rules.words import bet_name
from firmware.settings.toml_file import nearest
from host_tools.guided_test import checks
from host_tools.guided_test.checks import TestedSpot, Workplace

_SWITCHES = (("key", "key switch"), ("cover", "cover switch"))
_NO_PIN = "the board of this table has no pin for it"
_NO_PORT = "the table file has no port for it"
_TOO_OLD = "the software of this table cannot test it: bring the table up to date"


class Check(Struct, frozen=True, kw_only=True):
    """One check."""

    what: str
    parts: tuple[str, ...]
    """The words that choose it."""
    do: Callable[[Workplace], str] | None = None
    """Do it and return what was found; None if it cannot be done here."""
    missing: str = ""
    """Why it cannot be done here."""
    undo: Callable[[Workplace], object] = lambda _work: None
    """What is put right after it has not passed."""
    needs: str = ""
    """The check that must have passed before it."""
    left_out: str = ""
    """Why it is not to be done."""
    asks: bool = False
    """Whether only somebody who is asked can say what came of it."""


def plan(shown: Shown, vitals: Vitals) -> list[Check]:
    """List the checks of a table."""
    spots, fitted = _spots(shown), {switch.name for switch in vitals.switches or ()}
    on_board = {each.where for each in vitals.sensors if each.input is not None}
    missing = _NO_PIN if vitals.switches is not None else _TOO_OLD
    return [
        *_spot_checks(spots, on_board),
        *_device_checks(vitals),
        *_switch_checks(fitted, missing),
        *(
            _on_its_board(check, bool(on_board))
            for check in _enable_checks(
                spots, "" if vitals.lamp_enable_pin is not None else missing
            )
        ),
        *_power_checks("" if "power_good" in fitted else missing),
    ]


def chosen(planned: Sequence[Check], only: Sequence[str], skip: Sequence[str]) -> list[Check]:
    """Mark the checks that are left out by `--only` and `--skip`."""
    parts = list(dict.fromkeys(part for check in planned for part in check.parts))
    wanted = {_part("--only", word, parts) for word in only} or {*parts}
    unwanted = {_part("--skip", word, parts) for word in skip}
    return [
        replace(check, left_out=_left_out({*check.parts}, wanted, unwanted)) for check in planned
    ]


def _left_out(parts: set[str], wanted: set[str], unwanted: set[str]) -> str:
    if parts & unwanted:
        return "by --skip"
    return "" if parts & wanted else "by --only"


def _part(option: str, word: str, parts: Iterable[str]) -> str:
    found = " ".join(word.casefold().replace("-", " ").split())
    if found in parts:
        return found
    # Of numbered parts none is nearer than another.
    meant = "" if found.startswith("seat ") else nearest(found, parts)
    hint = f"did you mean {meant}? " if meant else ""
    known = ", ".join(sorted(parts, key=lambda part: part.startswith("seat ")))
    raise BadInput(option, f"{word!a} is not a part of this table; {hint}use one of: {known}")


def _on_its_board(check: Check, on_board: bool) -> Check:  # noqa: FBT001  # a fact of the table
    """Have a check ask for the spot board first, if what it is about is on that."""
    if not on_board or check.do is None:
        return check
    return replace(check, do=partial(checks.on_spot_board, check.do))


def _spot_checks(spots: list[TestedSpot], on_board: set[str]) -> Iterator[Check]:
    for spot in spots:
        is_on_board = spot_place(*spot) in on_board
        for check in _checks_of(spot):
            yield _on_its_board(check, is_on_board)


def _checks_of(spot: TestedSpot) -> Iterator[Check]:
    place, seat = _place(spot), f"seat {spot[0]}"
    sensor = ("spots", "sensors", seat)
    down = f"{place}: chip put down"
    yield Check(
        what=f"{place}: lamp",
        parts=("spots", "lamps", seat),
        do=partial(_on, checks.lamp, spot),
        undo=partial(_dark, spot),
        asks=True,
    )
    yield Check(
        what=down,
        parts=sensor,
        do=partial(_on, checks.chip_down, spot),
        undo=partial(_lift, spot),
    )
    yield Check(
        what=f"{place}: chip lifted",
        parts=sensor,
        do=partial(_on, checks.chip_up, spot),
        needs=down,
    )


def _device_checks(vitals: Vitals) -> Iterator[Check]:
    ports = {device.name for device in vitals.devices if device.port}
    missing = {device: "" if device in ports else _NO_PORT for device in ("panel", "sign")}
    missing["cards"] = "" if ports - {*missing} else _NO_PORT
    steps: list[tuple[str, str, Callable[[Workplace], str]]] = [
        ("panel", "text", partial(_text, "panel")),
        ("sign", "text", partial(_text, "sign")),
        ("panel", "key press", _press),
        ("cards", "card", _draw),
    ]
    for device, what, do in steps:
        lacks = missing[device]
        yield Check(
            what=f"{device}: {what}",
            parts=(device,),
            do=None if lacks else do,
            missing=lacks,
            asks=what == "text",
        )


def _switch_checks(fitted: set[str], missing: str) -> Iterator[Check]:
    steps = {"key": (("turned on", True), ("turned back", False))}
    steps["cover"] = (("opened", False), ("closed", True))
    for switch, name in _SWITCHES:
        if switch not in fitted:
            yield Check(what=name, parts=(switch,), missing=missing)
            continue
        (there, to), (back, home) = steps[switch]
        yield Check(
            what=f"{name}: {there}",
            parts=(switch,),
            do=partial(_switch, switch, to),
            undo=partial(_switch_back, switch, home),
        )
        yield Check(
            what=f"{name}: {back}",
            parts=(switch,),
            do=partial(_switch, switch, home),
            needs=f"{name}: {there}",
        )


def _enable_checks(spots: list[TestedSpot], missing: str) -> Iterator[Check]:
    part = ("lamp enable",)
    if missing:
        yield Check(what="lamp enable", parts=part, missing=missing)
        return

    def dark(work: Workplace) -> None:
        checks.restore_lamps(work, spots)

    yield Check(
        what="lamp enable: withdrawn",
        parts=part,
        do=lambda work: checks.enable_withdrawn(work, spots),
        undo=dark,
        asks=True,
    )
    yield Check(
        what="lamp enable: given again",
        parts=part,
        do=lambda work: checks.enable_given(work, spots),
        undo=dark,
        asks=True,
        needs="lamp enable: withdrawn",
    )


def _power_checks(missing: str) -> Iterator[Check]:
    part = ("power",)
    if missing:
        yield Check(what="power-good", parts=part, missing=missing)
        return
    good, off = "power-good: signal", "power-good: main supply off"
    yield Check(what=good, parts=part, do=checks.supply_good)
    yield Check(
        what=off,
        parts=part,
        do=checks.supply_pulled,
        asks=True,
        undo=partial(_switch_back, "power_good", True),  # noqa: FBT003  # a level is a level
        needs=good,
    )
    yield Check(
        what="power-good: main supply on",
        parts=part,
        do=partial(_switch, "power_good", True),  # noqa: FBT003  # a level is a level
        needs=off,
    )


def _on(do: Callable[[Workplace, TestedSpot], str], spot: TestedSpot, work: Workplace) -> str:
    return do(work, spot)


def _dark(spot: TestedSpot, work: Workplace) -> None:
    work.light(spot, "off")


def _lift(spot: TestedSpot, work: Workplace) -> None:
    work.operator.moves_chip(spot, on=False)


def _text(device: str, work: Workplace) -> str:
    return checks.text(work, device)


def _press(work: Workplace) -> str:
    return checks.heard(work, "panel", work.operator.presses_key)


def _draw(work: Workplace) -> str:
    return checks.heard(work, "cards", work.operator.draws_card)


def _switch(switch: str, to: bool, work: Workplace) -> str:  # noqa: FBT001  # a level is a level
    return checks.switch_moved(work, switch, to=to)


def _switch_back(switch: str, home: bool, work: Workplace) -> None:  # noqa: FBT001  # the same
    work.operator.moves_switch(switch, on=home)


def _spots(shown: Shown) -> list[TestedSpot]:
    return [(seat.seat, bet) for seat in shown.table.seats for bet in seat.lamps]


def _place(spot: TestedSpot) -> str:
    seat, bet = spot
    return f"seat {seat}" if bet == "jackpot" else f"seat {seat} {bet_name(bet)}"
