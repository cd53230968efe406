"""What the panel shows: a page of the prompt, or of a refusal, as messages to the panel.

Turning a page changes nothing at the table, so the keys NEXT and BACK end here and are no
events. How a prompt is cut to pages is in `panel_pages.py`; the port and the other keys are in
`panel.py`.
"""

from firmware.devices.panel_pages import USUAL, Display, Page, prompt_pages, text_pages
from firmware.table.effects import ShowPrompt, ShowRefusal

_TURNS = {"KEY NEXT": 1, "KEY BACK": -1}


class PanelScreen:
    """The pages of what is shown, and which of them the dealer sees."""

    def __init__(self, display: Display = USUAL) -> None:
        self.display = display
        self._prompt = ShowPrompt("", ())
        self._page = 0
        self._refusal: tuple[Page, ...] = ()
        self._refusal_page = 0

    def resized(self, display: Display) -> str:
        """Show the prompt on another display."""
        self.display = display
        self._page, self._refusal = 0, ()
        return self._shown()

    def show(self, prompt: ShowPrompt) -> str:
        """Show what to do now; a prompt that begins as before stays on its page."""
        before = self._prompt
        self._prompt, self._refusal = prompt, ()
        same = (prompt.code, prompt.lines[:1]) == (before.code, before.lines[:1])
        last = len(prompt_pages(prompt, self.display)) - 1
        self._page = min(self._page, last) if same else 0
        return self._shown()

    def refuse(self, refusal: ShowRefusal) -> str:
        """Show why the last key was not accepted."""
        self._refusal, self._refusal_page = text_pages([refusal.reason], self.display), 0
        return self._refused()

    def turned(self, key: str) -> str:
        """Turn a page; behind the last one is the first one, behind a refusal the prompt."""
        if self._refusal:
            self._refusal_page += _TURNS[key]
            if self._refusal_page in range(len(self._refusal)):
                return self._refused()
            self._refusal = ()
            return self._shown()
        self._page += _TURNS[key]
        return self._shown()

    def _shown(self) -> str:
        """Write the page of the prompt."""
        pages = prompt_pages(self._prompt, self.display)
        self._page %= len(pages)
        return _message("SHOW", (self._prompt.code, *pages[self._page]))

    def _refused(self) -> str:
        return _message("REFUSED", self._refusal[self._refusal_page])


def is_turn(key: str) -> bool:
    """Return whether a key only turns a page."""
    return key in _TURNS


def _message(word: str, rows: Page) -> str:
    return f"{word} {'|'.join(rows)}"
