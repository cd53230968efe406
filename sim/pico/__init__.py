"""The spot board's image, and a chip that runs it: a Raspberry Pi Pico that is built and emulated here.

`image` builds MicroPython with the board's program frozen in, from sources that `sources` fetches, with the
`notices` that go with it. `chip` runs the result on an emulated RP2040 in its own time, with `usb` as the
table's end of the cable, `lamps` behind its pins and `flash` as its memory; `port` is that chip for tools
that open a port. What the image is made of is in `hw/spot_board_image/`. A simulated table has the same program
on a faster interpreter instead (`sim/spot_board/`).
"""
