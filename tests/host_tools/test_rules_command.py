"""`underfelt rules` as a person or another program meets it: answers, words, tables, help.

The command runs in a process of its own. What it does with bad documents is in
test_rules_bad_input.py, with streams of them in test_rules_lines.py.
"""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.host_tools.command import EXAMPLES, PATIENCE_S, UNDERFELT, run, start

FIVE_GAMES = (
    "rws-multilink-stud",
    "rws-casino-stud",
    "mbs-megalink-stud",
    "mbs-singapore-stud",
    "rws-holdem",
)


@pytest.mark.parametrize("question", EXAMPLES)
def test_the_example_of_the_contract_is_answered_to_the_letter(question: str) -> None:
    asked, answered = EXAMPLES[question]

    ended = run("rules", question, given=json.dumps(asked))

    assert (ended.status, ended.err) == (0, "")
    assert json.loads(ended.out) == answered
    assert ended.out.count("\n") == 1
    assert ended.out.endswith("\n")


def test_a_document_may_be_spread_over_many_lines() -> None:
    asked, answered = EXAMPLES["settle"]

    ended = run("rules", "settle", given=json.dumps(asked, indent=4) + "\n\n")

    assert json.loads(ended.out) == answered


def test_explained_settlement_says_hands_money_and_paragraphs() -> None:
    asked, _ = EXAMPLES["settle"]

    ended = run("rules", "settle", "--explain", given=json.dumps(asked))

    assert (ended.status, ended.err) == (0, "")
    said = [line.strip() for line in ended.out.splitlines()]
    assert said[0] == "Multi-Link Progressive Casino Stud Poker (rws-multilink-stud)"
    dealer, seat = said[1], said[3]
    assert dealer.startswith("Dealer    A♠ K♦ 9♣ 5♥ 2♠   five odd cards, ace")
    assert dealer.endswith("qualifies (§1.14)")
    assert seat == "Seat 1    Q♣ Q♦ 8♥ 4♠ 2♣   one pair, queens, then 8♥ 4♠ 2♣"
    assert "beats the dealer (§3.14.1, §4.1)" in said
    assert "bet                  $50.00   wins: pay $50.00, leave $50.00" in said


def test_explained_ruling_is_one_sentence_with_its_paragraph() -> None:
    asked, _ = EXAMPLES["ruling"]

    ended = run("rules", "ruling", "--explain", given=json.dumps(asked))

    assert (ended.status, ended.err) == (0, "")
    assert ended.out == ("Cards exposed: the round is void; every bet is returned. (§5.8.2)\n")


def test_explained_award_tells_the_payments_in_their_order() -> None:
    asked, _ = EXAMPLES["award"]

    ended = run("rules", "award", "--explain", given=json.dumps(asked))

    assert (ended.status, ended.err) == (0, "")
    meter, house, royal, left = ended.out.splitlines()
    assert meter == "The meter stands at $1,000,000.00, reset $200,000.00."
    assert house.startswith("1. table T1, round 17, seat 4: full house, pay $200.00")
    assert house.endswith("(meter unchanged; §3.15.3)")
    assert royal.startswith("2. table T1, round 17, seat 3: royal flush, pay $1,000,000.00")
    assert royal.endswith("(meter $1,000,000.00 → $200,000.00; §4.2)")
    assert left == "The meter is left at $200,000.00."


@pytest.mark.parametrize("asked", [(), ("--help",)])
def test_the_help_names_the_commands(asked: tuple[str, ...]) -> None:
    ended = run(*asked)

    assert "Usage: underfelt" in ended.out
    assert re.search(r"\brules\b", ended.out)
    assert ended.err == ""
    assert ended.status == 0


@pytest.mark.parametrize("asked", [(), ("--help",)])
def test_the_help_of_rules_names_every_question(asked: tuple[str, ...]) -> None:
    ended = run("rules", *asked)

    for command in ("settle", "ruling", "award", "games", "interpretations"):
        assert re.search(rf"\b{command}\b", ended.out)
    assert ended.err == ""
    assert ended.status == 0


def test_the_help_of_a_question_names_its_options() -> None:
    ended = run("rules", "settle", "--help")

    assert (ended.status, ended.err) == (0, "")
    assert "--lines" in ended.out
    assert "--explain" in ended.out


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (("shuffle",), "shuffle"),
        (("--quick",), "--quick"),
        (("rules", "guess"), "guess"),
        (("rules", "settle", "--quick"), "--quick"),
        (("rules", "settle", "round.json"), "round.json"),
    ],
)
def test_an_unknown_command_or_option_is_one_sentence(asked: tuple[str, ...], named: str) -> None:
    ended = run(*asked)

    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("underfelt: ")
    assert ended.err.count("\n") == 1
    assert named in ended.err


def test_games_puts_the_five_games_side_by_side() -> None:
    ended = run("rules", "games")

    assert (ended.status, ended.err) == (0, "")
    play, rulings = ended.out.split("What happens after an irregularity")
    for table in (play, rulings):
        assert re.findall(r"(?<=┃ )[a-z]+-[a-z-]+", table) == list(FIVE_GAMES)
    assert cells(play)["hand not shown"] == [
        "≠",
        "folded §4.3",
        "loses §4.3",
        "loses §3.10.1",
        "loses I-1",
        "loses §4.3",
    ]
    assert [one.split("§")[0] for one in cells(play)["jackpot bet after a fold"][1:]] == [
        "still wins on player ",
        "is lost ",
        "still wins on player ",
        "still wins on dealer and player ",
        "still wins on community ",
    ]


def test_games_marks_every_irregularity_in_which_they_differ() -> None:
    rulings = cells(run("rules", "games").out.split("What happens after an irregularity")[1])

    assert rulings["foreign card"][0] == ""
    for differs in ("cards exposed", "interruption", "jackpot fault persists", "other"):
        assert rulings[differs][0] == "≠", differs


def cells(table: str) -> dict[str, list[str]]:
    """Read a printed table: the mark and the five games' cells of each row, by its name."""
    found = {}
    for row in re.split(r"^[├└┡].*$", table, flags=re.MULTILINE):
        lines = [line.strip("│").split("│") for line in row.split("\n") if line.startswith("│")]
        if lines:
            mark, name, *games = (
                " ".join(part.strip() for part in column if part.strip())
                for column in zip(*lines, strict=True)
            )
            found[name] = [mark, *games]
    return found


def test_interpretations_prints_all_forty_three() -> None:
    ended = run("rules", "interpretations")

    assert (ended.status, ended.err) == (0, "")
    printed = re.findall(r"^│ (I-\d+) +│", ended.out, flags=re.MULTILINE)
    assert printed == [f"I-{number}" for number in range(1, 44)]


@pytest.mark.parametrize("asked", ["games", "interpretations"])
def test_a_terminal_that_knows_no_unicode_gets_a_table_or_a_sentence(asked: str) -> None:
    assert "Traceback" not in run("rules", asked, PYTHONIOENCODING="ascii").err


@pytest.mark.parametrize("asked", [("rules", "games"), ("--help",)])
def test_output_that_nobody_reads_leaves_no_traceback(asked: tuple[str, ...]) -> None:
    with start(*asked, stdin=subprocess.DEVNULL) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()

        assert command.stderr.read() == b""


def test_a_full_disk_is_one_sentence() -> None:
    asked, _ = EXAMPLES["ruling"]

    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [UNDERFELT, "rules", "ruling"],
            input=json.dumps(asked).encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=PATIENCE_S,
        )

    assert ended.returncode != 0
    assert ended.stderr.startswith(b"underfelt: ")
    assert ended.stderr.count(b"\n") == 1


def test_ctrl_c_ends_the_command_without_a_traceback() -> None:
    asked, _ = EXAMPLES["ruling"]
    with start("rules", "ruling", "--lines") as command:
        assert command.stdin is not None
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdin.write(json.dumps(asked).encode() + b"\n")
        command.stdin.flush()
        command.stdout.readline()

        command.send_signal(signal.SIGINT)

        assert command.wait(PATIENCE_S) == 130
        assert command.stderr.read() == b""
