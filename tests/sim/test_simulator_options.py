"""What is typed wrong after `underfelt-sim`: one sentence that names the option, and no traceback."""

from pathlib import Path

import pytest

from sim.jackpot_controller import cli
from sim.main import main

BROKER = "--broker=mqtt://127.0.0.1:1"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["floor", "--tables=17"], "--tables: '17' is not a whole number from 1 to 16"),
        (["floor", "--pause=nan"], "--pause: 'nan' is not a number of seconds from 0 to 3600"),
        (["floor", "--pause=-1"], "--pause: '-1' is not"),
        (["floor", "--rounds=0"], "--rounds: '0' is not a whole number from 1"),
        (["floor", f"--seed={'9' * 5_000}"], "--seed: '999"),
        (["floor", "--folder={file}/floor"], "--folder: {file}/floor: a part of it is a file"),
        (["floor", "--picture={file}/floor.svg"], "--picture: {file}/floor.svg cannot be written"),
        (["floor", "--broker=mqtt://\udcff:1"], "--broker: 'mqtt://\\udcff:1' is not an address"),
        (["floor", f"--broker=mqtt://{'h' * 64}:1"], "is not an address such as mqtt://host"),
        (["floor", BROKER, f"--root={'r' * 129}"], "is not at most 128 letters"),
        (["floor", "--game=snap"], "--game: 'snap' is none of rws-multilink-stud, rws-casino-stud"),
        (["rounds", "--rounds=-1"], "--rounds: '-1' is not a whole number from 1"),
        (["conformance", BROKER, "--tables=K1,K2,K3,K1"], "--tables: needs three names"),
        (["conformance", BROKER, "--tables=K 1,K2,K3"], "such as K1,K2,K3, not 'K 1,K2,K3'"),
        (["conformance", BROKER, "--patience=inf"], "--patience: 'inf' is not a number of seconds"),
        (["conformance", BROKER, "--only=99.9"], "--only: no check cites '99.9'"),
        (["conformance", BROKER, "--restart='x"], '--restart: "\'x" is no command'),
        (["conformance", BROKER, "--accept-unit=/no/program {table}"], "begins with no program"),
        (["conformance", BROKER, "--root=a+b"], "--root: 'a+b' is not at most 128 letters"),
        (["conformance", f"{BROKER}s://x"], "--broker: "),
        (["floor", "--source=shoe", "--source=shuffler"], "--source: is given twice; give it once"),
        (
            ["floor", "--seats=5", "--tables=2", "--seats=6"],
            "--seats: is given twice; give it once",
        ),
        (["floor", "--picture=a", "--picture=b"], "--picture: is given twice; give it once"),
        (["play", "--seed=1", "--seed=2"], "--seed: is given twice; give it once"),
        (["conformance", BROKER, "--root=a", "--root=b"], "--root: is given twice; give it once"),
        (["floor", "--seed=x"], "--seed: 'x' is not a whole number; see"),
        (["floor", "--ca=/nope", "--rounds=1"], "--ca: is for a broker that runs already"),
        (
            ["floor", "--key=/nope", "--broker=mosquitto"],
            "--key: is for a broker that runs already",
        ),
        (["floor", "--root=x", "--rounds=1"], "--root: is for a broker that runs already"),
        (
            ["floor", "--game=rws-casino-stud", "--seats=3"],
            "argument --seats: '3' is not a whole number from 4 to 7",
        ),
        (
            ["floor", "--game=mbs-singapore-stud", "--seats=7", "--emulated", "--rounds=1"],
            "--emulated: mbs-singapore-stud with 7 seats is played on a spot board, which the emulated",
        ),
        (["conformance", BROKER, "--only=99"], "no check cites '99'; cited are 1."),
        (["hands", "-f", "x"], "-f: name the table too: 'underfelt-sim hands T1 -f FILE'"),
        (["play", "--keep=/dev/null"], "--keep: /dev/null: a file, but a folder is needed"),
        (["floor", f"--rounds={'9' * 23}"], f"--rounds: '{'9' * 23}' is too large; "),
        (["floor", "--tables=0x"], "--tables: '0x' is not a whole number from 1 to 16"),
        (["--versoin"], "underfelt-sim: unrecognized arguments: --versoin; see"),
        (["-x", "floor"], "underfelt-sim: unrecognized arguments: -x; see"),
        (["jackpot", "--versoin"], "unrecognized arguments: --versoin; see"),
        (["dance"], "COMMAND: 'dance' is none of floor, rounds, play"),
    ],
)
def test_what_is_typed_wrong_is_one_sentence_that_names_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SystemExit) as ended:
        main([word.replace("{file}", str(file)) for word in words])
    assert ended.value.code in {1, 2}
    said = capsys.readouterr().err
    assert says.replace("{file}", str(file)) in said
    assert said.count("\n") == 1
    assert len(said) < 400


@pytest.mark.parametrize("command", ["floor", "conformance"])
def test_a_broker_that_is_none_is_typed_wrong_in_every_command(command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--broker=ftp://x"])
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("reset_cents = 1000000000001", "link a: reset_cents: 1000000000001 is not"),
        ("reset_cents = 99999999999999999999", "reset_cents"),
        ('reset_cents = 1\nroot = "a b"', "root"),
        (f'reset_cents = 1\nroot = "{"r" * 129}"', "root"),
        ("reset_cents = 1\nstake_limit_cents = 1000000000000001", "link a: stake_limit_cents"),
    ],
)
def test_a_link_of_a_file_that_cannot_be_is_one_sentence_that_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, says: str
) -> None:
    links = tmp_path / "links.toml"
    root = "" if "root" in line else 'root = "a"\n'
    text = f'[[link]]\n{root}game = "rws-holdem"\nrate_basis_points = 1\n{line}\n'
    links.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit):
        cli.main(["run", f"--database={tmp_path / 'x.db'}", "--broker=h:1", f"--links={links}"])
    said = capsys.readouterr().err
    assert says in said
    assert str(links) in said
    assert said.count("\n") == 1
