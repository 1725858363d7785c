"""State operations common to all backends: initial state, chosen options, and end of the game."""

from __future__ import annotations

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import rng
from wongar_dsl.compiler.backends.protocol import Option, State

#: Cells with unsigned 64-bit numbers; in machine code and arrays all cells are signed.
STREAMS = (ir.AT_CHANCE, ir.AT_PLAY_CHANCE, ir.AT_STEP)
_WRAP = rng.MASK + 1


def initial_cells(program: ir.Program) -> State:
    """Return the initial cells of a program, without random streams."""
    state = [0] * program.size
    for address, value in program.initial:
        state[address] = value
    state[ir.AT_BLOCK] = program.entry
    return state


def with_seed(state: State, seed: int) -> State:
    """Set the random streams of a state to those of a seed, and return it."""
    state[ir.AT_CHANCE], state[ir.AT_STEP] = rng.start(seed, rng.Purpose.SETUP)
    state[ir.AT_PLAY_CHANCE], _ = rng.start(seed, rng.Purpose.PLAY)
    return state


def signed(state: State) -> State:
    """Convert a state in place to signed cells, and return it."""
    for address in STREAMS:
        if state[address] >= _WRAP >> 1:
            state[address] -= _WRAP
    return state


def unsigned(state: State) -> State:
    """Convert a state in place from signed cells, and return it."""
    for address in STREAMS:
        state[address] %= _WRAP
    return state


def write_choice(program: ir.Program, state: State, option: Option, time: int) -> None:
    """Write the chosen option and the answer time (ms) into the state."""
    spec = program.decisions[state[ir.AT_DECISION]].options[option[0]]
    for address, value in zip(spec.addresses, option[1:], strict=True):
        state[address] = value
    state[ir.AT_BLOCK], state[ir.AT_TIME] = spec.block, time


def end_game(program: ir.Program, state: State) -> None:
    """Mark the game as over, and clear the rule variables."""
    state[ir.AT_DECISION] = ir.OVER
    state[ir.AT_SEAT] = -1
    state[program.frames :] = [0] * (program.size - program.frames)
