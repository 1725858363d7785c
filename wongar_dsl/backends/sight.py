"""What one seat can know of a state, as backends need it: where to look, and what to deal anew."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl import ir

Stretch = tuple[int, int]
"""Cells from the first address to before the second."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One copy of a place."""

    place: ir.Field
    at: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What can be seen of a state: the cells of stretches, and how much there is in other zones."""

    stretches: tuple[Stretch, ...]
    sizes: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat (-1: somebody who only watches) knows of a state and of what follows.

    `unseen`: the zones that it cannot look into now, those with the same sort of things together: a state that looks
    the same has the same things in them, dealt anew.  `shown`: for each seat, what both that seat and this one can see
    at any time.  `opened`: for each decision, the zones that this seat looks through because it chooses out of them.
    `complete`: nothing is hidden from anybody.
    """

    seat: int
    unseen: tuple[tuple[Spot, ...], ...]
    shown: tuple[Shown, ...]
    opened: tuple[tuple[Stretch, ...], ...]
    complete: bool
