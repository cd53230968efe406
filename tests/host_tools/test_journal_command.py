"""`underfelt journal`: the installed command on journals that tables have written."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.errors import BadInput
from firmware.journal.writer import Journal
from firmware.rules.contract import Round, Settlement
from firmware.rules.settle import settle
from firmware.shell.folding import snapshot_of
from firmware.table.events import (
    BetsOpened,
    CardsCorrected,
    CorrectionKind,
    Decision,
    DecisionCorrected,
    FaultNoticed,
    KeyTakenBack,
    RestDecided,
    RoundPaid,
    StaffIdentified,
)
from firmware.table.table import Table
from host_tools.journal.replaying import replays
from host_tools.journal.words import event_words
from tests.host_tools.command import run
from tests.journal.records import contents
from tests.shell.test_folding import write
from tests.table.playing import (
    ACE_HIGH,
    FLUSH,
    SETTINGS,
    STRAIGHT_FLUSH,
    TENS,
    Playing,
    at_reveal,
    owed_in,
)

SEGMENT_BYTES = 1_000


def a_round(playing: Playing) -> None:
    """Play seat 1 through a round without a jackpot line."""
    playing.open()
    playing.lift(1)
    playing.chip(1)
    for owed in owed_in(playing.close()):
        playing.acknowledge(owed.id)
    playing.deal({1: TENS}, ACE_HIGH)
    playing.bet(1)
    playing.reveal()
    playing.paid()


def played() -> list[Decision]:
    """Play a round with a flush on seat 1 and two more rounds."""
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.award(win.id, 10_000)
    playing.paid()
    a_round(playing)
    a_round(playing)
    assert playing.state.phase == "idle"
    return playing.journal


@pytest.fixture(scope="module")
def events() -> list[Decision]:
    return played()


@pytest.fixture
def folder(tmp_path: Path, events: list[Decision]) -> Path:
    write(tmp_path, events, SETTINGS, SEGMENT_BYTES)
    return tmp_path


def rewritten(folder: Path, events: Sequence[Decision]) -> Path:
    """Write a journal that is whole, whatever it says; the salts stay as they were."""
    for path in folder.iterdir():
        path.unlink()
    write(folder, events, SETTINGS, SEGMENT_BYTES)
    return folder


# verify


def test_a_whole_journal_is_verified_in_one_sentence(folder: Path, events: list[Decision]) -> None:
    done = run("journal", "verify", str(folder))
    assert (done.status, done.err) == (0, "")
    assert done.out.count("\n") == 1
    assert f"records 1 to {len(events)} of journal fresh of table T1 are intact" in done.out


def test_a_verdict_in_json_counts_what_was_verified(folder: Path, events: list[Decision]) -> None:
    done = run("journal", "verify", "--json", str(folder))
    verdict = json.loads(done.out)
    assert done.status == 0
    assert verdict["sound"] is True
    assert (verdict["first_record"], verdict["last_record"]) == (1, len(events))
    assert verdict["snapshots"] == verdict["segments"] - 1 == len(list(folder.glob("*.snapshot")))


def test_damage_is_one_sentence_and_status_1_and_nothing_is_touched(folder: Path) -> None:
    older = sorted(folder.glob("*.journal"))[:-1]
    path = next(each for each in older if b"card_drawn" in each.read_bytes())
    path.write_bytes(path.read_bytes().replace(b"card_drawn", b"card_drowned", 1))
    before = contents(folder)
    done = run("journal", "verify", str(folder))
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith(f"{path}: record ")
    assert done.out.count("\n") == 1
    assert contents(folder) == before
    done = run("journal", "verify", "--json", str(folder))
    assert (done.status, json.loads(done.out)["sound"]) == (1, False)


def test_a_snapshot_that_is_whole_but_not_the_table_is_found(
    tmp_path: Path, events: list[Decision], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forged(table: Table) -> bytes:
        return snapshot_of(table).replace(b'"number":1', b'"number":7')

    monkeypatch.setattr("tests.shell.test_folding.snapshot_of", forged)
    write(tmp_path, events, SETTINGS, SEGMENT_BYTES)
    done = run("journal", "verify", str(tmp_path))
    assert done.status == 1
    assert "is not the table that the records before it give" in done.out


def test_a_torn_end_is_no_damage_and_is_told(folder: Path) -> None:
    path = max(folder.glob("*.journal"))
    with path.open("ab") as file:
        file.write(b"123 torn")
    done = run("journal", "verify", str(folder))
    assert done.status == 0
    assert "8 bytes of a torn write follow" in done.out


def test_after_retention_what_is_left_is_verified_and_shown(folder: Path) -> None:
    oldest, second = sorted(folder.glob("*.journal"))[:2]
    oldest.unlink()
    done = run("journal", "verify", str(folder))
    assert (done.status, done.err) == (0, "")
    assert f"records {int(second.stem)} to" in done.out
    shown = run("journal", "show", str(folder))
    assert shown.status == 0
    assert "Round 3" in shown.out


@pytest.mark.parametrize("command", ["verify", "show", "replay"])
def test_no_folder_or_no_journal_is_one_sentence(command: str, tmp_path: Path) -> None:
    for folder in (tmp_path / "nowhere", tmp_path):
        done = run("journal", command, str(folder))
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(f"underfelt: {folder}: ")
        assert done.err.count("\n") == 1


# show


def test_a_round_is_shown_with_bets_ids_cards_results_and_awards(folder: Path) -> None:
    done = run("journal", "show", "--round", "1", str(folder), TZ="UTC")
    assert (done.status, done.err) == (0, "")
    for words in (
        "Round 1   1970-01-01 +00:00 (UTC)   rws-multilink-stud",
        "bets open",
        "seat 1: a chip on the jackpot spot",
        "seat 1 bets jackpot $5.00, ante $25.00",
        "owed: seat 1, jackpot contribution $5.00, T1.fresh.6.1",
        "the jackpot controller has T1.fresh.6.1",
        "card drawn: 2♦\n",
        "card drawn: A♥, to seat 1",
        "card drawn: A♠, to the dealer",
        "seat 3: bet",
        "Dealer    A♠ K♦ 9♣ 7♥ 2♠",
        "owed: seat 1, win with flush",
        "awarded $100.00 on T1.fresh.",
        "paid; the round is over",
    ):
        assert words in done.out, words
    assert "Round 2" not in done.out


def test_a_correction_is_shown_with_both_values_and_what_followed(folder: Path) -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    playing.key(1, "bet", 8_000)
    playing.ante(3, 5_000)
    playing.confirm_as("pit_supervisor")
    playing.press(DecisionCorrected, seat=3, decision="fold")
    playing.confirm_as("pit_supervisor")
    (win,) = playing.state.round.claims
    playing.award(win, 10_000)
    playing.paid()
    playing.open()
    rewritten(folder, playing.journal)
    done = run("journal", "show", "--round", "1", str(folder))
    for words in (
        "seat 1: bet keyed, $80.00 instead of $50.00",
        "seat 3: ante keyed, $50.00 instead of $25.00",
        "seat 3: fold instead of bet",
        "identified: the pit_supervisor (pit supervisor, number pit_supervisor-7)",
    ):
        assert words in done.out, words
    assert done.out.count("Dealer    A♠ K♦ 9♣ 7♥ 2♠") == 4
    replayed = run("journal", "replay", str(folder))
    assert replayed.status == 0
    assert replayed.out.endswith(": the recorded outcome matches the rules.\n")


def test_keys_for_a_dealers_minute_are_told_in_words() -> None:
    rest = RestDecided(at_ms=1, frame=1, decision="bet", seats=(2, 4))
    assert event_words(rest) == "all others (seats 2, 4): bet"
    assert event_words(KeyTakenBack(at_ms=1, frame=1)) == "the last key is taken back"
    opened = BetsOpened(at_ms=1, frame=1, by_memory=(3, 5))
    assert event_words(opened) == "bets open; in by memory: 3, 5"


def test_the_last_rounds_are_shown_and_times_narrow_them(folder: Path) -> None:
    done = run("journal", "show", "--last", "2", str(folder))
    headings = [line.split("   ")[0] for line in done.out.splitlines() if line.startswith("Round")]
    assert headings == ["Round 2", "Round 3"]
    until = run("journal", "show", "--to", "1970-01-01T00:00:03", str(folder))
    assert [line.split()[1] for line in until.out.splitlines() if line[2:4].isdigit()] == [
        "1",
        "2",
        "3",
    ]
    since = run("journal", "show", "--from", "1970-01-01T00:00:03.001Z", str(folder))
    assert "chip on" in since.out
    assert "begins" not in since.out


def test_all_of_it_is_shown_record_by_record(folder: Path, events: list[Decision]) -> None:
    done = run("journal", "show", str(folder))
    numbers = [line.split()[1] for line in done.out.splitlines() if line[2:4].isdigit()]
    assert numbers == [str(number) for number in range(1, len(events) + 1)]


def test_what_the_dealer_was_told_is_shown_when_asked_for(folder: Path) -> None:
    assert "> Round 1: place your bets." in run("journal", "show", "--prompts", str(folder)).out
    assert "> " not in run("journal", "show", str(folder)).out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--from", "noon"], "--from: 'noon' is not a time"),
        (["--round", "9"], "has no record of that round or time"),
        (["--round", "1", "--last", "1"], "cannot be used together"),
        (["--round", "0"], "must be 1 or more"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(folder: Path, options: list[str], why: str) -> None:
    done = run("journal", "show", *options, str(folder))
    assert (done.status, done.out) == (2, "")
    assert why in done.err
    assert done.err.count("\n") == 1


def test_the_help_says_that_face_down_cards_are_shown() -> None:
    assert "face down" in run("journal", "show", "--help", COLUMNS="200").out


def test_an_event_without_a_wording_is_told_by_its_name_and_fields() -> None:
    class TipGiven(Decision, frozen=True, kw_only=True, tag="tip_given"):
        """Nothing that a table knows."""

        seat: int
        tip_cents: int
        cards: tuple[str, ...] = ()
        in_chips: bool = False

    event = TipGiven(at_ms=1, seat=3, tip_cents=500, cards=("As", "Td"), in_chips=True)
    assert event_words(event) == "tip given: seat 3, tip $5.00, cards A♠ 10♦, in chips yes"


def test_faults_and_staff_are_told_in_their_own_words() -> None:
    fault = FaultNoticed(at_ms=1, code="sensor_stuck", where="seat 3")
    assert event_words(fault).startswith("F101 The coin sensor is stuck at seat 3")
    staff = StaffIdentified(at_ms=1, frame=1, staff="12", name="A. Tan", role="pit_supervisor")
    assert event_words(staff) == "identified: A. Tan (pit supervisor, number 12)"


# replay


def test_recorded_outcomes_are_what_the_rules_give(folder: Path) -> None:
    done = run("journal", "replay", str(folder))
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line.split(",")[0] for line in lines] == ["Round 1", "Round 2", "Round 3"]
    assert all(line.endswith(": the recorded outcome matches the rules.") for line in lines)


def told(playing: Playing, how: CorrectionKind, *places: str) -> None:
    """Correct the cards at the settlement, with the supervisor."""
    playing.press(CardsCorrected, how=how, places=places)
    playing.confirm_as("pit_supervisor")


def test_a_round_settled_by_corrected_cards_is_told_and_replayed_by_them(folder: Path) -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    told(playing, "swap", "1", "3")
    (claim,) = playing.state.round.claims
    playing.award(claim, 10_000)
    playing.paid()
    assert playing.phase() == "idle"
    rewritten(folder, playing.journal)
    assert run("journal", "verify", str(folder)).status == 0
    done = run("journal", "replay", str(folder))
    assert (done.status, done.err) == (0, "")
    shown = " ".join(run("journal", "show", str(folder)).out.split())
    assert "seat 1 and seat 3 have each other's hands; the table had" in shown
    assert "owed: seat 3, win with flush" in shown


def test_a_hand_that_the_dealer_settled_himself_is_no_difference(folder: Path) -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    told(playing, "lost", "3")
    playing.cards(3, *STRAIGHT_FLUSH)
    playing.paid()
    playing.confirm_as("pit_supervisor")
    for claim in playing.state.round.claims:
        playing.award(claim, 10_000)
    playing.paid()
    assert playing.phase() == "idle"
    done = run("journal", "replay", str(rewritten(folder, playing.journal)))
    assert (done.status, done.err) == (0, "")


def void_in_the_deal(playing: Playing) -> None:
    """Find a foreign card after three cards (RWS §5.8.1)."""
    playing.open()
    playing.lift(1)
    playing.chip(1)
    playing.close()
    for card in ("2d", "As", "Kd"):
        playing.draw(card)
    playing.report("foreign_card")
    playing.confirm()
    assert playing.state.round.void
    playing.paid()


def void_at_settlement() -> Playing:
    """Find a foreign card after a flush was claimed."""
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.report("foreign_card")
    playing.confirm_as("shift_manager")
    assert playing.state.round.void
    playing.award(win.id, 10_000)
    return playing


def test_void_rounds_are_replayed_as_void_and_the_others_as_they_were(folder: Path) -> None:
    playing = void_at_settlement()
    playing.paid()
    void_in_the_deal(playing)
    a_round(playing)
    done = run("journal", "replay", str(rewritten(folder, playing.journal)))
    assert (done.status, done.err) == (0, "")
    void = "void; every bet was returned and nothing claimed."
    matches = "the recorded outcome matches the rules."
    ends = [line.partition(": ")[2] for line in done.out.splitlines()]
    assert ends == [void, void, matches]
    shown = run("journal", "show", str(folder)).out
    assert "cannot be explained" not in shown
    assert shown.count("The round is void: every bet is returned and nothing is claimed.") == 2
    assert "Seat 1    returned: jackpot $5.00, ante $25.00" in shown
    explained = run("journal", "replay", "--round", "2", str(folder)).out
    assert "Seat 1    returned: jackpot $5.00, ante $25.00" in explained


def test_a_bet_that_a_void_round_did_not_return_is_found(folder: Path) -> None:
    playing = void_at_settlement()
    playing.paid()
    a_round(playing)
    events = playing.journal
    at = min(at for at, event in enumerate(events) if isinstance(event, RoundPaid))
    paid = events[at]
    assert isinstance(paid, RoundPaid)
    first, *others = paid.results
    bets = first.bets | {"ante": replace(first.bets["ante"], returned=0)}
    forged = replace(paid, results=(replace(first, bets=bets), *others))
    rewritten(folder, [*events[:at], forged, *events[at + 1 :]])
    done = run("journal", "replay", str(folder))
    assert done.status == 1
    kept, fine = done.out.splitlines()
    assert "seat 1, ante: recorded returned, $0.00 paid and $0.00 returned, the rules" in kept
    assert fine.endswith(": the recorded outcome matches the rules.")


def test_a_round_that_cannot_be_settled_again_does_not_stop_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_once(asked: Round) -> Settlement:
        if asked.seats[0].decision == "bet" and len(asked.seats) > 1:
            raise BadInput("seats", "are too many")
        return settle(asked)

    monkeypatch.setattr("host_tools.journal.replaying.settle", fails_once)
    first, *others = replays(folder)
    assert first.differences[0] == "the round cannot be settled again: seats: are too many"
    assert [(each.round, each.differences) for each in others] == [(2, []), (3, [])]


def test_what_fits_is_replayed_up_to_a_record_that_does_not(
    folder: Path, events: list[Decision]
) -> None:
    paid = max(at for at, event in enumerate(events) if isinstance(event, RoundPaid))
    odd = folder / "odd"
    odd.mkdir()
    with Journal(odd) as journal:
        # Paid a second time.
        for sequence, event in enumerate([*events, events[paid]], start=1):
            journal.append(event, sequence)
    done = run("journal", "replay", str(odd))
    assert done.status == 1
    *replayed, misfit = done.out.splitlines()
    assert [line.split(",")[0] for line in replayed] == ["Round 1", "Round 2", "Round 3"]
    assert "does not follow from the records before it" in misfit


def test_a_single_round_is_explained(folder: Path) -> None:
    done = run("journal", "replay", "--round", "1", str(folder))
    assert done.status == 0
    assert "Dealer    A♠ K♦ 9♣ 7♥ 2♠   five odd cards, ace high" in done.out


def test_a_payment_that_the_rules_do_not_give_is_found(
    folder: Path, events: list[Decision]
) -> None:
    at = max(at for at, event in enumerate(events) if isinstance(event, RoundPaid))
    paid = events[at]
    assert isinstance(paid, RoundPaid)
    (result,) = paid.results
    ante = replace(result.bets["ante"], winnings=999_900)
    forged = replace(paid, results=(replace(result, bets=result.bets | {"ante": ante}),))
    rewritten(folder, [*events[:at], forged, *events[at + 1 :]])
    assert run("journal", "verify", str(folder)).status == 0
    done = run("journal", "replay", str(folder))
    assert done.status == 1
    assert "seat 1, ante: recorded win, $9,999.00 paid and $25.00 returned" in done.out
    assert run("journal", "replay", "--round", "1", str(folder)).status == 0
    found = json.loads(run("journal", "replay", "--json", "--last", "1", str(folder)).out)
    assert [len(each["differences"]) for each in found] == [1]


def test_an_award_that_the_rules_do_not_give_is_found(folder: Path) -> None:
    playing = at_reveal(FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.award(win.id, 12_345)
    playing.paid()
    done = run("journal", "replay", str(rewritten(folder, playing.journal)))
    assert done.status == 1
    assert "seat 1: awarded $123.45, the rules give $100.00" in done.out


def test_a_round_that_was_not_paid_has_nothing_to_compare_with(folder: Path) -> None:
    playing = at_reveal(FLUSH)
    playing.reveal()
    done = run("journal", "replay", str(rewritten(folder, playing.journal)))
    assert done.status == 0
    assert "no payment was recorded to compare with" in done.out


def test_reading_changes_nothing(folder: Path) -> None:
    before = contents(folder)
    os.chmod(folder, 0o500)  # noqa: PTH101  # as an auditor's copy may be
    try:
        for command in ("verify", "show", "replay"):
            assert run("journal", command, str(folder)).status == 0
    finally:
        os.chmod(folder, 0o700)  # noqa: PTH101  # so that it can be removed
    assert contents(folder) == before


def test_no_help_promises_more_than_verify_replay_and_export_can_find() -> None:
    words = {
        name: " ".join(run("journal", name, "--help", COLUMNS="300").out.split())
        for name in ("verify", "replay", "export", "pull")
    }
    assert "nothing up to that record can have been changed" not in words["verify"]
    assert "but not what somebody has changed who made the chain anew" in words["verify"]
    assert "not that these are what happened" in words["replay"]
    assert "journal verify --against" in words["export"]
    assert "whole in itself" in words["pull"]
