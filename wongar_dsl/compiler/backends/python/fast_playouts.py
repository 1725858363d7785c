"""Fast random playouts without events and without exact checks.

Anything unusual abandons the playout: a fault of the rules, a possibly exhausted budget, more decisions than the limit.
The game is then replayed step by step, with the exact result.
"""

from __future__ import annotations

import contextlib
import marshal
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from operator import length_hint
from types import CodeType
from typing import Any, Never

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.bulk_rng import BulkRng, Exhausted
from wongar_dsl.compiler.backends.protocol import GameOver, RuleFault, State
from wongar_dsl.compiler.backends.python.playout_codegen import generate_playouts
from wongar_dsl.compiler.backends.python.runtime import RunTime, hash_state, last_of
from wongar_dsl.compiler.backends.rng import Cursor
from wongar_dsl.compiler.backends.state_codec import end_game
from wongar_dsl.compiler.ir.program import AT_BLOCK, AT_CHANCE, AT_PLAY_CHANCE, AT_STEP, AT_TIME, BUDGET

#: Number of functions called between two checks for a decision.
CHECK_INTERVAL = 32


class Bailout(Exception):
    """Raised to abandon a fast playout for exact stepping."""


class SetupDone(Exception):
    """Raised at the end of setup."""


_BAILOUT_ERRORS = (Bailout, Exhausted, RuleFault, StopIteration, IndexError, ArithmeticError)
#: Function of a block: returns the next function.
Function = Callable[[State, Callable[[], int], Iterator[int]], Any]


class FastPlayouts:
    """Fast playouts of one program."""

    def __init__(self, program: ir.Program, code: CodeType) -> None:
        self._program = program
        #: Iterator that counts the decisions with a single option, up to a limit.
        self._most, self._forced = 0, repeat(0, 0)
        self._machine = machine = RunTime(program, set())
        functions = (
            machine.fail, machine.push, machine.push_under, machine.pop_bottom, machine.remove_card, hash_state,
            last_of, bail_out, shuffle, push_all,
        )  # fmt: skip
        self._module: dict[str, Any] = {
            **{function.__name__: function for function in functions},
            "W": machine.scratch, "Over": GameOver, "SetupDone": SetupDone,
            **{f"T{i}": table for i, table in enumerate(program.tables)},
            **{f"L{i}": lists for i, lists in enumerate(program.lists)},
        }  # fmt: skip
        exec(code, self._module)  # noqa: S102 (our own source, of numbers and generated names)
        self._blocks: Sequence[Function] = self._module["BLOCKS"]
        #: Functions may use half of the budget, and loop iterations a quarter.  Two consecutive stretches can each
        #: contain a decision with all their cost between these.
        self._longest = BUDGET // 2 // max(self._module["COST"], 1) - 2 * CHECK_INTERVAL
        self._turns = BUDGET // 4 // max(self._module["TURN"], 1)

    def playout(self, state: State, rng: Cursor, limit: int) -> tuple[int, Cursor] | None:
        """Play from the current block; see `Backend.playout`.

        Returns None if the playout was abandoned; the state is then undefined.
        """
        self._most, self._forced = limit, repeat(0, limit)
        self._module["only"] = self._forced.__next__
        choices = BulkRng(rng, limit)
        try:
            while True:
                self._run(state, choices)
        except GameOver:
            end_game(self._program, state)
            state[AT_BLOCK] = -1
        except _BAILOUT_ERRORS:
            self._machine.forget()
            return None
        length = self._decision_count(choices)
        if length and not self._module["TIMED"]:
            state[AT_TIME] = 0
        return (length, choices.cursor) if length <= limit else None

    def _run(self, state: State, choices: BulkRng) -> None:
        """Run to the pause before play, or to the end."""
        chance = BulkRng((state[AT_CHANCE], state[AT_STEP]), BUDGET)
        try:
            self._walk(state, choices, chance)
        except SetupDone:
            pass
        finally:
            state[AT_CHANCE] = chance.cursor[0]
        if state[AT_PLAY_CHANCE]:
            state[AT_CHANCE], state[AT_PLAY_CHANCE] = state[AT_PLAY_CHANCE], 0

    def _walk(self, state: State, choices: BulkRng, chance: BulkRng) -> Never:
        """Call function after function, and abandon the playout if decisions are too rare for the budget."""
        function = self._blocks[state[AT_BLOCK]]
        choose, numbers = choices.numbers.__next__, chance.numbers
        idle = decisions = 0
        while idle <= self._longest:
            if not idle:
                turns = repeat(None, self._turns)
                self._module["turns"], self._module["turn"] = turns, turns.__next__
            for _ in range(CHECK_INTERVAL):
                function = function(state, choose, numbers)
            before, decisions = decisions, self._decision_count(choices)
            idle = idle + CHECK_INTERVAL if decisions == before else 0
        raise Bailout

    def _decision_count(self, choices: BulkRng) -> int:
        """Return the number of decisions so far."""
        return choices.used + self._most - length_hint(self._forced)


def load(program: ir.Program, cache: Cache | None, made_of: Sequence[str]) -> FastPlayouts | None:
    """Return the fast playouts of a program, cached by `made_of`; None if it has none."""
    cached = cache.get("fast_playouts", *made_of) if cache is not None else None
    code = None
    with contextlib.suppress(EOFError, ValueError, TypeError):
        code = marshal.loads(cached) if cached is not None else None
    if not isinstance(code, CodeType):
        try:
            code = compile(generate_playouts(program), f"<{program.name}>", "exec", dont_inherit=True)
        except (SyntaxError, RecursionError, MemoryError):
            return None
        if cache is not None:
            cache.put(marshal.dumps(code), "fast_playouts", *made_of)
    return FastPlayouts(program, code) if code.co_names else None


# ---- functions for the generated source ----------------------------------------------------------------------------


def bail_out() -> Never:
    """Abandon the playout."""
    raise Bailout


def shuffle(state: State, pile: int, numbers: Iterator[int]) -> None:
    """Shuffle a pile."""
    end = pile + 1 + state[pile]
    cards = state[pile + 1 : end]
    for i, number in zip(range(len(cards) - 1, 0, -1), numbers, strict=False):
        j = number * (i + 1) >> 64
        cards[i], cards[j] = cards[j], cards[i]
    state[pile + 1 : end] = cards


def push_all(state: State, pile: int, cards: tuple[int, ...], capacity: int) -> None:
    """Put cards on a pile in order."""
    n = state[pile]
    if n + len(cards) > capacity:
        raise Bailout
    state[pile] = n + len(cards)
    state[pile + n + 1 : pile + n + 1 + len(cards)] = cards
