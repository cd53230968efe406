"""What people do at the table: chips, the keys of the panel, the cards.

Every function here is one sentence of the language. What goes wrong is in `mishaps.py`.
"""

import asyncio
import re
from collections.abc import Iterator
from typing import NamedTuple

from firmware.errors import BadInput
from firmware.protocol.fault_catalogue import FAULTS
from firmware.rules.words import OPTIONS
from sim.scenario_language import facts
from sim.scenario_language.grammar import SLOTS, WHOLE, Slot, Words, seat_slot
from sim.scenario_language.reader import Sentence, cents
from sim.scenario_language.sentences import keys, says
from sim.scenario_language.table_stage import TableStage
from sim.table.table_file import PIN, STAFF

_LONGEST_WAIT_S = 600
_UNITS_S = {"s": 1, "seconds": 1, "min": 60, "minutes": 60}
_STAFF = {role.replace("_", " "): number for number, role in STAFF.items()}


def _offered(*words: str) -> Slot:
    return Slot("|".join(map(re.escape, words)), words, offered=True)


SLOTS["who"] = _offered("pit supervisor", *(who for who in _STAFF if who != "pit supervisor"))
SLOTS["option"] = _offered("withdraw", *(each for each in OPTIONS if each != "withdraw"))
SLOTS["fault"] = _offered(*FAULTS)
SLOTS["report"] = Slot(facts.REPORT_PATTERN, tuple(facts.examples()), offered=True)
SLOTS["one"] = Slot(WHOLE, ("1",), kind="count")
SLOTS["second_seat"] = seat_slot("2")
SLOTS["fourth_seat"] = seat_slot("4")
FOREIGN = "1x"
"""What a shoe reads off a card that is not of its decks."""


# The felt


@says(
    "(coins|chips) <seats>[ <dealer:on the dealer>]",
    "(coin|chip) <seats:=one_seat>[ <dealer:on the dealer>]",
    example="coins 1 3",
)
async def _coins(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Put a chip on the coin spots of these seats ("on the dealer": the second spot)."""
    for seat in found["seats"].split():
        stage.hardware.place_chip(int(seat), _spot(found))
    await stage.settle_sensors()


@says("lift <all:all>", "lift <seats>[ <dealer:on the dealer>]", example="lift all")
async def _lift(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Take the chips off these spots, or off all spots."""
    for seat, bet in stage.hardware.spots:
        named = bet == _spot(found) and str(seat) in found["seats"].split()
        if found["all"] or named:
            stage.hardware.lift_chip(seat, bet)
    await stage.settle_sensors()


def _spot(found: Words) -> str:
    return "jackpot_dealer" if found["dealer"] else "jackpot"


@keys("<bet> <seat:=second_seat> <amount>", "<bet> <seat> none", example="ante 2 $50")
async def _amount(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Key what a seat bets, by the name of the bet in the game; "none" removes it."""
    amount = cents(found["amount"]) if found["amount"] else 0
    await stage.press(f"AMOUNT {found['seat']} {found['bet']} {amount}")


# The keys of the panel


@keys("<key:close|open|reveal|dealt|paid|confirm|cancel|undo>", example="close")
async def _key(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Press a key on the panel: open, close, dealt, reveal, paid, confirm, cancel or undo."""
    if found["key"] == "paid":
        await stage.awards_known()
    await stage.press(found["key"].upper())


@keys("<key:close|open> the table", example="close the table")
async def _table(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Close the table for the night, or open it again."""
    await stage.press(f"{found['key'].upper()}TABLE")


@keys("<key:next|back|menu>", example="next")
async def _page(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Turn a page of what the panel shows, or open its menu."""
    await stage.press(found["key"].upper())


@keys("pick <number>", example="pick 2")
async def _pick(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Pick a line of the menu by its number."""
    await stage.press(f"PICK {found['number']}")


@keys("<key:=shown_or_answer> <seats:=third_seat>", example="fold 3")
async def _decision(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Key what a player does: the bet that the game asks for, fold, check, absent, hidden, shown."""
    for seat in found["seats"].split():
        await stage.press(f"{found['key'].upper()} {seat}")


@keys("all others <key:=answer>", example="all others bet")
async def _rest(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Key the answer of all players who have not answered yet."""
    await stage.press(f"REST {found['key'].upper()}")


@keys("<seat:=fourth_seat> does not play", example="4 does not play")
async def _out(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Take out a box that is in play only by memory, or has no ante."""
    await stage.press(f"OUT {found['seat']}")


@keys("correct <seat> to <key:=answer>", example="correct 3 to fold")
async def _correct(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Correct a decision that was keyed wrongly; the next person to confirm approves it."""
    await stage.press(f"CORRECT {found['seat']} {found['key'].upper()}")


@keys("new player <seat>", example="new player 3")
async def _new(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Another player takes this seat."""
    await stage.press(f"NEW {found['seat']}")


@keys("one player has seats <seats:=several>", example="one player has seats 2 3")
async def _player(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """One player has these seats and may look only at the first hand."""
    await stage.press(f"PLAYER {found['seats']}")


@keys("report <what:=report>", example="report cards_exposed count=2 any_player_seen=no")
async def _report(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Report an irregularity, with the facts that its ruling needs."""
    await stage.press(f"REPORT {found['what']}")


@keys("choose <option>[ for <seat>]", example="choose withdraw for 3")
async def _choose(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Choose an option of a ruling, for one seat or for the person who decides."""
    await stage.press(f"CHOOSE {found['option']} {found['seat']}".rstrip())


@keys("<who> confirms[ <without:without the key>]", example="pit supervisor confirms")
async def _confirms(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Turn the key, enter the number and PIN, and turn it back."""
    await stage.authority(_STAFF[found["who"]], key=not found["without"])


@keys("<who> signs <how:on|off>", example="dealer signs on")
async def _signs(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Sign on as the dealer with number and PIN, or sign off."""
    credentials = f" {_STAFF[found['who']]} {PIN}" if found["how"] == "on" else ""
    await stage.press(f"SIGN{found['how'].upper()}{credentials}")


@keys("<who> enters a wrong PIN", example="pit supervisor enters a wrong PIN")
async def _wrong_pin(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Turn the key and enter a wrong PIN."""
    await stage.authority(_STAFF[found["who"]], pin="0000")


@keys("clear <what:=fault>[ <where:=fault_place>]", example="clear sensor_stuck seat 3")
async def _clear(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Ask to clear a fault; the next person to confirm authorises it."""
    await stage.press(f"CLEAR {found['what']} {found['where']}".rstrip())


@keys(
    "seat <seat> is not confirmed: <reason:=text>",
    "claim <which:=one> of seat <seat> is not confirmed: <reason:=text>",
    example="seat 2 is not confirmed: a wrong card",
)
async def _not_confirmed(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Key that the supervisor does not confirm a claim; the next person to confirm says so."""
    claim = f"{found['seat']} {found['which']}".rstrip()
    await stage.press(f"NOTCONFIRMED {claim} {found['reason']}")


@keys(
    "payout <seat:=one_seat>[ claim <which:=one>] <how:awarded|reckoned>",
    example="payout 1 awarded",
)
async def _payout(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Key what is paid on an award in doubt; the next person to confirm says so."""
    claim = f"{found['seat']} {found['which']}".rstrip()
    await stage.press(f"PAYOUT {claim} {found['how']}")


@keys("<what:bar|restrict|unbar> seat <seat>", example="bar seat 3")
async def _measure(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Ask to bar or restrict the player at a seat, or to lift that ("unbar"); then somebody confirms."""
    key = {"unbar": "LIFT"}.get(found["what"], found["what"].upper())
    await stage.press(f"{key} {found['seat']}")


@keys("key <where:=place>: <cards>", example="key 3: As Ks Qs Js Ts")
async def _cards(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Key face-up cards that the table could not follow."""
    await stage.press(f"CARDS {found['where']} {found['cards']}")


@keys("<key:swap|went> <places:=two_places>", "<key:lost> <places>", example="swap 1 3")
async def _corrected(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Say where cards lie: two hands swapped, the newest card of one went to another, hands lost."""
    await stage.press(f"{found['key'].upper()} {found['places']}")


@keys("order")
async def _order(stage: TableStage, _found: Words, _sentence: Sentence) -> None:
    """Say that the last two cards lie the other way round."""
    await stage.press("ORDER")


@keys("up <card>", example="up As")
async def _up(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Say which of the dealer's cards lies face up."""
    await stage.press(f"UP {found['card']}")


# The cards


@says("deal[ <count> (cards|hands)]", "deal <count:=one> (card|hand)", example="deal")
async def _deal(stage: TableStage, found: Words, sentence: Sentence) -> None:
    """Deal until the table waits for something, or this many cards; name hands indented below."""
    stage.cards.arrange(hands(sentence))
    await stage.deal(int(found["count"]) if found["count"] else None)


@says("deal on[ <count> (cards|hands)]", "deal on <count:=one> (card|hand)", example="deal on")
async def _deal_on(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Continue from the same deck."""
    await stage.deal(int(found["count"]) if found["count"] else None)


def hands(sentence: Sentence) -> dict[tuple[str, int], list[str]]:
    """Read the hands below a deal, which have been checked (`dealing_checks.py`)."""
    read = (hand_of(line) for line in sentence.block)
    return {hand.where: hand.cards for hand in read if hand is not None}


class Hand(NamedTuple):
    """The cards that a line below a deal names for a place."""

    where: tuple[str, int]
    cards: list[str]


def hand_of(line: str) -> Hand | None:
    """Read a line below a deal; None if it is no hand."""
    found = re.fullmatch(r"(?:seat ([0-9]{1,3})|(dealer|board|burn)): (.+)", line)
    if found is None:
        return None
    place = "community" if found[2] == "board" else found[2] or "seat"
    return Hand((place, int(found[1] or 0)), found[3].split())


@says("draw <card>", "draw a foreign card", example="draw As")
async def _draw(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """One card leaves the shoe, whatever the deck says; a foreign card is of another deck."""
    await stage.within(stage.cards.draw(found["card"] or FOREIGN), "the shoe")


@says("dispense <cards>", example="dispense As Kd 9c 7h 2s")
async def _dispense(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """One hand leaves the shuffler, whatever the deck says."""
    await stage.within(stage.cards.dispense(found["cards"].split()), "the shuffler")


@says("wait <seconds> <unit:s|seconds|min|minutes>", example="wait 2 s")
async def _wait(_stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Let time pass, ten minutes at most."""
    await asyncio.sleep(float(found["seconds"]) * _UNITS_S[found["unit"]])


def wait_errors(text: str) -> Iterator[BadInput]:
    """Find that somebody waits longer than anybody means to."""
    found = re.fullmatch(rf"wait (\S+) ({'|'.join(_UNITS_S)})", text)
    if found is not None and float(found[1]) * _UNITS_S[found[2]] > _LONGEST_WAIT_S:
        yield BadInput(text, f"too long; wait {_LONGEST_WAIT_S} s at most")


# Hands at a table of a floor


@says("look")
async def _look(_stage: TableStage, _found: Words, _sentence: Sentence) -> None:
    """Do nothing but look at the table."""


@says("let the dealer <what:play|rest|finish>", example="let the dealer play")
async def _let(stage: TableStage, found: Words, _sentence: Sentence) -> None:
    """Let the simulated dealer of a floor's table go on, rest now, or finish its round and rest."""
    await stage.let_dealer(found["what"])
