"""The live view in the terminal: every table in its share of the screen, or a list and one.

Which of the two is decided by the room (`arrangement.py`); how a table looks is in `view.py`, and
`following.py` reads the tables. Here are only keys and panels.
"""

import time
from pathlib import Path
from typing import ClassVar

from rich.console import Group
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Footer, Static

from firmware.journal.regular_files import write_text
from firmware.shell.command_line import file_words
from host_tools.watch.arrangement import arrange, first_in_list, list_lines
from host_tools.watch.fitting import LAMP_WORDS, fitting, paused_ways
from host_tools.watch.following import follow
from host_tools.watch.view import TableView, body, heading


class TablePanel(Widget):
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
        self.refresh()

    def render(self) -> Group:
        """Draw what fits."""
        return body(self.seen, self.content_size.width, self.content_size.height)


class TableList(Widget):
    """All tables, a line each."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[TableView] = []
        self.current = 0

    def render(self) -> Group:
        """Draw the tables around the current one."""
        size = self.content_size
        return Group(*list_lines(self.tables, self.current, size.width - 1, size.height))


class Room(Horizontal):
    """The part of the screen that the tables share."""

    class Changed(Message):
        """There is more room, or less."""

    def on_resize(self) -> None:
        """Tell the app, once the new size is known here."""
        self.post_message(self.Changed())


class WatchApp(App[None]):
    """Watches tables until the user quits."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Grid { grid-gutter: 0; width: 1fr; }
    TablePanel { border: round $primary; padding: 0 1; height: 100%; }
    TablePanel.faulty { border: round $error; }
    TablePanel.lost { border: round $warning; }
    TablePanel.current { border: heavy $accent; }
    TablePanel.current.faulty { border: heavy $error; }
    TablePanel.current.lost { border: heavy $warning; }
    .hidden { display: none; }
    #below { dock: bottom; height: 1; color: $text-muted; margin-bottom: 1; }
    #below.paused { background: $warning; color: black; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Quit"),
        # Before the screen's own, which would look for something to type into.
        Binding("tab,down,right", "go(1)", "Next table", key_display="tab", priority=True),
        Binding("shift+tab,up,left", "go(-1)", "Table before", show=False, priority=True),
        Binding("z", "zoom", "This table alone"),
        Binding("p", "pause", "Pause"),
        Binding("s", "picture", "Save a picture"),
    ]

    def __init__(self, targets: list[str]) -> None:
        super().__init__()
        self.title = "underfelt watch"
        self.panels = [TablePanel(target) for target in targets]
        self.current = 0
        self.paused = False
        self._paused_at = ""
        self._latest = {panel: panel.seen for panel in self.panels}
        self._zoomed = False

    def compose(self) -> ComposeResult:
        """Put a list, the tables, and the words for lamps on the screen."""
        yield Room(TableList(), Grid(*self.panels))
        yield Static(id="below")
        yield Footer()

    def on_mount(self) -> None:
        """Start watching."""
        for panel in self.panels:
            panel.show(panel.seen)
            self.run_worker(self._follow(panel), exit_on_error=False)

    def on_room_changed(self) -> None:
        """Share the new room."""
        self._say_below()
        self._arrange()

    def on_click(self, event: events.Click) -> None:
        """Make the table that was clicked the current one."""
        if isinstance(event.widget, TablePanel):
            self._go_to(self.panels.index(event.widget))
        elif isinstance(event.widget, TableList):
            height = event.widget.content_size.height
            clicked = first_in_list(len(self.panels), self.current, height) + event.y
            self._go_to(min(clicked, len(self.panels) - 1))

    def action_go(self, steps: int) -> None:
        """Go to another table."""
        self._go_to((self.current + steps) % len(self.panels))

    def action_zoom(self) -> None:
        """Show one table alone, or all of them again."""
        self._zoomed = not self._zoomed
        self._arrange()

    def action_pause(self) -> None:
        """Freeze the picture, and say so as long as it lasts; or show what is now."""
        self.paused = not self.paused
        self._paused_at = time.strftime("%H:%M:%S")
        self._say_below()
        for panel, seen in self._latest.items():
            self._show(panel, seen)

    def _say_below(self) -> None:
        """Say what the lamps mean, or that the picture is frozen, in the words that fit."""
        below = self.query_one("#below", Static)
        below.set_class(self.paused, "paused")
        ways = paused_ways(self._paused_at) if self.paused else LAMP_WORDS
        below.update(fitting(self.size.width, ways))

    def action_picture(self) -> None:
        """Save the picture as an SVG in this folder, for its owner alone: it shows a table."""
        path = Path(time.strftime("underfelt-watch-%Y-%m-%d-%H%M%S.svg"))
        try:
            write_text(path, self.export_screenshot())
        except OSError as error:
            self.notify(file_words(error), severity="error")
        else:
            self.notify(f"saved {path}")

    def latest(self, panel: TablePanel) -> TableView:
        """Return a table as it is now, even if the picture is frozen."""
        return self._latest[panel]

    async def _follow(self, panel: TablePanel) -> None:
        await follow(panel.seen.target, lambda seen: self._show(panel, seen))

    def _show(self, panel: TablePanel, seen: TableView) -> None:
        self._latest[panel] = seen
        if self.paused:
            return
        answers_now = panel.seen.table is None and seen.table is not None
        panel.show(seen)
        if answers_now:
            # Now it is known how many seats it has.
            self._arrange()
        else:
            self._list()

    def _go_to(self, place: int) -> None:
        self.current = place
        self._arrange()

    def _arrange(self) -> None:
        """Share the room between the tables."""
        room = self.query_one(Room).size
        shared = arrange([panel.seen for panel in self.panels], room.width, room.height)
        alone = self._zoomed or shared.is_list
        for place, panel in enumerate(self.panels):
            panel.set_class(alone and place != self.current, "hidden")
            panel.set_class(place == self.current and len(self.panels) > 1, "current")
        self.query_one(Grid).styles.grid_size_columns = 1 if alone else shared.columns
        listed = self.query_one(TableList)
        listed.set_class(self._zoomed or not shared.is_list, "hidden")
        listed.styles.width = max(1, shared.list_width)
        self._list()

    def _list(self) -> None:
        listed = self.query_one(TableList)
        listed.tables = [panel.seen for panel in self.panels]
        listed.current = self.current
        listed.refresh()
