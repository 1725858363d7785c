"""Programs made of single blocks, without rules."""

from __future__ import annotations

from wongar_dsl.base.span import Source, Span
from wongar_dsl.compiler import ir

SPAN = Span(Source("bare.rules", "rule"), 1, 1, 1, 4)


def bare_program(size: int, blocks: tuple[ir.Block, ...], procedures: tuple[ir.Procedure, ...] = ()) -> ir.Program:
    """Return a program with cells and blocks; each block can be run alone."""
    return ir.Program(
        name="bare", seats=1, settings={}, size=size, entry=0, fields=(), tables=(), lists=(), procedures=procedures,
        blocks=blocks, decisions=(), events=(), faults=(ir.FaultSpec("R0602", "rule", SPAN),), initial=(), scratch=0,
        return_blocks=frozenset(range(len(blocks))), spans={}, simultaneous_cells=(), frames=size,
    )  # fmt: skip
