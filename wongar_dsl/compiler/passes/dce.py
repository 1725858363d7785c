"""Dead-code elimination over variables and frame cells, and forward substitution of values that are read once.

Frame cells count as variables if they are accessed by constant addresses only: their final values do not matter after
the end of the game.
"""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir.cfg import expressions, nodes, replace_expression, statements, successors, weight
from wongar_dsl.compiler.ir.program import Program

#: Maximum size of an expression after substitution; larger ones can exceed the nesting limit of the parser.
MAX_EXPRESSION_PARTS = 40
_Live = frozenset[int]
_NONE: _Live = frozenset()


def eliminate_dead_code(program: Program, frames: int) -> Program:
    """Return a program without dead code.  It must have no events and must not be suspended at a decision."""
    return _DeadCodeElimination(program, frames).result()


class _DeadCodeElimination:
    """Backward liveness analysis.  Variables are represented by their numbers, frame cells by negative addresses."""

    def __init__(self, program: Program, frames: int) -> None:
        self.program = program
        self.frames = frames

    def result(self) -> Program:
        program = self.program
        listers = {d.lister for d in program.decisions}
        procedures = [
            p if n in listers else replace(p, body=self.body(p.body, _NONE, _NONE)[0])
            for n, p in enumerate(program.procedures)
        ]
        blocks = list(program.blocks)
        live = [_NONE] * len(blocks)
        before: list[set[int]] = [set() for _ in blocks]
        for number, block in enumerate(blocks):
            for after in self.successor_liveness(block.end):
                before[after].add(number)
        waiting = set(range(len(blocks)))
        while waiting:
            number = waiting.pop()
            block = program.blocks[number]
            end = block.end
            needed = self.used(end).union(*(live[n] for n in successors(end)))
            match end:
                case ir.Decide(decision=decision):
                    spec = program.decisions[decision]
                    for option in spec.options:
                        needed |= live[option.block] - {-a for a in option.addresses}
                    lister, needed = self.body(program.procedures[spec.lister].body, needed, _NONE)
                    procedures[spec.lister] = replace(procedures[spec.lister], body=lister)
                case ir.Resume(address=address):
                    needed = needed.union((-address,), *(live[n] for n in program.return_blocks))
                case ir.Pause(block=onward):
                    needed |= live[onward]
            body, read = self.body(block.body, needed, _NONE)
            blocks[number] = replace(block, body=body)
            if read != live[number]:
                live[number] = read
                waiting |= before[number]
        return replace(program, procedures=tuple(procedures), blocks=tuple(blocks))

    def successor_liveness(self, end: ir.End) -> tuple[int, ...]:
        """Return the successors that may read values of a block."""
        match end:
            case ir.Decide(decision=decision):
                return *successors(end), *(option.block for option in self.program.decisions[decision].options)
            case ir.Resume():
                return tuple(self.program.return_blocks)
            case ir.Pause(block=onward):
                return (onward,)
        return successors(end)

    def used(self, node: ir.Stmt | ir.Expr | ir.End) -> _Live:
        """Return the variables and cells that a node reads."""
        match node:
            case ir.Var(number=number):
                return frozenset((number,))
            case ir.Load(address=ir.Const(value=address)) if address >= self.frames:
                return frozenset((-address,))
        return _NONE.union(*map(self.used, expressions(node)))

    def body(self, body: ir.Body, after: _Live, left: _Live) -> tuple[ir.Body, _Live]:
        """Return the live statements and the variables that they read.

        `after` is what is read after the statements, `left` what is read after the enclosing loop.
        """
        result: list[ir.Stmt] = []
        #: Variables that are read after the last kept statement.
        live = behind = after
        for statement in reversed(body):
            read = live
            needed, live = self.statement(statement, live, left)
            if isinstance(needed, ir.SetVar) and result and needed.number not in behind:
                inside = _put_in(needed, result[-1])
                if inside is not None:
                    result[-1] = inside
                    continue
            if needed is not None:
                result.append(needed)
                behind = read
        return tuple(reversed(result)), live

    def statement(self, statement: ir.Stmt, after: _Live, left: _Live) -> tuple[ir.Stmt | None, _Live]:
        match statement:
            case ir.SetVar(number=number):
                return (statement, after - {number} | self.used(statement)) if number in after else (None, after)
            case ir.Store(address=ir.Const(value=address), value=value) if address >= self.frames:
                return (statement, after - {-address} | self.used(value)) if -address in after else (None, after)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                then, a = self.body(then, after, left)
                otherwise, b = self.body(otherwise, after, left)
                if not then and not otherwise:
                    return None, after
                return ir.If(condition, then, otherwise), a | b | self.used(condition)
            case ir.Break():
                return statement, left
            case ir.Return() | ir.Fault() | ir.EndGame():
                return statement, self.used(statement)
            case ir.Loop(body=(*_, ir.Break())):
                # Not a loop, only a target for breaks.
                inner, live = self.body(statement.body, _NONE, after)
                return (ir.Loop(inner), live) if _does(inner, after) else (None, after)
            case ir.Loop():
                return self.loop(statement, _NONE, after)
            case ir.ForRange() | ir.ForList():
                return self.loop(statement, after, after)
            case ir.Call(into=into):
                return replace(statement, into=into if into in after else None), after - {into} | self.used(statement)
            case ir.HashState(into=into):
                return (statement, after - {into}) if into in after else (None, after)
            case ir.Chance(into=into) | ir.Pop(into=into):
                return statement, after - {into} | self.used(statement)
        return statement, after | self.used(statement)

    def loop(self, loop: ir.ForRange | ir.ForList | ir.Loop, after: _Live, left: _Live) -> tuple[ir.Stmt | None, _Live]:
        """Return a loop without dead code; each iteration may read values of the previous one."""
        live = after
        while True:
            body, read = self.body(loop.body, live, left)
            if read <= live:
                break
            live |= read
        if isinstance(loop, ir.Loop):
            return ir.Loop(body), live
        if not _does(body, left):
            return None, left
        return replace(loop, body=body), (live - {loop.number}) | left | self.used(loop)


def _put_in(given: ir.SetVar, statement: ir.Stmt) -> ir.Stmt | None:
    """Substitute a value into a statement that reads it once, before any side effect.

    Returns None if that is not possible.
    """
    variable, first = ir.Var(given.number), expressions(statement)
    if sum(map(weight, first)) + weight(given.value) > MAX_EXPRESSION_PARTS:
        return None
    reads = [part for s in statements((statement,)) for e in expressions(s) for part in nodes(e)].count(variable)
    if reads != 1 or not any(variable in nodes(e) for e in first):
        return None
    changed: ir.Stmt = replace_expression(statement, variable, given.value)
    return changed


def _does(body: ir.Body, after: _Live) -> bool:
    """Return whether statements have an effect other than breaks and assignments of dead variables."""
    return not all(
        isinstance(s, ir.If | ir.Break | ir.ForRange | ir.ForList)
        or (isinstance(s, ir.SetVar) and s.number not in after)
        for s in statements(body)
    )
