"""Cycle search: decides whether all future choices lead back into a cycle, equally on every backend."""

from __future__ import annotations

from typing import Protocol

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import CycleQuery, GameOver, Option, RuleFault, State, write_choice

#: Part of the step budget that a search leaves for the rest of the run.
RESERVE = 1_500_000


class ChoiceRunner(Protocol):
    """Executor of choices in a search; `fuel` is the step budget, which runs reduce."""

    fuel: int

    def run_from(self, state: State) -> None:
        """Run to the next decision or pause.  Raises `GameOver` if the game ends or draws chance, and `RuleFault`."""

    def legal_options(self, state: State) -> list[Option]:
        """Return the options of the current decision.  Raises `RuleFault`."""


class _SearchExhausted(Exception):
    """Raised when the search has used its budget."""


def no_chance(_: int) -> int:
    """Replace dice in a search: a draw leads out of the cycle, so it ends the run."""
    raise GameOver


def search(program: ir.Program, runner: ChoiceRunner, state: State, query: CycleQuery) -> ir.CycleVerdict:
    """Return the verdict of `ir.DetectCycle`, using the runner's budget except for the reserve."""
    if runner.fuel < RESERVE:
        return ir.CycleVerdict.UNKNOWN
    start = state.copy()
    # Equal to the state in which a search returns to this decision.
    start[ir.AT_BLOCK], start[ir.AT_TIME] = -1, 0
    start[ir.AT_DECISION], start[ir.AT_SEAT] = query.decision, query.seat
    start[query.first : query.end] = [1] + [0] * (query.end - query.first - 1)
    runner.fuel -= RESERVE
    try:
        return _CycleSearch(program, runner, query.first).result(start)
    except _SearchExhausted:
        runner.fuel = 0
        return ir.CycleVerdict.UNKNOWN
    finally:
        runner.fuel += RESERVE


class _CycleSearch:
    def __init__(self, program: ir.Program, runner: ChoiceRunner, first: int) -> None:
        self.program = program
        self.runner = runner
        self.first = first

    def result(self, start: State) -> ir.CycleVerdict:
        """Search depth first; each choice pays for the position that it leads to."""
        offered = self.next_options(start)
        if not offered:
            return ir.CycleVerdict.HAS_EXIT
        numbers = {tuple(start): 0}
        before: list[list[int]] = [[]]
        waiting = [(tuple(start), offered)]
        while waiting:
            place, options = waiting.pop()
            for option in reversed(options):
                state = list(place)
                write_choice(self.program, state, option, 0)
                offered = self.next_options(state)
                if not offered:
                    return ir.CycleVerdict.HAS_EXIT
                # Copying, hashing and comparing cells is cheap per cell.
                self.charge(len(state) // 4 + 16 * len(offered))
                reached = tuple(state)
                number = numbers.setdefault(reached, len(numbers))
                if number == len(before):
                    before.append([])
                    waiting.append((reached, offered))
                before[number].append(numbers[place])
        return ir.CycleVerdict.RECURS if len(_leading_to(0, before)) == len(before) else ir.CycleVerdict.NO_EXIT

    def next_options(self, state: State) -> list[Option]:
        """Return the options of the next decision; empty if the run leads out of the cycle."""
        try:
            if state[ir.AT_BLOCK] >= 0:
                self.runner.run_from(state)
                state[ir.AT_BLOCK] = -1
            if state[ir.AT_DECISION] < 0 or not state[self.first]:
                return []
            decision = self.program.decisions[state[ir.AT_DECISION]]
            return [] if decision.simultaneous or decision.clock is not None else self.runner.legal_options(state)
        except GameOver:
            return []
        except RuleFault:
            self.charge(0)
            return []

    def charge(self, cost: int) -> None:
        """Reduce the budget of the search."""
        self.runner.fuel -= cost
        if self.runner.fuel < 0:
            raise _SearchExhausted


def _leading_to(place: int, before: list[list[int]]) -> set[int]:
    """Return the positions from which a position can be reached."""
    reaching, waiting = {place}, [place]
    while waiting:
        new = set(before[waiting.pop()]) - reaching
        reaching |= new
        waiting.extend(new)
    return reaching
