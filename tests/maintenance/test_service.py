"""Service mode: who may, what is recorded, and how the table is given back."""

import asyncio
from pathlib import Path

from firmware.journal.reader import records
from firmware.shell.maintenance_access import claim_waits_s
from tests.maintenance.tables import PIN, peer, served, until
from tests.maintenance.test_hostile_peers import in_service
from tests.table.playing import STRAIGHT_FLUSH, at_reveal, owed_in


def test_everything_done_in_service_mode_is_in_the_journal_by_name(tmp_path: Path) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            technician = await in_service(bench)
            await technician.ask("test_lamp", seat=2, bet="jackpot", pattern="steady")
            await technician.ask("test_text", device="sign", text="hello")
            assert (await technician.ask("end_service"))["reply"] == "done"
            assert bench.phase == "closed"
            assert bench.done == ["lamp 2 jackpot steady", "text sign hello", "restored"]

    asyncio.run(played())
    kinds = [type(record.event).__name__ for record in records(tmp_path)]
    assert kinds[-4:] == ["ServiceBegun", "ServiceDone", "ServiceDone", "ServiceEnded"]


def test_service_mode_needs_a_closed_table(tmp_path: Path) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            reply = await (await peer(bench)).ask("begin_service", staff="400", pin=PIN)
            assert "the table is not closed" in reply["reason"]

    asyncio.run(played())


def test_a_technician_who_hangs_up_gives_the_table_back(tmp_path: Path) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            technician = await in_service(bench)
            technician.writer.close()
            await until(lambda: bench.phase == "closed")
            assert bench.done == ["restored"]

    asyncio.run(played())


def test_the_socket_is_closed_to_others_and_goes_with_the_table(tmp_path: Path) -> None:
    async def played() -> int:
        async with served(tmp_path) as bench:
            return bench.path.stat().st_mode & 0o777

    assert asyncio.run(played()) == 0o660
    assert not (tmp_path / "maintenance.sock").exists()


def test_a_table_without_a_place_for_its_socket_runs_all_the_same(tmp_path: Path) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            lost = type(bench.server)(bench.access, str(tmp_path / "no" / "folder.sock"))
            running = asyncio.create_task(lost.run())
            await asyncio.sleep(0.1)
            assert not running.done()
            running.cancel()

    asyncio.run(played())


def test_a_claim_waits_for_the_controller_once_nobody_at_the_table_must_confirm_it() -> None:
    playing = at_reveal(STRAIGHT_FLUSH)
    (win,) = owed_in(playing.reveal())
    assert claim_waits_s(playing.state, win.at_ms + 18_000) == 0, "a supervisor comes first"
    playing.confirm_as("pit_supervisor")
    assert claim_waits_s(playing.state, win.at_ms + 18_000) == 18
    playing.acknowledge(win.id)
    assert claim_waits_s(playing.state, win.at_ms + 18_000) == 18, "it is still not awarded"
    playing.award(win.id, 10_000)
    assert claim_waits_s(playing.state, win.at_ms + 18_000) == 0
