"""Forecasts: the effects of each option as far as the deciding seat can see."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine import Game, Move, library
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.forecast import Forecast, ForecastWorker, costly_choice_question, full_text, one_line
from wongar_dsl.session.scene import areas_of_move

NAMES = ("Anna", "Ben", "Cleo")
SMALL = """
score points
enum coin = penny
enum room = hall, attic
tokens own of each player holds coin, seen by all
tokens lying of each room of each player holds coin, seen by all
cards card
    plain
deck pack of card total 6
    6 plain
pile cards_left holds card, seen as a number
hand held of each player holds card, seen by owner
setup
    fill cards_left with pack
    for each p in player
        fill own of p with 9 penny
        move 5 penny from own of p to lying[hall, p]
play
    repeat 99 times
        for each me in player
            me chooses turn
"""
END = """
    end game

winner p
    most points of p
"""


def loaded_game(name: str | Path, seats: int) -> tuple[Game, str]:
    """Return a game and the hash of its rules."""
    rules = library.load(name)
    return rules.game(seats), rules.hash


#: Shipped games do not change, so their matches share them.
shipped_game = cache(loaded_game)


def match(name: str | Path, seats: int = 2, seed: int = 1, *moves: str) -> Match:
    game, rules_hash = shipped_game(name, seats) if isinstance(name, str) else loaded_game(name, seats)
    sample = Match.begin(game, [Seat("human")] * seats, seed, rules_hash)
    for move in moves:
        sample.play(sample.state.read(move))
    return sample


def forecasts(at: Match) -> dict[str, Forecast]:
    moves = at.state.legal_moves()
    worker = ForecastWorker(at, moves)
    assert worker.work(lambda: False)
    return {at.state.write(move): forecast for move in moves if (forecast := worker.of(move)) is not None}


def forecast_text(at: Match, move: str, language: str = "en") -> str:
    return one_line(forecasts(at)[move], narrator(at, language))


def narrator(at: Match, language: str = "en") -> Narrator:
    return Narrator(at.game, Translator.load(language), NAMES[: at.game.seats])


def small_match(folder: Path, options: str) -> Match:
    """Return a game in which every player repeatedly chooses among these options."""
    lines = "".join(f"                {line}\n" for line in options.strip("\n").split("\n"))
    return match(write_rules(folder, SMALL + lines + END))


# ---- content ----


def test_winning_move_is_forecast() -> None:
    sample = match("tictactoe", 2, 1, "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")
    assert forecast_text(sample, "mark(a3)") == "so: Anna wins"
    assert forecast_text(sample, "mark(c1)") == ""
    assert forecast_text(sample, "mark(a3)", "de") == "so: Anna gewinnt"


def test_ceremony_forecast_assumes_that_all_players_stop() -> None:
    sample = match("wongar", 3, 5)
    while sample.state.decision is not None and sample.state.decision.name != "ancestor_walk":
        take = next(
            (m for m in sample.state.legal_moves() if forecasts(sample)[sample.state.write(m)].next_moves), None
        )
        sample.play(take or sample.state.legal_moves()[0])
    for move in sample.state.legal_moves():
        forecast = forecasts(sample)[sample.state.write(move)]
        gained = dict.fromkeys(range(3), 0)
        trial = match("wongar", 3, 5)
        for step in sample.steps:
            trial.play(step.move)
        before = trial.state.scores
        trial.play(move)
        while trial.state.decision is not None and trial.state.decision.name == "ritual_choice":
            trial.play(trial.state.read("stop"))
        gained = {p: trial.state.scores[p] - before[p] for p in range(3) if trial.state.scores[p] != before[p]}
        assert dict(forecast.points) == gained
        assert (one_line(forecast, narrator(sample)) != "") == bool(gained)


def test_further_steps_of_a_figure_are_forecast_apart_from_the_first() -> None:
    sample = match("wongar", 3, 5)
    pairs = [(sample.state.read(move), forecast) for move, forecast in forecasts(sample).items() if forecast.next_moves]
    assert pairs
    for move, forecast in pairs:
        assert one_line(forecast, narrator(sample)).startswith("then choose for the ancestor")
        immediate = areas_of_move(sample.state, move)
        next_places = {("area", later_move.arguments[-1]) for later_move in forecast.next_moves}
        assert {place for place in forecast.places if place[0] == "area"} >= next_places
        assert immediate
        assert immediate <= forecast.places - forecast.later
        assert next_places - immediate <= forecast.later <= forecast.places


#: Options of a small game, and the loss and risk of each.
COSTS = """
clear
    move 5 penny from lying[hall, me] to own of me
carry
    move 5 penny from lying[hall, me] to lying[attic, me]
one
    move 1 penny from lying[hall, me] to own of me
buy
    move 5 penny from lying[hall, me] to own of me
    move 1 penny from own of me to lying[attic, me]
score
    move 5 penny from lying[hall, me] to own of me
    me gains 4 points
give
    move 5 penny from lying[hall, me] to own of me
    for each p in player where p is not me
        p gains 4 points
pay
    me loses 7 points
nap
    nothing
"""
LOSSES = {
    "clear": (5, True), "carry": (0, False), "one": (1, False), "buy": (4, False), "score": (5, False),
    "give": (5, True), "pay": (0, True), "nap": (0, False),
}  # fmt: skip


def test_pieces_returned_to_the_supply_and_points_are_lost_unless_something_is_gained(tmp_path: Path) -> None:
    sample = small_match(tmp_path, COSTS)
    by_option = forecasts(sample)
    assert {name: (f.loss, f.risky) for name, f in by_option.items()} == LOSSES
    assert one_line(by_option["pay"], narrator(sample)) == "so: Anna −7"
    # The warning states gains of other players.
    warning = costly_choice_question(by_option["give"], narrator(sample))
    assert "5 penny back to your supply" in warning
    assert warning.endswith(" · so: Ben +4")


# ---- end of a forecast ----


def end_reasons(folder: Path, options: str) -> dict[str, str]:
    return {name: f.end for name, f in forecasts(small_match(folder, options)).items()}


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        (
            "roll\n    let to_room = random k in room\n    move 1 penny from lying[hall, me] to lying[to_room, me]\n"
            "draw\n    move top of cards_left to held of me\ngain\n    me gains 1 points\nstop\n    end game",
            {"roll": "chance", "draw": "hidden", "gain": "choice", "stop": "over"},
        ),
        # All players pass until the limit is reached.
        ("gain\n    me gains 1 points\npass\n    nothing", {"gain": "far", "pass": "far"}),
        (
            "gain\n    me gains 1 points\npass\n    nothing\nwait\n    nothing",
            {"gain": "choice", "pass": "choice", "wait": "choice"},
        ),
        (
            "gain\n    me gains 1 points\npass if top of cards_left is plain\n    nothing",
            {"gain": "hidden", "pass": "hidden"},
        ),
    ],
    ids=["random number, card and choice", "a single pass", "two ways to pass", "a pass by a hidden card"],
)
def test_forecast_ends_at_chance_hidden_state_and_choices(options: str, ends: dict[str, str], tmp_path: Path) -> None:
    assert {name: f.end for name, f in forecasts(small_match(tmp_path, options)).items()} == ends


# ---- computation ----


def test_forecasts_are_computed_incrementally_without_side_effects() -> None:
    sample = match("wongar", 3, 5)
    before = sample.state.cells.copy()
    moves = sample.state.legal_moves()
    worker = ForecastWorker(sample, moves)
    turns = iter([False, False, True])
    assert not worker.work(lambda: next(turns))
    assert [worker.of(move) is not None for move in moves[:3]] == [True, True, False]
    assert worker.work(lambda: False)
    assert worker.complete
    assert sample.state.cells == before


def test_no_forecasts_are_computed_while_a_clock_runs() -> None:
    sample = match("ubongo", 2)
    while sample.state.clock is None:
        sample.play(sample.state.legal_moves()[0])
    assert ForecastWorker(sample, sample.state.legal_moves()).complete


def test_full_text_ends_with_the_limit_of_the_forecast() -> None:
    sample = match("wongar", 3, 5)
    forecast = next(f for f in forecasts(sample).values() if f.next_moves)
    for language, last in {
        "en": "What comes next depends on a player’s decision.",
        "de": "Wie es weitergeht, hängt davon ab, wie sich jemand entscheidet.",
    }.items():
        lines = full_text(forecast, narrator(sample, language), sample.state.seat)
        assert len(lines) >= 3
        assert lines[-1] == last


def test_unknown_move_has_no_forecast() -> None:
    sample = match("tictactoe")
    assert ForecastWorker(sample, sample.state.legal_moves()).of(Move(99)) is None
