"""The two ends of the emulated USB cable: the chip's controller, and a quiet host.

The emulator's own host answers every read at once, with nothing if it has nothing, so the chip never rests
and its time is not that of a chip; and it takes what the chip writes before anybody has read it. Here the
host speaks only when it has something to say, takes only what is read, and the cable can be pulled.
What is said is no business of this file.
"""

from collections import deque
from collections.abc import Callable, Sequence

from rp2040py.peripherals.usb import RPUSBController
from rp2040py.rp2040 import RP2040
from rp2040py.usb.cdc import (
    extract_control_interface_number,
    extract_endpoint_numbers,
)
from rp2040py.usb.interfaces import (
    DataDirection,
    DescriptorType,
    ISetupPacketParams,
    SetupRecipient,
    SetupType,
)
from rp2040py.usb.setup import (
    create_setup_packet,
    get_descriptor_packet,
    set_device_address_packet,
    set_device_configuration_packet,
)

PACKET_NS = 60_000
"""What a packet of 64 bytes takes at full speed, with what the host does around it."""
FRAME_NS = 1_000_000
SUSPENDED_NS = 3_000_000
"""A bus that is silent for so long is suspended."""
DTR_AND_RTS = 3
_SET_CONTROL_LINE_STATE = 0x22
_LONGEST_DESCRIPTOR = 255
_IN_BUFFERS = range(0x80, 0x100, 8)
_AVAILABLE = 1 << 10
_FULL = 1 << 15
_LENGTH = 0x3FF
_SECOND = 16
_SECOND_OFFSET = 64
_SIE_STATUS = 0x50
_SOF_READ = 0x48
_INTERRUPT_ENABLE = 0x90
_SUSPENDED = 1 << 4
_SOF_INTERRUPT = 1 << 17


class Controller(RPUSBController):
    """The chip's USB controller, whose packets wait until the host takes them."""

    def __init__(self, chip: RP2040) -> None:
        super().__init__(chip, "USB")
        self.on_packet: Callable[[int], None] = _nobody
        """Called with the endpoint when a packet for the host is there."""
        self.has_bus = False
        """Whether somebody is at the other end of the cable, and keeps the bus alive."""
        self._waiting: dict[int, bytes] = {}
        self._frame = self.rp2040.clock.create_alarm(self._next_frame)
        self._counting = False

    def dpram_updated(self, offset: int, value: int) -> None:
        """Keep a packet for the host until it is taken; what the chip reads is as it was."""
        if offset not in _IN_BUFFERS or not value & (_AVAILABLE | _AVAILABLE << _SECOND):
            super().dpram_updated(offset, value)
            return
        memory, endpoint = self.rp2040.usb_dpram, (offset - _IN_BUFFERS.start) >> 3
        start = self._get_endpoint_buffer_offset(endpoint, out=False)
        packet = b""
        for shift, beside in ((0, 0), (_SECOND, _SECOND_OFFSET)):
            half = value >> shift
            if half & _AVAILABLE:
                packet += bytes(memory[start + beside : start + beside + (half & _LENGTH)])
        rest = value & ~(_AVAILABLE | _FULL | (_AVAILABLE | _FULL) << _SECOND)
        memory[offset : offset + 4] = rest.to_bytes(4, "little")
        self._waiting[endpoint] = packet
        self.on_packet(endpoint)

    def take(self, endpoint: int) -> bytes | None:
        """Take the packet that waits, as a host does that polls; None if there is none."""
        packet = self._waiting.pop(endpoint, None)
        if packet is not None:
            self._indicate_buffer_ready(endpoint, out=False)
        return packet

    def suspend(self) -> None:
        """Let the chip see that the bus is silent."""
        self._sie_status |= _SUSPENDED
        self._sie_status_updated()

    def reset_bus(self) -> None:
        """Reset the bus, as a host does that finds a device; the packets of before are gone."""
        self._waiting.clear()
        self._sie_status &= ~_SUSPENDED
        self.reset_device()

    def reset(self) -> None:
        """Reset the controller with the chip."""
        self._waiting.clear()
        self._frame.cancel()
        self._counting = False
        super().reset()

    def read_uint32(self, offset: int) -> int:
        """Read a register; reading the number of the frame takes back its interrupt."""
        value = super().read_uint32(offset)
        if offset == _SOF_READ:
            self._int_raw &= ~_SOF_INTERRUPT
            self.check_interrupts()
        return value

    def write_uint32(self, offset: int, value: int) -> None:
        """Write a register; the emulator knows neither suspension nor the beginnings of frames."""
        if offset == _SIE_STATUS:
            self._sie_status &= ~(self.raw_write_value & _SUSPENDED)
        super().write_uint32(offset, value)
        if offset == _INTERRUPT_ENABLE and value & _SOF_INTERRUPT and not self._counting:
            self._counting = True
            self._frame.schedule(FRAME_NS)

    def _next_frame(self) -> None:
        self._counting = bool(self._int_enable & _SOF_INTERRUPT)
        if not self._counting:
            return
        if self.has_bus:
            self._sof_frame_number = (self._sof_frame_number + 1) & 0x7FF
            self._int_raw |= _SOF_INTERRUPT
            self.check_interrupts()
        self._frame.schedule(FRAME_NS)


class QuietHost:
    """The table's end of the cable: finds the board, opens its port, and then speaks when spoken through."""

    def __init__(self, controller: Controller, hear: Callable[[bytes], None]) -> None:
        self._usb = controller
        self._hear = hear
        clock = controller.rp2040.clock
        self._delay = clock.create_alarm(self._take_all)
        self._silence = clock.create_alarm(self._usb.suspend)
        self._taking = False
        self._ready: deque[int] = deque()
        self._descriptor = b""
        self._endpoints: tuple[int, int] | None = None
        self._steps: deque[Callable[[], None]] = deque()
        self._queue = b""
        self._armed = 0
        self.plugged = False
        self.open = False
        """Whether the board was found and its port is open."""
        self.reading = True
        """Whether what the board writes is taken from it."""
        controller.on_packet = self._packet
        controller.on_usb_enabled = self._enabled
        controller.on_reset_received = self._after_reset
        controller.on_endpoint_read = self._wanted
        controller.on_reset = self._forget

    def plug(self) -> None:
        """Put the cable in."""
        self.plugged = self._usb.has_bus = True
        self._silence.cancel()
        self._usb.reset_bus()

    def unplug(self) -> None:
        """Pull the cable; the board has power from elsewhere, or `Chip.power_off` takes it."""
        self.plugged = self._usb.has_bus = False
        self._forget()
        self._silence.schedule(SUSPENDED_NS)

    def write(self, data: bytes) -> None:
        """Send bytes to the board, as it takes them; with the cable out they are lost."""
        if self.open:
            self._queue += data
            self._send()

    @property
    def unsent_bytes(self) -> int:
        """How many bytes the board has not taken yet."""
        return len(self._queue)

    def read_on(self) -> None:
        """Read again, after a time of not reading."""
        self.reading = True
        self._take_later()

    def _forget(self) -> None:
        self.open = False
        self._descriptor, self._queue, self._armed = b"", b"", 0
        self._endpoints = None
        self._ready.clear()
        self._steps.clear()

    def _enabled(self) -> None:
        if self.plugged:
            self._usb.reset_bus()

    def _after_reset(self) -> None:
        """Find the board: number it, read what it is, configure it, open its port."""
        self._forget()
        if not self.plugged:
            return
        self._steps.extend((self._ask_what_it_is, self._configure, self._open_port, self._opened))
        self._usb.send_setup_packet(set_device_address_packet(1))

    def _ask_what_it_is(self) -> None:
        kind = DescriptorType.CONFIGRATION
        self._usb.send_setup_packet(get_descriptor_packet(kind, _LONGEST_DESCRIPTOR))

    def _configure(self) -> None:
        found = extract_endpoint_numbers(list(self._descriptor))
        self._endpoints = found.in_endpoint, found.out_endpoint
        self._usb.send_setup_packet(set_device_configuration_packet(1))

    def _open_port(self) -> None:
        request = ISetupPacketParams(
            data_direction=DataDirection.HOST_TO_DEVICE,
            type=SetupType.CLASS,
            recipient=SetupRecipient.INTERFACE,
            b_request=_SET_CONTROL_LINE_STATE,
            w_value=DTR_AND_RTS,
            w_index=extract_control_interface_number(list(self._descriptor)),
            w_length=0,
        )
        self._usb.send_setup_packet(create_setup_packet(request))

    def _opened(self) -> None:
        self.open = True

    def _packet(self, endpoint: int) -> None:
        if self.plugged:
            self._ready.append(endpoint)
            self._take_later()

    def _take_later(self) -> None:
        if not self._taking:
            self._taking = True
            self._delay.schedule(PACKET_NS)

    def _take_all(self) -> None:
        """Take what waits, unless it is the port's and nobody reads."""
        self._taking = False
        endpoints: Sequence[int] = tuple(self._ready)
        self._ready.clear()
        for endpoint in endpoints:
            if endpoint != 0 and not self.reading:
                self._ready.append(endpoint)
                continue
            packet = self._usb.take(endpoint)
            if packet is not None:
                self._taken(endpoint, packet)

    def _taken(self, endpoint: int, packet: bytes) -> None:
        if self._endpoints is not None and endpoint == self._endpoints[0]:
            self._hear(packet)
        if endpoint != 0:
            return
        if packet:
            self._descriptor += packet
            if len(self._descriptor) < int.from_bytes(self._descriptor[2:4], "little"):
                return
        if self._steps:
            self._steps.popleft()()

    def _wanted(self, endpoint: int, size: int) -> None:
        """Note that the board can take so many bytes; it gets them when there are some."""
        if self._endpoints is not None and endpoint == self._endpoints[1]:
            self._armed = size
            self._send()

    def _send(self) -> None:
        if self._armed and self._queue and self._endpoints is not None:
            packet, self._queue = self._queue[: self._armed], self._queue[self._armed :]
            self._armed = 0
            self._usb.endpoint_read_done(self._endpoints[1], packet, PACKET_NS // 1000)


def _nobody(endpoint: int) -> None:
    """Take nothing."""
