"""Hands at a running floor: `underfelt-sim hands`, as a person uses it, in a real terminal."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import pytest

from firmware.journal.reader import records
from firmware.table.events import BetsOpened, RoundPaid, StaffIdentified
from tests.sim.processes import HANG_S
from tests.sim.ptys import PATIENCE_S, Terminal

COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))
LINKS = "underfelt-sim"


class RunningFloor:
    """A floor that somebody has started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "floor" / "T1"
        self.environment: Mapping[str, str] = {
            **os.environ,
            "XDG_RUNTIME_DIR": str(folder),
            "XDG_STATE_HOME": str(folder / "state"),
        }

    def hands(self, *words: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run `underfelt-sim hands` without a terminal."""
        return subprocess.run(
            [COMMAND, "hands", *words],
            capture_output=True,
            check=False,
            text=True,
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            timeout=HANG_S,
            env=dict(self.environment),
        )

    def at_the_prompt(self) -> Terminal:
        """Go to the table in a terminal."""
        return Terminal([COMMAND, "hands", "T1"], self.environment)

    def rounds(self, kind: type = RoundPaid) -> int:
        """Count the rounds that were paid, or what else the journal has."""
        return sum(isinstance(record.event, kind) for record in records(self.journal))

    def until_rounds(self, count: int) -> None:
        """Wait until so many rounds are paid."""
        ends_s = time.monotonic() + PATIENCE_S
        while self.rounds() < count:
            assert time.monotonic() < ends_s, "the dealer does not go on"
            time.sleep(0.1)


@contextmanager
def started(folder: Path) -> Iterator[RunningFloor]:
    """Run a floor of one table, and wait until its dealer plays."""
    floor = RunningFloor(folder)
    command = [COMMAND, "floor", "--tables", "1", "--pause", "0.05", "--folder"]
    with subprocess.Popen(
        [*command, str(folder / "floor")], stdout=subprocess.PIPE, env=dict(floor.environment)
    ) as process:
        try:
            assert process.stdout is not None
            while b"is paid" not in process.stdout.readline():
                assert process.poll() is None
            yield floor
            assert process.poll() is None, "the floor has ended"
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=HANG_S)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    with started(tmp_path_factory.mktemp("f")) as running:
        yield running


def say(terminal: Terminal, *sentences: str) -> str:
    """Type sentences, one after the other; give what was seen after the last."""
    seen = ""
    for sentence in sentences:
        terminal.type(f"{sentence}\n")
        seen = terminal.until("T1> ")
    return seen


def test_a_whole_round_is_played_by_hand_with_a_power_cut_and_a_supervisors_pin(
    floor: RunningFloor,
) -> None:
    before = floor.rounds(StaffIdentified)
    with floor.at_the_prompt() as terminal:
        assert "T1 plays rws-multilink-stud; its dealer plays" in terminal.until("T1> ")
        assert "Press OPEN to take bets." in say(terminal, "let the dealer finish")
        say(terminal, "open", "coins 1 3", "expect lamps 1 3 are quick blink", "close")
        say(terminal, "expect phase dealing", "lift all", "deal 3 cards")
        assert "The table is off; 'power on' switches it on." in say(terminal, "pull the plug")
        assert "OPEN: the table is off; 'power on' switches it on" in say(terminal, "open")
        assert "pull the plug: the table is off" in say(terminal, "pull the plug")
        seen = say(terminal, "power on", 'expect prompt "The round was interrupted"')
        assert "the round is void" in seen
        say(terminal, "confirm", "expect phase settling", "paid", "expect phase idle")
        say(terminal, "open", "coins 1 3", "close", "lift all")
        say(terminal, "deal; seat 1: Ah Jh 9h 6h 3h; dealer: As Kd 9c 7h 2s")
        say(terminal, "expect phase deciding", "report misdeal any_player_seen=yes movable=no")
        assert "Misdeal" in say(terminal, "expect phase ruling")
        seen = say(terminal, "pit supervisor confirms", "expect phase deciding")
        assert "Confirmed by Pit Supervisor" in seen
        say(terminal, "all others bet", "reveal", 'expect prompt "Seat 1 JACKPOT flush"', "paid")
        assert "Press OPEN to take bets." in say(terminal, "expect phase idle")
        terminal.type("leave\n")
        assert terminal.ended() == 0
        assert "You have left T1; its dealer goes on." in terminal.seen
    assert floor.rounds(StaffIdentified) > before
    floor.until_rounds(floor.rounds() + 1)


def test_tab_completes_lines_are_edited_and_the_history_is_kept(floor: RunningFloor) -> None:
    with floor.at_the_prompt() as terminal:
        terminal.until("T1> ")
        terminal.type("expect the table is u\t")
        terminal.until("expect the table is up")
        terminal.type("\n")
        terminal.until("T1> ")
        terminal.type("the wire of the shoe is \t")
        assert "the wire of the shoe is good again" in terminal.until("the shoe is mended")
        terminal.type("\x15hel\t\n")
        assert "pull the plug" in terminal.until("expect log")
        terminal.until("T1> ")
        terminal.type("help cover\n")
        assert "open the cover" in terminal.until("T1> ")
        terminal.type("\x04")
        assert terminal.ended() == 0
    history = floor.folder / "state" / "underfelt-sim" / "hands-history"
    assert "expect the table is up" in history.read_text(encoding="utf-8").splitlines()
    with floor.at_the_prompt() as terminal:
        terminal.until("T1> ")
        terminal.type("\x1b[A\x1b[A\n")  # up, up
        assert "help" in terminal.until("T1> ")
        terminal.type("quit\n")
        assert terminal.ended() == 0


def test_a_wrong_sentence_gets_the_nearest_and_nothing_is_moved(floor: RunningFloor) -> None:
    with floor.at_the_prompt() as terminal:
        terminal.until("T1> ")
        seen = say(terminal, "pull the plgu")
        assert "'pull the plgu' is not a sentence; the nearest are:\n  pull the plug\n" in seen
        assert "dealer rests" not in seen
        assert "power on: the table is on" in say(terminal, "let the dealer rest", "power on")
        assert "the broker: runs already" in say(terminal, "start the broker")
        say(terminal, "let the dealer play")
        seen = say(terminal, "coins 9")
        assert "seat 9: no such seat; this table has seats 1 to 5" in seen
        seen = say(terminal, "report cards_exposed")
        assert "How many cards?" in seen
        terminal.type("half a sentence\x03")
        terminal.until("T1> ")
        terminal.type("leave\n")
        assert terminal.ended() == 0


def test_one_sentence_at_a_time_and_the_dealer_rests_until_it_is_let_play(
    floor: RunningFloor,
) -> None:
    run = floor.hands("T1", "lift", "all")
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith(
        "The dealer rests; 'underfelt-sim hands T1 let the dealer play' lets it go on.\n"
    )
    assert re.search(r"^  lamps  .*\n  panel  .*\n(         .*\n)*  sign   \$", run.stdout)
    opened = floor.rounds(BetsOpened)
    assert "the dealer rests" in floor.hands().stdout
    refused = floor.hands("sim:T1", "open the table")
    assert refused.returncode == 1
    assert "REFUSED" in refused.stdout
    wrong = floor.hands("T1", "opne")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith(
        "underfelt-sim: T1: 'opne' is not a sentence; the nearest is 'open'"
    )
    assert wrong.stderr.count("\n") == 1
    assert floor.rounds(BetsOpened) == opened
    assert floor.hands("T1", "let the dealer play").returncode == 0
    floor.until_rounds(floor.rounds() + 2)


def test_a_table_that_is_not_there_gets_the_list(floor: RunningFloor, tmp_path: Path) -> None:
    listed = floor.hands()
    assert re.search(
        r"^  T1 +rws-multilink-stud, \w+; the dealer plays$", listed.stdout, re.MULTILINE
    )
    wrong = floor.hands("T7", "look")
    assert wrong.returncode == 1
    assert wrong.stderr == "underfelt-sim: T7: no such table; running: T1\n"
    alone = RunningFloor(tmp_path)
    assert "No simulated table is running; start some: underfelt-sim floor" in alone.hands().stdout
    assert "no simulated table is running" in alone.hands("T1", "look").stderr


def test_a_scenario_begins_at_a_table_that_remembers_nobodys_bets_and_says_what_stays(
    floor: RunningFloor, tmp_path: Path
) -> None:
    file = tmp_path / "mine.table"
    file.write_text(
        "table rws-multilink-stud, 4 seats, shuffler\n    meter $50,000\n    ante $50 to $60\n"
        "open\ncoins 1\nante 3 $75\nclose\nlift all\ndeal\n    dealer: As Kd 9c 7h 2s\n"
        "fold 3\nall others bet\nreveal\npaid\n",
        encoding="utf-8",
    )
    assert floor.hands("T1", "let the dealer rest").returncode == 0
    first = floor.hands("T1", "-f", str(file))
    assert first.returncode == 0, first.stdout + first.stderr
    assert (
        f"{file}: T1 stays as it is; not applied: 4 seats (here 5), "
        "card source shuffler (here shoe), meter $50,000, ante $50 to $60\n"
    ) in first.stdout
    file.write_text(
        'table rws-multilink-stud, 5 seats, shoe\nopen\ncoins 2\nexpect no prompt "by memory"\n'
        'close\nlift all\nexpect no prompt "Seat 3"\ndeal\nbet 2\nreveal\npaid\n',
        encoding="utf-8",
    )
    again = floor.hands("T1", "-f", str(file))
    assert again.returncode == 0, again.stdout + again.stderr
    assert "not applied" not in again.stdout
    assert floor.hands("T1", "let the dealer play").returncode == 0


def test_sentences_come_from_a_file_or_from_standard_input(
    floor: RunningFloor, tmp_path: Path
) -> None:
    file = tmp_path / "mine.table"
    file.write_text(
        "# Mine\ntable rws-multilink-stud, 5 seats, shoe\npull the plug\npower on\n"
        "expect the table is up\n",
        encoding="utf-8",
    )
    run = floor.hands("T1", "-f", str(file))
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{file}:3: pull the plug\n{file}:4: power on\n" in run.stdout
    assert run.stdout.endswith("3 sentences said; the dealer of T1 goes on.\n")
    floor.until_rounds(floor.rounds() + 2)
    run = floor.hands("T1", "-f", "-", given="look\nopne\npull the plug\n")
    assert run.returncode == 1
    assert "standard input:2: opne\n  'opne' is not a sentence" in run.stdout
    assert "pull the plug" not in run.stdout
    run = floor.hands("T1", given="look\n")
    assert "standard input:1: look" in run.stdout
    file.write_text("table rws-holdem, 5 seats, shoe\nlook\n", encoding="utf-8")
    run = floor.hands("T1", "-f", str(file))
    assert run.stderr == (
        f"underfelt-sim: {file}:1: is about rws-holdem; T1 plays rws-multilink-stud\n"
    )


def test_the_dealer_finishes_a_round_that_hands_have_left_in_the_deal(floor: RunningFloor) -> None:
    with floor.at_the_prompt() as terminal:
        terminal.until("T1> ")
        say(terminal, "let the dealer finish", "open", "coins 2 4", "close", "deal 5 cards")
        paid = floor.rounds()
        say(terminal, "let the dealer play")
        floor.until_rounds(paid + 2)
        terminal.type("leave\n")
        terminal.ended()


def test_hands_whose_terminal_is_killed_let_the_dealer_go_on(floor: RunningFloor) -> None:
    with floor.at_the_prompt() as terminal:
        terminal.until("T1> ")
        say(terminal, "lift all")
    floor.until_rounds(floor.rounds() + 2)


@contextmanager
def connected(floor: RunningFloor) -> Iterator[tuple[socket.socket, BinaryIO]]:
    """Speak to the table as a program does."""
    path = next((floor.folder / LINKS / "T1").iterdir()).readlink()
    with socket.socket(socket.AF_UNIX) as hands, hands.makefile("rb") as lines:
        hands.settimeout(PATIENCE_S)
        hands.connect(f"{path}/hands.sock")
        yield hands, lines


def test_who_only_waits_or_looks_holds_nobody_up(floor: RunningFloor) -> None:
    with connected(floor) as (hands, lines):
        hands.sendall(b'{"do": "say", "sentence": "wait 600 s"}\n')
        assert floor.hands("T1", "lift all").returncode == 0
        assert floor.hands("T1", "let the dealer play").returncode == 0
        hands.sendall(b'{"do": "stop"}\n')
        assert msgspec.json.decode(lines.readline())["problem"].startswith("stopped")
        hands.sendall(b'{"do": "stop"}\n{"do": "look"}\n')
        assert "lamps" in msgspec.json.decode(lines.readline())
    wrong = floor.hands("T1", "wait 601 s")
    assert wrong.stderr == "underfelt-sim: T1: wait 601 s: too long; wait 600 s at most\n"


def test_control_c_at_the_prompt_ends_the_sentence_and_not_the_prompt(floor: RunningFloor) -> None:
    with floor.at_the_prompt() as terminal:
        terminal.until("T1> ")
        while "stopped" not in terminal.seen:
            terminal.type("wait 600 s\n")
            time.sleep(0.5)  # earlier than it is said, Ctrl-C ends only the line
            terminal.type("\x03")
            terminal.until("T1> ")
        assert "lamps" in say(terminal, "look")
        terminal.type("leave\n")
        assert terminal.ended() == 0


def test_one_document_in_and_one_document_out(floor: RunningFloor) -> None:
    with connected(floor) as (hands, lines):

        def asked(document: Mapping[str, Any]) -> dict[str, Any]:
            hands.sendall(msgspec.json.encode(document) + b"\n")
            answer: dict[str, Any] = msgspec.json.decode(lines.readline())
            return answer

        seen = asked({"do": "say", "sentence": "look"})
        assert {"lamps", "panel", "code", "sign", "refusal", "problem", "dealer"} <= seen.keys()
        assert asked({"do": "say", "sentence": "opne"})["nearest"][0] == "open"
        assert asked({"do": "complete", "sentence": "pu"}) == {"completions": ["pull the plug"]}
        assert "error" in asked({"do": "sing"})
        assert asked({"do": "look"})["lamps"].keys() == seen["lamps"].keys()
        for wrong in (b"garbage\n", b"[]\n", b'{"do": "say", "sentence": 3}\n'):
            hands.sendall(wrong)
            assert "error" in msgspec.json.decode(lines.readline())
