"""The spot board without the board: its image built, and a chip of ours that runs it.

`image` builds MicroPython with the board's program frozen in, from sources that `sources` fetches;
`chip` runs the result on an emulated RP2040 in its own time, with `usb` as the table's end of the
cable, `lamps` behind its pins and `flash` as its memory. What the image is made of is in `hw/spot_board_image/`.
"""
