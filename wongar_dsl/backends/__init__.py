"""Backends run a program.  They agree to the bit: same options in the same order, same random numbers, same states."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl.backends.contract import Dice, Option, RawEvent, RuleFault, Runner, State, Values
from wongar_dsl.backends.python import Generated
from wongar_dsl.backends.reference import Reference

BACKENDS = ("reference", "python")

__all__ = ["BACKENDS", "Dice", "Option", "RawEvent", "RuleFault", "Runner", "State", "Values", "runner"]


def runner(program: ir.Program, backend: str = "python") -> Runner:
    """Make a program ready on a backend, `python` or `reference`; raises KeyError for another."""
    made: dict[str, type[Generated] | type[Reference]] = {"python": Generated, "reference": Reference}
    return made[backend](program)
