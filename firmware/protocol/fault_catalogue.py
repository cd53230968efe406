"""Every fault that a table knows: its code, what it says, what it stops, who ends it.

A fault has a code for machines, a sentence for people (what, where, what to do), and a
lock. What notices a fault is in `devices/`, `link/` and the shell; what the table does
about it follows from this list and nowhere else.
"""

from typing import Literal

from msgspec import Struct

Role = Literal["dealer", "pit_supervisor", "shift_manager", "technician"]
"""What somebody may do at a table; who has which role is in the table file."""
FaultCode = Literal[
    "sensor_stuck",
    "sensor_chatters",
    "device_gone",
    "device_babbles",
    "device_silent",
    "cards_unread",
    "cover_open",
    "power_failing",
    "clock_jumped",
    "clock_free",
    "journal_torn",
    "snapshot_damaged",
    "disk_full",
    "inbox_full",
    "program_failed",
    "hot",
    "under_voltage",
    "count_mismatch",
    "unit_refused",
    "message_rejected",
]
Lock = Literal["nothing", "spot", "table"]
Ends = Literal["by_itself", "pit_supervisor", "technician", "shift_manager"]


class Fault(Struct, frozen=True, kw_only=True):
    """One kind of fault.

    `lock` is what takes no more bets while it lasts. `ends` is who ends it: a fault that
    ends by itself is over with `FaultPassed`; any other stays, through every restart,
    until somebody who may (`CLEARED_BY`) has cleared it by name.
    """

    number: str
    what: str
    remedy: str
    lock: Lock = "nothing"
    ends: Ends = "by_itself"
    lasting: bool = False
    """Whether its end is noticed: it cannot be cleared while it is still there."""

    def sentence(self, where: str, detail: str = "") -> str:
        """Say what is wrong, where, and what to do."""
        place = f" at {where}" if where else ""
        more = f" ({detail})" if detail else ""
        return f"{self.number} {self.what}{place}{more}: {self.remedy}."


FAULTS: dict[FaultCode, Fault] = {
    "sensor_stuck": Fault(
        number="F101",
        what="The coin sensor never sees its spot empty",
        remedy="lift the chip; if there is none, clean the sensor and have it tested",
        lock="spot",
        ends="pit_supervisor",
        lasting=True,
    ),
    "sensor_chatters": Fault(
        number="F102",
        what="The coin sensor changes faster than a hand can",
        remedy="seat the chip flat; if it goes on, check the sensor's cable and clean the sensor",
        lock="spot",
        ends="pit_supervisor",
        lasting=True,
    ),
    "device_gone": Fault(
        number="F201",
        what="The device does not answer",
        remedy="check its plug at both ends and its power",
        lock="table",
    ),
    "device_babbles": Fault(
        number="F202",
        what="The device sends what cannot be read",
        remedy="check its baud rate and its cable, then switch it off and on",
        lock="table",
    ),
    "device_silent": Fault(
        number="F203",
        what="The device has fallen silent",
        remedy="switch it off and on; if it stays silent, change it",
        lock="table",
    ),
    "cards_unread": Fault(
        number="F204",
        what="A card could not be read",
        remedy="clean the reader; the round goes on as the prompt says",
        ends="pit_supervisor",
    ),
    "cover_open": Fault(
        number="F301",
        what="The cover was opened",
        remedy="look inside, close it, and have a technician clear this",
        lock="table",
        ends="technician",
        lasting=True,
    ),
    "power_failing": Fault(
        number="F302",
        what="The supply has failed and the table runs on its hold-up supply",
        remedy="finish nothing new; check the mains plug and the supply",
        lock="table",
    ),
    "clock_jumped": Fault(
        number="F303",
        what="The clock was set while the table was running",
        remedy="check the time and the time server; the order of payment depends on it",
        ends="technician",
    ),
    "clock_free": Fault(
        number="F304",
        what="The clock is not kept by a time server",
        remedy="check the network and the time server",
    ),
    "journal_torn": Fault(
        number="F401",
        what="The last record of the journal was cut off by a loss of power",
        remedy="nothing was lost that had left the table; check the hold-up supply",
        ends="technician",
    ),
    "snapshot_damaged": Fault(
        number="F406",
        what="A snapshot of the journal cannot be used",
        remedy="nothing was lost, the journal itself is whole; have the storage card changed",
        ends="technician",
    ),
    "disk_full": Fault(
        number="F402",
        what="The journal's disk is nearly full",
        remedy="export the journal with 'underfelt journal export', then let it be cleared",
        lock="table",
    ),
    "inbox_full": Fault(
        number="F403",
        what="More has happened than the table could take in",
        remedy="find the device that floods it, then have a technician clear this",
        lock="table",
        ends="technician",
    ),
    "program_failed": Fault(
        number="F407",
        what="The table's program has failed",
        remedy="go on by hand; have a technician save the log for support, then clear this",
        lock="table",
        ends="technician",
    ),
    "hot": Fault(
        number="F404",
        what="The controller is too hot",
        remedy="free the air slots under the table",
    ),
    "under_voltage": Fault(
        number="F405",
        what="The supply voltage is too low",
        remedy="change the power supply or its cable",
    ),
    "count_mismatch": Fault(
        number="F501",
        what="The jackpot controller has counted other contributions than this table",
        remedy="stop play and have the shift manager compare the journal with the books",
        lock="table",
        ends="shift_manager",
    ),
    "unit_refused": Fault(
        number="F502",
        what="The jackpot controller does not accept this unit for the table",
        remedy="find the other unit with this name, or have the old one closed",
        lock="table",
        ends="technician",
    ),
    "message_rejected": Fault(
        number="F503",
        what="The jackpot controller cannot take a message",
        remedy="have a technician read why, and the shift manager decide",
        lock="table",
        ends="shift_manager",
    ),
}

CLEARED_BY: dict[Ends, frozenset[Role]] = {
    "by_itself": frozenset(),
    "pit_supervisor": frozenset({"pit_supervisor", "shift_manager", "technician"}),
    "technician": frozenset({"technician"}),
    "shift_manager": frozenset({"shift_manager"}),
}
"""Who may clear a fault of each kind; a technician clears what he has mended."""


def spot_place(seat: int, bet: str) -> str:
    """Name a coin spot in a fault: by its seat, and by its bet where the seat has two."""
    return f"seat {seat}" if bet == "jackpot" else f"seat {seat} {bet}"
