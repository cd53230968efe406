"""Checks an image before it is written: a UF2 for the Pico's chip, whole, in order, and no larger than its flash.

The boot ROM takes what it is given, and a file that is cut off or is for another chip leaves a board that
does not start; it would have to be brought to BOOTSEL again.
"""

import struct

BLOCK_BYTES = 512
FLASH_AT = 0x1000_0000
FLASH_BYTES = 2 * 1024 * 1024
RP2040 = 0xE48B_FF56
_HEAD = struct.Struct("<8I")
_STARTS = (0x0A32_4655, 0x9E5D_5157)
_END = struct.pack("<I", 0x0AB1_6F30)
_HAS_FAMILY = 0x2000
_PAYLOAD_BYTES = 256


def what_is_wrong(data: bytes) -> str:
    """Return what is wrong with an image, in words; nothing if it can be written."""
    if data[:4] != struct.pack("<I", _STARTS[0]):
        return "it is no UF2 file"
    if len(data) % BLOCK_BYTES:
        return "it is cut off in the middle of a block"
    count = len(data) // BLOCK_BYTES
    if count * _PAYLOAD_BYTES > FLASH_BYTES:
        return f"it is larger than the flash of a Pico, which has {FLASH_BYTES // 1024} KB"
    wrong = (
        _wrong_block(data[at : at + BLOCK_BYTES], at // BLOCK_BYTES, count)
        for at in range(0, len(data), BLOCK_BYTES)
    )
    return next(filter(None, wrong), "")


def _wrong_block(block: bytes, number: int, count: int) -> str:
    *starts, flags, at, size, its_number, its_count, family = _HEAD.unpack(block[: _HEAD.size])
    if tuple(starts) != _STARTS or block[-4:] != _END:
        return f"block {number} is damaged"
    if not flags & _HAS_FAMILY or family != RP2040:
        return f"block {number} is not for the RP2040, the chip of a Raspberry Pi Pico"
    if its_number != number or its_count != count:
        return f"block {number} says that it is {its_number} of {its_count}, but there are {count}"
    if at != FLASH_AT + number * _PAYLOAD_BYTES or size != _PAYLOAD_BYTES:
        return f"block {number} is not where the one before it ends"
    return ""
