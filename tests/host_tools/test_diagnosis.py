"""What a diagnosis makes of facts: each thing that is wrong, its remedy, and the order."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from firmware.maintenance.vitals import (
    ClockVitals,
    DeviceVitals,
    DiskVitals,
    FaultVitals,
    JournalVitals,
    LinkVitals,
    SpotBoardVitals,
    Vitals,
)
from firmware.protocol.fault_catalogue import FAULTS
from host_tools.diagnose.diagnosis import Finding, exit_status, judge

NOW_MS = 1_800_000_000_000
GOOD = Vitals(
    table="T1",
    technicians=1,
    clock=ClockVitals(now_ms=NOW_MS, synchronised=True, rtc=True, rtc_behind_ms=400),
    link=LinkVitals(healthy=True, broker="b:1883"),
    disk=DiskVitals(free_bytes=10**10, total_bytes=10**11, least_free_bytes=64_000_000),
    devices=(DeviceVitals(name="panel", port="/dev/x", open=True, frames=1_000, dropped=1),),
)


def judged(**changes: object) -> list[Finding]:
    """Judge a table that is good but for these facts."""
    fields = {name: getattr(GOOD, name) for name in GOOD.__struct_fields__}
    return judge(Vitals(**(fields | changes)), NOW_MS)


def test_a_good_table_has_no_finding_and_status_0() -> None:
    assert judged() == []
    assert exit_status([]) == 0


def fault(code: str, *, where: str = "", passed: bool = False) -> FaultVitals:
    """Make the finding of a fault, as a table does."""
    kind = next(kind for each, kind in FAULTS.items() if each == code)
    return FaultVitals(
        code=code,
        number=kind.number,
        where=where,
        what=kind.what,
        remedy=kind.remedy,
        lock=kind.lock,
        ends=kind.ends,
        since_ms=NOW_MS,
        passed=passed,
    )


@pytest.mark.parametrize("code", FAULTS)
def test_every_fault_is_told_with_its_number_and_what_to_check_first(code: str) -> None:
    (finding,) = judged(faults=(fault(code),))
    kind = next(kind for each, kind in FAULTS.items() if each == code)
    assert finding.what.startswith(f"{kind.number} {kind.what}")
    assert kind.remedy[1:] in finding.sentence
    assert exit_status([finding]) == (1 if kind.lock == "nothing" else 2)


@pytest.mark.parametrize("code", FAULTS)
def test_no_fault_says_twice_who_clears_it(code: str) -> None:
    (finding,) = judged(faults=(fault(code),))
    assert len(re.findall(r"\bclear (?:this|it)\b", finding.sentence)) <= 1


def test_a_fault_that_has_passed_says_who_clears_it_and_with_which_key() -> None:
    (finding,) = judged(faults=(fault("sensor_stuck", where="seat 3", passed=True),))
    assert ", now over" in finding.what
    assert "pit supervisor" in finding.remedy
    assert "KEY CLEAR sensor_stuck seat 3" in finding.remedy


@pytest.mark.parametrize(
    ("code", "problem", "remedy"),
    [
        (
            "no_answer",
            "no broker answers at b:1883 (connection refused)",
            "check the network cable",
        ),
        (
            "table_certificate",
            "the broker at b refused this table's certificate: it has expired",
            "issue a new one and put it with its key at its place",
        ),
        (
            "broker_certificate",
            "the certificate of the broker at b has expired",
            "renew the broker's certificate",
        ),
        (
            "controller_silent",
            "the broker answers but the jackpot controller is silent",
            "start the jackpot",
        ),
        (
            "name_unknown",
            "the name b is not known: check its spelling",
            "correct the name under [link]",
        ),
        ("of_a_newer_table", "something nobody has thought of", "check the network, the broker"),
    ],
)
def test_a_link_that_is_down_is_told_with_what_to_check(
    code: str, problem: str, remedy: str
) -> None:
    (finding,) = judged(link=LinkVitals(healthy=False, code=code, problem=problem, owed=3))
    assert problem in finding.what
    assert "3 messages are waiting" in finding.what
    assert finding.remedy.startswith(remedy)
    assert finding.severity == "fault"


def test_a_wrong_clock_stands_before_the_link_that_it_breaks() -> None:
    clock = ClockVitals(now_ms=NOW_MS - 3_600_000, synchronised=False, rtc=True)
    first, second = judged(clock=clock, link=LinkVitals(healthy=False, problem="no broker"))
    assert first.what == "The table's clock is 1 h behind this laptop's"
    assert second.what.startswith("The jackpot link is down")


def test_a_few_seconds_of_clock_are_a_warning_and_a_second_is_nothing() -> None:
    (finding,) = judged(clock=ClockVitals(now_ms=NOW_MS + 10_000, rtc=True))
    assert (finding.severity, exit_status([finding])) == ("warning", 1)
    assert judged(clock=ClockVitals(now_ms=NOW_MS + 1_000, rtc=True)) == []


def test_a_missing_or_wrong_real_time_clock_is_a_warning() -> None:
    (missing,) = judged(clock=ClockVitals(now_ms=NOW_MS, rtc=False))
    assert missing.what == "The table has no real-time clock"
    (wrong,) = judged(clock=ClockVitals(now_ms=NOW_MS, rtc=True, rtc_behind_ms=7_200_000))
    assert wrong.what == "The real-time clock is 2 h behind the table's clock"


def test_a_certificate_that_expires_soon_is_a_warning_in_time() -> None:
    def link(days: int) -> LinkVitals:
        expires = datetime.fromtimestamp(NOW_MS / 1000, UTC) + timedelta(days=days)
        return LinkVitals(healthy=True, certificate="/c", certificate_expires=expires.isoformat())

    (finding,) = judged(link=link(10))
    assert finding.what == "The table's certificate expires in 10 d"
    assert finding.remedy.endswith("at /c: it is read at the next connection")
    assert judged(link=link(60)) == []


def test_a_device_with_many_bad_frames_or_a_loose_plug_is_a_warning() -> None:
    (bad,) = judged(devices=(DeviceVitals(name="shoe", port="/p", frames=900, dropped=100),))
    assert "10% of what it sends cannot be read" in bad.what
    (loose,) = judged(devices=(DeviceVitals(name="sign", port="/p", reconnects=5),))
    assert "dropped out 5 times" in loose.what


def test_a_disk_that_fills_up_and_a_long_unexported_journal_are_warnings_in_time() -> None:
    disk = DiskVitals(free_bytes=100_000_000, total_bytes=10**9, least_free_bytes=64_000_000)
    (finding,) = judged(disk=disk)
    assert "100 MB left, and the table stops at 64 MB" in finding.what
    (finding,) = judged(journal=JournalVitals(records=300_001, exported_through=1))
    assert finding.what == "300,000 records have not been exported yet"


def test_what_locks_the_table_stands_before_warnings() -> None:
    found = judged(faults=(fault("hot"), fault("device_gone", where="panel")), technicians=0)
    assert [each.severity for each in found] == ["fault", "warning", "warning"]
    assert "at panel" in found[0].what


def test_a_claim_without_an_award_is_told_and_one_that_was_just_made_is_not() -> None:
    (finding,) = judged(link=LinkVitals(healthy=True, claim_waits_s=18.0))
    assert finding.severity == "warning"
    assert finding.what == "A claim made 18 s ago has no award yet"
    assert judged(link=LinkVitals(healthy=True, claim_waits_s=2.0)) == []


def test_many_ignored_messages_are_told_and_a_few_among_many_are_not() -> None:
    told = LinkVitals(healthy=True, ignored=184, last_ignored="the meter is older", acknowledged=9)
    (finding,) = judged(link=told)
    assert finding.what == (
        "184 messages on the jackpot link were not believed or not understood; "
        "the last: the meter is older"
    )
    assert judged(link=LinkVitals(healthy=True, ignored=3)) == []
    assert judged(link=LinkVitals(healthy=True, ignored=184, acknowledged=100_000)) == []


def test_a_new_certificate_needs_no_restart_whoever_is_asked() -> None:
    soon = (datetime.fromtimestamp(NOW_MS / 1000, UTC) + timedelta(days=3)).isoformat()
    (expiring,) = judged(
        link=LinkVitals(healthy=True, certificate="/c.pem", certificate_expires=soon)
    )
    (refused,) = judged(link=LinkVitals(certificate="/c.pem", code="table_certificate"))
    for finding in (expiring, refused):
        assert "put it with its key at /c.pem: it is read at the next connection" in finding.remedy


_BOARD = DeviceVitals(name="spot board", port="/dev/underfelt/spots", open=True)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("device_gone", "lsusb"),
        ("device_silent", "pull the board's cable"),
        ("device_babbles", "underfelt board flash /dev/underfelt/spots"),
        ("device_unfit", "underfelt board flash /dev/underfelt/spots"),
        ("spots_unknown", "underfelt board show"),
    ],
)
def test_every_fault_of_the_spot_board_is_told_with_what_a_technician_does(
    code: str, words: str
) -> None:
    fault = FaultVitals(code=code, where="spot board", remedy="of the catalogue", lock="table")
    (finding,) = judged(faults=(fault,), devices=(_BOARD,))
    assert words.casefold() in finding.sentence.casefold()
    (other,) = judged(faults=(FaultVitals(code=code, where="panel", remedy="of the catalogue"),))
    assert "Of the catalogue" in other.sentence


def test_a_spot_board_that_restarts_again_and_again_is_a_warning() -> None:
    board = SpotBoardVitals(version="1.0", program="frozen:0", session=7, known=True, restarts=2)
    assert judged(spot_board=board, devices=(_BOARD,)) == []
    again = SpotBoardVitals(version="1.0", program="frozen:0", session=9, known=True, restarts=3)
    (finding,) = judged(spot_board=again, devices=(_BOARD,))
    assert finding.severity == "warning"
    assert "restarted 3 times" in finding.what
