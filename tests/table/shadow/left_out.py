"""What the dealer of the shadow does not do, because the table does not yet follow the letter there.

Each entry has its paragraph. Taking one out makes the search go there; it should then find nothing.
"""

LEFT_OUT: dict[str, str] = {
    "play on with a wrong hand": "mbs-singapore-stud is silent; the table then goes on by hand",
}


def goes(where: str) -> bool:
    """Say whether the dealer goes there."""
    return where not in LEFT_OUT
