"""The tables that the kit plays: honest ones, who say on MQTT what a real table would say.

A table's times are real, its ids and counts are those of a journal, and it does nothing that the
contract forbids, unless a check wants to see what comes of it. How it comes to the link and is
accepted is in `starts.py`.
"""

import msgspec

from firmware.protocol.messages import (
    Acknowledgement,
    AnyAnswer,
    AwardMessage,
    Message,
    MeterMessage,
    Rejection,
)
from firmware.protocol.obligations import (
    AnyObligation,
    Contribution,
    Reversal,
    RoundReport,
    Verdict,
    Win,
)
from firmware.rules.contract import Claim
from sim.conformance.journals import KitJournal
from sim.conformance.starts import KitStart, Wrong, now_ms
from sim.conformance.watching import Watch

__all__ = ["STAKE_CENTS", "KitTable", "Wrong", "now_ms"]

STAKE_CENTS = 500


class KitTable(KitStart):
    """One table on the link."""

    def __init__(
        self, name: str, watch: Watch, patience_s: float, records: KitJournal | None = None
    ) -> None:
        super().__init__(name, watch, patience_s, records)
        self.open_wins: list[Win] = []
        """Claims without an end, for cleaning up."""
        self._last_bet = ""

    # ── what it says ─────────────────────────────────────────────────────────

    async def send(self, *owed: AnyObligation) -> None:
        """Send what is owed, or send it again."""
        for each in owed:
            if isinstance(each, Win):
                self.watch.claimed.add(each.id)
            await self.send_bytes(msgspec.json.encode(each))

    async def send_bytes(self, payload: bytes) -> None:
        """Send anything where obligations are expected."""
        await self.client.publish(self.watch.topics.owed(self.name), payload, qos=1)

    def next_id(self) -> str:
        """Return an id as the table's journal makes it."""
        return f"{self.name}.{self.journal}.{self.records.write()}.1"

    def contribution(self, seat: int, stake_cents: int = STAKE_CENTS) -> Contribution:
        """Make a contribution of the present round."""
        return Contribution(
            id=self.next_id(),
            table=self.name,
            at_ms=now_ms(),
            round=self.status.round,
            seat=seat,
            bet="jackpot",
            stake_cents=stake_cents,
        )

    def reversal(self, of: Contribution) -> Reversal:
        """Take a contribution back."""
        return Reversal(
            id=self.next_id(),
            table=self.name,
            at_ms=now_ms(),
            round=of.round,
            seat=of.seat,
            contribution=of.id,
            stake_cents=of.stake_cents,
        )

    def verdict(self, win: Win, *, confirmed: bool, paid_cents: int | None = None) -> Verdict:
        """Confirm a claim, withdraw it, or say that it is paid."""
        if not confirmed:
            self.watch.withdrawn += 1
        if win in self.open_wins and (not confirmed or paid_cents is not None):
            self.open_wins.remove(win)
        return Verdict(
            id=self.next_id(),
            table=self.name,
            at_ms=now_ms(),
            round=win.round,
            seat=win.seat,
            win=win.id,
            confirmed=confirmed,
            paid_cents=paid_cents,
            staff="2001",
            reason="" if confirmed else "the conformance kit withdraws it",
        )

    # ── a round ──────────────────────────────────────────────────────────────

    async def open_round(self, *seats: int) -> list[Contribution]:
        """Open a round and close its bets; the contributions are acknowledged."""
        number = self.status.round + 1
        await self.say_status(round=number, phase="betting", dealt_at_ms=None)
        await self.acknowledged(await self._report("opened"))
        bets = [self.contribution(seat) for seat in seats]
        await self.contribute(*bets)
        return bets

    async def contribute(self, *bets: Contribution) -> None:
        """Send contributions and count them, once they are acknowledged."""
        await self.send(*bets)
        for each in bets:
            await self.acknowledged(each)
            self._last_bet = each.id
        await self.say_status(
            contributions=self.status.contributions + len(bets),
            contributed_cents=self.status.contributed_cents + sum(b.stake_cents for b in bets),
        )

    async def deal(self) -> None:
        """Complete the hands."""
        await self.say_status(phase="dealing", dealt_at_ms=now_ms())
        await self.acknowledged(await self._report("dealt"))

    def win(self, claim: Claim) -> Win:
        """Claim for a hand of the round; a major is not final."""
        win = Win(
            id=self.next_id(),
            table=self.name,
            at_ms=now_ms(),
            round=self.status.round,
            seat=claim.seat,
            claim=claim,
            dealt_at_ms=self.status.dealt_at_ms or now_ms(),
            clock="synchronised",
            final=claim.level == "minor",
        )
        self.open_wins.append(win)
        return win

    async def end_round(self) -> None:
        """Pay the round."""
        await self.acknowledged(await self._report("settled"))
        await self.say_status(phase="idle", dealt_at_ms=None)

    async def _report(self, stage: str) -> RoundReport:
        fields = {"id": self.next_id(), "table": self.name, "at_ms": now_ms()}
        report = msgspec.convert(
            {"message": "round", **fields, "round": self.status.round, "stage": stage}, RoundReport
        )
        await self.send(report)
        return report

    # ── what it hears ────────────────────────────────────────────────────────

    def answers(self, id_: str, since: int = 0) -> list[Message]:
        """Return the answers about an id that this table has heard, in order."""
        kinds = Acknowledgement | AwardMessage | Rejection
        return [
            each.message
            for each in self.watch.heard[since:]
            if each.by == self.name and isinstance(each.message, kinds) and each.message.id == id_
        ]

    async def acknowledged(self, owed: AnyObligation, since: int = 0) -> None:
        """Wait for an acknowledgement."""

        def came() -> bool:
            return any(
                isinstance(a, (Acknowledgement, Rejection)) for a in self.answers(owed.id, since)
            )

        await self.watch.until(came, self.patience_s)
        for answer in self.answers(owed.id, since):
            if isinstance(answer, Rejection):
                raise Wrong(f"it rejects the {_kind(owed)} {owed.id}: {answer.reason}")
        if not came():
            again = " again" if since else ""
            raise Wrong(
                f"it does not acknowledge the {_kind(owed)} {owed.id}{again}"
                f" within {self.patience_s:g} s"
            )

    async def awarded(self, win: Win, since: int = 0) -> AwardMessage:
        """Wait for an award."""

        def awards() -> list[AwardMessage]:
            return [a for a in self.answers(win.id, since) if isinstance(a, AwardMessage)]

        await self.watch.until(lambda: bool(awards()), self.patience_s)
        if not awards():
            raise Wrong(f"it does not award {win.id} within {self.patience_s:g} s")
        return awards()[0]

    async def everything_is_answered(self) -> None:
        """Send something small after all the rest, and wait for its answer.

        What was to be said to what came before it has been said by then.
        """
        await self.acknowledged(await self._report("settled"))

    async def heard_answer(self, kind: type[AnyAnswer], since: int) -> AnyAnswer | None:
        """Wait for an answer of a kind to this table."""

        def found() -> list[AnyAnswer]:
            return [
                each.message
                for each in self.watch.heard[since:]
                if each.by == self.name and isinstance(each.message, kind)
            ]

        await self.watch.until(lambda: bool(found()), self.patience_s)
        return next(iter(found()), None)

    async def meter_of_a_small_round(self) -> MeterMessage:
        """Play a round with one bet, and return the meter after it."""
        await self.open_round(1)
        meter = await self.meter_after_its_bets()
        await self.end_round()
        return meter

    async def meter_after_its_bets(self) -> MeterMessage:
        """Return the first meter that was published after the last contribution was acknowledged."""
        since = max(
            place
            for place, each in enumerate(self.watch.heard)
            if each.by == self.name
            and isinstance(each.message, Acknowledgement)
            and each.message.id == self._last_bet
        )

        def meters() -> list[MeterMessage]:
            heard = [each.message for each in self.watch.heard[since:] if each.by == self.name]
            return [each for each in heard if isinstance(each, MeterMessage)]

        if not await self.watch.until(lambda: bool(meters()), self.patience_s):
            raise Wrong("it publishes no meter after it has acknowledged a contribution")
        return meters()[0]


def _kind(owed: AnyObligation) -> str:
    return str(owed.__struct_config__.tag)
