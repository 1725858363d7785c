"""Search for the first divergence of two games: a position in play with different options or results."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game, State

#: Number of games tried, and of decisions in each, before two games count as equal.
GAMES, DECISIONS = 200, 400


@dataclass(frozen=True, slots=True)
class Divergence:
    """Divergence of two games with the same seed after the moves `moves`, given in notation.

    `one` and `other` are the states at that point.
    """

    seed: int
    moves: tuple[str, ...]
    one: State
    other: State


def first_divergence(one: Game, other: Game, seed: int = 1, games: int = GAMES) -> Divergence | None:
    """Return the first divergence of two games among random plays with seeds from `seed` on, or None."""
    for number in range(games):
        divergence = _divergence(one, other, seed + number)
        if divergence is not None:
            return divergence
    return None


def _divergence(one: Game, other: Game, seed: int) -> Divergence | None:
    (first, _), (second, _) = one.start(seed), other.start(seed)
    generator, moves = Generator(seed), list[str]()
    for _ in range(DECISIONS):
        options = _signature(first)
        if options != _signature(second):
            return Divergence(seed, tuple(moves), first, second)
        if first.over:
            return None
        written = options[2][generator.below(len(options[2]))]
        moves.append(written)
        first.apply(first.read(written))
        second.apply(second.read(written))
    return None


def _signature(state: State) -> tuple[str, int, tuple[str, ...], tuple[int, ...]]:
    """Return the decision, its seat, its options and the scores; at the end, the winners and the scores."""
    decision = state.decision
    if state.over or decision is None:
        return "", -1, (), (*state.winners, *state.scores)
    return decision.name, state.seat, tuple(sorted(state.write(move) for move in state.legal_moves())), state.scores
