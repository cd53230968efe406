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
        name="a void leaves its claims",
        file="firmware/table/settlement.py",
        old="    withdraw_claims_of(turn, play.seats, by)\n",
        new="",
        why="the jackpot of a void round is paid all the same",
        tests=("tests/table/test_withdrawn.py",),
    ),
    # What is withdrawn, at the table and in the books
    Mistake(
        name="a withdrawal leaves the confirmation owed",
        file="firmware/table/verdicts.py",
        old="        _drop_verdicts(turn, claim_id)\n        _owe_verdict(turn, claim_id, confirmed=False",
        new="        _owe_verdict(turn, claim_id, confirmed=False",
        why="a claim is confirmed after it was withdrawn, and its message is rejected",
        tests=("tests/sim/test_tables_and_books.py",),
    ),
    Mistake(
        name="a late award is paid all the same",
        file="firmware/table/verdicts.py",
        old="    claim = play.claims.pop(claim_id)\n",
        new="    claim = play.claims[claim_id]\n",
        why="the dealer pays what was withdrawn",
        tests=("tests/sim/test_tables_and_books.py",),
    ),
    Mistake(
        name="a confirmed claim cannot be withdrawn",
        file="sim/jackpot_controller/withdrawals.py",
        old='if row.state in {"paid", "booked"} or (',
        new='if row.state in {"paid", "booked", "confirmed"} or (',
        why="a void round's major is paid, and every later one waits",
        tests=("tests/sim/test_tables_and_books.py",),
    ),
    Mistake(
        name="the reset value is not given back",
        file="sim/jackpot_controller/withdrawals.py",
        old="            reset_cents * PARTS_PER_CENT,\n",
        new="            0,\n",
        why="the meter has the house's reset value twice",
        tests=("tests/sim/test_tables_and_books.py",),
    ),
    Mistake(
        name="an award taken back goes to the reserve",
        file="sim/jackpot_controller/accounts.py",
        old="return borne._added(back_parts, limit_parts)",
        new="return borne.contribute(back_parts, limit_parts)",
        why="the next winner is paid from a meter that lacks what was taken back",
        tests=("tests/sim/test_tables_and_books.py",),
    ),
    Mistake(
        name="nothing goes back to the meter",
        file="sim/jackpot_controller/accounts.py",
        old="        back_parts = from_meter_parts - house_parts - reset_parts\n",
        new="        back_parts = -house_parts - reset_parts\n",
        why="the jackpot of a void round is lost to the players",
        tests=("tests/sim/test_tables_and_books.py",),
    ),
    Mistake(
        name="an award is repeated after it was taken back",
        file="sim/jackpot_controller/withdrawals.py",
        old='self._rows.change(row.id, state="withdrawn", verdict=order.id, aside=0)',
        new="self._rows.change(row.id, verdict=order.id, aside=0)",
        why="the books say paid, and the table has paid nothing",
        tests=("tests/sim/test_tables_and_books.py",),
    ),
    Mistake(
        name="a withdrawal that was overtaken is refused",
        file="sim/jackpot_controller/withdrawals.py",
        old="return order.sequence is None or order.sequence > sequence_of(paid[0])",
        new="return True",
        why="one lost message makes the books keep an award that nobody was paid",
        tests=("tests/sim/test_tables_and_books.py",),
    ),
    Mistake(
        name="what is rejected is counted as owed",
        file="firmware/table/view.py",
        old=" and owed_id not in rejected",
        new="",
        why="every later major of the link waits for what is never accepted",
        tests=("tests/table/test_withdrawn.py",),
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
    # Rulings and who confirms them
    Mistake(
        name="what waits is dropped at the settlement",
        file="firmware/table/irregularities/rulings.py",
        old="    if turn.state.edition:\n        _take_up_next(turn)\n",
        new='    if turn.state.edition and turn.state.phase != "settling":\n        _take_up_next(turn)\n',
        why="a foreign card is forgotten because the last player withdrew before it was ruled on",
        tests=("tests/table/test_several_irregularities.py",),
    ),
    Mistake(
        name="a power cut in a ruling is not noticed",
        file="firmware/table/irregularities/reports.py",
        old="    if (state.doing if state.edition else state.phase) in IN_PLAY:",
        new="    if state.phase in IN_PLAY:",
        why="a round that the rules void after a power cut is played on",
        tests=("tests/table/test_several_irregularities.py",),
    ),
    Mistake(
        name="the dealer voids alone",
        file="firmware/table/irregularities/reports.py",
        old='    return "pit_supervisor" if going_out(state) else None',
        new="    return None",
        why="a dealer gives a lost round back to his friend by reporting a foreign card",
        tests=("tests/table/test_dealers.py",),
    ),
    Mistake(
        name="a key without its dealer",
        file="firmware/table/completion.py",
        old="        event = replace(event, dealer=state.on_duty.staff)",
        new="        pass",
        why="nobody knows who dealt, reported and confirmed",
        tests=("tests/table/test_dealers.py",),
    ),
    Mistake(
        name="a barred seat bets with a chip",
        file="firmware/table/state.py",
        old="            if seat not in self.barred\n",
        new="",
        why="the lamp of a barred player's spot takes his jackpot bet",
        tests=("tests/table/test_boxes.py",),
    ),
    Mistake(
        name="a closed box takes an ante",
        file="firmware/table/betting.py",
        old="    if why and event.stake_cents:",
        new="    if not why and False:",
        why="a box on which the house allows no bets is played",
        tests=("tests/table/test_boxes.py",),
    ),
    # Stakes
    Mistake(
        name="memory places a jackpot bet",
        file="firmware/table/betting.py",
        old='SeatState(stakes={"ante": ante_cents}, by_memory=True)',
        new='SeatState(stakes={"ante": ante_cents, "jackpot": 500}, by_memory=True)',
        why="a player who placed no chip is charged a jackpot contribution",
        tests=("tests/table/test_memory.py",),
    ),
    Mistake(
        name="an old journal knows seats by memory",
        file="firmware/table/betting.py",
        old="for seat in event.by_memory:",
        new="for seat in seats_by_memory(state):",
        why="a journal from before would be replayed with other seats in play",
        tests=("tests/table/test_memory.py",),
    ),
    Mistake(
        name="refused excess stays in the stake",
        file="firmware/table/irregularities/rulings.py",
        old="play.stakes.update(event.remains)",
        new="play.stakes.update({})",
        why="excess that was handed back before the close is handed back again (RWS 5.1)",
        tests=("tests/table/test_stakes.py",),
    ),
    Mistake(
        name="a corrected round claims again",
        file="firmware/table/settlement.py",
        old="        if claim not in made or claim.seat in changed:\n",
        new="        if claim:\n",
        why="keying a BET at settlement pays a jackpot line twice",
        tests=("tests/table/test_stake_corrections.py",),
    ),
    Mistake(
        name="a corrected decision contributes nothing",
        file="firmware/table/settlement.py",
        old="        for bet in [bet for bet in bets if bet not in standing]:\n",
        new="        for bet in bets[:0]:\n",
        why="a player who was there after all has a jackpot bet that nobody contributed",
        tests=("tests/table/test_stake_corrections.py",),
    ),
    Mistake(
        name="a supervisor is not asked",
        file="firmware/table/stake_corrections.py",
        old="    if first_card_out(turn.settings, turn.round):\n",
        new="    if first_card_out(turn.settings, turn.round) and cents < 0:\n",
        why="a dealer alone changes an ante after the cards are out (I-39)",
        tests=("tests/table/test_stake_corrections.py",),
    ),
    Mistake(
        name="undo after the consequence",
        file="firmware/table/undo.py",
        old="    if last.mark != _mark(state):\n",
        new="    if not last.mark:\n",
        why="a key is taken back after a card has come, and the round with it",
        tests=("tests/table/test_undo.py",),
    ),
    Mistake(
        name="a returned wager counts as settled",
        file="firmware/table/settlement.py",
        old='_seat(number, player)).kind != "returned"',
        new='_seat(number, player)).kind != "gone"',
        why="a player who was absent once gets his next wager back as well (Megalink 5.13)",
        tests=("tests/table/test_stakes.py",),
    ),
)
