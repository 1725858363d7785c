"""The step budget: puts `Charge` statements where code could run long, so that no rule file can hang the machine.

Every stretch of code between two charges has a cost that is known before play and at most about `LIMIT`; loops whose
length is not known, and long ones, charge each turn with the cost of their body.
"""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl.ir import code, program

LIMIT = 2000
#: How much may be used up between two decisions, and to list the options of one.
BUDGET = 5_000_000
#: What entering a block costs in itself.
BLOCK_COST = 20
_HEAVY = {code.Shuffle: 200, code.Draw: 20, code.Push: 5, code.Pop: 5, code.Emit: 10, code.Yield: 5}


def charge(program: program.Program) -> program.Program:
    """The same program with its charges."""
    return _Charging(program).result()


class _Charging:
    def __init__(self, program: program.Program) -> None:
        self.program = program
        self.faults = list(program.faults)
        self.costs: dict[int, int] = {}
        self.longest = max((p.width for p in program.fields if p.kind == "pile"), default=0)
        self.procedures = list(program.procedures)
        self._fault_numbers: dict[str, int] = {}
        self._spans = {f.rule: f.span for f in program.faults}
        self._rule = ""

    def result(self) -> program.Program:
        for number in range(len(self.procedures)):
            self._procedure(number)
        blocks = []
        for block in self.program.blocks:
            self._rule = block.rule
            body, cost = self._body(block.body)
            blocks.append(replace(block, body=(self._charge(cost + BLOCK_COST), *body)))
        return replace(self.program, procedures=tuple(self.procedures), blocks=tuple(blocks), faults=tuple(self.faults))

    def _charge(self, steps: int) -> code.Charge:
        if self._rule not in self._fault_numbers:
            span = self._spans.get(self._rule) or self.program.spans.get(self._rule)
            assert span is not None, self._rule
            self._fault_numbers[self._rule] = len(self.faults)
            self.faults.append(program.FaultSpec("R0601", self._rule, span))
        return code.Charge(steps, self._fault_numbers[self._rule])

    def _procedure(self, number: int) -> int:
        if number not in self.costs:
            self.costs[number] = 1
            procedure = self.procedures[number]
            around, self._rule = self._rule, procedure.name.removeprefix("options of ")
            body, cost = self._body(procedure.body)
            if cost > LIMIT:
                body, cost = (self._charge(cost), *body), 1
            self.procedures[number] = replace(procedure, body=body)
            self.costs[number] = cost
            self._rule = around
        return self.costs[number]

    def _body(self, body: code.Body) -> tuple[code.Body, int]:
        result: list[code.Stmt] = []
        total = 0
        for statement in body:
            changed, cost = self._statement(statement)
            if total + cost > LIMIT and total:
                # Long straight code is cut into stretches too.
                result.append(self._charge(total))
                total = 0
            result.append(changed)
            total += cost
        return tuple(result), total

    def _statement(self, statement: code.Stmt) -> tuple[code.Stmt, int]:
        match statement:
            case code.If(then=then, otherwise=otherwise):
                first, a = self._body(then)
                second, b = self._body(otherwise)
                return replace(statement, then=first, otherwise=second), 1 + max(a, b)
            case code.Loop(body=inner):
                body, cost = self._body(inner)
                return code.Loop((self._charge(cost + 1), *body)), 1
            case code.ForRange() | code.ForList():
                body, cost = self._body(statement.body)
                turns = self._turns(statement)
                if turns is None or turns * (cost + 1) > LIMIT:
                    return replace(statement, body=(self._charge(cost + 1), *body)), 1
                return replace(statement, body=body), 1 + turns * (cost + 1)
            case code.Call(procedure=procedure):
                return statement, 1 + self._procedure(procedure)
            case code.Emit(prepare=prepare):
                body, cost = self._body(prepare)
                return replace(statement, prepare=body), cost + _HEAVY[code.Emit]
        if isinstance(statement, code.Shuffle):
            return statement, max(_HEAVY[code.Shuffle], self.longest)
        if isinstance(statement, code.HashState):
            return statement, self.program.size
        return statement, _HEAVY.get(type(statement), 1)

    def _turns(self, loop: code.ForRange | code.ForList) -> int | None:
        if isinstance(loop, code.ForList):
            return max(map(len, self.program.lists[loop.lists]), default=0)
        return loop.count.value if isinstance(loop.count, code.Const) else None
