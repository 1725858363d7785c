"""A decision in a counted loop knows which turn of it is at hand, as far as everybody may know that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import written
from wongar_dsl.engine import State
from wongar_dsl.library import load
from wongar_dsl.narration import Narrator
from wongar_dsl.words import Words

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


def asked(indent: int) -> str:
    return ASKED.replace("{indent}", " " * indent)


def turns_of(state: State) -> list[tuple[int, int] | None]:
    """What each decision knows of its turn, to the last one."""
    found = []
    while not state.over:
        assert state.decision is not None
        found.append(state.game.knowledge.turn(state.decision, state.cells))
        state.apply(next(iter(state.legal_moves())))
    return found


@pytest.mark.parametrize(
    ("statements", "turns"),
    [
        (f"    repeat 2 times\n        {asked(8)}", [(1, 2), (2, 2)]),
        (f"    repeat laps times\n        {asked(8)}", [(1, 3), (2, 3), (3, 3)]),
        (f"    repeat 2 times\n        if laps > 2\n            {asked(12)}", [None, None]),
        (f"    repeat 1 times\n        {asked(8)}", [None]),
        # How often that is depends on a card that nobody sees.
        (
            "    if top of stack is one\n        set known to 2\n    otherwise\n        set known to 3\n"
            f"    repeat known times\n        {asked(8)}",
            None,
        ),
        # Which turn it is would tell what the cards before it were.
        (f"    repeat 4 times\n        if top of stack is one\n            {asked(12)}", None),
        # What a definition asks for counts as if it stood there.
        (f"    repeat 2 times\n        if open_to(penny)\n            {asked(12)}", [(1, 2), (2, 2)]),
        (f"    repeat 4 times\n        if lucky()\n            {asked(12)}", None),
        # Nor is it the first of two where each player of a loop is asked, but always the same one answers.
        (f"    repeat 2 times\n        for each p in player\n            {asked(12)}", [None] * 4),
        (
            "    repeat 2 times\n        for each p in player\n            " + asked(12).replace("player(1)", "p"),
            [(1, 2), (1, 2), (2, 2), (2, 2)],
        ),
    ],
)
def test_which_turn_it_is_is_known_where_nothing_hidden_has_a_part_in_it(
    tmp_path: Path, statements: str, turns: list[tuple[int, int] | None] | None
) -> None:
    game = load(str(written(tmp_path, GAME.replace("{statements}", statements)))).game(2)
    if turns is not None:
        assert turns_of(game.start(1)[0])[:-1] == turns
    else:
        found = [turn for seed in range(1, 7) for turn in turns_of(game.start(seed)[0])[:-1]]
        assert found
        assert not any(found)


@pytest.mark.parametrize(
    ("language", "end"), [("de", "? (1 von 12)"), ("nl", "? (1 van 12)"), ("it", "? (1 di 12)"), ("en", "? (1 of 12)")]
)
def test_a_question_says_how_often_it_is_put(language: str, end: str) -> None:
    game = load("wongar/initiated").game(3)
    state, _ = game.start(3)
    assert Narrator(game, Words.load(language), ("Anna", "Ben", "Cleo")).prompt(state).endswith(end)
