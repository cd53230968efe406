"""Sentences said at a table of a floor: each is carried out and answered with what is visible.

One document in, one document out; `hands.py` carries them. Said are the sentences of the scenario
language. While somebody's hands are at a table, its simulated dealer rests. Who moves something waits
for his turn, but not for long; who only looks waits for nobody, and nobody for him.
"""

import asyncio
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.errors import UnderfeltError
from sim.floor.floor_stage import FloorStage
from sim.floor.shift import Shift
from sim.scenario_language.checking import Around, check_sentence
from sim.scenario_language.language import (
    EXPECT,
    NotASentence,
    completions,
    every_form,
    forms_with,
)
from sim.scenario_language.player import perform
from sim.scenario_language.reader import Sentence, one_line
from sim.table.visible import VisibleTable, visible

_ONLY_LOOKS = ("look", EXPECT, "wait ")
_TURN_S = 5.0
"""Most sentences are done by then; whoever waits longer is told for what."""


class Said(VisibleTable, frozen=True, kw_only=True):
    """What came of a sentence: what is visible then, what the table refused, what is wrong."""

    table: str
    game: str
    sentence: str
    source: str = ""
    """Where its cards come from."""
    problem: str = ""
    """Why it was not done, in words; the table's own refusal is `refusal`."""
    nearest: tuple[str, ...] = ()
    """If it is not a sentence, the sentences that were probably meant."""
    dealer: Literal["plays", "rests"] = "plays"
    """What the simulated dealer does now."""
    dealer_after: Literal["plays", "rests"] = "plays"
    """What it does when these hands are gone."""
    stopped: bool = False
    """Whether this sentence has stopped it."""
    busy: str = ""
    """What somebody's hands are doing at the table."""


class Visit(Struct):
    """Somebody's hands at a table, from the first sentence to the last."""

    has_table: bool = False
    stays: bool = False
    """Whether the dealer rests on when the hands are gone."""
    has_sent_to_rest: bool = False
    """Whether the dealer opens no further round, until the hands are gone."""


class Saying:
    """Lets people say sentences at one table, one sentence after another."""

    def __init__(self, stage: FloorStage, shift: Shift) -> None:
        self._stage = stage
        self._shift = shift
        self._lock = asyncio.Lock()
        self._visits: list[Visit] = []
        self._doing = ""
        """The sentence that is being carried out."""

    async def say(self, visit: Visit, text: str, block: tuple[str, ...], *, glance: bool) -> Said:
        """Carry a sentence out; with a glance, do not wait until lamps can be told."""
        typed = one_line(text)
        sentence = Sentence(1, typed.text, (*typed.block, *block))
        if sentence.text.startswith(_ONLY_LOOKS):
            return await self._said(visit, sentence, glance=glance)
        try:
            async with asyncio.timeout(_TURN_S):
                await self._lock.acquire()
        except TimeoutError:
            return self._answer(visit, sentence, problem=self._busy_words())
        self._doing = sentence.text
        try:
            return await self._said(visit, sentence, glance=glance)
        finally:
            self._doing = ""
            self._lock.release()

    def _busy_words(self) -> str:
        return f"somebody is at {self._stage.name}: {self._doing!r} is not done yet; wait for it, or stop it there"

    def state(self, visit: Visit, problem: str = "") -> Said:
        """Say at once what is visible, whatever is being done."""
        return self._answer(visit, Sentence(1, "look"), problem=problem)

    async def _said(self, visit: Visit, sentence: Sentence, *, glance: bool) -> Said:
        problem, stopped = "", False
        nearest: tuple[str, ...] = ()
        if not sentence.text.startswith(_ONLY_LOOKS):
            self._stage.hardware.screen.refusal = ""  # that of an earlier key
        try:
            check_sentence(sentence, self._around())
            stopped = await self._take(visit, sentence)
            await perform(self._stage, sentence)
            if not sentence.text.startswith(EXPECT):
                await self._stage.until_quiet(lamps=not glance)
        except NotASentence as error:
            problem, nearest = str(error), tuple(error.nearest)
        except UnderfeltError as error:
            problem = str(error)
        return self._answer(visit, sentence, problem, nearest, stopped=stopped)

    def _around(self) -> Around:
        hardware = self._stage.hardware
        return Around(
            game=hardware.settings.rules,
            settings=hardware.settings,
            has_spot_board=hardware.spot_board is not None,
            may_refuse=True,
        )

    def _answer(
        self,
        visit: Visit,
        sentence: Sentence,
        problem: str = "",
        nearest: tuple[str, ...] = (),
        *,
        stopped: bool = False,
    ) -> Said:
        seen, settings = visible(self._stage.hardware), self._stage.hardware.settings
        if sentence.text.startswith(_ONLY_LOOKS) and not sentence.text.startswith(EXPECT):
            seen = replace(seen, refusal="")  # that of an earlier key
        return Said(
            **{name: getattr(seen, name) for name in seen.__struct_fields__},
            table=self._stage.name,
            game=settings.game,
            source=settings.card_source,
            sentence=sentence.text,
            problem=problem,
            nearest=nearest,
            dealer=_does(rests=self._shift.is_by_hand),
            dealer_after=_does(rests=self._shift.is_by_hand and not self._gives_back(visit)),
            stopped=stopped,
            busy=self._doing,
        )

    async def _take(self, visit: Visit, sentence: Sentence) -> bool:
        """Stop the dealer before anything is moved; return whether it was stopped now."""
        if sentence.text in {"let the dealer play", "let the dealer rest"}:
            visit.has_table = False
            visit.stays = sentence.text.endswith("rest")
            return False
        if sentence.text.startswith(_ONLY_LOOKS):
            return False
        if not any(each is visit for each in self._visits):
            self._visits.append(visit)
        visit.has_table = True
        return sentence.text != "let the dealer finish" and await self._shift.take()

    def leave(self, visit: Visit) -> None:
        """Let the dealer go on when the last hands are gone, unless it is to rest."""
        if self._gives_back(visit):
            self._shift.give_back()
        self._visits = [each for each in self._visits if each is not visit]

    def _gives_back(self, visit: Visit) -> bool:
        others = any(each.has_table for each in self._visits if each is not visit)
        return visit.has_table and not visit.stays and not others

    def completions(self, text: str) -> list[str]:
        """List the sentences, or beginnings of sentences, that begin like this."""
        return completions(text, self._stage.hardware.settings.rules)

    def language(self, words: str) -> list[tuple[str, list[str]]]:
        """List what sentences mean, with the forms that have these words."""
        return list(forms_with(words, every_form(self._stage.hardware.settings.rules)))


def _does(*, rests: bool) -> Literal["plays", "rests"]:
    return "rests" if rests else "plays"
