"""The live view in the terminal: one panel per table, all at once or one alone.

Each table has a thread that reads its stream and reconnects when it is lost; what it
receives goes to the event loop. How a table looks is in `view.py`.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

from msgspec.structs import replace
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from firmware.errors import UnderfeltError
from host_tools.connection.table_stream import TableStream, open_table
from host_tools.watch.view import LAMP_WORDS, TableView, body, heading, news

AGAIN_S = 1.0
_NEWS_KEPT = 50
_MOST_ABREAST = 3


class TablePanel(Static, can_focus=True):
    """One table."""

    def __init__(self, target: str) -> None:
        super().__init__()
        self.seen = TableView(target)

    def show(self, seen: TableView) -> None:
        """Draw the table as it is now."""
        self.seen = seen
        self.border_title = heading(seen).markup
        self.set_class(seen.table is None or bool(seen.problem), "lost")
        self.set_class(seen.table is not None and bool(seen.table.faults), "faulty")
        self.update(body(seen))


class WatchApp(App[None]):
    """Watches tables until the user quits."""

    CSS = """
    Grid { grid-gutter: 0; }
    TablePanel { border: round $primary; padding: 0 1; height: 100%; overflow-y: auto; }
    TablePanel:focus { border: heavy $accent; }
    TablePanel.faulty { border: round $error; }
    TablePanel.lost { border: round $warning; }
    TablePanel.hidden { display: none; }
    #lamps { dock: bottom; height: 1; color: $text-muted; margin-bottom: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Quit"),
        Binding("tab", "focus_next", "Next table", show=True),
        Binding("z", "zoom", "This table alone"),
        Binding("p", "pause", "Pause"),
        Binding("s", "picture", "Save a picture"),
    ]

    def __init__(self, targets: list[str]) -> None:
        super().__init__()
        self.title = "underfelt watch"
        self.panels = [TablePanel(target) for target in targets]
        self.paused = False
        self._streams: dict[TablePanel, TableStream] = {}
        self._zoomed = False

    def compose(self) -> ComposeResult:
        """Lay the tables out side by side."""
        grid = Grid(*self.panels)
        grid.styles.grid_size_columns = min(len(self.panels), _MOST_ABREAST)
        yield grid
        yield Static(LAMP_WORDS, id="lamps")
        yield Footer()

    def on_mount(self) -> None:
        """Start watching."""
        self.panels[0].focus()
        for panel in self.panels:
            panel.show(panel.seen)
            self.run_worker(self._watching(panel), thread=True, exit_on_error=False)

    def on_unmount(self) -> None:
        """Hang up, so that no thread is left waiting for a table."""
        for stream in list(self._streams.values()):
            stream.close()

    def action_zoom(self) -> None:
        """Show one table alone, or all of them again."""
        self._zoomed = not self._zoomed
        for panel in self.panels:
            panel.set_class(self._zoomed and panel is not self.focused, "hidden")
        grid = self.query_one(Grid)
        grid.styles.grid_size_columns = 1 if self._zoomed else min(len(self.panels), _MOST_ABREAST)

    def action_pause(self) -> None:
        """Freeze the picture, or resume."""
        self.paused = not self.paused
        self.notify("paused; changes are not drawn" if self.paused else "resumed")

    def action_picture(self) -> None:
        """Save the picture as an SVG in this folder."""
        self.notify(f"saved {self.save_screenshot(path='.')}")

    def _watching(self, panel: TablePanel) -> Callable[[], None]:
        def watch() -> None:
            worker = get_current_worker()
            while not worker.is_cancelled:
                problem = "the connection was closed"
                try:
                    self._follow(panel, lambda: worker.is_cancelled)
                except UnderfeltError as error:
                    problem = str(error)
                if not worker.is_cancelled:
                    self._hand_over(panel, replace(panel.seen, problem=problem))
                    time.sleep(AGAIN_S)

        return watch

    def _follow(self, panel: TablePanel, is_over: Callable[[], bool]) -> None:
        with open_table(panel.seen.target) as stream:
            self._streams[panel] = stream
            for shown in stream.watch():
                if is_over():
                    return
                before = panel.seen
                told = (*before.news, *news(before.table, shown.table))[-_NEWS_KEPT:]
                self._hand_over(panel, TableView(before.target, shown.table, "", told))

    def _hand_over(self, panel: TablePanel, seen: TableView) -> None:
        # A view that is closing takes no more.
        with suppress(RuntimeError):
            self.call_from_thread(self._show, panel, seen)

    def _show(self, panel: TablePanel, seen: TableView) -> None:
        if self.paused:
            panel.seen = seen
        else:
            panel.show(seen)
