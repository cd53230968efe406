"""`underfelt rules … --lines` as a stream: one answer a line, at once, in constant memory.

Nothing here is about what an answer says; the documents are the contract's examples.
"""

import json
import os
import select
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from tests.host_tools.command import EXAMPLES, PATIENCE_S, lines, run, start

SOAK = bool(os.environ.get("SOAK"))
LINES = 1_000_000 if SOAK else 100_000
SAMPLE_EVERY = LINES // 20
GROWTH_KIB = 512
"""What the process may take on top after its first documents: a few bytes a document."""


def resident_kib(pid: int) -> int:
    """Give the memory that a process holds at this moment."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


def feed(sink: IO[bytes], text: str, times: int) -> threading.Thread:
    """Write a text again and again from a thread, until the reader has gone."""

    def write() -> None:
        with suppress(BrokenPipeError), sink:
            for _ in range(times):
                sink.write(text.encode())

    writer = threading.Thread(target=write)
    writer.start()
    return writer


@pytest.mark.parametrize("question", EXAMPLES)
def test_each_document_has_its_line_of_answer(question: str) -> None:
    asked, answered = EXAMPLES[question]

    ended = run("rules", question, "--lines", given=lines([asked, "{}", asked]))

    assert (ended.status, ended.err) == (0, "")
    first, refused, last = map(json.loads, ended.out.splitlines())
    assert first == last == answered
    games = "rws-multilink-stud, rws-casino-stud, mbs-megalink-stud, mbs-singapore-stud, rws-holdem"
    told = f"is missing; it must be one of the games {games}"
    assert refused["error"] == {"field": "game", "reason": told}


def test_blank_lines_carriage_returns_and_a_missing_last_newline_do_not_matter() -> None:
    asked, answered = EXAMPLES["ruling"]
    document = json.dumps(asked)

    ended = run("rules", "ruling", "--lines", given=f"\n{document}\r\n\n  \n{document}")

    assert [json.loads(line) for line in ended.out.splitlines()] == [answered, answered]


def test_no_document_has_no_answer() -> None:
    assert run("rules", "ruling", "--lines") == (0, "", "")


@pytest.mark.parametrize("question", EXAMPLES)
def test_an_answer_comes_before_the_next_question_is_asked(question: str) -> None:
    asked, answered = EXAMPLES[question]
    with start("rules", question, "--lines") as command:
        assert command.stdin is not None
        assert command.stdout is not None
        for _ in range(3):
            command.stdin.write(json.dumps(asked).encode() + b"\n")
            command.stdin.flush()
            ready, _, _ = select.select([command.stdout], [], [], PATIENCE_S)
            assert ready, "no answer while the question waits"
            assert json.loads(command.stdout.readline()) == answered
        command.stdin.close()
        assert command.wait(PATIENCE_S) == 0


def test_a_long_stream_takes_no_more_memory_than_a_short_one() -> None:
    asked, _ = EXAMPLES["settle"]
    held = []
    with start("rules", "settle", "--lines") as command:
        assert command.stdin is not None
        assert command.stdout is not None
        writer = feed(command.stdin, lines([asked, asked, asked, "{}"]), LINES // 4)
        count = 0
        for count, _answer in enumerate(command.stdout, start=1):
            if count % SAMPLE_EVERY == 0 and count < LINES:
                held.append(resident_kib(command.pid))
        writer.join()
        assert command.wait(PATIENCE_S) == 0
    assert count == LINES
    assert max(held) - held[0] <= GROWTH_KIB


def test_a_reader_that_goes_away_ends_the_run_without_a_word() -> None:
    asked, answered = EXAMPLES["ruling"]
    with start("rules", "ruling", "--lines") as command:
        assert command.stdin is not None
        assert command.stdout is not None
        assert command.stderr is not None
        writer = feed(command.stdin, lines([asked]), 100_000)
        assert json.loads(command.stdout.readline()) == answered

        command.stdout.close()

        assert command.stderr.read() == b""
        command.wait(PATIENCE_S)
        writer.join()


def test_a_single_answer_that_nobody_reads_leaves_no_traceback() -> None:
    asked, _ = EXAMPLES["ruling"]
    with start("rules", "ruling") as command:
        assert command.stdin is not None
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        command.stdin.write(json.dumps(asked).encode())
        command.stdin.close()

        assert command.stderr.read() == b""
