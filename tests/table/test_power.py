"""The power is cut after every event of a round of every game: what the table is afterwards.

The fold of the journal is the table before the cut. Then the restart itself follows the
game: RWS rounds are void or go on (I-24), Megalink players choose, Singapore's manager
decides (I-27). What was owed is owed still, with the same ids.
"""

import pytest

from firmware.protocol.obligations import Reversal
from firmware.rules.games import GAMES
from firmware.table.events import Decision, DecisionCorrected, KeyTakenBack, Restarted
from firmware.table.settings import CardSource
from firmware.table.state import TableState
from firmware.table.table import Table
from tests.table.playing import TENS, Playing, at_reveal, owed_in, remembered
from tests.table.rounds import Round, closed, settings_of

every_game = pytest.mark.parametrize("game", sorted(GAMES))
every_source = pytest.mark.parametrize("source", ["shoe", "shuffler", "manual"])
CUT_OFF = {"drawing", "dealing", "deciding", "revealing", "claiming"}


def whole_round(game: str, source: CardSource) -> Round:
    """Play a round in which seat 3 folds, with whatever it claims paid."""
    played = closed(settings_of(game, source))
    played.answers[3] = "fold"
    return played.play_until("idle")


def cuts(played: Playing) -> list[list[Decision]]:
    """List every journal that a cut can leave: each prefix of the whole."""
    return [played.journal[:length] for length in range(1, len(played.journal) + 1)]


@every_game
@every_source
def test_the_table_after_a_cut_is_the_one_before_it_and_never_a_third(
    game: str, source: CardSource
) -> None:
    at = settings_of(game, source)
    played = whole_round(game, source)
    live = Table(at)
    for journal in cuts(played):
        assert live.step(journal[-1]).decided
        recovered = Table.recovered(at, journal)
        assert remembered(recovered.state) == remembered(live.state)
        assert recovered.resumed() == live.resumed()


@every_game
@every_source
def test_what_was_owed_before_a_cut_is_owed_after_it_with_the_same_ids(
    game: str, source: CardSource
) -> None:
    at = settings_of(game, source)
    for journal in cuts(whole_round(game, source)):
        recovered = Table.recovered(at, journal)
        before = dict(recovered.state.owed)
        effects = recovered.step(Restarted(at_ms=10**9)).effects
        after = recovered.state.owed
        assert {i: after[i] for i in before} == before
        assert [o.id for o in owed_in(effects)] == [i for i in after if i not in before]


def expected(game: str, state: TableState) -> str:
    """Say what a restart makes of a round, from the state before it, as the games have it."""
    folded = any(player.decision == "fold" for player in state.round.seats.values())
    established = folded or state.phase == "claiming"
    if state.phase not in CUT_OFF:
        return "untouched"
    if game == "mbs-singapore-stud":
        return "refer"
    if established:
        return "untouched"
    return "options" if game == "mbs-megalink-stud" else "void"


@every_game
@every_source
def test_a_round_that_was_cut_off_follows_its_game(game: str, source: CardSource) -> None:
    at = settings_of(game, source)
    found = set()
    for journal in cuts(whole_round(game, source)):
        recovered = Table.recovered(at, journal)
        phase, wanted = recovered.state.phase, expected(game, recovered.state)
        recovered.step(Restarted(at_ms=10**9))
        found.add(wanted)
        if wanted == "untouched":
            assert recovered.state.phase == phase
            assert recovered.state.round.incident is None
        else:
            incident = recovered.state.incident
            assert recovered.state.phase == "ruling"
            assert (incident.irregularity, incident.noticed) == ("interruption", True)
            assert incident.ruling.action == wanted
            assert incident.resume == phase
    rws = game.startswith("rws")
    assert found == {"untouched", "void" if rws else next(iter(found - {"untouched"}))}


@every_game
def test_an_interrupted_round_can_be_played_to_its_end_or_given_back(game: str) -> None:
    for choice in ("continue", "void"):
        played = closed(settings_of(game)).play_until("deciding")
        contributed = played.state.totals.contributions
        played.restart()
        action = played.state.incident.ruling.action
        if action == "options":
            played.choose("continue" if choice == "continue" else "withdraw")
            played.confirm() if choice == "continue" else played.confirm_as("pit_supervisor")
        elif action == "refer":
            played.choose(choice)
            played.confirm_as("shift_manager")
        elif choice == "void":
            played.confirm_as("pit_supervisor")
        else:
            played.cancel()
            played.confirm_as("pit_supervisor")
        assert played.decided
        if choice == "void":
            assert played.phase() == "settling"
            reversals = [o for o in played.state.owed.values() if isinstance(o, Reversal)]
            assert len(reversals) == contributed
            assert played.state.totals.contributions == 0
            results = played.state.round.results
            assert {b.outcome for r in results for b in r.bets.values()} == {"returned"}
        played.play_until("idle")
        assert played.stages[-1] == ("void" if played.state.round.void else "settled")


def test_a_restart_does_not_trust_the_key_or_the_link_that_it_finds() -> None:
    played = closed(settings_of("rws-multilink-stud"))
    played.turn_key()
    played.take(Restarted(at_ms=played.now()))
    assert not played.state.key_on
    assert not played.state.link_healthy


def test_5_7_2_a_fold_that_was_keyed_wrongly_was_no_outcome_at_the_power_cut() -> None:
    playing = at_reveal(TENS)
    playing.press(KeyTakenBack)
    playing.fold(3)
    playing.restart()
    assert playing.phase() == "revealing"
    playing.press(DecisionCorrected, seat=3, decision="bet")
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "ruling"
    assert playing.state.incident.ruling.rule == "5.7.2"
    assert playing.state.incident.ruling.action == "void"


def test_5_7_1_another_fold_is_an_outcome_all_the_same() -> None:
    playing = at_reveal(TENS)
    playing.press(KeyTakenBack)
    playing.fold(3)
    playing.restart()
    playing.restart()
    playing.press(DecisionCorrected, seat=1, decision="fold")
    playing.confirm_as("pit_supervisor")
    playing.restart()
    playing.press(DecisionCorrected, seat=1, decision="bet")
    playing.confirm_as("pit_supervisor")
    assert playing.phase() == "revealing"
