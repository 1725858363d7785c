"""Generates Python source from a program: one function for each procedure and block, names known nowhere.

Only numbers and generated names stand in the source, never a word of a rule file.  The source is made twice, with and
without events, so that playouts pay nothing for what nobody listens to.
"""

from __future__ import annotations

import contextlib
import marshal
from collections.abc import Callable
from functools import cached_property
from types import CodeType
from typing import Any, cast

from wongar_dsl import ir
from wongar_dsl.backends import chance
from wongar_dsl.backends.protocol import Dice, Option, RawEvent, RuleFault, State
from wongar_dsl.cache import Cache
from wongar_dsl.ir.metering import BUDGET

_TRUTHS = frozenset({"==", "!=", "<", "<=", ">", ">=", "and", "or"})
_CALLS = frozenset({"min", "max"})
#: Blocks that follow one another stand inside of each other up to this depth.
MAX_DEPTH = 60


class Over(Exception):
    """The game has ended."""


class PythonBackend:
    """Runs a program as generated Python."""

    def __init__(self, program: ir.Program, cache: Cache | None = None) -> None:
        """Raises SyntaxError, RecursionError or MemoryError where Python's compiler is not up to the program."""
        self._program = program
        self._cache = cache
        self._initial = [0] * program.size
        for address, value in program.initial:
            self._initial[address] = value
        self._initial[ir.AT_BLOCK] = program.entry
        self._ways = [[(o.block, o.addresses) for o in d.options] for d in program.decisions]
        self._quiet = _load(program, False, cache)

    @cached_property
    def _telling(self) -> dict[str, Any]:
        return _load(self._program, True, self._cache)

    @cached_property
    def _listers(self) -> list[Callable[[State], list[Option]]]:
        return cast("list[Callable[[State], list[Option]]]", self._quiet["LISTERS"])

    @cached_property
    def advance(self) -> Callable[[State], list[Option]]:
        """See `Backend.go`."""
        return cast("Callable[[State], list[Option]]", self._quiet["go"])

    def start(self, seed: int) -> State:
        """See `Backend.start`."""
        state = self._initial.copy()
        state[ir.AT_CHANCE] = chance.start(seed, chance.Purpose.SETUP)
        state[ir.AT_PLAY_CHANCE] = chance.start(seed, chance.Purpose.PLAY)
        return state

    def run(self, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
        """See `Backend.run`."""
        module = self._quiet if events is None else self._telling
        module["DICE"][0] = dice
        try:
            module["run"](state, events)
        finally:
            module["DICE"][0] = None

    def options(self, state: State) -> list[Option]:
        """See `Backend.options`."""
        decision = state[2]
        return self._listers[decision](state) if decision >= 0 else []

    def evaluate(self, state: State, procedure: int, arguments: tuple[int, ...]) -> int:
        """See `Backend.call`."""
        self._quiet["FUEL"][0] = BUDGET
        return cast(int, self._quiet["PROCEDURES"][procedure](state.copy(), None, *arguments))

    def choose(self, state: State, option: Option, time: int = 0) -> None:
        """See `Backend.choose`."""
        state[0], addresses = self._ways[state[2]][option[0]]
        state[5] = time
        i = 1
        for address in addresses:
            state[address] = option[i]
            i += 1


_RUNTIME = """
def roll(S, n):
    if n <= 1:
        return 0
    if DICE[0] is not None:
        return DICE[0](n)
    z = S[1] = (S[1] + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return ((z ^ (z >> 31)) * n) >> 64

def fail(k):
    raise RuleFault(FAULTS[k])

def push(S, a, c, capacity, k):
    n = S[a]
    if n >= capacity:
        fail(k)
    S[a] = n + 1
    S[a + n + 1] = c

def push_under(S, a, c, capacity, k):
    n = S[a]
    if n >= capacity:
        fail(k)
    S[a] = n + 1
    S[a + 1 : a + n + 2] = [c, *S[a + 1 : a + n + 1]]

def pop(S, a, k):
    n = S[a]
    if n == 0:
        fail(k)
    c = S[a + n]
    S[a + n] = 0
    S[a] = n - 1
    return c

def out(S, a, i):
    n = S[a]
    c = S[a + 1 + i]
    S[a + 1 + i : a + n + 1] = [*S[a + 2 + i : a + n + 1], 0]
    S[a] = n - 1
    return c

def pop_bottom(S, a, k):
    if S[a] == 0:
        fail(k)
    return out(S, a, 0)

def draw(S, a, c, k):
    for i in range(S[a] - 1, -1, -1):
        if S[a + 1 + i] == c:
            out(S, a, i)
            return
    fail(k)

def imprint(S, a, b):
    h = 0
    for x in S[FIRST:a]:
        h = (h * 1000003 + x + 1) & 0xFFFFFFFFFF
    for x in S[b:]:
        h = (h * 1000003 + x + 1) & 0xFFFFFFFFFF
    return h

def shuffle(S, a):
    n = S[a]
    cards = S[a + 1 : a + 1 + n]
    for i in range(n - 1, 0, -1):
        j = roll(S, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    S[a + 1 : a + 1 + n] = cards

def run(S, E):
    SHORT[0] = None
    block = S[0]
    if block < 0:
        return
    FUEL[0] = BUDGET
    S[2] = -1
    try:
        while block >= 0:
            block = BLOCKS[block](S, E)
    except Over:
        S[2] = S[3] = -1
        S[FRAMES:] = BLANK
    if S[2] != -2:
        S[0] = -1

def go(S):
    run(S, None)
    while S[2] == -2:
        run(S, None)
    return SHORT[0] or (LISTERS[S[2]](S) if S[2] >= 0 else [])
"""


def _load(program: ir.Program, telling: bool, cache: Cache | None) -> dict[str, Any]:
    module: dict[str, Any] = {
        "DICE": [None],
        "PROCEDURES": {},
        "W": [0] * program.scratch,
        "FUEL": [0],
        "SHORT": [None],
        "FIRST": ir.FIRST_FREE,
        "FRAMES": program.frames,
        "BLANK": [0] * (program.size - program.frames),
        "BUDGET": BUDGET,
        "FAULTS": program.faults,
        "RuleFault": RuleFault,
        "Over": Over,
    }
    module |= {f"T{i}": table for i, table in enumerate(program.tables)}
    module |= {f"L{i}": lists for i, lists in enumerate(program.lists)}
    exec(compile_source(program, telling, cache), module)  # noqa: S102 (our own source, of numbers and generated names)
    return module


def compile_source(program: ir.Program, telling: bool, cache: Cache | None = None) -> CodeType:
    """The code of a program's module."""
    source = _Source(program, telling).text()
    kept = cache.get("code", source) if cache is not None else None
    if kept is not None:
        with contextlib.suppress(EOFError, ValueError, TypeError):
            code = marshal.loads(kept)
            if isinstance(code, CodeType):
                return code
    code = compile(source, f"<{program.name}>", "exec", dont_inherit=True)
    if cache is not None:
        cache.put(marshal.dumps(code), "code", source)
    return code


class _Source:
    def __init__(self, program: ir.Program, telling: bool) -> None:
        self.program = program
        self.telling = telling
        self.lines: list[str] = []

    def text(self) -> str:
        self.lines = [_RUNTIME]
        listers = {d.lister for d in self.program.decisions}
        for number, procedure in enumerate(self.program.procedures):
            if number in listers:
                # A run that looks whether there is a choice pays for it; whoever asks from outside has its own budget.
                self.lines += [f"def l{number}(S):", " E = []"]
                self.body(procedure.body, 1)
                self.lines += [" return E", f"def q{number}(S):", " FUEL[0] = BUDGET", f" return l{number}(S)"]
                continue
            parameters = "".join(f", v{i}" for i in range(procedure.parameters))
            self.lines.append(f"def p{number}(S, E{parameters}):")
            self.body(procedure.body, 1)
            self.lines.append(" return 0")
        self.blocks()
        for number in range(len(self.program.procedures)):
            if number not in listers:
                self.lines.append(f"PROCEDURES[{number}] = p{number}")
        self.lines.append(f"LISTERS = [{', '.join(f'q{d.lister}' for d in self.program.decisions)}]")
        return "\n".join(self.lines)

    # ---- blocks ----

    def blocks(self) -> None:
        """A function for each block that can be entered from elsewhere; the others stand inside of the one before."""
        heads = self.heads()
        waiting = sorted(heads)
        known: dict[int, str] = {}
        while waiting:
            number = waiting.pop()
            if number not in known:
                known[number] = f"b{number}"
                self.lines.append(f"def b{number}(S, E):")
                self.block(number, heads, 1, waiting)
        self.lines.append(f"BLOCKS = [{', '.join(known.get(i, 'None') for i in range(len(self.program.blocks)))}]")

    def heads(self) -> frozenset[int]:
        """The blocks that are entered from more than one place, or by a number in the state."""
        entries = {self.program.entry} | {o.block for d in self.program.decisions for o in d.options}
        entered: dict[int, int] = {}
        for block in self.program.blocks:
            following: tuple[int, ...] = ()
            match block.end:
                case ir.Jump(block=number):
                    following = (number,)
                case ir.Branch(then=then, otherwise=otherwise):
                    following = (then, otherwise)
                case ir.Decide(otherwise=otherwise) if otherwise >= 0:
                    following = (otherwise,)
                case ir.Pause(block=number):
                    entries.add(number)
            for number in following:
                entered[number] = entered.get(number, 0) + 1
        entries |= self.program.resumed
        return frozenset(entries | {n for n, times in entered.items() if times > 1})

    def block(self, number: int, heads: frozenset[int], depth: int, waiting: list[int]) -> None:
        """A block's statements, and how it goes on; blocks for which it is too deep here are added to `waiting`."""
        block = self.program.blocks[number]
        for statement in block.body:
            self.statement(statement, depth)
        pad = " " * depth
        match block.end:
            case ir.Jump(block=following):
                self.onward(following, heads, depth, waiting)
            case ir.Branch(condition=condition, then=then, otherwise=otherwise):
                self.lines.append(f"{pad}if {self.test(condition)}:")
                self.onward(then, heads, depth + 1, waiting)
                self.onward(otherwise, heads, depth, waiting)
            case ir.Resume(address=address):
                self.lines += [f"{pad}n = S[{address}]", f"{pad}S[{address}] = 0", f"{pad}return n"]
            case ir.Pause(block=following):
                now, later = ir.AT_CHANCE, ir.AT_PLAY_CHANCE
                self.lines += [f"{pad}S[2] = -2", f"{pad}S[0] = {following}"]
                self.lines += [f"{pad}if S[{later}]: S[{now}], S[{later}] = S[{later}], 0", f"{pad}return -1"]
            case ir.Decide(decision=decision, seat=seat, otherwise=otherwise):
                self.lines += [f"{pad}S[2] = {decision}", f"{pad}S[3] = {self.value(seat)}"]
                if otherwise >= 0:
                    lister = self.program.decisions[decision].lister
                    self.lines.append(f"{pad}SHORT[0] = F = l{lister}(S)")
                    self.lines.append(f"{pad}if F: return -1")
                    self.onward(otherwise, heads, depth, waiting)
                else:
                    self.lines += [f"{pad}return -1"]

    def onward(self, number: int, heads: frozenset[int], depth: int, waiting: list[int]) -> None:
        """Go on with a block: here and now where nothing else leads to it."""
        if number in heads or depth > MAX_DEPTH:
            self.lines.append(f"{' ' * depth}return {number}")
            if number not in heads:
                waiting.append(number)
        else:
            self.block(number, heads, depth, waiting)

    # ---- statements ----

    def body(self, body: ir.Body, depth: int) -> None:
        before = len(self.lines)
        for statement in body:
            self.statement(statement, depth)
        if len(self.lines) == before:
            self.lines.append(" " * depth + "pass")

    def statement(self, statement: ir.Stmt, depth: int) -> None:
        pad = " " * depth
        add = self.lines.append
        match statement:
            case ir.SetVar(number=number, value=value):
                add(f"{pad}v{number} = {self.value(value)}")
            case ir.Store(address=address, value=value):
                self.store(pad, address, value)
            case ir.Poke(address=address, value=value):
                add(f"{pad}W[{self.value(address)}] = {self.value(value)}")
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
            case ir.Break():
                add(f"{pad}break")
            case ir.Call(procedure=procedure, arguments=arguments, into=into):
                values = "".join(f", {self.value(a)}" for a in arguments)
                target = f"v{into} = " if into is not None else ""
                add(f"{pad}{target}p{procedure}(S, E{values})")
            case ir.Return(value=result):
                add(f"{pad}return {self.value(result) if result is not None else 0}")
            case ir.Charge(steps=steps, fault=fault):
                add(f"{pad}FUEL[0] -= {steps}")
                add(f"{pad}if FUEL[0] < 0: fail({fault})")
            case ir.Fault(fault=fault):
                add(f"{pad}fail({fault})")
            case ir.EndGame(winners=winners):
                add(f"{pad}S[4] = {self.value(winners)}")
                add(f"{pad}raise Over")
            case ir.Emit():
                if self.telling:
                    self.emit(statement, depth)
            case ir.Yield(option=option, arguments=arguments):
                add(f"{pad}E.append(({option}, {''.join(f'{self.value(a)}, ' for a in arguments)}))")
            case _:
                add(pad + self.cards(statement))

    def store(self, pad: str, address: ir.Expr, value: ir.Expr) -> None:
        at = self.value(address)
        if isinstance(value, ir.Bin) and value.operator in "+-" and value.left == ir.Load(address):
            self.lines.append(f"{pad}S[{at}] {value.operator}= {self.value(value.right)}")
        else:
            self.lines.append(f"{pad}S[{at}] = {self.value(value)}")

    def emit(self, statement: ir.Emit, depth: int) -> None:
        if statement.prepare:
            self.body(statement.prepare, depth)
        shown = []
        for argument in statement.arguments:
            values = [self.value(e) for e in argument]
            shown.append(values[0] if len(values) == 1 else f"({''.join(f'{v}, ' for v in values)})")
        fields = "".join(f"{v}, " for v in shown)
        self.lines.append(f"{' ' * depth}E.append(({statement.event}, ({fields}), {self.value(statement.seen)}))")

    def cards(self, statement: ir.Stmt) -> str:
        match statement:
            case ir.Chance(into=into, count=count):
                return f"v{into} = roll(S, {self.value(count)})"
            case ir.Push(pile=pile, card=card, capacity=capacity, under=under, fault=fault):
                name = "push_under" if under else "push"
                return f"{name}(S, {self.value(pile)}, {self.value(card)}, {capacity}, {fault})"
            case ir.Pop(into=into, pile=pile, bottom=bottom, fault=fault):
                return f"v{into} = {'pop_bottom' if bottom else 'pop'}(S, {self.value(pile)}, {fault})"
            case ir.Draw(pile=pile, card=card, fault=fault):
                return f"draw(S, {self.value(pile)}, {self.value(card)}, {fault})"
            case ir.HashState(into=into, first=first, end=end):
                return f"v{into} = imprint(S, {first}, {end})"
            case ir.Shuffle(pile=pile):
                return f"shuffle(S, {self.value(pile)})"
        raise AssertionError(statement)

    # ---- expressions ----

    def test(self, e: ir.Expr) -> str:
        """An expression where only its truth counts."""
        match e:
            case ir.Bin(operator="and" | "or" as sign, left=left, right=right):
                return f"({self.test(left)} {sign} {self.test(right)})"
            case ir.Bin(operator=sign, left=left, right=right) if sign in _TRUTHS:
                return f"({self.value(left)} {sign} {self.value(right)})"
            case ir.Not(operand=operand):
                return f"(not {self.test(operand)})"
        return self.value(e)

    def value(self, e: ir.Expr) -> str:
        match e:
            case ir.Const(value=value):
                return str(value) if value >= 0 else f"({value})"
            case ir.Var(number=number):
                return f"v{number}"
            case ir.Load(address=address):
                return f"S[{self.value(address)}]"
            case ir.Peek(address=address):
                return f"W[{self.value(address)}]"
            case ir.Bin(operator=sign) if sign in _TRUTHS:
                return f"(1 if {self.test(e)} else 0)"
            case ir.Bin(operator=sign, left=left, right=right) if sign in _CALLS:
                return f"{sign}({self.value(left)}, {self.value(right)})"
            case ir.Bin(operator=sign, left=left, right=right):
                return f"({self.value(left)} {sign} {self.value(right)})"
            case ir.Not():
                return f"(1 if {self.test(e)} else 0)"
            case ir.Lookup(table=table, index=index):
                return f"T{table}[{self.value(index)}]"
            case ir.Top(pile=pile):
                at = self.value(pile)
                return f"(S[{at} + S[{at}]] if S[{at}] else -1)"
            case ir.Bottom(pile=pile):
                at = self.value(pile)
                return f"(S[{at} + 1] if S[{at}] else -1)"
            case ir.CountIn(pile=pile, card=card):
                at = self.value(pile)
                return f"S[{at} + 1 : {at} + 1 + S[{at}]].count({self.value(card)})"
        raise AssertionError(e)
