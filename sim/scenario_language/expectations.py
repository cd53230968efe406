"""What a scenario can expect of a table: lamps, prompt, refusal, sign, messages, journal.

An expectation waits for something that can be seen outside the process; if it does not come,
it says what was seen instead.
"""

from collections.abc import Callable, Iterable
from typing import Any, get_args

import msgspec
from msgspec import Struct

from firmware.protocol.obligations import AnyObligation
from firmware.rules.words import money
from firmware.table.events import AnyDecision
from firmware.table.state import Phase
from sim.scenario_language.grammar import SLOTS, WHOLE, Form, Slot, Words, form_of
from sim.scenario_language.reader import cents
from sim.scenario_language.table_stage import TableStage

Sighting = tuple[bool, str]
Look = Callable[[TableStage, Words], Sighting]


def _tag(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _offered(first: str, *words: str, alone: bool = False) -> Slot:
    """Offer words, one of them first because the guide shows it."""
    ordered = (first, *(word for word in words if word != first))
    return Slot("|".join(ordered), ordered, offered=True, alone=alone)


SLOTS["pattern"] = _offered("quick blink", "slow blink", "double blink", "steady", "flutter", "off")
SLOTS["phase"] = _offered("deciding", *get_args(Phase))
SLOTS["event"] = _offered(
    "bets_closed", *(_tag(kind) for kind in get_args(AnyDecision)), alone=True
)
SLOTS["message"] = _offered(
    "contribution", *(_tag(kind) for kind in get_args(AnyObligation)), alone=True
)
SLOTS["fields"] = Slot(r"(?: [\w.]+=\S+)*", ("", " seat=3"), kind="fields", alone=True)
SLOTS["record_fields"] = Slot(
    SLOTS["fields"].pattern, ("", " dealer=100"), kind="fields", alone=True
)
SLOTS["counted"] = Slot(rf"{WHOLE}|no", ("2", "no"))
SLOTS["words"] = Slot(r".+", ("words that are shown",))
SLOTS["bare_words"] = Slot(r'[^"](?:.*[^"])?', ("words that are shown",))
"""The same without quotation marks, which a shell takes away."""


class Expectation(Struct, frozen=True):
    """One thing that can be expected, in all its forms."""

    notations: tuple[str, ...]
    form: Form
    check: Look
    example: str
    meaning: str


EXPECTATIONS: list[Expectation] = []


def expects(*notations: str, example: str = "") -> Callable[[Look], Look]:
    """Add an expectation to the language; its docstring says what it means."""

    def add(check: Look) -> Look:
        meaning = (check.__doc__ or "").split("\n")[0].rstrip(".")
        shown = f"expect {example or notations[0]}"
        EXPECTATIONS.append(Expectation(notations, form_of(notations), check, shown, meaning))
        return check

    return add


def find_expectation(text: str) -> tuple[Look, Words] | None:
    """Return the expectation that a sentence matches."""
    known = expectation_said(text)
    found = known and known.form.fullmatch(text)
    return (known.check, found) if known and found else None


def expectation_said(text: str) -> Expectation | None:
    """Return what is expected here."""
    return next((each for each in EXPECTATIONS if each.form.fullmatch(text) is not None), None)


# What is shown


@expects(
    "lamp <seats:=one_seat>[ <dealer:on the dealer>] is <pattern>",
    "lamps <seats>[ <dealer:on the dealer>] are <pattern>",
    example="lamp 1 is quick blink",
)
def _lamp(stage: TableStage, found: Words) -> Sighting:
    """These lamps show slow blink, quick blink, double blink, steady or flutter, or are off."""
    bet = "jackpot_dealer" if found["dealer"] else "jackpot"
    patterns = {
        seat: stage.hardware.lamp_pattern(int(seat), bet) for seat in found["seats"].split()
    }
    wanted = found["pattern"].replace(" ", "_")
    seen = ", ".join(f"lamp {seat} is {p.replace('_', ' ')}" for seat, p in patterns.items())
    return all(pattern == wanted for pattern in patterns.values()), seen


@expects("phase <phase>", example="phase deciding")
def _phase(stage: TableStage, found: Words) -> Sighting:
    """The panel is in this phase."""
    return stage.hardware.screen.code == found["phase"], f"phase {stage.hardware.screen.code}"


@expects(
    '[<no:no> ]prompt "<text:=words>"',
    "[<no:no> ]prompt <text:=bare_words>",
    example='prompt "Press OPEN"',
)
def _prompt(stage: TableStage, found: Words) -> Sighting:
    """The panel shows these words, or does not."""
    shown = " / ".join(stage.hardware.screen.lines)
    return (found["text"] in shown) != bool(found["no"]), f'prompt "{shown}"'


@expects(
    'refusal "<text:=words>"', "refusal <text:=bare_words>", example='refusal "Nobody has bet yet."'
)
def _refusal(stage: TableStage, found: Words) -> Sighting:
    """The last key was refused with these words."""
    shown = stage.hardware.screen.refusal
    return found["text"] in shown, f'refusal "{shown}"'


@expects(
    '[<no:no> ]sign "<text:=words>"',
    "[<no:no> ]sign <text:=bare_words>",
    example='sign "no jackpot bets"',
)
def _sign(stage: TableStage, found: Words) -> Sighting:
    """The jackpot sign shows these words, or does not."""
    shown = stage.hardware.screen.sign
    return (found["text"] in shown) != bool(found["no"]), f'sign "{shown}"'


@expects("meter <amount>", example="meter $100,005.00")
def _meter(stage: TableStage, found: Words) -> Sighting:
    """The jackpot sign shows this meter."""
    shown = stage.hardware.screen.meter_cents
    seen = "no meter" if shown is None else f"meter {money(shown)}"
    return shown == cents(found["amount"]), seen


# What is said and written down


@expects(
    "[<count:no> ]message <kind:=message>[ seat <seat>]<fields>",
    "<count:=counted> (messages|message) <kind:=message>[ seat <seat>]<fields>",
    example="message contribution seat 1 stake_cents=500",
)
def _message(stage: TableStage, found: Words) -> Sighting:
    """The table has sent this message: at all, this often, or not ("2 messages …", "no …")."""
    alike = [m for m in stage.distinct_messages() if m.get("message") == found["kind"]]
    fields = found["fields"] + (f" seat={found['seat']}" if found["seat"] else "")
    seen = "; ".join(msgspec.json.encode(message).decode() for message in alike[-3:])
    return _counted(found["count"], _fitting(alike, fields), seen or f"no message {found['kind']}")


@expects(
    "[<count:no> ]journal <event><fields:=record_fields>",
    "<count:=counted> journal <event><fields:=record_fields>",
    example="journal bets_closed",
)
def _journal(stage: TableStage, found: Words) -> Sighting:
    """The journal has this event: at all, this often, or not."""
    events = stage.journal()
    alike = [event for event in events if event.get("event") == found["event"]]
    last = ", ".join(str(event.get("event")) for event in events[-6:])
    return _counted(
        found["count"], _fitting(alike, found["fields"]), f"the journal ends with {last}"
    )


def _fitting(documents: Iterable[dict[str, Any]], fields: str) -> int:
    """Count the documents that have these fields."""
    wanted = dict(word.split("=", 1) for word in fields.split())
    return sum(all(_same(each, *field) for field in wanted.items()) for each in documents)


def _counted(wanted: str, count: int, seen: str) -> Sighting:
    if not wanted:
        return count > 0, seen
    return count == (0 if wanted == "no" else int(wanted)), f"{count} of them: {seen}"


def _same(message: dict[str, Any], key: str, value: str) -> bool:
    found: object = message
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    # A value is one word of the sentence, so a space in it is written as an underscore.
    return str(found).lower().replace(" ", "_") == value.lower()


@expects("nothing is owed")
def _nothing_owed(stage: TableStage, _found: Words) -> Sighting:
    """The jackpot controller has acknowledged everything that the table has sent."""
    owed = stage.unanswered()
    return not owed, f"not acknowledged: {', '.join(owed) or 'nothing'}"


# The process


@expects("the table <what:is up|has ended>", example="the table is up")
def _process(stage: TableStage, found: Words) -> Sighting:
    """The firmware is running, or has ended of its own accord."""
    process = stage.hardware.process
    up = process is not None and process.returncode is None
    seen = "the table is up" if up else f"the table has ended: {stage.log().strip()[-200:]}"
    return up == (found["what"] == "is up"), seen


@expects(
    '[<no:no> ]log "<text:=words>"',
    "[<no:no> ]log <text:=bare_words>",
    example='log "cannot be written"',
)
def _log(stage: TableStage, found: Words) -> Sighting:
    """The firmware has logged these words, or has not."""
    log = stage.log()
    return (found["text"] in log) != bool(found["no"]), f"the log ends with {log[-200:]!r}"
