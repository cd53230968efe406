"""Staff and their PINs: who is let in, and that the file does not give a PIN away."""

import hashlib
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.protocol.fault_catalogue import Role
from firmware.settings.staff import Staff, hash_pin, identify
from firmware.table.irregularities.authority import MAY

SALT = bytes(range(16))
DEALER = Staff(number="1001", name="A. Tan", role="dealer", pin=hash_pin("2468", SALT))
SUPERVISOR = Staff(
    number="2001", name="B. Lim", role="pit_supervisor", pin=hash_pin("135790", bytes(16))
)
EVERYBODY = (DEALER, SUPERVISOR)


def test_a_hash_is_scrypt_with_its_salt() -> None:
    expected = hashlib.scrypt(b"2468", salt=SALT, n=2**14, r=8, p=1, dklen=32).hex()
    assert hash_pin("2468", SALT) == f"scrypt${SALT.hex()}${expected}"


@pytest.mark.parametrize(
    ("number", "pin", "who"),
    [
        ("1001", "2468", DEALER),
        ("2001", "135790", SUPERVISOR),
        ("1001", "135790", None),  # somebody else's
        ("1001", "2469", None),
        ("1001", "", None),
        ("9999", "2468", None),
        ("", "", None),
    ],
)
def test_only_number_and_pin_together_let_somebody_in(
    number: str, pin: str, who: Staff | None
) -> None:
    assert identify(EVERYBODY, number, pin) == who


def test_nobody_is_let_in_where_there_is_no_staff() -> None:
    assert identify((), "1001", "2468") is None


def test_an_unknown_number_costs_one_hash_as_a_known_one_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bytes] = []
    scrypt = hashlib.scrypt

    def counted(pin: bytes, **how: Any) -> bytes:  # noqa: ANN401  # whatever scrypt takes
        asked.append(pin)
        return scrypt(pin, **how)

    monkeypatch.setattr(hashlib, "scrypt", counted)
    for number in ("1001", "2001", "9999"):
        asked.clear()
        identify(EVERYBODY, number, "0000")
        assert asked == [b"0000"]


@settings(max_examples=10)
@given(st.text("0123456789", min_size=4, max_size=8), st.binary(min_size=16, max_size=16))
def test_whoever_set_a_pin_gets_in_with_it_and_with_no_other(pin: str, salt: bytes) -> None:
    someone = Staff(number="1", name="C", role="technician", pin=hash_pin(pin, salt))
    assert pin not in someone.pin.split("$")[0]
    assert identify((someone,), "1", pin) == someone
    assert identify((someone,), "1", pin + "0") is None


@pytest.mark.parametrize("digits", [4, 5, 6, 8])
@pytest.mark.parametrize("role", get_args(Role))
def test_who_may_confirm_a_major_has_six_digits(role: Role, digits: int) -> None:
    someone = Staff(number="1", name="C", role=role, pin=hash_pin("1" * digits, SALT))
    confirms = any(role in MAY[authority] for authority in MAY)
    assert someone.pin_is_too_short == (confirms and digits < 6)


def test_a_long_pin_that_was_hashed_before_its_length_was_noted_still_fits() -> None:
    older = hashlib.scrypt(b"135790", salt=SALT, n=2**14, r=8, p=1, dklen=32).hex()
    someone = Staff(number="1", name="C", role="dealer", pin=f"scrypt${SALT.hex()}${older}")
    assert identify((someone,), "1", "135790") == someone


@pytest.mark.parametrize(
    ("pin", "label", "other"), [("2469", "scrypt$", "scrypt6$"), ("135790", "scrypt6$", "scrypt$")]
)
def test_a_hash_under_another_label_fits_no_pin(pin: str, label: str, other: str) -> None:
    relabelled = hash_pin(pin, SALT).replace(label, other)
    someone = Staff(number="1", name="C", role="dealer", pin=relabelled)
    assert identify((someone,), "1", pin) is None


def test_a_short_pin_that_was_hashed_as_a_long_one_lets_nobody_in() -> None:
    hashed = hashlib.scrypt(b"2469", salt=b"scrypt6$" + SALT, n=2**14, r=8, p=1, dklen=32).hex()
    someone = Staff(
        number="1", name="C", role="pit_supervisor", pin=f"scrypt6${SALT.hex()}${hashed}"
    )
    assert identify((someone,), "1", "2469") is None


@pytest.mark.parametrize("name", ["Ann\nTan", "Ann \x1b[31m", "Ann \u202enaT", "Ann \udcff"])
def test_a_name_that_does_not_print_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="do not print"):
        Staff(number="1", name=name, role="dealer", pin=hash_pin("2469", SALT))
