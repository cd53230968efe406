"""What a folder is: a table's own journal, or a copy on a laptop; damage to a copy has another remedy."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.errors import JournalError
from firmware.journal.files import KEEP_AND_BEGIN_ANEW
from firmware.journal.seals import KEY_FILE

PULL_AGAIN = (
    "if this is a copy, pull the journal again into an empty folder; if the table's own is damaged "
    "too, stop the table and keep its folder for the auditor"
)
"""What to do about damage to what is probably a copy."""


def check_folder(folder: Path) -> None:
    """Refuse what is no folder."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "no such folder"
        raise JournalError(f"{folder}: {what}; name the folder of a journal or of a copy")


def in_its_place(folder: Path, sentence: str) -> str:
    """Return what is wrong with a journal, with the remedy for where it is.

    Only the table's own folder has its key: `journal pull` does not copy that.
    """
    own = (folder / KEY_FILE).exists()
    return sentence if own else sentence.replace(KEEP_AND_BEGIN_ANEW, PULL_AGAIN)


@contextmanager
def remedy_of_a_copy(folder: Path) -> Iterator[None]:
    """Give whatever is wrong with a journal the remedy for where it is."""
    try:
        yield
    except JournalError as error:
        raise type(error)(in_its_place(folder, str(error))) from None
