"""Rounds as people read them: what was done, and below it every effect, one a line.

A line that begins with `>` is done; the lines below it are all its effects in their order.
The rounds themselves are the text files in `transcripts/`, one for each game and card source.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from firmware.protocol.obligations import (
    AnyObligation,
    Contribution,
    FaultReport,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)
from firmware.table.effects import (
    AnyEffect,
    DrawLots,
    PublishStatus,
    Send,
    SetLamp,
    ShowPrompt,
    ShowRefusal,
    ShowSign,
    StopSending,
)
from firmware.table.settings import CardSource
from tests.devices.intake import ANSWERS
from tests.table.playing import SETTINGS, Playing

FOLDER = Path(__file__).with_name("transcripts")
_ANSWERS = {answer: answer for answer in sorted(ANSWERS)}


class Told(Playing):
    """A table that keeps every effect of what is done, told in words."""

    def __init__(self, game: str, source: CardSource) -> None:
        super().__init__(replace(SETTINGS, game=game, card_source=source))
        self.told: list[str] = []
        self.listener = lambda _event, _before, outcome: self.told.extend(
            map(effect_words, outcome.effects)
        )

    def do(self, line: str) -> list[str]:
        """Do what a line says, and give the effects in words."""
        self.told = []
        action, *words = line.split()
        if action in _ANSWERS:
            self.decide(int(words[0]), _ANSWERS[action])
        else:
            _ACTIONS[action](self, words)
        return self.told


def _acknowledge(table: Told, _words: list[str]) -> None:
    """Let the controller acknowledge everything that is not waiting for an award."""
    for owed in list(table.state.owed):
        table.acknowledge(owed)


def _award(table: Told, words: list[str]) -> None:
    seat, cents = map(int, words)
    claims = table.state.round.claims.items()
    claim = next(i for i, c in claims if c.seat == seat and c.amount_cents is None)
    table.award(claim, cents)


def _draw(table: Told, words: list[str]) -> None:
    for card in words:
        table.draw(card)


def _cards(table: Told, words: list[str]) -> None:
    match words:
        case ["dealer", *cards]:
            table.cards("dealer", *cards)
        case ["board", *cards]:
            table.cards("community", *cards)
        case [seat, *cards]:
            table.cards(int(seat), *cards)


def _lots(table: Told, words: list[str]) -> None:
    card, seat, dealer = words
    table.lots(
        card, lucky_seat=None if seat == "nobody" else int(seat), lucky_dealer=dealer == "dealer"
    )


_ACTIONS: Mapping[str, Callable[[Told, list[str]], object]] = {
    "open": lambda t, _: t.open(),
    "chip": lambda t, words: t.chip(int(words[0]), *words[1:]),
    "lift": lambda t, words: t.lift(int(words[0]), *words[1:]),
    "amount": lambda t, words: t.key(int(words[0]), words[1], int(words[2])),
    "close": lambda t, _: t.close(),
    "lots": _lots,
    "draw": _draw,
    "dispense": lambda t, words: t.dispense(*words),
    "dealt": lambda t, _: t.dealt(),
    "reveal": lambda t, _: t.reveal(),
    "cards": _cards,
    "paid": lambda t, _: t.paid(),
    "acknowledge": _acknowledge,
    "award": _award,
    "supervisor": lambda t, _: t.confirm_as("pit_supervisor"),
}


def effect_words(effect: AnyEffect) -> str:
    """Tell one effect."""
    match effect:
        case Send(obligation):
            return f"send {obligation.id} {_obligation_words(obligation)}"
        case PublishStatus():
            dealt = "" if effect.dealt_at_ms is None else f", dealt at {effect.dealt_at_ms}"
            return (
                f"status: {effect.phase}{dealt}, owed {effect.owed}, "
                f"contributed {effect.contributions} of {effect.contributed_cents}"
            )
        case StopSending(message_id):
            return f"stop {message_id}"
        case DrawLots():
            return "draw lots"
        case _:
            return _shown_words(effect)


def _shown_words(effect: SetLamp | ShowPrompt | ShowSign | ShowRefusal) -> str:
    match effect:
        case SetLamp(seat, bet, pattern):
            return f"lamp {seat} {bet}: {pattern}"
        case ShowPrompt(code, lines):
            return f"prompt {code}: {' / '.join(lines)}"
        case ShowSign(meter_cents, text):
            return f"sign {meter_cents or '-'}: {text}"
        case ShowRefusal(reason):
            return f"refused: {reason}"


def _obligation_words(owed: AnyObligation) -> str:
    match owed:
        case Contribution():
            return f"contribution: seat {owed.seat} {owed.bet} {owed.stake_cents}"
        case Reversal():
            return f"reversal: {owed.contribution} {owed.stake_cents}"
        case Win():
            final = "final" if owed.final else "not final"
            return f"win: seat {owed.seat} {owed.claim.tier} on {owed.claim.on}, {final}"
        case Verdict():
            return f"verdict: {owed.win} confirmed {owed.confirmed}, paid {owed.paid_cents}"
        case RoundReport():
            return f"round {owed.round} {owed.stage}"
        case FaultReport():
            return f"fault: {owed.text}"


def steps(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Read a transcript: what is done, and the effects it must have."""
    action, effects = "", list[str]()
    for line in path.read_text().splitlines():
        if line.startswith(">"):
            if action:
                yield action, effects
            action, effects = line.removeprefix(">").strip(), []
        elif line.strip() and not line.startswith("#"):
            effects.append(line.strip())
    yield action, effects
