"""Runs the installed `underfelt` command, and the contract's example documents.

The examples are written out here as the contract prints them; a test gives one to
the command and expects the other back. No expectation about an error lives here.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]

UNDERFELT = Path(sys.executable).with_name("underfelt")
PATIENCE_S = 60
_STYLED_BY = ("FORCE_COLOR", "GITHUB_ACTIONS", "PY_COLORS")
PLAIN = {name: value for name, value in os.environ.items() if name not in _STYLED_BY}
"""The environment without what makes a command print colours into a pipe."""

ROUND: Json = {
    "game": "rws-multilink-stud",
    "limits": {"ante_min": 2500, "ante_max": 100000},
    "dealer": ["As", "Kd", "9c", "5h", "2s"],
    "community": [],
    "seats": [
        {
            "seat": 1,
            "cards": ["Qc", "Qd", "8h", "4s", "2c"],
            "bets": {"ante": 2500, "bet": 5000, "jackpot": 500},
            "decision": "bet",
            "revealed": True,
        }
    ],
}
SETTLEMENT: Json = {
    "game": "rws-multilink-stud",
    "dealer": {"category": "five_odd_cards", "qualifies": True},
    "seats": [
        {
            "seat": 1,
            "category": "one_pair",
            "bets": {
                "ante": {"stake": 2500, "outcome": "win", "winnings": 2500, "returned": 2500},
                "bet": {"stake": 5000, "outcome": "win", "winnings": 5000, "returned": 5000},
                "jackpot": {"stake": 500, "outcome": "lose", "winnings": 0, "returned": 0},
            },
            "rules": ["3.14.1", "4.1"],
        }
    ],
    "claims": [],
}

INCIDENT: Json = {
    "game": "rws-holdem",
    "irregularity": "cards_exposed",
    "facts": {"count": 2, "any_player_seen": False},
}
RULING: Json = {"action": "void", "rule": "5.8.2", "bets": "returned"}

CLAIMS: Json = {
    "game": "mbs-megalink-stud",
    "meter": {"value": 100000000, "reset": 20000000},
    "claims": [
        {
            "id": "a",
            "table": "T1",
            "round": 17,
            "seat": 3,
            "tier": "royal_flush",
            "percent": 100,
            "dealt_at": "2026-01-02T03:04:05.678Z",
            "entered_at": "2026-01-02T03:05:00.000Z",
        },
        {
            "id": "b",
            "table": "T1",
            "round": 17,
            "seat": 4,
            "tier": "full_house",
            "amount": 20000,
            "dealt_at": "2026-01-02T03:04:05.678Z",
            "entered_at": "2026-01-02T03:05:10.000Z",
        },
    ],
}
AWARDS: Json = {
    "awards": [
        {
            "id": "b",
            "amount": 20000,
            "meter_before": 100000000,
            "meter_after": 100000000,
            "rule": "3.15.3",
        },
        {
            "id": "a",
            "amount": 100000000,
            "meter_before": 100000000,
            "meter_after": 20000000,
            "rule": "4.2",
        },
    ],
    "meter": {"value": 20000000, "reset": 20000000},
}

EXAMPLES = {
    "settle": (ROUND, SETTLEMENT),
    "ruling": (INCIDENT, RULING),
    "award": (CLAIMS, AWARDS),
}


class Ran(NamedTuple):
    """How a run of the command ended."""

    status: int
    out: str
    err: str


def run(*arguments: str, given: str | bytes = "", **environment: str) -> Ran:
    """Run the command with `given` on its standard input and wait for its end."""
    ended = subprocess.run(
        [UNDERFELT, *arguments],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
        env={**PLAIN, **environment},
    )
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def start(*arguments: str, **streams: Any) -> "subprocess.Popen[bytes]":  # noqa: ANN401  # as Popen has them
    """Start the command with pipes on all three streams, unless `streams` says otherwise."""
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([UNDERFELT, *arguments], env=PLAIN, **(pipes | streams))


def lines(documents: Sequence[object]) -> str:
    """Write documents one a line; one that is text already goes in as it is."""
    texts = (each if isinstance(each, str) else json.dumps(each) for each in documents)
    return "".join(f"{text}\n" for text in texts)
