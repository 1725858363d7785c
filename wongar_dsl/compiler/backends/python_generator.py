"""Generator of Python source: a function for each procedure, and for each block with several predecessors.

The source contains only numbers and generated names, no text of a rule file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.arithmetic import TRUTH_OPERATORS, plus
from wongar_dsl.compiler.ir.cfg import field_texts, leaders

#: Maximum nesting depth of blocks that are written inside of their predecessors.
MAX_DEPTH = 60
_CALLS = frozenset({"min", "max"})
#: Texts of instructions that are written in the same way in all places, by their fields.
_VALUES: Mapping[type[ir.Expr], str] = {
    ir.Var: "v{number}",
    ir.Load: "S[{address}]",
    ir.Peek: "W[{address}]",
    ir.Lookup: "T{table}[{index}]",
    ir.Top: "(S[{pile} + S[{pile}]] if S[{pile}] else -1)",
    ir.Bottom: "(S[{pile} + 1] if S[{pile}] else -1)",
    ir.Find: "last_of(S[{row} : {row} + S[{size}]], {value})",
}
_STATEMENTS: Mapping[type[ir.Stmt], str] = {
    ir.SetVar: "v{number} = {value}",
    ir.Poke: "W[{address}] = {value}",
    ir.Break: "break",
    ir.DetectCycle: "v{into} = detect_cycle(S, {decision}, {seat}, {first}, {end})",
    ir.CoverageMark: "reached.add({mark})",
    ir.Fault: "fail({fault})",
    ir.Chance: "v{into} = roll(S, {count})",
    ir.RemoveCard: "remove_card(S, {pile}, {card}, {fault})",
    ir.HashState: "v{into} = hash_state(S, {first}, {end})",
    ir.Shuffle: "shuffle(S, {pile})",
}
_PUSH, _POP = "(S, {pile}, {card}, {capacity}, {fault})", "v{into} = {name}(S, {pile}, {fault})"


def generate(program: ir.Program, telling: bool) -> str:
    """Return the source of a program, with or without events.

    It is executed in a module with `M` (a `RunTime`), `Over` (`GameOver`), the set `reached`, and functions of
    `RunTime`.  The module also has the constant tables T0, T1 …, the lists L0, L1 …, and the scratch memory W.  The
    source defines `BLOCKS`, `LISTERS` and `PROCEDURES`.
    """
    return _PythonSource(program, telling).text()


class _PythonSource:
    def __init__(self, program: ir.Program, telling: bool) -> None:
        self.program = program
        self.telling = telling
        self.lines: list[str] = []

    def text(self) -> str:
        """Return the source."""
        self.lines = []
        listers = {d.lister for d in self.program.decisions}
        for number, procedure in enumerate(self.program.procedures):
            if number in listers:
                self.lines += [f"def l{number}(S):", " E = []"]
                self.body(procedure.body, 1)
                self.lines.append(" return E")
                continue
            self.procedure(number, procedure)
        self.blocks()
        called = (n for n in range(len(self.program.procedures)) if n not in listers)
        self.lines.append(f"PROCEDURES = {{{', '.join(f'{n}: p{n}' for n in called)}}}")
        self.lines.append(f"LISTERS = [{', '.join(f'l{d.lister}' for d in self.program.decisions)}]")
        return "\n".join(self.lines)

    def procedure(self, number: int, procedure: ir.Procedure) -> None:
        """Write a function for a procedure."""
        parameters = "".join(f", v{i}" for i in range(procedure.parameters))
        self.lines.append(f"def p{number}(S, E{parameters}):")
        self.body(procedure.body, 1)
        self.lines.append(" return 0")

    # ---- blocks ----

    def blocks(self) -> None:
        """Write a function for each leader; other blocks are nested in their predecessor."""
        entered = leaders(self.program)
        waiting = sorted(entered)
        functions: dict[int, str] = {}
        while waiting:
            number = waiting.pop()
            if number not in functions:
                functions[number] = f"b{number}"
                self.lines.append(f"def b{number}(S, E):")
                self.block(number, entered, 1, waiting)
        self.lines.append(f"BLOCKS = [{', '.join(functions.get(i, 'None') for i in range(len(self.program.blocks)))}]")

    def block(self, number: int, heads: frozenset[int], depth: int, waiting: list[int]) -> None:
        """Write a block; successors that would be nested too deeply are added to `waiting`."""
        block = self.program.blocks[number]
        for statement in block.body:
            self.statement(statement, depth)
        self.end(block.end, heads, depth, waiting)

    def end(self, end: ir.End, heads: frozenset[int], depth: int, waiting: list[int]) -> None:
        """Write the terminator of a block."""
        pad = " " * depth
        match end:
            case ir.Jump(block=number):
                self.run_from(number, heads, depth, waiting)
            case ir.Branch(condition=condition, then=then, otherwise=otherwise):
                self.lines.append(f"{pad}if {self.test(condition)}:")
                self.run_from(then, heads, depth + 1, waiting)
                self.run_from(otherwise, heads, depth, waiting)
            case ir.Resume(address=address):
                self.lines += [f"{pad}n = S[{address}]", f"{pad}S[{address}] = 0", f"{pad}return n"]
            case ir.Pause(block=number):
                now, later = ir.AT_CHANCE, ir.AT_PLAY_CHANCE
                self.lines += [f"{pad}S[{ir.AT_DECISION}] = {ir.READY}", f"{pad}S[{ir.AT_BLOCK}] = {number}"]
                self.lines += [f"{pad}if S[{later}]: S[{now}], S[{later}] = S[{later}], 0", f"{pad}return -1"]
            case ir.Decide(decision=decision, seat=seat, otherwise=otherwise):
                self.lines += [f"{pad}S[{ir.AT_DECISION}] = {decision}", f"{pad}S[{ir.AT_SEAT}] = {self.value(seat)}"]
                if otherwise >= 0:
                    lister = self.program.decisions[decision].lister
                    self.lines.append(f"{pad}M.found = F = l{lister}(S)")
                    self.lines.append(f"{pad}if F: return -1")
                    self.run_from(otherwise, heads, depth, waiting)
                else:
                    self.lines += [f"{pad}return -1"]
            case _:
                assert_never(end)

    def run_from(self, number: int, heads: frozenset[int], depth: int, waiting: list[int]) -> None:
        """Continue with a block, inline if it has no other predecessor."""
        if number in heads or depth > MAX_DEPTH:
            self.lines.append(f"{' ' * depth}return {number}")
            if number not in heads:
                waiting.append(number)
        else:
            self.block(number, heads, depth, waiting)

    # ---- statements ----

    def body(self, body: ir.Body, depth: int) -> None:
        """Write a nested body."""
        before = len(self.lines)
        for statement in body:
            self.statement(statement, depth)
        if len(self.lines) == before:
            self.lines.append(" " * depth + "pass")

    def statement(self, statement: ir.Stmt, depth: int) -> None:
        """Write one statement."""
        pad = " " * depth
        add = self.lines.append
        match statement:
            case ir.Store(address=address, value=value):
                self.store(pad, address, value)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                if then:
                    add(f"{pad}if {self.test(condition)}:")
                    self.body(then, depth + 1)
                    if otherwise:
                        add(f"{pad}else:")
                        self.body(otherwise, depth + 1)
                else:
                    add(f"{pad}if not {self.test(condition)}:")
                    self.body(otherwise, depth + 1)
            case ir.ForRange(number=number, count=count, body=body):
                add(f"{pad}for v{number} in range({self.value(count)}):")
                self.body(body, depth + 1)
            case ir.ForList(number=number, lists=lists, index=index, body=body):
                add(f"{pad}for v{number} in L{lists}[{self.value(index)}]:")
                self.body(body, depth + 1)
            case ir.Loop(body=body):
                add(f"{pad}while True:")
                self.body(body, depth + 1)
            case ir.Call(procedure=procedure, arguments=arguments, into=into):
                values = "".join(f", {self.value(a)}" for a in arguments)
                target = f"v{into} = " if into is not None else ""
                add(f"{pad}{target}p{procedure}(S, E{values})")
            case ir.Return(value=result):
                add(f"{pad}return {self.value(result) if result is not None else 0}")
            case ir.Charge(steps=steps, fault=fault):
                add(f"{pad}M.fuel -= {steps}")
                add(f"{pad}if M.fuel < 0: fail({fault})")
            case ir.EndGame(winners=winners):
                add(f"{pad}S[{ir.AT_WINNERS}] = {self.value(winners)}")
                add(f"{pad}raise Over")
            case ir.Emit():
                if self.telling:
                    self.emit(statement, depth)
            case ir.Yield(option=option, arguments=arguments):
                add(f"{pad}E.append(({option}, {''.join(f'{self.value(a)}, ' for a in arguments)}))")
            case ir.Push(under=under):
                add(f"{pad}{'push_under' if under else 'push'}{_PUSH.format(**field_texts(statement, self.value))}")
            case ir.Pop(bottom=bottom):
                name = "pop_bottom" if bottom else "pop"
                add(pad + _POP.format(name=name, **field_texts(statement, self.value)))
            case _:
                add(pad + _STATEMENTS[type(statement)].format(**field_texts(statement, self.value)))

    def store(self, pad: str, address: ir.Expr, value: ir.Expr) -> None:
        """Write an assignment to a state cell."""
        cell = self.value(address)
        if isinstance(value, ir.Bin) and value.operator in "+-" and value.left == ir.Load(address):
            self.lines.append(f"{pad}S[{cell}] {value.operator}= {self.value(value.right)}")
        else:
            self.lines.append(f"{pad}S[{cell}] = {self.value(value)}")

    def emit(self, statement: ir.Emit, depth: int) -> None:
        """Write the emission of an event."""
        if statement.prepare:
            self.body(statement.prepare, depth)
        shown = []
        for argument in statement.arguments:
            values = [self.value(e) for e in argument]
            shown.append(values[0] if len(values) == 1 else f"({''.join(f'{v}, ' for v in values)})")
        fields = "".join(f"{v}, " for v in shown)
        self.lines.append(f"{' ' * depth}E.append(({statement.event}, ({fields}), {self.value(statement.seen)}))")

    # ---- expressions ----

    def test(self, e: ir.Expr) -> str:
        """Return the Python expression of a truth value."""
        match e:
            case ir.Bin(operator="and" | "or" as sign, left=left, right=right):
                return f"({self.test(left)} {sign} {self.test(right)})"
            case ir.Bin(operator=sign, left=left, right=right) if sign in TRUTH_OPERATORS:
                return f"({self.value(left)} {sign} {self.value(right)})"
            case ir.Not(operand=operand):
                return f"(not {self.test(operand)})"
            case ir.CountIn(pile=pile, card=card):
                return f"({self.value(card)} in {self.pile(pile)})"
        return self.value(e)

    def pile(self, pile: ir.Expr) -> str:
        """Return the cards of a pile as a slice."""
        first = self.value(plus(pile, ir.Const(1)))
        return f"S[{first} : {first} + S[{self.value(pile)}]]"

    def value(self, e: ir.Expr) -> str:
        """Return the Python expression of a value."""
        match e:
            case ir.Const(value=value):
                return str(value) if value >= 0 else f"({value})"
            case ir.Bin(operator=sign) if sign in TRUTH_OPERATORS:
                return f"(1 if {self.test(e)} else 0)"
            case ir.Bin(operator=sign, left=left, right=right) if sign in _CALLS:
                return f"{sign}({self.value(left)}, {self.value(right)})"
            case ir.Bin(operator=sign, left=left, right=right):
                return f"({self.value(left)} {sign} {self.value(right)})"
            case ir.Not():
                return f"(1 if {self.test(e)} else 0)"
            case ir.CountIn(pile=pile, card=card):
                return f"{self.pile(pile)}.count({self.value(card)})"
            case _:
                return _VALUES[type(e)].format(**field_texts(e, self.value))
