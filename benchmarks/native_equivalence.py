"""Machine code compared bit by bit with Python, step by step, and run under sanitizers.

Compared are whole games of everything built in, games with mutated rules, and perft counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import zip_longest

from benchmarks.mutants.operators import Mutant, mutants
from benchmarks.mutants.random_games import MAX_ANSWER_TICKS, MUTANT_TIMEOUT_S, TICK, Endless, limited
from benchmarks.mutants.verdict import changed
from benchmarks.sanitizers import COUNTED, GAMES, SANITIZED, everything, watched
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Backend, RuleFault, load_backend
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine.library import Rules, builtin_names, load

#: Maximum number of decisions: in a game, with mutated rules, and on the reference backend.
MAX_DECISIONS, OF_CHANGED, OF_REFERENCE = 3000, 150, 60
#: Games in a row for one setup; games per mutant; and every how many setups one game also runs on the reference
#: backend.
IN_A_ROW, CHANGED, REFERENCE = 20, 3, 5


@cache
def tables() -> list[tuple[str, int]]:
    """Return every game with every number of seats, ordered so that games alternate."""
    every = [(name, seats) for name in builtin_names() for seats in _seats(load(name))]
    return sorted(every, key=lambda entry: entry[1])


def _seats(rules: Rules) -> range:
    low, high = rules.model.players
    return range(low, high + 1)


@cache
def made(name: str, seats: int, backend: str) -> Backend:
    """Return a built-in game on a backend."""
    return load_backend(load(name).program(seats, {}), backend)


def difference(program: ir.Program, backends: Sequence[Backend], seed: int, longest: int) -> str:
    """Return how backends differ in a random game (options, cells or fault), or "" if they agree."""
    chance = Generator(seed)
    states = [backend.start(seed) for backend in backends]
    for number in range(longest):
        seen = [_advanced(backend, cells) for backend, cells in zip(backends, states, strict=True)]
        if any(view != seen[0] for view in seen):
            return f"decision {number} of the game with seed {seed}"
        options = seen[0][0]
        if isinstance(options, str) or not options:
            break
        assert isinstance(options, list)
        option = options[chance.below(len(options))]
        clock = program.decisions[states[0][ir.AT_DECISION]].clock
        spent = TICK * chance.below(MAX_ANSWER_TICKS // TICK) if clock is not None else 0
        for backend, cells in zip(backends, states, strict=True):
            backend.choose(cells, option, spent)
    return ""


def _advanced(backend: Backend, cells: list[int]) -> tuple[object, ...]:
    """Return the options at the next decision with all cells, or the fault that occurred, with its location."""
    try:
        return backend.advance(cells), list(cells)
    except RuleFault as fault:
        return fault.fault.code, fault.fault.rule, fault.fault.span


def compared(seconds: float, seed: int) -> tuple[int, list[str]]:
    """Compare games with Python, and some with the reference; return their number and the differences.

    Half of the time is for games as built in, 40 % for mutated rules, and the rest for perft counts.
    """
    began, count, wrong = time.monotonic(), 0, list[str]()
    dice = random.Random(seed)
    while (spent := time.monotonic() - began) < 0.5 * seconds:
        visit = count // IN_A_ROW
        name, seats = tables()[visit % len(tables())]
        backends = [made(name, seats, backend) for backend in ("python", "native")]
        for number in range(count, count + IN_A_ROW):
            third, longest = [], MAX_DECISIONS
            if number % (IN_A_ROW * REFERENCE) == 0:
                third, longest = [made(name, seats, "reference")], OF_REFERENCE
            if differences := difference(load(name).program(seats, {}), [*backends, *third], seed + number, longest):
                wrong.append(f"{name} with {seats} seats: {differences}")
        count += IN_A_ROW
    while (spent := time.monotonic() - began) < 0.9 * seconds:
        played, differences = _with_a_change(dice)
        count, wrong = count + played, [*wrong, *differences]
    while spent < seconds:
        name, seats, depth = dice.choice(COUNTED)
        chance, start = dice.random() < 0.5, dice.getrandbits(64)
        python_levels, native_levels = (
            list(made(name, seats, b).perft(start, depth, chance)) for b in ("python", "native")
        )
        if python_levels != native_levels:
            wrong.append(
                f"courses of {name}, {depth} steps, seed {start}, chance {chance}: {python_levels} {native_levels}"
            )
        count += 1
        spent = time.monotonic() - began
    return count, wrong


def _with_a_change(dice: random.Random) -> tuple[int, list[str]]:
    """Play games with one mutation of the rules; return their number and the differences."""
    name = dice.choice(builtin_names())
    rules, mutant = load(name), dice.choice(_mutants(name))
    seats, seed = dice.choice(_seats(rules)), dice.getrandbits(64)
    try:
        with limited(MUTANT_TIMEOUT_S):
            mutated_rules = changed(rules, mutant)
            if mutated_rules is None:
                return 0, []
            return CHANGED, [
                f"{name} with {seats} seats and {mutant}: {d}" for d in changes(mutated_rules, seats, seed)
            ]
    except Endless:
        return 0, []


def changes(rules: Rules, seats: int, seed: int) -> Iterator[str]:
    """Yield the differences between Python and machine code in games of these rules."""
    program = rules.program(seats, {})
    backends = [load_backend(program, backend) for backend in ("python", "native")]
    for number in range(CHANGED):
        if description := difference(program, backends, seed + number, OF_CHANGED):
            yield description


@cache
def _mutants(name: str) -> list[Mutant]:
    return list(mutants(load(name).model, load(name).sources[-1]))


def sanitized(seconds: float, seed: int) -> tuple[int, list[str]]:
    """Run all functions of machine code under sanitizers, for built-in games in random order.

    Return the number of games played, and reports of the sanitizers or wrong results.
    """
    end, count, wrong = time.monotonic() + seconds, 0, list[str]()
    order = random.Random(seed).sample(tables(), len(tables()))
    for name, seats in order:
        if time.monotonic() >= end:
            break
        wrong += [f"{name} with {seats} seats: {report}" for report in unclean(name, seats, seed)]
        count += GAMES
    return count, wrong


def unclean(name: str, seats: int, seed: int, flags: Sequence[str] = SANITIZED) -> Iterator[str]:
    """Yield reports of the sanitizers for a game, or the first result that differs from a run without them."""
    lines, messages = watched(name, seats, seed, flags)
    if messages:
        yield messages[:2000]
        return
    for line, expected in zip_longest(lines, everything(name, seats, seed)):
        if line != expected:
            yield f"{line} instead of {expected}"[:2000]
