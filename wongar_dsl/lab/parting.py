"""Where two games part: the first position in play in which they offer, or end, something else."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine import Game, State

#: So many games are begun, and so many decisions made in each, before two games count as the same.
GAMES, DECISIONS = 200, 400


@dataclass(frozen=True, slots=True)
class Parting:
    """The games with this seed go alike for all of `moves` (as they are written), and not from there on.

    `one` and `other` are the states then, both with a decision or at their end.
    """

    seed: int
    moves: tuple[str, ...]
    one: State
    other: State


def parting(one: Game, other: Game, seed: int = 1, games: int = GAMES) -> Parting | None:
    """The first position where two games part, of `games` with seeds from `seed` on; None where they never do."""
    for number in range(games):
        found = _of_seed(one, other, seed + number)
        if found is not None:
            return found
    return None


def _of_seed(one: Game, other: Game, seed: int) -> Parting | None:
    (first, _), (second, _) = one.start(seed), other.start(seed)
    generator, moves = Generator(seed), list[str]()
    for _ in range(DECISIONS):
        options = _asked(first)
        if options != _asked(second):
            return Parting(seed, tuple(moves), first, second)
        if first.over:
            return None
        written = options[2][generator.below(len(options[2]))]
        moves.append(written)
        first.apply(first.read(written))
        second.apply(second.read(written))
    return None


def _asked(state: State) -> tuple[str, int, tuple[str, ...], tuple[int, ...]]:
    """Who is asked what and can choose what; at the end, who has won with how much."""
    decision = state.decision
    if state.over or decision is None:
        return "", -1, (), (*state.winners, *state.scores)
    return decision.name, state.seat, tuple(sorted(state.write(move) for move in state.legal_moves())), state.scores
