"""The table that the head of a scenario describes: its settings, its link, its table file."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec

from firmware.devices.panel_pages import SMALLEST
from firmware.errors import BadInput
from firmware.rules.games import find_game
from firmware.table.settings import HousePolicy, TableSettings
from sim.jackpot_controller import schema as jackpots
from sim.scenario_language.reader import WIRING_SETTING, Head, cents
from sim.table.boards import Wiring, is_on_spot_board, most_seats
from sim.table.hardware import DISPLAY

NAME = "T1"
_POLICIES = tuple(policy.replace("_", " ") for policy in get_args(HousePolicy))
_ANTES = "$25 to $1,000"
_RATE_BASIS_POINTS = 2_000
"""A fifth of each stake goes to the meter."""


def table_settings(head: Head) -> TableSettings:
    """Return the settings of the table; an error says what is wrong with the head."""
    chosen = head.settings
    _check_words(head)
    low, _, high = chosen.get("ante", _ANTES).partition(" to ")
    document = {
        "name": NAME,
        "game": head.game,
        "seats": head.seats,
        "card_source": "shoe" if head.source == "angel-eye" else head.source,
        "ante_min_cents": cents(low),
        "ante_max_cents": cents(high),
        "jackpot_bet_cents": cents(chosen.get("jackpot bet", "$5")),
        "house_policy": chosen.get("policy", "close table").replace(" ", "_"),
        "lucky_seat_one_in": _one_in(head, "lucky seat"),
        "lucky_dealer_one_in": _one_in(head, "lucky dealer"),
    }
    if "bonus max" in chosen:
        document["bonus_max_cents"] = cents(chosen["bonus max"])
    try:
        return msgspec.convert(document, TableSettings, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput("table", str(error)) from None


def _check_words(head: Head) -> None:
    """Refuse in words what the settings would refuse in their own terms."""
    fewest, most = _seats_of(head.game, wiring(head))
    if not fewest <= head.seats <= most:
        raise BadInput("seats", f"{head.game} has {fewest} to {most}, not {head.seats}")
    policy = head.settings.get("policy", _POLICIES[0])
    if policy not in _POLICIES:
        known = f"{', '.join(_POLICIES[:-1])} or {_POLICIES[-1]}"
        raise BadInput("policy", f"{policy!r} is not a policy; write {known}")
    _check_money(head)


def _one_in(head: Head, draw: str) -> int:
    """Return in one of how many rounds the system draws this; 0 is never, as nobody has asked for it."""
    often = head.settings.get(draw)
    if often is None:
        return 0
    game = find_game(head.game)
    if draw.replace(" ", "_") not in {line.draw for line in game.draws}:
        raise BadInput(draw, f"{game.id} draws none; leave it out")
    if often == "in every round":
        return 1
    found = re.fullmatch(r"in 1 of ([1-9][0-9]{0,5}) rounds", often)
    if found is None:
        known = f"write '{draw} in every round' or '{draw} in 1 of 20 rounds'"
        raise BadInput(draw, f"{often!r} does not say how often it is drawn; {known}")
    return int(found[1])


@cache
def _seats_of(name: str, wished: Wiring) -> tuple[int, int]:
    """Return how many seats a table of a game can have here; the boards are read from files."""
    game = find_game(name)
    fewest, most = game.positions
    return fewest, min(most, most_seats(game, wished))


def _check_money(head: Head) -> None:
    """Refuse limits with which the firmware does not start."""
    low, to, high = head.settings.get("ante", _ANTES).partition(" to ")
    if not to:
        raise BadInput("ante", f"'{low}' has no two limits; write 'ante {_ANTES}'")
    if not cents(low):
        raise BadInput("ante", f"{low} is nothing, so it is no lower limit; write 'ante {_ANTES}'")
    if cents(low) > cents(high):
        words = f"the lower limit, {low}, is above the upper one, {high}"
        raise BadInput(
            "ante", words if not cents(high) else f"{words}; write 'ante {high} to {low}'"
        )
    if not cents(head.settings.get("jackpot bet", "$5")):
        raise BadInput("jackpot bet", "costs nothing; write 'jackpot bet $5'")
    if "bonus max" in head.settings and find_game(head.game).bonus is None:
        raise BadInput("bonus max", f"{head.game} has no bonus bet; leave it out")


def wiring(head: Head) -> Wiring:
    """Return what the spots are to be wired to, if the head says so."""
    wished = head.settings.get(WIRING_SETTING)
    return next((each for each in get_args(Wiring) if each == wished), "")


def has_spot_board(head: Head) -> bool:
    """Return whether any spot of the table is on a spot board."""
    return bool(wiring(head)) or is_on_spot_board(find_game(head.game), head.seats)


def jackpot_settings(head: Head, root: str) -> jackpots.JackpotLinkSettings:
    """Return the settings of the table's link."""
    meter_cents = cents(head.settings.get("meter", "$100,000"))
    return jackpots.JackpotLinkSettings(head.game, meter_cents, _RATE_BASIS_POINTS, root=root)


def disk_mb(head: Head) -> int | None:
    """Return the size of the journal's disk, if it is to be a small one."""
    wanted = head.settings.get("disk")
    if wanted is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,3}) MB", wanted)
    if found is None:
        raise BadInput("disk", f"{wanted!r} is not a size; write 'disk 4 MB'")
    return int(found[1])


def display(head: Head) -> str:
    """Return the size of the panel's display; a large one if the head names none."""
    wanted = head.settings.get("display", DISPLAY)
    found = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", wanted)
    if found is None:
        raise BadInput("display", f"{wanted!r} is not a size; write 'display 20x4'")
    if int(found[1]) < SMALLEST.columns or int(found[2]) < SMALLEST.rows:
        raise BadInput("display", f"{wanted} is too small; write 'display {SMALLEST}' or more")
    return wanted


def with_additions(text: str, head: Head, journal: Path) -> str:
    """Add what the head asks for to a table file; health is checked often, to save waiting."""
    text = re.sub(r"(?m)^journal = .*$", f'journal = "{journal.resolve()}"', text)
    sections: dict[str, Mapping[str, object]] = {"health": {"every_s": 0.5}}
    if head.source == "angel-eye":
        text = re.sub(r"(?m)^card_protocol = .*$", 'card_protocol = "angel-eye"', text)
    if "stuck after" in head.settings:
        sections["sensors"] = {"stuck_ms": _milliseconds(head.settings["stuck after"])}
    for name, values in sections.items():
        lines = "".join(f"{key} = {msgspec.json.encode(v).decode()}\n" for key, v in values.items())
        section = f"[{name}]\n"
        if section in text:
            text = text.replace(section, section + lines, 1)
        else:
            text += f"\n{section}{lines}"
    return text


def _milliseconds(text: str) -> int:
    found = re.fullmatch(r"([1-9][0-9]{0,4}) s", text)
    if found is None:
        raise BadInput("stuck after", f"{text!r} is not a time; write 'stuck after 2 s'")
    return int(found[1]) * 1000


def check_head(head: Head) -> None:
    """Refuse a head that does not describe a table, before anything is played."""
    table_settings(head)
    jackpot_settings(head, "root")
    disk_mb(head)
    display(head)
    with_additions("", head, Path())
