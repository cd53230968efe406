"""The form of the panel's menus: what can be picked, and what is asked before it becomes a key.

Which entries there are now is in `menus.py`; how they are shown and picked in
`devices/panel_menu.py`.
"""

from msgspec import Struct


class Answer(Struct, frozen=True):
    """One answer to a question: its words, and what the typed key has for it."""

    words: str
    value: str


class Question(Struct, frozen=True):
    """What is asked; `fact` is what the typed key calls it, if it calls it anything.

    With `several` answers are picked until done, `at_least` so many. `among` names an earlier
    fact: only what was picked there can be picked here. A `number` is keyed as it is. What
    `joins` is written to the answer before it, as a suit to its rank.
    """

    words: str
    answers: tuple[Answer, ...]
    fact: str = ""
    several: bool = False
    at_least: int = 0
    among: str = ""
    number: bool = False
    joins: bool = False


class Entry(Struct, frozen=True):
    """A line of a menu: a key, with the questions that complete it, or a menu behind it."""

    words: str
    key: str = ""
    questions: tuple[Question, ...] = ()
    entries: tuple["Entry", ...] = ()
