"""Interface of backends, and bulk work in single steps: determinization, playouts and perft, as the C files do it.

Histories that lead to equal positions are merged: each position is expanded once and stored with its number of
histories.  Chance is enumerated: the rules run with scripted dice, and branch where the script ends.  Outcomes that
lead to equal positions (such as two copies of a card) count once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from operator import mul
from typing import ClassVar

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import (
    CancelToken,
    CycleQuery,
    Dice,
    Option,
    OptionStats,
    PerftLevel,
    PlayoutResult,
    RawEvent,
    State,
    VisibilityMask,
    ZoneCopy,
    reseed,
    write_choice,
    zone_sizes,
)
from wongar_dsl.compiler.backends.rng import Cursor, Generator, Purpose, derive, draw, start
from wongar_dsl.compiler.ir.containers import CONTAINERS

# ---- determinization -----------------------------------------------------------------------------------------------


#: Maximum sampled answer time in ms for a clock without an end.
MAX_ANSWER_TIME_MS = 60_000


def determinize_in_place(backend: Backend, cells: State, mask: VisibilityMask, generator: Generator) -> None:
    """Replace hidden information in place by a random sample.  Raises `RuleFault`."""
    reseed(cells, generator.seed())
    for spots in mask.hidden_zones:
        distribute(cells, spots, zone_sizes(cells, spots), generator)
    _resample_choices(backend, cells, mask.seat, generator)


def distribute(cells: State, spots: Sequence[ZoneCopy], wanted: Sequence[int], generator: Generator) -> None:
    """Distribute the hidden items of one type over their zones, `wanted` items to each.

    If the restrictions on items in zones make that impossible, nothing changes.
    """
    zones = [(spot, CONTAINERS[spot.field.kind]) for spot in spots]
    pool = sorted(thing for s, zone in zones for thing in zone.things(cells, s.at, s.field.width))
    generator.shuffle(pool)
    hands = _hands(pool, [(size, s.field.never) for size, (s, _) in zip(wanted, zones, strict=True)])
    if hands is not None:
        for (spot, zone), hand in zip(zones, hands, strict=True):
            zone.write(cells, spot.at, spot.field.width, hand)


def _hands(pool: list[int], wanted: list[tuple[int, tuple[int, ...]]]) -> list[list[int]] | None:
    """Deal shuffled cards to zones with a size and excluded cards; None if that is impossible.

    Each free slot gets the first card that fits, and displaces others if necessary (bipartite matching by augmenting
    paths).
    """
    seats = [never for size, never in wanted for _ in range(size)]
    holder: dict[int, int] = {}

    def settle(seat: int, untried: list[int]) -> bool:
        while (number := next((n for n in untried if pool[n] not in seats[seat]), -1)) >= 0:
            untried.remove(number)
            if number not in holder or settle(holder[number], untried):
                holder[number] = seat
                return True
        return False

    if any(seats):
        for seat in sorted(range(len(seats)), key=lambda s: -len(seats[s])):
            settle(seat, list(range(len(pool))))
    else:
        holder = {number: number for number in range(len(pool))}
    if len(holder) < len(seats):
        return None
    card_of = {seat: pool[number] for number, seat in holder.items()}
    hands, first = [], 0
    for size, _ in wanted:
        hands.append([card_of[seat] for seat in range(first, first + size)])
        first += size
    return hands


def _resample_choices(backend: Backend, cells: State, seat: int, generator: Generator) -> None:
    """Replace the hidden choices of other seats in a simultaneous decision by random ones."""
    for number, base, width, seat_cell in backend.program.simultaneous_cells:
        if cells[ir.AT_DECISION] != number:
            continue
        before = (cells[seat_cell], cells[ir.AT_SEAT])
        for chooser in range(backend.program.seats):
            row = base + chooser * width
            if chooser == seat or not cells[row]:
                continue
            cells[seat_cell] = cells[ir.AT_SEAT] = chooser
            options = backend.options(cells)
            if options:
                option = options[generator.below(len(options))]
                cells[row], cells[row + 1] = (
                    option[0] + 1,
                    random_answer_time(backend, cells, cells[row + 1], generator),
                )
                cells[row + 2 : row + width] = [*option[1:], *(0,) * (width - 1 - len(option))]
        cells[seat_cell], cells[ir.AT_SEAT] = before


def random_answer_time(backend: Backend, cells: State, taken: int, generator: Generator) -> int:
    """Return a random time that the clock allows for a hidden choice."""
    clock = backend.program.decisions[cells[ir.AT_DECISION]].clock
    if clock is None:
        return taken
    first, last = (backend.evaluate(cells, end, ()) if end >= 0 else None for end in clock)
    assert first is not None
    return first + generator.below((last if last is not None else first + MAX_ANSWER_TIME_MS) - first + 1)


# ---- enumeration ---------------------------------------------------------------------------------------------------


Cells = tuple[int, ...]
_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class ChanceNode:
    """Chance node: distinct successors with their weights."""

    outcomes: tuple[tuple[Node, int], ...]


#: Position as its cells, or chance node.
Node = Cells | ChanceNode


class ScriptEnded(Exception):
    """Raised when scripted dice run out, at a roll with `sides` outcomes."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


def scripted(script: Iterable[int]) -> Dice:
    """Return dice that return the numbers of a script and raise `ScriptEnded` at its end."""
    answers = iter(script)

    def dice(sides: int) -> int:
        answer = next(answers, None)
        if answer is None:
            raise ScriptEnded(sides)
        return answer

    return dice


def is_over(node: Node) -> bool:
    """Return whether a node is the end of a game."""
    return isinstance(node, tuple) and node[ir.AT_DECISION] == ir.OVER


def start_node(backend: Backend, seed: int, chance: bool) -> Node:
    """Return the root of the enumeration.  Raises `RuleFault`."""
    cells = backend.start(seed)
    return _outcomes(backend, cells) if chance else _run(backend, cells, None)


def successors(backend: Backend, node: Node, chance: bool) -> list[Node]:
    """Return all successors of a node.  Raises `RuleFault`."""
    if isinstance(node, ChanceNode):
        return [following for following, _ in node.outcomes]
    if is_over(node):
        return []
    successors = []
    for option in backend.options(list(node)):
        cells = list(node)
        backend.choose(cells, option)
        successors.append(_outcomes(backend, cells) if chance else _run(backend, cells, None))
    return successors


def _outcomes(backend: Backend, cells: State) -> Node:
    """Return the next position, or the tree of chance nodes before it."""

    def grow(script: tuple[int, ...]) -> Node:
        try:
            return _run(backend, cells.copy(), scripted(script))
        except ScriptEnded as opened:
            weights: dict[Node, int] = {}
            for answer in range(opened.sides):
                node = grow((*script, answer))
                weights[node] = weights.get(node, 0) + 1
            return ChanceNode(tuple(weights.items()))

    return grow(())


def _run(backend: Backend, cells: State, dice: Dice | None) -> Cells:
    """Return the next position with a decision, or the last one."""
    run_on(backend, cells, None, dice)
    return tuple(cells)


@cache
def _powers(size: int) -> tuple[int, ...]:
    """Return the factors of the fingerprint so far and of the cells of a state."""
    return tuple(pow(31, n, _WORD + 1) for n in range(size, -1, -1))


class Backend(ABC):
    """Program prepared to run.  A backend provides single steps; bulk work on them is here, and may be replaced."""

    name: ClassVar[str]
    #: Program that the backend runs.
    program: ir.Program

    @property
    def stepping_backend(self) -> Backend:
        """Backend for single steps: this one, or another one that it uses."""
        return self

    @property
    def bulk_backend(self) -> Backend:
        """Backend for bulk work: this one, or another one that it uses, after waiting for its compiler."""
        return self

    @property
    @abstractmethod
    def reached_marks(self) -> set[int]:
        """Marks reached by runs and queries since the set was last cleared, without those only tried in searches."""

    @abstractmethod
    def start(self, seed: int) -> State:
        """Return a new state before setup."""

    @abstractmethod
    def run(self, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
        """Run to the next decision or the end of the game.

        Does nothing at a decision.  `dice` replaces the random stream of the state.  Raises `RuleFault`.
        """

    @abstractmethod
    def advance(self, state: State) -> list[Option]:
        """Run without events to the next decision, through the pause before play, and return its `options`."""

    @abstractmethod
    def options(self, state: State) -> list[Option]:
        """Return the options of the pending decision, in order."""

    @abstractmethod
    def evaluate(self, state: State, procedure: int, arguments: tuple[int, ...]) -> int:
        """Return the value of a procedure in a state, which is unchanged."""

    @abstractmethod
    def search(self, state: State, query: CycleQuery, fuel: int) -> tuple[ir.CycleVerdict, int]:
        """Return the verdict of `ir.DetectCycle` with a step budget of `fuel`, and the budget left."""

    def choose(self, state: State, option: Option, time: int = 0) -> None:
        """Write the chosen option and the answer time in ms into the state; `run` continues from there."""
        write_choice(self.program, state, option, time)

    # ---- bulk work ----

    def playout(self, state: State, rng: Cursor, limit: int) -> tuple[int, Cursor]:
        """Play uniformly random options in place, to the end or for `limit` decisions.

        Returns the number of decisions and the position of the random stream.  Raises `RuleFault`.
        """
        counter, step = rng
        options = self.advance(state)
        for length in range(limit):
            if not options:
                return length, (counter, step)
            counter, number = draw(counter, step, len(options))
            self.choose(state, options[number])
            options = self.advance(state)
        return limit, (counter, step)

    def playouts(self, seed: int, first: int, last: int, limit: int) -> tuple[int, int]:
        """Play the random games `first` to `last` (exclusive) of a series.

        Each game has its own seed, derived from that of the series, for chance and choices.  Returns the number of
        decisions and a 64-bit fingerprint of the final positions.  Raises `RuleFault`.
        """
        decisions = fingerprint = 0
        factor, *powers = _powers(self.program.size)
        for number in range(first, last):
            game_seed = derive(seed, number)
            state = self.start(game_seed)
            decisions += self.playout(state, start(game_seed, Purpose.SAMPLING), limit)[0]
            # Only non-zero cells are summed, because most cells of a final position are 0.
            fingerprint = (fingerprint * factor + sum(map(mul, filter(None, state), compress(powers, state)))) & _WORD
        return decisions, fingerprint

    def outcomes(self, state: State, options: Sequence[Option], seed: int, limit: int) -> list[PlayoutResult]:
        """Return the result of a random playout after each option of a state, which is unchanged.

        All playouts use the same random numbers, to reduce the variance of comparisons.  Raises `RuleFault`.
        """
        score = self.program.score
        results = []
        for option in options:
            cells = state.copy()
            self.choose(cells, option)
            self.playout(cells, start(seed, Purpose.SAMPLING), limit)
            winners = cells[ir.AT_WINNERS] if cells[ir.AT_DECISION] == ir.OVER else 0
            scores = (cells[score.at(seat)] for seat in range(self.program.seats)) if score is not None else ()
            results.append(PlayoutResult(winners, tuple(scores)))
        return results

    def determinize(self, state: State, mask: VisibilityMask, rng: Cursor) -> Cursor:
        """Determinize a state in place: redistribute what a seat cannot see, and change future chance.

        Returns the position of the random stream.  Raises `RuleFault`.
        """
        generator = Generator(0)
        generator.cursor = rng
        determinize_in_place(self, state, mask, generator)
        return generator.cursor

    @abstractmethod
    def evaluate_options(
        self,
        state: State,
        mask: VisibilityMask,
        worlds: Sequence[State],
        iterations: int,
        seed: int,
        cancel: CancelToken,
    ) -> list[OptionStats]:
        """Evaluate the options of the pending decision by tree search (see `ismcts`).

        Runs `iterations` games; 0 means until cancelled.  Each begins with one of `worlds`, states that look the same
        to the seat, or with a new determinization.  Raises `RuleFault`.
        """

    def perft(self, seed: int, depth: int, chance: bool) -> Iterator[PerftLevel]:
        """Yield the perft result for 0, 1, ... `depth` steps; ends early when all games are over.

        A step is a decision.  With `chance` a roll is a step too; otherwise chance follows the seed.  Raises
        `RuleFault`.
        """
        layer: dict[Node, int] = {start_node(self, seed, chance): 1}
        for step in range(depth + 1):
            over = sum(n for node, n in layer.items() if is_over(node))
            yield PerftLevel(sum(layer.values()), len(layer), over)
            if step == depth or over == sum(layer.values()):
                return
            following: dict[Node, int] = {}
            for node, number in layer.items():
                for successor in successors(self, node, chance):
                    following[successor] = following.get(successor, 0) + number
            layer = following


def run_on(backend: Backend, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
    """Run to the next decision or the end, through the pause before play.  Raises `RuleFault`."""
    backend.run(state, events, dice)
    while state[ir.AT_DECISION] == ir.READY:
        backend.run(state, events, dice)
