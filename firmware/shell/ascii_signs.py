"""What stands for suits, lamps and lines where a terminal cannot show them.

An error handler of the codecs, so that it holds for whatever is printed, by whomever
(`command_line.py` sets it). A terminal that can show a sign shows it. What devices are sent is spelt
in `devices/line.py`.
"""

import codecs

HANDLER = "underfelt-ascii-signs"
_CUT_SHORT = "…"
_SIGNS = {
    # Cards are written as they are typed: As Kd.
    **dict(zip("♠♥♦♣", "shdc", strict=True)),
    # Lamps and chips: each its own sign, in the drawing and in its legend.
    **dict(zip("○◔◑●★▲◉·", "o-+*W!@.", strict=True)),
    **dict(zip("–−×→▸▶•", "--x>>>*", strict=True)),
    "§": "par. ",
    "≠": "!=",
    "°": "",
    _CUT_SHORT: "...",
}
_LINES = range(0x2500, 0x2580)
_BLOCKS = range(0x2580, 0x25A0)
_ESCAPE = "\x1b"


def _ascii_signs(error: UnicodeError) -> tuple[str, int]:
    """Replace what cannot be encoded, sign by sign."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    # What moves the cursor is a drawing: its lines must not get longer.
    is_drawing = _ESCAPE in error.object
    signs = error.object[error.start : error.end]
    return "".join(_sign(each, is_drawing=is_drawing) for each in signs), error.end


def _sign(sign: str, *, is_drawing: bool) -> str:
    if is_drawing and sign == _CUT_SHORT:
        return "~"
    if ord(sign) in _LINES:
        return "-" if sign in "─━═╌╍┄┅┈┉╴╶" else "|" if sign in "│┃║╎╏┆┇┊┋╵╷" else "+"
    if ord(sign) in _BLOCKS:
        return "#"
    return _SIGNS.get(sign, "?")


codecs.register_error(HANDLER, _ascii_signs)
