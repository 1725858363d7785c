"""Generates C11 source from a program: one function for each procedure, one for the blocks, which are labels in it.

Only numbers, generated names and, in comments, names of rules stand in the source.  It calls nothing outside of itself.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from typing import assert_never

from wongar_dsl import ir
from wongar_dsl.backends.native.finding import looked_for_once
from wongar_dsl.backends.native.loops import Asked, Walk, asked, in_a_row, most_listed, reads, walk
from wongar_dsl.backends.native.tables import (
    comment,
    constants,
    counted,
    decisions,
    listed,
    number_text,
    searched,
    tables,
    width,
)
from wongar_dsl.ir.control_flow import entries, expressions, following, procedures_of, statements
from wongar_dsl.ir.program import BUDGET

_TRUTHS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_FUNCTIONS = {"min": "min_of", "max": "max_of", "//": "floor_div", "%": "floor_mod", "<<": "shift_left"}
_LOGIC = {"and": "&&", "or": "||"}
#: What stands below the constants, between tables and code, and at the end.
_PARTS = ("run.c", "rounds.c", "play.c", "tree.c", "perft.c", "batch.c")
#: What only bots and many games at once need.
_SEARCHING = ("tree.c", "batch.c")
_TOO_MUCH = BUDGET + 1
#: For so many options there is always room, or it is asked for once; for more it is asked for one by one.
AT_ONCE = 256
_VARIABLE = re.compile(r"\bv(\d+)\b")


def generate(program: ir.Program, searching: bool = True) -> str:
    """The source of a program, whole: it needs no other file.  What bots need stands in it where it is `searching`."""
    return _Source(program).text([name for name in _PARTS if searching or name not in _SEARCHING])


def part(name: str) -> str:
    """One of the parts that are the same for all programs."""
    return (files(__package__) / "c" / name).read_text("utf-8")


class _Source:
    def __init__(self, program: ir.Program) -> None:
        self.program = program = looked_for_once(program)
        self.listers = {decision.lister for decision in program.decisions}
        self.needed = _needed(program)
        self.stopping = _stopping(program, self.needed)
        self.lines: list[str] = []
        self.leave = ""
        #: Whether there is room for all options of the list that is being written.
        self.roomy = False
        self.loops = 0
        #: Variables that are called otherwise for now.
        self.names: dict[int, str] = {}
        #: The innermost loop over a list that is being written, with its number; what was given a value just before.
        self.turning: tuple[ir.ForList, int] | None = None
        self.given: ir.Stmt | None = None
        #: How often each variable is read by what is being written.
        self.read: Counter[int] = Counter()
        #: The blocks that are gone on with from elsewhere than the one before.
        self.aims: set[int] = set()

    def text(self, names: Sequence[str]) -> str:
        p = self.program
        base, search, *rest = map(part, names)
        needs = searched(p) if _SEARCHING[0] in names else ()
        self.functions()
        self.blocks()
        parts = [base, *self.declared(), search, *tables(p), *self.lines, *decisions(p), *needs, "", *rest]
        if p.marks:
            parts += [*counted(p), "", part("count.c")]
        body, named = "\n".join(parts), tuple(constants(p))
        digest = hashlib.sha256("\n".join((*named, body)).encode()).hexdigest()
        return "\n".join((*named, f'#define SOURCE "{digest}"', "", body))

    def declared(self) -> Iterator[str]:
        """The procedures, before they are defined."""
        for number, procedure in enumerate(self.program.procedures):
            if number in self.needed:
                yield f"{self.head(number, procedure)};"

    # ---- procedures ----

    def head(self, number: int, procedure: ir.Procedure) -> str:
        if number in self.listers:
            return f"static void l{number}(run *r)"
        return f"static cell p{number}(run *r{''.join(f', cell v{i}' for i in range(procedure.parameters))})"

    def functions(self) -> None:
        for number, procedure in enumerate(self.program.procedures):
            if number not in self.needed:
                continue
            lists = number in self.listers
            self.leave = "return;" if lists else "return 0;"
            self.lines.append("")
            self.lines.append(f"{self.head(number, procedure)} {{{comment(procedure.name)}")
            begin = len(self.lines)
            self.read = reads(procedure.body)
            if lists:
                most = most_listed(procedure.body, self.program)
                self.roomy = most is not None and most <= AT_ONCE
                if self.roomy:
                    self.lines.append(f"    if (!room_for(r, {most})) return;")
                self.lines.append("    int32_t count = 0, *row;")
            self.body(procedure.body, 1)
            self.lines.append("    r->count = count;" if lists else "    return 0;")
            self.lines.append("}")
            self.variables(procedure.body, range(procedure.parameters), begin)

    def variables(self, body: ir.Body, known: Sequence[int], after: int) -> None:
        """Declare, behind so many lines, the variables of a body that the lines behind those name."""
        named = {int(number) for line in self.lines[after:] for number in _VARIABLE.findall(line)}
        found = sorted(named & _assigned(body) - {*known})
        if found:
            self.lines.insert(after, f"    cell {', '.join(f'v{n} = 0' for n in found)};")

    # ---- blocks ----

    def blocks(self) -> None:
        add = self.lines.append
        self.leave = "return;"
        entered = entries(self.program)
        order = _order(self.program, sorted(entered))
        again = any(isinstance(self.program.blocks[n].end, ir.Resume) for n in order)
        add("")
        add("/* Go on from the block in the state to the next decision, the pause before play, or a stop. */")
        add("static void go(run *r) {")
        add("    cell block = S[AT_BLOCK];")
        if again:
            add("again:")
        add("    switch (block) {")
        for number in sorted(entered):
            add(f"    case {number}: goto b{number};")
        add("    default: return;")
        add("    }")
        self.aims = {*entered}
        written = []
        for place, number in enumerate(order):
            self.lines, kept = [], self.lines
            self.block(number, order[place + 1] if place + 1 < len(order) else -1)
            written.append((number, self.lines))
            self.lines = kept
        for number, lines in written:
            label = f"b{number}: " if number in self.aims else "    "
            self.lines += [label + lines[0], *lines[1:]]
        self.lines.append("}")

    def block(self, number: int, after: int) -> None:
        block = self.program.blocks[number]
        add = self.lines.append
        add(f"{{{comment(block.rule)}")
        begin = len(self.lines)
        self.read = reads(block.body, tuple(expressions(block.end)))
        self.body(block.body, 1)
        if not (block.body and isinstance(block.body[-1], ir.EndGame | ir.Fault)):
            self.ending(block.end, after)
        add("}")
        self.variables(block.body, (), begin)

    def ending(self, end: ir.End, after: int) -> None:
        add = self.lines.append
        match end:
            case ir.Jump(block=following_):
                self.onward(following_, after)
            case ir.Branch(condition=condition, then=then, otherwise=otherwise):
                if then == after:
                    add(f"    if (!{_within(self.test(condition))}) {self.aim(otherwise)}")
                else:
                    add(f"    if {_within(self.test(condition))} {self.aim(then)}")
                    self.onward(otherwise, after)
            case ir.Resume(address=address):
                add(f"    block = S[{address}];")
                add(f"    S[{address}] = 0;")
                add("    goto again;")
            case ir.Pause(block=following_):
                add(f"    S[AT_DECISION] = READY; S[AT_BLOCK] = {following_};")
                add("    if (S[AT_PLAY_CHANCE]) { S[AT_CHANCE] = S[AT_PLAY_CHANCE]; S[AT_PLAY_CHANCE] = 0; }")
                add("    return;")
            case ir.Decide(decision=decision, seat=seat, otherwise=otherwise):
                add(f"    S[AT_DECISION] = {decision};{comment(self.program.decisions[decision].name)}")
                add(f"    S[AT_SEAT] = {_bare(self.value(seat))};")
                if otherwise < 0:
                    add("    return;")
                else:
                    lister = self.program.decisions[decision].lister
                    add(f"    l{lister}(r);")
                    add("    if (r->stopped) return;")
                    add("    if (r->count) { r->listed = 1; return; }")
                    self.onward(otherwise, after)
            case _:
                assert_never(end)

    def onward(self, number: int, after: int) -> None:
        if number != after:
            self.lines.append(f"    {self.aim(number)}")

    def aim(self, number: int) -> str:
        self.aims.add(number)
        return f"goto b{number};"

    # ---- statements ----

    def body(self, body: ir.Body, depth: int) -> None:
        before: ir.Stmt | None = None
        for statement in body:
            self.given = before
            self.statement(statement, depth)
            before = statement

    def statement(self, statement: ir.Stmt, depth: int) -> None:
        pad = "    " * depth

        def add(text: str) -> None:
            self.lines.append(pad + text)

        match statement:
            case ir.SetVar(number=number, value=value):
                add(f"v{number} = {_bare(self.value(value))};")
            case ir.Store(address=address, value=value):
                add(f"S[{_bare(self.value(address))}] = {_bare(self.value(value))};")
            case ir.Poke(address=address, value=value):
                add(f"W[{_bare(self.value(address))}] = {_bare(self.value(value))};")
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                if then:
                    add(f"if {_within(self.test(condition))} {{")
                    self.body(then, depth + 1)
                    if otherwise:
                        add("} else {")
                        self.body(otherwise, depth + 1)
                else:
                    add(f"if (!{_within(self.test(condition))}) {{")
                    self.body(otherwise, depth + 1)
                add("}")
            case ir.ForRange() | ir.ForList():
                self.loops += 1
                self.loop(statement, self.loops, depth)
            case ir.Loop(body=body):
                add("for (;;) {")
                self.body(body, depth + 1)
                add("}")
            case ir.Break():
                add("break;")
            case ir.Call(procedure=procedure, arguments=arguments, into=into):
                values = "".join(f", {_bare(self.value(a))}" for a in arguments)
                target = f"v{into} = " if into is not None else ""
                add(f"{target}p{procedure}(r{values});")
                if procedure in self.stopping:
                    add(f"if (r->stopped) {self.leave}")
            case ir.Return(value=result):
                add(f"return {_bare(self.value(result)) if result is not None else 0};")
            case ir.Endless(into=into, decision=decision, seat=seat, first=first, end=end):
                add(f"v{into} = endless(r, {decision}, {_bare(self.value(seat))}, {first}, {end});")
                add(f"if (r->stopped) {self.leave}")
            case ir.Charge(steps=steps, fault=fault):
                add(f"if (!charge(r, {min(steps, _TOO_MUCH)}, {fault})) {self.leave}")
            case ir.Mark(mark=mark):
                add(f"marks_of(r)[{mark}] = 1;")
            case ir.Fault(fault=fault):
                add(f"fail(r, {fault});")
                add(self.leave)
            case ir.EndGame(winners=winners):
                add(f"S[AT_WINNERS] = {_bare(self.value(winners))};")
                add("r->stopped = GAME_OVER;")
                add(self.leave)
            case ir.Emit():
                pass  # Nobody listens.
            case ir.Yield(option=option, arguments=arguments):
                if self.roomy:
                    add("row = r->options + (int64_t)count++ * ROW;")
                else:
                    add("row = option_row(r, count++);")
                    add(f"if (!row) {self.leave}")
                add(f"row[0] = {option};")
                for place, argument in enumerate(arguments):
                    add(f"row[{place + 1}] = (int32_t){self.value(argument)};")
            case ir.Chance(into=into, count=count):
                add(f"v{into} = roll(r, {_bare(self.value(count))});")
                add(f"if (r->stopped) {self.leave}")
            case _:
                self.handling(statement, add)

    def loop(self, loop: ir.ForRange | ir.ForList, place: int, depth: int) -> None:
        """A loop; `place` tells its own names from those of others."""
        pad = "    " * depth

        def add(text: str) -> None:
            self.lines.append(pad + text)

        i, n = f"i{place}", f"n{place}"
        if isinstance(loop, ir.ForList):
            at, lists = f"a{place}", loop.lists
            question = asked(loop, self.program, self.read)
            if question is not None and self.question_in_loop(loop, question, place, add):
                return
            add(f"cell {at} = {_bare(self.value(loop.index))};")
            if question is not None:
                there = f"{at} >= {question.empty} && " if question.empty else ""
                self.question(loop, question, f"L{lists}", f"({at} - {question.empty})", there, add)
                return
            around, self.turning = self.turning, (loop, place)
            add(f"for (int {i} = A{lists}[{at}], {n} = A{lists}[{at} + 1]; {i} < {n}; {i}++) {{")
            add(f"    v{loop.number} = L{lists}[{i}];")
            self.body(loop.body, depth + 1)
            add("}")
            self.turning = around
            return
        count, steps = _bare(self.value(loop.count)), walk(loop, self.program, self.read)
        if steps is not None:
            self.steps(steps, count, place, add)
            return
        add(f"for (cell {i} = 0, {n} = {count}; {i} < {n}; {i}++) {{")
        add(f"    v{loop.number} = {i};")
        self.body(loop.body, depth + 1)
        add("}")

    def steps(self, taken: Walk, count: str, place: int, add: Callable[[str], None]) -> None:
        """Several steps at once."""
        n, last, v = f"n{place}", len(taken.rows) - 1, f"v{taken.variable}"
        add(f"cell {n} = max_of(0, {count});")
        if taken.charge is not None:
            cost = min(taken.charge.steps, _TOO_MUCH)
            add(f"if (!charge_turns(r, {n}, {cost}, {taken.charge.fault})) {self.leave}")
        flat = [where for row in taken.rows for where in row]
        add(f"static const {width(flat)} w{place}[] = {listed(flat)};")
        add(f"{v} = w{place}[min_of({n}, {last}) * {len(taken.rows[0])} + {v} - {number_text(taken.lowest)}];")

    def question_in_loop(self, loop: ir.ForList, question: Asked, place: int, add: Callable[[str], None]) -> bool:
        """The same in a loop over lists which says of what it is asked: then all of that stands in one row."""
        if self.turning is None:
            return False
        (outer, turn), index = self.turning, loop.index
        match self.given:
            case ir.SetVar(number=number, value=value) if index == ir.Var(number):
                index = value
        row = in_a_row(outer, question, loop.lists, index, self.program)
        if row is None:
            return False
        add(f"static const {width(row)} q{place}[] = {listed(row)};")
        self.question(loop, question, f"q{place}", f"i{turn}", "", add)
        return True

    def question(
        self, loop: ir.ForList, question: Asked, row: str, turn: str, there: str, add: Callable[[str], None]
    ) -> None:
        """A loop over a short list that sets a variable, without a branch for each thing: those of a turn of a row."""
        parts = []
        for thing in range(question.things):
            self.names[loop.number] = f"(cell){row}[{question.things} * {turn} + {thing}]"
            parts.append(f"({'!' if question.every else '!!'}{_within(self.test(question.condition))})")
        del self.names[loop.number]
        add(f"if ({there}({' | '.join(parts)})) v{question.into} = {number_text(question.value)};")

    def handling(self, statement: ir.Handling, add: Callable[[str], None]) -> None:
        match statement:
            case ir.Push(pile=pile, card=card, capacity=capacity, under=under, fault=fault):
                name = "push_under" if under else "push"
                values = f"{_bare(self.value(pile))}, {_bare(self.value(card))}, {capacity}, {fault}"
                add(f"if (!{name}(r, {values})) {self.leave}")
            case ir.Pop(into=into, pile=pile, bottom=bottom, fault=fault):
                add(f"v{into} = {'pop_bottom' if bottom else 'pop'}(r, {_bare(self.value(pile))}, {fault});")
                add(f"if (r->stopped) {self.leave}")
            case ir.Draw(pile=pile, card=card, fault=fault):
                add(f"if (!draw(r, {_bare(self.value(pile))}, {_bare(self.value(card))}, {fault})) {self.leave}")
            case ir.HashState(into=into, first=first, end=end):
                add(f"v{into} = hash_state(r, {first}, {end});")
            case ir.Shuffle(pile=pile):
                add(f"shuffle(r, {_bare(self.value(pile))});")
                add(f"if (r->stopped) {self.leave}")
            case _:
                assert_never(statement)

    # ---- expressions ----

    def test(self, e: ir.Expr) -> str:
        """An expression where only its truth counts."""
        match e:
            case ir.Bin(operator="and" | "or" as sign, left=left, right=right):
                return f"({self.test(left)} {_LOGIC[sign]} {self.test(right)})"
            case ir.Not(operand=operand):
                return f"!{self.test(operand)}"
        return self.value(e)

    def value(self, e: ir.Expr) -> str:
        """A value, in parentheses where anything could stand beside it."""
        match e:
            case ir.Const(value=value):
                return number_text(value)
            case ir.Var(number=number):
                return self.names.get(number, f"v{number}")
            case ir.Load(address=address):
                return f"S[{_bare(self.value(address))}]"
            case ir.Peek(address=address):
                return f"W[{_bare(self.value(address))}]"
            case ir.Bin(operator=sign) if sign in _LOGIC:
                return self.test(e)
            case ir.Bin(operator=sign, left=left, right=right) if sign in _FUNCTIONS:
                return f"{_FUNCTIONS[sign]}({_bare(self.value(left))}, {_bare(self.value(right))})"
            case ir.Bin(operator=sign, left=left, right=right):
                return f"({self.value(left)} {sign} {self.value(right)})"
            case ir.Not():
                return self.test(e)
            case ir.Lookup(table=table, index=index):
                return f"T{table}[{_bare(self.value(index))}]"
            case ir.Top(pile=pile):
                return f"top_of(r, {_bare(self.value(pile))})"
            case ir.Bottom(pile=pile):
                return f"bottom_of(r, {_bare(self.value(pile))})"
            case ir.CountIn(pile=pile, card=card):
                return f"count_in(r, {_bare(self.value(pile))}, {_bare(self.value(card))})"
            case ir.Find(size=size, row=row, value=value):
                return f"last_of(r, {', '.join(_bare(self.value(part)) for part in (size, row, value))})"
            case _:
                assert_never(e)


# ---- what of a program is written ----------------------------------------------------------------------------------


def _needed(program: ir.Program) -> frozenset[int]:
    """The procedures that a run or a list of options comes to."""
    numbers = (number for decision in program.decisions for number in (decision.lister, *(decision.clock or ())))
    asked = frozenset(number for number in numbers if number >= 0)
    bodies = (*(block.body for block in program.blocks), *(program.procedures[number].body for number in asked))
    return asked | procedures_of(program, bodies)


def _stopping(program: ir.Program, needed: Iterable[int]) -> frozenset[int]:
    """The procedures that can stop a run, themselves or in what they call."""
    stops = (
        ir.Charge, ir.Fault, ir.EndGame, ir.Push, ir.Pop, ir.Draw, ir.Chance, ir.Shuffle, ir.Endless, ir.Yield,
    )  # fmt: skip
    bodies = {number: program.procedures[number].body for number in needed}
    own = {n for n, body in bodies.items() if any(isinstance(s, stops) for s in statements(body, told=False))}
    return frozenset(n for n, body in bodies.items() if n in own or not own.isdisjoint(procedures_of(program, (body,))))


def _assigned(body: ir.Body) -> set[int]:
    """The variables that statements give values to."""
    found: set[int] = set()
    for statement in statements(body, told=False):
        match statement:
            case ir.SetVar(number=number) | ir.ForRange(number=number) | ir.ForList(number=number):
                found.add(number)
            case ir.Chance(into=into) | ir.Endless(into=into) | ir.HashState(into=into) | ir.Pop(into=into):
                found.add(into)
            case ir.Call(into=int() as into):
                found.add(into)
    return found


def _order(program: ir.Program, starts: Sequence[int]) -> list[int]:
    """The blocks that runs come to, each if possible right before the one it goes on with."""
    found: dict[int, None] = {}
    waiting = [*reversed(starts)]
    while waiting:
        number = waiting.pop()
        if number not in found:
            found[number] = None
            waiting += [n for n in following(program.blocks[number].end) if n not in found]
    return [*found]


# ---- how it is written ---------------------------------------------------------------------------------------------


def _bare(text: str) -> str:
    """Without the parentheses around all of it."""
    if not text.startswith("("):
        return text
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return text[1:-1] if place == len(text) - 1 else text
    return text


def _within(text: str) -> str:
    """With parentheses around it."""
    return f"({_bare(text)})"
