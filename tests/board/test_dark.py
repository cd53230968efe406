"""Whatever fails, the lamps are dark within 1.5 s by hardware, and the board is back by itself."""

from collections.abc import Callable

from tests.board.table import Table, greet

DARK_MS = 1_500.0
BACK_MS = 3_000.0
STEADY = "LAMPS 11111111111111"


def _lit(table: Table) -> float:
    """Light all lamps; return the time."""
    table.alive = True
    table.tell(STEADY)
    table.until(lambda: len(table.chip.lamps.lit) == 14, 500)
    return table.chip.now_ms


def test_a_program_that_hangs_is_dark_and_back_within_3_s(
    table: Table, measured: Callable[[str], None]
) -> None:
    before = table.session
    since_ms = _lit(table)
    table.chip.hang()
    table.run_ms(DARK_MS)
    assert table.chip.lamps.lit == frozenset()
    table.until(lambda: table.session != before, BACK_MS - DARK_MS)
    (reset_ms,) = table.chip.resets_ms
    back_ms = table.greetings[-1][0]
    measured(
        f"a program that hangs: reset after {reset_ms - since_ms:.0f} ms, "
        f"its greeting {back_ms - reset_ms:.0f} ms later"
    )
    assert back_ms - since_ms <= BACK_MS
    greet(table)
    assert table.levels[-1] == ".............."


def test_a_table_that_says_nothing_any_more_has_no_lamps(table: Table) -> None:
    _lit(table)
    table.alive = False
    table.run_ms(DARK_MS)
    assert table.chip.lamps.lit == frozenset()
    assert table.chip.resets_ms == []


def test_a_cable_that_is_out_has_no_lamps(table: Table) -> None:
    _lit(table)
    table.chip.host.unplug()
    table.run_ms(DARK_MS)
    assert table.chip.lamps.lit == frozenset()


def test_a_board_that_is_switched_on_is_dark_whatever_its_registers_hold(flash: bytes) -> None:
    from sim.pico.chip import Chip  # noqa: PLC0415  # before its program runs

    chip = Chip(flash)
    assert chip.run_until(lambda: chip.lamps.lit != frozenset(), within_ms=100) is False


def test_a_board_given_to_the_raw_repl_that_hangs_there_is_dark_and_back_with_its_power(
    table: Table,
) -> None:
    _lit(table)
    table.announce(f"RELEASE {table.session}")
    table.run_ms(50)
    table.chip.heard.clear()
    table.chip.host.write(b"\r\x01")
    table.run_ms(50)
    assert b"raw REPL" in b"".join(data for _, data in table.chip.heard)
    table.chip.host.write(
        b"import machine\nmachine.disable_irq()\nwhile True: machine.lightsleep\n\x04"
    )
    table.chip.run_ms(20)
    table.chip.hang()  # the same to everybody, and not as long to emulate
    table.chip.run_ms(DARK_MS)
    assert table.chip.lamps.lit == frozenset()
    assert table.chip.resets_ms == []  # its watchdog was stopped by who had the line
    table.chip.power_off()
    table.chip.run_ms(100)
    table.alive = False
    table.greetings.clear()
    table.chip.power_on()
    table.until(lambda: bool(table.greetings), BACK_MS)
