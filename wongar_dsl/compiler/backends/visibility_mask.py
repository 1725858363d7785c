"""Visibility of a state for one seat, as address ranges and zones: input of determinization and search."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.compiler import ir

#: Range of cell addresses, end exclusive.
CellRange = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ZoneCopy:
    """One instance of an indexed field, at the address of its first cell."""

    field: ir.Field
    at: int


@dataclass(frozen=True, slots=True)
class VisibleCells:
    """Visible part of a state: cell ranges, and zones with a visible size but hidden content."""

    ranges: tuple[CellRange, ...]
    sizes: tuple[ZoneCopy, ...]


@dataclass(frozen=True, slots=True)
class VisibilityMask:
    """Information of a seat (-1: spectator) about a state and its successors.

    `hidden_zones`: zones hidden from the seat now, grouped by the type of their content, which determinization
    redistributes.  `visible_cells`: by seat, itself included, the cells both always see.  `revealed`: for each
    decision, the zones that this seat looks through because it chooses from them.  `complete`: the game has no hidden
    information.
    """

    seat: int
    hidden_zones: tuple[tuple[ZoneCopy, ...], ...]
    visible_cells: tuple[VisibleCells, ...]
    revealed: tuple[tuple[CellRange, ...], ...]
    complete: bool
