"""Commands of the house with anything in them: one sentence, and the controller goes on."""

import argparse
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from firmware.errors import BadInput
from firmware.protocol.messages import Acknowledgement, Rejection, Topics
from firmware.rules.contract import MAX_CENTS
from sim.jackpot_controller import cli
from sim.jackpot_controller.cli import parser as jackpot_parser
from sim.jackpot_controller.commands import Command, record_command, result, run_commands
from sim.jackpot_controller.desk import LinkDesk
from sim.jackpot_controller.house_payments import HousePayment
from sim.jackpot_controller.schema import MOST_METER_CENTS, transaction
from sim.jackpot_controller.store import JackpotLinkSettings, Store
from sim.main import COMMANDS, parser_of
from tests.protocol.test_bounds import unbounded
from tests.sim.jackpot_messages import ROYAL, contribution, status, verdict, win

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
LINK = JackpotLinkSettings("rws-casino-stud", 10_000_000, 2_500)
TOPICS = Topics("underfelt")
ROYAL_WIN = win(9, ROYAL)
NEITHER = ("9" * 5_000, "x" * 70_000, "\udcff", "")
"""What is no number that can be meant, and no text that can be kept."""
NO_NUMBER = ("nan", "inf", "1e400", "x", "-" + "9" * 30)
CHECKED_LATER = {"--broker", "--ca", "--certificate", "--key", "--root"}
"""What `link_settings` judges, each in one sentence."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[LinkDesk]:
    """Open books in which T1 has a contribution, and T2 is a table."""
    desk = LinkDesk(Store.open(tmp_path / "books.db", LINK))
    for table in ("T1", "T2"):
        desk.take(TOPICS.owed(table), msgspec.json.encode(contribution(1, table=table)), NOW)
    yield desk
    desk.store.close()


def serves(desk: LinkDesk, number: int = 20) -> None:
    """Have the desk serve another table: its contribution counts, and nothing is dropped."""
    other = contribution(number, table="T2")
    answers = desk.take(TOPICS.owed("T2"), msgspec.json.encode(other), NOW)
    assert Acknowledgement(id=other.id) in [each.document for each in answers]
    desk.take(TOPICS.status("T2"), msgspec.json.encode(status("T2", ROYAL_WIN.id)), NOW)
    desk.write()
    notices = desk.store.database.execute("SELECT table_name, kind FROM notice").fetchall()
    assert ("T2", "dropped") not in notices


def given(desk: LinkDesk, command: Command) -> str | None:
    """Record a command, carry it out, and return what came of it."""
    number = record_command(desk.store.database, command, NOW)
    run_commands(desk, NOW)
    return result(desk.store.database, number)


def entering(paid_cents: int, round_: int = 1) -> Command:
    """Enter the payment of a royal flush."""
    payment = HousePayment(paid_cents, round_, 1, "royal_flush")
    claim = f"T1.j.{8 + round_}.1"
    return Command("underfelt", "enter-payment", "T1", "", "300", claim, "by hand", payment)


# What is typed.


def options_of(of: argparse.ArgumentParser) -> Iterator[Any]:
    """Yield every option of a command and of its commands, with the command's name."""
    for action in of._actions:  # noqa: SLF001  # argparse shows them nowhere else
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001  # as above
            for command in action.choices.values():
                yield from options_of(command)
        elif action.nargs != 0 and action.choices is None and action.type is not Path:
            name = (*action.option_strings, action.dest)[0]
            if name not in CHECKED_LATER or ("jackpot" in of.prog and name == "--root"):
                yield pytest.param(action.type, id=f"{of.prog} {name}")


@pytest.mark.parametrize(
    "read",
    [
        *options_of(jackpot_parser()),
        *(each for command in COMMANDS for each in options_of(parser_of(command))),
    ],
)
def test_no_option_of_any_command_takes_a_number_or_a_text_without_bounds(read: Any) -> None:  # noqa: ANN401  # whatever argparse takes
    assert read not in {None, str, int, float}
    for each in (*NEITHER, *(NO_NUMBER if _is_number(read) else ())):
        with pytest.raises(argparse.ArgumentTypeError) as refused:
            read(each)
        said = str(refused.value)
        assert said
        assert len(said) < 300
        assert said.isascii()
        assert "\n" not in said


def _is_number(read: Any) -> bool:  # noqa: ANN401  # whatever argparse takes
    try:
        return isinstance(read("5"), (int, float))
    except argparse.ArgumentTypeError:
        return False


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["overrule", "--table=T1", f"--by={'n' * 129}"], "--by: has 129 characters; shorten it"),
        (["overrule", "--table=T1", "--by=\udcff"], "--by: '\\udcff' cannot be printed"),
        (["overrule", "--table=T1", "--by=a\nb"], "--by: 'a\\nb' cannot be printed"),
        (["withdraw", "--claim=T1.j.9.1", "--by=1", f"--reason={'r' * 1_001}"], "--reason: has"),
        (["believe", "--claim=T1.j.9", "--by=1", "--reason=r"], "--claim: 'T1.j.9' is not a claim"),
        (
            [
                *("enter-payment", "--claim=T1.j.9.1", "--by=1", "--reason=r"),
                "--paid-cents=10000000000000000000",
            ],
            "--paid-cents: '10000000000000000000' is not a whole number from 0 to",
        ),
    ],
)
def test_what_no_command_can_mean_is_one_sentence_that_names_the_option(
    desk: LinkDesk, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([*words, f"--database={tmp_path / 'books.db'}"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1
    assert desk.store.database.execute("SELECT count(*) FROM command").fetchone() == (0,)


# What is in the database.


def test_1_8_a_command_has_no_number_and_no_text_without_bounds() -> None:
    assert [*unbounded(inspect.type_info(Command), "Command")] == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("payment", '{"paid_cents": 10000000000000000000}'),
        ("payment", '{"paid_cents": %s}' % ("9" * 5_000)),
        ("payment", '{"paid_cents": 5, "round": -1}'),
        ("payment", "not JSON"),
        ("payment", "[" * 100_000),
        ("staff", "n" * 129),
        ("staff", ""),
        ("reason", "r" * 1_001),
        ("claim", "c" * 200_000),
        ("kind", "dance"),
        ("staff", b"\xff\xfe"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_command_that_nobody_can_carry_out_is_refused_once_and_what_follows_is_done(
    desk: LinkDesk, column: str, value: str | bytes
) -> None:
    database = desk.store.database
    number = record_command(database, entering(5), NOW)
    with transaction(database):
        database.execute(
            f"UPDATE command SET {column} = CAST(? AS TEXT) WHERE number = ?",  # noqa: S608  # our own
            (value, number),
        )
    record_command(database, entering(10_000_000, round_=2), NOW)
    run_commands(desk, NOW)
    told = [text for (text,) in database.execute("SELECT result FROM command ORDER BY number")]
    assert told[0].startswith("refused: ")
    assert len(told[0]) < 300
    assert told[1] == "carried out"
    assert run_commands(desk, NOW) == []
    serves(desk)


def test_a_command_that_fails_unforeseen_is_refused_and_does_not_end_the_controller(
    desk: LinkDesk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(*_all: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(desk.store, "withdraw", failing)
    command = Command("underfelt", "withdraw", "T1", "", "300", "T1.j.9.1", "r")
    told = "refused: it cannot be carried out: ZeroDivisionError: division by zero"
    assert given(desk, command) == told
    assert "cannot be carried out" in caplog.text
    serves(desk)


def test_a_command_waits_if_it_is_the_disk_that_fails(desk: LinkDesk, tmp_path: Path) -> None:
    number = record_command(desk.store.database, entering(5), NOW)
    desk.store.database.execute("PRAGMA busy_timeout = 1")
    holder = sqlite3.connect(tmp_path / "books.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        run_commands(desk, NOW)
    holder.close()
    assert result(desk.store.database, number) is None
    run_commands(desk, NOW)
    assert result(desk.store.database, number) == "carried out"


def test_a_long_name_is_recorded_by_nobody_since_no_table_would_hear_the_order(
    desk: LinkDesk,
) -> None:
    command = Command("underfelt", "accept-unit", "T1", "j", "n" * 129)
    with pytest.raises(BadInput, match="staff: must be a text in quotes of at most 128 characters"):
        record_command(desk.store.database, command, NOW)


# What the books cannot hold.


@pytest.mark.parametrize("paid_cents", [MOST_METER_CENTS + 1, 950 * 10**12, MAX_CENTS])
def test_a_payment_that_the_books_cannot_hold_is_refused_before_anything_is_written(
    desk: LinkDesk, paid_cents: int
) -> None:
    before = desk.store.accounts
    assert given(desk, entering(paid_cents)) == (
        "refused: amount: the books cannot hold an amount this large"
    )
    assert desk.store.accounts == before
    assert desk.store.claims.pending() == ()
    serves(desk)
    assert given(desk, entering(10_000_000)) == "carried out"


@pytest.mark.parametrize("paid_cents", [MOST_METER_CENTS + 1, MAX_CENTS])
def test_a_tables_own_payment_that_the_books_cannot_hold_is_rejected_and_holds_nothing_up(
    desk: LinkDesk, paid_cents: int
) -> None:
    desk.take(TOPICS.owed("T1"), msgspec.json.encode(ROYAL_WIN), NOW)
    paid = verdict(10, ROYAL_WIN, paid_cents=paid_cents)
    answers = [e.document for e in desk.take(TOPICS.owed("T1"), msgspec.json.encode(paid), NOW)]
    assert Rejection(id=paid.id, reason="amount: the books cannot hold an amount this large") in (
        answers
    )
    assert desk.store.claims.pending() == ()
    serves(desk)
    withdrawing = Command("underfelt", "withdraw", "T1", "", "300", ROYAL_WIN.id, "forged")
    assert given(desk, withdrawing) == "carried out"
    assert not desk.store.accounts.locked


def test_payments_that_wait_together_leave_room_for_each_other(desk: LinkDesk) -> None:
    # T2 has not said which hand it holds, so that neither has its turn.
    desk.take(TOPICS.status("T2"), msgspec.json.encode(status("T2", dealt=-5)), NOW)
    assert given(desk, entering(500 * 10**12)) == "carried out"
    assert [each.id for each in desk.store.claims.pending()] == ["T1.j.9.1"]
    assert given(desk, entering(500 * 10**12, round_=2)) == (
        "refused: amount: the books cannot hold an amount this large"
    )
    serves(desk)
    for table in ("T1", "T2"):
        given(desk, Command("underfelt", "overrule", table, "", "300"))
    assert desk.store.claims.pending() == ()
