"""No card leaves through maintenance before it is face up: whole walks of every game.

What is shown (`table/public.py`) is compared between two decks; what may be read of the
journal is searched. The search and the walks are those of the table's own tests.
"""

import os
from itertools import takewhile
from pathlib import Path

import msgspec
from hypothesis import given, settings

from firmware.maintenance.journal_files import JournalFolder, readable_through
from firmware.shell.inbox import Arrival
from firmware.shell.runtime import Runtime
from firmware.table.events import CardDrawn, CardsRevealed, HandDispensed
from firmware.table.public import PublicTable, public
from firmware.table.settings import TableSettings
from tests.table.playing import FLUSH, at_reveal
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
