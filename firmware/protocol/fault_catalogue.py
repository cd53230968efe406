"""Every fault that a table knows: its code, what it says, what it stops, who clears it.

A fault has a code for machines, a sentence for people (what, where, what to do), and a
lock. Faults are noticed in `devices/`, `link/` and the shell; what they lock and who
clears them follows from this list. What they do to a round is in `irregularities/reports.py`.
"""

from typing import Literal

from msgspec import Struct

Role = Literal["dealer", "pit_supervisor", "shift_manager", "technician"]
"""What a person may do at a table; the table file says who has which role."""
FaultCode = Literal[
    "sensor_stuck",
    "sensor_chatters",
    "device_gone",
    "device_babbles",
    "device_silent",
    "device_unfit",
    "spots_unknown",
    "cards_unread",
    "cover_open",
    "power_failing",
    "clock_jumped",
    "clock_free",
    "journal_torn",
    "snapshot_damaged",
    "journal_damaged",
    "disk_full",
    "inbox_full",
    "program_failed",
    "hot",
    "under_voltage",
    "count_mismatch",
    "unit_refused",
    "unit_closed",
    "message_rejected",
    "award_doubted",
    "meter_doubted",
    "sequence_fell",
]
Lock = Literal["nothing", "spot", "payment", "jackpot", "table"]
Ends = Literal["by_itself", "pit_supervisor", "technician", "shift_manager"]


class Fault(Struct, frozen=True, kw_only=True):
    """One kind of fault.

    `lock` is what takes no more bets while it lasts: a spot, all jackpot bets, the table; or what is
    not paid. `ends` is who clears it: a fault that
    clears by itself is over with `FaultPassed`; any other stays, through every restart,
    until somebody who may (`CLEARED_BY`) has cleared it by name.
    """

    number: str
    what: str
    remedy: str
    lock: Lock = "nothing"
    ends: Ends = "by_itself"
    lasting: bool = False
    """Whether its end is noticed: it cannot be cleared while it is still there."""

    over: str = ""
    """What is said instead once it has passed and still has to be cleared, if that is something else."""

    def sentence(self, where: str, detail: str = "", *, passed: bool = False) -> str:
        """Say what is wrong, where, and what to do."""
        if passed and self.over:
            return f"{self.number} {self.over}."
        place = f" at {place_words(where)}" if where else ""
        more = f" ({detail})" if detail else ""
        return f"{self.number} {self.what}{place}{more}: {self.remedy}."


FAULTS: dict[FaultCode, Fault] = {
    "sensor_stuck": Fault(
        number="F101",
        what="The coin sensor is stuck",
        remedy="lift the chip; if there is none, clean the sensor and have it tested",
        lock="spot",
        ends="pit_supervisor",
        lasting=True,
    ),
    "sensor_chatters": Fault(
        number="F102",
        what="The coin sensor keeps switching on and off",
        remedy="lay the chip flat; if it continues, check the sensor's cable and clean the sensor",
        lock="spot",
        ends="pit_supervisor",
        lasting=True,
    ),
    "device_gone": Fault(
        number="F201",
        what="No answer",
        remedy="check its power and the plug at both ends",
        lock="table",
    ),
    "device_babbles": Fault(
        number="F202",
        what="Unreadable data",
        remedy="check its baud rate and cable, then switch it off and on",
        lock="table",
    ),
    "device_silent": Fault(
        number="F203",
        what="No sign of life",
        remedy="switch it off and on; if it stays silent, replace it",
        lock="table",
    ),
    "device_unfit": Fault(
        number="F205",
        what="Unusable device",
        remedy="put that right, then switch it off and on",
        lock="table",
    ),
    "spots_unknown": Fault(
        number="F206",
        what="It is not known what lies on the coin spots",
        remedy="leave the chips and wait a moment; if it lasts, check the plug at both ends. Once bets "
        "are closed the round goes on; before that, MENU ends it: the jackpot does not work",
        lock="table",
    ),
    "cards_unread": Fault(
        number="F204",
        what="A card could not be read",
        remedy="clean the reader; carry on as the prompt says",
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
        what="The power supply has failed and the table is on its hold-up supply",
        remedy="start nothing new; check the mains plug and the power supply",
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
        what="The clock is not synchronised to a time server",
        remedy="check the network and the time server",
    ),
    "journal_torn": Fault(
        number="F401",
        what="The last journal record was cut off by a power failure",
        remedy="nothing that had left the table is lost; check the hold-up supply",
        ends="technician",
    ),
    "snapshot_damaged": Fault(
        number="F406",
        what="A journal snapshot cannot be used",
        remedy="nothing is lost, the journal itself is intact; have the storage card replaced",
        ends="technician",
    ),
    "journal_damaged": Fault(
        number="F408",
        what="Records of the journal are missing",
        remedy="settle by hand what was under way; have the shift manager compare the journal "
        "with the jackpot controller's books, and a technician replace the card and clear this",
        lock="table",
        ends="technician",
    ),
    "disk_full": Fault(
        number="F402",
        what="The journal disk is nearly full",
        remedy="close the table and have a technician run 'underfelt journal pull --mark'",
        lock="table",
    ),
    "inbox_full": Fault(
        number="F403",
        what="Events came faster than the table could take them",
        remedy="find the device that is flooding it, then have a technician clear this",
        lock="table",
        ends="technician",
    ),
    "program_failed": Fault(
        number="F407",
        what="The table's software has failed",
        remedy="carry on by hand; have a technician save the log for support, then clear this",
        lock="table",
        ends="technician",
    ),
    "hot": Fault(
        number="F404",
        what="The controller is too hot",
        remedy="clear the air vents under the table",
    ),
    "under_voltage": Fault(
        number="F405",
        what="The supply voltage is too low",
        remedy="replace the power supply or its cable",
    ),
    "count_mismatch": Fault(
        number="F501",
        what="The jackpot controller's count of contributions differs from this table's",
        remedy="stop play and have the shift manager compare the journal with the books",
        lock="table",
        ends="shift_manager",
    ),
    "unit_refused": Fault(
        number="F502",
        what="The jackpot controller does not accept this unit as the table",
        remedy="find the other unit with this name, or have the old one closed; if this is the only "
        "one and records are missing, have the shift manager order accept-unit",
        over="The jackpot controller had refused this unit as the table and accepts it now: "
        "have a technician clear this",
        lock="table",
        ends="technician",
    ),
    "unit_closed": Fault(
        number="F507",
        what="The jackpot controller has closed this unit for good",
        remedy="use the unit that has replaced it; if this one is to be the table, have the shift "
        "manager settle with the house what it owes, and a technician begin a new journal here",
        over="The jackpot controller had closed this unit and accepts it now: have a technician "
        "clear this",
        lock="table",
        ends="technician",
    ),
    "message_rejected": Fault(
        number="F503",
        what="The jackpot controller has rejected what this table owes it",
        remedy="have the shift manager settle it with the house and clear this: then it is dropped",
        lock="table",
        ends="shift_manager",
    ),
    "award_doubted": Fault(
        number="F504",
        what="The jackpot award is not what the claim can be worth",
        remedy="pay nothing more on it; have the shift manager compare it with the books and decide",
        lock="payment",
        ends="shift_manager",
    ),
    "meter_doubted": Fault(
        number="F505",
        what="The jackpot meter cannot be what the jackpot controller says",
        remedy="take no jackpot bets; have the shift manager compare it with the books, then clear "
        "this",
        lock="jackpot",
        ends="shift_manager",
    ),
    "sequence_fell": Fault(
        number="F506",
        what="The jackpot controller contradicts what it has said before",
        remedy="find out whether another controller publishes there or the controller's books were "
        "restored from a copy; then clear this",
        ends="technician",
    ),
}

REFUSALS: tuple[FaultCode, ...] = ("unit_refused", "unit_closed")
"""The faults that say that this unit does not speak for the table."""
CLEARED_BY: dict[Ends, frozenset[Role]] = {
    "by_itself": frozenset(),
    "pit_supervisor": frozenset({"pit_supervisor", "shift_manager", "technician"}),
    "technician": frozenset({"technician"}),
    "shift_manager": frozenset({"shift_manager"}),
}
"""Who may clear a fault of each kind; a technician clears what he has repaired."""


def spot_place(seat: int, bet: str) -> str:
    """Name a coin spot in a fault: by its seat, and by its bet where the seat has two."""
    return f"seat {seat}" if bet == "jackpot" else f"seat {seat} {bet}"


def place_words(where: str) -> str:
    """Write the place of a fault as people say it; ids of messages and of tables stay as they are."""
    return (
        where.replace("jackpot_", "jackpot on the ").replace("_", " ")
        if where.startswith("seat ")
        else where
    )
