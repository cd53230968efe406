"""What goes wrong at a table, with which facts, and what the dealer then does.

`play_round` is the whole of a round: the moves of `dealer`, and between any two of them whatever may
happen. What a mishap leads to is in `rulings`.
"""

from collections.abc import Callable
from random import Random

from firmware.table.effects import ShowPrompt
from tests.table.shadow.comparison import compare, compare_close, compare_wins
from tests.table.shadow.confirming import confirm, settle_next
from tests.table.shadow.corrections import correct_something
from tests.table.shadow.dealer import Dealer
from tests.table.shadow.facts import FACTS, Said, facts_for
from tests.table.shadow.felt import Box
from tests.table.shadow.left_out import goes
from tests.table.shadow.procedure import Place
from tests.table.shadow.rulings import Consequence, consequence

_MOST_MOVES = 400
_REPORTS = (
    *FACTS,
    *("misdeal", "cards_exposed", "dealing_error", "no_burn"),
    *("misdeal", "cards_exposed", "dealing_error", "extra_hand_examined"),
)
"""Those with many outcomes come more often."""
_SAYABLE = {
    "misdeal": {"SWAP", "ORDER"},
    "dealing_error": {"SWAP", "ORDER"},
    "no_burn": {"SWAP", "ORDER"},
    "player_count_wrong": {"SWAP", "ORDER"},
    "dealer_count_wrong": {"SWAP", "ORDER"},
    "community_count_wrong": {"SWAP", "ORDER"},
    "other": {"SWAP", "ORDER"},
    "simultaneous_draw": {"ORDER"},
}
"""What may be said about the cards after these, where play goes on (I-40)."""
_WITH_BETS_OPEN = ("jackpot_without_ante", "under_min", "over_max", "other")
_WRONG_CARDS = {"shoe": 0.01, "shuffler": 0.06, "manual": 0.0}
"""A shuffler deals in fewer moves."""


def play_round(dealer: Dealer) -> None:
    """Play one round, compare it, and leave the table ready for the next."""
    dealer.number += 1
    dealer.begin_round()
    dealer.take_bets()
    if dealer.happens("report", 0.15):
        report(dealer, _WITH_BETS_OPEN)
    if not dealer.felt.void:
        _between(dealer)
    if dealer.felt.void:
        # Before the close: the players take their chips back, and that is all.
        dealer.after_round()
        return
    dealer.close()
    compare_close(dealer)
    for _ in range(_MOST_MOVES):
        if dealer.phase == "idle":
            break
        _between(dealer)
        _MOVES[dealer.phase](dealer)
    else:
        dealer.differ(f"the round does not end: it stays in {dealer.phase}")
    compare(dealer)
    dealer.after_round()


def _between(dealer: Dealer) -> None:
    """Let something go wrong between two moves, now and then."""
    source = dealer.settings.card_source
    if dealer.happens("wrong key", 0.02):
        dealer.wrong_key()
    if dealer.happens("power cut", 0.015):
        cut_power(dealer)
    elif dealer.happens("report", 0.06):
        report(dealer)
    elif dealer.happens("link lost", 0.01):
        lose_link(dealer)
    elif dealer.phase == "dealing" and dealer.happens("wrong cards", _WRONG_CARDS[source]):
        deal_wrongly(dealer)
    elif dealer.happens("correction", 0.04):
        correct_something(dealer)
        _rule_on_earlier_cuts(dealer)
    if dealer.happens("late chip", 0.01) and dealer.phase not in {"idle", "betting"}:
        place_late(dealer)


# Moves


def _settle(dealer: Dealer) -> None:
    """Hold the claims against the documents, and go on with the settlement."""
    compare_wins(dealer)
    settle_next(dealer)


def _ruling(dealer: Dealer) -> None:
    dealer.differ("a ruling is open that nothing has led to")


_MOVES: dict[str, Callable[[Dealer], None]] = {
    "dealing": Dealer.deal_next,
    "deciding": Dealer.decide_next,
    "revealing": Dealer.reveal,
    "claiming": Dealer.key_claims,
    "settling": _settle,
    "ruling": _ruling,
}


# Reports


def sensible(dealer: Dealer, what: str) -> bool:
    """Say whether a report makes sense now, and the search goes there."""
    if dealer.awarded and not goes("taken back after an award"):
        return False
    if what == "over_max" and dealer.phase == "betting":
        return goes("excess refused before the close")
    if what == "jackpot_without_ante" and not dealer.begun:
        return dealer.phase == "betting" or goes("no hand without an ante")
    if what == "jackpot_fault" and not dealer.any_jackpot_bet():
        return goes("fault reported without jackpot bets")
    # While the bets are open, whoever wants to withdraw takes his chips back.
    return what != "interruption" or dealer.phase != "betting"


def report(dealer: Dealer, among: tuple[str, ...] = _REPORTS) -> None:
    """Report a mishap, and do what the documents say about it; each kind has its turn."""
    rng = dealer.rng("report")
    dealer.turn += 1
    what = among[dealer.turn % len(among)]
    seats = dealer.felt.playing()
    if what == "jackpot_without_ante":
        chips = dealer.letter.chips
        seats = [seat for seat in seats if any(dealer.stands(seat, bet) for bet in chips)]
    if what == "over_max":
        boxes = dealer.felt.boxes
        seats = [seat for seat in seats if boxes[seat].ante > dealer.felt.ante_max]
    told = facts_for(what, seats, rng)
    if told is None or not sensible(dealer, what):
        return
    phase = dealer.phase
    known = {
        "before_next_round": phase != "betting",
        "bets_closed": phase != "betting",
        "outcome_established": dealer.outcome_established(),
        "any_jackpot_bet": dealer.any_jackpot_bet(),
    }
    expected = consequence(dealer.letter, what, known | told | _plain(dealer, told))
    if not dealer.do(dealer.playing.report(what, **told)):  # type: ignore[arg-type]  # one of the names
        dealer.note(f"not in {phase}: {what}")
        return
    if expected.impossible:
        dealer.differ(f"took a report of {what}, which this game cannot have")
    dealer.note(f"report {what}")
    dealer.note(f"{what} in {phase}")
    if rng.random() < 0.1 and dealer.phase == "ruling":
        dealer.must(dealer.playing.cancel())
        dealer.note("report withdrawn")
        return
    carry_out(dealer, what, expected, rng, moved=bool(told.get("movable")))
    _lies_differently(dealer, what, phase, told)


def _plain(dealer: Dealer, told: Said) -> Said:
    """Give what is plain whatever the dealer says: who has decided has seen his cards (I-27)."""
    in_it = [box for box in dealer.felt.boxes.values() if not box.out]
    decided = any(box.said or box.answered for box in in_it)
    return {"any_player_seen": True} if decided and "any_player_seen" in told else {}


def _lies_differently(dealer: Dealer, what: str, phase: str, told: Said) -> None:
    """Let the felt follow what a report says about chips."""
    if what == "jackpot_without_ante" and phase != "betting":
        # No ante lies there, so there is none to hand back; nor is a hand dealt there (§5.4).
        del dealer.felt.boxes[told["seat"]].stakes["ante"]
        if not dealer.begun:
            dealer.deal_around(told["seat"])
    if what == "over_max" and phase == "betting":
        # RWS §5.1, Megalink §3.4: the House rejects the excess, of the bonus too (hold'em §3.3).
        felt, stakes = dealer.felt, dealer.felt.boxes[told["seat"]].stakes
        stakes["ante"] = felt.ante_max
        if felt.bonus_max is not None and stakes.get("bonus", 0) > felt.bonus_max:
            stakes["bonus"] = felt.bonus_max


def carry_out(
    dealer: Dealer, what: str, expected: Consequence, rng: Random, *, moved: bool = False
) -> None:
    """Choose, confirm and carry out what the documents say, with whom they name."""
    dealer.note(f"{what} leads to {expected.does}")
    if dealer.phase != "ruling":
        if expected.does != "on" or expected.authority:
            dealer.differ(f"{what} is let pass, and should lead to {expected}")
        return
    if dealer.happens("card in a ruling", 0.15):
        _deal_meanwhile(dealer)
    decided = _choose(dealer, what, expected, rng)
    confirm(dealer, what, expected.authority)
    if dealer.phase == "ruling":
        dealer.differ(f"{what} is confirmed, and still open")
    _happens_on_the_felt(dealer, decided)
    dealer.sayable |= {"SWAP"} if moved else _SAYABLE.get(what, set())
    dealer.note(f"consequence {decided.does}")


def _deal_meanwhile(dealer: Dealer) -> None:
    """Deal one card more while the ruling is open: it was on its way."""
    place = dealer.next_place()
    if place is None or dealer.settings.card_source != "shoe":
        return
    if dealer.playing.state.doing == "settling":
        return  # nobody is in, so the deal was given up
    last = len(dealer.lying(place)) == dealer.letter.own_cards - 1
    if not last or goes("last card in a ruling"):
        dealer.deal_next()
        dealer.note("card while a ruling is open")


def _choose(dealer: Dealer, what: str, expected: Consequence, rng: Random) -> Consequence:
    """Let players or the manager choose, and give what was chosen as a consequence."""
    playing = dealer.playing
    if expected.does == "refer":
        options = ["continue", "void"]
        if what == "player_count_wrong" and not goes("play on with a wrong hand"):
            options = ["void"]
        if what == "jackpot_fault" and not dealer.link_up:
            options.append("pay_registered")
        option = rng.choice(options)
        dealer.must(playing.choose(option))
        dealer.pays_registered = option == "pay_registered"
        return Consequence("void" if option == "void" else "on")
    out = set(expected.seats)
    if expected.offered:
        asked = [seat for seat in dealer.in_the_round() if seat not in out]
        if not expected.everybody:
            asked = rng.sample(asked, rng.randint(0, len(asked)))
        for seat in asked:
            option = rng.choice(expected.offered)
            dealer.must(playing.choose(option, seat))
            dealer.note(f"{what} chosen: {option}")
            if option == "withdraw":
                out.add(seat)
    return Consequence("void" if expected.does == "void" else "out", tuple(sorted(out)))


def _happens_on_the_felt(dealer: Dealer, decided: Consequence) -> None:
    if decided.does == "void":
        dealer.felt.void = True
    for seat in decided.seats:
        dealer.take_out(seat)


# What the table notices by itself


def deal_wrongly(dealer: Dealer) -> None:
    """Let the shoe give a card that is on the felt already, or the shuffler a wrong number of cards."""
    rng, felt = dealer.rng("wrong cards"), dealer.felt
    place = dealer.next_place()
    if place is None:
        return
    places: list[Place] = [*felt.hands(), "dealer", "board"]
    lying = [card for each in places for card in dealer.lying(each)]
    if dealer.settings.card_source == "shoe":
        if lying:
            dealer.must(dealer.playing.draw(rng.choice(lying)))
            carry_out(dealer, "foreign_card", consequence(dealer.letter, "foreign_card", {}), rng)
            dealer.note("a card that comes twice")
        return
    due = dealer.hand_due()
    hand = due[:-1] if rng.random() < 0.5 else [*due, dealer.stack.any()]
    dealer.must(dealer.playing.dispense(*hand))
    dealer.given += len(due)
    dealer.lying(place).extend(hand)
    what = {"dealer": "dealer_count_wrong", "board": "community_count_wrong"}
    named = what.get(str(place), "player_count_wrong")
    facts = {"seat": place, "reconstructable": False, "before_next_round": True}
    carry_out(dealer, named, consequence(dealer.letter, named, facts), rng)
    dealer.note(f"noticed {named}")


def place_late(dealer: Dealer) -> None:
    """Put a chip on a spot after the close: it bets nothing (RWS §5.11, MBS §5.5 and §5.6)."""
    rng = dealer.rng("late chip")
    seat, bet = rng.randint(1, dealer.settings.seats), rng.choice(dealer.letter.chips)
    if dealer.felt.boxes.get(seat, Box()).stakes.get(bet):
        return
    dealer.playing.chip(seat, bet)
    dealer.playing.lift(seat, bet)
    dealer.note("late chip")


# Power and link


def cut_power(dealer: Dealer) -> None:
    """Cut the power: the table comes back from its journal, and the documents say what follows."""
    before = dealer.phase
    dealer.note(f"power cut in {before}")
    dealer.story.append("power cut")
    dealer.playing.restart()
    dealer.link_up = True
    dealer.publish_meter()
    if before in {"idle", "betting", "settling"}:
        if dealer.phase != before:
            dealer.differ(f"a power cut in {before} leads to {dealer.phase}")
        return
    dealer.cuts.append(dealer.lost_seats())
    _rule_on_cut(dealer, established=dealer.outcome_established())
    dealer.cuts = [cut for cut in dealer.cuts if cut]


def _rule_on_cut(dealer: Dealer, *, established: bool) -> None:
    facts = {"outcome_established": established}
    rng = dealer.rng("power ruling")
    carry_out(dealer, "interruption", consequence(dealer.letter, "interruption", facts), rng)


def _rule_on_earlier_cuts(dealer: Dealer) -> None:
    """Rule on a power cut whose only outcome was a fold that nobody has made (I-24, I-39)."""
    left = [cut & dealer.lost_seats() for cut in dealer.cuts]
    dealer.cuts = [cut for cut in left if cut]
    if len(dealer.cuts) < len(left):
        _rule_on_cut(dealer, established=False)


def lose_link(dealer: Dealer) -> None:
    """Lose the jackpot system for the rest of the round."""
    if not dealer.link_up or dealer.phase in {"idle", "betting"}:
        return
    if dealer.awarded and not goes("taken back after an award"):
        return
    dealer.note(f"link lost in {dealer.phase}")
    dealer.story.append("link lost")
    facts = {
        "any_player_seen": dealer.cards_seen(),
        "any_jackpot_bet": dealer.any_jackpot_bet(noticed=True),
        "noticed": True,
    }
    dealer.lose_link()
    dealer.pays_registered = dealer.letter.operator == "rws"
    expected = consequence(dealer.letter, "jackpot_fault", facts)
    carry_out(dealer, "jackpot_fault", expected, dealer.rng("link ruling"))


def prompt_of(dealer: Dealer) -> str:
    """Give what the panel shows now."""
    shown = [e for e in dealer.playing.table.resumed() if isinstance(e, ShowPrompt)]
    return " / ".join(shown[-1].lines) if shown else ""
