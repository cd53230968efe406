"""No card leaves through maintenance before it is face up: whole walks of every game.

What is shown (`table/public.py`) is compared between two decks; what may be read of the
journal is searched. The search and the walks are those of the table's own tests. The whole
runtime is compared, too: its log, its answers and acknowledgements, and how the journal grows.
"""

import logging
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from firmware.maintenance import requests
from firmware.maintenance.access import Access
from firmware.maintenance.journal_files import JournalFolder, readable_through
from firmware.maintenance.protocol import Shown
from firmware.maintenance.vitals import Vitals
from firmware.shell import runtime as runtime_module
from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.effects import AnyEffect
from firmware.table.events import CardDrawn, CardsRevealed, Event, HandDispensed, LinkChanged
from firmware.table.public import PublicTable, public
from firmware.table.settings import TableSettings
from firmware.table.state import AT_REST
from tests.table.alike import First, chips, doubts, moment, names_in_rounds, renamed, wanderings
from tests.table.playing import FLUSH, JOURNAL, at_reveal
from tests.table.test_no_card_leaks import CARD, DRAWN, face_up
from tests.table.walking import Deck, Move, Walker, decks, tables, walks

often = settings(max_examples=1_000 if os.environ.get("SOAK") else 60, deadline=None)


def shown(table: Walker) -> PublicTable:
    """Show a table as maintenance does."""
    return public(table.table.settings, table.state)


def of_the_hands(table: Walker) -> str:
    """Write what is shown but for the cards that the deal itself turns up."""
    seen = msgspec.structs.replace(shown(table), dealer=(), community=())
    return DRAWN.sub("", msgspec.json.encode(seen).decode())


@often
@given(walks, decks, tables)
def test_nothing_that_is_shown_names_a_card_of_a_hand_before_the_reveal(
    moves: list[Move], deck: Deck, at: TableSettings
) -> None:
    table = Walker(deck, at)
    for _ in table.walk(moves):
        if not face_up(table):
            assert not CARD.search(of_the_hands(table))
            assert len(shown(table).dealer) <= 1
            assert len(shown(table).community) <= len(table.state.round.community)


@often
@given(walks, decks, decks, tables)
def test_until_the_reveal_everything_shown_is_the_same_with_any_other_cards(
    moves: list[Move], deck: Deck, other: Deck, at: TableSettings
) -> None:
    def seen(table: Walker) -> list[str]:
        walked = takewhile(lambda _: not face_up(table), table.walk(moves))
        return [of_the_hands(table) for _ in walked]

    assert seen(Walker(deck, at)) == seen(Walker(other, at))


@often
@given(walks, decks, tables)
def test_no_card_of_a_round_under_way_is_in_the_readable_part_of_the_journal(
    moves: list[Move], deck: Deck, at: TableSettings
) -> None:
    table = Walker(deck, at)
    for _ in table.walk(moves):
        if table.state.doing in {"idle", "closed", "service"}:
            continue
        kept_back = table.journal[max(readable_through(table.state), 0) :]
        dealt = [e for e in kept_back if isinstance(e, CardDrawn | HandDispensed)]
        cards = [c for e in dealt for c in ((e.card,) if isinstance(e, CardDrawn) else e.cards)]
        assert {*table.state.round.drawn} <= {*cards}


class Answers(Struct, frozen=True):
    """What leaves a runtime after an event."""

    effects: tuple[AnyEffect, ...]
    acknowledged: bool
    log: tuple[str, ...]
    shown: Shown
    files: tuple[str, ...]
    held_back: bool
    grown_bytes: int
    """How much longer the journal is; not once it may be read, cards and all."""


def answers(settings: TableSettings, events: Sequence[Event]) -> list[Answers]:
    """Let a runtime live through events, and note everything that leaves it."""
    heard: list[Answers] = []
    with TemporaryDirectory() as folder, as_if_begun_at_once() as log:
        runtime = Runtime(settings, Path(folder))
        access = Access(
            table=runtime.table,
            journal=JournalFolder(Path(folder)),
            version="0",
            now_ms=lambda: 0,
            put=lambda _event, done: done(),
            identify=lambda _number, _pin: None,
            vitals=Vitals,
            log_lines=lambda: tuple(log),
            test_lamp=lambda _seat, _bet, _pattern: None,
            test_text=lambda _device, _text: False,
            remove_exported=lambda: None,
            restore=lambda: None,
        )
        for event in events:
            before, effects, done = journal_bytes(folder), list[AnyEffect](), list[None]()
            runtime.handle(Arrival(event, partial(done.append, None)), effects.append)
            access.hear(event)
            state = runtime.table.state
            listed = access.journal.listed(state, 1)
            heard.append(
                Answers(
                    tuple(effects),
                    bool(done),
                    access.log_lines(),
                    requests.shown(access, 1),
                    tuple(file.name for file in listed.files),
                    listed.held_back,
                    0 if state.phase in AT_REST else journal_bytes(folder) - before,
                )
            )
        runtime.close()
    return heard


def journal_bytes(folder: str) -> int:
    """Measure a journal."""
    return sum(path.stat().st_size for path in Path(folder).iterdir())


@contextmanager
def as_if_begun_at_once() -> Iterator[list[str]]:
    """Let journals have the same id and beginning, and give the lines of the log."""
    lines: list[str] = []
    listener = logging.Handler()
    listener.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]  # a handler of one line
    logging.getLogger().addHandler(listener)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(secrets, "token_hex", lambda _bytes: JOURNAL)
        patched.setattr(runtime_module, "now_ms", lambda: 1_000)
        patched.setattr(runtime_module, "monotonic_ms", lambda: 1_000)
        try:
            yield lines
        finally:
            logging.getLogger().removeHandler(listener)


@settings(max_examples=500 if os.environ.get("SOAK") else 15, deadline=None)
@given(chips, wanderings | doubts, decks, tables, st.integers(0, 2**32))
def test_log_answers_and_acknowledgements_are_the_same_with_any_other_hidden_cards(
    placed: set[int], moves: list[Move], deck: Deck, at: TableSettings, seed: int
) -> None:
    first = First(deck, at)
    first.wander(sorted(placed), moves)
    names = names_in_rounds(first, seed)
    start = LinkChanged(at_ms=2_000, healthy=True)
    # A runtime that is not restarted has other cards face up after that than the table walked.
    until = takewhile(lambda step: step.event is not None, first.steps[: moment(first, seed)])
    steps = [(step.round, step.event) for step in until if step.event is not None]
    one = answers(at, [start, *(event for _, event in steps)])
    two = answers(at, [start, *(renamed(event, names[number]) for number, event in steps)])
    for mine, others in zip(one, two, strict=True):
        assert mine == others


def test_the_journal_of_a_round_is_readable_when_the_round_is_over_and_not_before(
    tmp_path: Path,
) -> None:
    playing = at_reveal(FLUSH)
    runtime = Runtime(playing.table.settings, tmp_path)
    for event in playing.journal[1:]:
        runtime.handle(Arrival(event))
    folder = JournalFolder(tmp_path)
    state = runtime.table.state
    listed = folder.listed(state, 1)
    assert listed.held_back
    (segment,) = tmp_path.glob("*.journal")
    readable = segment.read_bytes()[: listed.files[0].bytes]
    assert b"journal_opened" in readable
    assert b"card_drawn" not in readable
    assert b"bets_opened" not in readable
    runtime.handle(Arrival(CardsRevealed(at_ms=0, frame=9_999)))
    assert state.doing == "settling"
    assert folder.listed(state, 1).files[0].bytes == listed.files[0].bytes
    runtime.close()
