"""Paragraphs of Singapore Stud that nothing else reaches at the table."""

import pytest

from firmware.table.public import public
from firmware.table.settings import CardSource
from tests.table.rounds import closed, settings_of

DOCUMENTS = ("mbs-singapore-stud",)


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_3_7_the_dealers_last_card_and_no_other_is_seen_while_players_decide(
    source: CardSource,
) -> None:
    played = closed(settings_of("mbs-singapore-stud", source)).play_until("deciding")
    hand = tuple(played.state.round.dealer)
    assert len(hand) == 5
    assert public(played.table.settings, played.state).dealer == hand[-1:]
