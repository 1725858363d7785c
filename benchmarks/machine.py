"""Machine code, to the bit: whole games of everything that is shipped, and of rules with a change, step by step beside
Python; counts of courses; and all that machine code does, watched by sanitizers."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import zip_longest

from benchmarks.mutants.judging import changed
from benchmarks.mutants.operators import Mutant, mutants
from benchmarks.mutants.playing import LATEST, PATIENCE, TICK, Endless, limited
from benchmarks.sanitized import COUNTED, GAMES, SANITIZED, everything, watched
from wongar_dsl import ir
from wongar_dsl.backends import Backend, RuleFault, load_backend
from wongar_dsl.backends.chance import Generator
from wongar_dsl.library import Rules, load, shipped_names

#: So many decisions are made at most in a game, and with rules that are changed, and on the reference.
LONGEST, OF_CHANGED, OF_REFERENCE = 3000, 150, 60
#: So many games are played at one table, and with rules that are changed; at one table in so many, one of them is
#: played on the reference too.
IN_A_ROW, CHANGED, REFERENCE = 20, 3, 5


@cache
def tables() -> list[tuple[str, int]]:
    """Every game with every number of seats, the names in turn."""
    every = [(name, seats) for name in shipped_names() for seats in _seats(load(name))]
    return sorted(every, key=lambda one: one[1])


def _seats(rules: Rules) -> range:
    low, high = rules.model.players
    return range(low, high + 1)


@cache
def made(name: str, seats: int, backend: str) -> Backend:
    """A shipped game on a backend."""
    return load_backend(load(name).program(seats, {}), backend)


def difference(program: ir.Program, backends: Sequence[Backend], seed: int, longest: int) -> str:
    """How backends differ in a random game, in what is on offer, in a cell, or in a fault; empty where they agree."""
    chance = Generator(seed)
    states = [backend.start(seed) for backend in backends]
    for number in range(longest):
        seen = [_advanced(backend, cells) for backend, cells in zip(backends, states, strict=True)]
        if any(one != seen[0] for one in seen):
            return f"decision {number} of the game with seed {seed}"
        options = seen[0][0]
        if isinstance(options, str) or not options:
            break
        assert isinstance(options, list)
        option = options[chance.below(len(options))]
        clock = program.decisions[states[0][ir.AT_DECISION]].clock
        spent = TICK * chance.below(LATEST // TICK) if clock is not None else 0
        for backend, cells in zip(backends, states, strict=True):
            backend.choose(cells, option, spent)
    return ""


def _advanced(backend: Backend, cells: list[int]) -> tuple[object, ...]:
    """The options at the next decision with all cells, or the fault that came before, with its blame."""
    try:
        return backend.advance(cells), list(cells)
    except RuleFault as fault:
        return fault.fault.code, fault.fault.rule, fault.fault.span


def compared(seconds: float, seed: int) -> tuple[int, list[str]]:
    """Games beside Python, and some beside the reference: half of the time as they are shipped, a third with a change,
    and counts; how many were played, and what went wrong."""
    began, count, wrong = time.monotonic(), 0, list[str]()
    dice = random.Random(seed)
    while (spent := time.monotonic() - began) < 0.5 * seconds:
        visit = count // IN_A_ROW
        name, seats = tables()[visit % len(tables())]
        backends = [made(name, seats, backend) for backend in ("python", "native")]
        for number in range(count, count + IN_A_ROW):
            third, longest = [], LONGEST
            if number % (IN_A_ROW * REFERENCE) == 0:
                third, longest = [made(name, seats, "reference")], OF_REFERENCE
            if found := difference(load(name).program(seats, {}), [*backends, *third], seed + number, longest):
                wrong.append(f"{name} with {seats} seats: {found}")
        count += IN_A_ROW
    while (spent := time.monotonic() - began) < 0.9 * seconds:
        played, found = _with_a_change(dice)
        count, wrong = count + played, [*wrong, *found]
    while spent < seconds:
        name, seats, depth = dice.choice(COUNTED)
        chance, start = dice.random() < 0.5, dice.getrandbits(64)
        one, other = (list(made(name, seats, b).perft(start, depth, chance)) for b in ("python", "native"))
        if one != other:
            wrong.append(f"courses of {name}, {depth} steps, seed {start}, chance {chance}: {one} {other}")
        count += 1
        spent = time.monotonic() - began
    return count, wrong


def _with_a_change(dice: random.Random) -> tuple[int, list[str]]:
    """Games of a shipped game with one change of its rules: how many were played, and how they differ."""
    name = dice.choice(shipped_names())
    rules, mutant = load(name), dice.choice(_mutants(name))
    seats, seed = dice.choice(_seats(rules)), dice.getrandbits(64)
    try:
        with limited(PATIENCE):
            other = changed(rules, mutant)
            if other is None:
                return 0, []
            return CHANGED, [f"{name} with {seats} seats and {mutant}: {d}" for d in changes(other, seats, seed)]
    except Endless:
        return 0, []


def changes(rules: Rules, seats: int, seed: int) -> Iterator[str]:
    """How games of rules differ between Python and machine code."""
    program = rules.program(seats, {})
    backends = [load_backend(program, backend) for backend in ("python", "native")]
    for number in range(CHANGED):
        if found := difference(program, backends, seed + number, OF_CHANGED):
            yield found


@cache
def _mutants(name: str) -> list[Mutant]:
    return list(mutants(load(name).model, load(name).sources[-1]))


def sanitized(seconds: float, seed: int) -> tuple[int, list[str]]:
    """All that machine code does, of one shipped game after the other, in an order by luck, watched by sanitizers: how
    many games were played, and what went wrong, by what the sanitizers say or by what came of it."""
    end, count, wrong = time.monotonic() + seconds, 0, list[str]()
    order = random.Random(seed).sample(tables(), len(tables()))
    for name, seats in order:
        if time.monotonic() >= end:
            break
        wrong += [f"{name} with {seats} seats: {found}" for found in unclean(name, seats, seed)]
        count += GAMES
    return count, wrong


def unclean(name: str, seats: int, seed: int, flags: Sequence[str] = SANITIZED) -> Iterator[str]:
    """What sanitizers say of all that machine code does for a game; where they say nothing, what comes of it otherwise
    than without them."""
    lines, said = watched(name, seats, seed, flags)
    if said:
        yield said[:2000]
        return
    for line, wanted in zip_longest(lines, everything(name, seats, seed)):
        if line != wanted:
            yield f"{line} instead of {wanted}"[:2000]
