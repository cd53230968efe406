"""That mistakes in the code are noticed by the tests, and that this would be noticed itself.

`MUTATIONS_SEED=7 make soak ARGS=tests/mutations` searches elsewhere; the seed and the line of
what survived are printed. `MUTATIONS_FEWER=3` divides the sample, `--log-cli-level=info` says
how far it is.
"""

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct

from tests.mutations.generic import Edit, places, sample
from tests.mutations.handmade import MISTAKES
from tests.mutations.mistakes import Mistake
from tests.mutations.workshop import TREE, Verdict, Workshop

SEED = os.environ.get("MUTATIONS_SEED", "underfelt")
FEWER = int(os.environ.get("MUTATIONS_FEWER", "1"))
LIMIT_S = 300.0
_log = logging.getLogger(__name__)


class Folder(Struct, frozen=True):
    """Code, its tests, and what share of the mistakes in it these have to notice."""

    code: str
    tests: tuple[str, ...]
    """Quick ones first: the first that fails is enough."""
    a_module: int
    """How many mistakes are made in each module."""
    least_percent: int


# The shares are some ten points under what was measured: the sample changes with the code, and
# some mistakes are none, such as a cache of 257 instead of 256.
FOLDERS = (
    Folder("firmware/table", ("tests/table", "tests/maintenance/test_no_card_leaks.py"), 3, 80),
    Folder("firmware/journal", ("tests/journal",), 4, 85),
    Folder(
        "firmware/link",
        (
            "tests/link/test_parts.py",
            "tests/link/test_hostile_messages.py",
            "tests/link/test_connection.py",
            "tests/link/test_tasks.py",
            "tests/link/test_publishing.py",
            "tests/link/test_link.py",
            "tests/link/test_tls.py",
            "tests/link/test_broken_links.py",
        ),
        3,
        70,
    ),
    Folder("firmware/devices", ("tests/devices",), 2, 75),
)


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Copy the tree, once for each process."""
    return Workshop(tmp_path_factory.mktemp("mutations"))


# That the tests notice


@pytest.mark.soak
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_that_would_cost_something_is_noticed(
    workshop: Workshop, mistake: Mistake
) -> None:
    source = mistake.applied((TREE / mistake.file).read_text()).encode()
    verdict = workshop.judge(mistake.file, source, mistake.tests, limit_s=LIMIT_S)
    assert verdict == "killed", f"{mistake.name}: {mistake.why}"


@pytest.mark.soak
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: Path(folder.code).name)
def test_small_mistakes_anywhere_are_mostly_noticed(
    workshop: Workshop, folder: Folder, record_property: Callable[[str, object], None]
) -> None:
    unchanged_s = workshop.seconds_unchanged(folder.tests, limit_s=LIMIT_S)
    verdicts: dict[tuple[str, Edit], Verdict] = {}
    for path in sorted((TREE / folder.code).rglob("*.py")):
        file, source = str(path.relative_to(TREE)), path.read_bytes()
        for edit in sample(source, max(folder.a_module // FEWER, 1), f"{SEED} {file}"):
            limit_s = 2 * unchanged_s + 60
            mutant = edit.applied(source)
            verdict = workshop.judge(file, mutant, folder.tests, limit_s=limit_s)
            verdicts[file, edit] = verdict
            _log.info("%s: %s:%d: %s", verdict, file, edit.line, edit.text)
    survived = [
        f"{file}:{edit.line}: {edit.text}"
        for (file, edit), verdict in verdicts.items()
        if verdict == "survived"
    ]
    endless = list(verdicts.values()).count("timed out")
    percent = 100 * (len(verdicts) - len(survived)) // len(verdicts)
    told = (
        f"mutations in {folder.code}, seed {SEED}: {percent} % of {len(verdicts)} noticed, "
        f"{endless} of them by the time limit"
    )
    record_property("measured", "\n    ".join([told, *survived]))
    assert percent >= folder.least_percent, "\n".join([told, *survived])


# That the machinery works


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_every_mistake_can_still_be_made(mistake: Mistake) -> None:
    source = mistake.applied((TREE / mistake.file).read_text())
    compile(source, mistake.file, "exec")
    assert mistake.old != mistake.new
    assert all((TREE / test).exists() for test in mistake.tests)


def test_a_mistake_whose_text_is_gone_is_an_error() -> None:
    for source in ("", f"{MISTAKES[0].old}{MISTAKES[0].old}"):
        with pytest.raises(AssertionError, match="has its text"):
            MISTAKES[0].applied(source)


QUICK = ("tests/link/test_parts.py",)
OUTBOX = "firmware/link/outbox.py"


@pytest.mark.parametrize(
    ("old", "new", "limit_s", "verdict"),
    [
        ("extendleft(reversed(held))", "extendleft(held)", 60.0, "killed"),
        ("import AnyObligation", "import NoSuchName, AnyObligation", 60.0, "killed"),
        ("It publishes nothing", "It publishes less", 60.0, "survived"),
        ("        under_way = sum(", "        while True: pass\n        sum(", 3.0, "timed out"),
    ],
    ids=["wrong", "not to be imported", "harmless", "endless"],
)
def test_a_mutant_is_judged_by_the_tests_and_leaves_no_trace(
    workshop: Workshop, old: str, new: str, limit_s: float, verdict: Verdict
) -> None:
    good = (TREE / OUTBOX).read_bytes()
    assert good.count(old.encode()) == 1
    mutant = good.replace(old.encode(), new.encode())
    assert workshop.judge(OUTBOX, mutant, QUICK, limit_s=limit_s) == verdict
    assert (workshop.tree / OUTBOX).read_bytes() == good
    assert (TREE / OUTBOX).read_bytes() == good


SOURCE = b'''"""A module of 5 lines, with a \xc2\xa7 in it: columns are bytes."""
LIMIT: Literal[3] = 7
def judge(a: int, b: int = 2) -> bool:
    "\xc2\xa7"; c = a == b
    if not c and a < 10 or b is None:
        raise ValueError
    return True
'''


def test_the_small_mistakes_are_these() -> None:
    assert [(edit.line, edit.text) for variants in places(SOURCE) for edit in variants] == [
        (2, "(8)"),
        (2, "(6)"),
        (3, "(3)"),
        (3, "(1)"),
        (4, "(a != b)"),
        (5, "False"),
        (5, "((not c and a < 10) and b is None)"),
        (5, "(not c or a < 10)"),
        (5, "(c)"),
        (5, "(a <= 10)"),
        (5, "(11)"),
        (5, "(9)"),
        (5, "(b is not None)"),
        (7, "False"),
    ]
    (changed,) = [edit for (edit, *_) in places(SOURCE) if edit.line == 4]
    assert b'"\xc2\xa7"; c = (a != b)\n' in changed.applied(SOURCE)


def test_every_small_mistake_is_a_program_and_another_one() -> None:
    for folder in FOLDERS:
        for path in sorted((TREE / folder.code).rglob("*.py")):
            source = path.read_bytes()
            for edit in (edit for variants in places(source) for edit in variants):
                mutant = edit.applied(source)
                assert mutant != source
                compile(mutant, str(path), "exec")


def test_a_sample_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    source = (TREE / OUTBOX).read_bytes()
    assert sample(source, 4, "a") == sample(source, 4, "a")
    assert sample(source, 4, "a") != sample(source, 4, "b")
    assert len(sample(source, 4, "a")) == 4
    assert len(sample(source, 10_000, "a")) == len(places(source))
