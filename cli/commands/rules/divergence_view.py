"""Output of the first position in play in which two games diverge."""

from __future__ import annotations

from wongar_dsl.engine import Game, State
from wongar_dsl.engine.match import Seat
from wongar_dsl.lab.first_divergence import GAMES, Divergence, first_divergence
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.words import Text, Translator
from wongar_dsl.session.ending import points_by_origin
from wongar_dsl.session.seats import names_of

from ...arguments.load_game import OpenedGame
from ...play.results import scores
from ...terminal.screen import Screen

#: Number of previous choices shown.
LAST = 5


def show_divergence(
    screen: Screen, one: OpenedGame, other: OpenedGame, players: int | None, seed: int, words: Translator
) -> None:
    """Print the position, the choices that lead to it, and the options in each of the two games."""
    say = words.say
    games = [opened.create_game(players, (), "python") for opened in (one, other)]
    divergence = first_divergence(games[0], games[1], seed)
    if divergence is None:
        screen.text(say("diff.position.none", n=GAMES))
        return
    screen.text(say("diff.position", n=len(divergence.moves), seed=Text(str(divergence.seed))), "strong")
    if divergence.moves:
        screen.text(say("diff.position.last", moves=Text(words.apart(_last_choices(one, games[0], divergence)))))
    counted = divergence.one.scores != divergence.other.scores
    for opened, state in ((one, divergence.one), (other, divergence.other)):
        screen.text("")
        _show_options(screen, opened, state, counted)


def _last_choices(opened: OpenedGame, game: Game, found: Divergence) -> list[str]:
    """Return the last choices before the position, each with the player and the text of the option."""
    narrator = Narrator(game, opened.words, names_of([Seat("random")] * game.program.seats))
    state, _ = game.start(found.seed)
    lines = []
    for index, written in enumerate(found.moves):
        move = state.read(written)
        if index >= len(found.moves) - LAST:
            shown = Text(narrator.option(state, move))
            lines.append(opened.words.say("diff.row", row=Text(narrator.names[state.seat]), cells=shown))
        state.apply(move)
    return lines


def _show_options(screen: Screen, opened: OpenedGame, state: State, counted: bool) -> None:
    """Print the options, or the winners; with `counted`, also the points, because these differ."""
    names = names_of([Seat("random")] * state.game.program.seats)
    narrator = Narrator(state.game, opened.words, names)
    screen.text(narrator.title(), "strong")
    if state.over:
        screen.text(narrator.ending(state.winners))
    else:
        screen.text(narrator.prompt(state))
        for move in state.legal_moves():
            screen.text(f"  {narrator.option(state, move)}", indent="    ")
    if counted:
        screen.lines(scores(narrator, points_by_origin(narrator, state), state.winners, screen.width))
