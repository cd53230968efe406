"""What goes wrong at a table: power, wires, sensors, disk, clock, and the jackpot link.

Every function here is one sentence of the language, and acts from outside the firmware.
"""

import asyncio

from sim.scenario_language.grammar import SLOTS, WHOLE, Slot, Words
from sim.scenario_language.reader import Sentence
from sim.scenario_language.sentences import says
from sim.scenario_language.table_stage import TableStage

MENDED = "(is good again|is mended|is repaired|works again)"
_BABBLE_BYTES = 1_000
SLOTS["device"] = Slot(
    "shoe|shuffler|panel|sign|spot board",
    ("shoe", "shuffler", "panel", "sign", "spot board"),
    offered=True,
    kind="device",
)
SLOTS["few"] = Slot(r"[1-9][0-9]{0,8}", ("3",))
SLOTS["delay"] = Slot(rf"{WHOLE}(?:\.{WHOLE})?", ("0.4",))


# The power


@says("pull the plug", "cut the power")
async def _plug(stage: TableStage, _found: Words, _sentence: Sentence) -> None:
    """Cut the power to the table: its process is killed."""
    await stage.pull_the_plug()


@says("power on", "switch the table on")
async def _power(stage: TableStage, _found: Words, _sentence: Sentence) -> None:
    """Switch the table on again, and wait until it shows something."""
    await stage.power_on()


@says("switch the table off")
async def _off(stage: TableStage, _found: Words, _sentence: Sentence) -> None:
    """Stop the table cleanly, as a technician does."""
    await stage.hardware.stop()


@says(
    "the supply <what:fails|is back>",
    "the mains <what:fail|are back>",
    example="the supply fails",
)
async def _supply(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """The mains fail and the hold-up supply takes over, or the mains are back."""
    stage.hardware.set_switch("power_good", on=found["what"] in {"is back", "are back"})
    await stage.settle_sensors()


# The wires


@says(
    "<what:unplug|plug in> the <device>", "plug the <device> <what:in>", example="unplug the shoe"
)
async def _unplug(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Unplug the shoe, shuffler, panel, sign or spot board, or plug it in again."""
    device = stage.device(found["device"])
    (device.unplug if found["what"] == "unplug" else device.plug_in)()


@says("the <device> sends garbage", example="the panel sends garbage")
async def _garbage(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Noise comes down the wire for half a second."""
    for _ in range(10):
        stage.device(found["device"]).babble(_BABBLE_BYTES)
        await asyncio.sleep(0.05)


@says(
    "the <device> (falls|is) <what:silent>",
    "the <device> is heard again",
    "the <device> speaks again",
    example="the shoe falls silent",
)
async def _silent(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """A device hangs: it is plugged in and sends nothing, until it is heard again."""
    stage.device(found["device"]).faults.silent = found["what"] == "silent"


@says(
    "the wire of the <device> <what:loses|spoils|repeats> one message in <one_in:=few>",
    example="the wire of the shoe loses one message in 3",
)
async def _wire(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """A bad cable: one message in this many is lost, is garbled or arrives twice."""
    kind = {"loses": "drop", "spoils": "corrupt", "repeats": "duplicate"}[found["what"]]
    setattr(stage.device(found["device"]).faults, kind, 1 / int(found["one_in"]))


@says(
    "the wire of the <device> delays messages by <seconds:=delay> s",
    example="the wire of the panel delays messages by 0.4 s",
)
async def _delay(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """What the device sends arrives late."""
    stage.device(found["device"]).faults.delay_s = float(found["seconds"])


@says(f"the wire of the <device> {MENDED}", example="the wire of the shoe is good again")
async def _good(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Replace the cable."""
    faults = stage.device(found["device"]).faults
    faults.drop = faults.corrupt = faults.duplicate = faults.delay_s = 0.0


@says("the spot board <what:hangs|restarts>", example="the spot board hangs")
async def _spot_board(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """The spot board's program hangs until its watchdog resets it, or it loses its power for a moment."""
    board = stage.spot_board
    (board.hang if found["what"] == "hangs" else board.restart)()


@says("a card is not read")
async def _unread(stage: TableStage, _found: Words, _sentence: Sentence) -> None:
    """A card leaves the shoe or shuffler without being read."""
    await stage.within(stage.cards.unread(), "the card source")


# Sensors and switches


@says(
    "the sensor of seat <seat>[ <dealer:on the dealer>] <what:chatters|is stuck>",
    f"the sensor of seat <seat>[ <dealer:on the dealer>] {MENDED}",
    example="the sensor of seat 3 chatters",
)
async def _sensor(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """A sensor changes 50 times a second, always senses a chip, or is repaired."""
    bet = "jackpot_dealer" if found["dealer"] else "jackpot"
    await stage.spoil_sensor(int(found["seat"]), bet, found["what"])


@says("<what:open|shut|close> the cover", example="open the cover")
async def _cover(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Open or shut the cover of the controller."""
    stage.hardware.set_switch("cover", on=found["what"] != "open")
    await stage.settle_sensors()


# Disk and clock


@says(
    "the disk is <what:nearly full|full>",
    "make room on the disk",
    "the disk has room again",
    example="the disk is nearly full",
)
async def _disk(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Fill the journal's disk, all of it or all but half a megabyte; needs 'disk 4 MB' in the head."""
    left = {"nearly full": 500_000, "full": 0}
    stage.disk.leave(left.get(found["what"]))


@says(
    "the clock jumps <seconds:=whole_seconds> s <way:forward|back>",
    example="the clock jumps 90 s back",
)
async def _clock(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Somebody sets the table's clock."""
    milliseconds = int(found["seconds"]) * 1000
    stage.hardware.set_clock_off(milliseconds if found["way"] == "forward" else -milliseconds)


@says("the time server is <what:gone|back>", example="the time server is gone")
async def _time_server(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """No time server sets the table's clock any more, or one does again."""
    stage.keep_clock(kept=found["what"] == "back")


# The jackpot link


@says(
    "<what:stop|start> the <part:jackpot controller|broker>", example="stop the jackpot controller"
)
async def _part(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Cut the power to the broker or the jackpot controller, or restore it."""
    await stage.switch(found["part"], on=found["what"] == "start")
