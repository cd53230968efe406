"""Every key that the line protocol gives a panel can be pressed by a sentence of the language."""

import asyncio
import re
from collections.abc import Awaitable
from pathlib import Path
from typing import cast

from firmware.rules.games import GAMES
from sim.scenario_language import language
from sim.scenario_language.reader import Sentence
from sim.scenario_language.sentences import SENTENCE_FORMS, find_sentence
from sim.scenario_language.table_stage import TableStage

PROTOCOL = Path(__file__).parents[2] / "hw" / "line-protocol.md"
ANSWERS = {"BET", "FLOP", "TURN", "RIVER", "CHECK", "FOLD", "ABSENT"}
LEFT_OUT = {
    "OUT <seat> [<bet>]": "a bet is taken out with AMOUNT and 0, as 'bonus 3 none' says",
    "REST [<answer>]": "whoever writes a scenario names the answer; REST alone is the bet asked for",
}
"""What a key may have behind it and no sentence gives it, and why."""
assert language.EXPECT  # which makes the sentences known


class Presses:
    """A table that only notes what is pressed."""

    def __init__(self) -> None:
        self.pressed: list[str] = []

    async def press(self, key: str) -> None:
        """Note a key."""
        self.pressed.append(key)

    async def authority(self, number: str, **_: object) -> None:
        """Note that somebody enters number and PIN."""
        self.pressed.append(f"AUTH {number} PIN")

    async def awards_known(self) -> None:
        """Wait for nothing."""


def documented() -> list[str]:
    """List the keys of the document, with what may follow them."""
    text = PROTOCOL.read_text(encoding="utf-8")
    table = text[
        text.index("| message | key |") : text.index("### ", text.index("| message | key |"))
    ]
    return re.findall(r"`KEY ([^`]+)`", table)


def pressed() -> list[str]:
    """Press whatever the sentences press, in every form that is listed."""
    stage = Presses()
    for known in [each for each in SENTENCE_FORMS if each.is_key]:
        for said in known.form.sentences():
            for game in GAMES.values():
                if found := find_sentence(Sentence(1, said), game):
                    action, words = found
                    asyncio.run(_done(action(cast(TableStage, stage), words, Sentence(1, said))))
                    break
    return stage.pressed


async def _done(action: Awaitable[None]) -> None:
    await action


def test_every_key_of_a_panel_has_a_sentence() -> None:
    keys = {each.split()[0] for each in documented()} | ANSWERS
    assert {"SHOWN", "PAYOUT", "NOTCONFIRMED", "SIGNOFF", "PICK"} <= keys
    assert keys - {each.split()[0] for each in pressed()} == set()


def test_what_may_follow_a_key_has_a_sentence_too_or_a_reason() -> None:
    told = pressed()
    assert set(LEFT_OUT) <= set(documented())
    for key in [each for each in documented() if "[" in each and each not in LEFT_OUT]:
        words = [each for each in told if each.split()[0] == key.split()[0]]
        if key.split()[0] != "REPORT":  # whose facts depend on what is reported
            assert len({len(each.split()) for each in words}) > 1, key
    assert "SHOWN 3" in told
    assert {"PAYOUT 1 awarded", "PAYOUT 1 reckoned", "PAYOUT 1 1 awarded"} <= set(told)
    assert "NOTCONFIRMED 3 1 a wrong card" in told
