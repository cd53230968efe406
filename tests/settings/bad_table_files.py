"""Table files and board files with one mistake each, and the sentence about it.

The sentences themselves are written out, because a technician reads them: key, reason, remedy.
The file's name, which stands before them, is the test's business.
"""

from firmware.settings.staff import hash_pin

GOOD = """board = "pi-4-seats"
journal = "/var/lib/underfelt"

[table]
name = "T1"
game = "rws-multilink-stud"
seats = 4
ante_min_cents = 2500
ante_max_cents = 100000
jackpot_bet_cents = 500

[link]
host = "jackpot.example"
"""
BOARD = """title = "A board of our own"

[pins]
power_good = 12
cover = 13

[serial]
cards = "/dev/shoe"
panel = "/dev/panel"
sign = "/dev/sign"

[[spots]]
seat = 1
sensor = 4
lamp = 16

[[spots]]
seat = 2
sensor = 5
lamp = 17

[[spots]]
seat = 3
sensor = 6
lamp = 18

[[spots]]
seat = 4
sensor = 7
lamp = 19
"""
HASHED = hash_pin("135791", bytes(16))
STAFF = f"""
[[staff]]
number = "1001"
name = "A. Tan"
role = "dealer"
pin = "{HASHED}"

[[staff]]
number = "2001"
name = "B. Lim"
role = "pit_supervisor"
pin = "{HASHED}"
"""
GAMES = "rws-multilink-stud, rws-casino-stud, mbs-megalink-stud, mbs-singapore-stud, rws-holdem"
BOARDS = (
    "pi-4-seats-two-spots, pi-4-seats, pi-5-seats-two-spots, pi-5-seats, pi-6-seats, pi-7-seats, "
    "spot-board-6-seats-two-spots, spot-board-7-seats-two-spots"
)
CENTS = "a whole number from 0 to 1000000000000000"


def swapped(text: str, old: str, new: str) -> str:
    """Give a text with the one place changed where `old` stands."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def changed(old: str, new: str) -> str:
    """Give the good table file with one thing changed."""
    return swapped(GOOD, old, new)


def rewired(old: str, new: str) -> str:
    """Give the good board file with one thing changed."""
    return swapped(BOARD, old, new)


MISTAKES: dict[str, tuple[str, str]] = {
    "not TOML": (
        changed("seats = 4", "seats = = 4"),
        "is not TOML: Invalid value (at line 7, column 9); correct the file there",
    ),
    "the game missing": (
        changed('game = "rws-multilink-stud"\n', ""),
        f"table.game: is missing; add one of {GAMES}",
    ),
    "the seats missing": (
        changed("seats = 4\n", ""),
        "table.seats: is missing; add a whole number from 1 to 7",
    ),
    "the journal missing": (
        changed('journal = "/var/lib/underfelt"\n', ""),
        "journal: is missing; add the folder of the journal, such as /var/lib/underfelt",
    ),
    "the board missing": (
        changed('board = "pi-4-seats"\n', ""),
        (
            "board: is missing; add the name of a board such as pi-5-seats,"
            " or the path of a board file"
        ),
    ),
    "an unknown key near a known one": (
        changed("seats = 4", "seats = 4\nseat = 4"),
        "table.seat: is not a known key; did you mean seats?",
    ),
    "an unknown key near none": (
        GOOD + "[serial]\nxyzzy = 1\n",
        (
            "serial.xyzzy: is not a known key;"
            " remove it, or use one of cards, panel, sign, spots, card_protocol"
        ),
    ),
    "an unknown key that is no word": (
        changed("seats = 4", 'seats = 4\n"seats\\n" = 4'),
        "table.'seats\\n': is not a known key; did you mean seats?",
    ),
    "an unknown key that reads like the path of another": (
        '"a` - at `$.table.b" = 1\n' + GOOD,
        "'Object contains unknown field `a` - at `$.table.b`'; correct that key",
    ),
    "an unknown part": (
        GOOD + "\n[extra]\n",
        (
            "extra: is not a known key;"
            " remove it, or use one of board, journal, table, link, serial, staff, watchdog,"
            " sensors, health, maintenance"
        ),
    ),
    "text for a number": (
        changed("seats = 4", 'seats = "4"'),
        "table.seats: must be a whole number from 1 to 7, not text ('4')",
    ),
    "a number for text": (
        changed('"jackpot.example"', "5"),
        "link.host: must be some text in quotation marks, not a whole number (5)",
    ),
    "a date for a number": (
        changed("seats = 4", "seats = 2026-01-01"),
        "table.seats: must be a whole number from 1 to 7, not a date or time",
    ),
    "a list for a number": (
        changed("seats = 4", "seats = [4]"),
        "table.seats: must be a whole number from 1 to 7, not a list",
    ),
    "a fraction of a cent": (
        changed("= 2500", "= 2500.5"),
        f"table.ante_min_cents: must be {CENTS}, not a number with a fraction (2500.5)",
    ),
    "a yes for a number": (
        changed("= 500\n", "= true\n"),
        f"table.jackpot_bet_cents: must be {CENTS}, not true",
    ),
    "a negative amount": (
        changed("= 2500", "= -1"),
        f"table.ante_min_cents: must be {CENTS}, not -1",
    ),
    "too few seats for the game": (
        changed("seats = 4", "seats = 3"),
        "table.seats: rws-multilink-stud has 4 to 7 positions; set 4 to 7",
    ),
    **{
        f"{seats} seats on layout {layout}": (
            changed("rws-multilink-stud", "mbs-megalink-stud").replace(
                "seats = 4", f'seats = {seats}\nlayout = "{layout}"'
            ),
            (
                f"table.seats: layout {layout} of mbs-megalink-stud has {has} positions; "
                f"set {has}, or choose layout {others}"
            ),
        )
        for seats, layout, has, others in (
            (4, "A", "5 to 7", "C or D"),
            (4, "B", "5 to 7", "C or D"),
            (7, "C", "4 to 6", "A or B"),
            (7, "D", "4 to 6", "A or B"),
        )
    },
    "a layout that the document does not have": (
        changed("rws-multilink-stud", "mbs-megalink-stud").replace(
            "seats = 4", 'seats = 4\nlayout = "E"'
        ),
        "table.layout: 'E' is no layout of mbs-megalink-stud; use one of A, B, C, D",
    ),
    "a layout where there is no choice": (
        changed("seats = 4", 'seats = 4\nlayout = "A"'),
        "table.layout: rws-multilink-stud has no layouts to choose from; remove it",
    ),
    "too many seats for any game": (
        changed("seats = 4", "seats = 8"),
        "table.seats: must be a whole number from 1 to 7, not 8",
    ),
    "an unknown game near a known one": (
        changed("rws-multilink-stud", "rws-multilink"),
        "table.game: 'rws-multilink' is not a game; did you mean rws-multilink-stud?",
    ),
    "an unknown game near none": (
        changed("rws-multilink-stud", "bridge"),
        f"table.game: 'bridge' is not a game; use one of {GAMES}",
    ),
    "an unknown card source": (
        changed("seats = 4", 'seats = 4\ncard_source = "sleeve"'),
        "table.card_source: must be one of manual, shoe, shuffler, not 'sleeve'",
    ),
    "an unknown house policy": (
        changed("seats = 4", 'seats = 4\nhouse_policy = "hope"'),
        "table.house_policy: must be one of close_table, disallow_box, no_jackpot_bets, not 'hope'",
    ),
    "an authority that is none": (
        changed("seats = 4", 'seats = 4\nseen_cards_authority = "player"'),
        "table.seen_cards_authority: must be one of dealer, pit_supervisor, not 'player'",
    ),
    "a dealer who could not sign on": (
        changed("seats = 4", "seats = 4\ndealer_must_sign_on = true"),
        (
            "table.dealer_must_sign_on: nobody could sign on;"
            " add a dealer under [[staff]], or set it to false"
        ),
    ),
    "an unknown interpretation": (
        changed("seats = 4", 'seats = 4\nstraight_flush_share = "all"'),
        "table.straight_flush_share: must be one of declining, reset, not 'all'",
    ),
    "a draw that is too rare": (
        changed("seats = 4", "seats = 4\nlucky_seat_one_in = 1000001"),
        "table.lucky_seat_one_in: must be a whole number from 0 to 1000000, not 1000001",
    ),
    **{
        f"a name that is {what}": (
            changed('"T1"', f'"{name}"'),
            "table.name: must be 1 to 32 letters, digits, - or _, without spaces",
        )
        for what, name in {
            "empty": "",
            "two words": "T 1",
            "a path": "T/1",
            "a wildcard": "T+",
            "two lines": "T1\\n",
            "too long": "T" * 33,
        }.items()
    },
    **{
        f"a name that is the {name}'s": (
            changed('"T1"', f'"{name}"'),
            f"table.name: '{name}' is a name of the broker's own; give the table another name",
        )
        for name in ("controller", "Controller", "broker", "ca")
    },
    "a minimum above the maximum": (
        changed("= 100000", "= 2400"),
        "table.ante_min_cents: 2500 is above ante_max_cents (2400); lower it or raise the maximum",
    ),
    "a minimum of nothing": (
        changed("= 2500", "= 0"),
        "table.ante_min_cents: must be above 0; set an amount in cents",
    ),
    "a jackpot bet of nothing": (
        changed("= 500\n", "= 0\n"),
        "table.jackpot_bet_cents: must be above 0; set an amount in cents",
    ),
    "a bonus limit where there is no bonus bet": (
        changed("seats = 4", "seats = 4\nbonus_max_cents = 5000"),
        "table.bonus_max_cents: rws-multilink-stud has no bonus bet; remove it",
    ),
    "a journal in a folder that moves": (
        changed('"/var/lib/underfelt"', '"underfelt"'),
        "journal: 'underfelt' is not an absolute path; start it with /",
    ),
    "an unknown board near a known one": (
        changed("pi-4-seats", "pi-4-seat"),
        "board: 'pi-4-seat' is not a board; did you mean pi-4-seats? (or the path of a .toml file)",
    ),
    "an unknown board near none": (
        changed("pi-4-seats", "../.."),
        f"board: '../..' is not a board; use one of {BOARDS} (or the path of a .toml file)",
    ),
    "a board with too few seats": (
        changed("seats = 4", "seats = 5"),
        (
            "board: pi-4-seats does not have the spots of rws-multilink-stud with 5 seats"
            " (jackpot at each); choose pi-5-seats"
        ),
    ),
    "a board with too many seats": (
        changed("pi-4-seats", "pi-7-seats"),
        (
            "board: pi-7-seats does not have the spots of rws-multilink-stud with 4 seats"
            " (jackpot at each); choose pi-4-seats"
        ),
    ),
    "a board with one spot a seat for a game with two": (
        changed("rws-multilink-stud", "mbs-singapore-stud"),
        (
            "board: pi-4-seats does not have the spots of mbs-singapore-stud with 4 seats"
            " (jackpot and jackpot_dealer at each); choose pi-4-seats-two-spots"
        ),
    ),
    "more spots than the header has lines for": (
        changed("rws-multilink-stud", "mbs-singapore-stud").replace("seats = 4", "seats = 7"),
        (
            "board: pi-4-seats does not have the spots of mbs-singapore-stud with 7 seats"
            " (jackpot and jackpot_dealer at each); choose spot-board-7-seats-two-spots"
        ),
    ),
    "a port for a spot board that is not there": (
        GOOD + '[serial]\nspots = "/dev/underfelt/spots"\n',
        (
            "serial.spots: no spot of the board has an input;"
            " remove it, or give the spots input and output"
        ),
    ),
    "a spot board at the port of another device": (
        changed("pi-4-seats", "spot-board-7-seats-two-spots")
        .replace("rws-multilink-stud", "mbs-singapore-stud")
        .replace("seats = 4", "seats = 7")
        + '[serial]\nspots = "/dev/underfelt/panel"\n',
        (
            "serial.spots: /dev/underfelt/panel is also the port of serial.panel;"
            " give each device its own"
        ),
    ),
    "the same serial port written in another way": (
        GOOD + '[serial]\npanel = "/dev//underfelt/x/../cards"\n',
        (
            "serial.panel: /dev//underfelt/x/../cards is also the port of serial.cards;"
            " give each device its own"
        ),
    ),
    "a serial port with a blank behind it": (
        GOOD + '[serial]\npanel = "/dev/underfelt/panel "\n',
        "serial.panel: '/dev/underfelt/panel ' has a blank at an end; remove it",
    ),
    "a serial port that depends on the folder": (
        GOOD + '[serial]\nsign = "dev/underfelt/sign"\n',
        "serial.sign: 'dev/underfelt/sign' is not an absolute path; start it with /",
    ),
    "one serial port for two devices": (
        GOOD + '[serial]\npanel = "/dev/underfelt/cards"\n',
        (
            "serial.panel: /dev/underfelt/cards is also the port of serial.cards;"
            " give each device its own"
        ),
    ),
    "more changes of a sensor than a spot board remembers": (
        changed("pi-4-seats", "spot-board-7-seats-two-spots")
        .replace("rws-multilink-stud", "mbs-singapore-stud")
        .replace("seats = 4", "seats = 7")
        + "[sensors]\nchatter_edges = 501\n",
        "sensors.chatter_edges: a spot board takes 0 to 500, not 501; set a number between",
    ),
    "an unknown protocol": (
        GOOD + '[serial]\ncard_protocol = "morse"\n',
        "serial.card_protocol: must be one of angel-eye, line, not 'morse'",
    ),
    "a shuffler that is to talk like a shoe": (
        changed("seats = 4", 'seats = 4\ncard_source = "shuffler"')
        + '[serial]\ncard_protocol = "angel-eye"\n',
        (
            "serial.card_protocol: only a shoe speaks angel-eye,"
            " but table.card_source is shuffler; use line"
        ),
    ),
    "a port of the link that is none": (
        changed("[link]\n", "[link]\nport = 0\n"),
        "link.port: must be a whole number from 1 to 65535, not 0",
    ),
    "a patience of nothing": (
        changed("[link]\n", "[link]\nstale_s = 0\n"),
        "link.stale_s: must be a number above 0 and up to 3600, not 0",
    ),
    "a meter that may not rise": (
        changed("[link]\n", "[link]\nmost_meter_rise_cents_per_s = 0\n"),
        "link.most_meter_rise_cents_per_s: must be a whole number from 1 to 100000000, not 0",
    ),
    "an empty host": (
        changed('"jackpot.example"', '""'),
        "link.host: must be some text in quotation marks, not ''",
    ),
    "a root with a wildcard": (
        changed("[link]\n", '[link]\nroot = "#"\n'),
        (
            "link.root: must be a topic such as underfelt or casino/underfelt:"
            " letters, digits, - and _ between /"
        ),
    ),
    "a staff that is no list": (
        GOOD + '[staff]\nnumber = "1"\n',
        "staff: must be a list, each entry a section with number, name, role, pin, not a section",
    ),
    "a staff number twice": (
        GOOD + swapped(STAFF, "2001", "1001"),
        "staff.number (entry 2): 1001 is already the number of 'A. Tan'; give each their own",
    ),
    "a staff number that is none": (
        GOOD + swapped(STAFF, "2001", "B2"),
        "staff.number (entry 2): must be the staff number, 1 to 8 digits in quotation marks",
    ),
    "a staff name that is empty": (
        GOOD + swapped(STAFF, "B. Lim", ""),
        "staff.name (entry 2): must be a name of 1 to 64 characters",
    ),
    "a role that nobody has": (
        GOOD + swapped(STAFF, '"pit_supervisor"', '"boss"'),
        (
            "staff.role (entry 2): must be one of dealer, pit_supervisor, shift_manager, technician,"
            " not 'boss'"
        ),
    ),
    "a PIN as it is typed": (
        GOOD + STAFF.replace(HASHED, "2468", 1),
        "staff.pin (entry 1): must be a hashed PIN, as 'underfelt staff hash-pin' prints it",
    ),
    "a supervisor's PIN of four digits": (
        GOOD + STAFF.replace(HASHED, hash_pin("2468", bytes(16))),
        (
            "staff.pin (entry 2): a pit supervisor's PIN has at least 6 digits;"
            " make a new one with 'underfelt staff entry 2001 NAME pit_supervisor'"
        ),
    ),
    "a PIN missing": (
        GOOD + STAFF.replace(f'pin = "{HASHED}"\n', "", 1),
        (
            "staff.pin (entry 1): is missing;"
            " add a hashed PIN, as 'underfelt staff hash-pin' prints it"
        ),
    ),
}
BOARD_MISTAKES: dict[str, tuple[str, str]] = {
    "no TOML": (
        rewired("seat = 1\n", "seat = \n"),
        "is not TOML: Invalid value (at line 13, column 8); correct the file there",
    ),
    "an unknown key": (
        rewired("lamp = 17", "lamp = 17\nlamps = 1"),
        "spots.lamps (entry 2): is not a known key; did you mean lamp?",
    ),
    "a pin missing": (
        rewired("lamp = 17\n", ""),
        "spots.lamp (entry 2): is missing beside sensor; add the GPIO of the lamp",
    ),
    "a sensor missing": (
        rewired("sensor = 5\n", ""),
        "spots.sensor (entry 2): is missing beside lamp; add the GPIO of the sensor",
    ),
    "an output missing": (
        rewired("sensor = 5\nlamp = 17\n", "input = 1\n"),
        "spots.output (entry 2): is missing beside input; add the spot board's output, 1 to 14",
    ),
    "an input missing": (
        rewired("sensor = 5\nlamp = 17\n", "output = 1\n"),
        "spots.input (entry 2): is missing beside output; add the spot board's input, 1 to 14",
    ),
    "a spot that is wired to nothing": (
        rewired("sensor = 5\nlamp = 17\n", ""),
        (
            "spots (entry 2): is wired to nothing;"
            " add sensor and lamp, or input and output of the spot board"
        ),
    ),
    "a spot on pins and on the spot board": (
        rewired("lamp = 17\n", "lamp = 17\ninput = 1\noutput = 1\n"),
        (
            "spots (entry 2): has sensor and input;"
            " give it the two pins, or input and output of the spot board"
        ),
    ),
    "a sensor on a pin and its lamp on the spot board": (
        rewired("lamp = 17\n", "output = 1\n"),
        (
            "spots (entry 2): has sensor and output;"
            " give it the two pins, or input and output of the spot board"
        ),
    ),
    "an input beyond the spot board": (
        rewired("sensor = 5\nlamp = 17\n", "input = 15\noutput = 1\n"),
        "spots.input (entry 2): the spot board has no input 15; use 1 to 14",
    ),
    "an output below the first": (
        rewired("sensor = 5\nlamp = 17\n", "input = 1\noutput = 0\n"),
        "spots.output (entry 2): the spot board has no output 0; use 1 to 14",
    ),
    "an input for two spots": (
        rewired("sensor = 5\nlamp = 17\n", "input = 3\noutput = 1\n").replace(
            "sensor = 6\nlamp = 18\n", "input = 3\noutput = 2\n"
        ),
        (
            "spots.input (entry 3): input 3 is already used by spots.input (entry 2);"
            " give it one of its own"
        ),
    ),
    "an output for two spots": (
        rewired("sensor = 5\nlamp = 17\n", "input = 3\noutput = 1\n").replace(
            "sensor = 6\nlamp = 18\n", "input = 4\noutput = 1\n"
        ),
        (
            "spots.output (entry 3): output 1 is already used by spots.output (entry 2);"
            " give it one of its own"
        ),
    ),
    "a pin by its name": (
        rewired("lamp = 17", 'lamp = "GPIO17"'),
        "spots.lamp (entry 2): must be a whole number, not text ('GPIO17')",
    ),
    "a pin beyond the header": (
        rewired("lamp = 19", "lamp = 28"),
        "spots.lamp (entry 4): the header has no GPIO28; use GPIO4 to GPIO27",
    ),
    "a pin below zero": (
        rewired("cover = 13", "cover = -1"),
        "pins.cover: the header has no GPIO-1; use GPIO4 to GPIO27",
    ),
    "a pin of the add-on boards": (
        rewired("cover = 13", "cover = 1"),
        "pins.cover: GPIO1 is reserved for identifying add-on boards; use GPIO4 to GPIO27",
    ),
    "a sensor on a pin of the clock": (
        rewired("sensor = 4", "sensor = 3"),
        (
            "spots.sensor (entry 1): GPIO3 is the real-time clock's clock line, and pulled up;"
            " use GPIO4 to GPIO27"
        ),
    ),
    "a lamp on a pin of the clock": (
        rewired("lamp = 16", "lamp = 2"),
        (
            "spots.lamp (entry 1): GPIO2 is the real-time clock's data line, and pulled up;"
            " use GPIO4 to GPIO27"
        ),
    ),
    "a pin for two sensors": (
        rewired("sensor = 5", "sensor = 4"),
        (
            "spots.sensor (entry 2): GPIO4 is already used by spots.sensor (entry 1);"
            " give it a pin of its own"
        ),
    ),
    "a pin for sensor and lamp of one spot": (
        rewired("lamp = 19", "lamp = 7"),
        (
            "spots.lamp (entry 4): GPIO7 is already used by spots.sensor (entry 4);"
            " give it a pin of its own"
        ),
    ),
    "a pin for a spot and the cover switch": (
        rewired("cover = 13", "cover = 16"),
        "pins.cover: GPIO16 is already used by spots.lamp (entry 1); give it a pin of its own",
    ),
    "a spot twice": (
        rewired("seat = 4\n", "seat = 3\n"),
        "spots (entry 4): seat 3 has its jackpot spot in entry 3; remove one",
    ),
    "a seat beyond the layout": (
        rewired("seat = 4\n", "seat = 8\n"),
        "spots.seat (entry 4): must be a whole number from 1 to 7, not 8",
    ),
}
