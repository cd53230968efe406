"""The dealer panel on the line protocol: keys in, text out, number and PIN checked between.

A PIN goes no further than this file: the table hears who it was, or that the PIN was wrong.
Checking one is slow on purpose, so it runs outside the event loop. An unknown key is refused
on the panel itself.

KEY OPEN | CLOSE | REVEAL | DEALT | PAID | CONFIRM | CANCEL | CLOSETABLE | OPENTABLE
KEY AMOUNT <seat> <bet> <cents>
KEY HIDDEN|NEW <seat>
KEY OUT <seat>                        the box does not play: no ante
KEY REST <answer>                     the answer of all players who have not answered yet
KEY UNDO                              the last key was a mistake
KEY CORRECT <seat> <answer>           a decision that was keyed wrongly
KEY <answer> <seat>                   the player's answer: BET, FLOP, CHECK, FOLD, ABSENT …
KEY PLAYER <seat> <seat> …            the seats of one player, the one he examines first
KEY CARDS <seat>|dealer|board <card> …
KEY SWAP <place> <place>              two hands exchanged; a place: seat, dealer or board
KEY WENT <place> <place>              the first one's newest card lies at the second
KEY ORDER                             the last two cards lie the other way round
KEY LOST <place> …                    the table no longer knows these hands
KEY UP <card>                         which of the dealer's cards lies face up
KEY REPORT <irregularity> [<fact>=<value> …]     yes, no, a number, or numbers with commas
KEY CHOOSE <option> [<seat>]
KEY CLEAR <fault> [<where>]
KEY NOTCONFIRMED <seat> [<claim>] <reason>   the supervisor's no to a claim; PIN follows
KEY BAR|RESTRICT|LIFT <seat>          a player may not bet, or on one position only, or that ends
KEY AUTH <number> <PIN>               checked here; a PIN is in no event
KEY SIGNON <number> <PIN>             the same, of a dealer who signs on
KEY SIGNOFF                           the dealer leaves the table
KEY NEXT | BACK                       turn a page (`panel_screen.py`); no event either
KEY MENU, KEY PICK <number>           a menu, whose end is one of the keys above
SHOW <code>|<line>|<line>…        a page of what to do now
REFUSED <line>|<line>…            why the last key was not accepted
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Protocol

import msgspec

from firmware.devices.line_port import LinePort
from firmware.devices.panel_pages import display_of
from firmware.devices.panel_screen import Offered, PanelScreen
from firmware.protocol.fault_catalogue import Role
from firmware.table.effects import ShowPrompt, ShowRefusal
from firmware.table.events import (
    BetKeyed,
    BetsClosed,
    BetsOpened,
    CardsCorrected,
    CardsKeyed,
    CardsRevealed,
    CorrectionKind,
    DealerSignedOff,
    DealerSignedOn,
    DecisionCorrected,
    Event,
    FaceUpKeyed,
    FaultClearAsked,
    FromPanel,
    HandNotShown,
    HandsDealt,
    IrregularityReported,
    KeyTakenBack,
    MajorDenied,
    MeasureAsked,
    NewPlayer,
    OptionChosen,
    PlayerDecided,
    ReportWithdrawn,
    RestDecided,
    RoundPaid,
    RulingConfirmed,
    SeatsJoined,
    StaffIdentified,
    StaffRefused,
    TableClosed,
    TableOpened,
)
from firmware.table.intake import Intake

_MOST_DIGITS = 15
"""More than any keypad can enter."""
_LONGEST_SHOWN = 60
_PLAIN_KEYS: Mapping[str, type[FromPanel]] = {
    "OPEN": BetsOpened,
    "CLOSE": BetsClosed,
    "REVEAL": CardsRevealed,
    "DEALT": HandsDealt,
    "PAID": RoundPaid,
    "CONFIRM": RulingConfirmed,
    "CANCEL": ReportWithdrawn,
    "CLOSETABLE": TableClosed,
    "OPENTABLE": TableOpened,
    "UNDO": KeyTakenBack,
    "SIGNOFF": DealerSignedOff,
}
_PERSON_KEYS: Mapping[str, type[StaffIdentified | DealerSignedOn]] = {
    "AUTH": StaffIdentified,
    "SIGNON": DealerSignedOn,
}
"""The keys with a PIN, and what they become when it was right."""


class Person(Protocol):
    """Somebody whose number and PIN were right."""

    @property
    def number(self) -> str:
        """The staff number."""

    @property
    def name(self) -> str:
        """The name, for the record."""

    @property
    def role(self) -> Role:
        """What the person may do."""


Identify = Callable[[str, str], Person | None]
"""Finds the person with this number and PIN; it may take a second."""
Stamp = dict[str, int]


class Panel:
    """The panel's port, and who may confirm something at it."""

    def __init__(
        self,
        path: str,
        answers: Collection[str],
        identify: Identify,
        intake: Intake,
        offered: Offered = tuple,
    ) -> None:
        """Open the port of the panel.

        `answers` are those of the game's players, `offered` is what its menu has now.
        """
        self._answers = answers
        self._identify = identify
        self._intake = intake
        self._checking: dict[int, asyncio.Task[None]] = {}
        """The frames whose PIN is being checked; the panel repeats them meanwhile."""
        self._newest_frame = 0
        self._ended_here = 0
        """The newest frame, if the screen took its key."""
        self._picked: Event | None = None
        """What that key made, if it ended a menu: a repetition makes the same."""
        self._screen = PanelScreen(offered=offered)
        self.port = LinePort(path, "panel", self._message, intake, self._hello)

    def show(self, effect: ShowPrompt) -> None:
        """Show what to do now."""
        self.port.send(self._screen.show(effect))

    def refuse(self, effect: ShowRefusal) -> None:
        """Show why the last key was not accepted."""
        self.port.send(self._screen.refuse(effect))

    def close(self) -> None:
        """Stop checking and close the port."""
        for task in self._checking.values():
            task.cancel()
        self.port.close()

    def _hello(self, words: tuple[str, ...]) -> str:
        """Note the size of the display; a panel says it again with every sign of life."""
        display = display_of(words)
        if isinstance(display, str):
            return display
        if display != self._screen.display:
            self.port.send(self._screen.resized(display))
        return ""

    def _message(self, text: str, frame: int) -> None:
        if frame != self._newest_frame:
            self._ended_here = 0  # numbers come round again: only the newest can be a repetition
        self._newest_frame = frame
        if frame == self._ended_here or self._screen.takes(text):
            self._take(text, frame)
            return
        left = self._screen.without_menu()
        if left:
            self.port.send(left)
        credentials = credentials_of(text)
        if credentials is not None:
            if frame not in self._checking:
                task = asyncio.get_running_loop().create_task(self._check(frame, *credentials))
                self._checking[frame] = task
                task.add_done_callback(lambda _: self._checking.pop(frame))
            return
        self._event(text, frame)

    def _take(self, text: str, frame: int) -> None:
        """Let the screen take a key, once; what ends a menu is a key for the table."""
        if frame == self._ended_here:
            if self._picked is None:
                self.port.acknowledge(frame)
            else:
                self._put(self._picked, frame)
            return
        self._ended_here, self._picked = frame, None
        shown, key = self._screen.pressed(text)
        self.port.send(shown)
        if key:
            self._picked = self._event(key, frame)
        else:
            self.port.acknowledge(frame)

    def _event(self, text: str, frame: int) -> Event | None:
        event = event_of(text, frame, self._intake.now_ms(), self._answers)
        if event is None:
            self.refuse(ShowRefusal(f"Unknown key: {_without_pin(text)[:_LONGEST_SHOWN]}"))
            self.port.acknowledge(frame)
        else:
            self._put(event, frame)
        return event

    async def _check(self, frame: int, key: str, number: str, pin: str) -> None:
        found = await asyncio.to_thread(self._identify, number, pin)
        if frame != self._newest_frame:
            # A repetition: the panel has had its answer, or it would not have gone on. The table
            # has gone on too, and would take it for somebody who confirms what is asked now.
            return
        at_ms = self._intake.now_ms()
        if found is None:
            self._put(StaffRefused(at_ms=at_ms, frame=frame, staff=number[:8]), frame)
            self.refuse(ShowRefusal("Wrong number or PIN."))
        else:
            event = _PERSON_KEYS[key](
                at_ms=at_ms, frame=frame, staff=found.number, name=found.name, role=found.role
            )
            self._put(event, frame)

    def _put(self, event: Event, frame: int) -> None:
        self._intake.put(event, partial(self.port.acknowledge, frame))


def event_of(text: str, number: int, at_ms: int, answers: Collection[str]) -> Event | None:
    """Read a message from the panel; None if the table does not know it."""
    stamp = {"at_ms": at_ms, "frame": number}
    match text.split():
        case ["KEY", key] if key in _PLAIN_KEYS:
            return _PLAIN_KEYS[key](**stamp)
        case ["KEY", key, *words] if key in _KEYS:
            return _KEYS[key](stamp, words)
        case ["KEY", key, seat] if key.isupper() and key.lower() in answers and _positive(seat):
            return PlayerDecided(**stamp, seat=int(seat), decision=key.lower())
    return None


def _amount(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [seat, bet, cents] if _positive(seat) and _number(cents):
            return BetKeyed(**stamp, seat=int(seat), bet=bet, stake_cents=int(cents))
    return None


def _hidden(stamp: Stamp, words: list[str]) -> Event | None:
    return HandNotShown(**stamp, seat=int(words[0])) if _one_seat(words) else None


def _new(stamp: Stamp, words: list[str]) -> Event | None:
    return NewPlayer(**stamp, seat=int(words[0])) if _one_seat(words) else None


def _out(stamp: Stamp, words: list[str]) -> Event | None:
    if not _one_seat(words):
        return None
    return BetKeyed(
        at_ms=stamp["at_ms"], frame=stamp["frame"], seat=int(words[0]), bet="ante", stake_cents=0
    )


def _rest(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [decision]:
            return _checked(RestDecided, stamp, decision=decision.lower())
    return None


def _correct(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [seat, decision] if _positive(seat):
            return _checked(DecisionCorrected, stamp, seat=int(seat), decision=decision.lower())
    return None


def _player(stamp: Stamp, words: list[str]) -> Event | None:
    if not words or not all(map(_positive, words)):
        return None
    return SeatsJoined(**stamp, seats=tuple(map(int, words)))


def _cards(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case ["dealer", *cards]:
            return CardsKeyed(**stamp, to="dealer", cards=tuple(cards))
        case ["board", *cards]:
            return CardsKeyed(**stamp, to="community", cards=tuple(cards))
        case [seat, *cards] if _positive(seat):
            return CardsKeyed(**stamp, to="seat", seat=int(seat), cards=tuple(cards))
    return None


def _corrected(how: CorrectionKind) -> Callable[[Stamp, list[str]], Event | None]:
    """Read the places of a correction; the table says how many it needs."""

    def read(stamp: Stamp, words: list[str]) -> Event | None:
        if not all(word in {"dealer", "board"} or _positive(word) for word in words):
            return None
        places = tuple(str(int(word)) if _number(word) else word for word in words)
        return _checked(CardsCorrected, stamp, how=how, places=places)

    return read


def _up(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [card]:
            return FaceUpKeyed(**stamp, card=card)
    return None


def _report(stamp: Stamp, words: list[str]) -> Event | None:
    if not words:
        return None
    facts = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    if len(facts) != len(words) - 1:
        return None
    told = {name: _fact(name, value) for name, value in facts.items()}
    return _checked(IrregularityReported, stamp, irregularity=words[0], facts=told)


def _fact(name: str, text: str) -> bool | int | list[int] | str:
    """Read the value of a fact as a panel writes it; several seats with commas, none as nothing."""
    if text in {"yes", "no"}:
        return text == "yes"
    if name in {"seats", "viewed"}:
        parts = [part for part in text.split(",") if part]
        return [int(part) for part in parts] if all(map(_number, parts)) else text
    return int(text) if _number(text) else text


def _choose(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [option]:
            return _checked(OptionChosen, stamp, option=option)
        case [option, seat] if _positive(seat):
            return _checked(OptionChosen, stamp, option=option, seat=int(seat))
    return None


def _clear(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [code, *where]:
            return _checked(FaultClearAsked, stamp, code=code, where=" ".join(where))
    return None


def _not_confirmed(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [seat, which, *reason] if _positive(seat) and _positive(which):
            told = " ".join(reason)
            return _checked(MajorDenied, stamp, seat=int(seat), which=int(which), reason=told)
        case [seat, *reason] if _positive(seat):
            return _checked(MajorDenied, stamp, seat=int(seat), reason=" ".join(reason))
    return None


def _measure(measure: str, stamp: Stamp, words: list[str]) -> Event | None:
    if not _one_seat(words):
        return None
    return _checked(MeasureAsked, stamp, seat=int(words[0]), measure=measure)


def _checked(kind: type[FromPanel], stamp: Stamp, **fields: object) -> Event | None:
    """Make an event of words that it must know; None if it does not."""
    document = {**stamp, **fields, "event": kind.__struct_config__.tag}
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError:
        return None


_KEYS: Mapping[str, Callable[[Stamp, list[str]], Event | None]] = {
    "AMOUNT": _amount,
    "OUT": _out,
    "REST": _rest,
    "CORRECT": _correct,
    "HIDDEN": _hidden,
    "NEW": _new,
    "PLAYER": _player,
    "CARDS": _cards,
    "SWAP": _corrected("swap"),
    "WENT": _corrected("went"),
    "ORDER": _corrected("order"),
    "LOST": _corrected("lost"),
    "UP": _up,
    "REPORT": _report,
    "CHOOSE": _choose,
    "CLEAR": _clear,
    "NOTCONFIRMED": _not_confirmed,
    "BAR": partial(_measure, "bar"),
    "RESTRICT": partial(_measure, "restrict"),
    "LIFT": partial(_measure, "lift"),
}


def credentials_of(text: str) -> tuple[str, str, str] | None:
    """Read key, number and PIN of a person; None if it is another message."""
    match text.split():
        case ["KEY", key, number, pin] if key in _PERSON_KEYS:
            return key, number, pin
    return None


def _without_pin(text: str) -> str:
    """Leave out what may be a PIN where a key with one is not understood."""
    match text.split():
        case ["KEY", key, *_] if key in _PERSON_KEYS:
            return f"KEY {key}"
    return text


def _one_seat(words: list[str]) -> bool:
    return len(words) == 1 and _positive(words[0])


def _number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS


def _positive(text: str) -> bool:
    return _number(text) and int(text) > 0
