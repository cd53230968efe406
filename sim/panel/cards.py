"""The card of prompts and keys for each game: `make docs` writes `hw/cards/`.

What the panel says is taken from rounds that are played, what can be reported and who decides from
the game's description, so that a card cannot say anything else than the table does.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from firmware.devices.panel_pages import Display
from firmware.protocol.fault_catalogue import CLEARED_BY, FAULTS
from firmware.rules.contract import Facts, Incident, IrregularityName, Ruling
from firmware.rules.explain import explain_ruling
from firmware.rules.game import Case, Game
from firmware.rules.games import GAMES
from firmware.rules.words import IRREGULARITIES, OPTIONS, spaced, tier_words
from firmware.table.effects import ShowPrompt
from firmware.table.prompts import prompt as prompt_of
from firmware.table.report_menu import FACTS, GROUPS, KNOWN_TO_THE_TABLE
from firmware.table.settings import CardSource
from sim.panel.count import SOURCES, minimum, settings_of
from sim.panel.player import PanelDealer

FOLDER = Path(__file__).parents[2] / "hw" / "cards"
LARGE = Display(200, 60)
_SEATS = 3
_NUMBERED = re.compile(r"\d\. ")
"""A step of a list: all of them belong to what is asked."""
_DEALT = "(deal)"
_COUNT = re.compile(r": \d cards?")
_SOURCE_WORDS = {
    "shoe": "From the shoe",
    "shuffler": "From the shuffler",
    "manual": "By hand, without a reader",
}
_KEYS = (
    ("NEXT, BACK", "turn a page"),
    ("MENU, then PICK and a number", "report, choose, clear, or say something about a seat"),
    ("CANCEL", "leave the menu; withdraw a report or what waits for a supervisor"),
    ("AMOUNT, seat, bet, cents", "a bet that is not what the table assumes"),
    ("OUT, seat", "a seat that the table remembers does not play"),
    ("OUT, seat, bet", "a bonus that the table remembers is not placed"),
    ("REST", "all who have not answered place the bet; MENU has the other answer"),
    ("UNDO", "take the last key back, while nothing has come of it"),
    ("CORRECT, seat, answer", "a decision that was keyed wrongly; with the pit supervisor"),
    ("ABSENT, seat", "the player has left with a decision to make"),
    ("HIDDEN or SHOWN, seat", "the player does not show the hand, or does after all"),
    ("NEW, seat", "another player takes the seat"),
    ("PLAYER, seats", "one player has these seats; first the hand that he looks at"),
    ("CARDS, seat or dealer or board, cards", "cards that lie face up, where the table asks"),
    ("UP, rank, suit", "shows your face-up card where the table cannot know it; never needed"),
    ("SWAP, two places", "these two have each other's hands; a place is a seat or dealer"),
    ("WENT, two places", "the newest card of the first lies at the second"),
    ("ORDER", "the last two cards were drawn at once: exchange them; with the pit supervisor"),
    ("LOST, places", "the table no longer knows these hands; settle them yourself"),
    ("CHOOSE, option, seat", "what a player chooses in a ruling; MENU has it in words"),
    ("CONFIRM", "carry out a ruling that needs nobody else"),
    ("REPORT, irregularity, facts", "an irregularity; MENU has it in words"),
    ("SIGNON, number, PIN; SIGNOFF", "you begin and end at this table"),
    ("CLOSETABLE, OPENTABLE", "no more rounds; rounds again"),
)
"""What a dealer can press beside what a prompt asks for."""
_SUPERVISOR_KEYS = (
    ("AUTH, number, PIN", "confirm what the panel shows first, with the key turned"),
    ("CANCEL", "drop it, or withdraw the report"),
    (
        "NOTCONFIRMED, seat, reason",
        "a claim is not confirmed; then AUTH. By mistake: SHOWN, seat, AUTH",
    ),
    ("PAYOUT, seat, awarded or reckoned", "what is paid on a doubted award; then AUTH"),
    ("BAR, RESTRICT or LIFT, seat", "a player may not play, or one seat only, or may again"),
    ("CLEAR, fault, place", "a fault is mended; MENU has it in words; then AUTH"),
)


def card(game: Game) -> str:
    """Write the card of a game."""
    return "\n".join([*_dealer(game), *_supervisor(game)]) + "\n"


def _dealer(game: Game) -> Iterator[str]:
    yield f"# {game.title}: prompts and keys"
    yield ""
    yield "Made by `make docs` from the game's description; do not edit it."
    yield ""
    yield "## Dealer"
    for source in SOURCES:
        yield f"\n### {_SOURCE_WORDS[source]}\n"
        yield "| the panel says | you press |"
        yield "|---|---|"
        for said, pressed in _round(game, source):
            yield f"| {said} | {pressed} |"
    yield "\n### At any time\n"
    yield "| key | for |"
    yield "|---|---|"
    for key, words in _KEYS:
        yield f"| {key} | {words} |"
    yield "\n### What to report with MENU\n"
    for words, kinds in GROUPS.items():
        possible = [IRREGULARITIES[kind] for kind in kinds if kind not in game.impossible]
        if possible:
            yield f"- **{words}**: {'; '.join(possible)}."


def _round(game: Game, source: CardSource) -> Iterator[tuple[str, str]]:
    """Play a round, and pair the first line of every prompt with what is done then."""
    settings = settings_of(game.id, source, _SEATS)
    dealer = PanelDealer(settings, LARGE)
    said: list[str] = []
    told: list[tuple[int, str, str]] = []

    def heard(prompt: ShowPrompt) -> None:
        said[:] = prompt.lines

    def acted(what: str) -> None:
        # Between two keys the deal says the same of every card; after a key it is said again.
        keys = sum(before != _DEALT for _, _, before in told)
        told.append((keys, _asking(said, what), what))

    dealer.on_act = acted
    dealer.felt.on_prompt = heard
    heard(prompt_of(settings, dealer.felt.table.state))
    dealer.play(minimum(settings))
    return _without_repeats((line, what) for _, line, what in dict.fromkeys(told))


def _asking(lines: list[str], what: str) -> str:
    """Give the first line of a prompt, and the one that asks for a key if that is another."""
    key = what.split(maxsplit=1)[0]
    asking = next((line for line in lines if key in line), lines[0])
    if asking != lines[0]:
        return f"{lines[0]} … {asking}"
    return " ".join([asking, *(line for line in lines if _NUMBERED.match(line))])


def _without_repeats(told: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Leave out what differs from the line before it only in how many cards are left."""
    before = ""
    for said, what in told:
        if what != _DEALT or _COUNT.sub("", said) != before:
            yield said, what
        before = _COUNT.sub("", said)


def _supervisor(game: Game) -> Iterator[str]:
    majors = dict.fromkeys(tier_words(line.tier) for line in game.lines if line.level == "major")
    yield "\n## Supervisor\n"
    yield "Turn the key, then AUTH, your number and your PIN. CANCEL first if the report is a mistake."
    yield ""
    yield "| key | for |"
    yield "|---|---|"
    for key, words in _SUPERVISOR_KEYS:
        yield f"| {key} | {words} |"
    yield ""
    yield f"- **Check the hand** before a major is paid: {', '.join(majors)}."
    for role, cleared in _cleared().items():
        yield f"- **Clear with MENU** ({spaced(role)}): {', '.join(cleared)}."
    yield "\n### What happens then\n"
    yield "| what | facts | what happens |"
    yield "|---|---|---|"
    for kinds in GROUPS.values():
        for kind in kinds:
            if kind not in game.impossible:
                cases = game.irregularities.get(kind, (game.silent,))
                for place, case in enumerate(cases):
                    facts = _facts(case) or ("otherwise" if place else "–")
                    yield f"| {IRREGULARITIES[kind]} | {facts} | {_ruled(game, kind, case)} |"
    yield "\n### What can be chosen\n"
    for words in OPTIONS.values():
        yield f"- {words}"


def _cleared() -> dict[str, list[str]]:
    """List the faults that each role clears."""
    roles: dict[str, list[str]] = {}
    for fault in FAULTS.values():
        if CLEARED_BY[fault.ends]:
            roles.setdefault(fault.ends, []).append(f"{fault.number} {fault.what.lower()}")
    return roles


def _facts(case: Case) -> str:
    words = [f"{_asked(name)} {_said(value)}" for name, value in case.when.items()]
    return "; ".join(words)


def _asked(name: str) -> str:
    return FACTS[name].words if name in FACTS else KNOWN_TO_THE_TABLE[name]


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "None"
    return str(value)


def _ruled(game: Game, kind: IrregularityName, case: Case) -> str:
    ruling = Ruling(
        action=case.action,
        rule=case.rule,
        use_as=case.use_as,
        options=case.options,
        affects=case.affects,
        authority=case.authority,
    )
    told = explain_ruling(Incident(game.id, kind, Facts()), ruling)
    return told.partition(": ")[2]


def write() -> None:
    """Write the cards of all games."""
    FOLDER.mkdir(exist_ok=True)
    for name, game in GAMES.items():
        (FOLDER / f"{name}.md").write_text(card(game), encoding="utf-8")


if __name__ == "__main__":
    write()
