"""UF2, the form in which a Pico takes a program by BOOTSEL: 256 bytes a block, each with its address."""

import struct

BLOCK = 512
PAYLOAD = 256
FLASH_AT = 0x10000000
RP2040 = 0xE48BFF56
_MAGIC = (0x0A324655, 0x9E5D5157)
_END = 0x0AB16F30
_HAS_FAMILY = 0x2000
_HEAD = struct.Struct("<8I")


def encode(program: bytes) -> bytes:
    """Write a program that begins where the flash begins."""
    blocks = []
    count = -(-len(program) // PAYLOAD)
    for number in range(count):
        part = program[number * PAYLOAD :][:PAYLOAD].ljust(PAYLOAD, b"\x00")
        at = FLASH_AT + number * PAYLOAD
        head = _HEAD.pack(*_MAGIC, _HAS_FAMILY, at, PAYLOAD, number, count, RP2040)
        blocks.append((head + part).ljust(BLOCK - 4, b"\x00") + struct.pack("<I", _END))
    return b"".join(blocks)


def decode(data: bytes) -> bytes:
    """Read the program of a file; a ValueError if it is not one for this chip."""
    program = bytearray()
    for start in range(0, len(data), BLOCK):
        block = data[start : start + BLOCK]
        if len(block) != BLOCK:
            raise ValueError("it ends in the middle of a block")
        *magic, _, at, size, _, _, family = _HEAD.unpack(block[: _HEAD.size])
        if (*magic,) != _MAGIC or family != RP2040 or at != FLASH_AT + len(program):
            raise ValueError(
                f"block {start // BLOCK} is not the next one of a program for the RP2040"
            )
        program += block[_HEAD.size :][:size]
    return bytes(program)
