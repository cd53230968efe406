"""The command line of the jackpot controller: what is typed, what is shown, what is refused."""

import json
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from firmware.protocol.messages import Acknowledgement, AwardMessage
from sim import lifeline
from sim.broker import Broker, EmbeddedBroker
from sim.jackpot_controller.cli import main
from sim.jackpot_controller.commands import is_running
from sim.jackpot_controller.desk import LinkDesk
from sim.jackpot_controller.store import JackpotLinkSettings, Store
from tests.sim.jackpot_messages import FLUSH, ROYAL, contribution, status, verdict, win
from tests.sim.links import HANGS_AFTER_S, Link, Table, arguments

pytestmark = pytest.mark.usefixtures("believed")

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
STUD = JackpotLinkSettings("rws-casino-stud", 10_000_000, 3_333, 20_000_000)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """Run a broker for the tests that need a running controller."""
    with EmbeddedBroker(tmp_path_factory.mktemp("broker")) as running:
        yield running


@pytest.fixture
def books(tmp_path: Path) -> Path:
    """Leave books in which a flush was paid and a royal waits for its verdict and for T2."""
    path = tmp_path / "jackpot.db"
    with Store.open(path, STUD) as store:
        desk = LinkDesk(store)
        desk.units.heard(status("T1", "T1.j.3.1", contributions=(1, 501)), NOW)
        desk.units.heard(status("T2", online=True), NOW)
        desk.units.heard(status("T2", online=False), NOW)
        for owed in (contribution(1, 501), win(2, FLUSH), win(3, ROYAL), contribution(4, 501)):
            store.apply(owed, NOW, desk.units.statuses)
        desk.take("underfelt/table/T1/owed", b"", NOW)
        desk.write()
    return path


SHOWN = """\
underfelt: rws-casino-stud, books …, controller NOT RUNNING
  value      $100,001.66, locked
  reserve    $1.66 and 0.9833 cents
  overflow   $0.00
  house      $0.00 borne by the house
  base       $100,000.00, limit $200,000.00, 33.33 % of each stake
  entered    2 contributions of $10.02, 0 reversed
  hits       1, $100.00 in all
  pending    1
    T1 seat 1 royal flush, dealt 2030-03-17T17:46:40.003+00:00 (clock synchronised), T1.j.3.1
      waits for its verdict
      waits for table T2, which is offline
  last 25 hits
    2026-01-01T20:00:00 T1 seat 1 flush $100.00 awarded (rule 4.2)
  tables     2
    T1     idle, round 1, owes 0; 2 contributions of $10.02; unit j
    T2     OFFLINE; 0 contributions of $0.00; unit j
  messages not accepted
    T1 dropped: 1, last at 2026-01-01T20:00:00+00:00: document: is empty; one JSON document is expected
"""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command and give what it prints."""
    main(words)
    return capsys.readouterr().out


def test_show_tells_everything_about_a_link(
    books: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = run(capsys, "show", "--database", str(books))
    assert re.sub(r"books [0-9a-f]{16}", "books …", shown) == SHOWN


def test_show_for_machines_is_exact(books: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (link,) = json.loads(run(capsys, "show", "--json", "--database", str(books)))
    assert link["reserve_parts"] == 501 * 3_333
    assert link["meter_cents"] == 10_000_166
    assert [hit["tier"] for hit in link["last_hits"]] == ["flush"]
    assert link["pending"][0]["waits_for"] == ["its verdict", "table T2, which is offline"]
    assert not link["running"]


def test_only_the_last_25_hits_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "jackpot.db"
    with Store.open(path, STUD) as store:
        for number in range(30):
            store.apply(win(number, FLUSH, round_=number), NOW)
    (link,) = json.loads(run(capsys, "show", "--json", "--database", str(path)))
    assert link["hits"] == 30
    assert [hit["id"] for hit in link["last_hits"]] == [f"T1.j.{n}.1" for n in range(29, 4, -1)]


def test_a_command_waits_for_a_controller_that_is_not_running(
    broker: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    royal = win(1, ROYAL)
    with Link(broker, tmp_path) as link:

        async def before(one: Table, two: Table) -> None:
            await one.stand(status("T1", royal.id))
            await two.stand(status("T2"))
            await two.stand(status("T2", online=False))
            await one.send(royal, verdict(2, royal))
            assert await one.answer() == Acknowledgement(id=royal.id)
            assert await one.answer() == Acknowledgement(id="T1.j.2.1")

        link.play(before, "T1", "T2")
        link.end(signal.SIGKILL)
        database = ("--database", str(link.database))
        said = run(capsys, "overrule", "--table=T2", "--by=4711", *database)
        assert said.startswith("recorded; the controller is not running")
        assert "not carried out yet" in run(capsys, "show", *database)

        async def after(table: Table) -> None:
            answer = None
            while not isinstance(answer, AwardMessage):
                await table.send(royal)
                answer = await table.answer()

        link.play(after)
        assert is_running(link.database)
        assert "overrule T2 by 4711: carried out" in run(capsys, "show", *database)


def test_a_second_controller_is_kept_off_the_same_books(broker: Broker, tmp_path: Path) -> None:
    with Link(broker, tmp_path) as link:

        async def nothing(_table: Table) -> None:
            pass

        link.play(nothing)
        command = [sys.executable, "-m", "sim.jackpot_controller", "run", *arguments(link.database)]
        command += ["--broker", f"127.0.0.1:{broker.port}", "--root", "other"]
        second = subprocess.run(command, check=False, capture_output=True, text=True)
        assert second.returncode == 2
        assert "is in use by another controller" in second.stderr


def test_a_controller_that_cannot_write_says_nothing_that_is_not_in_its_books(
    broker: Broker, tmp_path: Path
) -> None:
    with Link(broker, tmp_path) as link:

        async def scenario(table: Table) -> None:
            await table.send(contribution(1))
            assert await table.acknowledged() == "T1.j.1.1"
            holder = sqlite3.connect(link.database, isolation_level=None)
            holder.execute("BEGIN IMMEDIATE")
            await table.send(contribution(2))
            # It gives up after a while, and the broker says that it is gone.
            await table.until_status(online=False)
            holder.close()
            assert link.controller is not None
            assert link.controller.wait(HANGS_AFTER_S) == 1
            link.start()
            await table.until_status(online=True)
            await table.send(contribution(3))
            assert await table.acknowledged() == "T1.j.3.1"

        link.play(scenario)
        assert "cannot be written: database is locked" in link.log.read_text(encoding="utf-8")
        assert link.totals().contributions == 2


def test_one_controller_serves_the_links_of_a_file(broker: Broker, tmp_path: Path) -> None:
    roots = {f"{tmp_path.name}-a": "rws-holdem", f"{tmp_path.name}-b": "mbs-megalink-stud"}
    links = tmp_path / "links.toml"
    links.write_text(
        "\n".join(
            f'[[link]]\nroot = "{root}"\ngame = "{game}"\nreset_cents = 1000\n'
            "rate_basis_points = 10000\nlimit_cents = 2000"
            for root, game in roots.items()
        ),
        encoding="utf-8",
    )
    with Link(broker, tmp_path) as link:
        command = lifeline.module("sim.jackpot_controller", "run", "--links", str(links))
        command += [f"--database={link.database}", f"--broker=127.0.0.1:{broker.port}"]
        link.controller = subprocess.Popen(command, stdin=subprocess.PIPE)
        for root in roots:
            link.topics = type(link.topics)(root)

            async def scenario(table: Table) -> None:
                await table.send(contribution(1, 1_500))
                assert await table.answer() == Acknowledgement(id="T1.j.1.1")
                assert await table.meter(2) == 2_000

            link.join(scenario)
        shown: list[dict[str, Any]] = json.loads(link.command("show", "--json"))
        assert {each["root"]: each["game"] for each in shown} == roots
        assert [each["overflow_parts"] for each in shown] == [5_000_000, 5_000_000]
        assert link.end(signal.SIGTERM) == 0


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        (["--broker=nowhere"], "'nowhere' is not an address such as mqtt://host"),
        (["--broker=host:99999"], "'host:99999' is not an address such as mqtt://host"),
        (["--root=a/#"], "'a/#' cannot begin a topic"),
        (["--game=snap"], "unknown game 'snap'"),
        (["--reset-cents=-1"], "--reset-cents: '-1' is not a whole number from 0 to"),
        (["--reset-cents=much"], "--reset-cents"),
        (["--rate-basis-points=10001"], "--rate-basis-points: '10001' is not a whole number"),
        (["--limit-cents=1"], "limit_cents: 1"),
        (["--database=/no/such/folder/jackpot.db"], "/no/such/folder/jackpot.db"),
        (["--links=links.toml"], "--links: describes the links"),
        (["--colour=red"], "--colour=red"),
    ],
)
def test_bad_arguments_of_run_are_one_sentence_and_exit_2(
    changed: list[str], names: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = ["run", *arguments(tmp_path / "jackpot.db"), "--broker=127.0.0.1:1883"]
    refused([*good, *changed], names, capsys)
    assert not list(tmp_path.glob("*.db"))


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["show"], "--database"),
        (["shwo"], "shwo"),
        (["show", "--database=none.db"], "none.db does not exist"),
        (["show", "--database={books}", "--root=other"], "no link 'other'"),
        (["overrule", "--database={books}", "--table=T9", "--by=1"], "no table 'T9'"),
        (["overrule", "--database={books}", "--table=T1", "--by= "], "--by"),
        (["overrule", "--database={books}", "--table=T1"], "--by"),
        (["close-unit", "--database={books}", "--table=T1", "--by=1"], "--journal"),
        (["show", "--database={text}"], "not a database"),
        (["run", "--database=x.db", "--broker=h:1"], "--game: is missing"),
        (["run", "--database=x.db", "--broker=h:1", "--links={text}"], "text.toml"),
        (["run", "--database=x.db", "--broker=h:1", "--links=none.toml"], "none.toml"),
    ],
)
def test_what_is_typed_wrong_is_one_sentence_and_exit_2(
    words: list[str], names: str, books: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = books.with_name("text.toml")
    text.write_text("this is neither a database nor links", encoding="utf-8")
    refused([word.format(books=books, text=text) for word in words], names, capsys)


def refused(words: list[str], names: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command that cannot be, and look at what it says."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert names in said
    assert said.count("\n") == 1


def test_books_of_an_older_version_are_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "jackpot.db"
    with Store.open(path, STUD) as store:
        store.database.execute("PRAGMA user_version = 1")
    refused(["show", f"--database={path}"], "its books are version 1, not 7", capsys)


def test_books_of_the_version_before_are_brought_up_to_date_and_keep_everything(
    books: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = run(capsys, "show", f"--database={books}")
    with sqlite3.connect(books) as database:
        for statement in (
            "DROP TABLE withdrawal",
            "DROP TABLE paid_round",
            "DROP TABLE head",
            "DROP TABLE called_off",
            "DROP TABLE opened_round",
            "DROP TABLE believed",
            "DROP TABLE unit_order",
            "DROP TABLE ordered_head",
            "DROP TABLE void_round",
            "DROP TABLE doubted_payment",
            "ALTER TABLE link DROP COLUMN stake_limit_cents",
            "ALTER TABLE command DROP COLUMN payment",
            "ALTER TABLE command DROP COLUMN claim",
            "ALTER TABLE command DROP COLUMN reason",
            "PRAGMA user_version = 2",
        ):
            database.execute(statement)
    database.close()
    refused(["show", f"--database={books}"], "version 2, not 7: `run` brings them up", capsys)
    Store.open(books, STUD).close()
    assert run(capsys, "show", f"--database={books}") == before
    paid = ("--claim=T1.j.3.1", "--paid-cents=10000000", "--by=4711", "--reason=paid by hand")
    assert "recorded" in run(capsys, "enter-payment", f"--database={books}", *paid)
    wrong = ("--claim=T1.j.3.1", "--paid-cents=-1", "--by=4711", "--reason=paid by hand")
    refused(["enter-payment", f"--database={books}", *wrong], "--paid-cents", capsys)
    silent = ("--claim=T1.j.3.1", "--by=4711", "--reason= ")
    refused(["withdraw", f"--database={books}", *silent], "reason: say why", capsys)
