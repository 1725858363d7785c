"""Code without what nobody asks for: values that are not read again, and what was done for those only.

A value that is read only once, by the next statement, stands in that.

Values are variables, and cells of the rules' frames, which are as good as variables where only their own addresses name
them: what a run leaves in them counts for nothing once the game is over.
"""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl.ir import code
from wongar_dsl.ir.control_flow import expressions, following, nodes, replaced, statements, weight
from wongar_dsl.ir.program import Program

#: No value is put into a statement that would then have more parts, which can be too deep for a parser.
MOST_PARTS = 40
_Live = frozenset[int]
_NONE: _Live = frozenset()


def trimmed(program: Program, frames: int) -> Program:
    """The same program, which has no events, without idle work; it is not to be stopped at a decision."""
    return _Trimming(program, frames).result()


class _Trimming:
    """A cell from `frames` on is written as a negative number, a variable as its own."""

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
            for after in self.after(block.end):
                before[after].add(number)
        waiting = set(range(len(blocks)))
        while waiting:
            number = waiting.pop()
            block = program.blocks[number]
            end = block.end
            needed = self.used(end).union(*(live[n] for n in following(end)))
            match end:
                case code.Decide(decision=decision):
                    spec = program.decisions[decision]
                    for option in spec.options:
                        needed |= live[option.block] - {-a for a in option.addresses}
                    lister, needed = self.body(program.procedures[spec.lister].body, needed, _NONE)
                    procedures[spec.lister] = replace(procedures[spec.lister], body=lister)
                case code.Resume(address=address):
                    needed = needed.union((-address,), *(live[n] for n in program.resumed))
                case code.Pause(block=onward):
                    needed |= live[onward]
            body, read = self.body(block.body, needed, _NONE)
            blocks[number] = replace(block, body=body)
            if read != live[number]:
                live[number] = read
                waiting |= before[number]
        return replace(program, procedures=tuple(procedures), blocks=tuple(blocks))

    def after(self, end: code.End) -> tuple[int, ...]:
        """The blocks that what a block leaves behind can come to."""
        match end:
            case code.Decide(decision=decision):
                return *following(end), *(option.block for option in self.program.decisions[decision].options)
            case code.Resume():
                return tuple(self.program.resumed)
            case code.Pause(block=onward):
                return (onward,)
        return following(end)

    def used(self, node: code.Stmt | code.Expr | code.End) -> _Live:
        """What the expressions of a node read."""
        match node:
            case code.Var(number=number):
                return frozenset((number,))
            case code.Load(address=code.Const(value=address)) if address >= self.frames:
                return frozenset((-address,))
        return _NONE.union(*map(self.used, expressions(node)))

    def body(self, body: code.Body, after: _Live, left: _Live) -> tuple[code.Body, _Live]:
        """What of some statements is needed, and what they read.

        `after` is what is read afterwards, `left` what is read where the loop around is left.
        """
        kept: list[code.Stmt] = []
        #: What is read after the last statement that was kept.
        live = behind = after
        for statement in reversed(body):
            read = live
            needed, live = self.statement(statement, live, left)
            if isinstance(needed, code.SetVar) and kept and needed.number not in behind:
                inside = _put_in(needed, kept[-1])
                if inside is not None:
                    kept[-1] = inside
                    continue
            if needed is not None:
                kept.append(needed)
                behind = read
        return tuple(reversed(kept)), live

    def statement(self, statement: code.Stmt, after: _Live, left: _Live) -> tuple[code.Stmt | None, _Live]:
        match statement:
            case code.SetVar(number=number):
                return (statement, after - {number} | self.used(statement)) if number in after else (None, after)
            case code.Store(address=code.Const(value=address), value=value) if address >= self.frames:
                return (statement, after - {-address} | self.used(value)) if -address in after else (None, after)
            case code.If(condition=condition, then=then, otherwise=otherwise):
                then, a = self.body(then, after, left)
                otherwise, b = self.body(otherwise, after, left)
                if not then and not otherwise:
                    return None, after
                return code.If(condition, then, otherwise), a | b | self.used(condition)
            case code.Break():
                return statement, left
            case code.Return() | code.Fault() | code.EndGame():
                return statement, self.used(statement)
            case code.Loop(body=(*_, code.Break())):
                # Only a way to leave some statements.
                inner, live = self.body(statement.body, _NONE, after)
                return (code.Loop(inner), live) if _does(inner, after) else (None, after)
            case code.Loop():
                return self.round(statement, _NONE, after)
            case code.ForRange() | code.ForList():
                return self.round(statement, after, after)
            case code.Call(into=into):
                return replace(statement, into=into if into in after else None), after - {into} | self.used(statement)
            case code.HashState(into=into):
                return (statement, after - {into}) if into in after else (None, after)
            case code.Chance(into=into) | code.Pop(into=into):
                return statement, after - {into} | self.used(statement)
        return statement, after | self.used(statement)

    def round(
        self, loop: code.ForRange | code.ForList | code.Loop, after: _Live, left: _Live
    ) -> tuple[code.Stmt | None, _Live]:
        """A loop: what one turn reads is needed from the turn before."""
        live = after
        while True:
            body, read = self.body(loop.body, live, left)
            if read <= live:
                break
            live |= read
        if isinstance(loop, code.Loop):
            return code.Loop(body), live
        if not _does(body, left):
            return None, left
        return replace(loop, body=body), (live - {loop.number}) | left | self.used(loop)


def _put_in(given: code.SetVar, statement: code.Stmt) -> code.Stmt | None:
    """A statement that reads a variable once, before it does anything, with the value of it; None where it does not."""
    own, first = code.Var(given.number), expressions(statement)
    if sum(map(weight, first)) + weight(given.value) > MOST_PARTS:
        return None
    reads = [part for s in statements((statement,)) for e in expressions(s) for part in nodes(e)].count(own)
    if reads != 1 or not any(own in nodes(e) for e in first):
        return None
    made: code.Stmt = replaced(statement, own, given.value)
    return made


def _does(body: code.Body, after: _Live) -> bool:
    """Whether statements do anything but leave a loop, and work out what is not read afterwards."""
    return not all(
        isinstance(s, code.If | code.Break | code.ForRange | code.ForList)
        or (isinstance(s, code.SetVar) and s.number not in after)
        for s in statements(body)
    )
