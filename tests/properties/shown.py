"""Small games with all kinds of hidden information, and everything that a seat is shown of a game."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from tests.properties.play import game
from wongar_dsl.adapters.observations import Observations
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.hidden_information.lookahead import provisional_scores
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import lines
from wongar_dsl.engine.undo_policy import undo_barrier
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.changes import changes_since
from wongar_dsl.session.forecast import ForecastWorker, full_text, one_line, short_line
from wongar_dsl.session.menu import forced_move

#: Maximum number of options whose forecasts are compared.
MAX_FORECASTS = 12

SMALL = {path.stem: path for path in sorted((Path(__file__).resolve().parents[1] / "data").glob("*.rules"))}


def load_game(name: str, seats: int) -> Game:
    """Return a shipped game or one of the small ones."""
    return game(str(SMALL.get(name, name)), seats)


def undo_answers(match: Match, seat: int) -> list[object]:
    """Return the answers to a seat's attempts to undo its steps."""
    results: list[object] = []
    for number, choice in enumerate(match.past):
        if choice.seat == seat:
            final = undo_barrier(match.game, match.state_before(number), choice, seat)
            event = final and final.event and match.game.knowledge.visible_event(final.event, seat)
            results.append((final and final.reason, event and (event.spec, event.values)))
    return results


@cache
def observations_of(played: Game) -> Observations:
    return Observations(played)


def everything_shown(match: Match, seat: int) -> list[object]:
    """Return everything that a seat is shown of a game, now and before."""
    states = [State(match.game, match.state_before(number)) for number in range(len(match.steps) + 1)]
    return [
        [json.dumps(observe(state, seat)) for state in states],
        [observations_of(match.game).observe(state.cells, seat).tolist() for state in states],
        list(lines(match, seat)),
        undo_answers(match, seat),
        [state.legal_moves() for state in states if state.seat == seat],
        forecasts(match) if match.state.seat == seat else [],
        [changes_since(match, _narrator(match.game), seat, since) for since in {0, len(match.steps) // 2}],
        [forced_move(state) == "public" for state in states],
        [provisional_scores(state, seat) for state in states],
    ]


def forecasts(match: Match) -> list[object]:
    """Return the forecasts of the options, as shown to the deciding player."""
    option_forecasts = ForecastWorker(match, moves := match.state.legal_moves()[:MAX_FORECASTS])
    option_forecasts.work(lambda: False)
    shown_forecasts = [forecast for move in moves if (forecast := option_forecasts.of(move)) is not None]
    narrator, seat = _narrator(match.game), match.state.seat
    return [
        [
            *(
                f.immediate_events,
                f.later_events,
                f.end,
                f.next_moves,
                f.places,
                f.points,
                f.losses,
                f.figures,
                f.exchange,
                f.standing,
            ),
            *(one_line(f, narrator), short_line(f, narrator, seat), full_text(f, narrator, seat)),
        ]
        for f in shown_forecasts
    ]


@cache
def _narrator(played: Game) -> Narrator:
    return Narrator(played, Translator.load("en"), [f"Player {seat}" for seat in range(played.seats)])
