"""What users do wrong with our commands: one sentence that names it, a status that says so, no traceback.

Every command is run as a process, with files that are none, streams that are closed or full, and
terminals that cannot show what is printed. `underfelt` itself is tested in `tests/host_tools/`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.protocol.version import VERSION
from sim.jackpot_controller.cli import EXAMPLES
from sim.main import COMMANDS
from tests.pairing import paired
from tests.sim.processes import HANG_S

BIN = Path(sys.executable).parent
PLAIN = ("underfelt-sim", "underfelt-table", "underfelt-table-bridge")
JACKPOT = "underfelt-sim jackpot"
HELPFUL = (
    *PLAIN,
    *(f"underfelt-sim {each.name}" for each in COMMANDS),
    JACKPOT,
    *(f"{JACKPOT} {name}" for name in EXAMPLES),
)
BROKER = "--broker=mqtt://127.0.0.1:1"
LINK = f"{BROKER} --game=rws-holdem --reset-cents=1 --rate-basis-points=1"
FILES = {
    "missing": "{at}/no/such/file",
    "a folder": "{at}",
    "binary": "{at}/binary",
    "not UTF-8": "{at}/latin",
    "a device": "/dev/null",
    "below a file": "{at}/binary/x",
}
TAKES_A_FILE = {
    "table file": "underfelt-table --config {file}",
    "scenario": "underfelt-sim play {file}",
    "checked scenario": "underfelt-sim play --check {file}",
    "served books": f"{JACKPOT} run {LINK} --database {{file}}",
    "books": f"{JACKPOT} show --database {{file}}",
    "links": f"{JACKPOT} run {BROKER} --database {{at}}/books --links {{file}}",
    "authority": "underfelt-sim floor --broker=mqtts://127.0.0.1:1 --ca {file}",
    "socket": "underfelt-table-bridge {file}",
}
FINE = {("served books", "missing"), ("served books", "a device")}
"""Books that there are not are begun."""


def ran(
    words: str,
    folder: Path,
    *,
    after: str = "",
    env: dict[str, str] | None = None,
    keeps_shell: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a command, perhaps with what a shell adds to it."""
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "latin").write_bytes("table T\xe9, 5 seats\n".encode("latin-1"))
    return subprocess.run(
        [
            "/bin/bash",
            "-c",
            f"{'' if keeps_shell else 'exec '}{BIN}/{words.replace('{at}', str(folder))} {after}",
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=HANG_S,
        check=False,
        text=True,
        env={**os.environ, "XDG_RUNTIME_DIR": str(folder), **(env or {})},
    )


def check_one_sentence(done: subprocess.CompletedProcess[str], prog: str) -> None:
    """Check that a command ended with one sentence about what was wrong."""
    assert done.returncode not in {0, 120}, done
    assert "Traceback" not in done.stderr + done.stdout
    assert "a mistake in the program" not in done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith(prog.partition(" ")[0])


@pytest.mark.parametrize(
    ("what", "file"), [pair for pair in paired([*TAKES_A_FILE], [*FILES]) if pair not in FINE]
)
def test_a_file_that_is_none_is_one_sentence(tmp_path: Path, what: str, file: str) -> None:
    words = TAKES_A_FILE[what].replace("{file}", FILES[file])
    done = ran(words, tmp_path)
    check_one_sentence(done, words)
    assert FILES[file].replace("{at}", str(tmp_path)) in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("floor --rounds 0", "--rounds: '0' is not a whole number from 1"),
        ("floor --folder /dev/null", "--folder: /dev/null: a file, but a folder is needed"),
        ("floor --folder {at}/binary/x", "a part of it is a file"),
        ("floor --picture /nonexistent/x.svg", "--picture: /nonexistent/x.svg cannot be written"),
        ("floor --picture {at}", "cannot be written"),
        ("floor --tables 0", "--tables: '0' is not a whole number from 1 to 16"),
        ("floor --seats 8", "--seats: '8' is not a whole number from 4 to 7"),
        (
            "floor --seats 8 --game mbs-singapore-stud",
            "--seats: '8' is not a whole number from 4 to 7",
        ),
        ("floor --source deck", "--source: 'deck' is none of shoe, shuffler, manual, angel-eye"),
        ("floor --game snap", "'snap' is none of rws-multilink-stud, rws-casino-stud, mbs-"),
        ("floor --tables 1 --game rws-holdem --game mbs-megalink-stud", "need 2 tables"),
        ("floor --royal 3", "--royal: '3' is not a table and a seat, such as T2:3"),
        ("floor --royal T4:1", "there is no T4:1; there are T1 to T3 and seats 1 to 5"),
        ("floor --royal T1:6", "there is no T1:6"),
        ("floor --broker mqtt://127.0.0.1:1", "no broker answers at 127.0.0.1:1"),
        ("floor --dance", "unrecognized arguments: --dance; see 'underfelt-sim floor --help'"),
        ("floor dance", "unrecognized arguments: dance; see 'underfelt-sim floor --help'"),
        ("jackpot show --dance --database x", "see 'underfelt-sim jackpot show --help'"),
        ("jackpot dance", "'dance' is none of run, show,"),
        ("rounds --seed x", "--seed: 'x' is not a whole number"),
        ("conformance", "required: --broker; see 'underfelt-sim conformance --help'"),
        ("conformance --broker mqtt://127.0.0.1:1 --patience 0.1", "127.0.0.1:1"),
        ("play --broker rabbit", "'rabbit' is none of embedded, mosquitto"),
        ("", "required: COMMAND; see 'underfelt-sim --help'"),
    ],
)
def test_what_is_typed_wrong_names_the_option_the_value_and_what_is_right(
    tmp_path: Path, words: str, says: str
) -> None:
    done = ran(f"underfelt-sim {words}", tmp_path)
    check_one_sentence(done, "underfelt-sim")
    assert says in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("underfelt-table", "required: --config; see 'underfelt-table --help'"),
        ("underfelt-table --config x --dance", "unrecognized arguments: --dance; see"),
        ("underfelt-table-bridge --dance", "see 'underfelt-table-bridge --help'"),
    ],
)
def test_the_commands_of_a_table_say_it_in_one_sentence_too(
    tmp_path: Path, words: str, says: str
) -> None:
    done = ran(words, tmp_path)
    check_one_sentence(done, words)
    assert says in done.stderr


PRINTING = (
    "underfelt-sim rounds --rounds 30",
    "underfelt-sim play --language",
    "underfelt-sim floor --tables 1 --rounds 2 --pause 0",
    *(f"{each} --help" for each in (*PLAIN, f"{JACKPOT} show", "underfelt-sim conformance")),
    *(f"{each} --version" for each in PLAIN),
)


@pytest.mark.parametrize(("words", "stream"), paired(PRINTING, [">/dev/full", ">&-"]))
def test_an_output_that_takes_nothing_is_one_sentence(
    tmp_path: Path, words: str, stream: str
) -> None:
    check_one_sentence(ran(words, tmp_path, after=stream), words)


@pytest.mark.parametrize("words", PRINTING)
def test_a_reader_that_has_enough_is_no_mistake(tmp_path: Path, words: str) -> None:
    script = f"{words} 2>{{at}}/errors | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    done = ran(script, tmp_path, keeps_shell=True)
    assert done.returncode in {0, 1, 141}
    assert (tmp_path / "errors").read_text(encoding="utf-8") == ""


@pytest.mark.parametrize("words", PRINTING)
def test_a_terminal_that_shows_only_ascii_gets_question_marks(tmp_path: Path, words: str) -> None:
    done = ran(words, tmp_path, env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "streams"),
    paired(
        [*PRINTING, "underfelt-table --config /dev/null"],
        ["<&-", "2>&-", "<&- 2>&-", "<&- >/dev/null 2>&-"],
    ),
)
def test_streams_that_are_closed_are_no_traceback(tmp_path: Path, words: str, streams: str) -> None:
    done = ran(words, tmp_path, after=streams)
    assert done.returncode == (2 if "config" in words else 0)
    assert "Traceback" not in done.stdout + done.stderr


def test_a_bridge_without_input_or_output_ends(tmp_path: Path) -> None:
    done = ran("underfelt-table-bridge {at}/none", tmp_path, after="<&- >&-")
    check_one_sentence(done, "underfelt-table-bridge")


@pytest.mark.parametrize("name", PLAIN)
def test_every_command_says_its_version(tmp_path: Path, name: str) -> None:
    assert ran(f"{name} --version", tmp_path).stdout == f"{name} {VERSION}\n"


@pytest.mark.parametrize("name", HELPFUL)
def test_every_help_has_examples_that_begin_with_the_command(tmp_path: Path, name: str) -> None:
    done = ran(f"{name} --help", tmp_path)
    assert done.returncode == 0
    _, _, examples = done.stdout.partition("\nexamples:\n")
    lines = examples.splitlines()
    assert lines
    assert all(line.startswith(f"  {name}") for line in lines)


HEAVY = {"asyncio", "aiomqtt", "gpiozero", "rich", "cryptography", "sqlite3", "serial", "amqtt"}


@pytest.mark.parametrize(
    "name", [each for each in HELPFUL if each != "underfelt-sim play" and "rounds" not in each]
)
def test_help_imports_nothing_that_takes_long(tmp_path: Path, name: str) -> None:
    """What takes long is imported only by what needs it: a help is there at once."""
    program, *words = name.split()
    where = {"underfelt-sim": "sim.main", "underfelt-table": "firmware.__main__"}
    module = where.get(program, "firmware.maintenance.bridge")
    script = tmp_path / "help.py"
    script.write_text(
        "import sys\n"
        f"import {module} as command\n"
        f"sys.argv = {[program, *words, '--help']!r}\n"
        "try:\n    getattr(command, 'command', command.main)()\n"
        "except SystemExit:\n    pass\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, cwd=BIN.parent.parent
    )
    brought = set(done.stderr.translate(str.maketrans("", "", "[]',\n")).split())
    allowed = {"sqlite3"} if "jackpot" in name else set()
    assert brought & HEAVY <= allowed
