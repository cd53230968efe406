"""Plays scenario files and tells how they went: `underfelt-sim play FILE …`."""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from firmware.errors import BadInput, UnderfeltError
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.scenario import expectations, script
from sim.scenario.language import Scenario, Sentence, read
from sim.scenario.stage import Stage

LIBRARY = Path(__file__).parent.parent / "scenarios"


class ScenarioFailed(UnderfeltError):  # noqa: N818  # the word users see
    """A sentence that did not do what the file says: where, what was expected, what was seen."""


class Played(Struct, frozen=True):
    """How one file went; `failure` is empty when everything was as expected."""

    path: Path
    seconds: float
    failure: str = ""


async def play(scenario: Scenario, folder: Path, broker: Broker) -> None:
    """Play one scenario from its first sentence to its last."""
    check(scenario)
    async with Stage(scenario.head, folder, broker) as stage:
        for sentence in scenario.sentences:
            try:
                await perform(stage, sentence)
            except UnderfeltError as error:
                where = f"{scenario.path}:{sentence.line}"
                raise ScenarioFailed(f"{where}: {sentence.text}\n    {error}") from None


def check(scenario: Scenario) -> None:
    """Make sure that every sentence is understood before anything is played."""
    for sentence in scenario.sentences:
        expected = sentence.text.removeprefix("expect ")
        known = expectations.find(expected) if expected != sentence.text else script.find(sentence)
        if known is None:
            raise BadInput(
                f"{scenario.path}:{sentence.line}",
                f"{sentence.text!r} is no sentence; 'underfelt-sim play --language' lists them",
            )


async def perform(stage: Stage, sentence: Sentence) -> None:
    """Do what a sentence says, or wait for what it expects."""
    if sentence.text.startswith("expect "):
        await _expect(stage, sentence.text.removeprefix("expect "))
    elif found := script.find(sentence):
        action, match = found
        await action(stage, match, sentence)


async def _expect(stage: Stage, text: str) -> None:
    found = expectations.find(text)
    if found is None:
        raise BadInput(text, "is no expectation")
    looks, match = found
    if not await stage.until(lambda: looks(stage, match)[0]):
        raise ScenarioFailed(f"expected: {text}\n    seen:     {looks(stage, match)[1]}")


async def play_file(path: Path, broker: Broker) -> Played:
    """Play one file in a folder of its own."""
    began = time.monotonic()
    failure = ""
    with tempfile.TemporaryDirectory(prefix="underfelt-", ignore_cleanup_errors=True) as folder:
        try:
            await play(read(path), Path(folder), broker)
        except UnderfeltError as error:
            failure = str(error)
    return Played(path, time.monotonic() - began, failure)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take what `run` needs from the command line."""
    parser.add_argument("files", type=Path, nargs="*", help="scenario files (default: the library)")
    parser.add_argument("--language", action="store_true", help="list the sentences, play nothing")
    parser.add_argument("--broker", choices=("embedded", "mosquitto"), default="embedded")


def run(options: argparse.Namespace) -> int:
    """Play files one after another; the exit status says whether all went as expected."""
    if options.language:
        said = [pattern.example for pattern in script.PATTERNS]
        for example in (*said, *(known.example for known in expectations.EXPECTATIONS)):
            print(f"  {example}")
        return 0
    if options.broker == "mosquitto" and mosquitto_path() is None:
        print("underfelt-sim: mosquitto is not installed; use --broker embedded", file=sys.stderr)
        return 2
    files = options.files or sorted(LIBRARY.glob("**/*.table"))
    kind = Mosquitto if options.broker == "mosquitto" else EmbeddedBroker
    with tempfile.TemporaryDirectory(prefix="underfelt-") as folder, kind(Path(folder)) as broker:
        return _tell(files, broker)


def _tell(files: Sequence[Path], broker: Broker) -> int:
    failed = 0
    for path in files:
        played = asyncio.run(play_file(path, broker))
        failed += bool(played.failure)
        word = "FAILED" if played.failure else "played"
        print(f"{word}  {path}  ({played.seconds:.1f} s)", flush=True)
        if played.failure:
            print(f"  {played.failure}", flush=True)
    print(f"{len(files) - failed} played as expected, {failed} failed")
    return 1 if failed else 0
