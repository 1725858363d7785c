"""What every game has without declaring it, and what holds for each kind of reference: one table for each.

Whoever asks whether something may be nobody, what it reads, or which names are taken, asks here, so that no construct
can be forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from wongar_dsl import syntax as s
from wongar_dsl.model.types import FIGURE, NUMBER, PLAYER, RefKind, Type, TypeKind

#: Whether a value may be nobody or nowhere: never, by its nature, or as far as what it is made of may be.
Absence = Literal["never", "always", "local", "cells", "definition", "number", "owner"]
#: What changeable thing a reference looks at: none, the declaration that it names, figures, a name inside of the rule,
#: or what the rule or definition looks at that it calls.
Reading = Literal["nothing", "named", "figures", "local", "called"]


@dataclass(frozen=True, slots=True)
class Facts:
    """What holds for all references of a kind.

    `absent` says when the value may be nobody: `never`, `always` (it can at any time), or where the `local` was given
    such a value, the table has such `cells`, the `definition` or the `owner` may be, the `number` is no seat's.
    `constant`: it is known before play.  `settable`: `set` changes it.  `located`: it is a card of which one knows the
    zone that it lies in.
    """

    absent: Absence
    reads: Reading
    constant: bool = False
    settable: bool = False
    located: bool = False


#: Every kind of reference.
REFERENCES: Mapping[RefKind, Facts] = {
    "local": Facts("local", "local", settable=True),
    "value": Facts("never", "nothing", constant=True),
    "option": Facts("never", "nothing", constant=True),
    "remember": Facts("always", "named", settable=True),
    "score": Facts("never", "named"),
    "zone": Facts("never", "named"),
    "slot": Facts("always", "named", located=True),
    "tokens": Facts("never", "named"),
    "laid": Facts("always", "named"),
    "table": Facts("cells", "nothing"),
    "face": Facts("never", "nothing"),
    "facekind": Facts("never", "nothing"),
    "attribute": Facts("always", "nothing"),
    "track": Facts("never", "named"),
    "type": Facts("never", "nothing"),
    "coverings": Facts("never", "nothing"),
    "define": Facts("definition", "called"),
    "rule": Facts("always", "called"),
    "players": Facts("never", "nothing", constant=True),
    "time": Facts("never", "nothing"),
    "left": Facts("owner", "nothing"),
    "right": Facts("owner", "nothing"),
    "holder": Facts("always", "figures", settable=True),
    "place": Facts("always", "figures", settable=True),
    "laid_at": Facts("always", "named"),
    "top": Facts("always", "nothing", located=True),
    "bottom": Facts("always", "nothing", located=True),
    "size": Facts("never", "nothing"),
    "position": Facts("never", "nothing"),
    "row": Facts("never", "nothing"),
    "column": Facts("never", "nothing"),
    "space": Facts("never", "nothing"),
    "spaces": Facts("never", "nothing"),
    "phase": Facts("never", "nothing"),
    "direction": Facts("never", "nothing"),
    "step": Facts("always", "nothing"),
    "spot": Facts("always", "nothing"),
    "side": Facts("never", "named"),
    "facing": Facts("never", "named"),
    "player": Facts("number", "nothing"),
    "least": Facts("never", "nothing"),
    "greatest": Facts("never", "nothing"),
    "unknown": Facts("never", "nothing"),
}

#: What a property is asked of: a player, a figure, a figure or a card on a layout, a zone, a pile, something that is
#: one of a fixed number, an area of a lattice, or a track.
Owner = Literal["player", "figure", "figure or card", "zone", "pile", "one of many", "area", "track"]


@dataclass(frozen=True, slots=True)
class Property:
    """`name of owner`: what it is asked of, and its type; None where that depends on the owner."""

    name: RefKind
    owner: Owner
    gives: Type | None


#: What an argument of a function is: a value of a type, an area or the name of a lattice, a card on a layout.
Argument = Type | Literal["area", "board", "card"]


@dataclass(frozen=True, slots=True)
class Function:
    """`name(arguments)`: the fewest arguments, the most (None: as many as one likes), and the type of its value.

    What comes after the last one named in `arguments` is like it.  Where `gives` is None, the value is an area of the
    first argument's board.
    """

    name: RefKind
    arguments: tuple[Argument, ...]
    gives: Type | None
    fewest: int
    most: int | None

    def takes(self, number: int) -> bool:
        """Whether it can be called with so many arguments."""
        return self.fewest <= number and (self.most is None or number <= self.most)


#: What can be asked of something with `of`, beside what the rules declare.
PROPERTIES: Mapping[str, Property] = {
    p.name: p
    for p in (
        Property("left", "player", PLAYER),
        Property("right", "player", PLAYER),
        Property("holder", "figure", PLAYER),
        Property("place", "figure or card", None),
        Property("top", "pile", None),
        Property("bottom", "pile", None),
        Property("size", "zone", NUMBER),
        Property("position", "one of many", NUMBER),
        Property("row", "area", NUMBER),
        Property("column", "area", NUMBER),
        Property("space", "track", NUMBER),
        Property("spaces", "track", NUMBER),
        Property("phase", "track", None),
    )
}

#: The functions that every game has.
FUNCTIONS: Mapping[str, Function] = {
    f.name: f
    for f in (
        Function("least", (NUMBER,), NUMBER, 2, None),
        Function("greatest", (NUMBER,), NUMBER, 2, None),
        Function("player", (NUMBER,), PLAYER, 1, 1),
        Function("step", ("area", NUMBER), None, 2, 3),
        Function("spot", ("board", NUMBER), None, 3, 3),
        Function("side", ("card", NUMBER), NUMBER, 2, 2),
        Function("facing", ("card", NUMBER), NUMBER, 2, 2),
    )
}

#: Numbers that stand for themselves.
NUMBERS: Mapping[str, RefKind] = {"players": "players", "time": "time"}

#: Types that no rules declare, by their names.
TYPES: Mapping[str, Type] = {"number": NUMBER, "player": PLAYER, "figure": FIGURE, "yes or no": Type("truth")}

#: What a name or a value can be found to be, or be expected to be: each has a word in every language.
SORTS: frozenset[str] = frozenset(
    {*get_args(TypeKind), *get_args(s.ZoneKind), *s.LATTICES, "facekind", "figure on a board"}
    | {sort for sort, article in s.SORTS.items() if article.named}
    | {"value", "expression", "token"}
) - {"unknown", "place", "direction"}

#: Sorts of declarations whose names are types.
NAMED_TYPES: Mapping[str, TypeKind] = {"enum": "enum", "board": "board", "cards": "cards", "coverings": "coverings"}

#: No declaration may take these names.
TAKEN = frozenset({*PROPERTIES, *FUNCTIONS, *NUMBERS, "number", "player", "direction", "me", "I"})
