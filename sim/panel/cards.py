"""The card of prompts and keys for each game: `make cards` writes `hw/cards/`.

What the panel says is taken from rounds that are played, what can be reported and who decides from
the game's description, so that a card cannot say anything else than the table does.
"""

from collections.abc import Iterator
from pathlib import Path

from firmware.devices.panel_pages import Display
from firmware.protocol.fault_catalogue import CLEARED_BY, FAULTS
from firmware.rules.contract import Facts, Incident, IrregularityName, Ruling
from firmware.rules.explain import explain_ruling
from firmware.rules.game import Case, Game
from firmware.rules.games import GAMES
from firmware.rules.words import IRREGULARITIES, OPTIONS, spaced, tier_words
from firmware.table.effects import ShowPrompt
from firmware.table.menus import FACTS, GROUPS
from firmware.table.settings import CardSource
from sim.panel.count import SOURCES, minimum, settings_of
from sim.panel.player import PanelDealer

FOLDER = Path(__file__).parents[2] / "hw" / "cards"
LARGE = Display(200, 60)
_SEATS = 3
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
    ("REST, answer", "all who have not answered give this answer"),
    ("UNDO", "take the last key back, while nothing has come of it"),
    ("CORRECT, seat, answer", "a decision that was keyed wrongly; with the pit supervisor"),
    ("ABSENT, seat", "the player has left with a decision to make"),
    ("HIDDEN or SHOWN, seat", "the player does not show the hand, or does after all"),
    ("NEW, seat", "another player takes the seat"),
    ("PLAYER, seats", "one player has these seats; first the hand that he looks at"),
    ("CARDS, seat or dealer or board, cards", "cards that lie face up, where the table asks"),
    ("UP, card", "which of your cards lies face up, where the table asks"),
    ("SWAP, two places", "these two have each other's hands; a place is a seat or dealer"),
    ("WENT, two places", "the newest card of the first lies at the second"),
    ("ORDER", "the last two cards were drawn at once: exchange them; with the pit supervisor"),
    ("LOST, places", "the table no longer knows these hands; settle them yourself"),
    ("NOTCONFIRMED, seat, reason", "the supervisor does not confirm a claim; he signs it"),
    ("BAR, RESTRICT or LIFT, seat", "a player may not play, or one seat only, or may again"),
    ("SIGNON, number, PIN; SIGNOFF", "you begin and end at this table"),
    ("CLOSETABLE, OPENTABLE", "no more rounds; rounds again"),
)
"""What can be pressed beside what a prompt asks for."""


def card(game: Game) -> str:
    """Write the card of a game."""
    return "\n".join([*_dealer(game), *_supervisor(game)]) + "\n"


def _dealer(game: Game) -> Iterator[str]:
    yield f"# {game.title}: prompts and keys"
    yield ""
    yield "Made by `make cards` from the game's description; do not edit it."
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
    told: list[tuple[str, str]] = []

    def heard(prompt: ShowPrompt) -> None:
        said[:] = [_first(prompt)]

    dealer.on_act = lambda what: told.append((said[-1], what))
    dealer.felt.on_prompt = heard
    heard(ShowPrompt("idle", ("Press OPEN to take bets.",)))
    dealer.play(minimum(settings))
    return iter(dict.fromkeys(told))


def _first(prompt: ShowPrompt) -> str:
    return prompt.lines[0]


def _supervisor(game: Game) -> Iterator[str]:
    majors = dict.fromkeys(tier_words(line.tier) for line in game.lines if line.level == "major")
    yield "\n## Supervisor\n"
    yield "Turn the key, then AUTH, your number and your PIN. CANCEL first if the report is a mistake."
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
    return FACTS[name].words if name in FACTS else f"{spaced(name).capitalize()}?"


def _said(value: object) -> str:
    return (
        {True: "Yes", False: "No"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    )


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
