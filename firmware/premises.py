"""Opens the running firmware to maintenance: what it may see, test and let happen."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from firmware.examination import Parts, examine
from firmware.maintenance.journal_files import JournalFolder
from firmware.maintenance.log_tail import LogTail
from firmware.maintenance.premises import Premises
from firmware.staff import verify
from firmware.table.effects import (
    AnyEffect,
    Pattern,
    SetLamp,
    ShowPrompt,
    ShowSign,
)

CarryOut = Callable[[AnyEffect], None]
_SHOWING = SetLamp | ShowPrompt | ShowSign


def premises(parts: Parts, carry_out: CarryOut, log_tail: LogTail) -> Premises:
    """Put together what maintenance may touch."""
    table = parts.runtime.table

    def test_lamp(seat: int, bet: str, pattern: Pattern) -> None:
        carry_out(SetLamp(seat, bet, pattern))

    def test_text(device: str, text: str) -> bool:
        effects: dict[str, AnyEffect] = {
            "panel": ShowPrompt("service", (text,)),
            "sign": ShowSign(table.state.meter_cents, text),
        }
        if device in effects:
            carry_out(effects[device])
        return device in effects

    def restore() -> None:
        for effect in table.resumed():
            if isinstance(effect, _SHOWING):
                carry_out(effect)

    return Premises(
        table=table,
        journal=JournalFolder(Path(parts.config.journal)),
        version=parts.version,
        now_ms=parts.inbox.now_ms,
        put=parts.inbox.put,
        verify=partial(verify, parts.config.staff),
        examine=partial(examine, parts),
        log_lines=log_tail.lines,
        test_lamp=test_lamp,
        test_text=test_text,
        restore=restore,
    )
