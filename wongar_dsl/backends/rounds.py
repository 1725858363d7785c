"""Whether choices can only go round for ever: a search of the positions ahead, the same on every backend."""

from __future__ import annotations

from typing import Protocol

from wongar_dsl import ir
from wongar_dsl.backends.protocol import Option, Over, Question, RuleFault, State
from wongar_dsl.backends.states import put_down

#: What a search leaves of the step budget, so that the run can go on without its answer.
RESERVE = 1_500_000


class Runner(Protocol):
    """What carries out the choices of a search; `fuel` is what may still be used up, and runs use it up."""

    fuel: int

    def onward(self, state: State) -> None:
        """Run to the next decision or pause.  Raises `Over` where the game ends or draws chance, and `RuleFault`."""

    def offered(self, state: State) -> list[Option]:
        """The options of the decision that was come to.  Raises `RuleFault`."""


class _Spent(Exception):
    """The search has used up what it may cost."""


def leads_on(_: int) -> int:
    """What chance gives in a search: no number, since it leads on."""
    raise Over


def search(program: ir.Program, runner: Runner, state: State, question: Question) -> ir.Rounds:
    """What `ir.Endless` finds out with the runner's fuel, but for the reserve; what is left stays with the runner."""
    if runner.fuel < RESERVE:
        return ir.Rounds.UNKNOWN
    start = state.copy()
    # As it is when a search comes back to it.
    start[ir.AT_BLOCK], start[ir.AT_TIME] = -1, 0
    start[ir.AT_DECISION], start[ir.AT_SEAT] = question.decision, question.seat
    start[question.first : question.end] = [1] + [0] * (question.end - question.first - 1)
    runner.fuel -= RESERVE
    try:
        return _Search(program, runner, question.first).result(start)
    except _Spent:
        runner.fuel = 0
        return ir.Rounds.UNKNOWN
    finally:
        runner.fuel += RESERVE


class _Search:
    def __init__(self, program: ir.Program, runner: Runner, first: int) -> None:
        self.program = program
        self.runner = runner
        self.first = first

    def result(self, start: State) -> ir.Rounds:
        """Go through the positions, onward first; for each choice the position that it leads to is paid too."""
        offered = self.offered(start)
        if not offered:
            return ir.Rounds.LEAD_ON
        numbers = {tuple(start): 0}
        before: list[list[int]] = [[]]
        waiting = [(tuple(start), offered)]
        while waiting:
            place, options = waiting.pop()
            for option in reversed(options):
                state = list(place)
                put_down(self.program, state, option, 0)
                offered = self.offered(state)
                if not offered:
                    return ir.Rounds.LEAD_ON
                # Cells are copied, hashed and compared many at a time.
                self.pay(len(state) // 4 + 16 * len(offered))
                reached = tuple(state)
                number = numbers.setdefault(reached, len(numbers))
                if number == len(before):
                    before.append([])
                    waiting.append((reached, offered))
                before[number].append(numbers[place])
        return ir.Rounds.HERE_AGAIN if len(_leading_to(0, before)) == len(before) else ir.Rounds.ENDLESS

    def offered(self, state: State) -> list[Option]:
        """The options of the next decision, none where a run leads on."""
        try:
            if state[ir.AT_BLOCK] >= 0:
                self.runner.onward(state)
                state[ir.AT_BLOCK] = -1
            if state[ir.AT_DECISION] < 0 or not state[self.first]:
                return []
            decision = self.program.decisions[state[ir.AT_DECISION]]
            return [] if decision.simultaneous or decision.clock is not None else self.runner.offered(state)
        except Over:
            return []
        except RuleFault:
            self.pay(0)
            return []

    def pay(self, cost: int) -> None:
        """Use up a part of what the search may cost."""
        self.runner.fuel -= cost
        if self.runner.fuel < 0:
            raise _Spent


def _leading_to(place: int, before: list[list[int]]) -> set[int]:
    """The positions from which one can be come to."""
    found, waiting = {place}, [place]
    while waiting:
        new = set(before[waiting.pop()]) - found
        found |= new
        waiting.extend(new)
    return found
