"""Every key that the panel names works where it is named: in prompts, and in refusals."""

from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

from firmware.rules.games import GAMES
from firmware.table.effects import ShowPrompt, ShowRefusal
from firmware.table.events import CardsCorrected, Event, FromPanel, MajorDenied, SeatsJoined
from firmware.table.settings import CardSource
from firmware.table.state import CARDS_COME
from firmware.table.table import Outcome
from tests.table.named_keys import NamedKey, named_keys, works
from tests.table.playing import SETTINGS, Playing, prompt_in, refused
from tests.table.random_events import any_event
from tests.table.test_lost_and_hidden import NOTHING, ROYAL, by_hand, verdicts
from tests.table.walking import Deck, Walker

WALKS, STEPS = 40, 150
GOES_ON, FROM_OUTSIDE = 0.6, 0.985
"""Below the first the dealer does what is next; above the second anything at all happens."""
LOSES_A_HAND = 0.02
"""Below it a hand is lost before that, while cards come."""


class Promises:
    """Which of the keys that a table has named do not work."""

    def __init__(self, table: Walker) -> None:
        self.table = table
        self.kept: set[tuple[str, str, NamedKey]] = set()
        self.broken: list[str] = []

    def heard(self, _event: Event, _before: object, outcome: Outcome) -> None:
        """Press every key that is named in what an event leads to."""
        for effect in outcome.effects:
            said: tuple[str, ...] = ()
            if isinstance(effect, ShowRefusal):
                said = (effect.reason,)
            elif isinstance(effect, ShowPrompt):
                said = effect.lines
            for sentence in said:
                self._press_named(sentence)

    def _press_named(self, sentence: str) -> None:
        settings, state = self.table.table.settings, self.table.state
        for named in named_keys(settings.rules, sentence):
            promise = (state.phase, sentence, named)
            if promise in self.kept:
                continue
            self.kept.add(promise)
            if not works(settings, state, named):
                self.broken.append(f"{state.phase}: {named.key} {named.behind}: {sentence}")


def walk(seed: int, game: str, source: CardSource) -> Promises:
    """Play on, with many a key that is out of place, and press what the panel names."""
    rng = Random(seed)
    settings = replace(SETTINGS, game=game, card_source=source)
    table = Walker(Deck(seed, kind=rng.random() < 0.5), settings)
    promises = Promises(table)
    table.listener = promises.heard
    for _ in range(STEPS):
        chance = rng.random()
        if chance < LOSES_A_HAND and table.state.phase in CARDS_COME:
            lose_a_hand(table, rng)
        event = None if chance < GOES_ON else any_event(rng, table)
        if event is None:
            table.go_on(rng.randint(1, 5))
        elif isinstance(event, FromPanel) or chance > FROM_OUTSIDE:
            table.take(event)
    return promises


def lose_a_hand(table: Walker, rng: Random) -> None:
    """Let a supervisor agree that a hand is lost: then hands are keyed where cards are read, too."""
    table.press(CardsCorrected, how="lost", places=(rng.choice(["1", "2", "dealer"]),))
    table.confirm_as("pit_supervisor")


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("source", get_args(CardSource))
def test_every_key_that_a_prompt_or_a_refusal_names_works_there(
    game: str, source: CardSource
) -> None:
    walks = [walk(seed, game, source) for seed in range(WALKS)]
    assert [broken for promises in walks for broken in promises.broken] == []
    kept = [promise for promises in walks for promise in promises.kept]
    assert {"OPEN", "AMOUNT", "CANCEL", "CONFIRM"} <= {named.key for _, _, named in kept}
    assert {"idle", "betting", "revealing", "claiming", "ruling"} <= {phase for phase, _, _ in kept}


def test_a_promise_is_read_from_a_sentence() -> None:
    game = SETTINGS.rules
    said = "Seat 1's claim is final: NOTCONFIRMED 1 and a pit supervisor first."
    assert named_keys(game, said) == [NamedKey("NOTCONFIRMED", "1")]
    both = [NamedKey("CARDS"), NamedKey("LOST", "dealer")]
    assert named_keys(game, "CARDS, or LOST dealer first, then PAID.") == both
    assert named_keys(game, "DEALT is not needed: the shoe reads the cards.") == []


# While hands are keyed, others have claimed


def claimed_and_keying() -> Playing:
    """Claim by hand at seat 1, its claim confirmed, and key another hand."""
    playing = by_hand()
    playing.cards(1, *ROYAL)
    playing.paid()
    playing.confirm_as("pit_supervisor")
    playing.cards(3, *NOTHING)
    assert playing.phase() == "claiming"
    return playing


def test_i_37_a_claim_is_not_confirmed_while_another_hand_is_keyed() -> None:
    playing = claimed_and_keying()
    final = "Seat 1's claim is final: NOTCONFIRMED 1 first."
    assert playing.hidden(1) == refused(final)
    told = playing.press(MajorDenied, seat=1, reason="nine, not ace")
    asked = "Pit supervisor: key and PIN, or CANCEL. Seat 1: no JACKPOT."
    assert prompt_in(told)[0] == asked
    assert playing.paid() == refused(asked)
    denied = playing.confirm_as("pit_supervisor")
    reason = "not confirmed: nine, not ace"
    assert verdicts(denied) == [(False, "pit_supervisor-7", reason)]
    assert any(f"do not pay it ({reason})" in line for line in prompt_in(denied))
    playing.hidden(1)
    assert playing.decided


def test_a_denial_asked_for_before_a_hand_was_keyed_still_waits_for_its_pin() -> None:
    playing = by_hand()
    playing.cards(1, *ROYAL)
    playing.paid()
    playing.press(MajorDenied, seat=1, reason="nine, not ace")
    playing.cards(3, *NOTHING)
    assert playing.phase() == "claiming"
    denied = verdicts(playing.confirm_as("pit_supervisor"))
    assert [said[:2] for said in denied] == [(False, "pit_supervisor-7")]


def test_i_40_dealt_says_what_a_card_too_many_is_and_does_not_end_the_next_deal() -> None:
    playing = Playing(replace(SETTINGS, game="rws-holdem"))
    playing.open()
    playing.chip(1)
    playing.chip(3)
    playing.close()
    for card in ("2d", "As", "Qs", "Ad", "Qd"):
        playing.draw(card)
    playing.decide(1, "absent")
    playing.draw("5c")  # nobody expected it
    playing.confirm()
    playing.press(SeatsJoined, seats=(1, 3))  # and so seat 3 is absent too: the flop is dealt
    assert playing.phase() == "dealing"
    dealt_next = "If every hand is right, press DEALT: it is the next card dealt."
    assert dealt_next in next(
        effect.lines for effect in playing.table.resumed() if isinstance(effect, ShowPrompt)
    )
    assert dealt_next not in prompt_in(playing.dealt())
    assert (playing.phase(), playing.state.round.lost) == ("dealing", {})


def test_whoever_has_decided_by_hand_is_not_told_to_key_it() -> None:
    playing = by_hand()
    playing.bet(1)
    assert playing.decide(1, "check") == refused("Seat 1 has already decided: bet.")
    assert playing.decide(3, "check") == refused("Seat 3: key BET, FOLD or ABSENT.")
