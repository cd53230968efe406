"""What is plugged in where the spot board belongs and is none, or says what none says: told with the remedy."""

from pathlib import Path

import pytest

from firmware.devices import serial_port, spot_board
from firmware.devices.bootsel import WAITS, pico_waits
from firmware.table.events import FaultNoticed
from tests.devices.spot_bench import Bench, play
from tests.devices.wire import in_a_loop


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long."""
    monkeypatch.setattr(serial_port, "RETRY_S", 0.02)
    monkeypatch.setattr(spot_board, "ASK_S", 0.25)


# What else may be plugged in there


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"=HELLO panel 1.0 4711*C6AC\n", "a panel is plugged in here: swap the plugs"),
        (b">>> ", "it shows MicroPython's prompt and runs no program: run 'underfelt board flash'"),
        (b"Traceback:\r\nSyntaxError: invalid syntax\r\n>>> ", "it shows MicroPython's prompt"),
    ],
)
def test_what_is_no_spot_board_is_told_with_the_remedy(said: bytes, told: str) -> None:
    async def played() -> None:
        bench = Bench()
        bench.peer.hangs = True
        bench.peer.plug_in()
        bench.open()
        bench.peer.wire.say(said)
        await bench.until(lambda: "device_unfit" in bench.faults())
        (fault,) = [e for e in bench.told if isinstance(e, FaultNoticed)]
        assert fault.where == "spot board"
        assert fault.detail.startswith(told)
        bench.close()

    in_a_loop(played)


@pytest.mark.parametrize("version", ["2.0", "0.9", "12"])
def test_a_board_of_another_version_is_told_with_the_remedy(version: str) -> None:
    async def played() -> None:
        bench = Bench()
        bench.peer.version = version
        bench.peer.plug_in()
        bench.open()
        await bench.until(lambda: "device_unfit" in bench.faults())
        (fault,) = [e for e in bench.told if isinstance(e, FaultNoticed)]
        assert fault.detail == (
            f"its program is version {version}, not 1.x: run 'underfelt board flash'"
        )
        bench.close()

    in_a_loop(played)


@pytest.mark.parametrize(
    "text",
    [
        "SPOT 0 present 4",
        "SPOT 15 present 4",
        "SPOT 1 here 4",
        "SPOT 1 present -4",
        "SPOT 1",
        "LEVELS .",
        "LEVELS " + "x" * 14,
    ],
)
def test_what_no_spot_board_says_makes_it_unfit_until_it_has_restarted(text: str) -> None:
    async def scene(bench: Bench) -> None:
        bench.peer.says(text)
        await bench.until(lambda: {"device_unfit", "spots_unknown"} <= set(bench.faults()))
        await bench.until(lambda: not bench.peer.waits_for_acknowledgement)
        bench.peer.restart()
        await bench.known()
        assert "spots_unknown" not in bench.faults()

    play(scene)


@pytest.mark.parametrize("text", ["SPOT 5 present 4", "WARMTH 40"])
def test_what_a_later_version_or_other_limits_brought_up_is_acknowledged_and_means_nothing(
    text: str,
) -> None:
    async def scene(bench: Bench) -> None:
        bench.told.clear()
        bench.peer.says(text)
        await bench.until(lambda: not bench.peer.waits_for_acknowledgement)
        assert not any(event for event in bench.told if isinstance(event, FaultNoticed))
        assert not any(bench.chips().values())

    play(scene)


@pytest.mark.parametrize(("product", "waits"), [("0003", True), ("0005", False)])
def test_a_pico_in_bootsel_is_found_on_the_bus(
    tmp_path: Path,
    product: str,
    waits: bool,  # noqa: FBT001  # whether it does
) -> None:
    (tmp_path / "usb1").mkdir()
    device = tmp_path / "1-1.4"
    device.mkdir()
    (device / "idVendor").write_text("2e8a\n", encoding="ascii")
    (device / "idProduct").write_text(f"{product}\n", encoding="ascii")
    assert pico_waits(tmp_path) is waits
    assert not pico_waits(tmp_path / "nowhere")


def test_a_board_that_waits_in_bootsel_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(bench: Bench) -> None:
        monkeypatch.setattr(spot_board, "pico_waits", lambda: True)
        bench.peer.unplug()
        await bench.until(lambda: bench.board.why_unknown == WAITS)
        await bench.until(lambda: "spots_unknown" in bench.faults())
        assert [e.detail for e in bench.told if isinstance(e, FaultNoticed)][-1] == WAITS

    play(scene)
