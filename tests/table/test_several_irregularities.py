"""Two and three irregularities at once: none is dropped, and a void stands above a settlement.

What one irregularity leads to is in `test_irregularities.py`; what the table notices, in
`test_noticed.py`. Here they come one upon another, in every order.
"""

from collections.abc import Callable, Mapping
from itertools import permutations

import pytest
from msgspec.structs import replace

from firmware.protocol.obligations import Reversal, Verdict
from firmware.rules.contract import Facts, Incident, IrregularityName
from firmware.rules.games import GAMES
from firmware.rules.ruling import ruling
from firmware.table.events import JournalOpened, Restarted
from firmware.table.irregularities.reports import choices
from firmware.table.settings import CardSource
from firmware.table.state import Phase
from firmware.table.table import Table
from tests.cases import case
from tests.table.playing import prompt_in
from tests.table.rounds import Round, closed, noticed, settings_of

RULED_ON = ("rws-multilink-stud", "rws-casino-stud", "rws-holdem", "mbs-megalink-stud")
"""The games whose documents speak of a power cut."""
every_game = pytest.mark.parametrize("game", sorted(GAMES))
every_source = pytest.mark.parametrize("source", ["shoe", "shuffler"])


def foreign_card(played: Round) -> None:
    """Let something leave the source that is no card of the deck."""
    if played.state.round.source == "shoe":
        played.draw("Joker")
    else:
        played.dispense("Joker")


def card_too_many(played: Round) -> None:
    """Report a dealing error, or let the table notice one if something else is open already."""
    if played.phase() != "ruling":
        played.report("dealing_error", reconstructable=True)
    elif played.state.round.source == "shoe":
        played.too_many()
    else:
        played.dispense(played.next_unused())


def power_cut(played: Round) -> None:
    """Cut the power and restore it; the link comes back with it."""
    played.restart()


def link_lost(played: Round) -> None:
    """Lose the jackpot link."""
    played.link(healthy=False)


HAPPENINGS: Mapping[IrregularityName, Callable[[Round], None]] = {
    "foreign_card": foreign_card,
    "dealing_error": card_too_many,
    "interruption": power_cut,
    "jackpot_fault": link_lost,
}
ORDERS = [order for count in (2, 3) for order in permutations(HAPPENINGS, count)]


def is_void(game: str, kind: IrregularityName, *, seen: bool) -> bool:
    """Ask the rules whether one of these, with no outcome established, voids the round."""
    facts: dict[IrregularityName, Facts] = {
        "dealing_error": Facts(reconstructable=True),
        "interruption": Facts(outcome_established=False),
        "jackpot_fault": Facts(any_player_seen=seen),
    }
    return ruling(Incident(game, kind, facts.get(kind, Facts()))).action == "void"


def rule_on_everything(played: Round, option: str) -> list[IrregularityName]:
    """Let everybody who is asked choose, confirm each ruling, and list what was ruled on."""
    ruled: list[IrregularityName] = []
    while played.phase() == "ruling":
        incident = played.state.incident
        ruled.append(incident.irregularity)
        offered = choices(incident)
        if offered:
            played.choose(option if option in offered else offered[0])
        played.confirm()
        if not played.decided:
            played.confirm_as("shift_manager")
        assert played.decided
    return ruled


@every_game
@every_source
@pytest.mark.parametrize("phase", ["dealing", "deciding", "revealing"])
@pytest.mark.parametrize("option", ["continue", "withdraw"])
def test_5_8_1_whatever_comes_first_a_round_that_anything_voids_is_void(
    game: str, source: CardSource, phase: Phase, option: str
) -> None:
    for order in ORDERS:
        with case(" then ".join(order)):
            check_one_order(game, source, phase, option, order)


def check_one_order(
    game: str,
    source: CardSource,
    phase: Phase,
    option: str,
    order: tuple[IrregularityName, ...],
) -> None:
    """Let everything happen in this order, rule on it, and play on."""
    played = closed(settings_of(game, source)).play_until(phase)
    happened = [kind for kind in order if phase != "dealing" or kind != "dealing_error"]
    for kind in happened:
        HAPPENINGS[kind](played)
    ruled = rule_on_everything(played, option)
    words = " ".join(played.state.round.rulings)
    for kind in {*happened} - {*ruled}:
        assert kind.replace("_", " ") in words.lower()  # noted, if it was not asked
    seen = phase != "dealing"
    voids = any(is_void(game, kind, seen=seen) for kind in happened)
    assert played.state.round.void == voids
    assert not played.state.round.waiting
    if voids:
        check_everything_is_returned(played)
    played.link(healthy=True)
    played.play_until("idle")
    assert played.stages[-1] == ("void" if voids else "settled")
    assert Table.recovered(played.table.settings, played.journal).state.round.void == voids


def check_everything_is_returned(played: Round) -> None:
    """Prove that every bet goes back, and every contribution once."""
    results = played.state.round.results
    assert {bet.outcome for result in results for bet in result.bets.values()} == {"returned"}
    reversals = [o for o in played.state.owed.values() if isinstance(o, Reversal)]
    assert len({r.contribution for r in reversals}) == len(reversals)
    assert played.state.totals.contributions == 0


def folded_without_jackpot() -> Round:
    """Play until seat 1, without a jackpot bet, has folded and seat 3 is asked."""
    played = closed(settings_of("rws-multilink-stud"), jackpot=False).play_until("deciding")
    played.fold(1)
    return played


def test_5_8_1_a_foreign_card_is_ruled_on_although_the_last_player_has_withdrawn() -> None:
    played = folded_without_jackpot()
    played.report("dealing_error", reconstructable=True)
    played.draw("Joker")
    played.choose("withdraw", 3)
    assert "Foreign card found: noticed too; it comes next." in prompt_in(played.table.resumed())
    rule_one(played)
    assert noticed(played) == "foreign_card"
    assert played.state.incident.resume == "settling"
    rule_one(played)
    check_everything_is_returned(played)


def test_a_settlement_stands_if_the_supervisor_withdraws_what_would_void_it() -> None:
    played = folded_without_jackpot()
    played.report("dealing_error", reconstructable=True)
    played.draw("Joker")
    played.choose("withdraw", 3)
    rule_one(played)
    played.cancel()
    played.confirm_as("pit_supervisor")
    assert played.phase() == "settling"
    outcomes = {r.seat: r.bets["ante"].outcome for r in played.state.round.results}
    assert outcomes == {1: "lose", 3: "returned"}
    played.play_until("idle")


def rule_one(played: Round) -> None:
    """Confirm the ruling that is open, by the dealer if he may."""
    played.confirm()
    if not played.decided:
        played.confirm_as("shift_manager")
    assert played.decided


# A power cut while a ruling is open


@pytest.mark.parametrize("phase", ["dealing", "deciding", "revealing"])
@pytest.mark.parametrize("game", RULED_ON)
def test_5_7_2_a_power_cut_while_a_ruling_is_open_is_ruled_on_too(game: str, phase: Phase) -> None:
    played = closed(settings_of(game)).play_until(phase)
    played.report("other")
    played.choose("continue")
    played.restart()
    assert played.state.incident.irregularity == "other"
    assert played.state.incident.chosen == {0: "continue"}  # nothing is lost by the restart
    played.confirm_as("shift_manager")
    assert noticed(played) == "interruption"
    assert played.state.incident.ruling.rule == ("5.16.1" if game.startswith("mbs") else "5.7.2")
    assert played.state.incident.resume == phase


def test_5_7_1_a_power_cut_after_a_fold_lets_an_open_ruling_go_on() -> None:
    played = closed(settings_of("rws-multilink-stud")).play_until("deciding")
    played.fold(1)
    played.report("other")
    played.choose("continue")
    played.restart()
    assert "play continues" in played.state.round.rulings[-1]
    played.confirm_as("shift_manager")
    assert played.phase() == "deciding"


@pytest.mark.parametrize("phase", ["idle", "settling"])
def test_a_power_cut_in_a_ruling_outside_the_play_interrupts_nothing(phase: Phase) -> None:
    played = closed(settings_of("rws-multilink-stud")).play_until(phase)
    played.report("other")
    played.restart()
    assert not played.state.round.waiting
    played.cancel()
    assert played.phase() == phase


def test_5_16_1_two_power_cuts_are_one_interruption() -> None:
    played = closed(settings_of("mbs-megalink-stud")).play_until("deciding")
    played.restart()
    played.choose("withdraw", 1)
    played.restart()
    played.choose("continue", 3)
    played.confirm()
    if not played.decided:
        played.confirm_as("pit_supervisor")
    assert played.phase() == "deciding"
    assert played.state.round.seats[1].decision == "withdrawn"


# At the settlement


@pytest.mark.parametrize("game", ["mbs-megalink-stud", "mbs-singapore-stud"])
def test_6_1_a_link_lost_while_something_else_is_ruled_on_at_the_settlement(game: str) -> None:
    played = with_a_claim(game)
    played.report("other")
    played.choose("continue")
    played.link(healthy=False)
    played.confirm_as("shift_manager")
    assert noticed(played) == "jackpot_fault"
    assert played.state.incident.resume == "settling"
    played.choose("pay_registered")
    played.confirm_as("shift_manager")
    assert all(claim.registered for claim in played.state.round.claims.values())


@pytest.mark.parametrize("game", ["mbs-megalink-stud", "mbs-singapore-stud"])
def test_a_link_lost_at_the_settlement_of_a_round_that_becomes_void_is_noted(game: str) -> None:
    played = with_a_claim(game)
    played.report("foreign_card")
    played.link(healthy=False)
    rule_one(played)
    assert played.state.round.void
    assert played.phase() == "settling"
    assert played.state.round.rulings[-1] == "Jackpot fault: noticed too; the round is void."


def with_a_claim(game: str) -> Round:
    """Play to a settlement in which a claim waits for its award."""
    played = closed(settings_of(game, "manual")).play_until("claiming")
    played.cards(1, "Ah", "Jh", "9h", "6h", "3h")
    played.cards("dealer", "As", "Kd", "9c", "7h", "2s")
    played.paid()
    assert played.state.round.claims
    return played


# Journals that were written before


def test_a_journal_of_the_edition_before_is_replayed_as_it_was_played() -> None:
    played = closed(settings_of("rws-multilink-stud")).play_until("deciding")
    played.report("other")
    played.choose("continue")
    table = Table.recovered(played.table.settings, played.journal)
    assert table.step(Restarted(at_ms=10**9)).decided
    assert not table.state.round.waiting


@pytest.mark.parametrize(
    ("edition", "reason"),
    [(2, "other (§"), (3, "voided by the ")],
)
def test_a_withdrawal_of_an_edition_before_is_sent_again_with_the_words_that_it_had(
    edition: int, reason: str
) -> None:
    playing = with_a_claim("rws-multilink-stud")
    playing.report("other")
    playing.choose("void")
    playing.confirm_as("shift_manager")
    opened, *rest = playing.journal
    assert isinstance(opened, JournalOpened)
    table = Table.recovered(playing.table.settings, [replace(opened, edition=edition), *rest])
    said = [owed.reason for owed in table.state.owed.values() if isinstance(owed, Verdict)]
    assert said
    assert all(each.startswith(reason) for each in said)
