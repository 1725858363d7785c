"""Lowering: compiles a checked model to an IR program for a number of seats."""

from __future__ import annotations

from collections.abc import Mapping

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.lowering.game import lower
from wongar_dsl.compiler.lowering.metering import charge
from wongar_dsl.language.semantics import Model

__all__ = ["compile_model", "lower"]


def compile_model(
    model: Model, seats: int, settings: Mapping[str, int] | None = None, marks: bool = False
) -> ir.Program:
    """Lower a checked model to a program and run the passes that every program goes through: the step budget.

    With `marks` the program notes which parts of the rules a run reaches.  Raises ValueError for seats or settings that
    the rules do not allow.
    """
    return charge(lower(model, seats, settings, marks))
