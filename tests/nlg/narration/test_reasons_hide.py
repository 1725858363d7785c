"""A reason for an unavailable option reveals nothing that the unavailability itself does not reveal."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from wongar_dsl.engine import Game, IllegalMove, State
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.illegal_move import explain, explain_nearest

from .told import change, game_of
from .told import narrator as narrator_of

OPTIONS = 60
HIDDEN = (
    "strength(left of p) < 2",
    "strength(left of p) > 0",
    "rank of holding of left of p is king",
    "strength(left of p) < strength(p)",
    "(no q in player where q is not p and strength(q) > 1)",
)
VISIBLE = ("stake of p > 1", "rank of holding of p is queen", "stock is empty")


def generated(rng: random.Random, depth: int) -> str:
    """Return a random condition on cards that the deciding player sees or not."""
    kind = rng.choice(("not", "and", "or", "and")) if depth else "atom"
    if kind == "atom":
        return rng.choice(rng.choice((HIDDEN, VISIBLE)))
    if kind == "not":
        return f"not ({generated(rng, depth - 1)})"
    return f" {kind} ".join(f"({generated(rng, depth - 1)})" for _ in range(2))


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    rng = random.Random(5)
    lines = ["add to choice opening"]
    for number in range(OPTIONS):
        # An option of its own, and one whose argument has the first of the conditions.
        conditions = [generated(rng, rng.choice((0, 1, 2))) for _ in range(rng.choice((1, 2)))]
        where = f"(n: 1 to 2 where {conditions.pop()})" if len(conditions) > 1 else ""
        lines += [f"    look_{number}{where} if {conditions[0]}", "        nothing"]
    return game_of(tmp_path_factory.mktemp("looks"), change("kuhn_poker", "\n".join(lines)))


@pytest.fixture(scope="module")
def deals(game: Game) -> Mapping[tuple[int, ...], State]:
    places = [address for _, _, address in game.copies["holding"]]
    states = (game.start(seed)[0] for seed in range(40))
    found = {tuple(state.cells[place] for place in places): state for state in states}
    assert len(found) == 6
    return found


def told(state: State, text: str, narrator: Narrator) -> tuple[object, ...]:
    """Return what the deciding seat learns from the refusal of a move, or that there is none."""
    try:
        state.read(text)
    except IllegalMove as error:
        lines = (explain(error, state, narrator, state.seat), explain_nearest([error], state, narrator, state.seat))
        return str(error), error.check, *map(tuple, lines)
    return ()


def test_a_reason_is_the_same_in_all_deals_that_refuse_the_option(
    game: Game, deals: Mapping[tuple[int, ...], State]
) -> None:
    narrator = narrator_of(game)
    (decision,) = {state.decision for state in deals.values()}
    assert decision is not None
    options = [option.name + "(1)" * bool(option.parameters) for option in decision.options]
    refused = 0
    for option in options:
        for card in range(3):
            texts = {told(state, option, narrator) for hands, state in deals.items() if hands[0] == card} - {()}
            refused += len(texts)
            assert len(texts) <= 1, texts
    assert refused > OPTIONS
