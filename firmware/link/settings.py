"""The settings of the jackpot link: which brokers, under which root, how patient.

They are the section `[link]` of the table file. The files named here are read in `tls.py`;
what the settings do is in the modules that take them.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from firmware.protocol.messages import MOST_CENTS_PER_S

MOST_RISE = 100_000_000
Host = Annotated[str, Meta(min_length=1)]
Port = Annotated[int, Meta(ge=1, le=65_535)]
Root = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*\Z")]
Seconds = Annotated[float, Meta(gt=0, le=3600)]


class BrokerAddress(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a broker listens."""

    host: Host
    port: Port = 1883

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class LinkSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the jackpot controller is, and how long to be patient.

    With `ca` the link speaks TLS; `certificate` and `key` are the table's own.
    """

    host: Host
    port: Port = 1883
    fallback: tuple[BrokerAddress, ...] = ()
    """Brokers to try next, in turn, when one does not answer or has no controller."""
    protocol: Literal["3.1.1", "5"] = "3.1.1"
    root: Root = "underfelt"
    ca: str | None = None
    certificate: str | None = None
    key: str | None = None
    stale_s: Seconds = 6.0
    """Without a heartbeat for this long, the controller is silent (it sends one every 2 s)."""
    overdue_s: Seconds = 5.0
    """Without an acknowledgement for this long, an obligation is sent again."""
    backoff_s: Seconds = 0.2
    backoff_max_s: Seconds = 5.0
    window: Annotated[int, Meta(ge=1, le=1000)] = 32
    """How many obligations may be under way before the first of them is acknowledged."""
    most_meter_rise_cents_per_s: Annotated[int, Meta(ge=1, le=MOST_RISE)] = MOST_CENTS_PER_S
    """What the tables of the link can contribute in a second; a meter that rises faster is doubted."""

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise ValueError("`certificate` and `key` go together")
        if self.certificate is not None and self.ca is None:
            raise ValueError("`certificate` needs `ca`, which the broker is checked against")

    @property
    def brokers(self) -> tuple[BrokerAddress, ...]:
        """All brokers, the preferred one first."""
        return (BrokerAddress(host=self.host, port=self.port), *self.fallback)
