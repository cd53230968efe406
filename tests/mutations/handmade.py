"""Mistakes that must never go unnoticed, each with the tests that have to notice it.

A text that is no longer in its file, or is there more than once, fails `make test`: whoever
moves the code moves the mistake along, or says here what takes its place.
"""

from msgspec import Struct


class Mistake(Struct, frozen=True, kw_only=True):
    """One text of one file, and what stands there instead."""

    name: str
    file: str
    old: str
    new: str
    why: str
    """What it would do to a table."""
    tests: tuple[str, ...]

    def applied(self, source: str) -> str:
        """Give the file with the mistake in it."""
        count = source.count(self.old)
        assert count == 1, f"{self.name}: {self.file} has its text {count} times, not once"
        return source.replace(self.old, self.new)


MISTAKES = (
    # The link
    Mistake(
        name="no TCP_NODELAY",
        file="firmware/link/client.py",
        old="            socket_options=_NODELAY,\n",
        new="",
        why="a contribution waits up to 40 ms for the acknowledgement of the one before it",
        tests=("tests/link/test_connection.py",),
    ),
    Mistake(
        name="keep-alive of a minute",
        file="firmware/link/client.py",
        old="_KEEPALIVE_S = 5",
        new="_KEEPALIVE_S = 60",
        why="the floor sees a dead table as a live one for a minute and a half",
        tests=("tests/link/test_connection.py",),
    ),
    Mistake(
        name="status not repeated",
        file="firmware/link/mqtt.py",
        old="_STATUS_AGAIN_S = 30.0",
        new="_STATUS_AGAIN_S = 3_000.0",
        why="a last will that comes late stands, and the table is taken for gone",
        tests=("tests/link/test_connection.py",),
    ),
    Mistake(
        name="held obligations in reverse",
        file="firmware/link/outbox.py",
        old="extendleft(reversed(held))",
        new="extendleft(held)",
        why="what is owed does not arrive oldest first",
        tests=("tests/link/test_parts.py",),
    ),
    Mistake(
        name="another journal's award",
        file="firmware/link/hearing.py",
        old='f"{self._table}.{self._journal}."',
        new='f"{self._table}."',
        why="a claim of the unit that stood here before is paid by this one",
        tests=("tests/link/test_hostile_messages.py",),
    ),
    Mistake(
        name="an old meter is believed",
        file="firmware/link/hearing.py",
        old="message.sequence < newest",
        new="message.sequence < 0",
        why="the sign goes back to an amount that was won long ago",
        tests=("tests/link/test_hostile_messages.py",),
    ),
    Mistake(
        name="acknowledged twice",
        file="firmware/link/outbox.py",
        old="if passage is None or passage.answered == answer:",
        new="if passage is None:",
        why="a controller that repeats itself fills the journal",
        tests=("tests/link/test_parts.py", "tests/link/test_hostile_messages.py"),
    ),
    Mistake(
        name="nothing is sent anew after a reconnection",
        file="firmware/link/outbox.py",
        old="        self._unsent = deque(self._owed)\n",
        new="",
        why="what was on its way when the cable was pulled is never sent again",
        tests=("tests/link/test_parts.py",),
    ),
    Mistake(
        name="a stale heartbeat is healthy",
        file="firmware/link/health.py",
        old="now_s - self._heard_s >= settings.stale_s",
        new="now_s - self._heard_s >= 100 * settings.stale_s",
        why="jackpot bets are taken although the controller is silent",
        tests=("tests/link/test_parts.py",),
    ),
    # The journal
    Mistake(
        name="the record is not synced",
        file="firmware/journal/writer.py",
        old="        os.fdatasync(file)\n",
        new="",
        why="a power cut loses what was told to players and controller",
        tests=("tests/journal",),
    ),
    Mistake(
        name="the folder is not synced after a snapshot",
        file="firmware/journal/writer.py",
        old="snapshot)\n            sync_folder(self._lock)\n",
        new="snapshot)\n",
        why="a power cut leaves a segment whose snapshot has no name",
        tests=("tests/journal/test_rotation.py",),
    ),
    Mistake(
        name="the chain is not checked",
        file="firmware/journal/records.py",
        old='if chain.decode(errors="replace") != _chain(chain_before, sequence, body):',
        new="if len(chain) != len(_chain(chain_before, sequence, body)):",
        why="a record that was changed is believed",
        tests=("tests/journal",),
    ),
    Mistake(
        name="a snapshot is not checked",
        file="firmware/journal/reader.py",
        old="if header is None or snapshot_hash(data) != header.snapshot:",
        new="if header is None:",
        why="a table goes on from what it never was",
        tests=("tests/journal",),
    ),
    Mistake(
        name="a forged header",
        file="firmware/journal/headers.py",
        old='if encode_header(header) != line + b"\\n":',
        new="if not header.before:",
        why="a segment says of itself whatever somebody wants it to",
        tests=("tests/journal/test_rotation.py",),
    ),
    Mistake(
        name="two writers",
        file="firmware/journal/writer.py",
        old="fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)",
        new="fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)",
        why="two processes break one journal",
        tests=("tests/journal",),
    ),
    Mistake(
        name="what is owed is removed",
        file="firmware/journal/retention.py",
        old="needed_from = min(exported_through + 1, owed_since or exported_through + 1)",
        new="needed_from = exported_through + 1",
        why="the record of an obligation that is still owed is gone",
        tests=("tests/journal/test_retention.py",),
    ),
    # The table: few, on lines that stay
    Mistake(
        name="the meter of a lost link is not registered",
        file="firmware/table/linking.py",
        old="register_meter(turn.round, event.meter_cents, event.reset_cents)",
        new="pass",
        why="a win is paid from a meter that is older than the loss of the link",
        tests=("tests/table/test_link_lost.py",),
    ),
    Mistake(
        name="no late bet at the settlement",
        file="firmware/table/irregularities/reports.py",
        old='"late_bet": _CLOSED',
        new='"late_bet": _DEALT',
        why="a dealer who finds a late bet while paying cannot report it",
        tests=("tests/table/test_irregularities.py",),
    ),
    Mistake(
        name="a reversal without its count",
        file="firmware/table/turn.py",
        old="self.state.totals.contributed_cents -= stake_cents",
        new="self.state.totals.contributed_cents -= 0",
        why="table and controller never agree again about what was contributed",
        tests=("tests/table/test_bets.py",),
    ),
    Mistake(
        name="an overtaken meter",
        file="firmware/table/linking.py",
        old="if event.sequence <= turn.state.meter_sequence:",
        new="if event.sequence == turn.state.meter_sequence:",
        why="the meter that closes the bets is older than the one on the sign",
        tests=("tests/table",),
    ),
    Mistake(
        name="a repeated frame is taken again",
        file="firmware/table/table.py",
        old="return event.frame in {taken, self._refused_frame.get(event.device)}",
        new="return event.frame == self._refused_frame.get(event.device)",
        why="a card or a key whose acknowledgement was lost counts twice",
        tests=("tests/table",),
    ),
    Mistake(
        name="voided after an award",
        file="firmware/table/irregularities/rulings.py",
        old='if "void" in {incident.ruling.action, incident.chosen.get(0)}:',
        new='if incident.ruling.action == "void":',
        why="the table takes back what the controller has paid",
        tests=("tests/table/test_link_lost.py",),
    ),
    # The devices
    Mistake(
        name="a second until power-good counts",
        file="firmware/devices/switches.py",
        old='"power_good": 10,',
        new='"power_good": 1_000,',
        why="the hold-up supply is half empty before anybody knows",
        tests=("tests/devices/test_switches.py",),
    ),
    Mistake(
        name="a misplaced device keeps its session",
        file="firmware/devices/line_port.py",
        old="            self._session = None\n            return\n",
        new="            return\n",
        why="what a sign says is taken for the panel's keys",
        tests=("tests/devices/test_line_port.py",),
    ),
    Mistake(
        name="a checksum is not looked at",
        file="firmware/devices/line.py",
        old='if found is None or crc_hqx(found["body"], 0) != int(found["crc"], 16):',
        new="if found is None:",
        why="noise on the line becomes a card",
        tests=("tests/devices/test_line.py",),
    ),
    Mistake(
        name="a page has no row for its number",
        file="firmware/devices/panel_pages.py",
        old="    cut = list(_cut(_arranged(prompt, display), display.rows - 1))\n",
        new="    cut = list(_cut(_arranged(prompt, display), display.rows))\n",
        why="the last line of a page is not on the display",
        tests=("tests/devices/test_panel_pages.py",),
    ),
    Mistake(
        name="a key of the menu that comes again reaches the table",
        file="firmware/devices/panel.py",
        old="if frame == self._ended_here or self._screen.takes(text):",
        new="if self._screen.takes(text):",
        why="a CANCEL that left the menu withdraws a report",
        tests=("tests/devices/test_panel_pages.py",),
    ),
    Mistake(
        name="a major is to be paid before it is confirmed",
        file="firmware/table/settlement_prompt.py",
        old="if any(claim.unconfirmed for claim in won):",
        new="if all(claim.unconfirmed for claim in won) and None in amounts:",
        why="the dealer pays what the supervisor may refuse",
        tests=("tests/table/test_settlement_prompt.py", "tests/table/test_link_lost.py"),
    ),
)
