"""Where the rule documents leave room: every decision we made, in one table.

A house may decide otherwise; an entry with a `setting` says what to set. `where`
names the part that carries the decision out. `underfelt rules interpretations`
prints this table, and rulings and settlements cite its ids where no paragraph of
the game's own document decides.
"""

from msgspec import Struct


class Interpretation(Struct, frozen=True):
    """One decision: what was open, what we do, who does it."""

    id: str
    question: str
    decision: str
    where: str
    setting: str = ""


INTERPRETATIONS: tuple[Interpretation, ...] = (
    Interpretation(
        "I-1",
        "mbs-singapore-stud says nothing on a point that settlement needs",
        "The operator's later document, mbs-megalink-stud, decides, also on limits and on a "
        "jackpot wager without an ante. Any other irregularity goes to the gaming shift manager.",
        "rules/games/mbs_singapore_stud",
    ),
    Interpretation(
        "I-2",
        "A jackpot wager of several credits (mbs-singapore-stud §3.5)",
        "Odds multiply the whole wager; a percentage of the meter is paid once.",
        "rules/jackpot",
    ),
    Interpretation(
        "I-3",
        "Several players win on the dealer's hand (mbs-singapore-stud)",
        "Each is a winner of that round at that table, and they share as in I-1.",
        "rules/award",
    ),
    Interpretation(
        "I-4",
        "What straight flushes share (mbs-megalink-stud §3.15.2)",
        "As many payouts of 10 % as there are winners, each of the meter that the one before "
        'left. With "reset": 10 % of the meter, and 10 % of the reset value for each further one.',
        "rules/award",
        'straight_flush_share = "declining" or "reset"',
    ),
    Interpretation(
        "I-5",
        "Does one hold'em jackpot bet collect several lines (rws-holdem §4.2)?",
        "One: that of the highest hand. Where the player's hand and the board give the same "
        "line, the claim is on the community cards.",
        "rules/games/rws_holdem",
    ),
    Interpretation(
        "I-6",
        "A royal flush of five community cards (rws-holdem §4.2)",
        "It is the community payout, for folded players too, and not a royal on the river.",
        "rules/games/rws_holdem",
    ),
    Interpretation(
        "I-7",
        "When is a royal flush one of the flop or of the turn (rws-holdem §4.2)?",
        "Flop: both hole cards and the three flop cards. Turn: made with the first four "
        "community cards. It is paid once.",
        "rules/jackpot",
    ),
    Interpretation(
        "I-8",
        "rws-multilink-stud §4.3: BET was placed and the hand is not shown",
        "Folded, whatever the dealer has. In every game a hand that is folded and not shown "
        "wins nothing of its own; community lines, lucky player and dealer wager still pay.",
        "rules/play, rules/jackpot",
    ),
    Interpretation(
        "I-9",
        "rws-casino-stud and rws-holdem §4.3: the hand is not shown",
        "It loses where hands are compared, and has no claim of its own; a stud dealer "
        "without a hand still pays the ante. The bonus loses. Lines that do not look at the "
        "player's cards still pay; a magic card in them does not.",
        "rules/play, rules/settle, rules/jackpot",
    ),
    Interpretation(
        "I-10",
        "mbs-megalink-stud §3.10.1: not shown, and the dealer does not qualify",
        "Nothing was compared, so the ante is paid and BET returned; no jackpot claim.",
        "rules/play",
    ),
    Interpretation(
        "I-11",
        "What BET (flop, turn, river) is measured against when the ante is over the limit",
        "Against the ante cut to the limit. An excess is returned; a shortfall counts as placed.",
        "rules/settle",
    ),
    Interpretation(
        "I-12",
        "A player walks away with a decision to make",
        "RWS: folded, in hold'em also after the flop bet. MBS: out, ante and jackpot "
        "wagers returned.",
        "rules/play",
    ),
    Interpretation(
        "I-13",
        "A wager under the minimum",
        "RWS settles it as placed. MBS settles it once; the next time everything is returned. "
        "The ante is what is measured.",
        "rules/play",
    ),
    Interpretation(
        "I-14",
        "Does the maximum payout include the stake (RWS)?",
        "No: it caps the winnings, and the stake is returned on top.",
        "rules/settle",
    ),
    Interpretation(
        "I-15",
        "A jackpot bet without an ante",
        "Returned; no claim and no draw pays on it, and a contribution already sent is "
        "reversed. Until the bets close the player may correct it.",
        "rules/play",
    ),
    Interpretation(
        "I-16",
        "Who draws magic card, lucky seat and lucky dealer, and when (mbs-singapore-stud)",
        "The table, with the operating system's random source, between closing the bets and "
        "the first card; recorded before it is shown, never again. Each pays 5 × its wager.",
        "the table; rules/jackpot pays",
        "lucky seat and lucky dealer: one round in N",
    ),
    Interpretation(
        "I-17",
        "Several royal flushes at one RWS stud table (§4.5.1)",
        "One after another in the order of the deal, each from the meter at that point.",
        "rules/award",
    ),
    Interpretation(
        "I-18",
        "The order of payment in MBS games (mbs-megalink-stud §3.14, §3.15.3)",
        "By entry; straight flushes, and royals, of one table and round go together, and wait "
        "until the lower hands of that round have been entered.",
        "rules/award",
    ),
    Interpretation(
        "I-19",
        "The order of payment between RWS tables (§4.5.2, hold'em §4.5)",
        "By the moment the hand was complete, then table name, then seat.",
        "rules/award",
    ),
    Interpretation(
        "I-20",
        "Minor claims among majors in RWS games",
        "In the same order; only percentages move the meter, the river royal's 5 % too.",
        "rules/award",
    ),
    Interpretation(
        "I-21",
        "The bonus of a hold'em player who folds",
        "It loses with the ante (rws-holdem §3.11.2).",
        "rules/settle",
    ),
    Interpretation(
        "I-22",
        "Which stud games keep the jackpot bet in after a fold",
        "All but rws-casino-stud (§3.12.1). The dealer's hand never affects it.",
        "rules/games",
    ),
    Interpretation(
        "I-23",
        "Finer points of rulings",
        "Void stays void. One exposed card, unseen: affected RWS players choose. A count that "
        "can be corrected is a dealing error in RWS games; noticed in the next round, play "
        "stands. Limits after closing are left to settlement.",
        "rules/games/rws, rules/games/mbs",
    ),
    Interpretation(
        "I-24",
        "When an outcome is established (RWS §5.7, mbs-megalink-stud §5.16)",
        "When something was decided in the open: a fold, or the dealer's hand turned up. "
        "Cards that only the shoe has read decide nothing.",
        "the table",
    ),
    Interpretation(
        "I-25",
        "Whose hole cards the hold'em bonus looks at (§3.9 against §4.1)",
        "The player's; the dealer's only where both hold two aces.",
        "rules/settle",
    ),
    Interpretation(
        "I-26",
        "Is a jackpot wager returned on top of its odds?",
        "No: it went into the jackpot.",
        "rules/jackpot",
    ),
    Interpretation(
        "I-27",
        "Nothing senses whether a player has seen his cards",
        "The dealer is asked. A ruling by the table itself counts them as seen from the "
        "last card of the deal (shoe) or the first hand dispensed (shuffler).",
        "the table",
    ),
    Interpretation(
        "I-28",
        "The jackpot system is lost after cards were seen (RWS §5.18.1, hold'em §5.17.1)",
        "The table pays from the meter it last registered and reports it as paid; the house "
        "pays what the meter cannot cover. MBS: as the shift manager decides.",
        "the table and the jackpot controller",
    ),
    Interpretation(
        "I-29",
        "May tables with different games share a jackpot?",
        "No: the orders of payment differ, so a link has one game.",
        "the jackpot controller",
    ),
    Interpretation(
        "I-30",
        "How long a player is remembered as having been under the minimum",
        'By seat, until the dealer presses "new player".',
        "the table",
    ),
    Interpretation(
        "I-31",
        "Contributions while a major claim is pending",
        "The meter is locked at the first major claim; what comes in goes to a reserve that "
        "is added once the pending claims are paid.",
        "the jackpot controller",
    ),
    Interpretation(
        "I-32",
        "Whose clock the order of payment uses",
        "Entry is stamped by the jackpot controller, the deal by the table, with the quality "
        "of its clock.",
        "the table and the jackpot controller",
    ),
    Interpretation(
        "I-33",
        "Finer points of settlement",
        "A hold'em player absent after the turn bet loses it too; after the river bet nothing "
        "was left to decide. A decision that contradicts the layout is refused, with or "
        "without an ante.",
        "rules/checks",
    ),
    Interpretation(
        "I-34",
        "Finer points of which ruling applies",
        "A matter that a game's own document does not cover is referred. Taking one "
        "hand out gives the others a choice in mbs-megalink-stud (§5.7.1) but not in RWS "
        "games (§5.15).",
        "rules/games",
    ),
    Interpretation(
        "I-35",
        "Finer points of awards",
        "Fixed amounts wait for nobody. What remains tied goes by claim id. Two claims of a "
        "seat are two shares. The meter never falls below zero.",
        "rules/award",
    ),
    Interpretation(
        "I-36",
        "The jackpot fails before cards are seen, and nobody has a jackpot bet",
        "Nothing of the round depends on it, so play goes on; the next round follows the "
        "house's choice.",
        "table/irregularities/reports",
    ),
    Interpretation(
        "I-37",
        "A round is void, or a hand invalid, after its claim was confirmed or awarded",
        "Until the round is paid the claim is withdrawn and an award taken back, minors too; "
        "what does not balance is the house's. After that it stands.",
        "the table and the jackpot controller",
    ),
    Interpretation(
        "I-38",
        "A bet that is not the prescribed multiple",
        "The dealer keys what lies there until the round is paid; without a key the "
        "prescribed amount counts.",
        "the table",
    ),
    Interpretation(
        "I-39",
        "Something was keyed wrongly",
        "Before the first card the dealer corrects it; after it a pit supervisor does, as the "
        "chips lie, and a decision only while nothing that followed depends on it.",
        "the table",
    ),
    Interpretation(
        "I-40",
        "Cards lie elsewhere than the order of the deal has them, and play goes on",
        "The dealer says what lies where if one step can say it; otherwise the hands "
        "concerned are unknown, and those that claim are keyed face up.",
        "the table",
    ),
    Interpretation(
        "I-41",
        "Whose choice it is where one player has several seats",
        "What the rules let a player choose he chooses once, for all his seats.",
        "table/irregularities/rulings",
    ),
    Interpretation(
        "I-42",
        "What it means to allow no bets on the affected box",
        "A box whose spot has a fault takes no bets of any kind, and the others play on with "
        "the jackpot. A lost link affects every box, which is closing the table.",
        "table/boxes",
    ),
    Interpretation(
        "I-43",
        "A river royal while an older hand elsewhere may still show a flop royal",
        "Paid at once from the meter as it stands: only majors wait for their order.",
        "the jackpot controller",
    ),
)
