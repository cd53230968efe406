"""The kit: it passes who does as the contract says, and finds each mistake on purpose."""

import ast
import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType

import pytest

from firmware.link.settings import LinkSettings
from sim import lifeline
from sim.broker import HOST, Broker, EmbeddedBroker, Mosquitto, mosquitto_path
from sim.conformance.kit import CHECKS, WATCHED, Result, conform
from sim.conformance.units import INTRODUCTION
from sim.jackpot_controller.process import JackpotProcess
from sim.jackpot_controller.schema import JackpotLinkSettings
from tests.conformance import second_controller, second_units
from tests.conformance.second_controller import SecondController, ended
from tests.link.asyncapi import CONTRACT
from tests.link.ends import HANGS_AFTER_S

PATIENT_S = HANGS_AFTER_S
HASTY_S = 1.5
"""Enough to find a mistake; whoever makes none has all the time that a busy machine needs."""
NAMES = ("K1", "K2", "K3")
Accept = Callable[[str, str], Awaitable[None]]
COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    kind = EmbeddedBroker if mosquitto_path() is None else Mosquitto
    with kind(tmp_path_factory.mktemp("broker")) as running:
        yield running


def root_of(folder: Path) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "-", folder.name)


async def checked(  # noqa: PLR0913  # what a run needs
    broker: Broker,
    root: str,
    only: str = "",
    patience_s: float = PATIENT_S,
    *,
    slow: bool = True,
    accept: Accept | None = None,
) -> list[Result]:
    link = LinkSettings(host=HOST, port=broker.port, root=root)
    chosen = [
        each
        for each in CHECKS
        if (not only or only in each.paragraphs.split(", ")) and (slow or not each.slow)
    ]
    return await conform(link, NAMES, chosen, patience_s, accept=accept)


def found(results: list[Result]) -> dict[str, tuple[str, ...]]:
    return {each.paragraphs: each.wrong for each in results if each.wrong}


def by_the_house(folder: Path) -> Accept:
    """Order at the stand-in that a unit goes on, and wait until that is carried out."""

    async def accept(table: str, journal: str) -> None:
        unit = (f"--table={table}", f"--journal={journal}", "--by=300")
        books = f"--database={folder / 'jackpot.sqlite'}"
        ordering = await asyncio.create_subprocess_exec(
            *(COMMAND, "jackpot", "accept-unit", books, *unit), stdout=subprocess.DEVNULL
        )
        assert await ordering.wait() == 0

    return accept


@pytest.mark.parametrize(
    "game", ["rws-multilink-stud", "rws-holdem", "mbs-megalink-stud", "mbs-singapore-stud"]
)
def test_the_stand_in_does_nothing_wrong(game: str, broker: Broker, tmp_path: Path) -> None:
    root = root_of(tmp_path)

    async def played() -> list[Result]:
        jackpot = JackpotProcess(
            JackpotLinkSettings(game, 10_000_000, 5_000, root=root), tmp_path, broker
        )
        await jackpot.start()
        try:
            # What is slow has nothing to do with the game: once is enough.
            return await checked(
                broker, root, slow=game == "rws-multilink-stud", accept=by_the_house(tmp_path)
            )
        finally:
            await jackpot.stop()

    assert found(asyncio.run(played())) == {}


# ── the second controller ────────────────────────────────────────────────────


@asynccontextmanager
async def serving(broker: Broker, folder: Path, wrong: str = "") -> AsyncIterator[Accept]:
    """Let the second controller serve in this process."""
    second = SecondController(broker.port, root_of(folder), folder / "books.json", wrong)
    task = asyncio.create_task(second.run())

    async def accept(table: str, journal: str) -> None:
        second.units.accept(table, journal, "300")

    try:
        yield accept
        assert not task.done(), task
    finally:
        await ended(task)


def results_of(broker: Broker, folder: Path, wrong: str, only: str = "") -> list[Result]:
    async def played() -> list[Result]:
        async with serving(broker, folder, wrong) as accept:
            patience_s = HASTY_S if wrong else PATIENT_S
            return await checked(broker, root_of(folder), only, patience_s, accept=accept)

    return asyncio.run(played())


def test_the_second_controller_does_nothing_wrong(broker: Broker, tmp_path: Path) -> None:
    assert found(results_of(broker, tmp_path, "")) == {}


@pytest.mark.parametrize("half", [second_controller, second_units])
def test_the_second_controller_knows_only_what_a_vendor_knows(half: ModuleType) -> None:
    tree = ast.parse(Path(str(half.__file__)).read_text(encoding="utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        if name != second_units.__name__
    }
    assert imported & {"firmware", "sim", "host_tools", "tests"} == set()


MISTAKES = {
    "meter not retained": ("1.2", "nothing is retained on .*/controller/meter"),
    "answers retained": ("1.2", "an answer is retained"),
    "qos 0": ("1.2", "with QoS 0"),
    "no heartbeat": ("2.1", "not published again within 6 s"),
    "applies twice": ("3.2", "raised the meter by .* instead of"),
    "other contents": ("3.2", "another stake and was not rejected"),
    "believes anybody": ("3.3", "spoke for K2, and it was acknowledged"),
    "refuses unknown fields": ("1.8", "does not acknowledge the contribution"),
    "keeps what is reversed": ("4.6", "a contribution and its reversal changed the meter"),
    "answers early": ("2.5", "came before its contribution was answered"),
    "compares no counts": ("4.7", "was not answered with a mismatch"),
    "takes a second unit": ("7.2", "a second unit of table K1 was not refused"),
    "reuses a sequence": ("3.5", "stands for two contents"),
    "acknowledges first": ("5.2", "acknowledgement of a final win came before its award"),
    "needs no verdict": ("5.6", "was awarded before its verdict|is not published as pending"),
    "does not lock": ("5.6", "the displayed meter rose while a major was pending"),
    "awards differ": ("5.5", "awarded [0-9]+( cents)?, then"),
    "meter before award": ("5.4", "published as reset before the award"),
    "pays what is not seen": ("6.6", "before table K2 had it in seen_pending"),
    "pays without the absent": ("6.5", "while table K2 was offline"),
    "younger first": ("6.4", "two royal flushes of .* were awarded"),
    "pays before older hands": ("6.2", "played a hand dealt before it"),
    "pays before older rounds are paid": ("6.2", "had not paid a round dealt before it"),
    "pays while its own table owes": ("6.2", "while its own table owed messages about money"),
    "awards before a withdrawal": ("5.4", "a withdrawal came before its acknowledgement"),
    "loses the reserve": ("5.7", "500 cents were contributed while a major was pending"),
    "pending before meter": ("3.5", "left the pending claims before the meter was published"),
    "holds meters back": (
        "3.5",
        "pending claims hold [0-9]+ cents, and the meter published before",
    ),
    "keeps the reset value": ("5.9", "an award was withdrawn, and the meter is"),
    "pays what is withdrawn": ("5.9", "although it was withdrawn|still published as pending"),
    "awards what is paid": ("5.8", "although its table had paid it already"),
    "no locked meter": ("5.11", "locked_cents None instead of [0-9]+"),
    "holds what was paid": ("5.11", "locked_cents [0-9]+ instead of 5000000"),
    "no percent": ("5.11", r"has percent \[None\] instead of 100"),
    "no meter in an award": ("5.10", "meter_cents None instead of [0-9]+"),
    "accepts nobody": ("7.6", "is neither accepted nor refused"),
    "accepts for other books": ("7.6", "in the name of books 'others'"),
    "accepts an older copy": ("7.8", "accepted, although its journal ends before"),
    "accepts what was played on": ("7.8", "accepted, although its journal has another chain"),
    "accepts another chain": ("7.7", "accepted, although its journal has another chain"),
    "accepts another key": ("7.5", "accepted, although its journal is signed with another key"),
    "needs no head": ("7.7", "accepted, although its journal has a known head, and it shows none"),
    "goes on without a word": ("7.11", "go on, and it is accepted without goes_on"),
    "forgets for whom an order is": ("7.11", "before an order was in its journal, and its next"),
    "goes on too early": ("7.11", "a start goes on from .* instead of"),
    "lets anybody go on": ("7.11", "to go on after record 9, and nobody has ordered it"),
    "forgets what else is withdrawn": ("5.9", "although the withdrawal of another claim had named"),
    "believes any signature": ("7.5", "accepted, although its journal is not signed with"),
    "takes a second start": ("7.9", "was accepted after"),
    "refuses for ever": ("7.9", "gone without a last will, and its next start was not accepted"),
    "forgets who waits": ("7.6", "asks every 30 s, was not accepted when it asked again"),
    "believes what is said again": ("7.12", "said again and again, and its next start was not"),
    "believes any last will": ("7.10", "said that it is gone, and the claim .* was not paid"),
    "believes an old last will": ("7.10", "said an old last will .* was not paid"),
    "believes a last will that nobody has signed": (
        "7.10",
        "somebody without the key .* said that it is gone, and the claim .* was not paid",
    ),
}


PLAYED = {"reuses a sequence": "4.5", "takes a second start": "7.12", "refuses for ever": "7.12"}
"""By what to find a mistake that is seen in any play, or that needs only one of two slow checks."""


@pytest.mark.parametrize("wrong", MISTAKES)
def test_a_mistake_is_found_and_named_by_its_paragraph(
    wrong: str, broker: Broker, tmp_path: Path
) -> None:
    paragraph, words = MISTAKES[wrong]
    results = results_of(broker, tmp_path, wrong, PLAYED.get(wrong, paragraph))
    named = [
        text
        for each in results
        if paragraph in each.paragraphs.split(", ")
        for text in each.wrong
        if re.search(words, text)
    ]
    assert named, [each.line for each in results]


# ── restarts, as a command ───────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("wrong", "only", "words"),
    [
        ("", "4.1", "all [0-9]+ are right"),
        ("", "7.7", "all [0-9]+ are right"),
        (
            "forgets",
            "4.1",
            "after a restart it (has [0-9]+ contributions|names other books)|a restart took",
        ),
        ("no will", "4.1", "it leaves no last will"),
        ("forgets heads", "7.7", "accepted, although its journal ends before"),
    ],
)
def test_a_controller_that_is_killed_and_started_again_is_judged_by_what_it_remembers(
    wrong: str, only: str, words: str, broker: Broker, tmp_path: Path
) -> None:
    script = tmp_path / "restart.py"
    second = lifeline.module(
        "tests.conformance.second_controller",
        *(str(broker.port), root_of(tmp_path), str(tmp_path / "books.json")),
        *([wrong] if wrong else []),
    )
    pid = tmp_path / "pid"
    running = subprocess.Popen(second, stdin=subprocess.PIPE)
    pid.write_text(str(running.pid))
    ask, answer = tmp_path / "ask", tmp_path / "answer"
    script.write_text(
        f"import pathlib, time\npathlib.Path({str(ask)!r}).touch()\n"
        f"while not pathlib.Path({str(answer)!r}).exists(): time.sleep(0.02)\n"
    )
    kit = subprocess.Popen(
        [
            *(COMMAND, "conformance", f"--broker=mqtt://{HOST}:{broker.port}"),
            *(f"--root={root_of(tmp_path)}", f"--only={only}"),
            *(f"--patience={HASTY_S if wrong else PATIENT_S}",),
            f"--restart={sys.executable} {script}",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    again: subprocess.Popen[bytes] | None = None
    try:
        while kit.poll() is None and not ask.exists():
            with_timeout(kit)
        running.kill()
        running.wait()
        again = subprocess.Popen(second, stdin=subprocess.PIPE)
        answer.touch()
        printed = kit.communicate(timeout=3 * HANGS_AFTER_S)[0]
    finally:
        kit.kill()
        kit.wait()
        for process in filter(None, (running, again)):
            process.kill()
            process.wait()
    assert re.search(words, printed), printed
    assert kit.returncode == (1 if wrong else 0)


def with_timeout(process: subprocess.Popen[str]) -> None:
    """Give a process a moment to go on, or to end."""
    try:
        process.wait(0.05)
    except subprocess.TimeoutExpired:
        return


# ── the report ───────────────────────────────────────────────────────────────


def test_every_check_cites_paragraphs_of_the_contract() -> None:
    text = CONTRACT.read_text(encoding="utf-8")
    there = set(re.findall(r"^([0-9]+\.[0-9]+) ", text, flags=re.MULTILINE))
    checks = (INTRODUCTION, *CHECKS)
    cited = {each for check in checks for each in check.paragraphs.split(", ")} | set(WATCHED)
    assert cited <= there


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--root=nobody-is-here"], "no jackpot controller says on nobody-is-here/controller"),
        (["--tables=A,B"], "--tables: needs three names"),
    ],
)
def test_what_keeps_the_kit_from_checking_is_one_sentence(
    arguments: list[str], words: str, broker: Broker
) -> None:
    command = [COMMAND, "conformance", f"--broker=mqtt://{HOST}:{broker.port}", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert words in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
