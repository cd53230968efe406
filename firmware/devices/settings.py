"""What a table is told about its devices beyond their pins and ports.

Where these settings come from (a file, its checks, its errors) is in `firmware.config`.
"""

from msgspec import Struct

from firmware.devices.card_source import CardProtocol
from firmware.devices.sensing import SensorLimits
from firmware.devices.switches import Switch


class DeviceSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Protocol, switches, watchdog, and when a sensor is not believed."""

    card_protocol: CardProtocol = "line"
    power_good: int | None = None
    """The pin of each switch; None if the board has none."""
    cover: int | None = None
    key: int | None = None
    watchdog: str = ""
    """The path of the hardware watchdog; empty if none is to be armed."""
    sensors: SensorLimits = SensorLimits()

    @property
    def switches(self) -> dict[Switch, int]:
        """The pins of the switches that there are."""
        pins: dict[Switch, int | None] = {
            "power_good": self.power_good,
            "cover": self.cover,
            "key": self.key,
        }
        return {switch: pin for switch, pin in pins.items() if pin is not None}
