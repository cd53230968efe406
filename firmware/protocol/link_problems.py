"""Why the jackpot link is down, by code: each with what a technician checks first.

The code is for tools; the words that go with it are for people and name the broker.
Problems are found in `link/problems.py` and `link/health.py`.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

LinkProblemCode = Literal[
    "starting",
    "no_answer",
    "name_unknown",
    "table_certificate",
    "broker_certificate",
    "tls",
    "broken_off",
    "refused",
    "not_allowed",
    "lost",
    "settings",
    "controller_silent",
    "controller_offline",
    "other_game",
    "not_acknowledged",
    "not_accepted",
    "several_controllers",
]


class LinkProblem(Struct, frozen=True):
    """What is wrong with the link, for tools and for people."""

    code: LinkProblemCode
    words: str


LINK_REMEDIES: Mapping[LinkProblemCode, str] = {
    "starting": "wait a moment; the table has just started",
    "no_answer": "check the network cable, then the broker's host and port under [link]",
    "name_unknown": "correct the name under [link] in the table file, or the name server",
    "table_certificate": (
        "issue a new one and put it with its key at {certificate}: it is read at the next connection"
    ),
    "broker_certificate": "renew the broker's certificate, or correct `ca`",
    "tls": "compare the TLS settings of the broker with [link] in the table file",
    "broken_off": "check the port, and whether the broker expects TLS on it",
    "refused": "check the broker's list of clients, and `protocol` under [link]",
    "not_allowed": "correct the broker's access list for this table's name",
    "lost": "check the network, the broker and [link] in the table file",
    "settings": "correct the key under [link] in the table file",
    "controller_silent": "start the jackpot controller, or find out why it is silent",
    "controller_offline": "start the jackpot controller, or find out why it is cut off",
    "other_game": "correct the game or the broker in the table file",
    "not_acknowledged": "find out why the jackpot controller does not take messages",
    "not_accepted": "see what the jackpot controller says about this unit in its books",
    "several_controllers": "find the second jackpot controller: turn it off, or give it another root",
}
"""What to check first; `{certificate}` is the path of the table's own certificate."""
