"""What a person at a simulated table is shown in a terminal, and which round the dealer says it is."""

from sim.floor.dealer import round_number
from sim.table.visible import VisibleTable, as_text, wrapped


def seen(**lamps: str) -> VisibleTable:
    """Return a table with these lamps."""
    return VisibleTable(
        lamps={f"1 {bet}": pattern for bet, pattern in lamps.items()},
        panel=("Seat 1 ante wins: pay $25.00, leave $25.00",),
        code="settling",
        sign="Ante $25.00",
    )


def test_the_second_lamp_of_a_seat_is_named_as_in_the_sentences() -> None:
    assert "lamps  1 steady, 1 on the dealer slow blink\n" in as_text(
        seen(jackpot="steady", jackpot_dealer="slow_blink")
    )


def test_lines_are_broken_between_words_below_their_beginning() -> None:
    lines = wrapped(as_text(seen()), 30).split("\n")
    assert lines[1:3] == ["  panel  Seat 1 ante wins: pay", "         $25.00, leave $25.00"]
    assert all(len(line) <= 30 for line in lines)
    assert wrapped(as_text(seen()), 200) == as_text(seen())


def test_a_dealer_counts_rounds_as_the_table_does() -> None:
    assert (
        round_number(("Round 4: place your bets. Then press CLOSE.", "Jackpot chips: none.")) == 4
    )
    assert round_number(("Press OPEN to take bets.",)) == 0
