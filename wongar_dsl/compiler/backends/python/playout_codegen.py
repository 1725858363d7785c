"""Generator of Python source for fast playouts, with random choices inside of the generated code and without events."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import groupby

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.python.generator import PythonSource
from wongar_dsl.compiler.ir.cfg import all_statements, entry_points, join_points, nodes
from wongar_dsl.compiler.passes.cse_licm import eliminate_common_subexpressions
from wongar_dsl.compiler.passes.dce import eliminate_dead_code
from wongar_dsl.compiler.passes.inline_unroll import inline_and_unroll
from wongar_dsl.compiler.passes.strip_events import addresses, called, frames_are_private, strip_events
from wongar_dsl.compiler.passes.tail_duplication import duplicate_tails

#: Maximum number of statements of a program with fast playouts.
MAX_STATEMENTS = 5000


def playout_program(program: ir.Program) -> tuple[ir.Program, frozenset[int]] | None:
    """Run the passes that make random playouts fast; None if the program is too large or has cycle searches or marks.

    Return the program without events and checks, and the numbers of the blocks that become functions.
    """
    statements = [*all_statements(program)]
    if len(statements) > MAX_STATEMENTS or any(isinstance(s, ir.DetectCycle | ir.CoverageMark) for s in statements):
        return None
    frames = program.frames if frames_are_private(program) else program.size
    shorter = duplicate_tails(eliminate_dead_code(strip_events(program), frames), frames)
    functions = join_points(shorter, entry_points(program))
    return eliminate_common_subexpressions(
        eliminate_dead_code(inline_and_unroll(shorter, functions, frames), frames), functions
    ), functions


def generate_playouts(program: ir.Program) -> str:
    """Return the source of fast playouts; empty for a program that is too large, or has cycle searches or marks.

    A block becomes a function of the state, the generator of choices and the stream of chance, and returns the next
    function.  `COST` is the maximum cost of a function, `TURN` that of an iteration of a loop that calls `turn`, or of
    a function that restarts itself.  `TIMED` is True if the state keeps the answer time.
    """
    playouts = playout_program(program)
    return _PlayoutSource(*playouts, len(program.lists)).text() if playouts is not None else ""


class _PlayoutSource(PythonSource):
    besides = "R"

    def __init__(self, program: ir.Program, functions: frozenset[int], lists: int) -> None:
        """Prepare the source.

        `functions` are the blocks that begin a function; `lists` is the number of lists of the program.
        """
        self.functions = functions
        self.given = lists
        #: Cost of each block without what its loops charge; its function charges for all nested blocks.
        self.prices = [sum(s.steps for s in block.body if isinstance(s, ir.Charge)) for block in program.blocks]
        paid = (tuple(s for s in block.body if not isinstance(s, ir.Charge)) for block in program.blocks)
        blocks = tuple(replace(block, body=body) for block, body in zip(program.blocks, paid, strict=True))
        super().__init__(replace(program, blocks=blocks), telling=False)
        self.timed = any(
            address == ir.Const(ir.AT_TIME) for statement in all_statements(program) for address in addresses(statement)
        )
        #: Block of the current function, cost of each function, and maximum cost of an iteration.
        self.own = -1
        self.costs: dict[int, int] = {}
        #: Number of choices before the current code in its function.
        self.chosen = 0
        self.iteration = 0
        #: Lists that are yielded unchanged as arguments of an option.
        self.yielded: set[tuple[int, int]] = set()

    def text(self) -> str:
        self.lines = []
        for number in called(self.program):
            self.procedure(number, self.program.procedures[number])
        self.blocks()
        cost = max(self.costs.values())
        self.lines += [f"L{n} = {lists}" for n, lists in enumerate(self.program.lists[self.given :], self.given)]
        self.lines += [f"COST = {cost}", f"TURN = {max(cost, self.iteration)}", f"TIMED = {self.timed}"]
        for lists, option in sorted(self.yielded):
            self.lines.append(f"Y{lists}_{option} = [[({option}, v) for v in values] for values in L{lists}]")
        return "\n".join(self.lines)

    # ---- blocks ----

    def leaders(self) -> frozenset[int]:
        return self.functions

    def head(self, number: int) -> int:
        self.own = number
        self.costs[number] = 0
        self.lines += [f"def b{number}(S, C, R):", " while True:"]
        return 2

    def block(self, number: int, heads: frozenset[int], depth: int, waiting: list[int]) -> None:
        self.costs[self.own] += self.prices[number]
        super().block(number, heads, depth, waiting)

    def leave_code(self, number: int) -> str:
        # After a choice the caller checks the number of decisions, so the function returns.
        return "turn(); continue" if number == self.own and not self.chosen else f"return b{number}"

    def end(self, end: ir.End, heads: frozenset[int], depth: int, waiting: list[int]) -> None:
        pad = " " * depth
        match end:
            case ir.Resume(address=address):
                self.lines += [f"{pad}n = S[{address}]", f"{pad}S[{address}] = 0", f"{pad}return BLOCKS[n]"]
            case ir.Pause(block=number):
                self.lines += [f"{pad}S[{ir.AT_BLOCK}] = {number}", f"{pad}raise SetupDone"]
            case ir.Decide(decision=decision, otherwise=otherwise):
                self.decide(self.program.decisions[decision], depth, waiting)
                if otherwise >= 0:
                    self.run_from(otherwise, heads, depth, waiting)
                else:
                    self.lines.append(f"{pad}bail_out()")
            case _:
                super().end(end, heads, depth, waiting)

    def decide(self, decision: ir.DecisionSpec, depth: int, waiting: list[int]) -> None:
        """Write a choice, if there are options."""
        pad = " " * depth
        self.lines.append(f"{pad}E = []")
        self.run(self.program.procedures[decision.lister].body, depth)
        self.lines += [f"{pad}n = len(E)", f"{pad}if n:"]
        if self.timed:
            self.lines.append(f"{pad} S[{ir.AT_TIME}] = 0")
        self.lines.append(f"{pad} o = E[C() * n >> 64 if n > 1 else only()]")
        for number, option in enumerate(decision.options):
            inside = pad + " "
            if number < len(decision.options) - 1:
                self.lines.append(f"{inside}if o[0] == {number}:")
                inside += " "
            self.lines += [f"{inside}S[{address}] = o[{i}]" for i, address in enumerate(option.addresses, 1)]
            self.chosen += 1
            self.run_from(option.block, self.functions, len(inside), waiting)
            self.chosen -= 1

    # ---- expressions ----

    def test(self, e: ir.Expr) -> str:
        # Operands are sorted by cost.  An error that the original order prevents abandons the playout or does not
        # matter.
        if isinstance(e, ir.Bin) and e.operator in ("and", "or"):
            return f"({f' {e.operator} '.join(map(self.test, sorted(_operands(e, e.operator), key=_searches)))})"
        return super().test(e)

    # ---- statements ----

    def run(self, body: ir.Body, depth: int) -> None:
        pad = " " * depth
        for kind, group in groupby(body, _kind):
            alike = list(group)
            match kind:
                case ("options",) if len(alike) > 1:
                    self.lines.append(f"{pad}E += ({', '.join(map(_option, alike))})")
                case ("cards", *_):
                    self.lines.append(pad + self.push_all([s for s in alike if isinstance(s, ir.Push)]))
                case _:
                    for statement in alike:
                        self.statement(statement, depth)

    def push_all(self, pushes: list[ir.Push]) -> str:
        """Return code that puts several cards on one pile."""
        cards = ", ".join(self.value(push.card) for push in pushes)
        return f"push_all(S, {self.value(pushes[0].pile)}, ({cards},), {pushes[0].capacity})"

    def statement(self, statement: ir.Stmt, depth: int) -> None:
        pad = " " * depth
        add = self.lines.append
        match statement:
            case ir.Charge(steps=steps):
                self.iteration = max(self.iteration, steps)
                add(f"{pad}turn()")
            case ir.Loop(body=(ir.Charge(steps=steps), *rest)):
                # A loop that exceeds its iterations abandons the playout.
                self.iteration = max(self.iteration, steps)
                add(f"{pad}for _ in turns:")
                self.body(tuple(rest), depth + 1)
                self.lines += [f"{pad}else:", f"{pad} bail_out()"]
            case ir.Fault():
                add(f"{pad}bail_out()")
            case ir.Chance(into=into, count=count):
                add(f"{pad}n = {self.value(count)}")
                add(f"{pad}v{into} = next(R) * n >> 64 if n > 1 else 0")
            case ir.Shuffle(pile=pile):
                add(f"{pad}shuffle(S, {self.value(pile)}, R)")
            case ir.Pop(into=into, pile=pile, bottom=False):
                self.lines += [
                    f"{pad}a = {self.value(pile)}", f"{pad}n = S[a]", f"{pad}if not n: bail_out()",
                    f"{pad}S[a] = n - 1", f"{pad}a += n", f"{pad}v{into} = S[a]", f"{pad}S[a] = 0",
                ]  # fmt: skip
            case ir.ForList(lists=lists, index=index, body=(ir.Yield(option=option, arguments=(value,)),)) if (
                value == ir.Var(statement.number)
            ):
                self.yielded.add((lists, option))
                add(f"{pad}E += Y{lists}_{option}[{self.value(index)}]")
            case _:
                super().statement(statement, depth)


def _kind(statement: ir.Stmt) -> tuple[Hashable, ...]:
    """Return a grouping key of statements that can be executed together."""
    match statement:
        case ir.Yield(arguments=arguments) if all(isinstance(a, ir.Const) for a in arguments):
            return ("options",)
        case ir.Push(pile=pile, card=ir.Const(), capacity=capacity, under=False):
            return "cards", pile, capacity
    return (id(statement),)


def _operands(e: ir.Expr, operator: str) -> Iterator[ir.Expr]:
    """Yield the operands of a chain of one operator."""
    if isinstance(e, ir.Bin) and e.operator == operator:
        yield from _operands(e.left, operator)
        yield from _operands(e.right, operator)
    else:
        yield e


def _searches(e: ir.Expr) -> bool:
    """Return whether an expression searches a pile, which is expensive."""
    return any(isinstance(part, ir.CountIn | ir.Find) for part in nodes(e))


def _option(statement: ir.Stmt) -> str:
    assert isinstance(statement, ir.Yield)
    return f"({statement.option}, {''.join(f'{a.value}, ' for a in statement.arguments if isinstance(a, ir.Const))})"
