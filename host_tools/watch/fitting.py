"""Words that fit into the room that there is: other words where it is short, never half of one.

An amount or a fault that is cut in the middle says something else. Pure; who has which room is in
`view.py` and `arrangement.py`.
"""

from collections.abc import Sequence
from textwrap import shorten

from rich.cells import cell_len

LAMP_WORDS = (
    "lamps: ○ off  ◔ bets open  ◑ chip sensed  ● acknowledged  ★ win  ▲ fault",
    "○ off ◔ open ◑ chip ● acknowledged ★ win ▲ fault",
    "★ win ▲ fault",
    "",
)
"""What the lamps mean."""


def fitting(width: int, ways: Sequence[str]) -> str:
    """Return the first way to say something that fits, or the last."""
    return next((words for words in ways if cell_len(words) <= width), ways[-1])


def shortened(text: str, width: int) -> str:
    """Leave out the last words of a text that is too long; an amount is there whole, or not at all."""
    return (
        text if cell_len(text) <= width else shorten(text, max(width, 1), placeholder=" …").lstrip()
    )


def fault_ways(fault: str) -> tuple[str, str, str]:
    """List the ways to name a fault: with its remedy, what it is, only its number."""
    return fault, fault.partition(":")[0], fault.partition(" ")[0]


def paused_ways(at: str) -> tuple[str, ...]:
    """List the ways to say that a picture is frozen."""
    return (
        f"PAUSED: this is how the tables looked at {at}. p shows them live again.",
        f"PAUSED at {at}. p shows the tables live again.",
        f"PAUSED at {at}. p: live",
        f"PAUSED {at}",
        "PAUSED",
    )
