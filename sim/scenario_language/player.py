"""Plays scenario files and reports how they went: `underfelt-sim play FILE …`."""

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import BadInput, UnderfeltError
from firmware.rules.words import counted
from firmware.shell.command_line import FAILED, complain
from sim.arguments import whole
from sim.broker import Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.scenario_language import expectations, sentences
from sim.scenario_language.disk import CannotBePlayed
from sim.scenario_language.keeping import check_folder, kept_folder
from sim.scenario_language.language import FILLED_IN, every_form, forms_with
from sim.scenario_language.mistakes import file_mistakes, mistakes_in
from sim.scenario_language.reader import Scenario, Sentence, read_scenario
from sim.scenario_language.stage import ScenarioStage, Staging
from sim.scenario_language.table_stage import TableStage
from sim.table.visible import as_text, visible

LIBRARY = Path(__file__).parent.parent / "scenarios"
_MOST_MISTAKES = 50
"""So many are listed; who mends them sees the others next time."""
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
    kept: Path | None = None
    """Where the journal is kept."""


class Playing(Struct, frozen=True, kw_only=True):
    """How scenarios are played."""

    seed: int = 0
    show: bool = False
    keep: Path | None = None


_AS_USUAL = Playing()


async def play(scenario: Scenario, folder: Path, broker: Broker, how: Playing = _AS_USUAL) -> None:
    """Play one scenario from its first sentence to its last."""
    check_scenario(scenario)
    staging = Staging(name=scenario.path.stem, seed=how.seed, keep=how.keep)
    stage = ScenarioStage(scenario.head, folder, broker, staging)
    async with stage:
        if how.show:
            print(f"{scenario.title}\n  at sim:{stage.name}\n", flush=True)
            await _show(stage)
        for place, sentence in enumerate(scenario.sentences):
            if how.show:
                print(f"\n{scenario.path.name}:{sentence.line}: {sentence.text}", flush=True)
            await say(stage, scenario, sentence, scenario.sentences[place + 1 : place + 2])
            if how.show:
                await _show(stage)


async def _show(stage: TableStage) -> None:
    """Show what a person at the table sees."""
    await stage.until_quiet(lamps=True)
    print(as_text(visible(stage.hardware)), flush=True)


async def say(
    stage: TableStage, scenario: Scenario, sentence: Sentence, following: Sequence[Sentence] = ()
) -> None:
    """Play one sentence; the next one says whether a refusal is expected."""
    try:
        await perform(stage, sentence)
        _check_taken(stage, sentence, following)
    except UnderfeltError as error:
        where = f"{scenario.path}:{sentence.line}"
        raise ScenarioFailed(f"{where}: {sentence.text}\n{indent(str(error), '    ')}") from None


def check_scenario(scenario: Scenario) -> None:
    """Make sure that every sentence is understood before anything is played."""
    for mistake in mistakes_in(scenario):
        raise BadInput(f"{scenario.path}:{mistake.line}", mistake.words)


def _check_taken(stage: TableStage, sentence: Sentence, following: Sequence[Sentence]) -> None:
    """Fail if the table refuses a key and the scenario does not expect it."""
    refusal = stage.hardware.screen.refusal
    expected = any(after.text.startswith("expect refusal") for after in following)
    if refusal and not expected and not sentence.text.startswith("expect "):
        raise ScenarioFailed(f'expected: the table accepts it\nseen:     refusal "{refusal}"')


async def perform(stage: TableStage, sentence: Sentence) -> None:
    """Carry out a sentence, or wait for what it expects."""
    if sentence.text.startswith("expect "):
        await _expect(stage, sentence.text.removeprefix("expect "))
    elif found := sentences.find_sentence(sentence, stage.hardware.settings.rules):
        action, match = found
        await action(stage, match, sentence)


async def _expect(stage: TableStage, text: str) -> None:
    found = expectations.find_expectation(text)
    if found is None:
        raise BadInput(text, "is not an expectation")
    looks, match = found
    seen = await stage.until(lambda: looks(stage, match)[0], stage.expects_s)
    if seen and text.startswith("no "):
        await asyncio.sleep(_STAYS_S)
        seen = looks(stage, match)[0]
    if text.startswith("refusal ") and seen:
        stage.hardware.screen.refusal = ""
    if not seen:
        raise ScenarioFailed(f"expected: {text}\nseen:     {looks(stage, match)[1]}")


async def play_file(path: Path, broker: Broker, how: Playing = _AS_USUAL) -> Played:
    """Play one file in a folder of its own."""
    began = time.monotonic()
    failure = skipped = ""
    kept = None if how.keep is None else kept_folder(how.keep, path)
    with tempfile.TemporaryDirectory(prefix="underfelt-", ignore_cleanup_errors=True) as folder:
        try:
            await play(read_scenario(path), Path(folder), broker, replace(how, keep=kept))
        except CannotBePlayed as error:
            skipped = str(error)
        except UnderfeltError as error:
            failure = str(error)
    return Played(path, time.monotonic() - began, failure, skipped, kept)


def add_scenario_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `underfelt-sim play`."""
    parser.add_argument(
        "files", type=Path, nargs="*", metavar="FILE", help="scenario files (default: the library)"
    )
    parser.add_argument(
        "--language",
        action="store_true",
        help="list every form of every sentence; with words instead of files, those with the words",
    )
    parser.add_argument(
        "--check", action="store_true", help="list every mistake in the files, and play nothing"
    )
    parser.add_argument(
        "--show", action="store_true", help="show lamps, panel and sign after every sentence"
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the journals in this folder")
    parser.add_argument(
        "--seed",
        type=whole(),
        default=0,
        help="shuffle the hands that no file names differently (default 0)",
    )
    parser.add_argument(
        "--broker",
        choices=("embedded", "mosquitto"),
        default="embedded",
        help="the broker of the tables (default embedded)",
    )


def run_scenarios(options: argparse.Namespace) -> int:
    """Play files one after another; the exit status says whether all went as expected."""
    if options.language:
        return _print_language([str(word) for word in options.files])
    if options.broker == "mosquitto" and mosquitto_path() is None:
        print("underfelt-sim: mosquitto is not installed; use --broker embedded", file=sys.stderr)
        return 2
    files = options.files or sorted(LIBRARY.glob("**/*.table"))
    if wrong := [words for path in files for words in file_mistakes(path)]:
        return _complain_of(wrong)
    if options.check:
        print(f"no mistake in {counted(len(files), 'file')}")
        return 0
    if options.keep is not None:
        check_folder(options.keep)
    how = Playing(seed=options.seed, show=options.show, keep=options.keep)
    kind = Mosquitto if options.broker == "mosquitto" else EmbeddedBroker
    # Ended like this, tables are stopped and their names are gone.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="underfelt-") as folder,
            kind(Path(folder)) as broker,
        ):
            return _tell(files, broker, how)
    except KeyboardInterrupt:
        print("stopped; the tables have ended")
        return 130


def _complain_of(wrong: Sequence[str]) -> int:
    for words in wrong[:_MOST_MISTAKES]:
        complain("underfelt-sim", words)
    if len(wrong) > _MOST_MISTAKES:
        complain("underfelt-sim", f"and {counted(len(wrong) - _MOST_MISTAKES, 'more mistake')}")
    return FAILED


def _print_language(words: Sequence[str]) -> int:
    """Print every form of every sentence, or of those that have these words."""
    said = " ".join(words)
    found = list(forms_with(said, every_form()))
    for meaning, forms in found:
        print(f"{meaning}:")
        print("".join(f"  {form}\n" for form in forms))
    if not found:
        raise BadInput("--language", f"no sentence has the words {said!r}")
    print(FILLED_IN)
    return 0


def _tell(files: Sequence[Path], broker: Broker, how: Playing) -> int:
    told = {"played": 0, "FAILED": 0, "SKIPPED": 0}
    for path in files:
        played = asyncio.run(play_file(path, broker, how))
        word = "FAILED" if played.failure else "SKIPPED" if played.skipped else "played"
        told[word] += 1
        print(f"{word}  {path}  ({played.seconds:.1f} s)", flush=True)
        if word != "played":
            print(f"  {played.failure or played.skipped}", flush=True)
        if played.kept is not None and played.kept.is_dir():
            print(f"  the journal is kept: underfelt journal show {played.kept}", flush=True)
    summary = f"{told['played']} played as expected, {told['FAILED']} failed"
    print(summary + (f", {told['SKIPPED']} SKIPPED" if told["SKIPPED"] else ""))
    return 1 if told["FAILED"] else 0
