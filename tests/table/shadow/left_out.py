"""What the dealer of the shadow does not do, because the table does not yet follow the letter there.

Each entry has its paragraph. Taking one out makes the search go there; it should then find nothing.
"""

LEFT_OUT: dict[str, str] = {
    "absent under the minimum": "mbs-megalink-stud §5.13: a wager that was returned was not settled",
    "taken back after an award": "I-37: a minor, or a major, that the controller has awarded",
    "excess refused before the close": "rws-multilink-stud §5.1: the ruling changes the stake",
    "no hand without an ante": "rws-multilink-stud §5.4, reported before the first card",
    "last card in a ruling": "rws-multilink-stud §4.5: dealt at the moment of the fifth card",
    "play on with a wrong hand": "mbs-singapore-stud is silent; the table then goes on by hand",
    "fault reported without jackpot bets": "I-36",
}


def goes(where: str) -> bool:
    """Say whether the dealer goes there."""
    return where not in LEFT_OUT
