"""What generated source calls at run time: chance, piles, imprints, and the run from block to block.

A pile stands in the state as the number of its cards, then the cards from the bottom up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wongar_dsl import ir
from wongar_dsl.backends import chance, rounds
from wongar_dsl.backends.protocol import Dice, Option, Over, Question, RawEvent, RuleFault, State
from wongar_dsl.backends.states import finish
from wongar_dsl.ir.program import (
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

Block = Callable[[State, list[RawEvent] | None], int]
"""A block as a function: runs and gives the number of the block to go on with, below 0 to stop."""
Lister = Callable[[State], list[Option]]


class Machine:
    """What the functions of one program share while they run.

    `dice` answers instead of the state's own generator where it is not None; `fuel` is what is left of the step budget;
    `found` are the options that the run listed itself, to see whether there are any.
    `reached` are the marks that runs come to; `scratch` is memory that holds only 0 between statements of the rules.
    `blocks` and `listers` (one a decision) are filled in once the source has been carried out.
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
        """Go on from block to block until somebody must decide, the setup is done or the game is over."""
        self.found = None
        if state[AT_BLOCK] < 0:
            return
        self.fuel = BUDGET
        state[AT_DECISION] = OVER
        try:
            self._walk(state, events)
        except Over:
            finish(self.program, state)
        if state[AT_DECISION] != READY:
            state[AT_BLOCK] = -1

    def _walk(self, state: State, events: list[RawEvent] | None) -> None:
        block, blocks = state[AT_BLOCK], self.blocks
        while block >= 0:
            block = blocks[block](state, events)  # type: ignore[misc]  # None only where no run comes by number

    def options(self, state: State) -> list[Option]:
        """See `Backend.options`: whoever asks from outside has a budget of its own."""
        self.fuel = BUDGET
        return self.listers[state[AT_DECISION]](state) if state[AT_DECISION] >= 0 else []

    def advance(self, state: State) -> list[Option]:
        """See `Backend.advance`."""
        self.run(state, None)
        while state[AT_DECISION] == READY:
            self.run(state, None)
        return self.found or self.options(state)

    def endless(self, state: State, decision: int, seat: int, first: int, end: int) -> ir.Rounds:
        """What `ir.Endless` finds out."""
        found, self.fuel = self.search(state, Question(decision, seat, first, end), self.fuel)
        return found

    def search(self, state: State, question: Question, fuel: int) -> tuple[ir.Rounds, int]:
        """See `Backend.search`."""
        kept, self.fuel = self.fuel, fuel
        dice, self.dice = self.dice, rounds.leads_on
        before = self.reached.copy() if self.program.marks else None
        try:
            return rounds.search(self.program, self, state, question), self.fuel
        finally:
            self.fuel, self.dice, self.found = kept, dice, None
            if before is not None:  # What is only tried out is not come to.
                self.reached.intersection_update(before)

    def onward(self, state: State) -> None:
        """See `rounds.Runner`."""
        self.found = None
        self._walk(state, [])

    def offered(self, state: State) -> list[Option]:
        """See `rounds.Runner`."""
        return self.found or self.listers[state[AT_DECISION]](state)

    def fail(self, fault: int) -> None:
        """Stop with a fault, which may come in the middle of a statement."""
        self.forget()
        raise RuleFault(self.program.faults[fault])

    def forget(self) -> None:
        """Leave nothing in the scratch memory of what was broken off."""
        self.scratch[:] = [0] * len(self.scratch)

    def roll(self, state: State, n: int) -> int:
        """A random number below n."""
        if n <= 1:
            return 0
        if self.dice is not None:
            return self.dice(n)
        state[AT_CHANCE], value = chance.draw(state[AT_CHANCE], state[AT_STEP], n)
        return value

    def shuffle(self, state: State, pile: int) -> None:
        """Put a pile in a random order."""
        n = state[pile]
        cards = state[pile + 1 : pile + 1 + n]
        for i in range(n - 1, 0, -1):
            j = self.roll(state, i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        state[pile + 1 : pile + 1 + n] = cards

    def push(self, state: State, pile: int, card: int, capacity: int, fault: int) -> None:
        """Lay a card on a pile."""
        n = state[pile]
        if n >= capacity:
            self.fail(fault)
        state[pile] = n + 1
        state[pile + n + 1] = card

    def push_under(self, state: State, pile: int, card: int, capacity: int, fault: int) -> None:
        """Lay a card under a pile."""
        n = state[pile]
        if n >= capacity:
            self.fail(fault)
        state[pile] = n + 1
        state[pile + 1 : pile + n + 2] = [card, *state[pile + 1 : pile + n + 1]]

    def pop(self, state: State, pile: int, fault: int) -> int:
        """Take the top card of a pile."""
        n = state[pile]
        if n == 0:
            self.fail(fault)
        card = state[pile + n]
        state[pile + n] = 0
        state[pile] = n - 1
        return card

    def pop_bottom(self, state: State, pile: int, fault: int) -> int:
        """Take the bottom card of a pile."""
        if state[pile] == 0:
            self.fail(fault)
        return take_out(state, pile, 0)

    def draw(self, state: State, pile: int, card: int, fault: int) -> None:
        """Take the topmost copy of a card out of a pile."""
        for i in range(state[pile] - 1, -1, -1):
            if state[pile + 1 + i] == card:
                take_out(state, pile, i)
                return
        self.fail(fault)


def take_out(state: State, pile: int, index: int) -> int:
    """Take the card at an index out of a pile; the place that falls free is cleared."""
    n = state[pile]
    card = state[pile + 1 + index]
    state[pile + 1 + index : pile + n + 1] = [*state[pile + 2 + index : pile + n + 1], 0]
    state[pile] = n - 1
    return card


def last_of(cells: list[int], value: int) -> int:
    """Where a value stands in these cells, of several the last; -1 where it does not."""
    if value not in cells:
        return -1
    cells.reverse()
    return len(cells) - 1 - cells.index(value)


def imprint(state: State, first: int, end: int) -> int:
    """The number that `ir.HashState` makes of a state without its head and a stretch."""
    number = 0
    for cell in state[FIRST_FREE:first]:
        number = (number * FACTOR + cell + 1) & MASK
    for cell in state[end:]:
        number = (number * FACTOR + cell + 1) & MASK
    return number
