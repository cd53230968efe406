"""Everything that a table can ask to have done, as data.

Lamps, prompt and sign follow from the state (`view.py`), so an effect is a difference
between two views; what is owed to the jackpot controller is in `protocol/obligations.py`.
`devices/` and `link/` carry effects out.
"""

from typing import Literal

from msgspec import Struct

from firmware.protocol.obligations import AnyObligation

SpotKey = tuple[int, str]
"""A coin spot by seat and jackpot bet."""
Pattern = Literal["off", "slow_blink", "quick_blink", "steady", "flutter", "double_blink"]
"""The lamp language: bets open, chip sensed, contribution acknowledged, win, fault."""


class Effect(Struct, frozen=True, tag_field="effect"):
    """Something to be done outside."""


class SetLamp(Effect, frozen=True, tag="set_lamp"):
    """Drive the lamp of a seat's coin spot; `bet` tells the spots of a seat apart."""

    seat: int
    bet: str
    pattern: Pattern


class Part(Struct, frozen=True):
    """Lines of a prompt that belong together: what to do, then its details; by their places."""

    first: int
    details: int
    end: int


class ShowPrompt(Effect, frozen=True, tag="show_prompt"):
    """Tell the dealer what to do; `code` says the same to a machine.

    The lines between and around the parts stand for themselves. `alerts` are the numbers of
    faults that stop the table: every page has room for one.
    """

    code: str
    lines: tuple[str, ...]
    parts: tuple[Part, ...] = ()
    alerts: tuple[str, ...] = ()


class ShowRefusal(Effect, frozen=True, tag="show_refusal"):
    """Tell the dealer why a key was not accepted; nothing has changed."""

    reason: str


NOT_ACCEPTED = "Not accepted: check number, PIN and role; after wrong tries, wait."
"""The one answer to everything that is wrong with number and PIN: it gives no right one away."""

NOT_ASKED = "No PIN is asked for now: key first what is to be confirmed."
"""The answer to any number and PIN, right or wrong, while nothing waits for one."""


class ShowSign(Effect, frozen=True, tag="show_sign"):
    """Show the meter and a line of text on the jackpot sign."""

    meter_cents: int | None
    text: str


class Send(Effect, frozen=True, tag="send"):
    """Tell the jackpot controller, again and again, until `StopSending`."""

    obligation: AnyObligation


class PublishStatus(Effect, frozen=True, tag="publish_status"):
    """Tell the jackpot controller how far the round has got; it orders claims by this."""

    round: int
    phase: str
    dealt_at_ms: int | None
    owed: int
    contributions: int
    contributed_cents: int
    seen_pending: tuple[str, ...] = ()


class DrawLots(Effect, frozen=True, tag="draw_lots"):
    """Draw a magic card and, in one round out of N, a lucky seat and a lucky dealer."""

    seats: int
    lucky_seat_one_in: int
    lucky_dealer_one_in: int


class StopSending(Effect, frozen=True, tag="stop_sending"):
    """The jackpot controller has answered in full; the table no longer owes this."""

    id: str


AnyEffect = (
    SetLamp | ShowPrompt | ShowRefusal | ShowSign | Send | StopSending | PublishStatus | DrawLots
)
