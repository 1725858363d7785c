"""Checks that are specific to lattices: directions, steps, coordinates and straight lines."""

from __future__ import annotations

from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import CheckContext
from wongar_dsl.language.checker.references import report_wrong_sort
from wongar_dsl.language.semantics import UNKNOWN, Type

#: Maximum length of a straight line, in areas.
MAX_LINE = 40


def on_lattice(context: CheckContext, place: s.Expression, value_type: Type) -> bool:
    """Return whether a type is the areas of a lattice; report it if not."""
    if value_type.kind == "board" and context.model.boards[value_type.name].steps:
        return True
    if value_type != UNKNOWN:
        report_wrong_sort(context, place, value_type, ("grid", "hexagons"))
    return False


def line_type(context: CheckContext, d: s.Domain, value_type: Type) -> Type:
    """Return the type of the straight lines of one length on a lattice, and charge for their tables."""
    assert isinstance(d.first, s.Number)
    if not on_lattice(context, d.base, value_type):
        return UNKNOWN
    if not 2 <= d.first.value <= MAX_LINE:
        context.report("R0305", d.first, value=d.first.value, low=2, high=MAX_LINE)
        return UNKNOWN
    graph, length = context.model.boards[value_type.name], d.first.value
    lines = len(graph.areas) * graph.directions // 2
    context.charge(d, value_type.name, lines * length, ("lines", value_type.name, length))
    if d.kind == "through":
        # In each direction, as many lines pass through an area as a line has areas.
        context.charge(d, value_type.name, 2 * lines * length, ("through", value_type.name, length))
    return Type("line", value_type.name, length)


def charge_rays(context: CheckContext, d: s.Domain, board: str) -> None:
    """Charge for the table of the areas in each direction from each area of a lattice."""
    graph = context.model.boards[board]
    longest = max(len(graph.rows), max(map(len, graph.rows)))
    context.charge(d, board, len(graph.areas) * graph.directions * longest, ("rays", board))


def charge_distances(context: CheckContext, d: s.Domain, board: str, distance: int) -> None:
    """Charge for the table of the areas within a distance of each area."""
    graph = context.model.boards[board]
    areas = len(graph.areas)
    # On a lattice, a square or hexagon around the area bounds the number.
    near = min(areas, (2 * distance + 1) ** 2) if graph.steps else areas
    context.charge(d, board, areas * near, ("within", board, distance))
