"""Backends run a program.  They agree to the bit: same options in the same order, same random numbers, same states."""

from __future__ import annotations

from wongar_dsl.backends.protocol import Dice, Option, RawEvent, RuleFault, Runner, State, Values
from wongar_dsl.backends.registry import BACKENDS, runner

__all__ = ["BACKENDS", "Dice", "Option", "RawEvent", "RuleFault", "Runner", "State", "Values", "runner"]
