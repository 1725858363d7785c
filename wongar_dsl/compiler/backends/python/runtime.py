"""Run-time functions of generated source: random numbers, piles, hashes, and the loop over blocks.

A pile is stored as its number of cards, then the cards from the bottom up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import cycle_search, rng
from wongar_dsl.compiler.backends.protocol import CycleQuery, Dice, GameOver, Option, RawEvent, RuleFault, State
from wongar_dsl.compiler.backends.state_codec import end_game
from wongar_dsl.compiler.ir.program import (
    AT_BLOCK,
    AT_CHANCE,
    AT_DECISION,
    AT_STEP,
    BUDGET,
    FACTOR,
    FIRST_FREE,
    MASK,
    OVER,
    READY,
)

#: Function of a block: returns the number of the next block, negative to stop.
Block = Callable[[State, list[RawEvent] | None], int]
Lister = Callable[[State], list[Option]]


class RunTime:
    """Shared data of the functions of one program.

    `dice` replaces the random stream of the state unless it is None.  `fuel` is the remaining step budget.  `found` are
    options that the run has already listed, to check whether there are any.  `reached` collects marks.  `scratch` is
    memory that is 0 between statements of the rules.  `blocks` and `listers` (one per decision) are set after the
    source has been executed.
    """

    __slots__ = ("blocks", "dice", "found", "fuel", "listers", "program", "reached", "scratch")

    def __init__(self, program: ir.Program, reached: set[int]) -> None:
        self.program = program
        self.reached = reached
        self.scratch = [0] * program.scratch
        self.dice: Dice | None = None
        self.fuel = 0
        self.found: list[Option] | None = None
        self.blocks: Sequence[Block | None] = ()
        self.listers: Sequence[Lister] = ()

    def run(self, state: State, events: list[RawEvent] | None) -> None:
        """Run blocks to a decision, the end of setup or the end of the game."""
        self.found = None
        if state[AT_BLOCK] < 0:
            return
        self.fuel = BUDGET
        state[AT_DECISION] = OVER
        try:
            self._walk(state, events)
        except GameOver:
            end_game(self.program, state)
        if state[AT_DECISION] != READY:
            state[AT_BLOCK] = -1

    def _walk(self, state: State, events: list[RawEvent] | None) -> None:
        block, blocks = state[AT_BLOCK], self.blocks
        while block >= 0:
            block = blocks[block](state, events)  # type: ignore[misc]  # None only where no run comes by number

    def options(self, state: State) -> list[Option]:
        """Implement `Backend.options`, with a step budget of its own."""
        self.fuel = BUDGET
        return self.listers[state[AT_DECISION]](state) if state[AT_DECISION] >= 0 else []

    def advance(self, state: State) -> list[Option]:
        """Implement `Backend.advance`."""
        self.run(state, None)
        while state[AT_DECISION] == READY:
            self.run(state, None)
        return self.found or self.options(state)

    def detect_cycle(self, state: State, decision: int, seat: int, first: int, end: int) -> ir.CycleVerdict:
        """Return the verdict of `ir.DetectCycle`."""
        verdict, self.fuel = self.search(state, CycleQuery(decision, seat, first, end), self.fuel)
        return verdict

    def search(self, state: State, query: CycleQuery, fuel: int) -> tuple[ir.CycleVerdict, int]:
        """Implement `Backend.search`."""
        outer_fuel, self.fuel = self.fuel, fuel
        dice, self.dice = self.dice, cycle_search.no_chance
        before = self.reached.copy() if self.program.marks else None
        try:
            return cycle_search.search(self.program, self, state, query), self.fuel
        finally:
            self.fuel, self.dice, self.found = outer_fuel, dice, None
            if before is not None:  # Marks reached only in a search do not count.
                self.reached.intersection_update(before)

    def run_from(self, state: State) -> None:
        """Implement `cycle_search.ChoiceRunner.run_from`."""
        self.found = None
        self._walk(state, [])

    def legal_options(self, state: State) -> list[Option]:
        """Implement `cycle_search.ChoiceRunner.legal_options`."""
        return self.found or self.listers[state[AT_DECISION]](state)

    def fail(self, fault: int) -> None:
        """Stop with a fault, which may occur in the middle of a statement."""
        self.forget()
        raise RuleFault(self.program.faults[fault])

    def forget(self) -> None:
        """Clear the scratch memory after an aborted statement."""
        self.scratch[:] = [0] * len(self.scratch)

    def roll(self, state: State, n: int) -> int:
        """Return a random number below n."""
        if n <= 1:
            return 0
        if self.dice is not None:
            return self.dice(n)
        state[AT_CHANCE], value = rng.draw(state[AT_CHANCE], state[AT_STEP], n)
        return value

    def shuffle(self, state: State, pile: int) -> None:
        """Shuffle a pile."""
        n = state[pile]
        cards = state[pile + 1 : pile + 1 + n]
        for i in range(n - 1, 0, -1):
            j = self.roll(state, i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        state[pile + 1 : pile + 1 + n] = cards

    def push(self, state: State, pile: int, card: int, capacity: int, fault: int) -> None:
        """Put a card on top of a pile."""
        n = state[pile]
        if n >= capacity:
            self.fail(fault)
        state[pile] = n + 1
        state[pile + n + 1] = card

    def push_under(self, state: State, pile: int, card: int, capacity: int, fault: int) -> None:
        """Put a card under a pile."""
        n = state[pile]
        if n >= capacity:
            self.fail(fault)
        state[pile] = n + 1
        state[pile + 1 : pile + n + 2] = [card, *state[pile + 1 : pile + n + 1]]

    def pop(self, state: State, pile: int, fault: int) -> int:
        """Remove the top card of a pile."""
        n = state[pile]
        if n == 0:
            self.fail(fault)
        card = state[pile + n]
        state[pile + n] = 0
        state[pile] = n - 1
        return card

    def pop_bottom(self, state: State, pile: int, fault: int) -> int:
        """Remove the bottom card of a pile."""
        if state[pile] == 0:
            self.fail(fault)
        return take_out(state, pile, 0)

    def remove_card(self, state: State, pile: int, card: int, fault: int) -> None:
        """Remove the topmost copy of a card from a pile."""
        for i in range(state[pile] - 1, -1, -1):
            if state[pile + 1 + i] == card:
                take_out(state, pile, i)
                return
        self.fail(fault)


def take_out(state: State, pile: int, index: int) -> int:
    """Remove the card at an index from a pile; the cell that becomes unused is set to 0."""
    n = state[pile]
    card = state[pile + 1 + index]
    state[pile + 1 + index : pile + n + 1] = [*state[pile + 2 + index : pile + n + 1], 0]
    state[pile] = n - 1
    return card


def last_of(cells: list[int], value: int) -> int:
    """Return the index of the last occurrence of a value, -1 if absent; `cells` is modified."""
    if value not in cells:
        return -1
    cells.reverse()
    return len(cells) - 1 - cells.index(value)


def hash_state(state: State, first: int, end: int) -> int:
    """Return the hash of `ir.HashState`, without the header and a range of cells."""
    number = 0
    for cell in state[FIRST_FREE:first]:
        number = (number * FACTOR + cell + 1) & MASK
    for cell in state[end:]:
        number = (number * FACTOR + cell + 1) & MASK
    return number
