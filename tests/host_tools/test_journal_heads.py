"""A journal that somebody has made anew: whole in itself, and found by what was kept elsewhere.

Whoever has the card in a laptop can change a record and compute every chain after it again; what
he cannot change are the heads in the jackpot controller's books, and older copies.
"""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from firmware.journal.files import snapshot_path
from firmware.journal.reader import records, segments
from firmware.journal.seals import OwnKey
from firmware.protocol.messages import SignedHead, TableStatus, Topics, signed_text
from firmware.table.events import Acknowledged, Decision, JournalOpened, StaffIdentified
from sim.jackpot_controller.desk import LinkDesk
from sim.jackpot_controller.store import JackpotLinkSettings, Store
from tests.host_tools.command import Ran, run
from tests.host_tools.test_journal_command import SEGMENT_BYTES, a_round, rewritten
from tests.shell.test_folding import write
from tests.table.playing import SETTINGS, STRAIGHT_FLUSH, at_reveal, owed_in


def confirmed_by_200() -> list[Decision]:
    """Play a round in which a supervisor confirms a major, and two more."""
    playing = at_reveal(STRAIGHT_FLUSH)
    (win,) = owed_in(playing.reveal())
    playing.confirm_as("pit_supervisor")
    playing.award(win.id, 10_000)
    playing.paid()
    a_round(playing)
    a_round(playing)
    return playing.journal


EVENTS = confirmed_by_200()


class Card:
    """A journal on its card, an older copy of it, and the books that know its heads."""

    def __init__(self, folder: Path) -> None:
        self.journal, self.older, self.books = (folder / n for n in ("card", "older", "books.db"))
        self.journal.mkdir()
        write(self.journal, EVENTS, SETTINGS, SEGMENT_BYTES)
        chains = {record.sequence: record.chain for record in records(self.journal)}
        desk = LinkDesk(Store.open(self.books, JackpotLinkSettings(SETTINGS.game, 10**7, 2_500)))
        key = OwnKey(b"k" * 32)
        for record in range(10, len(EVENTS) + 1, 10):
            chain = chains[record]
            head = SignedHead(record=record, chain=chain, key=key.public, signature="")
            signature = key.sign(signed_text("T1", "fresh", "a", "", head))
            head = replace(head, signature=signature)
            status = TableStatus(table="T1", journal="fresh", online=True, boot="a", head=head)
            topic = Topics("underfelt").status("T1")
            desk.take(topic, msgspec.json.encode(status), datetime(2026, 1, 1, tzinfo=UTC))
        desk.write()
        desk.store.close()
        self.head = f"{record}:{chain}"
        shutil.copytree(self.journal, self.older)

    def verified(self, *options: str) -> Ran:
        """Verify the journal on the card."""
        return run("journal", "verify", str(self.journal), *options)

    def keepers(self) -> list[tuple[str, str]]:
        """List what a journal can be compared with."""
        return [
            ("--against", str(self.books)),
            ("--against", str(self.older)),
            ("--head", self.head),
        ]


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


def test_the_journal_as_it_was_written_is_the_one_that_was_kept(card: Card) -> None:
    for option in card.keepers():
        done = card.verified(*option, "--table", "T1")
        assert (done.status, done.err) == (0, "")
        kept = "the record noted with --head" if option[0] == "--head" else option[1]
        assert f"it agrees with {kept} (" in done.out
    words = "Whoever had the card could have made the chain anew or removed its end: compare it"
    assert words in card.verified().out


def test_a_changed_supervisor_is_found_by_what_was_kept_and_by_nothing_else(card: Card) -> None:
    forged = [
        replace(each, staff="999", name="Nobody") if isinstance(each, StaffIdentified) else each
        for each in EVENTS
    ]
    assert forged != EVENTS
    rewritten(card.journal, forged)
    assert card.verified().status == 0
    for option in card.keepers():
        done = card.verified(*option)
        assert done.status == 1
        assert "was changed and the chain made anew" in done.out


def test_removed_newest_segments_are_found_by_what_was_kept(card: Card) -> None:
    *_, full, newest = segments(card.journal)
    full.path.unlink()
    newest.path.unlink()
    # What is left of them tells even without anything that was kept.
    done = card.verified()
    assert done.status == 1
    assert f"records {full.first} to {newest.first - 1} before it are missing" in done.out
    for each in (full, newest):
        snapshot_path(card.journal, each.first).unlink()
    assert card.verified().status == 0
    for option in card.keepers():
        done = card.verified(*option)
        assert done.status == 1
        assert f"the records after {full.first - 1} are missing" in done.out


def test_a_copy_that_ends_before_the_last_head_says_what_is_proved_and_what_is_newer(
    card: Card,
) -> None:
    left = len(EVENTS) - 5
    rewritten(card.journal, EVENTS[:left])
    done = card.verified("--against", str(card.books))
    assert done.status == 1
    through, newest = left // 10 * 10, len(EVENTS) // 10 * 10
    heads = f"({through // 10} heads compared)"
    assert f"records 1 to {left} are intact, and up to record {through} it agrees with" in done.out
    assert heads in done.out
    assert f"there are records up to {newest}: the records after {left} are missing" in done.out
    assert "They are newer than this copy if the table has played on since" in done.out


def test_a_journal_of_another_table_is_not_the_one_that_was_meant(card: Card) -> None:
    done = card.verified("--table", "T2")
    assert done.status == 1
    assert "is the journal of table T1, not T2" in done.out


def test_a_journal_that_grew_after_the_last_head_says_which_records_nothing_covers(
    card: Card,
) -> None:
    done = card.verified("--against", str(card.books))
    newer = len(EVENTS) % 10
    assert done.status == 0
    were = "record after that was" if newer == 1 else "records after that were"
    assert f"the {newer} {were} compared with nothing." in done.out


def test_a_copy_of_another_journal_is_not_compared_and_accuses_nobody(
    card: Card, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    opened = next(each for each in EVENTS if isinstance(each, JournalOpened))
    settings = replace(SETTINGS, name="T9")
    opened = replace(opened, journal="different", table="T9", settings=settings)
    # What comes later names the journal in its ids.
    first = next(place for place, each in enumerate(EVENTS) if isinstance(each, Acknowledged))
    write(other, [opened, *EVENTS[1:first]], settings, 300)
    # Its first segment may be gone: then its snapshot says whose it is.
    for _ in range(2):
        done = card.verified("--against", str(other))
        assert (done.status, done.err) == (1, "")
        assert f"{card.journal}: is journal fresh of table T1; {other} is another one" in done.out
        assert "journal different of table" in done.out
        assert "changed" not in done.out
        next(segments(other)).path.unlink()


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--head", "12", "is not a record and its chain"),
        ("--head", "x:y", "is not a record and its chain"),
        ("--head", f"{'1' * 5_000}:{'a' * 64}", "is not a record and its chain"),
        ("--head", f"{10**30}:{'a' * 64}", "is not a record and its chain"),
        ("--head", f"0:{'a' * 64}", "there is no record 0"),
        ("--head", f"1:{'x' * 64}", "is not a record and its chain"),
        ("--against", "nowhere", "neither a database with heads of journals nor a copy"),
        ("--against", "notes.txt", "is not a database with heads"),
    ],
)
def test_what_cannot_be_compared_with_is_one_sentence(
    card: Card, option: str, value: str, words: str
) -> None:
    (card.books.parent / "notes.txt").write_text("a note\n")
    value = str(card.books.parent / value) if option == "--against" else value
    done = card.verified(option, value)
    assert done.status == 2
    assert words in done.err
    assert "Traceback" not in done.err
