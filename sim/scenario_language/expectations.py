"""What a scenario can expect of a table: lamps, prompt, refusal, sign, messages, journal.

An expectation waits for something that can be seen outside the process; if it does not come,
it says what was seen instead.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, get_args

import msgspec
from msgspec import Struct

from firmware.protocol.obligations import AnyObligation
from firmware.rules.words import money
from firmware.table.events import AnyDecision
from firmware.table.state import Phase
from sim.scenario_language.reader import cents
from sim.scenario_language.stage import ScenarioStage

Sighting = tuple[bool, str]
Look = Callable[[ScenarioStage, re.Match[str]], Sighting]
_COUNT = r"(?P<count>\d+ |no )?"
_FIELDS = r"(?P<fields>(?: [\w.]+=\S+)*)"
_EVENTS = "|".join(str(kind.__struct_config__.tag) for kind in get_args(AnyDecision))
_MESSAGES = "|".join(str(kind.__struct_config__.tag) for kind in get_args(AnyObligation))


class Expectation(Struct, frozen=True):
    """One form of an expectation."""

    form: re.Pattern[str]
    check: Look
    example: str
    meaning: str


EXPECTATIONS: list[Expectation] = []


def expects(form: str, example: str) -> Callable[[Look], Look]:
    """Add an expectation to the language; its docstring says what it means."""

    def add(check: Look) -> Look:
        meaning = (check.__doc__ or "").split("\n")[0].rstrip(".")
        EXPECTATIONS.append(Expectation(re.compile(form), check, f"expect {example}", meaning))
        return check

    return add


def find_expectation(text: str) -> tuple[Look, re.Match[str]] | None:
    """Return the expectation that a sentence matches."""
    for expectation in EXPECTATIONS:
        if found := expectation.form.fullmatch(text):
            return expectation.check, found
    return None


# What is shown


@expects(
    r"lamps? (?P<seats>\d(?: \d)*)(?P<dealer> on the dealer)? (?:is|are) "
    r"(?P<pattern>slow blink|quick blink|double blink|steady|flutter|off)",
    "lamp 1 is quick blink",
)
def _lamp(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
    """These lamps show slow blink, quick blink, double blink, steady or flutter, or are off."""
    bet = "jackpot_dealer" if found["dealer"] else "jackpot"
    patterns = {
        seat: stage.hardware.lamp_pattern(int(seat), bet) for seat in found["seats"].split()
    }
    wanted = found["pattern"].replace(" ", "_")
    seen = ", ".join(f"lamp {seat} is {p.replace('_', ' ')}" for seat, p in patterns.items())
    return all(pattern == wanted for pattern in patterns.values()), seen


@expects(rf"phase (?P<phase>{'|'.join(get_args(Phase))})", "phase deciding")
def _phase(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
    """The panel is in this phase."""
    return stage.hardware.screen.code == found["phase"], f"phase {stage.hardware.screen.code}"


@expects(r'(?P<no>no )?prompt "(?P<text>.+)"', 'prompt "Press OPEN"')
def _prompt(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
    """The panel shows these words, or does not."""
    shown = " / ".join(stage.hardware.screen.lines)
    return (found["text"] in shown) != bool(found["no"]), f'prompt "{shown}"'


@expects(r'refusal "(?P<text>.+)"', 'refusal "Nobody has bet yet."')
def _refusal(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
    """The last key was refused with these words."""
    shown = stage.hardware.screen.refusal
    return found["text"] in shown, f'refusal "{shown}"'


@expects(r'(?P<no>no )?sign "(?P<text>.+)"', 'sign "no jackpot bets"')
def _sign(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
    """The jackpot sign shows these words, or does not."""
    shown = stage.hardware.screen.sign
    return (found["text"] in shown) != bool(found["no"]), f'sign "{shown}"'


@expects(r"meter (?P<amount>\$\S+)", "meter $100,005.00")
def _meter(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
    """The jackpot sign shows this meter."""
    shown = stage.hardware.screen.meter_cents
    seen = "no meter" if shown is None else f"meter {money(shown)}"
    return shown == cents(found["amount"]), seen


# What is said and written down


@expects(
    rf"{_COUNT}messages? (?P<kind>{_MESSAGES})(?: seat (?P<seat>\d))?{_FIELDS}",
    "message contribution seat 1 stake_cents=500",
)
def _message(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
    """The table has sent this message: at all, this often, or not ("2 messages …", "no …")."""
    alike = [m for m in stage.distinct_messages() if m.get("message") == found["kind"]]
    fields = found["fields"] + (f" seat={found['seat']}" if found["seat"] else "")
    seen = "; ".join(msgspec.json.encode(message).decode() for message in alike[-3:])
    return _counted(found["count"], _fitting(alike, fields), seen or f"no message {found['kind']}")


@expects(rf"{_COUNT}journal (?P<event>{_EVENTS}){_FIELDS}", "journal bets_closed")
def _journal(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
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


def _counted(wanted: str | None, count: int, seen: str) -> Sighting:
    if wanted is None:
        return count > 0, seen
    return count == (0 if wanted == "no " else int(wanted)), f"{count} of them: {seen}"


def _same(message: dict[str, Any], key: str, value: str) -> bool:
    found: object = message
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    # A value is one word of the sentence, so a space in it is written as an underscore.
    return str(found).lower().replace(" ", "_") == value.lower()


@expects(r"nothing is owed", "nothing is owed")
def _nothing_owed(stage: ScenarioStage, _found: re.Match[str]) -> Sighting:
    """The jackpot controller has acknowledged everything that the table has sent."""
    owed = stage.unanswered()
    return not owed, f"not acknowledged: {', '.join(owed) or 'nothing'}"


# The process


@expects(r"the table (?P<what>is up|has ended)", "the table is up")
def _process(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
    """The firmware is running, or has ended of its own accord."""
    process = stage.hardware.process
    up = process is not None and process.returncode is None
    seen = "the table is up" if up else f"the table has ended: {stage.log().strip()[-200:]}"
    return up == (found["what"] == "is up"), seen


@expects(r'(?P<no>no )?log "(?P<text>.+)"', 'log "cannot be written"')
def _log(stage: ScenarioStage, found: re.Match[str]) -> Sighting:
    """The firmware has logged these words, or has not."""
    log = stage.log()
    return (found["text"] in log) != bool(found["no"]), f"the log ends with {log[-200:]!r}"
