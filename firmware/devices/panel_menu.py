"""A menu on the panel, from the first pick to the key that it stands for.

Pure: picks in, lines or a typed key out. What can be picked is the table's (`table/menus.py`);
pages and keys are in `panel_screen.py`.
"""

from firmware.table.questions import Answer, Entry, Question

_DONE = "Done"


class Menu:
    """One walk through a menu; `key` is what was picked once nothing more is asked."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._entries = entries
        self._heading = "PICK or CANCEL."
        self._entry: Entry | None = None
        self._asked = 0
        self._told: list[tuple[str, str]] = []
        self._picked: list[str] = []
        self.key = ""

    def lines(self) -> tuple[str, ...]:
        """List what can be picked, with its numbers, below what is asked."""
        heading, words = self._offered()
        return (heading, *(f"{number} {each}" for number, each in enumerate(words, start=1)))

    def pick(self, number: int) -> bool:
        """Take a pick; False if there is no such number."""
        question = self._entry.questions[self._asked] if self._entry is not None else None
        if question is not None and question.number:
            self._tell(question, str(number))
            return True
        if not 1 <= number <= len(self._offered()[1]):
            return False
        if self._entry is None:
            self._open(self._entries[number - 1])
        else:
            self._answer(self._entry.questions[self._asked], number)
        return True

    def _offered(self) -> tuple[str, list[str]]:
        if self._entry is None:
            return self._heading, [entry.words for entry in self._entries]
        question = self._entry.questions[self._asked]
        words = [answer.words for answer in self._answers(question)]
        enough = len(self._picked) >= question.at_least or not words
        if question.several and enough:
            words.append(f"{_DONE}: {', '.join(self._picked) or 'none'}")
        return question.words, words

    def _answers(self, question: Question) -> list[Answer]:
        """List the answers that are left: not those picked already, nor any but those named."""
        among = dict(self._told)[question.among].split(",") if question.among else None
        return [
            answer
            for answer in question.answers
            if not {*answer.value.split(",")} & {*self._picked}
            and (among is None or answer.value in among)
        ]

    def _open(self, entry: Entry) -> None:
        if entry.entries:
            self._heading, self._entries = entry.words, entry.entries
        else:
            self._entry = entry
            self._go_on()

    def _answer(self, question: Question, number: int) -> None:
        answers = self._answers(question)
        if question.several:
            if number <= len(answers):
                self._picked += answers[number - 1].value.split(",")
                # Seats that were offered together are all that there are.
                if "," not in answers[number - 1].value:
                    return
            self._tell(question, ("," if question.fact else " ").join(self._picked))
        else:
            self._tell(question, answers[number - 1].value)

    def _tell(self, question: Question, value: str) -> None:
        self._told.append((question.fact, value))
        self._picked = []
        self._asked += 1
        self._go_on()

    def _go_on(self) -> None:
        """Ask the next question, or make the key if there is none."""
        entry = self._entry
        if entry is not None and self._asked == len(entry.questions):
            words = ["KEY", entry.key]
            for question, (fact, told) in zip(entry.questions, self._told, strict=True):
                if question.joins:
                    words[-1] += told
                else:
                    words.append(f"{fact}={told}" if fact else told)
            self.key = " ".join(words).rstrip()
