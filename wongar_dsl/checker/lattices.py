"""What only lattices have: directions, steps, coordinates and straight lines."""

from __future__ import annotations

from wongar_dsl import syntax as s
from wongar_dsl.checker.context import Context
from wongar_dsl.model import UNKNOWN, Type

MAX_LINE = 40


def on_lattice(context: Context, place: s.Node, kind: Type) -> bool:
    """Whether a type is a lattice's areas; reports it where it is not."""
    if kind.kind == "board" and context.model.boards[kind.name].steps:
        return True
    if kind != UNKNOWN:
        context.report("R0203", place, name=str(kind), found=kind.kind, expected=("grid", "hexagons"))
    return False


def line_type(context: Context, d: s.Domain, kind: Type) -> Type:
    """The type of the straight lines of one length on a lattice."""
    assert isinstance(d.first, s.Number)
    if not on_lattice(context, d.base, kind):
        return UNKNOWN
    if not 2 <= d.first.value <= MAX_LINE:
        context.report("R0305", d.first, value=d.first.value, low=2, high=MAX_LINE)
        return UNKNOWN
    return Type("line", kind.name, d.first.value)
