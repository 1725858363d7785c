"""Step metering (gas): inserts `Charge` statements, so that no rule file can hang the machine.

One unit is charged for each expression and statement, and the length of the data for searches through piles or the
state.  The code between two charges has a static cost of at most about `LIMIT`.  Long loops, and loops of unknown
length, charge the cost of their body in each iteration.  Blocks charge at entry points and loop headers, each for the
most expensive path to the next charge.  Charges are part of the program, so that all backends stop at the same one.
"""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir import program
from wongar_dsl.compiler.ir.cfg import entry_points, expressions, max_iterations, statements, successors

#: Maximum cost of code without a charge inside.
LIMIT = 8000
#: Maximum cost of a conditional branch without its own charge; smaller charges would slow play down.
MAX_FREE_BRANCH_COST = 60
#: Cost of entering a block.
BLOCK_COST = 5
#: Cost of a statement without its expressions.
_COSTS = {
    ir.Chance: 3,
    ir.Call: 2,
    ir.Push: 4,
    ir.Pop: 4,
    ir.RemoveCard: 4,
    ir.Emit: 10,
    ir.Yield: 4,
    ir.CoverageMark: 0,
}


def charge(program: program.Program) -> program.Program:
    """Return the program with charges."""
    return _FuelMetering(program).result()


class _FuelMetering:
    def __init__(self, program: program.Program) -> None:
        self.program = program
        self.faults = list(program.faults)
        self.costs: dict[int, int] = {}
        #: Procedures that may charge, directly or in a callee.
        self.charging: set[int] = set()
        self.longest = max((1 + p.capacity for p in program.fields if _looked_through(p)), default=0)
        self.procedures = list(program.procedures)
        self._fault_numbers: dict[str, int] = {}
        self._spans = {f.rule: f.span for f in program.faults}
        self._rule = ""

    def result(self) -> program.Program:
        for number in range(len(self.procedures)):
            self._procedure(number)
        blocks = []
        costs = []
        for block in self.program.blocks:
            self._rule = block.rule
            body, cost = self._body(block.body)
            end = block.end
            cost += sum(self._cost_of(e) for e in expressions(end))
            if isinstance(end, ir.Decide) and end.otherwise >= 0:
                # If there may be no option, the run itself lists the options.
                cost += self._procedure(self.program.decisions[end.decision].lister)
            blocks.append(replace(block, body=body))
            costs.append(cost + BLOCK_COST)
        for number, cost in _paid(self.program, costs).items():
            self._rule = blocks[number].rule
            blocks[number] = replace(blocks[number], body=(self._charge(cost), *blocks[number].body))
        return replace(self.program, procedures=tuple(self.procedures), blocks=tuple(blocks), faults=tuple(self.faults))

    def _charge(self, steps: int) -> ir.Charge:
        if self._rule not in self._fault_numbers:
            span = self._spans.get(self._rule) or self.program.spans.get(self._rule)
            assert span is not None, self._rule
            self._fault_numbers[self._rule] = len(self.faults)
            self.faults.append(program.FaultSpec("R0601", self._rule, span))
        return ir.Charge(steps, self._fault_numbers[self._rule])

    def _procedure(self, number: int) -> int:
        if number not in self.costs:
            self.costs[number] = 1
            procedure = self.procedures[number]
            outer, self._rule = self._rule, procedure.name.removeprefix("options of ")
            body, cost = self._body(procedure.body)
            if cost > LIMIT:
                body, cost = (self._charge(cost), *body), 1
            self.procedures[number] = replace(procedure, body=body)
            self.costs[number] = cost
            if self._charges(body):
                self.charging.add(number)
            self._rule = outer
        return self.costs[number]

    def _charges(self, body: ir.Body) -> bool:
        """Return whether code may charge."""
        return any(
            isinstance(part, ir.Charge) or (isinstance(part, ir.Call) and part.procedure in self.charging)
            for part in statements(body)
        )

    def _body(self, body: ir.Body) -> tuple[ir.Body, int]:
        result: list[ir.Stmt] = []
        total = 0
        for statement in body:
            changed, cost = self._statement(statement)
            if total + cost > LIMIT and total:
                # Long straight-line code is split too.
                result.append(self._charge(total))
                total = 0
            if isinstance(changed, ir.Emit) and self._charges(changed.prepare):
                # The cost must not depend on whether there is a listener.
                result.extend(changed.prepare)
                changed = replace(changed, prepare=())
            result.append(changed)
            total += cost
        return tuple(result), total

    def _branch(self, body: ir.Body) -> tuple[ir.Body, int]:
        """Return a branch of an `If` with its cost.

        An expensive branch charges for itself, so that it costs nothing unless taken.
        """
        changed, cost = self._body(body)
        return ((self._charge(cost), *changed), 1) if cost > MAX_FREE_BRANCH_COST else (changed, cost)

    def _statement(self, statement: ir.Stmt) -> tuple[ir.Stmt, int]:
        match statement:
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                first, a = self._branch(then)
                second, b = self._branch(otherwise)
                return replace(statement, then=first, otherwise=second), 1 + self._cost_of(condition) + max(a, b)
            case ir.Loop(body=inner):
                body, cost = self._body(inner)
                return ir.Loop((self._charge(cost + 1), *body)), 1
            case ir.ForRange() | ir.ForList():
                body, cost = self._body(statement.body)
                bound = statement.count if isinstance(statement, ir.ForRange) else statement.index
                turns = max_iterations(statement, self.program)
                if turns is None or turns * (cost + 1) > LIMIT:
                    return replace(statement, body=(self._charge(cost + 1), *body)), 1 + self._cost_of(bound)
                return replace(statement, body=body), 1 + self._cost_of(bound) + turns * (cost + 1)
            case ir.Emit(prepare=prepare, arguments=arguments, seen=seen):
                body, cost = self._body(prepare)
                shown = sum(self._cost_of(e) for argument in arguments for e in argument) + self._cost_of(seen)
                return replace(statement, prepare=body), cost + shown + _COSTS[ir.Emit]
        cost_here = _COSTS.get(type(statement), 1) + self._looked_through(statement)
        if isinstance(statement, ir.Call):
            cost_here += self._procedure(statement.procedure)
        return statement, cost_here + sum(self._cost_of(e) for e in expressions(statement))

    def _looked_through(self, statement: ir.Stmt) -> int:
        """Return the cost of an implicit search through a pile or the state."""
        match statement:
            case ir.Shuffle():
                return 4 * self.longest
            case ir.RemoveCard() | ir.Push(under=True) | ir.Pop(bottom=True):
                return self.longest
            case ir.HashState() | ir.DetectCycle():
                return self.program.size
        return 0

    def _cost_of(self, e: ir.Expr) -> int:
        """Return the number of nodes of an expression, plus the cost of searches."""
        node_cost = 1 + self.longest if isinstance(e, ir.CountIn | ir.Find) else 1
        return node_cost + sum(self._cost_of(inner) for inner in expressions(e))


def _looked_through(field: program.Field) -> bool:
    """Return whether the items of a field are searched one by one."""
    return field.traits.ordered or field.traits.spread


def _paid(whole: program.Program, costs: list[int]) -> dict[int, int]:
    """Return the blocks that charge, each with the cost of the most expensive path to the next charges."""
    starts = entry_points(whole)
    order, back = _post_order(whole, sorted(starts))
    paying = {*starts, *back}
    ahead: dict[int, int] = {}
    charged: dict[int, int] = {}
    for number in order:
        rest = max((ahead[n] for n in successors(whole.blocks[number].end) if n not in paying), default=0)
        ahead[number] = costs[number] + rest
        if ahead[number] > LIMIT:
            paying.add(number)
        if number in paying:
            charged[number] = ahead[number]
    return charged


def _post_order(whole: program.Program, starts: list[int]) -> tuple[list[int], set[int]]:
    """Return the blocks in post-order, and the targets of back edges."""
    order: list[int] = []
    back: set[int] = set()
    seen: set[int] = set()
    open_: set[int] = set()
    for start in starts:
        stack = [(start, False)]
        while stack:
            number, done = stack.pop()
            if done:
                open_.discard(number)
                order.append(number)
                continue
            if number in seen:
                continue
            seen.add(number)
            open_.add(number)
            stack.append((number, True))
            for after in successors(whole.blocks[number].end):
                if after in open_:
                    back.add(after)
                elif after not in seen:
                    stack.append((after, False))
    return order, back
