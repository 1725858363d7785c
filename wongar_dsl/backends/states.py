"""How a state begins, takes a choice and ends, whatever runs the program in between."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl.backends import chance
from wongar_dsl.backends.protocol import Option, State

#: The cells that are numbers of 64 bits without a sign, while machine code and arrays have a sign in every cell.
STREAMS = (ir.AT_CHANCE, ir.AT_PLAY_CHANCE, ir.AT_STEP)
_WRAP = chance.MASK + 1


def blank(program: ir.Program) -> State:
    """The cells of a program before anything was done, without chance."""
    state = [0] * program.size
    for address, value in program.initial:
        state[address] = value
    state[ir.AT_BLOCK] = program.entry
    return state


def seeded(state: State, seed: int) -> State:
    """The same state, which from now on draws from the streams of a seed."""
    state[ir.AT_CHANCE], state[ir.AT_STEP] = chance.start(seed, chance.Purpose.SETUP)
    state[ir.AT_PLAY_CHANCE], _ = chance.start(seed, chance.Purpose.PLAY)
    return state


def signed(state: State) -> State:
    """The same state, in place, as machine code and arrays have it."""
    for address in STREAMS:
        if state[address] >= _WRAP >> 1:
            state[address] -= _WRAP
    return state


def unsigned(state: State) -> State:
    """The same state, in place, from what machine code and arrays have."""
    for address in STREAMS:
        state[address] %= _WRAP
    return state


def put_down(program: ir.Program, state: State, option: Option, time: int) -> None:
    """Take an option of the decision at hand, after so many milliseconds: a run goes on with it."""
    spec = program.decisions[state[ir.AT_DECISION]].options[option[0]]
    for address, value in zip(spec.addresses, option[1:], strict=True):
        state[address] = value
    state[ir.AT_BLOCK], state[ir.AT_TIME] = spec.block, time


def finish(program: ir.Program, state: State) -> None:
    """Nobody decides any more, and what the rules remembered on the way is gone."""
    state[ir.AT_DECISION] = ir.OVER
    state[ir.AT_SEAT] = -1
    state[program.frames :] = [0] * (program.size - program.frames)
