"""The typed keys of the dealer panel: from the words of a message to an event.

One table of keys, each with the reader of its words. A PIN is in no event: `panel.py` checks it.
The keys NEXT, BACK, MENU and PICK make no events (`panel_screen.py`).

KEY OPEN | CLOSE | REVEAL | DEALT | PAID | CONFIRM | CANCEL | CLOSETABLE | OPENTABLE
KEY AMOUNT <seat> <bet> <cents>
KEY HIDDEN|SHOWN|NEW <seat>
KEY OUT <seat> [<bet>]                the box does not play: no ante; or without this bet
KEY REST [<answer>]                   all who have not answered place the bet, or give this answer
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
KEY PAYOUT <seat> [<claim>] awarded|reckoned   what is paid on a doubted award; PIN follows
KEY BAR|RESTRICT|LIFT <seat>          a player may not bet, or on one position only, or that ends
KEY AUTH <number> <PIN>               checked here; a PIN is in no event
KEY SIGNON <number> <PIN>             the same, of a dealer who signs on
KEY SIGNOFF                           the dealer leaves the table
"""

from collections.abc import Callable, Collection, Mapping
from functools import partial

import msgspec

from firmware.protocol.fault_catalogue import FAULTS, spot_place
from firmware.table.events import (
    AwardDecided,
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
    TableClosed,
    TableOpened,
)

_MOST_DIGITS = 15
"""More than any keypad can enter."""
_MOST_STAFF_DIGITS = 8
_MOST_DOTS = 8
"""So many dots have room beside their count on the smallest display."""
PLAIN_KEYS: Mapping[str, type[FromPanel]] = {
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
PERSON_KEYS: Mapping[str, type[StaffIdentified | DealerSignedOn]] = {
    "AUTH": StaffIdentified,
    "SIGNON": DealerSignedOn,
}
"""The keys with a PIN, and what they become when it was right."""


Stamp = dict[str, int]


def event_of(text: str, number: int, at_ms: int, answers: Collection[str]) -> Event | None:
    """Read a message from the panel; None if the table does not know it."""
    stamp = {"at_ms": at_ms, "frame": number}
    match text.split():
        case ["KEY", key] if key in PLAIN_KEYS:
            return PLAIN_KEYS[key](**stamp)
        case ["KEY", key, *words] if key in KEYS:
            return KEYS[key](stamp, words)
        case ["KEY", key, seat] if key.isupper() and key.lower() in answers and _positive(seat):
            return PlayerDecided(**stamp, seat=int(seat), decision=key.lower())
    return None


def _amount(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [seat, *bet, cents] if _positive(seat) and is_number(cents) and _is_named(bet):
            at_ms, frame, stake_cents = stamp["at_ms"], stamp["frame"], int(cents)
            # The panel says `jackpot on the dealer`; so may whoever types it.
            name = "_".join(word for word in bet if word not in {"on", "the"})
            return BetKeyed(
                at_ms=at_ms, frame=frame, seat=int(seat), bet=name, stake_cents=stake_cents
            )
    return None


def _is_named(words: list[str]) -> bool:
    """Return whether something is named in words, none of which is a number."""
    return bool(words) and not any(map(is_number, words))


def _hidden(stamp: Stamp, words: list[str]) -> Event | None:
    return _checked(HandNotShown, stamp, seat=int(words[0])) if _one_seat(words) else None


def _shown(stamp: Stamp, words: list[str]) -> Event | None:
    if not _one_seat(words):
        return None
    return _checked(HandNotShown, stamp, seat=int(words[0]), shown=True)


def _new(stamp: Stamp, words: list[str]) -> Event | None:
    return NewPlayer(**stamp, seat=int(words[0])) if _one_seat(words) else None


def _out(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [seat, *bet] if _positive(seat):
            return _amount(stamp, [seat, *(bet or ["ante"]), "0"])
    return None


def _rest(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case []:
            return _checked(RestDecided, stamp)
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
        places = tuple(str(int(word)) if is_number(word) else word for word in words)
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
        return [int(part) for part in parts] if all(map(is_number, parts)) else text
    return int(text) if is_number(text) else text


def _choose(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [option]:
            return _checked(OptionChosen, stamp, option=option)
        case [option, seat] if _positive(seat):
            return _checked(OptionChosen, stamp, option=option, seat=int(seat))
    return None


_FAULTS_BY_NUMBER = {fault.number: code for code, fault in FAULTS.items()}
"""What the panel shows of a fault is its number."""


def _clear(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [code, "seat", seat, *bet] if _positive(seat) and _is_named(bet):
            named, where = _FAULTS_BY_NUMBER.get(code, code), spot_place(int(seat), "_".join(bet))
            return _checked(FaultClearAsked, stamp, code=named, where=where)
        case [code, *where]:
            named = _FAULTS_BY_NUMBER.get(code, code)
            return _checked(FaultClearAsked, stamp, code=named, where=" ".join(where))
    return None


def _not_confirmed(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [seat, which, *reason] if _positive(seat) and _positive(which):
            told = " ".join(reason)
            return _checked(MajorDenied, stamp, seat=int(seat), which=int(which), reason=told)
        case [seat, *reason] if _positive(seat):
            return _checked(MajorDenied, stamp, seat=int(seat), reason=" ".join(reason))
    return None


def _payout(stamp: Stamp, words: list[str]) -> Event | None:
    match words:
        case [seat, *which, pay] if _positive(seat) and (not which or _one_seat(which)):
            number = int(which[0]) if which else 0
            return _checked(AwardDecided, stamp, seat=int(seat), pay=pay.lower(), which=number)
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


KEYS: Mapping[str, Callable[[Stamp, list[str]], Event | None]] = {
    "AMOUNT": _amount,
    "OUT": _out,
    "REST": _rest,
    "CORRECT": _correct,
    "HIDDEN": _hidden,
    "SHOWN": _shown,
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
    "PAYOUT": _payout,
    "BAR": partial(_measure, "bar"),
    "RESTRICT": partial(_measure, "restrict"),
    "LIFT": partial(_measure, "lift"),
}


def credentials_of(text: str) -> tuple[str, str, str] | None:
    """Read key, number and PIN of a person; None if it is another message."""
    match text.split():
        case ["KEY", key, number, pin] if key in PERSON_KEYS:
            return key, number, pin
    return None


def typed_row(counts: tuple[str, ...]) -> str:
    """Write how many digits were typed, with dots and a count; nothing if that is no count of any."""
    match counts:
        case [key, number] if key in PERSON_KEYS and is_number(number) and int(number):
            return f"Number {_dots(int(number))} {int(number)}"
        case [key, number, pin] if key in PERSON_KEYS and is_number(number) and is_number(pin):
            return f"PIN {_dots(int(pin))} {int(pin)}"
    return ""


def checked_row(pin: str) -> str:
    """Write that a PIN has come and is looked at."""
    return f"PIN {_dots(len(pin))}: wait"


def _dots(count: int) -> str:
    return "." * min(count, _MOST_DOTS)


def is_staff_number(text: str) -> bool:
    """Return whether somebody could have this number."""
    return is_number(text) and len(text) <= _MOST_STAFF_DIGITS


def without_pin(text: str) -> str:
    """Leave out what may be a PIN where a key with one is not understood."""
    match text.split():
        case ["KEY", key, *_] if key in PERSON_KEYS:
            return f"KEY {key}"
    return text


def _one_seat(words: list[str]) -> bool:
    return len(words) == 1 and _positive(words[0])


def is_number(text: str) -> bool:
    """Return whether a word is a number that a keypad can have entered."""
    return text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS


def _positive(text: str) -> bool:
    return is_number(text) and int(text) > 0
