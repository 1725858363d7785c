"""Reference backend: a simple, slow interpreter that defines the meaning of programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import cycle_search, rng
from wongar_dsl.compiler.backends.bulk import Backend, run_on
from wongar_dsl.compiler.backends.protocol import (
    CancelToken,
    CycleQuery,
    Dice,
    GameOver,
    Option,
    OptionStats,
    RawEvent,
    RuleFault,
    State,
    VisibilityMask,
    end_game,
    initial_cells,
    with_seed,
)
from wongar_dsl.compiler.ir.program import AT_CHANCE, AT_STEP, BUDGET, FACTOR, FIRST_FREE, MASK


class _BreakLoop(Exception):
    pass


class _ReturnValue(Exception):
    def __init__(self, value: int) -> None:
        self.value = value


class SteppingBackend(Backend):
    """Backend whose bulk work, with the tree search, is done in single steps."""

    def evaluate_options(
        self,
        state: State,
        mask: VisibilityMask,
        worlds: Sequence[State],
        iterations: int,
        seed: int,
        cancel: CancelToken,
    ) -> list[OptionStats]:
        """Implement `Backend.evaluate_options`."""
        # Imported here, because a person who plays alone needs no search.
        from wongar_dsl.compiler.backends.ismcts import SearchTree

        tree = SearchTree(self, state, mask, worlds, seed)
        tree.grow(iterations, cancel)
        return tree.option_stats()


class ReferenceBackend(SteppingBackend):
    """Backend that interprets the program."""

    name = "reference"

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._reached: set[int] = set()

    @property
    def reached_marks(self) -> set[int]:
        """Implement `Backend.reached_marks`."""
        return self._reached

    def start(self, seed: int) -> State:
        """Implement `Backend.start`."""
        return with_seed(initial_cells(self.program), seed)

    def run(self, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
        """Implement `Backend.run`."""
        if state[ir.AT_BLOCK] < 0:
            return
        interpreter = Interpreter(self.program, state, events, dice, self._reached)
        state[ir.AT_DECISION] = ir.OVER
        try:
            interpreter.run()
        except GameOver:
            end_game(self.program, state)
        if state[ir.AT_DECISION] != ir.READY:
            state[ir.AT_BLOCK] = -1

    def advance(self, state: State) -> list[Option]:
        """Implement `Backend.advance`."""
        run_on(self, state)
        return self.options(state)

    def options(self, state: State) -> list[Option]:
        """Implement `Backend.options`."""
        if state[ir.AT_DECISION] < 0:
            return []
        decision = self.program.decisions[state[ir.AT_DECISION]]
        return Interpreter(self.program, state, None, None, self._reached).options(decision)

    def evaluate(self, state: State, procedure: int, arguments: tuple[int, ...]) -> int:
        """Implement `Backend.evaluate`."""
        return Interpreter(self.program, state.copy(), None, None, self._reached).call(procedure, list(arguments))

    def search(self, state: State, query: CycleQuery, fuel: int) -> tuple[ir.CycleVerdict, int]:
        """Implement `Backend.search`."""
        return search_cycles(self.program, state, query, fuel)


def search_cycles(program: ir.Program, state: State, query: CycleQuery, fuel: int) -> tuple[ir.CycleVerdict, int]:
    """Implement `Backend.search` by interpretation."""
    runner = Interpreter(program, [], None, cycle_search.no_chance)
    runner.fuel = fuel
    return cycle_search.search(program, runner, state, query), runner.fuel


# ---- instructions -------------------------------------------------------------------------------------------------


class Machine:
    """Data of a run apart from the state, and the instructions that interpreter and generated Python share.

    A pile is stored as its number of cards, then the cards from the bottom up.

    `dice` replaces the random stream of the state unless it is None.  `fuel` is the remaining step budget.  `reached`
    collects marks.  `scratch` is memory that is 0 between statements of the rules.
    """

    __slots__ = ("dice", "fuel", "program", "reached", "scratch")

    def __init__(self, program: ir.Program, dice: Dice | None, reached: set[int]) -> None:
        self.program, self.dice, self.reached = program, dice, reached
        self.fuel = BUDGET
        self.scratch = [0] * program.scratch

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


# ---- interpreter -------------------------------------------------------------------------------------------------


class Interpreter(Machine):
    """Interpreter for one run of a program on a state."""

    def __init__(
        self, program: ir.Program, state: State, events: list[RawEvent] | None, dice: Dice | None,
        reached: set[int] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(program, dice, reached if reached is not None else set())
        self.state = state
        self.events = events
        self.found: list[Option] = []

    def run(self) -> None:
        """Run blocks until there is a decision."""
        state = self.state
        while state[ir.AT_BLOCK] >= 0:
            block = self.program.blocks[state[ir.AT_BLOCK]]
            local: dict[int, int] = {}
            self.body(block.body, local)
            match block.end:
                case ir.Jump(block=number):
                    state[ir.AT_BLOCK] = number
                case ir.Branch(condition=condition, then=then, otherwise=otherwise):
                    state[ir.AT_BLOCK] = then if self.eval(condition, local) else otherwise
                case ir.Resume(address=address):
                    state[ir.AT_BLOCK] = state[address]
                    state[address] = 0
                case ir.Pause(block=number):
                    state[ir.AT_DECISION], state[ir.AT_BLOCK] = ir.READY, number
                    if state[ir.AT_PLAY_CHANCE]:
                        state[ir.AT_CHANCE], state[ir.AT_PLAY_CHANCE] = state[ir.AT_PLAY_CHANCE], 0
                    return
                case ir.Decide(decision=number, seat=seat, otherwise=otherwise):
                    state[ir.AT_DECISION] = number
                    state[ir.AT_SEAT] = self.eval(seat, local)
                    if otherwise < 0 or self.options(self.program.decisions[number]):
                        return
                    state[ir.AT_BLOCK] = otherwise
                case _:
                    assert_never(block.end)

    def options(self, decision: ir.DecisionSpec) -> list[Option]:
        """Return the options of a decision, in order."""
        self.found = []
        self.body(self.program.procedures[decision.lister].body, {})
        return self.found

    # ---- cycle search ----

    def search(self, query: CycleQuery) -> ir.CycleVerdict:
        """Return the verdict of `ir.DetectCycle`."""
        verdict, self.fuel = search_cycles(self.program, self.state, query, self.fuel)
        return verdict

    def run_from(self, state: State) -> None:
        """Implement `cycle_search.ChoiceRunner.run_from`."""
        self.state, self.found = state, []
        self.run()

    def legal_options(self, state: State) -> list[Option]:
        """Implement `cycle_search.ChoiceRunner.legal_options`."""
        self.state = state
        return self.found or self.options(self.program.decisions[state[ir.AT_DECISION]])

    # ---- statements ----

    def body(self, body: ir.Body, local: dict[int, int]) -> None:
        """Run statements in order."""
        for statement in body:
            self.statement(statement, local)

    def statement(self, statement: ir.Stmt, local: dict[int, int]) -> None:
        """Run one statement."""
        state = self.state
        match statement:
            case ir.SetVar(number=number, value=value):
                local[number] = self.eval(value, local)
            case ir.Store(address=address, value=value):
                state[self.eval(address, local)] = self.eval(value, local)
            case ir.Poke(address=address, value=value):
                self.scratch[self.eval(address, local)] = self.eval(value, local)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                self.body(then if self.eval(condition, local) else otherwise, local)
            case ir.Call(procedure=procedure, arguments=arguments, into=into):
                result_value = self.call(procedure, [self.eval(a, local) for a in arguments])
                if into is not None:
                    local[into] = result_value
            case ir.Emit():
                if self.events is not None:
                    self.emit(statement, local)
            case ir.Charge(steps=steps, fault=fault):
                self.fuel -= steps
                if self.fuel < 0:
                    self.fail(fault)
            case ir.ForRange(number=number, count=count, body=body):
                self.loop(number, range(self.eval(count, local)), body, local)
            case ir.ForList(number=number, lists=lists, index=index, body=body):
                self.loop(number, self.program.lists[lists][self.eval(index, local)], body, local)
            case ir.Loop(body=body):
                try:
                    while True:
                        self.body(body, local)
                except _BreakLoop:
                    pass
            case ir.Break():
                raise _BreakLoop
            case ir.Return(value=result):
                raise _ReturnValue(self.eval(result, local) if result is not None else 0)
            case ir.CoverageMark(mark=mark):
                self.reached.add(mark)
            case ir.Chance(into=into, count=count):
                local[into] = self.roll(state, self.eval(count, local))
            case ir.DetectCycle(into=into, decision=decision, seat=seat, first=first, end=end):
                local[into] = self.search(CycleQuery(decision, self.eval(seat, local), first, end))
            case ir.Fault(fault=fault):
                self.fail(fault)
            case ir.EndGame(winners=winners):
                state[ir.AT_WINNERS] = self.eval(winners, local)
                raise GameOver
            case ir.Yield(option=option, arguments=arguments):
                self.found.append((option, *(self.eval(a, local) for a in arguments)))
            case _:
                self.exec_pile(statement, local)

    def loop(self, number: int, values: range | tuple[int, ...], body: ir.Body, local: dict[int, int]) -> None:
        """Run a body for each value of a variable."""
        try:
            for value in values:
                local[number] = value
                self.body(body, local)
        except _BreakLoop:
            pass

    def call(self, number: int, values: list[int]) -> int:
        """Return the result of a procedure."""
        try:
            self.body(self.program.procedures[number].body, dict(enumerate(values)))
        except _ReturnValue as result:
            return result.value
        return 0

    def emit(self, statement: ir.Emit, local: dict[int, int]) -> None:
        """Emit an event."""
        assert self.events is not None
        self.body(statement.prepare, local)
        values = tuple(
            self.eval(a[0], local) if len(a) == 1 else tuple(self.eval(e, local) for e in a)
            for a in statement.arguments
        )
        self.events.append((statement.event, values, self.eval(statement.seen, local)))

    def exec_pile(self, statement: ir.PileInstruction, local: dict[int, int]) -> None:
        """Run a pile instruction."""
        state = self.state
        match statement:
            case ir.Push(pile=pile, card=card, capacity=capacity, under=under, fault=fault):
                push = self.push_under if under else self.push
                push(state, self.eval(pile, local), self.eval(card, local), capacity, fault)
            case ir.Pop(into=into, pile=pile, bottom=bottom, fault=fault):
                pop = self.pop_bottom if bottom else self.pop
                local[into] = pop(state, self.eval(pile, local), fault)
            case ir.RemoveCard(pile=pile, card=card, fault=fault):
                self.remove_card(state, self.eval(pile, local), self.eval(card, local), fault)
            case ir.HashState(into=into, first=first, end=end):
                local[into] = hash_state(state, first, end)
            case ir.Shuffle(pile=pile):
                self.shuffle(state, self.eval(pile, local))
            case _:
                assert_never(statement)

    # ---- expressions ----

    def eval(self, e: ir.Expr, local: dict[int, int]) -> int:
        """Return the value of an expression."""
        match e:
            case ir.Const(value=value):
                return value
            case ir.Var(number=number):
                return local[number]
            case ir.Load(address=address):
                return self.state[self.eval(address, local)]
            case ir.Peek(address=address):
                return self.scratch[self.eval(address, local)]
            case ir.Bin(operator=sign, left=left, right=right):
                value = self.eval(left, local)
                if sign == "and":
                    return int(bool(value) and bool(self.eval(right, local)))
                if sign == "or":
                    return int(bool(value) or bool(self.eval(right, local)))
                return int(ir.OPERATORS[sign](value, self.eval(right, local)))
            case ir.Not(operand=operand):
                return int(not self.eval(operand, local))
            case ir.Lookup(table=table, index=index):
                return self.program.tables[table][self.eval(index, local)]
            case ir.Top(pile=pile):
                start = self.eval(pile, local)
                return self.state[start + self.state[start]] if self.state[start] else -1
            case ir.Bottom(pile=pile):
                start = self.eval(pile, local)
                return self.state[start + 1] if self.state[start] else -1
            case ir.CountIn(pile=pile, card=card):
                start, value = self.eval(pile, local), self.eval(card, local)
                return sum(c == value for c in self.state[start + 1 : start + 1 + self.state[start]])
            case ir.Find(size=size, row=row, value=wanted):
                start, value = self.eval(row, local), self.eval(wanted, local)
                return last_of(self.state[start : start + self.state[self.eval(size, local)]], value)
            case _:
                assert_never(e)
