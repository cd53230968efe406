"""The catalogue of faults: every fault is explained, and the committed page is what the code says."""

import re
from typing import get_args

from firmware.devices.sensor_limits import SensorLimits
from firmware.protocol.fault_catalogue import FAULTS, Ends, FaultCode, Lock
from firmware.protocol.link_problems import LinkProblemCode
from firmware.settings.table_file import HealthSettings
from host_tools.faults.document import FILE, document
from host_tools.faults.entries import entries
from host_tools.faults.meanings import ENDS_WORDS, LINK_MEANINGS, LOCK_WORDS, MEANINGS
from tests.host_tools.command import run


def test_every_fault_and_every_problem_of_the_link_is_explained() -> None:
    assert set(MEANINGS) == set(get_args(FaultCode))
    assert set(LINK_MEANINGS) == set(get_args(LinkProblemCode))
    assert set(LOCK_WORDS) == set(get_args(Lock))
    assert set(ENDS_WORDS) == set(get_args(Ends))
    assert all(words for entry in entries() for _, words in entry.facts())


def test_every_setting_that_an_explanation_names_is_one() -> None:
    named = {name for text in MEANINGS.values() for name in re.findall(r"`(\w+)`", text)}
    assert named
    assert named <= {*SensorLimits.__struct_fields__, *HealthSettings.__struct_fields__}


def test_the_committed_catalogue_is_what_the_code_says() -> None:
    assert FILE.read_text(encoding="utf-8") == document(), "make docs"


def test_a_fault_is_explained_by_its_number_or_its_name() -> None:
    by_number, by_name = run("faults", "f203"), run("faults", "device_silent")
    assert (by_number.status, by_number.err) == (0, "")
    assert by_number.out == by_name.out
    assert FAULTS["device_silent"].what in by_number.out
    assert "means" in by_number.out
    assert "cleared by" in by_number.out


def test_all_faults_are_listed_when_none_is_named() -> None:
    ran = run("faults")
    assert ran.status == 0
    assert [fault.number for fault in FAULTS.values() if fault.number not in ran.out] == []


def test_a_fault_that_there_is_not_gets_the_nearest_ones() -> None:
    ran = run("faults", "sensor_stick")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == ("underfelt: fault: there is no 'sensor_stick'; did you mean sensor_stuck?\n")


def test_a_number_alone_is_enough_and_a_hint_is_written_as_in_the_catalogue() -> None:
    assert run("faults", "203") == run("faults", "F203")
    assert "did you mean F203" in run("faults", "F2033").err
