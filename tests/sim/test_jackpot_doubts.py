"""What a table says and its own round contradicts: it waits for the house, and is never paid before.

The rest of what becomes of claims is in `test_jackpot_claims.py`.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.protocol.messages import Acknowledgement, Rejection
from firmware.protocol.obligations import (
    AnyObligation,
    Contribution,
    RoundReport,
    Verdict,
    Win,
    moment,
)
from firmware.rules.words import money
from sim.jackpot_controller.commands import Command, CommandKind, record_command, run_commands
from sim.jackpot_controller.desk import PATIENCE, LinkDesk
from sim.jackpot_controller.house_payments import HousePayment
from sim.jackpot_controller.report import report
from sim.jackpot_controller.schema import JackpotLinkSettings
from sim.jackpot_controller.show import page
from sim.jackpot_controller.store import Store
from tests.sim import jackpot_messages
from tests.sim.jackpot_messages import (
    DEALT_MS,
    FLUSH,
    ROYAL,
    reversal,
    status,
    verdict,
    win,
)

OPENED_AT = moment(DEALT_MS - 5_000)
RESET = 10_000_000
GAME = "rws-casino-stud"


def opened(table: str = "T1", at_ms: int = DEALT_MS - 5_000) -> RoundReport:
    """Say that round 1 of a table is opened."""
    return RoundReport(id=f"{table}.j.1.9", table=table, at_ms=at_ms, round=1, stage="opened")


def contribution(number: int, stake_cents: int = 500, table: str = "T1") -> Contribution:
    """Make the nth message of a table a contribution in round 1."""
    return replace(jackpot_messages.contribution(number, stake_cents, table), round=1)


class Desk:
    """A desk, what it has awarded, and what it shows."""

    def __init__(self, path: Path, game: str) -> None:
        self.desk = LinkDesk(Store.open(path, JackpotLinkSettings(game, RESET, 2_500)))

    def awards(self, *owed: AnyObligation, at: datetime = OPENED_AT) -> dict[str, int]:
        """Let obligations come; give everything that is awarded on the way."""
        applied = [self.desk.store.apply(each, at) for each in owed]
        return {each.id: each.amount_cents for one in applied for each in one.awards}

    def command(self, kind: CommandKind, claim: str) -> str:
        """Let the house command something, and give the result."""
        database = self.desk.store.database
        given = Command("underfelt", kind, "T1", "", "4711", claim, "the tapes were watched")
        number = record_command(database, given, OPENED_AT)
        run_commands(self.desk, OPENED_AT)
        (text,) = database.execute(
            "SELECT result FROM command WHERE number = ?", (number,)
        ).fetchone()
        return str(text)

    def shown(self) -> str:
        """Give what `show` prints."""
        return page(report(self.desk.store.database, "underfelt", running=True))

    def paid(self) -> int:
        """Count what was paid."""
        return self.desk.store.totals().awards


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Begin the books of an RWS link; T1 is known, and will have heard of its royal."""
    begun = Desk(tmp_path / "jackpot.db", GAME)
    begun.desk.units.heard(status("T1", ROYAL_WIN.id), OPENED_AT)
    yield begun
    begun.desk.store.close()


ROYAL_WIN = win(5, ROYAL, dealt=0)
CONFIRMED = verdict(6, ROYAL_WIN)


def test_what_its_round_bears_out_is_paid(desk: Desk) -> None:
    assert desk.awards(opened(), contribution(2), ROYAL_WIN) == {}
    assert desk.awards(CONFIRMED) == {ROYAL_WIN.id: RESET + 125}
    assert "NOT BELIEVED" not in desk.shown()


def doubted(desk: Desk, *owed: AnyObligation, why: str, at: datetime = OPENED_AT) -> None:
    """Let the royal come with these; it waits for the house, which is told why."""
    assert desk.awards(*owed, at=at) == {}
    assert desk.paid() == 0
    shown = desk.shown()
    assert f"waits for the house: {why}" in shown
    assert f"{ROYAL_WIN.id} (T1 seat 1 royal flush): {why}" in shown


NO_CONTRIBUTION = "seat 1 has no contribution on jackpot in round 1"


def test_a_royal_without_a_contribution_waits_for_the_house(desk: Desk) -> None:
    doubted(desk, opened(), ROYAL_WIN, CONFIRMED, why=NO_CONTRIBUTION)
    assert desk.command("believe", ROYAL_WIN.id) == "carried out"
    assert desk.paid() == 1
    again = f"refused: claim: {ROYAL_WIN.id!r} is awarded, and nothing contradicts it"
    assert desk.command("believe", ROYAL_WIN.id) == again


def test_a_royal_that_is_not_believed_is_withdrawn_by_the_house(desk: Desk) -> None:
    doubted(desk, opened(), ROYAL_WIN, CONFIRMED, why=NO_CONTRIBUTION)
    assert desk.command("withdraw", ROYAL_WIN.id) == "carried out"
    assert desk.paid() == 0
    assert not desk.desk.store.accounts.locked
    assert "NOT BELIEVED" not in desk.shown()


def test_a_contribution_that_was_taken_back_or_is_nothing_bears_out_nothing(desk: Desk) -> None:
    chip = contribution(2)
    nothing = contribution(4, 0)
    owed = (opened(), chip, reversal(3, chip), nothing, ROYAL_WIN, CONFIRMED)
    doubted(desk, *owed, why=NO_CONTRIBUTION)


def test_a_contribution_of_another_seat_or_round_bears_out_nothing(desk: Desk) -> None:
    others = (replace(contribution(2), seat=2), replace(contribution(3), round=2))
    doubted(desk, opened(), *others, ROYAL_WIN, CONFIRMED, why=NO_CONTRIBUTION)


def test_a_contribution_that_comes_late_ends_the_doubt(desk: Desk) -> None:
    doubted(desk, opened(), ROYAL_WIN, CONFIRMED, why=NO_CONTRIBUTION)
    # The meter was locked when it came.
    assert desk.awards(contribution(2)) == {ROYAL_WIN.id: RESET}


def test_a_minor_without_a_contribution_waits_and_holds_nobody_up(desk: Desk) -> None:
    flush = win(5, FLUSH)
    assert desk.awards(opened(), flush) == {}
    assert not desk.desk.store.accounts.locked
    assert f"{flush.id} (T1 seat 1 flush): {NO_CONTRIBUTION}" in desk.shown()
    assert desk.command("believe", flush.id) == "carried out"
    assert desk.paid() == 1


def dealt_at(at_ms: int) -> Win:
    """Let the royal be dealt at another time."""
    return replace(ROYAL_WIN, dealt_at_ms=at_ms)


def test_i_19_a_hand_of_1970_does_not_jump_the_queue(desk: Desk) -> None:
    honest = win(5, ROYAL, "T2", dealt=-1_000)
    desk.awards(opened("T2"), contribution(2, table="T2"), honest)
    before = "its hand is dealt before its round was opened, at 2030-03-17T17:46:35+00:00"
    doubted(desk, opened(), contribution(2), dealt_at(0), CONFIRMED, why=before)
    assert desk.awards(verdict(6, honest)) == {}, "the house says who was first (RWS §4.5.2)"
    assert f"waits for the house about T1 seat 1 ({ROYAL_WIN.id}): its hand" in desk.shown()
    assert desk.command("withdraw", ROYAL_WIN.id) == "carried out"
    assert [award.id for award in desk.desk.store.review({}, OPENED_AT).awards] == [honest.id]


def test_i_19_a_whole_round_of_1970_is_doubted_by_the_time_of_its_receipt(desk: Desk) -> None:
    owed = (opened(at_ms=0), contribution(2), dealt_at(9_000), CONFIRMED)
    why = "its round was opened at 1970-01-01T00:00:00+00:00 by its table's clock, and at 2030-"
    doubted(desk, *owed, why=why)


@pytest.mark.parametrize("off_s", [-61, 61])
def test_i_19_a_clock_that_is_off_is_doubted(desk: Desk, off_s: int) -> None:
    owed = (opened(), contribution(2), ROYAL_WIN, CONFIRMED)
    at = OPENED_AT + timedelta(seconds=off_s)
    doubted(desk, *owed, why="its round was opened at 2030-03-17T17:46:35", at=at)


@pytest.mark.parametrize("off_s", [-60, 60])
def test_i_19_a_clock_that_is_a_little_off_is_believed(desk: Desk, off_s: int) -> None:
    at = OPENED_AT + timedelta(seconds=off_s)
    assert desk.awards(opened(), contribution(2), ROYAL_WIN, CONFIRMED, at=at)


def test_i_19_a_round_that_was_never_opened_is_doubted(desk: Desk) -> None:
    why = "its table has not said when round 1 was opened"
    doubted(desk, contribution(2), ROYAL_WIN, CONFIRMED, why=why)
    assert desk.awards(opened()) == {ROYAL_WIN.id: RESET + 125}, "the report was only late"


def test_i_18_where_claims_are_paid_by_entry_the_time_of_the_deal_decides_nothing(
    tmp_path: Path,
) -> None:
    mbs = Desk(tmp_path / "mbs.db", "mbs-megalink-stud")
    assert mbs.awards(contribution(2), dealt_at(0), CONFIRMED) == {ROYAL_WIN.id: RESET + 125}
    mbs.desk.store.close()


def test_i_28_what_a_table_says_that_it_has_paid_waits_for_the_house_too(desk: Desk) -> None:
    told = verdict(6, ROYAL_WIN, paid_cents=RESET)
    doubted(desk, opened(), ROYAL_WIN, told, why=NO_CONTRIBUTION)
    assert desk.desk.store.meter_cents == RESET
    assert desk.command("believe", ROYAL_WIN.id) == "carried out"
    assert desk.paid() == 1


def test_a_stake_above_the_limit_of_the_link_is_rejected_and_moves_nothing(desk: Desk) -> None:
    high = contribution(2, 10**15)
    payload = msgspec.json.encode(high)
    (answer,) = desk.desk.take(desk.desk.topics.owed("T1"), payload, datetime.now(UTC))
    assert isinstance(answer.document, Rejection)
    assert "the highest jackpot bet of this link" in answer.document.reason
    assert desk.desk.store.meter_cents == RESET
    desk.desk.write()
    assert "is above 1000000" in desk.shown()
    doubted(desk, opened(), ROYAL_WIN, CONFIRMED, why=NO_CONTRIBUTION)


def test_the_limit_of_stakes_is_a_setting_of_the_link(tmp_path: Path) -> None:
    settings = JackpotLinkSettings(GAME, RESET, 2_500, stake_limit_cents=500)
    with Store.open(tmp_path / "low.db", settings) as store:
        store.apply(contribution(1, 500), OPENED_AT)
        with pytest.raises(BadInput, match="stake_cents: 501 is above 500"):
            store.apply(contribution(2, 501), OPENED_AT)
    with pytest.raises(BadInput, match="stake_limit_cents: the books of this link"):
        Store.open(tmp_path / "low.db", replace(settings, stake_limit_cents=501))
    with pytest.raises(BadInput, match="0 lets nobody bet"):
        Store.open(tmp_path / "none.db", replace(settings, stake_limit_cents=0))


# ── what a table has paid by itself ──────────────────────────────────────────


def notices(desk: Desk) -> list[str]:
    """Give what the house was told of messages that are not believed."""
    desk.desk.write()
    rows = desk.desk.store.database.execute(
        "SELECT last_text FROM notice WHERE kind = 'not believed'"
    )
    return [text for (text,) in rows]


def owe(desk: Desk, *owed: AnyObligation) -> list[msgspec.Struct]:
    """Let obligations come by their topic; give the answers to the last one."""
    for each in owed:
        payload = msgspec.json.encode(each)
        said = desk.desk.take(f"underfelt/table/{each.table}/owed", payload, OPENED_AT)
    return [each.document for each in said if each.topic.endswith("/answer")]


def paid_itself(cents: int) -> Verdict:
    """Say that the table has paid the royal by itself."""
    return verdict(6, ROYAL_WIN, paid_cents=cents)


WORTH = RESET + 125
"""The meter with the one contribution of the round in it."""


@pytest.mark.parametrize("cents", [RESET, WORTH])
def test_i_28_what_a_table_can_have_paid_from_the_meter_that_was_shown_is_booked(
    desk: Desk, cents: int
) -> None:
    owe(desk, opened(), contribution(2), ROYAL_WIN, paid_itself(cents))
    assert desk.paid() == 1
    assert "NOT BELIEVED" not in desk.shown()
    assert notices(desk) == []


@pytest.mark.parametrize("cents", [10**12, WORTH + 1, 0])
def test_i_28_what_no_meter_was_worth_is_not_booked_before_the_house_believes_it(
    desk: Desk, cents: int
) -> None:
    owe(desk, opened(), contribution(2), ROYAL_WIN, paid_itself(cents))
    why = f"its table has paid {money(cents)} on it, and it can be worth"
    assert desk.paid() == 0
    assert why in desk.shown()
    assert why in notices(desk)[0]
    # However the meter moves on, it does not become true.
    desk.awards(replace(contribution(7, 900_000), round=3))
    assert desk.paid() == 0
    assert desk.command("believe", ROYAL_WIN.id) == "carried out"
    assert desk.paid() == 1
    assert desk.desk.store.totals().awarded_cents == cents


def test_the_house_enters_what_was_really_paid_where_a_table_has_told_something_else(
    desk: Desk,
) -> None:
    owe(desk, opened(), contribution(2), ROYAL_WIN, paid_itself(10**12))
    given = Command(
        *("underfelt", "enter-payment", "T1", "", "4711", ROYAL_WIN.id, "the slip says so"),
        HousePayment(WORTH),
    )
    record_command(desk.desk.store.database, given, OPENED_AT)
    run_commands(desk.desk, OPENED_AT)
    assert desk.desk.store.totals().awarded_cents == WORTH
    assert "NOT BELIEVED" not in desk.shown()


def test_what_contradicts_an_award_is_booked_as_awarded_until_the_house_believes_it(
    desk: Desk,
) -> None:
    owe(desk, opened(), contribution(2), ROYAL_WIN, CONFIRMED)
    assert desk.desk.store.totals().awarded_cents == WORTH
    later = replace(paid_itself(10**12), id="T1.j.8.1")
    owe(desk, later)
    assert desk.desk.store.totals().awarded_cents == WORTH
    assert "its table has paid $10,000,000,000" in desk.shown()
    assert desk.command("believe", ROYAL_WIN.id) == "carried out"
    assert desk.desk.store.totals().awarded_cents == 10**12


def test_a_minor_is_worth_what_the_pay_table_says(desk: Desk) -> None:
    flush = replace(win(5, FLUSH), final=False)
    owe(desk, opened(), contribution(2), flush, verdict(6, flush, paid_cents=10_001))
    assert "it can be worth $100.00" in desk.shown()
    assert desk.paid() == 0


# ── what a round's own reports contradict ────────────────────────────────────


def owes_nothing(desk: Desk) -> None:
    """Let the table say that nothing of it is on the way."""
    payload = msgspec.json.encode(status("T1", round_=1))
    desk.desk.take("underfelt/table/T1/status", payload, OPENED_AT)


def over(stage: Literal["settled", "void"], number: int) -> RoundReport:
    """Say with the nth message that round 1 is over."""
    return RoundReport(id=f"T1.j.{number}.1", table="T1", at_ms=0, round=1, stage=stage)


@pytest.mark.parametrize("stage", ["settled", "void"])
def test_a_win_after_its_round_was_over_waits_for_the_house(
    desk: Desk, stage: Literal["settled", "void"]
) -> None:
    late = win(9, FLUSH)
    owe(desk, opened(), contribution(2), over(stage, 8))
    assert owe(desk, late) == [Acknowledgement(id=late.id)]
    why = f"its table had reported round 1 as {stage} before"
    assert desk.paid() == 0
    assert why in desk.shown()
    assert why in notices(desk)[0]
    assert desk.command("believe", late.id) == "carried out"
    assert desk.paid() == 1


def test_a_win_that_only_arrives_after_the_end_of_its_round_is_paid(desk: Desk) -> None:
    owe(desk, opened(), contribution(2), over("settled", 8), win(5, FLUSH))
    assert desk.paid() == 1
    assert notices(desk) == []


def test_a_reversal_under_an_award_that_stands_is_told_until_the_house_believes_it(
    desk: Desk,
) -> None:
    chip, flush = contribution(2), win(5, FLUSH)
    owe(desk, opened(), chip, flush, reversal(7, chip))
    why = "the contribution of seat 1 on jackpot was reversed after its award"
    assert why in desk.shown()
    assert notices(desk) == []  # the withdrawal may be on its way
    owes_nothing(desk)
    assert why in notices(desk)[0]
    assert desk.command("believe", flush.id) == "carried out"
    assert "NOT BELIEVED" not in desk.shown()


def test_a_reversal_after_its_round_was_paid_is_noticed_at_once(desk: Desk) -> None:
    chip, flush = contribution(2), win(5, FLUSH)
    owe(desk, opened(), chip, flush, over("settled", 6), reversal(7, chip))
    assert "was reversed after its award" in notices(desk)[0]


def test_a_reversal_before_a_new_contribution_or_the_withdrawal_of_the_award_is_none(
    desk: Desk,
) -> None:
    chip, flush = contribution(2), win(5, FLUSH)
    owe(desk, opened(), chip, flush, reversal(7, chip))
    owe(desk, contribution(8, 1_000))
    assert "NOT BELIEVED" not in desk.shown()
    owe(desk, reversal(9, contribution(8, 1_000)), verdict(10, flush, confirmed=False))
    assert "NOT BELIEVED" not in desk.shown()
    owes_nothing(desk)
    assert notices(desk) == []


def test_a_spot_contributes_once_a_round_unless_the_first_one_is_reversed(desk: Desk) -> None:
    chip, second = contribution(2), contribution(3, 1_000_000)
    owe(desk, opened(), chip)
    assert owe(desk, second) == []  # its reversal may be on the way
    owe(desk, reversal(4, chip))
    assert owe(desk, second) == [Acknowledgement(id=second.id)]
    assert desk.desk.store.totals().contributions == 2
    third, at = contribution(5), OPENED_AT + PATIENCE
    payload = msgspec.json.encode(third)
    assert owe(desk, third) == []
    (rejected,) = desk.desk.take("underfelt/table/T1/owed", payload, at)
    assert isinstance(rejected.document, Rejection)
    assert "1 has already contributed on jackpot in round 1" in rejected.document.reason
