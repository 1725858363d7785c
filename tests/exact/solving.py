"""Exact solvers for two-player games without chance or hidden information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from wongar_dsl.compiler.backends import run_on
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game, State, library
from wongar_dsl.engine.notation import Move

#: Values of a position for a seat.
WON, DRAWN, LOST = 1, 0, -1


@dataclass(slots=True)
class Solver:
    """Game-theoretic values by full search, for small games."""

    game: Game
    _known: dict[tuple[int, ...], int] = field(default_factory=dict)

    def worth(self, state: State) -> int:
        """Return the value of a position for the first seat."""
        key = tuple(state.cells)
        if key not in self._known:
            if state.over:
                self._known[key] = DRAWN if len(state.winners) != 1 else WON if state.winners == (0,) else LOST
            else:
                worths = (self.worth(after) for _, after in successors(state))
                self._known[key] = max(worths) if state.seat == 0 else min(worths)
        return self._known[key]

    def worth_of_moves(self, state: State) -> dict[Move, int]:
        """Return the value of each option for the deciding seat."""
        sign = 1 if state.seat == 0 else -1
        return {move: sign * self.worth(after) for move, after in successors(state)}


def successors(state: State) -> Iterator[tuple[Move, State]]:
    """Yield every option with the position after it."""
    for move in state.legal_moves():
        after = state.copy()
        after.game.backend.choose(after.cells, move.raw)
        run_on(after.game.backend, after.cells)
        yield move, after


def reachable(game: Game) -> Iterator[State]:
    """Yield every position with a decision, each once."""
    rest, seen_states = [game.start(0)[0]], set[tuple[int, ...]]()
    while rest:
        state = rest.pop()
        if state.over or tuple(state.cells) in seen_states:
            continue
        seen_states.add(tuple(state.cells))
        yield state
        rest += (after for _, after in successors(state))


# ---- Connect Four
# --------------------------------------------------------------------------------------------------------

COLUMNS, ROWS = 7, 6
#: A column has one bit more than rows, so that lines do not wrap around its edge.
HIGH = ROWS + 1
BOTTOM = sum(1 << column * HIGH for column in range(COLUMNS))
FULL = BOTTOM * ((1 << ROWS) - 1)


def late_position(seed: int, free: int) -> State:
    """Return a random position of Connect Four with this many free squares."""
    generator, game = Generator(seed), library.load("connect_four").game(2)
    while True:
        state = game.start(0)[0]
        while not state.over and sum(state.cells[address] < 0 for _, _, address in game.copies["owner"]) > free:
            options = state.legal_moves()
            state.apply(options[generator.below(len(options))])
        if not state.over:
            return state


def to_bitboards(state: State) -> tuple[int, int]:
    """Return a position of Connect Four as bits: the pieces of the deciding seat, and all pieces."""
    mine = everything = 0
    for name, _, address in state.game.copies["owner"]:
        owner, bit = state.cells[address], 1 << (ord(name[0]) - ord("a")) * HIGH + int(name[1:]) - 1
        if owner >= 0:
            everything |= bit
            mine |= bit if owner == state.seat else 0
    return mine, everything


def has_line_of_four(pieces: int) -> bool:
    """Return whether four pieces form a line."""
    for step in (1, HIGH - 1, HIGH, HIGH + 1):
        pairs = pieces & pieces >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def solve_four(mine: int, everything: int, known: dict[tuple[int, int], int]) -> int:
    """Return the value of a Connect Four position without a line for the deciding seat."""
    if everything == FULL:
        return DRAWN
    key = (mine, everything)
    if key not in known:
        best = LOST
        for worth in drop_values(mine, everything, known).values():
            best = max(best, worth)
        known[key] = best
    return known[key]


def drop_values(mine: int, everything: int, known: dict[tuple[int, int], int], stop: bool = True) -> dict[int, int]:
    """Return the value of a drop into each free column; with `stop`, only up to the first win."""
    values = dict[int, int]()
    open_ = [(c, (everything + (1 << c * HIGH)) & FULL & ~everything) for c in range(COLUMNS)]
    spots = [(column, spot & (((1 << ROWS) - 1) << column * HIGH)) for column, spot in open_]
    for column, spot in spots:
        if spot and has_line_of_four(mine | spot):
            values[column] = WON
            if stop:
                return values
    for column, spot in spots:
        if spot and column not in values:
            values[column] = -solve_four(everything & ~mine, everything | spot, known)
            if stop and values[column] == WON:
                return values
    return values
