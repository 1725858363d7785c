"""Generator of C11 source: a function for each procedure, and one function with a label for each block.

The source contains only numbers, generated names and, in comments, names of rules.  It has no external calls.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import assert_never

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import bulk, cycle_search, ismcts, protocol, rng
from wongar_dsl.compiler.backends.native.optimizations import (
    SearchLoop,
    hoist_finds,
    iteration_values,
    reads,
    search_loop,
)
from wongar_dsl.compiler.ir.cfg import (
    assigned,
    entry_points,
    expressions,
    field_texts,
    procedures_of,
    reachable,
    statements,
    successors,
)
from wongar_dsl.compiler.ir.containers import CONTAINERS
from wongar_dsl.compiler.ir.program import BUDGET

# ---- tables --------------------------------------------------------------------------------------------------------


#: Constants of the state header.
_HEAD = (
    "AT_BLOCK", "AT_CHANCE", "AT_DECISION", "AT_SEAT", "AT_WINNERS", "AT_TIME", "AT_PLAY_CHANCE", "AT_STEP",
    "FIRST_FREE", "OVER", "READY",
)  # fmt: skip
#: Constants of the tree search.
_TREE = ("ONE", "EXPLORATION", "SHARE", "GROUPED", "MAX_PATH", "MAX_GAME", "LN2")
#: Kinds of zones, by their numbers in the encoded sight.
ZONE_KINDS = tuple(CONTAINERS)
_PLAIN = re.compile(r"[A-Za-z0-9_ ]+")


def row_width(program: ir.Program) -> int:
    """Return the maximum length of an option: its number and its arguments."""
    return 1 + max((len(o.parameters) for d in program.decisions for o in d.options), default=0)


#: Number of bits for the index of a decision in a game; counted games are not longer.
COUNT_BITS = 21


def constants(p: ir.Program) -> Iterator[str]:
    """Yield the constants of a program."""
    numbers = {
        "SIZE": p.size,
        "FRAMES": p.frames,
        "ROW": row_width(p),
        "SCRATCH": max(1, p.scratch),
        "MARKS": max(1, len(p.marks)),
        "MARK_WORDS": max(1, -(-len(p.marks) // 8)),
        "TIMED": int(any(d.clock is not None for d in p.decisions)),
        "SEATS": p.seats,
        "BUDGET": BUDGET,
        "RESERVE": cycle_search.RESERVE,
        "MAX_ANSWER_TIME_MS": bulk.MAX_ANSWER_TIME_MS,
        "SCORED": int(p.score is not None),
        "FEWEST": int(p.fewest),
        **{name: getattr(ismcts, name) for name in _TREE},
        **{kind.upper(): number for number, kind in enumerate(ZONE_KINDS)},
        **{name: getattr(ir, name) for name in _HEAD},
        "FACTOR": ir.FACTOR,
        **{f"FOR_{purpose.name}": int(purpose) for purpose in rng.Purpose},
        **dict(zip(("HALF_BIT", "PURPOSE_BIT", "SEAT_BIT", "NUMBER_BIT"), rng.PLACES, strict=True)),
    }
    named = f"{p.name}, {p.seats} seats"
    yield f"/* {named if _PLAIN.fullmatch(named.replace(',', '').replace('/', '')) else 'a game'} */"
    yield ""
    yield "enum {"
    yield from (f"    {name} = {value}," for name, value in numbers.items())
    yield "};"
    yield f"#define MASK {ir.MASK}u"
    yield f"#define GOLDEN {rng.GOLDEN:#x}u"


def tables(p: ir.Program) -> Iterator[str]:
    """Yield the tables, the lists and the initial state."""
    for number, table in enumerate(p.tables):
        yield f"static const {cell_type(table)} T{number}[] = {braced(table or (0,))};"
    for number, lists in enumerate(p.lists):
        places = [0]
        for values in lists:
            places.append(places[-1] + len(values))
        flat = [value for values in lists for value in values]
        yield f"static const {cell_type(flat)} L{number}[] = {braced(flat or (0,))};"
        yield f"static const {cell_type(places)} A{number}[] = {braced(places)};"
    yield f"static const cell INITIAL[SIZE] = {braced(protocol.initial_cells(p))};"


def decisions(p: ir.Program) -> Iterator[str]:
    """Yield functions that list and apply the options of decisions."""
    yield "static void list_options(run *r) {"
    yield "    switch (S[AT_DECISION]) {"
    for number, decision in enumerate(p.decisions):
        yield f"    case {number}: l{decision.lister}(r); break;{comment(decision.name)}"
    yield "    }"
    yield "}"
    yield "static int made_at_once_or_by_time(cell decision) {"
    apart = [n for n, d in enumerate(p.decisions) if d.simultaneous or d.clock is not None]
    yield f"    return {' || '.join(f'decision == {n}' for n in apart) or '(void)decision, 0'};"
    yield "}"
    yield from _option_tables(p)


def _option_tables(p: ir.Program) -> Iterator[str]:
    """Yield the first number of each decision's options, and functions for the option that was taken."""
    first = [0]
    for decision in p.decisions:
        first.append(first[-1] + len(decision.options))
    yield f"static const int32_t FIRST_WAY[] = {braced(first)};"
    yield "static inline void take_down(run *r, const int32_t *option) {"
    yield "    switch (S[AT_DECISION]) {"
    for number, decision in enumerate(p.decisions):
        yield f"    case {number}:{comment(decision.name)}"
        yield "        switch (option[0]) {"
        for place, option in enumerate(decision.options):
            puts = "".join(f" S[{address}] = option[{i}];" for i, address in enumerate(option.addresses, 1))
            yield f"        case {place}: S[AT_BLOCK] = {option.block};{puts} break;"
        yield "        }"
        yield "        break;"
    yield "    }"
    yield "}"


def search_tables(p: ir.Program) -> Iterator[str]:
    """Yield tables for determinization and tree search."""
    yield f"static const uint16_t LOGARITHMS[] = {braced(ismcts.LOGARITHMS)};"
    yield scores(p)
    counts = [len(o.parameters) for d in p.decisions for o in d.options]
    yield f"static const uint8_t ARGUMENTS[] = {braced(counts or (0,))};"
    yield "static inline int arguments_of(cell decision, cell option) {"
    yield "    return ARGUMENTS[FIRST_WAY[decision] + option];"
    yield "}"
    sealed = ", ".join(map(braced, p.simultaneous_cells)) or "{-1, 0, 0, 0}"
    yield f"static const int32_t SEALED[][4] = {{{sealed}}};"
    yield "/* First and last time of a clock; returns 1, 0 if the clock has no end, -1 without a clock. */"
    yield "static int clock_of(run *r, cell decision, cell *first, cell *last) {"
    yield "    r->fuel = BUDGET;"
    yield "    switch (decision) {"
    for number, decision in enumerate(p.decisions):
        if decision.clock is not None:
            begin, end = decision.clock
            last = f"r->fuel = BUDGET; *last = p{end}(r); return 1;" if end >= 0 else "return 0;"
            yield f"    case {number}: *first = p{begin}(r); {last}"
    yield "    }"
    yield "    (void)first, (void)last;"
    yield "    return -1;"
    yield "}"


def scores(p: ir.Program) -> str:
    """Return the table with the score addresses of the seats, 0 in a game without scores."""
    return f"static const int32_t SCORES[] = {braced(p.score.at(s) if p.score else 0 for s in range(p.seats))};"


def count_tables(p: ir.Program) -> Iterator[str]:
    """Yield tables for statistics of random games."""
    yield f"enum {{ COUNT_BITS = {COUNT_BITS} }};"
    solving = (any(t.kind == "coverings" for o in d.options for _, t in o.parameters) for d in p.decisions)
    yield f"static const uint8_t SOLVES[] = {braced(map(int, solving))};"
    yield f"static const uint8_t AT_ONCE[] = {braced(int(d.simultaneous) for d in p.decisions)};"


# ---- text ----------------------------------------------------------------------------------------------------------


def cell_type(values: Sequence[int]) -> str:
    """Return the smallest C type for all numbers of a table."""
    most = max((v if v >= 0 else -v - 1 for v in values), default=0)
    return next((f"int{bits}_t" for bits in (8, 16, 32) if most < 1 << (bits - 1)), "int64_t")


def braced(values: Iterable[int]) -> str:
    """Return numbers in braces."""
    return f"{{{', '.join(map(number_text, values))}}}"


def number_text(value: int) -> str:
    """Return a number as a C literal."""
    text = str(value) if abs(value) < 1 << 31 else f"INT64_C({value})"
    return text if value >= 0 else f"({text})"


def comment(name: str) -> str:
    """Return a name of the rules as a C comment, empty if it has special characters."""
    return f" /* {name} */" if _PLAIN.fullmatch(name) else ""


# ---- code ----------------------------------------------------------------------------------------------------------


_FUNCTIONS = {"min": "min_of", "max": "max_of", "//": "floor_div", "%": "floor_mod", "<<": "shift_left"}
_LOGIC = {"and": "&&", "or": "||"}
#: Texts of instructions that are written in the same way in all places, by their fields.
_VALUES: Mapping[type[ir.Expr], str] = {
    ir.Load: "S[{address}]",
    ir.Peek: "W[{address}]",
    ir.Lookup: "T{table}[{index}]",
    ir.Top: "top_of(r, {pile})",
    ir.Bottom: "bottom_of(r, {pile})",
    ir.CountIn: "count_in(r, {pile}, {card})",
    ir.Find: "last_of(r, {size}, {row}, {value})",
}
_STOPPED = "if (r->stopped) {leave}"
_STATEMENTS: Mapping[type[ir.Stmt], tuple[str, ...]] = {
    ir.SetVar: ("v{number} = {value};",),
    ir.Store: ("S[{address}] = {value};",),
    ir.Poke: ("W[{address}] = {value};",),
    ir.Break: ("break;",),
    ir.DetectCycle: ("v{into} = endless(r, {decision}, {seat}, {first}, {end});", _STOPPED),
    ir.CoverageMark: ("marks_of(r)[{mark}] = 1;",),
    ir.Fault: ("fail(r, {fault});", "{leave}"),
    ir.EndGame: ("S[AT_WINNERS] = {winners};", "r->stopped = GAME_OVER;", "{leave}"),
    ir.Chance: ("v{into} = roll(r, {count});", _STOPPED),
    ir.Push: ("if (!{push}(r, {pile}, {card}, {capacity}, {fault})) {leave}",),
    ir.Pop: ("v{into} = {pop}(r, {pile}, {fault});", _STOPPED),
    ir.RemoveCard: ("if (!draw(r, {pile}, {card}, {fault})) {leave}",),
    ir.HashState: ("v{into} = hash_state(r, {first}, {end});",),
    ir.Shuffle: ("shuffle(r, {pile});", _STOPPED),
}
#: C files included after the constants, between tables and code, and at the end.
_PARTS = ("run.c", "cycle_search.c", "play.c", "ismcts.c", "perft.c", "batch.c")
#: C files only for bots and batches.
_SEARCHING = ("ismcts.c", "batch.c")
_TOO_MUCH = BUDGET + 1
_VARIABLE = re.compile(r"\bv(\d+)\b")


def generate(program: ir.Program, searching: bool = True) -> str:
    """Return the complete source of a program.  With `searching` it includes the code for bots and batches."""
    return _CSource(program).text([name for name in _PARTS if searching or name not in _SEARCHING])


def part(name: str) -> str:
    """Return one of the C files that are the same for all programs."""
    return (files(__package__) / "c" / name).read_text("utf-8")


class _CSource:
    def __init__(self, program: ir.Program) -> None:
        self.program = program = hoist_finds(program)
        self.listers = {decision.lister for decision in program.decisions}
        self.needed = _needed(program)
        self.stopping = _stopping(program, self.needed)
        self.lines: list[str] = []
        self.leave = ""
        self.loops = 0
        #: Variables with a temporary C expression.
        self.names: dict[int, str] = {}
        #: Innermost loop over a list, with its number; and the statement before the current one.
        self.turning: tuple[ir.ForList, int] | None = None
        self.given: ir.Stmt | None = None
        #: Number of reads of each variable in the current code.
        self.read: Counter[int] = Counter()
        #: Blocks that are the target of a jump.
        self.aims: set[int] = set()

    def text(self, names: Sequence[str]) -> str:
        p = self.program
        base, search, *rest = map(part, names)
        needs = search_tables(p) if _SEARCHING[0] in names else ()
        self.functions()
        self.blocks()
        parts = [base, *self.declared(), search, *tables(p), *self.lines, *decisions(p), *needs, "", *rest]
        if p.marks:
            parts += [*count_tables(p), "", part("counters.c")]
        body, named = "\n".join(parts), tuple(constants(p))
        digest = hashlib.sha256("\n".join((*named, body)).encode()).hexdigest()
        return "\n".join((*named, f'#define SOURCE "{digest}"', "", body))

    def declared(self) -> Iterator[str]:
        """Yield the declarations of procedures."""
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
                self.lines.append("    int32_t count = 0, *row;")
            self.body(procedure.body, 1)
            self.lines.append("    r->count = count;" if lists else "    return 0;")
            self.lines.append("}")
            self.variables(procedure.body, range(procedure.parameters), begin)

    def variables(self, body: ir.Body, known: Sequence[int], after: int) -> None:
        """Declare the variables used in the lines from `after` on."""
        named = {int(number) for line in self.lines[after:] for number in _VARIABLE.findall(line)}
        used = sorted(named & {*assigned(body)} - {*known})
        if used:
            self.lines.insert(after, f"    cell {', '.join(f'v{n} = 0' for n in used)};")

    # ---- blocks ----

    def blocks(self) -> None:
        add = self.lines.append
        self.leave = "return;"
        entered = entry_points(self.program)
        order = _order(self.program, sorted(entered))
        has_resume = any(isinstance(self.program.blocks[n].end, ir.Resume) for n in order)
        add("")
        add("/* Run from the block in the state to the next decision, the pause before play, or a stop. */")
        add("static void go(run *r) {")
        add("    cell block = S[AT_BLOCK];")
        if has_resume:
            add("again:")
        add("    switch (block) {")
        for number in sorted(entered):
            add(f"    case {number}: goto b{number};")
        add("    default: return;")
        add("    }")
        self.aims = {*entered}
        written = []
        for place, number in enumerate(order):
            self.lines, outer_lines = [], self.lines
            self.block(number, order[place + 1] if place + 1 < len(order) else -1)
            written.append((number, self.lines))
            self.lines = outer_lines
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
                self.run_from(following_, after)
            case ir.Branch(condition=condition, then=then, otherwise=otherwise):
                if then == after:
                    add(f"    if (!{_within(self.test(condition))}) {self.jump_target(otherwise)}")
                else:
                    add(f"    if {_within(self.test(condition))} {self.jump_target(then)}")
                    self.run_from(otherwise, after)
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
                add(f"    S[AT_SEAT] = {self.bare(seat)};")
                if otherwise < 0:
                    add("    return;")
                else:
                    lister = self.program.decisions[decision].lister
                    add(f"    l{lister}(r);")
                    add("    if (r->stopped) return;")
                    add("    if (r->count) { r->listed = 1; return; }")
                    self.run_from(otherwise, after)
            case _:
                assert_never(end)

    def run_from(self, number: int, after: int) -> None:
        if number != after:
            self.lines.append(f"    {self.jump_target(number)}")

    def jump_target(self, number: int) -> str:
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
            case ir.Call(procedure=procedure, arguments=arguments, into=into):
                values = "".join(f", {self.bare(a)}" for a in arguments)
                target = f"v{into} = " if into is not None else ""
                add(f"{target}p{procedure}(r{values});")
                if procedure in self.stopping:
                    add(f"if (r->stopped) {self.leave}")
            case ir.Return(value=result):
                add(f"return {self.bare(result) if result is not None else 0};")
            case ir.Charge(steps=steps, fault=fault):
                add(f"if (!charge(r, {min(steps, _TOO_MUCH)}, {fault})) {self.leave}")
            case ir.Emit():
                pass  # The native backend emits no events.
            case ir.Yield(option=option, arguments=arguments):
                add("row = option_row(r, count++);")
                add(f"if (!row) {self.leave}")
                add(f"row[0] = {option};")
                for place, argument in enumerate(arguments):
                    add(f"row[{place + 1}] = (int32_t){self.value(argument)};")
            case _:
                fields = field_texts(statement, self.bare) | {
                    "leave": self.leave,
                    "push": "push_under" if isinstance(statement, ir.Push) and statement.under else "push",
                    "pop": "pop_bottom" if isinstance(statement, ir.Pop) and statement.bottom else "pop",
                }
                for text in _STATEMENTS[type(statement)]:
                    add(text.format(**fields))

    def loop(self, loop: ir.ForRange | ir.ForList, place: int, depth: int) -> None:
        """Write a loop; `place` makes its generated names unique."""
        pad = "    " * depth

        def add(text: str) -> None:
            self.lines.append(pad + text)

        i, n, position = f"i{place}", f"n{place}", f"a{place}"
        outer = self.turning
        if isinstance(loop, ir.ForList):
            question = search_loop(loop, self.program, self.read)
            if question is not None and self.question_in_loop(loop, question, place, add):
                return
            add(f"cell {position} = {self.bare(loop.index)};")
            if question is not None:
                guard = f"{position} >= {question.empty} && " if question.empty else ""
                self.question(loop, question, f"L{loop.lists}", f"({position} - {question.empty})", guard, add)
                return
            self.turning = loop, place
            add(f"for (int {i} = A{loop.lists}[{position}], {n} = A{loop.lists}[{position} + 1]; {i} < {n}; {i}++) {{")
            add(f"    v{loop.number} = L{loop.lists}[{i}];")
        else:
            add(f"for (cell {i} = 0, {n} = {self.bare(loop.count)}; {i} < {n}; {i}++) {{")
            add(f"    v{loop.number} = {i};")
        self.body(loop.body, depth + 1)
        add("}")
        self.turning = outer

    def question_in_loop(self, loop: ir.ForList, question: SearchLoop, place: int, add: Callable[[str], None]) -> bool:
        """Write a question inside of a loop over lists that determines its list, with all items in one row."""
        if self.turning is None:
            return False
        (outer, turn), index = self.turning, loop.index
        match self.given:
            case ir.SetVar(number=number, value=value) if index == ir.Var(number):
                index = value
        row = iteration_values(outer, question, loop.lists, index, self.program)
        if row is None:
            return False
        add(f"static const {cell_type(row)} q{place}[] = {braced(row)};")
        self.question(loop, question, f"q{place}", f"i{turn}", "", add)
        return True

    def question(
        self, loop: ir.ForList, question: SearchLoop, row: str, turn: str, there: str, add: Callable[[str], None]
    ) -> None:
        """Write a loop over a short list that sets a flag as branch-free code."""
        parts = []
        for thing in range(question.things):
            self.names[loop.number] = f"(cell){row}[{question.things} * {turn} + {thing}]"
            parts.append(f"({'!' if question.every else '!!'}{_within(self.test(question.condition))})")
        del self.names[loop.number]
        add(f"if ({there}({' | '.join(parts)})) v{question.into} = {number_text(question.value)};")

    # ---- expressions ----

    def test(self, e: ir.Expr) -> str:
        """Return the C expression of a truth value."""
        match e:
            case ir.Bin(operator="and" | "or" as sign, left=left, right=right):
                return f"({self.test(left)} {_LOGIC[sign]} {self.test(right)})"
            case ir.Not(operand=operand):
                return f"!{self.test(operand)}"
        return self.value(e)

    def value(self, e: ir.Expr) -> str:
        """Return the C expression of a value, in parentheses if it is compound."""
        match e:
            case ir.Const(value=value):
                return number_text(value)
            case ir.Var(number=number):
                return self.names.get(number, f"v{number}")
            case ir.Bin(operator=sign) if sign in _LOGIC:
                return self.test(e)
            case ir.Bin(operator=sign, left=left, right=right) if sign in _FUNCTIONS:
                return f"{_FUNCTIONS[sign]}({self.bare(left)}, {self.bare(right)})"
            case ir.Bin(operator=sign, left=left, right=right):
                return f"({self.value(left)} {sign} {self.value(right)})"
            case ir.Not():
                return self.test(e)
            case _:
                return _VALUES[type(e)].format(**field_texts(e, self.bare))

    def bare(self, e: ir.Expr) -> str:
        """Return the C expression of a value without enclosing parentheses."""
        return _bare(self.value(e))


# ---- analysis of the program ---------------------------------------------------------------------------------------


def _needed(program: ir.Program) -> frozenset[int]:
    """Return the procedures that a run or a lister calls."""
    numbers = (number for decision in program.decisions for number in (decision.lister, *(decision.clock or ())))
    roots = frozenset(number for number in numbers if number >= 0)
    bodies = (*(block.body for block in program.blocks), *(program.procedures[number].body for number in roots))
    return roots | procedures_of(program, bodies)


def _stopping(program: ir.Program, needed: Iterable[int]) -> frozenset[int]:
    """Return the procedures that can stop a run, directly or in a callee."""
    stops = (
        ir.Charge, ir.Fault, ir.EndGame, ir.Push, ir.Pop, ir.RemoveCard, ir.Chance, ir.Shuffle, ir.DetectCycle,
        ir.Yield,
    )  # fmt: skip
    bodies = {number: program.procedures[number].body for number in needed}
    direct = {n for n, body in bodies.items() if any(isinstance(s, stops) for s in statements(body, with_events=False))}
    return frozenset(
        n for n, body in bodies.items() if n in direct or not direct.isdisjoint(procedures_of(program, (body,)))
    )


def _order(program: ir.Program, starts: Sequence[int]) -> list[int]:
    """Return the reachable blocks, each if possible directly before its successor."""
    return [*reachable(reversed(starts), lambda number: successors(program.blocks[number].end))]


# ---- text ----------------------------------------------------------------------------------------------------------


def _bare(text: str) -> str:
    """Return text without enclosing parentheses."""
    if not text.startswith("("):
        return text
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return text[1:-1] if place == len(text) - 1 else text
    return text


def _within(text: str) -> str:
    """Return text in parentheses."""
    return f"({_bare(text)})"
