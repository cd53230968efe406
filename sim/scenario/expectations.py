"""What a scenario can expect of a table: lamps, prompt, refusal, sign, messages, journal.

An expectation looks at what is seen outside the process and waits for it; when it does
not come, it says what was seen instead.
"""

import re
from collections.abc import Callable

import msgspec
from msgspec import Struct

from firmware.rules.words import money
from sim.scenario.language import cents
from sim.scenario.stage import Stage

Seen = tuple[bool, str]
Check = Callable[[Stage, re.Match[str]], Seen]
NO_MORE = "never"


class Expectation(Struct, frozen=True):
    """One form of an expectation."""

    form: re.Pattern[str]
    check: Check
    example: str


EXPECTATIONS: list[Expectation] = []


def expects(form: str, example: str) -> Callable[[Check], Check]:
    """Add an expectation to the language."""

    def add(check: Check) -> Check:
        EXPECTATIONS.append(Expectation(re.compile(form), check, f"expect {example}"))
        return check

    return add


def find(text: str) -> tuple[Check, re.Match[str]] | None:
    """Find what an expectation means."""
    for expectation in EXPECTATIONS:
        if found := expectation.form.fullmatch(text):
            return expectation.check, found
    return None


@expects(
    r"lamps? (?P<seats>\d(?: \d)*)(?P<dealer> on the dealer)? (?:is|are) (?P<pattern>[a-z ]+)",
    "lamp 1 is quick blink",
)
def _lamp(stage: Stage, found: re.Match[str]) -> Seen:
    bet = "jackpot_dealer" if found["dealer"] else "jackpot"
    patterns = {
        seat: stage.hardware.lamp_pattern(int(seat), bet) for seat in found["seats"].split()
    }
    wanted = found["pattern"].replace(" ", "_")
    seen = ", ".join(f"lamp {seat} is {p.replace('_', ' ')}" for seat, p in patterns.items())
    return all(pattern == wanted for pattern in patterns.values()), seen


@expects(r"phase (?P<phase>[a-z]+)", "phase deciding")
def _phase(stage: Stage, found: re.Match[str]) -> Seen:
    return stage.hardware.screen.code == found["phase"], f"phase {stage.hardware.screen.code}"


@expects(r'(?P<no>no )?prompt "(?P<text>.+)"', 'prompt "Press OPEN"')
def _prompt(stage: Stage, found: re.Match[str]) -> Seen:
    shown = " / ".join(stage.hardware.screen.lines)
    return (found["text"] in shown) != bool(found["no"]), f'prompt "{shown}"'


@expects(r'refusal "(?P<text>.+)"', 'refusal "nobody has bet yet"')
def _refusal(stage: Stage, found: re.Match[str]) -> Seen:
    shown = stage.hardware.screen.refusal
    return found["text"] in shown, f'refusal "{shown}"'


@expects(r'sign "(?P<text>.+)"', 'sign "no jackpot bets"')
def _sign(stage: Stage, found: re.Match[str]) -> Seen:
    return found["text"] in stage.hardware.screen.sign, f'sign "{stage.hardware.screen.sign}"'


@expects(r"meter (?P<amount>\$\S+)", "meter $100,005.00")
def _meter(stage: Stage, found: re.Match[str]) -> Seen:
    shown = stage.hardware.screen.meter_cents
    seen = "no meter" if shown is None else f"meter {money(shown)}"
    return shown == cents(found["amount"]), seen


@expects(
    r"(?P<count>\d+ |no )?messages? (?P<kind>[a-z_]+)(?: seat (?P<seat>\d))?(?P<fields>(?: [\w.]+=\S+)*)",
    "message contribution seat 1 stake_cents=500",
)
def _message(stage: Stage, found: re.Match[str]) -> Seen:
    wanted = dict(word.split("=", 1) for word in found["fields"].split())
    if found["seat"]:
        wanted["seat"] = found["seat"]
    alike = [m for m in stage.distinct_messages() if m.get("message") == found["kind"]]
    fitting = [m for m in alike if all(_same(m, key, value) for key, value in wanted.items())]
    seen = "; ".join(msgspec.json.encode(message).decode() for message in alike[-3:])
    if found["count"] is None:
        return bool(fitting), seen or f"no message {found['kind']}"
    count = 0 if found["count"] == "no " else int(found["count"])
    return len(fitting) == count, f"{len(fitting)} of them: {seen}"


def _same(message: dict[str, object], key: str, value: str) -> bool:
    found: object = message
    for part in key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return str(found).lower() == value.lower()


@expects(
    r"(?P<no>no )?journal (?P<event>[a-z_]+)(?P<fields>(?: [\w.]+=\S+)*)", "journal bets_closed"
)
def _journal(stage: Stage, found: re.Match[str]) -> Seen:
    events = stage.journal()
    wanted = dict(word.split("=", 1) for word in found["fields"].split())
    fitting = [
        event
        for event in events
        if event.get("event") == found["event"]
        and all(_same(event, key, value) for key, value in wanted.items())
    ]
    last = ", ".join(str(event.get("event")) for event in events[-6:])
    return bool(fitting) != bool(found["no"]), f"the journal ends with {last}"


@expects(r"nothing is owed", "nothing is owed")
def _nothing_owed(stage: Stage, _found: re.Match[str]) -> Seen:
    owed = stage.unanswered()
    return not owed, f"not acknowledged: {', '.join(owed) or 'nothing'}"
