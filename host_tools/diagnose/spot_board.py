"""What is wrong with the spot board of a table, and what a technician does about each of its faults.

The catalogue of faults has remedies for people at the table; here are those for who has the table's port, a
cable and an image. Pure, as `diagnosis.py` is, which asks this file.
"""

from collections.abc import Mapping

from firmware.devices.spot_board import PLACE
from firmware.maintenance.vitals import FaultVitals, Vitals

MANY_RESTARTS = 3
_FLASH = (
    "stop the service ('sudo systemctl stop underfelt-table'), run 'underfelt board flash {port}', and "
    "start it again"
)
_IMAGE = "give it its image by BOOTSEL ('underfelt board flash --image FILE.uf2')"
_REMEDIES: Mapping[str, str] = {
    "device_gone": "check the plug at both ends; if it is in, see with 'lsusb' whether 2e8a:0003 is there: "
    f"then the board waits in BOOTSEL, so {_IMAGE}",
    "device_silent": f"pull the board's cable and put it back; if it stays silent, {_IMAGE}",
    "device_babbles": "see that the cable leads to the spot board, and replace it; if it lasts, "
    + _FLASH,
    "device_unfit": f"see that {{port}} is the spot board's; if it is, {_FLASH}; if that does not help, {_IMAGE}",
    "spots_unknown": "leave the chips where they are, and wait a moment; if it lasts, pull the board's cable "
    "and put it back, and see 'underfelt board show'",
}


def remedy(fault: FaultVitals, found: Vitals) -> str:
    """Return what to do about a fault of the spot board; nothing about any other."""
    if fault.where != PLACE or fault.code not in _REMEDIES:
        return ""
    port = next((device.port for device in found.devices if device.name == PLACE), "PORT")
    return _REMEDIES[fault.code].format(port=port or "PORT")


def restarts(found: Vitals) -> tuple[str, str]:
    """Return what is wrong with a board that starts again and again, and what to do; else nothing."""
    board = found.spot_board
    if board is None or board.restarts < MANY_RESTARTS:
        return "", ""
    what = f"The spot board has restarted {board.restarts} times since the firmware was started"
    return what, (
        "replace its cable, which may not carry its power; if it goes on, its program is reset by its watchdog: "
        + remedy(FaultVitals(code="device_unfit", where=PLACE), found)
    )


def senses(level: bool | None, last: bool | None) -> str:  # noqa: FBT001  # a level is a level
    """Return what a sensor senses; what a board said before it was gone is not what lies there now."""
    if level is None:
        return "unknown" if last is None else f"unknown (last: {senses(last, None)})"
    return "a chip" if level else "nothing"


def in_words(found: Vitals) -> tuple[tuple[str, str], ...]:
    """Return what there is to know of the board, in rows."""
    board = found.spot_board
    if board is None:
        return ()
    state = "what lies on its spots is known" if board.known else f"unknown: {board.why_unknown}"
    if not board.version:
        return (("state", state),)
    return (
        ("state", state),
        ("version", board.version),
        ("program", board.program),
        (
            "session",
            f"{board.session}, restarted {board.restarts} times"
            if board.restarts
            else str(board.session),
        ),
    )
