"""What each fault means, for a technician who has only its number.

The fault's own sentence and remedy, what it locks and who clears it are in
`firmware/protocol/fault_catalogue.py`, which the table itself reads; this is what a person wants to know
beyond that, and no table needs it.
"""

from firmware.protocol.fault_catalogue import Ends, FaultCode, Lock
from firmware.protocol.link_problems import LinkProblemCode

MEANINGS: dict[FaultCode, str] = {
    "sensor_stuck": "A spot has sensed a chip for longer than `stuck_ms` of the table file.",
    "sensor_chatters": "A spot has changed more often than `chatter_edges` within "
    "`chatter_window_ms`: a chip on its edge, a loose plug or a dirty sensor.",
    "device_gone": "The serial port, or the pins, cannot be opened or driven: nothing is plugged in "
    "there, or the operating system has lost it.",
    "device_babbles": "What arrives on the port is not the device's protocol: another baud rate, "
    "another device, or a damaged cable.",
    "device_silent": "The port is open and the cable is there, but the device has sent or acknowledged "
    "nothing for six seconds, or a shoe has locked itself.",
    "device_unfit": "The device answers, but cannot be used here: it is another kind of device, its "
    "display is too small, it echoes, or it has sent what no such device sends.",
    "spots_unknown": "The spot board is not there, has just started, or has not confirmed the sensors' "
    "limits, so a chip may have come or gone unseen. What it said last holds: no spot is taken to be "
    "empty. Bets cannot be opened or closed until it has said what lies there.",
    "cards_unread": "A card has left that the reader could not read, or a shoe reports an error of its "
    "own.",
    "cover_open": "The switch of the cover has opened. It stays a fault after the cover is closed, "
    "so that somebody looks.",
    "power_failing": "The power-good signal of the supply has fallen. The hold-up supply lasts long "
    "enough to write everything down.",
    "clock_jumped": "The clock was set by more than `jump_ms`. Wins from before and after it cannot be "
    "put in order by time alone.",
    "clock_free": "No time server has set the clock, so it drifts. Each win says so to the controller.",
    "journal_torn": "The power went while a record was being written. That record had had no effect yet.",
    "snapshot_damaged": "A snapshot, which only makes a start faster, was left unused, and the records "
    "were read instead.",
    "journal_damaged": "The journal ends before what the jackpot controller has heard from it, or has a "
    "hole: the card is damaged or was restored from a copy.",
    "disk_full": "Less is free than `least_free_mb`. No round is begun that might not fit.",
    "inbox_full": "A device or the link has sent more than the table could write down. What was not "
    "taken was not acknowledged, and is sent again.",
    "program_failed": "A program error, caught. The event that caused it was taken back, and the log "
    "has the place.",
    "hot": "The processor is above `hot_c` and slows itself down.",
    "under_voltage": "The Pi has measured less than 4.63 V: a weak supply, or a long or thin cable.",
    "count_mismatch": "The controller's books have another number or sum of contributions than this "
    "journal.",
    "unit_refused": "The controller knows another unit or another journal under this name, or has heard "
    "more from this one than it holds now.",
    "unit_closed": "Somebody has closed this unit at the controller, as is done when it is replaced.",
    "message_rejected": "The controller has refused a contribution, win or reversal for good, with a "
    "reason. It stays owed until it is settled.",
    "award_doubted": "The award differs from what claim, pay table and meter allow, or nobody here has "
    "claimed it.",
    "meter_doubted": "The meter has risen faster than all tables can contribute, or has fallen without "
    "a win.",
    "sequence_fell": "Numbers that only rise have fallen: two controllers, or books from a copy.",
}
LINK_MEANINGS: dict[LinkProblemCode, str] = {
    "starting": "The table has not tried to connect yet.",
    "no_answer": "Nothing answers at the address of the broker.",
    "name_unknown": "The name of the broker's host cannot be looked up.",
    "table_certificate": "The table's own certificate has expired, or the broker does not accept it.",
    "broker_certificate": "The broker's certificate has expired, is for another name, or is signed by "
    "an authority that the table does not know.",
    "tls": "The encrypted connection could not be made.",
    "broken_off": "The broker has closed the connection before it answered.",
    "refused": "The broker has answered, and does not let this table in.",
    "not_allowed": "The broker lets the table in, but not read or write the topics that it needs.",
    "lost": "The connection was there and is gone.",
    "settings": "Something under [link] of the table file cannot be used.",
    "controller_silent": "The broker is connected, but the controller's heartbeat does not come.",
    "controller_offline": "The controller has signed off, or the broker has noticed that it is gone.",
    "other_game": "The controller at this root topic keeps the jackpot of another game.",
    "not_acknowledged": "The controller lives, but does not acknowledge what this table sends.",
    "not_accepted": "The controller has not accepted this unit as the table yet.",
    "several_controllers": "Two controllers publish under the same root topic.",
}
LOCK_WORDS: dict[Lock, str] = {
    "nothing": "nothing; play goes on",
    "spot": "that spot takes no bet",
    "payment": "that claim is not paid",
    "jackpot": "no jackpot bets",
    "table": "no new round",
}
"""What stops while a fault lasts."""
ENDS_WORDS: dict[Ends, str] = {
    "by_itself": "ends by itself",
    "pit_supervisor": "pit supervisor, shift manager or technician",
    "technician": "technician",
    "shift_manager": "shift manager",
}
"""Who clears it, with MENU or CLEAR at the panel, key and PIN."""
