"""The language of scenarios: what is refused before anything is played, and how it fails.

What each sentence does at a table is proven by the library itself (`test_scenarios.py`).
"""

import asyncio
import os
from pathlib import Path

import pytest

from firmware.errors import BadInput
from firmware.rules.games import find_game
from sim.broker import Broker
from sim.main import main
from sim.scenario_language import expectations, player, sentences, stage
from sim.scenario_language.language import language
from sim.scenario_language.reader import Sentence, cents, parse_scenario

HEAD = "table rws-multilink-stud, 5 seats, shoe\n"
GAME = find_game("rws-multilink-stud")
GUIDE = player.LIBRARY / "README.md"


def checked(text: str) -> None:
    player.check_scenario(parse_scenario(text, Path("x.table")))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            HEAD + "opne\n",
            "x.table:2: 'opne' is not a sentence; the nearest is 'open', then 'next'",
        ),
        (HEAD + "expect lmap 1 is steady\n", "the nearest is 'expect lamp 1 is steady'"),
        (
            HEAD + "expect lamp 1 is stedy\n",
            "x.table:2: 'expect lamp 1 is stedy' is not a sentence",
        ),
        (HEAD + "flop 1\n", "x.table:2: 'flop 1' is not a sentence"),
        (HEAD + "bett 1\n", "x.table:2: 'bett 1' is not a sentence; the nearest is 'bet 3', then"),
        (HEAD + "bonus 1 $25\n", "x.table:2: 'bonus 1 $25' is not a sentence"),
        (HEAD + "pull the plgu\n", "the nearest is 'pull the plug'"),
        (HEAD + "the shoe is angry\n", "is not a sentence; the nearest is 'the shoe is silent'"),
        (HEAD + "report cards_exposd count=1\n", "the nearest is 'report cards_exposed count=2"),
        (HEAD + "expect phase dreaming\n", "the nearest is 'expect phase drawing'"),
        (HEAD + "expect message love\n", "'expect message love' is not a sentence"),
        (HEAD + "expect journal love\n", "'expect journal love' is not a sentence"),
        (HEAD + "clear everything\n", "the nearest is 'clear power_failing'"),
        (HEAD + "deal\n  seat 1: As Kx\n", "x.table:3: Kx: not a card; write rank and suit"),
        (HEAD + "deal\n  seat 1: As Kd\n  dealer: As\n", "x.table:4: As: named twice in this deal"),
        (
            HEAD + "deal\n  seat 1: As Kd\n\n  seat 1: 2s\n",
            "x.table:5: seat 1: has a hand in this deal already",
        ),
        (
            HEAD + "deal\n  seat 9: As Kd\n",
            "x.table:3: seat 9: no such seat; this table has seats 1 to 5",
        ),
        (
            "table rws-holdem, 6 seats, shoe\ndeal\n  seat 1: As Kd Qc Js Th\n",
            "x.table:3: seat 1: rws-holdem deals 2 cards there, not 5",
        ),
        (HEAD + "deal\n  board: As\n", "x.table:3: board: rws-multilink-stud deals no cards there"),
        (
            "table rws-holdem, 5 seats, shuffler\ndraw As\n",
            "x.table:2: draw As: this table has a shuffler; write 'dispense …'",
        ),
        (HEAD + "dispense As Kd\n", "dispense As Kd: this table has a shoe; write 'draw …'"),
        (
            "table rws-holdem, 5 seats, by hand\ndeal\n",
            "deal: this table has no shoe or shuffler; deal by hand, with 'dealt'",
        ),
        (HEAD + "wait 601 s\n", "x.table:2: wait 601 s: too long; wait 600 s at most"),
        (
            HEAD + "ante 1 25\n",
            "ante 1 25: an amount needs its dollar sign; write 'ante 1 $25'",
        ),
        ("table rws-holdem, 12 seats, shoe\n", "seats: rws-holdem has 4 to 7, not 12"),
        (
            "table rws-holdem, 5 seats, show\n",
            "'show' does not describe a table; write '5 seats', one of shoe, shuffler, by hand, angel",
        ),
        (HEAD + "deal\n  seat one: As\n", "seat one: As: not a hand; write 'seat 1: As Kd …'"),
        (
            HEAD + "open\n  gently\n",
            "x.table:3: gently: an indented line can only stand below 'deal' or 'table'",
        ),
        ("open\n", "x.table:1: the first sentence must name the table"),
        ("", "x.table:1: the first sentence must name the table"),
        ("   seat 1: As\n", "x.table:1: an indented line needs a sentence above it"),
        ("table whist, 5 seats, shoe\n", "'whist' is not a game; the games are rws-multilink-stud"),
        ("table rws-holdem, 5 seats, magnets\n", "'magnets' does not describe a table"),
        ("table rws-holdem, 9 seats, shoe\n", "x.table:1: seats: rws-holdem has 4 to 7"),
        ("table rws-holdem, 3 seats, shoe\n", "x.table:1: seats: rws-holdem has 4 to 7"),
        (HEAD + "    meter lots\n", "lots: not an amount; write it as $25 or $1,234.50"),
        (
            HEAD + "    policy shrug\n",
            "x.table:2: policy: 'shrug' is not a policy; write close table, disallow box or no jackpot bets",
        ),
        (HEAD + "    disk large\n", "'large' is not a size; write 'disk 4 MB'"),
        (HEAD + "    stuck after a while\n", "'a while' is not a time; write 'stuck after 2 s'"),
        (HEAD + "    disk 0 MB\n", "x.table:2: disk: '0 MB' is not a size"),
        (HEAD + "    display 10x2\n", "x.table:2: display: 10x2 is too small"),
        (HEAD + "    stuck after 0 s\n", "x.table:2: stuck after: '0 s' is not a time"),
        (
            HEAD + "    ante $50\n",
            "x.table:2: ante: '$50' has no two limits; write 'ante $25 to $1,000'",
        ),
        (
            HEAD + "    ante $50 to $20\n",
            "ante: the lower limit, $50, is above the upper one, $20; write 'ante $20 to $50'",
        ),
        (HEAD + "    jackpot bet $0\n", "x.table:2: jackpot bet: costs nothing"),
        (HEAD + "    bonus max $5\n", "x.table:2: bonus max: rws-multilink-stud has no bonus bet"),
        (
            HEAD + "    meter $5\n    meter $6\n",
            "x.table:3: 'meter $6' gives the meter a second time",
        ),
        ("table rws-holdem, shoe, shuffler\n", "'shuffler' gives the card source a second time"),
        (
            HEAD + "    lucky seat in every round\n",
            "x.table:2: lucky seat: rws-multilink-stud draws none; leave it out",
        ),
        (
            "table mbs-singapore-stud, shoe\n    lucky seat 9\n",
            "lucky seat: '9' does not say how often it is drawn; write 'lucky seat in every round'",
        ),
        (
            "table mbs-singapore-stud, shoe\n    lucky dealer in 1 of 0 rounds\n",
            "lucky dealer: 'in 1",
        ),
    ],
)
def test_what_is_not_understood_is_refused_before_anything_is_played(
    text: str, reason: str
) -> None:
    with pytest.raises(BadInput) as refused:
        checked(text)
    assert reason in str(refused.value)


def test_a_misspelt_file_is_one_sentence_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.table"
    path.write_text(HEAD + "expect lamp 1 is purple\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["play", str(path)])
    assert ended.value.code == 1
    told = capsys.readouterr()
    assert not told.out
    assert told.err.count("\n") == 1
    assert f"{path}:2: 'expect lamp 1 is purple' is not a sentence" in told.err


def test_a_file_that_is_not_there_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["play", str(tmp_path / "none.table")])
    assert "none.table: cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "amount_cents"), [("$25", 2_500), ("$1,234.50", 123_450), ("$0.05", 5)]
)
def test_amounts_are_written_as_on_the_felt(text: str, amount_cents: int) -> None:
    assert cents(text) == amount_cents


def test_comments_and_blank_lines_are_not_played() -> None:
    scenario = parse_scenario(f"# A title\n\n{HEAD}open # the bets\n   # nothing\n", Path("x"))
    assert (scenario.title, [each.text for each in scenario.sentences]) == ("A title", ["open"])
    assert scenario.sentences[0].line == 4


@pytest.mark.parametrize("example", [pattern.example for pattern in sentences.SENTENCE_FORMS])
def test_every_example_is_the_sentence_that_it_is_an_example_of(example: str) -> None:
    fitting = [p.example for p in sentences.SENTENCE_FORMS if p.match(example, GAME)]
    assert fitting == [example]
    assert sentences.find_sentence(Sentence(1, example), GAME) is not None


@pytest.mark.parametrize("example", [known.example for known in expectations.EXPECTATIONS])
def test_every_example_is_the_expectation_that_it_is_an_example_of(example: str) -> None:
    said = example.removeprefix("expect ")
    fitting = [known.example for known in expectations.EXPECTATIONS if known.form.fullmatch(said)]
    assert fitting == [example]


def test_the_guide_lists_every_sentence_and_no_other() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    listed = [line for line in text.splitlines() if line.startswith("| `")]
    assert listed == [f"| `{example}` | {meaning} |" for example, meaning in language()]


def test_the_list_of_sentences_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", "--language"])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert all(example in printed for example, _ in language())


# How a scenario fails


FAILING = [
    ("expect phase deciding", "expected: phase deciding\n    seen:     phase idle"),
    ("expect lamp 2 is steady", "expected: lamp 2 is steady\n    seen:     lamp 2 is off"),
    (
        'expect prompt "Deal"',
        'seen:     prompt "Press OPEN to take bets. / No dealer has signed on: press SIGNON, then enter your number and PIN."',
    ),
    ('expect no prompt "OPEN"', 'expected: no prompt "OPEN"'),
    ('expect sign "closed"', 'seen:     sign "Ante $25.00 to $1,000.00, jackpot bet $5.00"'),
    ("expect meter $1", "expected: meter $1\n    seen:     meter $100,000.00"),
    ("expect message win", "expected: message win\n    seen:     no message win"),
    ("expect 2 messages win", "expected: 2 messages win\n    seen:     0 of them: no message win"),
    ("expect journal bets_opened", "seen:     the journal ends with journal_opened"),
    ("expect the table has ended", "seen:     the table is up"),
    ("close", 'seen:     refusal "Closing the bets is not possible now'),
    ("deal", "deal: no seat gets a hand; are the bets closed?"),
]


def test_a_failure_says_the_line_what_was_expected_and_what_was_seen(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = asyncio.run(_fail_each(broker, monkeypatch, tmp_path))
    assert not [case for case in seen if case[1] not in case[0]]


async def _fail_each(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> list[tuple[str, str]]:
    """Say each failing sentence to one table, and give what it failed with."""
    scenario = parse_scenario(HEAD + "\n".join(text for text, _ in FAILING), folder / "x.table")
    told = []
    async with stage.ScenarioStage(scenario.head, folder, broker) as playing:
        patience_s = stage.EXPECT_TIMEOUT_S
        for sentence, (_, expected) in zip(scenario.sentences, FAILING, strict=True):
            # What does not come is waited for only shortly; a key is taken when it is taken.
            in_vain = sentence.text.startswith("expect ")
            monkeypatch.setattr(stage, "EXPECT_TIMEOUT_S", 0.5 if in_vain else patience_s)
            with pytest.raises(player.ScenarioFailed) as failed:
                await player.say(playing, scenario, sentence)
            where = f"x.table:{sentence.line}: {sentence.text}\n"
            told.append((str(failed.value), where))
            told.append((str(failed.value), expected))
    return told


def test_a_table_that_does_not_listen_is_a_failure(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def played() -> None:
        scenario = parse_scenario(HEAD + "unplug the panel\nopen\n", Path("x.table"))
        async with stage.ScenarioStage(scenario.head, tmp_path, broker) as playing:
            monkeypatch.setattr(stage, "EXPECT_TIMEOUT_S", 0.5)
            for sentence in scenario.sentences:
                await player.say(playing, scenario, sentence)

    with pytest.raises(player.ScenarioFailed) as failed:
        asyncio.run(played())
    assert "x.table:3: open\n    the panel's key OPEN: was not taken" in str(failed.value)


def test_the_command_tells_what_failed_and_ends_with_a_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.table", tmp_path / "wrong.table"
    good.write_text(HEAD + "open\nexpect phase betting\n", encoding="utf-8")
    bad.write_text(HEAD + "open\nopen\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["play", str(good), str(bad)])
    assert ended.value.code == 1
    told = capsys.readouterr().out
    assert f"played  {good}" in told
    assert f"FAILED  {bad}" in told
    assert f"{bad}:3: open\n    expected: the table accepts it\n    seen:     refusal" in told
    assert told.endswith("1 played as expected, 1 failed\n")


def test_what_this_machine_cannot_give_is_skipped_and_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    path = tmp_path / "disk.table"
    path.write_text(HEAD + "    disk 4 MB\nopen\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["play", str(path)])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert f"SKIPPED  {path}" in told
    assert "only root can mount a small disk" in told
    assert told.endswith("0 played as expected, 0 failed, 1 SKIPPED\n")
