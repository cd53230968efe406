"""Who has to say yes: staff with the key turned for rulings and majors; then awards, and PAID."""

from collections.abc import Iterable

from firmware.protocol.fault_catalogue import Role
from firmware.protocol.obligations import Verdict, Win
from firmware.table.events import AwardDecided
from firmware.table.prompts import prompt
from tests.table.playing import Playing
from tests.table.shadow.comparison import claims_made
from tests.table.shadow.shadowing import METER_CENTS, Shadow

ROLES: dict[str, Role] = {
    "pit_supervisor": "pit_supervisor",
    "gaming_shift_manager": "shift_manager",
    "table_games_shift_manager": "shift_manager",
    "house": "shift_manager",
}
"""Who answers at the panel for whom the documents name."""


def confirm(dealer: Shadow, what: str, authority: str) -> None:
    """Confirm a ruling: the person whom the document names, and nobody below; else the dealer."""
    playing = dealer.playing
    if not authority:
        if not dealer.do(playing.confirm()):
            # The house may want a supervisor where the document names nobody.
            _pin(dealer, "pit_supervisor")
            dealer.note("a supervisor confirms by the house's rule")
        return
    if dealer.do(playing.confirm()):
        dealer.differ(f"{what} needs the {authority}, and the dealer alone confirmed it")
    if authority != "pit_supervisor":
        playing.confirm_as("pit_supervisor")
        if dealer.phase != "ruling":
            dealer.differ(f"{what} needs the {authority}, and a pit supervisor confirmed it")
    _pin(dealer, ROLES[authority])
    dealer.note(f"confirmed by the {authority}")


def _pin(dealer: Shadow, role: Role) -> None:
    """Turn the key and enter a PIN; where the panel says that something was dropped, twice.

    Nobody whom the documents name has confirmed anything by a PIN that was meant for something else.
    """
    playing = dealer.playing
    if any(line.startswith("Dropped, ") for line in _prompt_of(playing)):
        before = (dealer.phase, len(dealer.sent.money))
        dealer.do(playing.confirm_as(role))
        if (dealer.phase, len(dealer.sent.money)) != before:
            dealer.differ("a PIN has confirmed something that it was not meant for")
        dealer.note("a PIN takes note of what was dropped")
    dealer.must(playing.confirm_as(role))


def _prompt_of(playing: Playing) -> tuple[str, ...]:
    """Give what the panel says now."""
    return prompt(playing.table.settings, playing.state).lines


def settle_next(dealer: Shadow) -> None:
    """Do one thing of the settlement: a supervisor confirms, the controller awards, or all is paid."""
    playing = dealer.playing
    made = claims_made(dealer)
    majors = [win for claim, win in made.items() if claim.major]
    if len(_confirmed(dealer, majors)) < len(majors):
        if dealer.do(playing.paid()):
            dealer.differ("a major is paid before a supervisor has confirmed it")
        _pin(dealer, "pit_supervisor")
        if len(_confirmed(dealer, majors)) != len(majors):
            dealer.differ("a supervisor has confirmed, and there is no verdict for each major")
        dealer.note("major confirmed")
        return
    if made and not dealer.pays_registered:
        dealer.mend_link()
    claims = playing.state.round.claims
    forgotten = {each for each in claims if claims[each].amount_cents is None}
    waiting = [e for e in made.items() if e[1].id not in dealer.awarded or e[1].id in forgotten]
    if dealer.link_up and waiting:
        _acknowledge_withdrawals(dealer)
        claim, win = waiting[0]
        playing.award(win.id, claim.amount or claim.percent * METER_CENTS // 100)
        dealer.awarded.add(win.id)
        return
    if made and not dealer.link_up:
        dealer.note("claim paid from the registered meter")
        if dealer.happens("link mended", 0.5):
            _award_otherwise(dealer, made.values())
    dealer.must(playing.paid())


def _award_otherwise(dealer: Shadow, wins: Iterable[Win]) -> None:
    """Mend the link before PAID, and award something else than what is being paid.

    RWS §5.18.1, hold'em §5.17.1: what was registered before the malfunction is paid, and it was
    confirmed. Only the shift manager lets it be another amount; here he does not.
    """
    playing = dealer.playing
    dealer.mend_link()
    _acknowledge_withdrawals(dealer)
    for win in wins:
        registered_cents = playing.state.round.claims[win.id].amount_cents or 0
        playing.award(win.id, registered_cents + 100)
        if dealer.do(playing.paid()):
            dealer.differ("an award has replaced what was confirmed at the registered meter")
        play = playing.state.round
        which = 1 + play.claims_of(win.seat).index(play.claims[win.id])
        dealer.must(playing.press(AwardDecided, seat=win.seat, pay="reckoned", which=which))
        dealer.must(playing.confirm_as("shift_manager"))
        if playing.state.round.claims[win.id].amount_cents != registered_cents:
            dealer.differ("what was registered is not paid, although the shift manager said so")
        dealer.awarded.add(win.id)
    dealer.note("awarded otherwise than registered")


def _acknowledge_withdrawals(dealer: Shadow) -> None:
    """Let the controller have what was withdrawn, before it awards the rest anew (I-37)."""
    owed = dealer.playing.state.owed.values()
    for verdict in [each for each in owed if isinstance(each, Verdict) and not each.confirmed]:
        dealer.playing.acknowledge(verdict.id)


def _confirmed(dealer: Shadow, wins: list[Win]) -> list[Verdict]:
    ids = {win.id for win in wins}
    verdicts = [each for each in dealer.sent.money if isinstance(each, Verdict)]
    return [each for each in verdicts if each.win in ids and each.confirmed]
