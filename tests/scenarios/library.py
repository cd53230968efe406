"""The library of scenarios, and which of them `make test` plays: `chosen.toml` says why."""

import re
import tomllib
from pathlib import Path

from sim.scenario_language import player
from sim.scenario_language.reader import Scenario, read_scenario
from sim.scenario_language.sentences import SENTENCE_FORMS

FILES = sorted(player.LIBRARY.glob("**/*.table"))
SCENARIOS = [read_scenario(path) for path in FILES]
_LISTS = tomllib.loads((Path(__file__).parent / "chosen.toml").read_text(encoding="utf-8"))
LEFT_TO_SOAK: list[str] = _LISTS.pop("soak")["scenarios"]
CHOSEN: dict[str, dict[str, str]] = _LISTS
"""The scenarios that `make test` plays, by the subjects that they guard."""

MONEY = re.compile(
    r"expect .*(\bpay\b|return|take \$|reversal|message (win|contribution|verdict)|meter \$)"
)
"""An expectation about money: what the panel says of it, or what the jackpot is told."""
_DEVICE = re.compile(r"\b(shoe|shuffler|panel|sign)\b|(?<=wire of the )spot board")
"""A spot board is like any of them where only its wire is concerned."""
_MISHAPS = "sim.scenario_language.mishaps"
_MENDED = re.compile(
    r"power on|(plug in|start|shut|make room) .*|.* is (back|heard|good) ?(again)?"
)


def name_of(path: Path) -> str:
    """Name a file as people do: folder and name."""
    return str(path.relative_to(player.LIBRARY).with_suffix(""))


def chosen() -> set[str]:
    """List the scenarios that `make test` plays."""
    return {name for subjects in CHOSEN.values() for name in subjects.values()}


def said(scenario: Scenario) -> list[str]:
    """List the sentences of a scenario."""
    return [sentence.text for sentence in scenario.sentences]


def is_full_round(scenario: Scenario) -> bool:
    """Tell whether a round is played from the bets to the end, with nothing irregular in it."""
    texts = said(scenario)
    irregular = any(re.match("report |pull |stop |unplug |the (?!table)", text) for text in texts)
    done = {"open", "close", "reveal", "paid", "expect phase idle"} <= set(texts)
    return done and not irregular


def costly_mishaps(scenario: Scenario) -> set[str]:
    """List what goes wrong before money is seen to, whichever device, seat or number it is."""
    texts = said(scenario)
    wrong = [(place, text) for place, text in enumerate(texts) if _goes_wrong(text)]
    return {_kind(text) for place, text in wrong if any(map(MONEY.match, texts[place:]))}


def _goes_wrong(text: str) -> bool:
    forms = [each.form for each in SENTENCE_FORMS if each.action.__module__ == _MISHAPS]
    return any(form.fullmatch(text) for form in forms) and not _MENDED.fullmatch(text)


def _kind(text: str) -> str:
    any_device = _DEVICE.sub("device", text)
    return re.sub(r"\d+(\.\d+)?", "N", any_device)
