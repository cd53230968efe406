"""Events of every class with fields at random: many are out of place, some are half right.

Whatever comes from outside may be anything that its class can hold. What the table's own
shell makes up (lots, settings) is what a shell can make up. A seed gives the same events.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, get_args

import msgspec
from msgspec.structs import fields, replace

from firmware.protocol.fault_catalogue import FAULTS, Role
from firmware.protocol.link_problems import LinkProblemCode
from firmware.protocol.obligations import ClockQuality
from firmware.rules.cards import CODES
from firmware.rules.contract import Facts, IrregularityName
from firmware.rules.games import GAMES
from firmware.rules.ruling import NEEDED_FACTS
from firmware.table.events import (
    AnyDecision,
    ClockJudged,
    CorrectionKind,
    Event,
    Fact,
    FaultNoticed,
    FaultPassed,
    FromDevice,
    IrregularityReported,
    KeyTurned,
    LinkChanged,
    MeterMoved,
    PendingChanged,
    Restarted,
)
from firmware.table.irregularities.reports import choices
from firmware.table.phases import PHASES
from firmware.table.settings import CardSource, TableSettings
from firmware.table.state import TableState
from firmware.table.turn import fault_key
from tests.table.playing import Playing

KINDS: tuple[type[Event], ...] = (*get_args(AnyDecision), MeterMoved, PendingChanged)
FACTS_OF_ALL_KINDS = tuple(kind for kind in KINDS if issubclass(kind, Fact))
CARDS = (*CODES, "1x", "")
SEATS = range(1, 8)
"""The table has four; the others are nobody's."""
Make = Callable[[Random, Playing], Any]


def any_event(rng: Random, table: Playing) -> Event:
    """Make up an event for this table."""
    kind = rng.choice((*KINDS, *FACTS_OF_ALL_KINDS * 2, *list(PHASES[table.state.phase]) * 3))
    if kind is IrregularityReported:
        return _report(rng, table)
    made: dict[str, Any] = {"at_ms": table.now()}
    if issubclass(kind, FromDevice):
        made["frame"] = table.frame(kind.device)
    for field in fields(kind):
        make = FIELDS.get(f"{kind.__name__}.{field.name}", FIELDS.get(field.name))
        if field.name not in made and make is not None:
            made[field.name] = make(rng, table)
    return kind(**made)


def _report(rng: Random, table: Playing) -> Event:
    """Report something, with the facts that it needs, or with others."""
    kind: IrregularityName = rng.choice(get_args(IrregularityName))
    asked = NEEDED_FACTS[kind]
    if rng.random() < 0.2:
        asked = tuple(rng.sample(Facts.__struct_fields__, 2))
    facts = {name: FACTS.get(name, _yes_or_no)(rng, table) for name in asked}
    told = msgspec.convert(facts, Facts)
    frame = table.frame("panel")
    return IrregularityReported(at_ms=table.now(), frame=frame, irregularity=kind, facts=told)


def any_settings(rng: Random, table: Playing) -> TableSettings | None:
    """Give no settings, the same ones, or those of a table file that was changed."""
    now = table.table.settings
    source: CardSource = rng.choice(get_args(CardSource))
    other = replace(
        now, game=rng.choice(sorted(GAMES)), seats=rng.randint(4, 7), card_source=source
    )
    return rng.choice((None, now, now, other))


def noted(event: Fact, state: TableState) -> bool:
    """Tell whether a table knows what a fact says."""
    match event:
        case LinkChanged():
            return (state.link_healthy, state.link_problem) == (event.healthy, event.problem)
        case Restarted():
            return not state.link_healthy and not state.key_on and state.phase != "service"
        case FaultNoticed():
            return not state.faults[fault_key(event.code, event.where)].passed
        case FaultPassed():
            fault = state.faults.get(fault_key(event.code, event.where))
            return fault is None or fault.passed
        case ClockJudged():
            return state.clock == event.quality
        case KeyTurned():
            return state.key_on == event.on
    raise AssertionError(f"nobody says how {event} is noted")


def _yes_or_no(rng: Random, _table: Playing) -> bool:
    return rng.random() < 0.5


def _seat(rng: Random, _table: Playing) -> int:
    return rng.choice(SEATS)


def _some_seats(rng: Random, _table: Playing) -> tuple[int, ...]:
    return tuple(rng.choices(SEATS[:4], k=rng.randint(0, 3)))


def _card(rng: Random, table: Playing) -> str:
    return rng.choice([*CARDS, *table.state.round.drawn])


def _cards(rng: Random, table: Playing) -> tuple[str, ...]:
    if rng.random() < 0.5:
        return tuple(rng.sample(list(CODES), rng.choice((2, 5, 5))))
    return tuple(_card(rng, table) for _ in range(rng.randint(0, 6)))


def _answer(rng: Random, table: Playing) -> str:
    return rng.choice([*sorted(table.table.settings.rules.answers), "bet", "raise", "flop", "sing"])


def _bet(rng: Random, table: Playing) -> str:
    return rng.choice([*table.table.settings.rules.bets, "jackpot", "jackpot_dealer", "side"])


def _option(rng: Random, table: Playing) -> str:
    incident = table.state.round.incident
    return rng.choice([*(choices(incident) if incident else ()), "continue", "sing"])


def _message(rng: Random, table: Playing) -> str:
    state = table.state
    return rng.choice([*state.owed, *state.round.claims, "T1.another.1.1", ""])


def _where(rng: Random, table: Playing) -> str:
    known = [fault.where for fault in table.state.faults.values()]
    return rng.choice(["", "seat 1", "seat 2 jackpot_dealer", "shoe", "shuffler", *known])


def _fault(rng: Random, table: Playing) -> str:
    known = [fault.code for fault in table.state.faults.values()]
    return rng.choice([*sorted(FAULTS), *known])


def _cents(rng: Random, _table: Playing) -> int:
    # The largest is a billion dollars: what it can win is an amount that a message may name.
    return rng.choice((0, 1, 500, 2_500, 5_000, 200_000, 10**11))


def _places(rng: Random, _table: Playing) -> tuple[str, ...]:
    count = rng.choice((0, 1, 2, 2, 2, 3))
    return tuple(rng.choices(("1", "2", "3", "4", "9", "dealer", "board", "x"), k=count))


def _one_of(*values: object) -> Make:
    return lambda rng, _table: rng.choice(values)


FIELDS: Mapping[str, Make] = {
    "table": _one_of("T1", "T2"),
    "journal": _one_of("another"),
    "settings": any_settings,
    "code": _fault,
    "LinkChanged.code": _one_of(None, *get_args(LinkProblemCode)),
    "where": _where,
    "detail": _one_of("", "measured"),
    "quality": _one_of(*get_args(ClockQuality)),
    "seat": _seat,
    "OptionChosen.seat": lambda rng, _: rng.randint(0, 5),
    "CardsKeyed.seat": lambda rng, _: rng.randint(0, 5),
    "present": _yes_or_no,
    "bet": _bet,
    "card": _card,
    "cards": _cards,
    "magic_card": _one_of(*CODES),
    "lucky_seat": _one_of(None, 1, 2, 7),
    "lucky_dealer": _yes_or_no,
    "stake_cents": _cents,
    "decision": _answer,
    "to": _one_of("seat", "seat", "dealer", "community"),
    "seats": _some_seats,
    "option": _option,
    "staff": _one_of("7", "8"),
    "name": _one_of("Somebody"),
    "role": _one_of(*get_args(Role)),
    "on": _yes_or_no,
    "what": _one_of("lamp test"),
    "measure": _one_of("bar", "restrict", "lift"),
    "id": _message,
    "amount_cents": _cents,
    "MeterMoved.meter_cents": _cents,
    "MeterLocked.meter_cents": _cents,
    "MeterLocked.reset_cents": _cents,
    "MeterLocked.ids": lambda rng, table: (_message(rng, table),),
    "MeterLocked.shares": _one_of((), (("T2.other.1.1", 100),), (("T2.other.1.1", 10),)),
    "AwardGranted.meter_cents": lambda rng, table: rng.choice((None, _cents(rng, table))),
    "winners": _one_of(1, 1, 2),
    "pay": _one_of("awarded", "reckoned"),
    "MeterMoved.reset_cents": _cents,
    "sequence": lambda rng, _: rng.randint(0, 50),
    "ids": _one_of((), ("T2.other.1.1",)),
    "words": _one_of((), ("T2 seat 3",)),
    "healthy": _yes_or_no,
    "LinkChanged.problem": _one_of("", "no route"),
    "problem": _one_of("", "smudged"),
    "how": _one_of(*get_args(CorrectionKind)),
    "places": _places,
    "through": lambda rng, table: max(0, table.state.sequence + rng.randint(-5, 5)),
    "round": lambda rng, _: rng.randint(0, 9),
    "contributions": lambda rng, _: rng.randint(0, 9),
    "contributed_cents": _cents,
}
"""How each field is made up; what is not in here is left as it is by default."""
FACTS: Mapping[str, Make] = {
    "count": lambda rng, _: rng.randint(1, 3),
    "seat": _seat,
    "first_seat": _seat,
    "seats": _some_seats,
    "viewed": _some_seats,
}
