"""Choices in a replay: their visibility, and the solutions of puzzles."""

from __future__ import annotations

import random

from wongar_dsl.engine import State, library
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.changes import Replay
from wongar_dsl.session.puzzle import Puzzle

NAMES = ("Anna", "Ben", "Cleo", "Dario", "Eva")


def match_and_narrator(game: str, steps: int = 60, seed: int = 5) -> tuple[Match, Narrator]:
    rules, luck = library.load(game), random.Random(seed)
    match = Match.begin(rules.game(rules.model.players[0]), [Seat("random")] * rules.model.players[0], seed, rules.hash)
    while len(match.steps) < steps and not match.state.over:
        match.play(luck.choice(match.state.legal_moves()))
    return match, Narrator(match.game, Translator.load("en"), NAMES[: match.game.seats])


def test_hidden_choice_appears_only_in_its_makers_replay() -> None:
    views: dict[int | None, set[object]] = {None: set(), 0: set(), 1: set()}
    for option in range(3):
        match, narrator = match_and_narrator("goofspiel", 0)
        match.play(match.state.legal_moves()[option])
        assert match.steps[0].seat == 0
        for viewer, seen in views.items():
            shown = Replay(match, narrator, viewer).at(1)
            seen.add((shown.seat, shown.choice, shown.lines, shown.marked, shown.layout))
    assert [len(views[viewer]) for viewer in (None, 0, 1)] == [1, 3, 1]


def test_replay_shows_solutions_of_solved_and_lost_puzzles() -> None:
    match, narrator = match_and_narrator("ubongo", 1000)
    replay = Replay(match, narrator, EVERYTHING)
    solved = lost = 0
    for number in range(1, len(replay) + 1):
        shown, step = replay.at(number), match.steps[number - 1]
        puzzle = Puzzle.of(State(match.game, match.state_before(number - 1)))
        if puzzle is None:
            assert shown.layout is None
        elif step.move in puzzle.solutions.values():
            assert shown.layout is not None
            assert not shown.lost
            assert puzzle.solution(step.text) == step.move == shown.layout.solution
            solved += 1
        elif shown.layout is not None:
            assert shown.lost
            assert shown.layout.solution in puzzle.solutions.values()
            lost += 1
    assert solved
    assert lost


def test_solution_of_a_repeatable_puzzle_is_hidden() -> None:
    match, narrator = match_and_narrator("ubongo", 0)
    while Puzzle.of(match.state) is None:
        match.play(match.state.legal_moves()[0])
    puzzle = Puzzle.of(match.state)
    assert puzzle is not None
    match.play(puzzle.others[-1])
    for viewer in (EVERYTHING, None, *range(match.game.seats)):
        shown = Replay(match, narrator, viewer).at(len(match.steps))
        assert (shown.layout, shown.lost) == (None, False)
