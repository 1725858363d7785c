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
from wongar_dsl.compiler.backends.enumeration import BulkOperations
from wongar_dsl.compiler.backends.protocol import Backend, CycleQuery, Dice, GameOver, Option, RawEvent, State
from wongar_dsl.compiler.backends.python.runtime import RunTime, hash_state, last_of
from wongar_dsl.compiler.backends.state_codec import initial_cells, with_seed
from wongar_dsl.compiler.ir.program import AT_BLOCK, AT_DECISION, AT_TIME, BUDGET

#: Maximum number of blocks of a program compiled by Python, which takes about 2 s and 200 MB for that.
MAX_BLOCKS = 8_000
#: Maximum number of programs whose code is cached in this process; all are discarded when it is exceeded.
MAX_CACHED_PROGRAMS = 60
_at_hand: dict[tuple[str, ...], CodeType] = {}


class PythonBackend(BulkOperations):
    """Backend that runs a program as generated Python."""

    name = "python"

    def __init__(self, program: ir.Program, cache: Cache | None = None, made_of: Sequence[str] = ()) -> None:
        """Compile or load the program; for `made_of` see `load_backend`.

        Raises SyntaxError, RecursionError or MemoryError if the program exceeds the limits of Python's compiler.
        """
        self.program = program
        self._cache, self._made_of = cache, made_of
        self._blank = initial_cells(program)
        self.reached_marks: set[int] = set()
        self._ways = [[(o.block, o.addresses) for o in d.options] for d in program.decisions]
        self._quiet, self._procedures = self._load(False)

    @property
    def stepping_backend(self) -> Backend:
        """Implement `Backend.stepping_backend`."""
        return self

    @cached_property
    def _telling(self) -> RunTime:
        return self._load(True)[0]

    def _load(self, telling: bool) -> tuple[RunTime, dict[int, Callable[..., Any]]]:
        return _load(self.program, _code(self.program, telling, self._cache, self._made_of), self.reached_marks)

    @cached_property
    def advance(self) -> Callable[[State], list[Option]]:
        """Implement `Backend.advance`."""
        return self._quiet.advance

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
    from wongar_dsl.compiler.backends.python.generator import generate

    return generate(program, telling)
