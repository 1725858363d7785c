"""Random games on the bare backend, for properties that need many of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, State
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game, library
from wongar_dsl.engine import State as Position

BOUND = 20_000


def games() -> Iterator[tuple[str, int]]:
    """Yield every shipped game and variant with every number of seats."""
    for name in names():
        try:
            low, high = library.load(name).model.players
        except RulesError:  # Only the tests of this game then fail.
            low = high = 2
        for seats in range(low, high + 1):
            yield name, seats


def tables() -> Iterator[tuple[str, int]]:
    """Yield every shipped game with every number of seats, and every variant with the fewest.

    The goldens and `python -m benchmarks.soak --only matches` play variants with every number of seats.
    """
    fewest = dict(reversed(list(games())))
    yield from ((name, seats) for name, seats in games() if "/" not in name or seats == fewest[name])


def names() -> Iterator[str]:
    """Yield every shipped game and variant."""
    yield from library.builtin_names()


_GAMES: dict[tuple[str, int, str, tuple[tuple[str, int], ...]], Game] = {}


def game(name: str, seats: int, backend: str = "python", options: tuple[tuple[str, int], ...] = ()) -> Game:
    """Return a game, loaded once per process."""
    key = (name, seats, backend, options)
    if key not in _GAMES:
        _GAMES[key] = library.load(name).game(seats, dict(options), backend)
    return _GAMES[key]


def play(played: Game, seed: int, at_decision: Callable[[State, list[Option]], None]) -> State:
    """Play one random game to its end. `at_decision` receives every state with a decision, and the last state."""
    runner, generator = played.backend, Generator(seed)
    cells = runner.start(seed)
    runner.run(cells)
    for _ in range(BOUND):
        while cells[ir.AT_DECISION] == ir.READY:
            runner.run(cells)
        if cells[ir.AT_DECISION] < 0:
            at_decision(cells, [])
            return cells
        options = runner.options(cells)
        at_decision(cells, options)
        runner.choose(cells, options[generator.below(len(options))])
        runner.run(cells)
    raise AssertionError(f"{played.name} with seed {seed} does not end")


def positions(played: Game, seed: int, every: int) -> Iterator[Position]:
    """Yield copies of some of the states of one random game, one in `every` on average."""
    generator = Generator(seed + 1)
    state, _ = played.start(seed)
    while not state.over:
        if generator.below(every) == 0:
            yield state.copy()
        moves = state.legal_moves()
        state.apply(moves[generator.below(len(moves))])
