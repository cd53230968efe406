"""What the panel says to a typed key that nobody understands: what was typed, and the remedy.

A sentence or two, short enough for a display of 20x4. Names of irregularities, facts, options
and faults are picked from the menu, so a mistyped one is answered with it. The keys themselves
are in `panel_keys.py`; what the table understands and refuses, it says itself.
"""

from collections.abc import Collection, Mapping
from typing import get_args

from firmware.devices.panel_keys import KEYS, PERSON_KEYS, PLAIN_KEYS, without_pin
from firmware.rules.contract import IrregularityName

LONGEST_SHOWN = 20
"""So many characters of what was typed are shown."""
_EXAMPLES: Mapping[str, str] = {
    "AMOUNT": "AMOUNT 3 ante 2500",
    "REST": "REST, or REST FOLD",
    "CORRECT": "CORRECT 3 FOLD",
    "PLAYER": "PLAYER 3 4",
    "CARDS": "CARDS 3 As Kd",
    "SWAP": "SWAP 1 3",
    "WENT": "WENT 1 3",
    "ORDER": "ORDER",
    "UP": "UP As",
    "NOTCONFIRMED": "NOTCONFIRMED 3 why",
}
"""How keys are typed that have anything but a seat behind them."""
_PICKED = frozenset({"REPORT", "CHOOSE", "CLEAR"})
"""Keys with a name behind them that nobody has to know."""
_REPORTED = frozenset(get_args(IrregularityName))


def not_understood(text: str, answers: Collection[str]) -> str:
    """Say what is wrong with a message that is no key, and what to do instead."""
    words = without_pin(text).removeprefix("KEY ").split()
    typed = " ".join(words)[:LONGEST_SHOWN]
    key = words[0] if words and text.startswith("KEY ") else ""
    if key in PERSON_KEYS:
        return f"{key}: key your number, then your PIN."
    if key == "REPORT" and len(words) > len(["REPORT", "other"]) and words[1] in _REPORTED:
        return f"{key} {words[1]}: a fact or its value is wrong. Press MENU and pick it."
    if key in _PICKED:
        return f"{typed}: not known. Press MENU and pick it."
    if key in PLAIN_KEYS:
        return f"{typed}: press {key} alone."
    if key in KEYS or (key.isupper() and key.lower() in answers):
        return f"{typed}: not clear. Key it like {_EXAMPLES.get(key, f'{key} 3')}."
    return f"{typed or 'Nothing'}: no such key. Press MENU."
