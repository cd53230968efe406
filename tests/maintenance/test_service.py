"""Service mode: who may, what is recorded, and how the table is given back."""

import asyncio
from pathlib import Path

import pytest

from firmware.journal.reader import records
from firmware.shell.clock import now_ms
from firmware.shell.maintenance_access import claim_waits_s
from firmware.table.events import BetsOpened, FaultNoticed, FaultPassed, ServiceDone
from tests.maintenance.tables import PIN, Bench, peer, served, until
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


# What a technician does to the switches and the lamp enable


def cover(bench: Bench, *, opened: bool) -> None:
    """Move the cover: its switch reports a fault, or its end."""
    kind = FaultNoticed if opened else FaultPassed
    bench.put(kind(at_ms=now_ms(), code="cover_open"))


def test_a_cover_opened_and_closed_in_its_test_leaves_no_fault(tmp_path: Path) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            technician = await in_service(bench)
            assert (await technician.ask("test_switch", switch="cover"))["reply"] == "done"
            cover(bench, opened=True)
            assert "cover_open" in bench.runtime.table.state.faults, "everybody is told meanwhile"
            cover(bench, opened=False)
            await technician.ask("end_service")
            assert bench.runtime.table.state.faults == {}

    asyncio.run(played())
    (ended,) = [
        record.event
        for record in records(tmp_path)
        if isinstance(record.event, ServiceDone) and record.event.cover_closed_by
    ]
    assert ended.cover_closed_by == "T", "the journal has who answers for it"


@pytest.mark.parametrize("hangs_up", [True, False])
def test_a_cover_left_open_after_its_test_stays_a_fault(tmp_path: Path, *, hangs_up: bool) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            technician = await in_service(bench)
            await technician.ask("test_switch", switch="cover")
            cover(bench, opened=True)
            if hangs_up:
                technician.writer.close()
            else:
                await technician.ask("end_service")
            await until(lambda: bench.phase == "closed")
            assert "cover_open" in bench.runtime.table.state.faults

    asyncio.run(played())


def test_a_cover_opened_before_its_test_or_without_one_stays_a_fault(tmp_path: Path) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            technician = await in_service(bench)
            cover(bench, opened=True)
            cover(bench, opened=False)
            await technician.ask("test_switch", switch="cover")
            cover(bench, opened=True)
            cover(bench, opened=False)
            await technician.ask("end_service")
            assert bench.runtime.table.state.faults["cover_open"].passed

    asyncio.run(played())


def test_an_announced_test_of_the_cover_does_not_outlast_its_service_mode(tmp_path: Path) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            technician = await in_service(bench)
            await technician.ask("test_switch", switch="cover")
            await technician.ask("end_service")
            await technician.ask("begin_service", staff="400", pin=PIN)
            cover(bench, opened=True)
            cover(bench, opened=False)
            await technician.ask("end_service")
            assert "cover_open" in bench.runtime.table.state.faults

    asyncio.run(played())


def test_only_the_switches_of_the_board_can_be_tested_and_their_levels_are_shown(
    tmp_path: Path,
) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            technician = await in_service(bench)
            reply = await technician.ask("test_switch", switch="power_good")
            assert reply["reason"] == "this table's board has no such switch; it has cover, key"
            assert (await technician.ask("show"))["switches"] == {"cover": True, "key": False}
            await technician.ask("end_service")
            assert (await technician.ask("show"))["switches"] == {}

    asyncio.run(played())


def test_the_lamp_enable_is_withdrawn_only_in_service_mode_and_journalled(tmp_path: Path) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            bench.close_table()
            technician = await peer(bench)
            reply = await technician.ask("test_lamp_enable", given=False)
            assert "this needs service mode" in reply["reason"]
            reply = await technician.ask("begin_service", staff="400", pin=PIN)
            assert reply["name"] == "T"
            await technician.ask("test_lamp_enable", given=False)
            technician.writer.close()
            await until(lambda: bench.phase == "closed")
            assert bench.done == ["lamps disabled", "restored"]

    asyncio.run(played())
    done = [r.event.what for r in records(tmp_path) if isinstance(r.event, ServiceDone)]
    assert done == ["lamp enable withdrawn"]


def test_devices_are_heard_beyond_the_last_few_things_that_are_kept(tmp_path: Path) -> None:
    async def played() -> None:
        async with served(tmp_path) as bench:
            technician = await in_service(bench)
            for frame in range(100, 130):
                bench.put(BetsOpened(at_ms=now_ms(), frame=frame))
            shown = await technician.ask("show")
            assert shown["heard_times"] == {"panel": 30}
            assert len(shown["heard"]) < 30

    asyncio.run(played())
