"""What the panel shows: a page of the prompt, of a refusal or of a menu, as messages to it.

Turning a page or walking through a menu changes nothing at the table, so the keys NEXT, BACK,
MENU and PICK end here and are no events; a menu that was walked through to its end is the typed
key that it stands for. How a prompt is cut to pages is in `panel_pages.py`, a menu in
`panel_menu.py`; the port and the other keys are in `panel.py`.
"""

from collections.abc import Callable

from firmware.devices.panel_keys import is_number
from firmware.devices.panel_menu import Menu
from firmware.devices.panel_pages import USUAL, Display, Page, prompt_pages, text_pages
from firmware.table.effects import ShowPrompt, ShowRefusal
from firmware.table.questions import Entry

SCREEN_KEYS = ("NEXT", "BACK", "MENU", "PICK")
"""The keys that end here."""
_TURNS = {"KEY NEXT": 1, "KEY BACK": -1}
_MENU = "menu"
"""What a menu is called for machines."""

Offered = Callable[[], tuple[Entry, ...]]
"""Lists what can be picked now."""


class PanelScreen:
    """The pages of what is shown, and which of them the dealer sees."""

    def __init__(self, display: Display = USUAL, offered: Offered = tuple) -> None:
        self.display = display
        self._offered = offered
        self._prompt = ShowPrompt("", ())
        self._page = 0
        self._refusal: tuple[Page, ...] = ()
        self._refusal_page = 0
        self._menu: Menu | None = None
        self._menu_page = 0
        self._typed = ""

    def resized(self, display: Display) -> str:
        """Show the prompt on another display."""
        self.display = display
        self._page, self._refusal, self._menu = 0, (), None
        return self._shown()

    def show(self, prompt: ShowPrompt) -> str:
        """Show what to do now, from its first page unless all that was read is as it was.

        Else a line that comes or goes would put another seat under the dealer's eyes, and what is
        to be paid to a seat before it would never be seen. A menu stays open until the table is in
        another phase.
        """
        before, read = self._prompt, self._page + 1
        seen = _texts(prompt_pages(before, self.display))[:read]
        self._prompt, self._refusal = prompt, ()
        now = _texts(prompt_pages(prompt, self.display))[:read]
        if prompt.code != before.code or now != seen:
            self._page = 0
        if prompt.code != before.code:
            self._menu = None
        return self._shown()

    def refuse(self, refusal: ShowRefusal) -> str:
        """Show why the last key was not accepted."""
        self._refusal, self._refusal_page = text_pages([refusal.reason], self.display), 0
        return self._refused()

    def takes(self, text: str) -> bool:
        """Return whether a key ends here: it turns a page, or belongs to a menu."""
        word = text.split()[:2]
        closes = text == "KEY CANCEL" and self._menu is not None
        return text in _TURNS or word in (["KEY", "MENU"], ["KEY", "PICK"]) or closes

    def pressed(self, text: str) -> tuple[str, str]:
        """Take a key that ends here; give the message to the panel, or the key that was picked."""
        if text in _TURNS:
            return self._turned(_TURNS[text]), ""
        match text.split():
            case ["KEY", "MENU"]:
                self._menu, self._menu_page, self._refusal = Menu(self._offered()), 0, ()
                return self._shown(), ""
            case ["KEY", "PICK", number] if is_number(number) and self._menu is not None:
                return self._pick(self._menu, int(number))
            case ["KEY", "CANCEL"]:
                return self.without_menu(), ""
        return self.refuse(ShowRefusal("Press MENU, then PICK and one of its numbers.")), ""

    def typed(self, row: str) -> str:
        """Show in the last row how much somebody has typed; it stays whatever else is shown."""
        self._typed, self._refusal = row, ()
        return self._shown()

    @property
    def is_typed_shown(self) -> bool:
        """Whether the last row tells how much somebody has typed."""
        return bool(self._typed)

    def _with_typed(self, page: Page) -> Page:
        """Put what was typed below a page, or over its last row if there is no room."""
        if not self._typed:
            return page
        kept = page[: self.display.rows - 1] if len(page) >= self.display.rows else page
        return (*kept, self._typed)

    def without_menu(self) -> str:
        """Leave the menu; give the message to the panel if one was open."""
        was_open, self._menu = self._menu is not None, None
        return self._shown() if was_open else ""

    def _pick(self, menu: Menu, number: int) -> tuple[str, str]:
        if not menu.pick(number):
            return self.refuse(ShowRefusal(f"The menu has no number {number}.")), ""
        self._menu_page, self._refusal = 0, ()
        if menu.key:
            return self.without_menu(), menu.key
        return self._shown(), ""

    def _turned(self, by: int) -> str:
        """Turn a page; behind the last one is the first one, behind a refusal what was there."""
        if self._refusal:
            self._refusal_page += by
            if self._refusal_page in range(len(self._refusal)):
                return self._refused()
            self._refusal = ()
        elif self._menu is not None:
            self._menu_page += by
        else:
            self._page += by
        return self._shown()

    def _shown(self) -> str:
        """Write the page of the menu, or of the prompt if none is open."""
        if self._menu is not None:
            pages = text_pages(self._menu.lines(), self.display)
            self._menu_page %= len(pages)
            return _message("SHOW", (_MENU, *self._with_typed(pages[self._menu_page])))
        pages = prompt_pages(self._prompt, self.display)
        self._page %= len(pages)
        return _message("SHOW", (self._prompt.code, *self._with_typed(pages[self._page])))

    def _refused(self) -> str:
        return _message("REFUSED", self._with_typed(self._refusal[self._refusal_page]))


def _texts(pages: tuple[Page, ...]) -> list[Page]:
    """Give the rows of pages without the one that numbers them."""
    return [page[:-1] if len(pages) > 1 else page for page in pages]


def _message(word: str, rows: Page) -> str:
    return f"{word} {'|'.join(rows)}"
