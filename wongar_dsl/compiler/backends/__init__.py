"""Backends that run a program.

All backends are bit-identical: the same options in the same order, the same random numbers, and the same states.
"""

from __future__ import annotations

from wongar_dsl.compiler import BACKENDS, CHOICES
from wongar_dsl.compiler.backends.bulk import Backend, run_on
from wongar_dsl.compiler.backends.protocol import Dice, Option, RawEvent, RuleFault, State, Values
from wongar_dsl.compiler.backends.registry import load_backend, python_backend

__all__ = [
    "BACKENDS",
    "CHOICES",
    "Backend",
    "Dice",
    "Option",
    "RawEvent",
    "RuleFault",
    "State",
    "Values",
    "load_backend",
    "python_backend",
    "run_on",
]
