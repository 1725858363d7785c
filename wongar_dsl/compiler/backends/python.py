"""Backend that runs a program as a generated Python module.

There are two versions, with and without events, so that playouts do not pay for listeners.
"""

from __future__ import annotations

import contextlib
import marshal
from collections.abc import Callable, Sequence
from functools import cached_property
from types import CodeType
from typing import Any, cast

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import cycle_search
from wongar_dsl.compiler.backends.interpreter import Machine, SteppingBackend, hash_state, last_of
from wongar_dsl.compiler.backends.protocol import (
    CycleQuery,
    Dice,
    GameOver,
    Option,
    RawEvent,
    State,
    end_game,
    initial_cells,
    with_seed,
)
from wongar_dsl.compiler.ir.program import (
    AT_BLOCK,
    AT_DECISION,
    AT_TIME,
    BUDGET,
    OVER,
    READY,
)

# ---- functions of generated code -----------------------------------------------------------------------------------


#: Function of a block: returns the number of the next block, negative to stop.
Block = Callable[[State, list[RawEvent] | None], int]
Lister = Callable[[State], list[Option]]


class RunTime(Machine):
    """Machine of the functions of one program.

    `found` are options that the run has already listed, to check whether there are any.  `blocks` and `listers` (one
    per decision) are set after the source has been executed.
    """

    __slots__ = ("blocks", "found", "listers")

    def __init__(self, program: ir.Program, reached: set[int]) -> None:
        super().__init__(program, None, reached)
        self.found: list[Option] | None = None
        self.blocks: Sequence[Block | None] = ()
        self.listers: Sequence[Lister] = ()

    def run(self, state: State, events: list[RawEvent] | None) -> None:
        """Run blocks to a decision, the end of setup or the end of the game."""
        self.found = None
        if state[AT_BLOCK] < 0:
            return
        self.fuel = BUDGET
        state[AT_DECISION] = OVER
        try:
            self._walk(state, events)
        except GameOver:
            end_game(self.program, state)
        if state[AT_DECISION] != READY:
            state[AT_BLOCK] = -1

    def _walk(self, state: State, events: list[RawEvent] | None) -> None:
        block, blocks = state[AT_BLOCK], self.blocks
        while block >= 0:
            block = blocks[block](state, events)  # type: ignore[misc]  # None only where no run comes by number

    def options(self, state: State) -> list[Option]:
        """Implement `Backend.options`, with a step budget of its own."""
        self.fuel = BUDGET
        return self.listers[state[AT_DECISION]](state) if state[AT_DECISION] >= 0 else []

    def advance(self, state: State) -> list[Option]:
        """Implement `Backend.advance`."""
        self.run(state, None)
        while state[AT_DECISION] == READY:
            self.run(state, None)
        return self.found or self.options(state)

    def detect_cycle(self, state: State, decision: int, seat: int, first: int, end: int) -> ir.CycleVerdict:
        """Return the verdict of `ir.DetectCycle`."""
        verdict, self.fuel = self.search(state, CycleQuery(decision, seat, first, end), self.fuel)
        return verdict

    def search(self, state: State, query: CycleQuery, fuel: int) -> tuple[ir.CycleVerdict, int]:
        """Implement `Backend.search`."""
        outer_fuel, self.fuel = self.fuel, fuel
        dice, self.dice = self.dice, cycle_search.no_chance
        before = self.reached.copy() if self.program.marks else None
        try:
            return cycle_search.search(self.program, self, state, query), self.fuel
        finally:
            self.fuel, self.dice, self.found = outer_fuel, dice, None
            if before is not None:  # Marks reached only in a search do not count.
                self.reached.intersection_update(before)

    def run_from(self, state: State) -> None:
        """Implement `cycle_search.ChoiceRunner.run_from`."""
        self.found = None
        self._walk(state, [])

    def legal_options(self, state: State) -> list[Option]:
        """Implement `cycle_search.ChoiceRunner.legal_options`."""
        return self.found or self.listers[state[AT_DECISION]](state)


# ---- backend -------------------------------------------------------------------------------------------------------


#: Maximum number of blocks of a program compiled by Python, which takes about 2 s and 200 MB for that.
MAX_BLOCKS = 8_000
#: Maximum number of programs whose code is cached in this process; all are discarded when it is exceeded.
MAX_CACHED_PROGRAMS = 60
_at_hand: dict[tuple[str, ...], CodeType] = {}


class PythonBackend(SteppingBackend):
    """Backend that runs a program as generated Python."""

    name = "python"

    def __init__(self, program: ir.Program, cache: Cache | None = None, made_of: Sequence[str] = ()) -> None:
        """Compile or load the program; for `made_of` see `load_backend`.

        Raises SyntaxError, RecursionError or MemoryError if the program exceeds the limits of Python's compiler.
        """
        self.program = program
        self._cache, self._made_of = cache, made_of
        self._blank = initial_cells(program)
        self._reached: set[int] = set()
        self._ways = [[(o.block, o.addresses) for o in d.options] for d in program.decisions]
        self._quiet, self._procedures = self._load(False)

    @cached_property
    def _telling(self) -> RunTime:
        return self._load(True)[0]

    def _load(self, telling: bool) -> tuple[RunTime, dict[int, Callable[..., Any]]]:
        return _load(self.program, _code(self.program, telling, self._cache, self._made_of), self._reached)

    @cached_property
    def advance(self) -> Callable[[State], list[Option]]:
        """Implement `Backend.advance`."""
        return self._quiet.advance

    @property
    def reached_marks(self) -> set[int]:
        """Implement `Backend.reached_marks`."""
        return self._reached

    def start(self, seed: int) -> State:
        """Implement `Backend.start`."""
        return with_seed(self._blank.copy(), seed)

    def run(self, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
        """Implement `Backend.run`."""
        machine = self._quiet if events is None else self._telling
        machine.dice = dice
        try:
            machine.run(state, events)
        finally:
            machine.dice = None

    def options(self, state: State) -> list[Option]:
        """Implement `Backend.options`."""
        return self._quiet.options(state)

    def evaluate(self, state: State, procedure: int, arguments: tuple[int, ...]) -> int:
        """Implement `Backend.evaluate`."""
        self._quiet.fuel = BUDGET
        return cast(int, self._procedures[procedure](state.copy(), None, *arguments))

    def choose(self, state: State, option: Option, time: int = 0) -> None:
        """Implement `Backend.choose`."""
        state[AT_BLOCK], addresses = self._ways[state[AT_DECISION]][option[0]]
        state[AT_TIME] = time
        i = 1
        for address in addresses:
            state[address] = option[i]
            i += 1

    def clear_scratch(self) -> None:
        """Reset the scratch memory after an abandoned step."""
        for machine in (self._quiet, self._telling):
            machine.forget()

    def search(self, state: State, query: CycleQuery, fuel: int) -> tuple[ir.CycleVerdict, int]:
        """Implement `Backend.search`."""
        return self._quiet.search(state, query, fuel)


def _load(program: ir.Program, code: CodeType, reached: set[int]) -> tuple[RunTime, dict[int, Callable[..., Any]]]:
    """Return the machine of a program, and its procedures by number.  `reached` collects the marks."""
    machine = RunTime(program, reached)
    functions = (
        machine.fail, machine.roll, machine.shuffle, machine.push, machine.push_under, machine.pop, machine.pop_bottom,
        machine.remove_card, machine.detect_cycle, hash_state, last_of,
    )  # fmt: skip
    module: dict[str, Any] = {
        "M": machine,
        "W": machine.scratch,
        "Over": GameOver,
        "reached": reached,
        **{function.__name__: function for function in functions},
    }
    module |= {f"T{i}": table for i, table in enumerate(program.tables)}
    module |= {f"L{i}": lists for i, lists in enumerate(program.lists)}
    exec(code, module)  # noqa: S102 (our own source, of numbers and generated names)
    machine.blocks, machine.listers = module["BLOCKS"], module["LISTERS"]
    return machine, module["PROCEDURES"]


def _code(program: ir.Program, telling: bool, cache: Cache | None, made_of: Sequence[str]) -> CodeType:
    """Return the code of a program's module, cached if possible.  The key is `made_of` or, without it, the source."""
    key = ("code", *made_of, str(telling)) if made_of else ("code", _source(program, telling))
    # Without a cache the program may have been modified.
    code = _at_hand.get(key) if cache is not None else None
    if code is not None and cache is not None and cache.has(*key):
        return code
    cached = cache.get(*key) if cache is not None else None
    if cached is not None:
        with contextlib.suppress(EOFError, ValueError, TypeError):
            code = marshal.loads(cached)
    is_cached = cached is not None and isinstance(code, CodeType)
    if not isinstance(code, CodeType):
        source = _source(program, telling) if made_of else key[1]
        code = compile(source, f"<{program.name}>", "exec", dont_inherit=True)
    if cache is not None:
        if not is_cached:
            cache.put(marshal.dumps(code), *key)
        if len(_at_hand) >= MAX_CACHED_PROGRAMS:
            _at_hand.clear()
        _at_hand[key] = code
    return code


def _source(program: ir.Program, telling: bool) -> str:
    """Return the source of a program's module.  Raises MemoryError for a program of more than `MAX_BLOCKS` blocks."""
    if len(program.blocks) > MAX_BLOCKS:
        raise MemoryError
    # Imported lazily, because cached code does not need it.
    from wongar_dsl.compiler.backends.python_generator import generate

    return generate(program, telling)
