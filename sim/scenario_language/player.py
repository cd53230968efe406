"""Plays scenario files and reports how they went: `underfelt-sim play FILE …`."""

import argparse
import asyncio
import difflib
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from firmware.errors import BadInput, UnderfeltError
from firmware.rules.game import Game
from firmware.rules.games import find_game
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.scenario_language import (
    expectations,
    people,  # adds its sentences too
    sentences,
    table_setup,
)
from sim.scenario_language import mishaps as _mishaps  # noqa: F401  # adds its sentences
from sim.scenario_language.disk import CannotBePlayed
from sim.scenario_language.reader import Scenario, Sentence, read_scenario
from sim.scenario_language.stage import ScenarioStage

LIBRARY = Path(__file__).parent.parent / "scenarios"
_STAYS_S = 0.4
"""How long something that must not happen is watched for."""


class ScenarioFailed(UnderfeltError):  # noqa: N818  # the word users see
    """A sentence failed: where, what was expected, and what was seen."""


class Played(Struct, frozen=True):
    """How one file went; `failure` is empty if everything was as expected."""

    path: Path
    seconds: float
    failure: str = ""
    skipped: str = ""


async def play(scenario: Scenario, folder: Path, broker: Broker) -> None:
    """Play one scenario from its first sentence to its last."""
    check_scenario(scenario)
    async with ScenarioStage(scenario.head, folder, broker) as stage:
        for place, sentence in enumerate(scenario.sentences):
            await say(stage, scenario, sentence, scenario.sentences[place + 1 : place + 2])


async def say(
    stage: ScenarioStage, scenario: Scenario, sentence: Sentence, following: Sequence[Sentence] = ()
) -> None:
    """Play one sentence; the next one says whether a refusal is expected."""
    try:
        await perform(stage, sentence)
        _check_taken(stage, sentence, following)
    except UnderfeltError as error:
        where = f"{scenario.path}:{sentence.line}"
        raise ScenarioFailed(f"{where}: {sentence.text}\n    {error}") from None


def check_scenario(scenario: Scenario) -> None:
    """Make sure that every sentence is understood before anything is played."""
    try:
        table_setup.check_head(scenario.head)
        game = find_game(scenario.head.game)
    except BadInput as error:
        raise BadInput(f"{scenario.path}:1", str(error)) from None
    for sentence in scenario.sentences:
        expected = sentence.text.removeprefix("expect ")
        is_expectation = expected != sentence.text
        known = (
            expectations.find_expectation(expected)
            if is_expectation
            else sentences.find_sentence(sentence, game)
        )
        if known is None:
            meant = nearest_sentence(sentence.text, game)
            raise BadInput(
                f"{scenario.path}:{sentence.line}",
                f"{sentence.text!r} is not a sentence; the nearest is '{meant}' "
                "('underfelt-sim play --language' lists all)",
            )
        try:
            people.hands(sentence)
        except BadInput as error:
            raise BadInput(f"{scenario.path}:{sentence.line}", str(error)) from None


def nearest_sentence(text: str, game: Game) -> str:
    """Return the example of the sentence that was probably meant."""
    others = [other for pattern in sentences.SENTENCE_FORMS for other in pattern.others]
    answers = [f"{answer} 3" for answer in sorted(game.answers)]
    known = [*(example for example, _ in language()), *others, *answers]
    return max(known, key=lambda example: difflib.SequenceMatcher(None, text, example).ratio())


def language() -> Iterator[tuple[str, str]]:
    """List every sentence: an example and what it means."""
    for pattern in sentences.SENTENCE_FORMS:
        yield pattern.example, pattern.meaning
    for known in expectations.EXPECTATIONS:
        yield known.example, known.meaning


def _check_taken(stage: ScenarioStage, sentence: Sentence, following: Sequence[Sentence]) -> None:
    """Fail if the table refuses a key and the scenario does not expect it."""
    refusal = stage.hardware.screen.refusal
    expected = any(after.text.startswith("expect refusal") for after in following)
    if refusal and not expected and not sentence.text.startswith("expect "):
        raise ScenarioFailed(f'expected: the table accepts it\n    seen:     refusal "{refusal}"')


async def perform(stage: ScenarioStage, sentence: Sentence) -> None:
    """Carry out a sentence, or wait for what it expects."""
    if sentence.text.startswith("expect "):
        await _expect(stage, sentence.text.removeprefix("expect "))
    elif found := sentences.find_sentence(sentence, stage.hardware.settings.rules):
        action, match = found
        await action(stage, match, sentence)


async def _expect(stage: ScenarioStage, text: str) -> None:
    found = expectations.find_expectation(text)
    if found is None:
        raise BadInput(text, "is not an expectation")
    looks, match = found
    seen = await stage.until(lambda: looks(stage, match)[0])
    if seen and text.startswith("no "):
        await asyncio.sleep(_STAYS_S)
        seen = looks(stage, match)[0]
    if text.startswith("refusal ") and seen:
        stage.hardware.screen.refusal = ""
    if not seen:
        raise ScenarioFailed(f"expected: {text}\n    seen:     {looks(stage, match)[1]}")


async def play_file(path: Path, broker: Broker) -> Played:
    """Play one file in a folder of its own."""
    began = time.monotonic()
    failure = skipped = ""
    with tempfile.TemporaryDirectory(prefix="underfelt-", ignore_cleanup_errors=True) as folder:
        try:
            await play(read_scenario(path), Path(folder), broker)
        except CannotBePlayed as error:
            skipped = str(error)
        except UnderfeltError as error:
            failure = str(error)
    return Played(path, time.monotonic() - began, failure, skipped)


def add_scenario_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `underfelt-sim play`."""
    parser.add_argument("files", type=Path, nargs="*", help="scenario files (default: the library)")
    parser.add_argument("--language", action="store_true", help="list the sentences, play nothing")
    parser.add_argument(
        "--check", action="store_true", help="check that every sentence is understood, play nothing"
    )
    parser.add_argument("--broker", choices=("embedded", "mosquitto"), default="embedded")


def run_scenarios(options: argparse.Namespace) -> int:
    """Play files one after another; the exit status says whether all went as expected."""
    if options.language:
        for example, meaning in language():
            print(f"  {example:<50} {meaning}")
        return 0
    if options.broker == "mosquitto" and mosquitto_path() is None:
        print("underfelt-sim: mosquitto is not installed; use --broker embedded", file=sys.stderr)
        return 2
    files = options.files or sorted(LIBRARY.glob("**/*.table"))
    for path in files:
        check_scenario(read_scenario(path))
    if options.check:
        print(f"{len(files)} understood")
        return 0
    kind = Mosquitto if options.broker == "mosquitto" else EmbeddedBroker
    with tempfile.TemporaryDirectory(prefix="underfelt-") as folder, kind(Path(folder)) as broker:
        return _tell(files, broker)


def _tell(files: Sequence[Path], broker: Broker) -> int:
    told = {"played": 0, "FAILED": 0, "SKIPPED": 0}
    for path in files:
        played = asyncio.run(play_file(path, broker))
        word = "FAILED" if played.failure else "SKIPPED" if played.skipped else "played"
        told[word] += 1
        print(f"{word}  {path}  ({played.seconds:.1f} s)", flush=True)
        if word != "played":
            print(f"  {played.failure or played.skipped}", flush=True)
    summary = f"{told['played']} played as expected, {told['FAILED']} failed"
    print(summary + (f", {told['SKIPPED']} SKIPPED" if told["SKIPPED"] else ""))
    return 1 if told["FAILED"] else 0
