"""Where no meter is known no jackpot bet is taken, and no chip is charged or dropped in silence."""

from msgspec.structs import replace

from firmware.protocol.obligations import Win
from firmware.table.events import (
    BelievedMeter,
    BetsClosed,
    ClockJudged,
    CoinSensed,
    LinkChanged,
    MeterMoved,
)
from firmware.table.settings import TableSettings
from firmware.table.table import Table
from tests.table.playing import (
    FLUSH,
    METER_CENTS,
    SETTINGS,
    Playing,
    at_reveal,
    bets_placed,
    lamps_in,
    owed_in,
    play_to_the_end,
    prompt_in,
    refused,
    sign,
)

NO_BETS = "Ante $25.00 to $1,000.00, no jackpot bets are accepted"
NOT_KNOWN = "No jackpot meter is known: take no jackpot bets."
IN_DOUBT = "The jackpot meter is in doubt: take no jackpot bets."


class Unmetered(Playing):
    """A table on a healthy link that has not heard a meter."""

    def __init__(self, settings: TableSettings = SETTINGS) -> None:
        super().__init__(settings)
        self.state.meter_cents = None
        self.table = Table.restored(settings, self.state)


def test_without_a_meter_no_spot_blinks_open_and_the_sign_takes_no_jackpot_bets() -> None:
    playing = Unmetered()
    effects = playing.open()
    assert lamps_in(effects) == {}
    assert NOT_KNOWN in prompt_in(effects)
    assert sign(None, NO_BETS) in playing.table.resumed()
    shown = prompt_in(playing.chip(3))
    assert "Hand back the jackpot chips: seat 3." in shown
    assert set(lamps_in(playing.table.resumed()).values()) == {"off"}


def test_without_a_meter_a_jackpot_bet_is_refused_by_chip_and_by_key() -> None:
    playing = Unmetered()
    playing.open()
    assert playing.key(1, "jackpot", 500) == refused(NOT_KNOWN)
    playing.chip(1)
    refusal = "No jackpot meter is known: hand back the jackpot chips, or wait."
    assert playing.close() == refused(refusal)


def test_without_a_meter_the_main_game_goes_on_and_with_one_the_jackpot_too() -> None:
    playing = Unmetered()
    playing.open()
    playing.ante(1, 5_000)
    playing.close()
    assert playing.phase() == "dealing"
    playing = Unmetered()
    playing.open()
    playing.chip(1)
    assert lamps_in(playing.meter(500, 1))[1] == "quick_blink"
    assert len(owed_in(playing.close())) == 1


def test_a_meter_in_doubt_is_none_until_the_shift_manager_has_cleared_the_fault() -> None:
    playing = bets_placed()
    playing.fault("meter_doubted", "meter", "$2.00 after $1.00")
    assert IN_DOUBT in prompt_in(playing.table.resumed())
    assert playing.key(2, "jackpot", 500) == refused(IN_DOUBT)
    assert playing.close() == refused(
        "The jackpot meter is in doubt: hand back the jackpot chips, or wait."
    )
    playing.clear("meter_doubted", "meter")
    playing.confirm_as("shift_manager")
    playing.close()
    assert playing.phase() == "dealing"


def doubted(playing: Playing, cents: int) -> None:
    """Let the link say that a meter cannot be so."""
    playing.fault("meter_doubted", "meter", "$2.00 after $1.00")
    event = MeterMoved(at_ms=playing.now(), meter_cents=cents, sequence=9, doubted=True)
    playing.take(event)


def test_a_meter_that_cannot_be_is_never_shown_before_the_shift_manager_has_cleared_it() -> None:
    playing = bets_placed()
    doubted(playing, 10**13)
    assert sign(METER_CENTS, NO_BETS) in playing.table.resumed()
    playing.clear("meter_doubted", "meter")
    playing.confirm_as("shift_manager")
    assert playing.state.meter_cents == 10**13, "he has compared it with the books"


def test_a_doubt_that_names_another_meter_is_told_anew_and_is_not_cleared_unseen() -> None:
    playing = bets_placed()
    doubted(playing, 200)
    playing.clear("meter_doubted", "meter")
    told = len(playing.reports)
    playing.fault("meter_doubted", "meter", "$2.00 after $1.00")
    assert (len(playing.reports), playing.state.clearing) == (told, "meter_doubted meter")
    playing.fault("meter_doubted", "meter", "$9.00 after $1.00")
    assert len(playing.reports) == told + 1
    assert "$9.00 after $1.00" in playing.state.faults["meter_doubted meter"].detail
    assert playing.state.clearing == "", "what is to be cleared is another one now"


def test_a_meter_that_is_believed_again_is_the_one_that_clearing_the_doubt_leaves() -> None:
    playing = bets_placed()
    doubted(playing, 10**13)
    playing.meter(METER_CENTS + 500, 10)
    playing.clear("meter_doubted", "meter")
    playing.confirm_as("shift_manager")
    assert playing.state.meter_cents == METER_CENTS + 500


def test_after_a_restart_no_meter_is_shown_while_it_is_in_doubt() -> None:
    playing = bets_placed()
    doubted(playing, 10**13)
    playing.heard_meter = (10**13, 0)
    playing.restart()
    assert playing.state.meter_cents is None
    playing.cancel()
    playing.confirm_as()
    playing.clear("meter_doubted", "meter")
    playing.confirm_as("shift_manager")
    assert playing.state.meter_cents == 10**13


def test_the_meter_that_was_believed_before_a_doubt_is_known_after_a_restart() -> None:
    playing = bets_placed()
    doubted(playing, 10**13)
    believed = BelievedMeter(meter_cents=METER_CENTS)
    for _ in range(2):
        playing.restart()
        assert playing.state.believed_meter == believed
        # Told anew after it, when no meter is believed yet.
        playing.fault("meter_doubted", "meter", "$9.00 after $1.00")
        assert playing.state.believed_meter == believed
    playing.cancel()
    playing.confirm_as()
    playing.clear("meter_doubted", "meter")
    playing.confirm_as("shift_manager")
    assert playing.state.believed_meter is None


def test_5_12_the_meter_of_a_round_is_what_the_first_one_after_a_restart_is_judged_by() -> None:
    playing = at_reveal(FLUSH)
    registered_cents = playing.state.round.meter_cents
    assert registered_cents is not None
    playing.restart()
    assert playing.state.meter_before == BelievedMeter(meter_cents=registered_cents)
    at_rest = Playing()
    assert at_rest.state.meter_before is None


def test_5_9_a_table_at_rest_that_restarts_knows_the_meter_of_its_last_round() -> None:
    playing = bets_placed()
    play_to_the_end(playing)
    playing.restart()
    assert playing.state.meter_before is None
    assert playing.state.registered_meter == BelievedMeter(meter_cents=METER_CENTS)
    assert bets_placed().state.registered_meter is None, "this round has none yet"


def test_while_several_controllers_speak_in_turn_the_sign_shows_the_meter_of_none() -> None:
    playing = bets_placed()
    lost = LinkChanged(at_ms=playing.now(), healthy=False, code="several_controllers")
    assert sign(None, NO_BETS) in playing.take(lost)
    assert sign(METER_CENTS, "Ante $25.00 to $1,000.00, jackpot bet $5.00") in playing.link(
        healthy=True
    )


def test_a_meter_in_doubt_is_not_what_is_paid_when_the_link_is_lost() -> None:
    playing = at_reveal(FLUSH)
    registered_cents = playing.state.round.meter_cents
    playing.fault("meter_doubted", "meter", "$2.00 after $1.00")
    playing.meter(10**15, 2)
    playing.link(healthy=False)
    assert playing.state.round.meter_cents == registered_cents


def test_an_older_journal_in_which_bets_closed_without_a_meter_replays() -> None:
    playing = bets_placed()
    playing.close()
    opened, *rest = playing.journal
    old = [
        replace(event, meter_cents=None) if isinstance(event, BetsClosed) else event
        for event in (replace(opened, edition=1), *rest)
    ]
    assert Table.recovered(playing.table.settings, old).state.phase == "dealing"


# Chips


def test_a_bet_is_not_keyed_away_while_its_chip_lies_there() -> None:
    playing = bets_placed()
    refusal = "Seat 1: a jackpot chip lies there; lift it, then it is no bet."
    assert playing.key(1, "jackpot", 0) == refused(refusal)
    playing.lift(1)
    playing.key(1, "jackpot", 0)
    assert [owed.seat for owed in owed_in(playing.close())] == [3]


def test_a_chip_on_a_spot_whose_bet_was_keyed_away_is_a_bet_and_its_lamp_says_so() -> None:
    playing = bets_placed()
    playing.key(4, "jackpot", 0)
    assert lamps_in(playing.chip(4)) == {4: "quick_blink"}
    assert [owed.seat for owed in owed_in(playing.close())] == [1, 3, 4]


def test_a_chip_lifted_just_before_the_close_is_charged_and_the_dealer_is_told() -> None:
    playing = bets_placed()
    playing.close()
    closed_ms = playing.at_ms
    effects = playing.take(CoinSensed(at_ms=closed_ms + 31, seat=3, present=False))
    told = "Seat 3: chip lifted as bets closed; it is charged. "
    assert f"{told}Have it put back, or OUT 3 jackpot." in prompt_in(effects)
    shown = prompt_in(playing.take(CoinSensed(at_ms=closed_ms + 90, seat=3, present=True)))
    assert not any("chip lifted" in line for line in shown)


def test_chips_that_are_swept_after_the_close_are_nothing_to_tell() -> None:
    playing = bets_placed()
    playing.close()
    playing.lift(1)
    assert not any("chip lifted" in line for line in prompt_in(playing.table.resumed()))


def test_the_word_about_a_lifted_chip_ends_when_its_bet_is_taken_out() -> None:
    playing = bets_placed()
    playing.close()
    playing.take(CoinSensed(at_ms=playing.at_ms + 31, seat=3, present=False))
    effects = playing.key(3, "jackpot", 0)
    assert [owed.seat for owed in owed_in(effects)] == [3], "the contribution is reversed"
    assert not any("chip lifted" in line for line in prompt_in(effects))


# The clock


def test_after_the_clock_has_jumped_a_win_does_not_claim_a_synchronised_clock() -> None:
    playing = at_reveal(FLUSH)
    playing.take(ClockJudged(at_ms=playing.now(), quality="synchronised"))
    playing.fault("clock_jumped")
    (win,) = owed_in(playing.reveal())
    assert isinstance(win, Win)
    assert win.clock == "free"


def test_a_technician_who_has_checked_the_clock_makes_it_synchronised_again() -> None:
    playing = at_reveal(FLUSH)
    playing.take(ClockJudged(at_ms=playing.now(), quality="synchronised"))
    playing.fault("clock_jumped")
    playing.clear("clock_jumped")
    playing.confirm_as("technician")
    (win,) = owed_in(playing.reveal())
    assert isinstance(win, Win)
    assert win.clock == "synchronised"


def test_a_link_that_is_down_takes_no_jackpot_bets_either_and_its_spots_stay_dark() -> None:
    playing = bets_placed()
    effects = playing.take(LinkChanged(at_ms=playing.now(), healthy=False, problem="cut"))
    assert lamps_in(effects) == {1: "off", 2: "off", 3: "off", 4: "off"}
    assert "Hand back the jackpot chips: seats 1, 3." in prompt_in(playing.table.resumed())
