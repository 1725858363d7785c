"""Games for two without chance or secrets, solved: who wins if both play as well as can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from wongar_dsl import library
from wongar_dsl.backends import run_on
from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.moves import Move

#: What a position is worth to a seat.
WON, DRAWN, LOST = 1, 0, -1


@dataclass(slots=True)
class Solver:
    """What positions of a game are worth, found by looking at all that can follow; for small games."""

    game: Game
    _known: dict[tuple[int, ...], int] = field(default_factory=dict)

    def worth(self, state: State) -> int:
        """What a position is worth to the first seat."""
        key = tuple(state.cells)
        if key not in self._known:
            if state.over:
                self._known[key] = DRAWN if len(state.winners) != 1 else WON if state.winners == (0,) else LOST
            else:
                worths = (self.worth(after) for _, after in following(state))
                self._known[key] = max(worths) if state.seat == 0 else min(worths)
        return self._known[key]

    def worth_of_moves(self, state: State) -> dict[Move, int]:
        """What each option is worth to the seat that decides."""
        sign = 1 if state.seat == 0 else -1
        return {move: sign * self.worth(after) for move, after in following(state)}


def following(state: State) -> Iterator[tuple[Move, State]]:
    """Every option, and where it leads."""
    for move in state.legal_moves():
        after = state.copy()
        after.game.backend.choose(after.cells, move.raw)
        run_on(after.game.backend, after.cells)
        yield move, after


def reachable(game: Game) -> Iterator[State]:
    """Every position in which somebody decides, each once."""
    rest, met = [game.start(0)[0]], set[tuple[int, ...]]()
    while rest:
        state = rest.pop()
        if state.over or tuple(state.cells) in met:
            continue
        met.add(tuple(state.cells))
        yield state
        rest += (after for _, after in following(state))


# ---- four in a row -------------------------------------------------------------------------------------------------

COLUMNS, ROWS = 7, 6
#: A column takes a bit more than it has rows, so that lines do not run over its edge.
HIGH = ROWS + 1
BOTTOM = sum(1 << column * HIGH for column in range(COLUMNS))
FULL = BOTTOM * ((1 << ROWS) - 1)


def late(seed: int, free: int) -> State:
    """A position of Connect Four in which so many squares are free, played at random."""
    generator, game = Generator(seed), library.load("connect_four").game(2)
    while True:
        state = game.start(0)[0]
        while not state.over and sum(state.cells[at] < 0 for _, _, at in game.copies["owner"]) > free:
            options = state.legal_moves()
            state.apply(options[generator.below(len(options))])
        if not state.over:
            return state


def connect_four(state: State) -> tuple[int, int]:
    """A position of Connect Four as bits: the pieces of the seat that decides, and all pieces."""
    mine = everything = 0
    for name, _, at in state.game.copies["owner"]:
        owner, bit = state.cells[at], 1 << (ord(name[0]) - ord("a")) * HIGH + int(name[1:]) - 1
        if owner >= 0:
            everything |= bit
            mine |= bit if owner == state.seat else 0
    return mine, everything


def four(pieces: int) -> bool:
    """Whether four stand in a line."""
    for step in (1, HIGH - 1, HIGH, HIGH + 1):
        pairs = pieces & pieces >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def solve_four(mine: int, everything: int, known: dict[tuple[int, int], int]) -> int:
    """What a position of Connect Four without a line is worth to who decides."""
    if everything == FULL:
        return DRAWN
    key = (mine, everything)
    if key not in known:
        best = LOST
        for worth in drops(mine, everything, known).values():
            best = max(best, worth)
        known[key] = best
    return known[key]


def drops(mine: int, everything: int, known: dict[tuple[int, int], int], stop: bool = True) -> dict[int, int]:
    """What it is worth to drop a piece into each column that has room; if it may `stop`, up to the first win."""
    found = dict[int, int]()
    open_ = [(c, (everything + (1 << c * HIGH)) & FULL & ~everything) for c in range(COLUMNS)]
    spots = [(column, spot & (((1 << ROWS) - 1) << column * HIGH)) for column, spot in open_]
    for column, spot in spots:
        if spot and four(mine | spot):
            found[column] = WON
            if stop:
                return found
    for column, spot in spots:
        if spot and column not in found:
            found[column] = -solve_four(everything & ~mine, everything | spot, known)
            if stop and found[column] == WON:
                return found
    return found
