"""Floors and the stand-in controller on a broker that is not their own: with TLS, or several."""

import asyncio
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from firmware.link.settings import BrokerAddress, LinkSettings
from sim.broker import HOST, Broker, Mosquitto, SecureMosquitto
from sim.connection import as_options, link_settings, named
from sim.floor.floor import Floor, FloorSettings
from sim.jackpot_controller.process import JackpotProcess
from sim.jackpot_controller.schema import JackpotLinkSettings
from sim.jackpot_controller.store import Store
from sim.main import COMMANDS, parser_of
from tests.link import certificates
from tests.link.ends import needs_mosquitto_here, until
from tests.sim.processes import HANG_S

COMMAND = str(Path(sys.executable).with_name("underfelt-sim"))
JACKPOT = JackpotLinkSettings("rws-multilink-stud", 10_000_000, 5_000, root="casino")


def said(floor: Floor) -> set[str]:
    return {topic for topic, _ in floor.messages}


def contributions(folder: Path) -> int:
    with Store.open(folder / "jackpot.sqlite", JACKPOT) as store:
        return store.totals().contributions


def test_a_floor_plays_at_a_controller_that_runs_already_with_certificates(tmp_path: Path) -> None:
    needs_mosquitto_here()
    certificates.floor(tmp_path)
    with SecureMosquitto(tmp_path, root="casino") as broker:
        shown = certificates.shown(tmp_path, "{name}")
        link = LinkSettings(host=HOST, port=broker.port, root="casino", **shown)

        async def played() -> subprocess.CompletedProcess[str]:
            jackpot = JackpotProcess(JACKPOT, tmp_path, broker, named(link, "controller"))
            await jackpot.start()
            try:
                command = [COMMAND, "floor", "--tables=2", "--rounds=1", "--pause=0"]
                command += ["--no-controller", *as_options(link)]
                return await asyncio.to_thread(
                    subprocess.run,
                    command,
                    capture_output=True,
                    text=True,
                    timeout=HANG_S,
                    check=False,
                )
            finally:
                await jackpot.stop()

        ended = asyncio.run(played())
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "starting 2 tables …" in ended.stdout
    assert contributions(tmp_path) > 0


def test_tables_and_controller_meet_again_at_the_next_broker(tmp_path: Path) -> None:
    needs_mosquitto_here()
    folders = [tmp_path / name for name in ("first", "second", "floor")]
    for folder in folders:
        folder.mkdir()
    with Mosquitto(folders[0]) as first, Mosquitto(folders[1]) as second:
        asyncio.run(_play_through_a_loss(folders[2], first, second))


async def _play_through_a_loss(folder: Path, first: Broker, second: Broker) -> None:
    link = LinkSettings(
        host=HOST,
        port=first.port,
        fallback=(BrokerAddress(host=HOST, port=second.port),),
        root="casino",
    )
    settings = FloorSettings(tables=1, link=link)
    async with asyncio.timeout(HANG_S), Floor(folder, settings) as floor:
        await floor.play(rounds=1)
        before = contributions(folder)
        first.kill()
        floor.messages.clear()
        # Retained by nobody at the second broker: each has come there by itself.
        await until(lambda: said(floor) >= {"controller/status", "table/T1/status"})
        # A round or two may pass without jackpot bets, until the table says that they are taken.
        for rounds in count(2):
            await floor.play(rounds=rounds)
            if contributions(folder) > before > 0:
                break


@pytest.mark.parametrize(
    "link",
    [
        LinkSettings(host="a", root="x/y"),
        LinkSettings(host="::1", port=7, protocol="5", ca="c", certificate="{name}.crt", key="k"),
        LinkSettings(host="a", fallback=(BrokerAddress(host="b", port=2),)),
    ],
)
def test_what_is_passed_on_as_options_is_read_as_it_was(link: LinkSettings) -> None:
    floor = next(each for each in COMMANDS if each.name == "floor")
    options = parser_of(floor).parse_args(as_options(link))
    assert link_settings(options, options.broker, options.root) == link
