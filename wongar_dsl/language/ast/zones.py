"""Kinds of zones and their traits: the only place that tells one kind from another by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

#: Kinds of zones in rules.
ZoneKind = Literal["tokens", "pile", "hand", "heap", "slot", "layout"]
#: Kinds of zones by their encoding in a state; `ir.containers.CONTAINERS` has one for each.
ContainerKind = Literal["tokens", "pile", "heap", "slot", "layout"]


class ZoneTraits(NamedTuple):
    """Properties of a kind of zone.

    - `holds`: type of the content, cards or enumeration values (tokens).
    - `ordered`: cards are stacked, and listed from the top.
    - `loose`: cards have no order, and equal ones are stored as a count.
    - `single`: there is room for one card.
    - `spread`: cards lie in areas of a lattice.
    - `bounded`: rules can declare a maximum size.
    - `taken`: a player who gets something takes it, instead of putting it there.
    """

    holds: Literal["enum", "cards"] = "cards"
    ordered: bool = False
    loose: bool = False
    single: bool = False
    spread: bool = False
    bounded: bool = True
    taken: bool = False

    @property
    def tokens(self) -> bool:
        """True for tokens, which are stored as a count of each kind."""
        return self.holds == "enum"

    @property
    def heaped(self) -> bool:
        """True for cards without order that lie on the table, which are in nobody's hand."""
        return self.loose and not self.taken

    @property
    def counted(self) -> bool:
        """True if equal items are stored as a count."""
        return self.tokens or self.loose


NOT_A_ZONE = ZoneTraits(bounded=False)

#: Container kind and traits of each zone kind.  A hand is a heap that only its owner sees.
ZONES: Mapping[str, tuple[ContainerKind, ZoneTraits]] = {
    "tokens": ("tokens", ZoneTraits(holds="enum", bounded=False, taken=True)),
    "pile": ("pile", ZoneTraits(ordered=True)),
    "hand": ("heap", ZoneTraits(loose=True, taken=True)),
    "heap": ("heap", ZoneTraits(loose=True)),
    "slot": ("slot", ZoneTraits(single=True, bounded=False)),
    "layout": ("layout", ZoneTraits(spread=True)),
}


def zone_traits(kind: str) -> ZoneTraits:
    """Return the traits of a kind of zone or field; `NOT_A_ZONE` for other fields."""
    return ZONES[kind][1] if kind in ZONES else NOT_A_ZONE


def zone_kinds(wanted: Callable[[ZoneTraits], bool]) -> frozenset[str]:
    """Return the zone kinds whose traits satisfy a predicate."""
    return frozenset(kind for kind, (_, traits) in ZONES.items() if wanted(traits))
