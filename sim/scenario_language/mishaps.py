"""What goes wrong at a table: power, wires, sensors, disk, clock, and the jackpot link.

Every function here is one sentence of the language, and acts from outside the firmware.
"""

import asyncio
import re

from sim.scenario_language.reader import Sentence
from sim.scenario_language.sentences import says
from sim.scenario_language.stage import ScenarioStage

_DEVICE = "(?P<device>shoe|shuffler|panel|sign)"
_BABBLE_BYTES = 1_000


# The power


@says(r"pull the plug", "pull the plug")
async def _plug(stage: ScenarioStage, _found: re.Match[str], _sentence: Sentence) -> None:
    """Cut the power to the table: its process is killed."""
    await stage.hardware.kill()


@says(r"power on", "power on")
async def _power(stage: ScenarioStage, _found: re.Match[str], _sentence: Sentence) -> None:
    """Switch the table on again, and wait until it shows something."""
    await stage.power_on()


@says(r"switch the table off", "switch the table off")
async def _off(stage: ScenarioStage, _found: re.Match[str], _sentence: Sentence) -> None:
    """Stop the table cleanly, as a technician does."""
    await stage.hardware.stop()


@says(r"the supply (?P<what>fails|is back)", "the supply fails")
async def _supply(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """The mains fail and the hold-up supply takes over, or the mains are back."""
    stage.hardware.set_switch("power_good", on=found["what"] == "is back")
    await stage.settle_sensors()


# The wires


@says(rf"(?P<what>unplug|plug in) the {_DEVICE}", "unplug the shoe")
async def _unplug(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Unplug the shoe, shuffler, panel or sign, or plug it in again."""
    device = stage.device(found["device"])
    (device.unplug if found["what"] == "unplug" else device.plug_in)()


@says(rf"the {_DEVICE} sends garbage", "the panel sends garbage")
async def _garbage(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Noise comes down the wire for half a second."""
    for _ in range(10):
        stage.device(found["device"]).babble(_BABBLE_BYTES)
        await asyncio.sleep(0.05)


@says(rf"the {_DEVICE} (?P<what>falls silent|is heard again)", "the shoe falls silent")
async def _silent(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """A device hangs: it is plugged in and sends nothing, until it is heard again."""
    stage.device(found["device"]).faults.silent = found["what"] == "falls silent"


@says(
    rf"the wire of the {_DEVICE} (?P<what>loses|spoils|repeats) one message in (?P<one_in>\d+)",
    "the wire of the shoe loses one message in 3",
)
async def _wire(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """A bad cable: one message in so many is lost, spoilt or arrives twice."""
    kind = {"loses": "drop", "spoils": "corrupt", "repeats": "duplicate"}[found["what"]]
    setattr(stage.device(found["device"]).faults, kind, 1 / int(found["one_in"]))


@says(
    rf"the wire of the {_DEVICE} delays messages by (?P<seconds>\d+(?:\.\d+)?) s",
    "the wire of the panel delays messages by 0.4 s",
)
async def _delay(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """What the device sends arrives late."""
    stage.device(found["device"]).faults.delay_s = float(found["seconds"])


@says(rf"the wire of the {_DEVICE} is good again", "the wire of the shoe is good again")
async def _good(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Replace the cable."""
    faults = stage.device(found["device"]).faults
    faults.drop = faults.corrupt = faults.duplicate = faults.delay_s = 0.0


@says(r"a card is not read", "a card is not read")
async def _unread(stage: ScenarioStage, _found: re.Match[str], _sentence: Sentence) -> None:
    """A card leaves the shoe or shuffler without being read."""
    await stage.within(stage.cards.unread(), "the card source")


# Sensors and switches


@says(
    r"the sensor of seat (?P<seat>\d)(?P<dealer> on the dealer)? "
    r"(?P<what>chatters|is stuck|is good again)",
    "the sensor of seat 3 chatters",
)
async def _sensor(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """A sensor changes 50 times a second, always senses a chip, or is repaired."""
    bet = "jackpot_dealer" if found["dealer"] else "jackpot"
    await stage.spoil_sensor(int(found["seat"]), bet, found["what"])


@says(r"(?P<what>open|shut) the cover", "open the cover")
async def _cover(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Open or shut the cover of the controller."""
    stage.hardware.set_switch("cover", on=found["what"] == "shut")
    await stage.settle_sensors()


# Disk and clock


@says(
    r"(?P<what>the disk is nearly full|the disk is full|make room on the disk)",
    "the disk is nearly full",
)
async def _disk(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Fill the journal's disk completely or but for half a megabyte; needs 'disk 4 MB' in the head."""
    left = {"the disk is nearly full": 500_000, "the disk is full": 0}
    stage.disk.leave(left.get(found["what"]))


@says(r"the clock jumps (?P<seconds>\d+) s (?P<way>forward|back)", "the clock jumps 90 s back")
async def _clock(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Somebody sets the table's clock."""
    milliseconds = int(found["seconds"]) * 1000
    stage.hardware.set_clock_off(milliseconds if found["way"] == "forward" else -milliseconds)


@says(r"the time server is (?P<what>gone|back)", "the time server is gone")
async def _time_server(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """No time server sets the table's clock any more, or one does again."""
    stage.keep_clock(kept=found["what"] == "back")


# The jackpot link


@says(
    r"(?P<what>stop|start) the (?P<part>broker|jackpot controller)", "stop the jackpot controller"
)
async def _part(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Cut the power to the broker or the jackpot controller, or restore it."""
    await stage.switch(found["part"], on=found["what"] == "start")
