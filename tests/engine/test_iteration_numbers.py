"""Iteration numbers of decisions in counted loops, as far as they are public."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine import State
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator

GAME = """
cards card
    one
    two
deck cards_of of card
    2 one
    2 two
pile stack holds at most 4 card, seen by nobody
enum coin = penny
remember laps: number 0 to 9 = 3
remember known: number 0 to 9 = 0, seen by nobody
tokens lying of each player holds coin, seen by all
define open_to(kind: coin) =
    some p in player where lying[p, kind] = 0
define lucky() =
    top of stack is one
play
    fill stack with cards_of
    shuffle stack
{statements}
    player(1) chooses finish
        stop
            nothing
    nobody wins
"""

ASKED = """player(1) chooses answer
{indent}    agree
{indent}        nothing
{indent}    refuse
{indent}        nothing"""


def indented_decision(indent: int) -> str:
    return ASKED.replace("{indent}", " " * indent)


def loop_turns(state: State) -> list[tuple[int, int] | None]:
    """Return the iteration (number, total) of each decision up to the end of the game."""
    turns = []
    while not state.over:
        assert state.decision is not None
        turns.append(state.game.knowledge.iteration(state.decision, state.cells))
        state.apply(next(iter(state.legal_moves())))
    return turns


@pytest.mark.parametrize(
    ("statements", "turns"),
    [
        (f"    repeat 2 times\n        {indented_decision(8)}", [(1, 2), (2, 2)]),
        (f"    repeat laps times\n        {indented_decision(8)}", [(1, 3), (2, 3), (3, 3)]),
        (f"    repeat 2 times\n        if laps > 2\n            {indented_decision(12)}", [None, None]),
        (f"    repeat 1 times\n        {indented_decision(8)}", [None]),
        # The number of iterations depends on a hidden card.
        (
            "    if top of stack is one\n        set known to 2\n    otherwise\n        set known to 3\n"
            f"    repeat known times\n        {indented_decision(8)}",
            None,
        ),
        # The iteration would reveal the cards before it.
        (f"    repeat 4 times\n        if top of stack is one\n            {indented_decision(12)}", None),
        # A condition in a definition counts like one in the loop.
        (f"    repeat 2 times\n        if open_to(penny)\n            {indented_decision(12)}", [(1, 2), (2, 2)]),
        (f"    repeat 4 times\n        if lucky()\n            {indented_decision(12)}", None),
        # No iteration is given where an inner loop over players always asks the same player.
        (f"    repeat 2 times\n        for each p in player\n            {indented_decision(12)}", [None] * 4),
        (
            "    repeat 2 times\n        for each p in player\n            "
            + indented_decision(12).replace("player(1)", "p"),
            [(1, 2), (1, 2), (2, 2), (2, 2)],
        ),
        # A name keeps a public value.
        (
            f"    let enough = laps\n    repeat 2 times\n        if enough > 2\n            {indented_decision(12)}",
            [(1, 2), (2, 2)],
        ),
    ],
)
def test_loop_turn_is_given_if_it_reveals_nothing_hidden(
    tmp_path: Path, statements: str, turns: list[tuple[int, int] | None] | None
) -> None:
    game = load(str(write_rules(tmp_path, GAME.replace("{statements}", statements)))).game(2)
    if turns is not None:
        assert loop_turns(game.start(1)[0])[:-1] == turns
    else:
        turns_of_games = [turn for seed in range(1, 7) for turn in loop_turns(game.start(seed)[0])[:-1]]
        assert turns_of_games
        assert not any(turns_of_games)


@pytest.mark.parametrize(
    ("language", "end"), [("de", "? (1 von 12)"), ("nl", "? (1 van 12)"), ("it", "? (1 di 12)"), ("en", "? (1 of 12)")]
)
def test_prompt_states_the_loop_turn(language: str, end: str) -> None:
    game = load("wongar/initiated").game(3)
    state, _ = game.start(3)
    assert Narrator(game, Translator.load(language), ("Anna", "Ben", "Cleo")).prompt(state).endswith(end)
