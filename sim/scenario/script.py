"""Every sentence of the scenario language, and what it does at the table.

A sentence is a pattern and a function; the patterns are the whole language, so the list
that `underfelt-sim play --language` prints is made from them. What can be expected is in
`expectations.py`.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable

from msgspec import Struct

from firmware.errors import BadInput
from firmware.rules.cards import CODES
from firmware.rules.dealing import card_order
from sim.dealer import read_by
from sim.scenario.language import Sentence, cents
from sim.scenario.stage import Stage
from sim.table_file import STAFF

Action = Callable[[Stage, re.Match[str], Sentence], Awaitable[None]]
_BETS = "ante|bonus|jackpot|jackpot_dealer"
_STAFF = {role.replace("_", " "): number for number, role in STAFF.items()}


class Pattern(Struct, frozen=True):
    """One form of a sentence."""

    form: re.Pattern[str]
    action: Action
    example: str


PATTERNS: list[Pattern] = []


def says(form: str, example: str) -> Callable[[Action], Action]:
    """Add a sentence to the language."""

    def add(action: Action) -> Action:
        PATTERNS.append(Pattern(re.compile(form), action, example))
        return action

    return add


def find(sentence: Sentence) -> tuple[Action, re.Match[str]] | None:
    """Find what a sentence means."""
    for pattern in PATTERNS:
        if found := pattern.form.fullmatch(sentence.text):
            return pattern.action, found
    return None


# The felt


@says(r"coins? (?P<seats>\d(?: \d)*)(?P<dealer> on the dealer)?", "coins 1 3")
async def _coins(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    bet = "jackpot_dealer" if found["dealer"] else "jackpot"
    for seat in found["seats"].split():
        stage.hardware.place_chip(int(seat), bet)
    await stage.settle_sensors()


@says(r"lift (?P<seats>\d(?: \d)*|all)(?P<dealer> on the dealer)?", "lift all")
async def _lift(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    bet = "jackpot_dealer" if found["dealer"] else "jackpot"
    if found["seats"] == "all":
        for seat, placed in stage.hardware.spots:
            stage.hardware.lift_chip(seat, placed)
    else:
        for number in found["seats"].split():
            stage.hardware.lift_chip(int(number), bet)
    await stage.settle_sensors()


@says(rf"(?P<bet>{_BETS}) (?P<seat>\d) (?P<amount>\$\S+|none)", "ante 2 $50")
async def _amount(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    amount = 0 if found["amount"] == "none" else cents(found["amount"])
    await stage.press(f"AMOUNT {found['seat']} {found['bet']} {amount}")


# The keys of the panel


@says(r"(?P<key>open|close|reveal|dealt|paid|confirm|cancel)", "close")
async def _key(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.press(found["key"].upper())


@says(r"(?P<key>close|open) the table", "close the table")
async def _table(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.press(f"{found['key'].upper()}TABLE")


@says(
    r"(?P<key>bet|fold|flop|turn|river|check|absent|hidden) (?P<seats>\d(?: \d)*)",
    "fold 3",
)
async def _decision(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    for seat in found["seats"].split():
        await stage.press(f"{found['key'].upper()} {seat}")


@says(r"new player (?P<seat>\d)", "new player 3")
async def _new(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.press(f"NEW {found['seat']}")


@says(r"one player has seats (?P<seats>\d(?: \d)+)", "one player has seats 2 3")
async def _player(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.press(f"PLAYER {found['seats']}")


@says(
    r"report (?P<what>[a-z_]+)(?P<facts>(?: \w+=\S*)*)",
    "report cards_exposed count=2 any_player_seen=no",
)
async def _report(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.press(f"REPORT {found['what']}{found['facts']}")


@says(r"choose (?P<option>[a-z_]+)(?: for (?P<seat>\d))?", "choose withdraw for 3")
async def _choose(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.press(f"CHOOSE {found['option']} {found['seat'] or ''}".rstrip())


@says(rf"(?P<who>{'|'.join(_STAFF)}) confirms", "pit supervisor confirms")
async def _confirms(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.authority(_STAFF[found["who"]])


@says(r"clear (?P<what>[a-z_]+(?: seat \d.*)?)", "clear sensor_stuck seat 3")
async def _clear(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.press(f"CLEAR {found['what']}")


@says(r"key (?P<where>\d|dealer|board): (?P<cards>.+)", "key 3: As Ks Qs Js Ts")
async def _cards(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.press(f"CARDS {found['where']} {found['cards']}")


# The cards


@says(
    r"deal(?P<on> on)?",
    "deal   (then, indented, 'seat 1: Ah Jh 9h 6h 3h', 'dealer: …', 'board: …', 'burn: …')",
)
async def _deal(stage: Stage, found: re.Match[str], sentence: Sentence) -> None:
    if not found["on"]:
        stage.new_deck(arranged(stage, sentence))
    await stage.deal_on()


def arranged(stage: Stage, sentence: Sentence) -> list[str]:
    """Put a deck in the order that deals the named hands; what is not named is any other card."""
    named: dict[tuple[str, int], list[str]] = {}
    for line in sentence.block:
        found = re.fullmatch(r"(?:seat (\d)|(dealer|board|burn)): (.+)", line)
        if found is None:
            raise BadInput(f"line {sentence.line}", f"{line!r} is no hand; write 'seat 1: As Kd …'")
        place = "community" if found[2] == "board" else found[2] or "seat"
        named[place, int(found[1] or 0)] = found[3].split()
    taken = {card for cards in named.values() for card in cards}
    others = [card for card in reversed(CODES) if card not in taken]
    settings = stage.hardware.settings
    deck: list[str] = []
    for target in card_order(settings.rules, read_by(settings), stage.dealt_seats()):
        hand = named.get((target.to, target.seat))
        deck.append(hand.pop(0) if hand else others.pop())
    return deck


@says(r"draw (?P<card>\S+)", "draw As")
async def _draw(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.hardware.draw(found["card"])


@says(r"dispense (?P<cards>.+)", "dispense As Kd 9c 7h 2s")
async def _dispense(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.hardware.dispense(found["cards"].split())


# The power, the wires and the link


@says(r"pull the plug", "pull the plug")
async def _plug(stage: Stage, _found: re.Match[str], _sentence: Sentence) -> None:
    await stage.hardware.kill()


@says(r"power on", "power on")
async def _power(stage: Stage, _found: re.Match[str], _sentence: Sentence) -> None:
    await stage.power_on()


@says(r"(?P<what>unplug|plug in) the (?P<device>shoe|shuffler|panel|sign)", "unplug the shoe")
async def _unplug(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    device = stage.device(found["device"])
    if found["what"] == "unplug":
        device.unplug()
    else:
        device.plug_in()


@says(
    r"(?P<what>stop|start) the (?P<part>broker|jackpot controller)", "stop the jackpot controller"
)
async def _part(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.switch(found["part"], on=found["what"] == "start")


@says(
    r"the sensor of seat (?P<seat>\d) (?P<what>chatters|is stuck)", "the sensor of seat 3 chatters"
)
async def _sensor(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await stage.spoil_sensor(int(found["seat"]), found["what"])


@says(r"(?P<what>open|shut) the cover", "open the cover")
async def _cover(stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    stage.hardware.set_switch("cover", on=found["what"] == "shut")
    await stage.settle_sensors()


@says(r"wait (?P<seconds>\d+(?:\.\d+)?) s", "wait 2 s")
async def _wait(_stage: Stage, found: re.Match[str], _sentence: Sentence) -> None:
    await asyncio.sleep(float(found["seconds"]))
