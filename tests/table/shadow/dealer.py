"""What a dealer and his players do in a round that goes well, each move at the table and on the felt.

Bets, cards, decisions, hands keyed where the table reads none, and keys that mean nothing. What goes
wrong is in `mishaps`.
"""

from collections.abc import Callable
from itertools import takewhile
from random import Random

from firmware.table.events import NewPlayer
from tests.table.playing import Effects
from tests.table.shadow.cards import stacked
from tests.table.shadow.felt import Box
from tests.table.shadow.left_out import goes
from tests.table.shadow.procedure import Place, steps_of
from tests.table.shadow.shadowing import Shadow

_WHEN_DECIDED = {"deciding", "revealing", "claiming"}
"""By hand a decision can be keyed when it is made."""


class Dealer(Shadow):
    """Plays."""

    # Bets

    def take_bets(self) -> None:
        """Open the bets, let the players place theirs, key what the table cannot sense."""
        rng = self.rng("bets")
        self.must(self.playing.open())
        seats = sorted(rng.sample(range(1, self.settings.seats + 1), rng.randint(1, 4)))
        for seat in range(1, self.settings.seats + 1):
            if seat not in seats and seat in self.last_ante:
                self.playing.press(NewPlayer, seat=seat)
                self.last_ante.pop(seat)
                self.under_before.discard(seat)
        for seat in seats:
            if rng.random() < 0.1:
                self.playing.press(NewPlayer, seat=seat)
                self.last_ante.pop(seat, None)
                self.under_before.discard(seat)
            self._bets_of(seat, rng)
        if not self.felt.hands():
            self._ante(seats[0], self.settings.ante_min_cents, rng)
        for seat in self.under_before & set(self.felt.boxes):
            self.felt.boxes[seat].under_before = True

    def _bets_of(self, seat: int, rng: Random) -> None:
        box = self.felt.boxes[seat] = Box()
        for bet in self.letter.chips:
            if rng.random() < 0.7:
                self.must(self.playing.chip(seat, bet))
                box.stakes[bet] = self.settings.jackpot_bet_cents
                if self.letter.odds and rng.random() < 0.3:
                    box.stakes[bet] *= 3
                    self.must(self.playing.key(seat, bet, box.stakes[bet]))
        if box.stakes and rng.random() < 0.06:
            self.must(self.playing.ante(seat, 0))
            self.keyed_none.add(seat)
            self.note("jackpot chip without an ante")
            return
        least, most = self.settings.ante_min_cents, self.settings.ante_max_cents
        choices = [least, least, 5_000, 7_500, 60_000, most, most + 20_000, least - 1_000]
        self._ante(seat, rng.choice(choices), rng)
        if self.letter.holdem:
            self._bonus(seat, rng.choice([2_500, 5_000, 60_000]) if rng.random() < 0.4 else 0)

    def _bonus(self, seat: int, cents: int) -> None:
        """Key what lies on the bonus, unless the panel has it already."""
        if cents:
            self.felt.boxes[seat].stakes["bonus"] = cents
        if self.playing.state.round.bonus_by_memory.get(seat, 0) != cents:
            self.must(self.playing.key(seat, "bonus", cents))

    def _ante(self, seat: int, cents: int, rng: Random) -> None:
        box = self.felt.boxes[seat]
        box.stakes["ante"] = cents
        assumed = self.last_ante.get(seat, self.settings.ante_min_cents)
        on_spot = any(bet in box.stakes for bet in self.letter.chips)
        if cents != assumed or not on_spot or seat in self.keyed_none or rng.random() < 0.2:
            self.must(self.playing.ante(seat, cents))

    def close(self) -> None:
        """Announce "No more bets": what lies there counts, and the jackpot has its share."""
        self.must(self.playing.close())
        for seat, box in self.felt.boxes.items():
            self.last_ante[seat] = box.ante
            for bet in self.letter.chips:
                if box.ante and box.stakes.get(bet):
                    self.felt.contributed[seat, bet] = box.stakes[bet]
        self.plan_deal()
        if self.letter.draws:
            self._draw_lots()

    def plan_deal(self) -> None:
        """Stack the deck for the hands that are dealt, and lay down the order of the round."""
        self.places, self.stack = stacked(self.letter, self.felt.hands(), self.rng("cards"))
        self.steps = steps_of(self.letter, self.settings.card_source, self.felt.hands())
        self.all_steps = len(self.steps)

    def deal_around(self, seat: int) -> None:
        """Deal no hand to a seat after all: nothing has been dealt yet."""
        self.places.pop(seat)
        self.steps = steps_of(self.letter, self.settings.card_source, self.felt.hands())

    def _draw_lots(self) -> None:
        rng, felt = self.rng("lots"), self.felt
        known = [card for cards in self.places.values() for card in cards]
        felt.magic_card = rng.choice(known if rng.random() < 0.5 else [self.stack.any(), *known])
        felt.lucky_seat = rng.choice([None, *range(1, self.settings.seats + 1)])
        felt.lucky_dealer = rng.random() < 0.3
        self.must(
            self.playing.lots(
                felt.magic_card, lucky_seat=felt.lucky_seat, lucky_dealer=felt.lucky_dealer
            )
        )

    # Cards

    def next_place(self) -> Place | None:
        """Say where the next card goes."""
        step = self.step()
        return step.places[self.given] if step and step.kind == "deal" else None

    def deal_next(self) -> None:
        """Deal the next card from a shoe, or the next hand from a shuffler."""
        if self.felt.by_hand:
            self.must(self.playing.dealt())
            for place, cards in self.places.items():
                for card in cards:
                    self.lay(place, card)
            self.steps.pop(0)
            return
        step = self.step()
        if step is None or step.kind != "deal":
            self.differ(f"the table wants cards, and the round is at {step}")
        place = step.places[self.given]
        if self.settings.card_source == "shoe":
            card = self._card(place)
            self.must(self.playing.draw(card))
            self.lay(place, card)
            return
        hand = self.hand_due()
        self.must(self.playing.dispense(*hand))
        for card in hand:
            self.lay(place, card)

    def hand_due(self) -> list[str]:
        """Give the cards that a shuffler dispenses next: all in a row to one place."""
        left = self.steps[0].places[self.given :]
        count = len(list(takewhile(lambda place: place == left[0], left)))
        return [self._card(left[0], further) for further in range(count)]

    def _card(self, place: Place, further: int = 0) -> str:
        if place == "burn":
            return self.stack.any()
        return self.places[place][len(self.lying(place)) + further]

    def lay(self, place: Place, card: str) -> None:
        """Lay a card where the dealer has dealt it."""
        self.given += 1
        if place == "burn":
            return
        self.lying(place).append(card)
        if isinstance(place, int) and len(self.lying(place)) == self.letter.own_cards:
            self.dealt_at[place] = self.playing.at_ms

    # Decisions

    def decide_next(self) -> None:
        """Let one of the players who are asked answer."""
        step = self.step()
        if step is None or step.kind != "decide":
            self.differ(f"the table asks the players, and the round is at {step}")
        rng = self.rng("decisions")
        seat = rng.choice(self.asked(step.bet))
        box = self.felt.boxes[seat]
        stays = step.bet == self.letter.stay
        weights = [6.0, 3.0, 1.0 if stays else 0.3]
        if box.ante < self.felt.ante_min and not goes("absent under the minimum"):
            weights[2] = 0
        answer = rng.choices([step.bet, "fold" if stays else "check", "absent"], weights)[0]
        self.must(self.playing.decide(seat, answer))
        box.answered.add(step.bet)
        self.note(f"answer {answer}")
        if answer in {"fold", "absent"}:
            box.said = "fold" if answer == "fold" else "absent"
        elif answer == step.bet:
            box.said = "in"
            antes = dict(self.letter.follow_ups)[step.bet]
            box.stakes[step.bet] = antes * box.ante

    def hide_some(self) -> None:
        """Let some players refuse to show their hands; only at the end is there something to show."""
        rng = self.rng("hidden")
        for seat in self.felt.hands():
            box = self.felt.boxes[seat]
            if box.out or box.said not in {"in", "fold"} or rng.random() > 0.08:
                continue
            if self.do(self.playing.hidden(seat)):
                box.hidden = True
                self.note("hand not shown")

    def reveal(self) -> None:
        """Turn up what is due."""
        step = self.step()
        if step is None or step.kind != "reveal":
            self.differ(f"the table wants cards turned up, and the round is at {step}")
        if len(self.steps) == 1 and not self.felt.by_hand:
            self.hide_some()
        self.must(self.playing.reveal())
        self.steps.pop(0)

    # By hand

    def key_claims(self) -> None:
        """Say who folded, key the hands that claim, and end the main game."""
        rng = self.rng("by hand")
        for seat in self.felt.hands():
            box = self.felt.boxes[seat]
            if box.out:
                continue
            if not box.said:
                self._settle_by_hand(seat, box, rng)
        if any(self.felt.boxes[s].keyed for s in self.felt.hands()) and self.letter.holdem:
            self.must(self.playing.cards("community", *self.places["board"]))
        elif self.letter.holdem:
            self.felt.board = []
        wagers = any(box.stakes.get("jackpot_dealer") for box in self.felt.boxes.values())
        if wagers and rng.random() < 0.8:
            self.must(self.playing.cards("dealer", *self.places["dealer"]))
        else:
            self.felt.dealer = []
        self.must(self.playing.paid())

    def _settle_by_hand(self, seat: int, box: Box, rng: Random) -> None:
        box.said = "in"
        may_leave = box.ante >= self.felt.ante_min or goes("absent under the minimum")
        said = rng.choices(["in", "fold", "absent"], [7, 2, 0.5 if may_leave else 0])[0]
        if said == "in":
            # Only where a fold forfeits the jackpot is the table told who has stayed in.
            self.do(self.playing.decide(seat, self.letter.stay))
        else:
            self.must(self.playing.decide(seat, said))
            box.said = "fold" if said == "fold" else "absent"
            self.note(f"by hand {said}")
        if box.stakes.get("jackpot") and rng.random() < 0.7 and said != "absent":
            self.must(self.playing.cards(seat, *self.places[seat]))
            box.keyed = True

    # Wrong keys

    def wrong_key(self) -> None:
        """Press something that cannot be right now; nothing may come of it."""
        rng, playing = self.rng("wrong key"), self.playing
        seat = rng.randint(1, self.settings.seats)
        empty = [s for s in range(1, self.settings.seats + 1) if s not in self.felt.boxes]
        keys: list[tuple[set[str], Callable[[], Effects]]] = [
            ({"idle"}, playing.open),
            ({"betting"}, playing.close),
            ({"settling", "claiming"}, playing.paid),
            ({"revealing"}, playing.reveal),
            (_WHEN_DECIDED, lambda: playing.decide(seat, "bet")),
            ({"dealing"}, lambda: playing.decide(empty[0] if empty else 9, "fold")),
            (set(), lambda: playing.key(seat, "insurance", 500)),
            (set(), lambda: playing.decide(seat, "double")),
            (set(), playing.again),
        ]
        allowed, press = rng.choice(keys)
        if self.phase in allowed:
            return
        if self.do(press()):
            self.differ(f"took a key that means nothing in {self.phase}: {self.story[-1]}")
        self.note("wrong key")
