"""Texts for displays: spelt in ASCII, which is all that most of them have."""

_SPELT = str.maketrans(
    {"§": "par. ", "♣": "c", "♦": "d", "♥": "h", "♠": "s", "–": "-", "−": "-", "×": "x", "|": "/"}
)


def display_text(text: str) -> str:
    """Spell a text for a display that has only ASCII, and in which a bar separates lines."""
    return text.translate(_SPELT)
