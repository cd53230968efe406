"""What people do at the table: chips, the keys of the panel, the cards.

Every function here is one sentence of the language. What goes wrong is in `mishaps.py`.
"""

import asyncio
import re
from typing import get_args

from firmware.errors import BadInput
from firmware.protocol.fault_catalogue import FAULTS
from firmware.rules.cards import CODES
from firmware.rules.contract import IrregularityName
from firmware.rules.game import Game
from sim.scenario_language.reader import Sentence, cents
from sim.scenario_language.sentences import says
from sim.scenario_language.stage import ScenarioStage
from sim.table.table_file import PIN, STAFF

_KEYS = ("close", "open", "reveal", "dealt", "paid", "confirm", "cancel", "undo")
_STAFF = {role.replace("_", " "): number for number, role in STAFF.items()}
_WHO = f"(?P<who>{'|'.join(_STAFF)})"
_SEATS = r"(?P<seats>\d(?: \d)*)"
_SPOT = "(?P<dealer> on the dealer)?"


# The felt


@says(rf"coins? {_SEATS}{_SPOT}", "coins 1 3")
async def _coins(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Put a chip on the coin spots of these seats ("on the dealer": the second spot)."""
    for seat in found["seats"].split():
        stage.hardware.place_chip(int(seat), _spot(found))
    await stage.settle_sensors()


@says(rf"lift (?:(?P<all>all)|{_SEATS}){_SPOT}", "lift all")
async def _lift(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Take the chips off these spots, or off all spots."""
    for seat, bet in stage.hardware.spots:
        named = bet == _spot(found) and str(seat) in (found["seats"] or "").split()
        if found["all"] or named:
            stage.hardware.lift_chip(seat, bet)
    await stage.settle_sensors()


def _spot(found: re.Match[str]) -> str:
    return "jackpot_dealer" if found["dealer"] else "jackpot"


def _is_bet(found: re.Match[str], game: Game) -> bool:
    return found["bet"] in game.bet_names


@says(r"(?P<bet>[a-z_]+) (?P<seat>\d) (?P<amount>\$\S+|none)", "ante 2 $50", fits=_is_bet)
async def _amount(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Key what a seat bets, by the name of the bet in the game; "none" removes it."""
    amount = 0 if found["amount"] == "none" else cents(found["amount"])
    await stage.press(f"AMOUNT {found['seat']} {found['bet']} {amount}")


# The keys of the panel


@says(rf"(?P<key>{'|'.join(_KEYS)})", *_KEYS)
async def _key(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Press a key on the panel: open, close, dealt, reveal, paid, confirm, cancel or undo."""
    if found["key"] == "paid":
        await stage.awards_known()
    await stage.press(found["key"].upper())


@says(r"(?P<key>close|open) the table", "close the table")
async def _table(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Close the table for the night, or open it again."""
    await stage.press(f"{found['key'].upper()}TABLE")


@says(r"(?P<key>next|back|menu)", "next", "back", "menu")
async def _page(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Turn a page of what the panel shows, or open its menu."""
    await stage.press(found["key"].upper())


@says(r"pick (?P<number>\d+)", "pick 2")
async def _pick(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Pick a line of the menu by its number."""
    await stage.press(f"PICK {found['number']}")


def _is_answer(found: re.Match[str], game: Game) -> bool:
    return found["key"] == "hidden" or found["key"] in game.answers


@says(rf"(?P<key>[a-z_]+) {_SEATS}", "fold 3", "absent 3", "hidden 3", fits=_is_answer)
async def _decision(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Key what a player does: the bet that the game asks for, fold, check, absent, hidden."""
    for seat in found["seats"].split():
        await stage.press(f"{found['key'].upper()} {seat}")


@says(r"all others (?P<key>[a-z_]+)", "all others bet")
async def _rest(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Key the answer of all players who have not answered yet."""
    await stage.press(f"REST {found['key'].upper()}")


@says(r"(?P<seat>\d) does not play", "4 does not play")
async def _out(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Take a box out that is in play by memory, or has no ante."""
    await stage.press(f"OUT {found['seat']}")


@says(r"correct (?P<seat>\d) to (?P<key>[a-z_]+)", "correct 3 to fold")
async def _correct(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Put a decision right that was keyed wrongly; the next person to confirm agrees to it."""
    await stage.press(f"CORRECT {found['seat']} {found['key'].upper()}")


@says(r"new player (?P<seat>\d)", "new player 3")
async def _new(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Another player takes this seat."""
    await stage.press(f"NEW {found['seat']}")


@says(r"one player has seats (?P<seats>\d(?: \d)+)", "one player has seats 2 3")
async def _player(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """One player has these seats and may look only at the first hand."""
    await stage.press(f"PLAYER {found['seats']}")


@says(
    rf"report (?P<what>{'|'.join(get_args(IrregularityName))})(?P<facts>(?: \w+=\S*)*)",
    "report cards_exposed count=2 any_player_seen=no",
)
async def _report(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Report an irregularity, with the facts that its ruling needs."""
    await stage.press(f"REPORT {found['what']}{found['facts']}")


@says(r"choose (?P<option>[a-z_]+)(?: for (?P<seat>\d))?", "choose withdraw for 3")
async def _choose(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Choose an option of a ruling, for one seat or for the person who decides."""
    await stage.press(f"CHOOSE {found['option']} {found['seat'] or ''}".rstrip())


@says(rf"{_WHO} confirms(?P<without> without the key)?", "pit supervisor confirms")
async def _confirms(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Turn the key, enter the number and PIN, and turn it back."""
    await stage.authority(_STAFF[found["who"]], key=not found["without"])


@says(rf"{_WHO} signs (?P<how>on|off)", "dealer signs on")
async def _signs(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Sign on as the dealer with number and PIN, or sign off."""
    credentials = f" {_STAFF[found['who']]} {PIN}" if found["how"] == "on" else ""
    await stage.press(f"SIGN{found['how'].upper()}{credentials}")


@says(rf"{_WHO} enters a wrong PIN", "pit supervisor enters a wrong PIN")
async def _wrong_pin(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Turn the key and enter a wrong PIN."""
    await stage.authority(_STAFF[found["who"]], pin="0000")


@says(rf"clear (?P<what>(?:{'|'.join(FAULTS)})(?: [a-z].*)?)", "clear sensor_stuck seat 3")
async def _clear(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Ask to clear a fault; the next person to confirm authorises it."""
    await stage.press(f"CLEAR {found['what']}")


@says(
    r"seat (?P<seat>\d) is not confirmed: (?P<reason>.+)", "seat 2 is not confirmed: a wrong card"
)
async def _not_confirmed(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Key the supervisor's no to a claim; the next person to confirm says so."""
    await stage.press(f"NOTCONFIRMED {found['seat']} {found['reason']}")


@says(r"(?P<what>bar|restrict|unbar) seat (?P<seat>\d)", "bar seat 3")
async def _measure(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Ask to bar or restrict the player at a seat, or to lift that ("unbar"); somebody confirms."""
    key = {"unbar": "LIFT"}.get(found["what"], found["what"].upper())
    await stage.press(f"{key} {found['seat']}")


@says(r"key (?P<where>\d|dealer|board): (?P<cards>.+)", "key 3: As Ks Qs Js Ts")
async def _cards(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Key face-up cards that the table could not follow."""
    await stage.press(f"CARDS {found['where']} {found['cards']}")


@says(r"(?P<key>swap|went|lost)(?P<places>(?: (?:\d|dealer|board))+)", "swap 1 3", "lost 1 3")
async def _corrected(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Say where cards lie: two hands swapped, the newest card of one went to another, hands lost."""
    await stage.press(f"{found['key'].upper()}{found['places']}")


@says(r"order", "order")
async def _order(stage: ScenarioStage, _found: re.Match[str], _sentence: Sentence) -> None:
    """Say that the last two cards lie the other way round."""
    await stage.press("ORDER")


@says(r"up (?P<card>\S+)", "up As")
async def _up(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Say which of the dealer's cards lies face up."""
    await stage.press(f"UP {found['card']}")


# The cards


@says(r"deal(?: (?P<count>\d+) (?:cards?|hands?))?", "deal")
async def _deal(stage: ScenarioStage, found: re.Match[str], sentence: Sentence) -> None:
    """Deal until the table waits for something, or this many cards; hands go indented below."""
    stage.cards.arrange(hands(sentence))
    await stage.deal(int(found["count"]) if found["count"] else None)


@says(r"deal on(?: (?P<count>\d+) (?:cards?|hands?))?", "deal on")
async def _deal_on(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Continue from the same deck."""
    await stage.deal(int(found["count"]) if found["count"] else None)


def hands(sentence: Sentence) -> dict[tuple[str, int], list[str]]:
    """Read the hands below a deal; no other sentence has lines below it but the table."""
    if sentence.block and not sentence.text.startswith("deal"):
        raise BadInput(sentence.block[0], "indented lines belong only below a deal or the table")
    named: dict[tuple[str, int], list[str]] = {}
    for line in sentence.block:
        found = re.fullmatch(r"(?:seat (\d)|(dealer|board|burn)): (.+)", line)
        if found is None:
            raise BadInput(
                line, "is not a hand; write 'seat 1: As Kd …', 'dealer: …' or 'board: …'"
            )
        place = "community" if found[2] == "board" else found[2] or "seat"
        named[place, int(found[1] or 0)] = found[3].split()
    taken = [card for cards in named.values() for card in cards]
    for card in taken:
        if card not in CODES:
            raise BadInput(card, "is not a card; write rank and suit, such as As or Td")
        if taken.count(card) > 1:
            raise BadInput(card, "is in this deal twice")
    return named


@says(r"draw (?P<card>\S+)", "draw As")
async def _draw(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """One card leaves the shoe, whatever the deck says."""
    await stage.within(stage.cards.draw(found["card"]), "the shoe")


@says(r"dispense (?P<cards>.+)", "dispense As Kd 9c 7h 2s")
async def _dispense(stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """One hand leaves the shuffler, whatever the deck says."""
    await stage.within(stage.cards.dispense(found["cards"].split()), "the shuffler")


@says(r"wait (?P<seconds>\d+(?:\.\d+)?) s", "wait 2 s")
async def _wait(_stage: ScenarioStage, found: re.Match[str], _sentence: Sentence) -> None:
    """Let time pass."""
    await asyncio.sleep(float(found["seconds"]))
