"""How a diagnosis looks in a terminal: what is wrong first, then the facts in tables."""

from rich.table import Table
from rich.text import Text

from firmware.maintenance.vitals import Vitals
from firmware.protocol.fault_catalogue import place_words
from firmware.rules.words import money
from host_tools.diagnose import spot_board
from host_tools.diagnose.diagnosis import Finding, duration, expiry, when
from host_tools.diagnose.reports import DiagnosisReport
from host_tools.terminal import Terminal, counted

_STYLES = {"fault": "bold red", "warning": "bold yellow"}
_MEGABYTE = 1_000_000


_VERDICTS = {0: "good", 1: "warning", 2: "fault", 3: "not reached"}
_VERDICT_STYLES = ("bold green", "bold yellow", "bold red", "bold red")


def show(reports: list[DiagnosisReport]) -> None:
    """Print diagnoses: of several tables a line each, the worst first, and then the details."""
    if len(reports) == 1:
        show_report(reports[0].findings, reports[0].facts)
        return
    console = Terminal(soft_wrap=True)
    widest = max(len(report.target) for report in reports)
    worst_first = sorted(reports, key=lambda report: -report.status)
    for report in worst_first:
        verdict = f"{_VERDICTS[report.status]:<11}"
        first = report.findings[0].what if report.findings else "nothing is wrong"
        first = first.removeprefix(f"{report.target}: ")
        style = _VERDICT_STYLES[report.status]
        console.print(Text.assemble(f"{report.target:<{widest}}  ", (verdict, style), f"  {first}"))
    for report in worst_first:
        console.print()
        console.print(Text(report.target, style="bold underline"))
        show_report(report.findings, report.facts)


def show_report(findings: list[Finding], facts: Vitals | None) -> None:
    """Print a diagnosis; the first line is the worst."""
    console = Terminal(soft_wrap=True)
    for finding in findings:
        head, _, rest = finding.sentence.partition(": ")
        console.print(Text.assemble((f"{head}: ", _STYLES[finding.severity]), rest))
    if not findings:
        console.print(Text("Nothing is wrong.", style="bold green"))
    if facts is None:
        return
    console.print()
    for table in (
        _identity(facts),
        _sensors(facts),
        *((_spot_board(facts),) if facts.spot_board is not None else ()),
        _devices(facts),
        _ports(facts),
        _parts(facts),
    ):
        console.print(table)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", show_header=bool(columns), box=None)
    for column in columns or ("", ""):
        # Folded, never cut: the end of a path is what tells it from another.
        table.add_column(column, header_style="dim", overflow="fold")
    return table


def _identity(facts: Vitals) -> Table:
    table = _table(f"Table {facts.table}")
    table.add_row("game", f"{facts.game}, {facts.seats} seats, {facts.card_source}")
    table.add_row("phase", f"{facts.phase}, round {facts.round}")
    if facts.waits is not None and facts.waits.who != "dealer":
        table.add_row("waits for", f"the {facts.waits.who}, since {when(facts.waits.since_ms)}")
    table.add_row("firmware", f"{facts.version}, Python {facts.python}, {facts.system}")
    table.add_row("board", facts.board)
    table.add_row("running for", f"{duration(facts.uptime_s)}, since {when(facts.started_ms)}")
    if facts.silent_since_ms is not None:
        off = duration((facts.started_ms - facts.silent_since_ms) / 1000)
        table.add_row("last off", f"for {off}, after {when(facts.silent_since_ms)}")
    return table


def _sensors(facts: Vitals) -> Table:
    table = _table("Coin spots", "spot", "pin", "senses", "changes", "state")
    for sensor in facts.sensors:
        state = "chatters" if sensor.chattering else "stuck" if sensor.stuck else "good"
        if sensor.level is None:
            state = "unknown"
        style = "" if state == "good" else "red"
        table.add_row(
            place_words(sensor.where),
            f"GPIO{sensor.pin}" if sensor.input is None else f"input {sensor.input}",
            spot_board.senses(sensor.level, sensor.last),
            str(sensor.edges),
            Text(state, style=style),
        )
    return table


def _spot_board(facts: Vitals) -> Table:
    table = _table("Spot board")
    for row in spot_board.in_words(facts):
        table.add_row(*row)
    return table


def _devices(facts: Vitals) -> Table:
    table = _table(
        "Serial devices",
        "device",
        "state",
        "frames",
        "bad",
        "resent",
        "gone",
        "last problem",
    )
    for device in facts.devices:
        state = Text("open") if device.open else Text("missing", style="red")
        counts = (device.frames, device.dropped, device.resent, device.reconnects)
        table.add_row(device.name, state, *map(str, counts), device.last_problem)
    return table


def _ports(facts: Vitals) -> Table:
    table = _table("Serial ports")
    for device in facts.devices:
        table.add_row(device.name, device.port)
    return table


def _parts(facts: Vitals) -> Table:
    table = _table("Everything else")
    link, clock, journal, machine = facts.link, facts.clock, facts.journal, facts.machine
    up = f"connected to {link.broker}" if link.broker else f"not connected ({link.last_problem})"
    table.add_row("link", f"{'healthy' if link.healthy else 'down'}, {up}")
    table.add_row(
        "",
        f"{counted(link.connections, 'connection')}, {link.sent} sent, {link.acknowledged} acknowledged, "
        f"{link.owed} owed, {link.ignored} ignored",
    )
    if link.certificate:
        expires = expiry(link.certificate_expires)
        at = "at an unknown time" if expires is None else when(int(expires.timestamp() * 1000))
        table.add_row("certificate", f"{link.certificate}, expires {at}")
    if link.meter_cents is not None:
        table.add_row("meter", money(link.meter_cents, facts.currency))
    kept = {True: "set by a time server", False: "not set by a time server", None: "source unknown"}
    rtc = {True: "with RTC", False: "without RTC", None: "RTC not checked"}
    table.add_row("clock", f"{when(clock.now_ms)}, {kept[clock.synchronised]}, {rtc[clock.rtc]}")
    table.add_row("disk", _disk(facts))
    table.add_row(
        "journal",
        f"{journal.id}: {counted(journal.records, 'record')} in "
        f"{counted(journal.segments, 'segment')}, {counted(journal.snapshots, 'snapshot')}, "
        f"exported through {journal.exported_through:,}",
    )
    heat = "unknown" if machine.temperature_c is None else f"{machine.temperature_c:.0f} °C"
    supply = {True: "too low", False: "good", None: "unknown"}[machine.under_voltage]
    table.add_row("machine", f"temperature {heat}, supply voltage {supply}")
    return table


def _disk(facts: Vitals) -> str:
    disk = facts.disk
    if disk.free_bytes is None or disk.total_bytes is None:
        return "cannot be read"
    return f"{disk.free_bytes // _MEGABYTE:,} MB of {disk.total_bytes // _MEGABYTE:,} MB free"
