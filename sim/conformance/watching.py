"""Everything that a controller publishes while the kit plays, judged as it comes.

What one message shows to be wrong, or two of them together, is a complaint with the paragraph of
the contract that it offends. What needs a question first is in `checks.py` and `claims.py`.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import aiomqtt
import msgspec
from msgspec import Struct

from firmware.protocol.messages import (
    AnyAnswer,
    AwardMessage,
    ControllerStatus,
    Message,
    MeterMessage,
    PendingMessage,
    Topics,
    UnitAccepted,
)

LARGEST_BYTES = 65_536
_M = TypeVar("_M", bound=Message)


class Heard(Struct, frozen=True):
    """One message of the controller, and who heard it."""

    by: str
    message: Message
    at_s: float


class Watch:
    """Keeps what the controller says, in the order in which each table heard it."""

    def __init__(self, topics: Topics) -> None:
        self.topics = topics
        self.heard: list[Heard] = []
        self.complaints: dict[str, set[str]] = {}
        """What was seen to be wrong, by paragraph."""
        self.claimed: set[str] = set()
        """The ids of the wins that were sent."""
        self.ordered: set[str] = set()
        """The starts that the house has let go on."""
        self.withdrawn = 0
        """How many claims were withdrawn, which may change the awards of a round."""
        self._awards: dict[str, tuple[int, int]] = {}
        self._contents: dict[tuple[type[Message], str, int], Message] = {}
        self._judged: dict[type[Message], MeterMessage | PendingMessage] = {}
        """The newest of each kind that the first table has heard."""
        self._news = asyncio.Event()

    def take(self, by: str, received: aiomqtt.Message, *, first: bool) -> Message | None:
        """Take and return what a table has received; only the first one judges what all get."""
        topic, payload = received.topic.value, received.payload
        kind = self._kind(topic)
        if kind is None or not isinstance(payload, bytes):
            return None
        if received.qos != 1:
            self.complain("1.2", f"a message on {topic} came with QoS {received.qos}")
        if len(payload) > LARGEST_BYTES:
            self.complain("1.8", f"a message on {topic} has {len(payload)} bytes")
        try:
            message: Message = msgspec.json.decode(payload, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.complain("1.8", f"a message on {topic} is not one of the contract's: {error}")
            return None
        if first or isinstance(message, AwardMessage | UnitAccepted):
            self._judge(message)
        self.heard.append(Heard(by, message, asyncio.get_running_loop().time()))
        self._news.set()
        return message

    def complain(self, paragraph: str, words: str) -> None:
        """Note something wrong; the same is noted once."""
        self.complaints.setdefault(paragraph, set()).add(words)

    def newest(self, kind: type[_M]) -> _M | None:
        """Return the newest message of a kind."""
        of_kind = (each.message for each in reversed(self.heard))
        return next((each for each in of_kind if isinstance(each, kind)), None)

    async def until(self, wanted: Callable[[], bool], within_s: float) -> bool:
        """Wait until something is true of what was heard, and return whether it became so."""
        give_up_s = asyncio.get_running_loop().time() + within_s
        while not wanted():
            self._news.clear()
            try:
                async with asyncio.timeout_at(give_up_s):
                    await self._news.wait()
            except TimeoutError:
                return wanted()
        return True

    def _kind(self, topic: str) -> type[Message] | None:
        fixed: dict[str, type[Message]] = {
            self.topics.controller: ControllerStatus,
            self.topics.meter: MeterMessage,
            self.topics.pending: PendingMessage,
        }
        if topic.startswith(f"{self.topics.root}/table/") and topic.endswith("/answer"):
            return AnyAnswer  # type: ignore[return-value]  # a union of them
        return fixed.get(topic)

    def _judge(self, message: Message) -> None:
        if isinstance(message, AwardMessage):
            self._judge_award(message)
        elif isinstance(message, (MeterMessage, PendingMessage)):
            self._judge_sequence(message)
        elif isinstance(message, UnitAccepted):
            self._judge_order(message)

    def _judge_order(self, accepted: UnitAccepted) -> None:
        if accepted.goes_on is not None and accepted.boot not in self.ordered:
            words = (
                f"journal {accepted.journal} is to go on after record {accepted.goes_on.through}"
            )
            self.complain("7.11", f"{words}, and nobody has ordered it")

    def _judge_award(self, award: AwardMessage) -> None:
        if award.id not in self.claimed:
            self.complain("5.3", f"there is an award for {award.id}, which nobody has claimed")
        amount_cents, withdrawn = self._awards.get(award.id, (award.amount_cents, self.withdrawn))
        if award.amount_cents != amount_cents and withdrawn == self.withdrawn:
            words = f"{award.id} is awarded {amount_cents} cents, then {award.amount_cents}"
            self.complain("5.5", words)
        self._awards[award.id] = award.amount_cents, self.withdrawn

    def _judge_sequence(self, message: MeterMessage | PendingMessage) -> None:
        what = "meter" if isinstance(message, MeterMessage) else "list of pending claims"
        known = self._contents.setdefault((type(message), message.books, message.sequence), message)
        if known != message:
            words = f"sequence {message.sequence} stands for two contents of the {what}"
            self.complain("3.5", words)
        # Of the same table: another one may have heard the next message already.
        before = self._judged.get(type(message))
        self._judged[type(message)] = message
        if before and before.books == message.books and before.sequence > message.sequence:
            words = f"the sequence of the {what} fell from {before.sequence} to {message.sequence}"
            self.complain("3.5", words)
