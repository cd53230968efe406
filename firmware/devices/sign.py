"""The jackpot sign on the line protocol: `SIGN <cents>|<text>`; a dash for no meter yet."""

from firmware.devices.displays import display_text
from firmware.table.effects import ShowSign


def sign_text(effect: ShowSign) -> str:
    """Write what the sign shows as a message."""
    meter = "-" if effect.meter_cents is None else str(effect.meter_cents)
    return f"SIGN {meter}|{display_text(effect.text)}"
