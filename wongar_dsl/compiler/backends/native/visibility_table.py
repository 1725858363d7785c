"""Encoding of a `VisibilityMask` as a row of numbers; `c/ismcts.c` describes the layout."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.compiler.backends.native.emit_tables import ZONE_KINDS
from wongar_dsl.compiler.backends.visibility_mask import CellRange, VisibilityMask, ZoneCopy


def mask_row(mask: VisibilityMask) -> list[int]:
    """Return the encoded sight."""
    parts = [
        [len(mask.hidden_zones), *(n for sort in mask.hidden_zones for n in _zones(sort))],
        *([*_cell_ranges(shown.ranges), *_zones(shown.sizes)] for shown in mask.visible_cells),
        *([*_cell_ranges(opened)] for opened in mask.revealed),
    ]
    head = [mask.seat, int(mask.complete)]
    place = len(head) + len(parts)
    for part in parts:
        head.append(place)
        place += len(part)
    return [*head, *(n for part in parts for n in part)]


def _cell_ranges(ranges: tuple[CellRange, ...]) -> Iterator[int]:
    yield len(ranges)
    for first, end in ranges:
        yield first
        yield end


def _zones(spots: tuple[ZoneCopy, ...]) -> Iterator[int]:
    yield len(spots)
    for spot in spots:
        place = spot.field
        yield from (ZONE_KINDS.index(place.kind), spot.at, place.width, len(place.never), *place.never)
