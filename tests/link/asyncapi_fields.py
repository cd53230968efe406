"""What the AsyncAPI file says of each field: units, closed lists of values, sizes.

A field's own words are those below its name in the message types; here are those that have none
there, and what a schema can say of a field beyond its type.
"""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, get_args

from firmware.protocol import messages, obligations
from firmware.rules import contract
from firmware.rules.games import GAMES
from firmware.table.state import Phase

_WHOLE = 2**53
_TABLE = {
    "description": "The table's name, as in the topic (par. 1.9).",
    "pattern": "^[A-Za-z0-9_-]{1,32}$",
}
_JOURNAL = {
    "description": "The table's journal, which names its unit (par. 7.1).",
    "pattern": "^[A-Za-z0-9_-]{1,64}$",
}
_ID_FORM = {
    "pattern": r"^[A-Za-z0-9_-]{1,32}\.[A-Za-z0-9_-]{1,64}\.[0-9]{1,18}\.[0-9]{1,9}$",
    "maxLength": 128,
}
_ID = {"description": "The id of this message (par. 3.1).", **_ID_FORM}
_SEAT = {"description": "The seat, from the dealer's left.", "minimum": 1, "maximum": 7}
_ROUND = {
    "description": "The round, counted by the table's journal.",
    "minimum": 0,
    "maximum": _WHOLE,
}
_CENTS = {"minimum": 0, "maximum": contract.MAX_CENTS}
_SEQUENCE = {"description": "Rises with every change (par. 3.5).", "minimum": 0, "maximum": _WHOLE}
_BOOKS = {"description": "The name of the controller's books (par. 3.4).", "maxLength": 64}
_GAME = {"description": "The game of the link.", "enum": ["", *GAMES]}
_TIERS = sorted({tier for game in GAMES.values() for tier in game.tiers})
_BETS = sorted({bet for game in GAMES.values() for bet in game.jackpot_bets})
_TIER = {"description": "The hand, or the draw, that wins.", "enum": _TIERS}
_REASON = {"description": "Why, in words for a person; 200 characters are shown (par. 1.8)."}
_AT = {"description": "When the message was made, in milliseconds UTC (par. 2.6)."}

FIELDS: Mapping[str, Mapping[str, Any]] = {
    "message": {"description": "The kind of message."},
    "id": _ID,
    "table": _TABLE,
    "journal": _JOURNAL,
    "at_ms": _AT,
    "round": _ROUND,
    "seat": _SEAT,
    "bet": {"description": "The jackpot bet, by the name of its spot.", "enum": _BETS},
    "tier": _TIER,
    "game": _GAME,
    "books": _BOOKS,
    "sequence": _SEQUENCE,
    "reason": _REASON,
    "stake_cents": {"description": "The whole stake, in cents (par. 4.5).", **_CENTS},
    "reset_cents": {"description": "What the meter starts from after 100 percent, in cents."},
    "dealt_at_ms": {
        "description": "When the hand was complete, in milliseconds UTC; in a status, when the first "
        "hand of the round was, until the round is paid or void (par. 6.2)."
    },
    "Acknowledgement.id": {"description": "The id of what is acknowledged.", **_ID_FORM},
    "AwardMessage.id": {"description": "The id of the win (par. 5.3).", **_ID_FORM},
    "AwardMessage.amount_cents": {"description": "What the player is paid, in cents (par. 5.3)."},
    "AwardMessage.meter_cents": {
        "description": "The meter before this was paid from it, and before those who share were, in "
        "cents; null for a fixed amount (par. 5.10)."
    },
    "AwardMessage.winners": {
        "description": "How many claims of the same table, round and tier share, this one included"
        " (par. 5.10)."
    },
    "locked_cents": {
        "description": "The meter that the pending majors hold, less what was awarded from it since, "
        "in cents; null where nothing is pending (par. 5.11)."
    },
    "percent": {
        "description": "The share of the meter that is claimed; null for a fixed amount (par. 5.11)."
    },
    "boot": {
        "description": "The start of the unit that this is from, or meant for (par. 7.4, 7.6)."
    },
    "connection": {
        "description": "The connection of this start on which this is said (par. 7.4, 7.10)."
    },
    "went_on": {
        "description": "The `through` of the last order in the journal; 0 if there is none (par. 7.5, "
        "7.11)."
    },
    "head": {"description": "The end of the table's journal, signed (par. 7.5)."},
    "proof": {"description": "What `head_asked` has asked for; null if nothing was (par. 7.8)."},
    "nonce": {
        "description": "Made at random by the controller for one question; its answer repeats it, and "
        "is signed with it (par. 7.12).",
        "pattern": "^[A-Za-z0-9_-]{0,64}$",
    },
    "Proof.signature": {
        "description": "The signature of this answer, in hexadecimal (par. 7.8, 7.12)."
    },
    "waits": {"description": "Whether the table waits for `unit_accepted` (par. 7.6)."},
    "key": {"description": "The table's public key (Ed25519), in hexadecimal (par. 7.5)."},
    "signature": {"description": "The signature of the head, in hexadecimal (par. 7.5)."},
    "record": {"description": "The number of a journal record (par. 7.5, 7.8)."},
    "chain": {"description": "The SHA-256 chain at a record, in hexadecimal (par. 7.5, 7.8)."},
    "goes_on": {
        "description": "What the books have from a journal that lacks records, if the house lets it "
        "go on from there (par. 7.11)."
    },
    "GoesOn.round": {"description": "The last round that the books know of this journal."},
    "GoesOn.contributions": {"description": "How many contributions the books have, net."},
    "GoesOn.contributed_cents": {"description": "What the books have of them, in cents, net."},
    "also_withdraws": {
        "description": "The other wins that are withdrawn with this one (par. 5.9).",
        "items": _ID_FORM,
    },
    "Rejection.id": {"description": "The id of what is rejected.", **_ID_FORM},
    "PendingClaim.id": {"description": "The id of the win.", **_ID_FORM},
    "PendingMessage.claims": {"description": "All of them, the first entered first (par. 5.6)."},
    "MeterMessage.meter_cents": {"description": "The meter as displayed, in cents (par. 4.5)."},
    "ControllerStatus.online": {"description": "Whether it serves (par. 2.1)."},
    "TableStatus.online": {"description": "Whether the table is on the link (par. 1.4)."},
    "TableStatus.phase": {
        "description": "What the table is doing.",
        "enum": ["", *get_args(Phase)],
    },
    "TableStatus.contributions": {
        "description": "How many contributions this journal has made, less those reversed"
        " (par. 4.7)."
    },
    "TableStatus.contributed_cents": {
        "description": "Their whole stakes, in cents, less those reversed (par. 4.7)."
    },
    "TableStatus.seen_pending": {
        "description": "The ids of the pending claims that the table has heard of (par. 6.6)."
    },
    "TableStatus.version": {"description": "The version of the table's software."},
    "Mismatch.contributions": {"description": "How many the controller has (par. 4.7)."},
    "Mismatch.contributed_cents": {
        "description": "The whole stakes that the controller has, in cents."
    },
    "Reversal.stake_cents": {"description": "The stake that is taken back, in cents.", **_CENTS},
    "Reversal.contribution": {**_ID_FORM},
    "Win.claim": {"description": "What is claimed (par. 5.1)."},
    "Win.clock": {"description": "Whether the table's clock was synchronised (par. 2.6)."},
    "Win.final": {"description": "Whether it needs no verdict (par. 5.2)."},
    "Claim.on": {"description": "Whose hand it is."},
    "Claim.level": {"description": "Whether it holds the meter: a major does (par. 5.6)."},
    "Claim.percent": {
        "description": "Whole percent of the meter; null for a fixed amount (par. 5.1)."
    },
    "Claim.amount": {"description": "A fixed amount in cents; null for a percentage (par. 5.1)."},
    "Verdict.win": {**_ID_FORM},
    "Verdict.confirmed": {"description": "False withdraws the claim (par. 5.7, 5.9)."},
    "Verdict.paid_cents": {
        "description": "What the table has paid by itself, in cents; null if it has not (par. 5.8)."
    },
    "RoundReport.stage": {"description": "How far the round has got (par. 4.9)."},
    "FaultReport.code": {"description": "The fault's code; more of them may come."},
    "FaultReport.where": {"description": "The seat or device, in words; may be empty."},
    "FaultReport.text": {"description": "The fault, its place and its remedy, in words."},
    "FaultReport.cleared": {"description": "Whether this is the end of the fault."},
    "FaultReport.by": {"description": "The staff number of who cleared it; empty: by itself."},
}
"""By field, or by type and field where a field's name means different things."""


def described(schemas: dict[str, Any]) -> dict[str, Any]:
    """Add to each schema what is said of its fields."""
    own = dict(_own_words())
    for kind, schema in schemas.items():
        schema["description"] = _for_a_vendor(schema.get("description", ""))
        for field, about in schema.get("properties", {}).items():
            words = own.get(f"{kind}.{field}")
            about.update({"description": words} if words else {})
            about.update(FIELDS.get(f"{kind}.{field}") or FIELDS.get(field, {}))
    return schemas


def _for_a_vendor(text: str) -> str:
    """Leave out the numbers of our own decisions, which mean nothing to others."""
    return re.sub(r" \(I-[0-9, I-]+\)", "", inspect.cleandoc(text))


def _own_words() -> Iterator[tuple[str, str]]:
    """Yield the words below the fields of the message types."""
    for module in (messages, obligations, contract):
        for kind in _classes(module):
            for field, text in zip(kind.body, kind.body[1:], strict=False):
                match field, text:
                    case (
                        ast.AnnAssign(target=ast.Name(name)),
                        ast.Expr(value=ast.Constant(value=str(words))),
                    ):
                        yield f"{kind.name}.{name}", _for_a_vendor(words)


def _classes(module: ModuleType) -> Iterator[ast.ClassDef]:
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            yield node
