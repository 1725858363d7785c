"""Shows the first position in play in which two games part."""

from __future__ import annotations

from wongar_dsl.engine import Game, State
from wongar_dsl.engine.match import Seat
from wongar_dsl.lab.parting import GAMES, Parting, parting
from wongar_dsl.narration.narrator import Narrator
from wongar_dsl.table.ending import points_by_origin
from wongar_dsl.table.names import names_of
from wongar_dsl.words import Text, Words

from .opening import Opening
from .play.results import scores
from .terminal.screen import Screen

#: So many of the last choices before it are shown.
LAST = 5


def show(screen: Screen, one: Opening, other: Opening, players: int | None, seed: int, words: Words) -> None:
    """The position, how it came about, and what can be chosen in each of the two games."""
    say = words.say
    games = [opened.deal(players, (), "python") for opened in (one, other)]
    found = parting(games[0], games[1], seed)
    if found is None:
        screen.text(say("diff.position.none", n=GAMES))
        return
    screen.text(say("diff.position", n=len(found.moves), seed=Text(str(found.seed))), "strong")
    if found.moves:
        screen.text(say("diff.position.last", moves=Text(words.chain(_told(one, games[0], found)))))
    counted = found.one.scores != found.other.scores
    for opened, state in ((one, found.one), (other, found.other)):
        screen.text("")
        _offered(screen, opened, state, counted)


def _told(opened: Opening, game: Game, found: Parting) -> list[str]:
    """The last decisions before the position, each with who made it and the option as it was offered."""
    narrator = Narrator(game, opened.words, names_of([Seat("random")] * game.program.seats))
    state, _ = game.start(found.seed)
    told = []
    for at, written in enumerate(found.moves):
        move = state.read(written)
        if at >= len(found.moves) - LAST:
            shown = Text(narrator.option(state, move))
            told.append(opened.words.say("diff.row", row=Text(narrator.names[state.seat]), cells=shown))
        state.apply(move)
    return told


def _offered(screen: Screen, opened: Opening, state: State, counted: bool) -> None:
    """What can be chosen, or who has won; where the points are `counted` differently, they are what differs."""
    names = names_of([Seat("random")] * state.game.program.seats)
    narrator = Narrator(state.game, opened.words, names)
    screen.text(narrator.title(), "strong")
    if state.over:
        screen.text(narrator.ending(state.winners))
    else:
        screen.text(narrator.prompt(state))
        for move in state.legal_moves():
            screen.text(f"  {narrator.option(state, move)}", indent="    ")
    for line in scores(narrator, points_by_origin(narrator, state.cells), state.winners) if counted else ():
        screen.line(line)
