"""Tables of the built-in properties and functions, and of the facts about each kind of reference.

Every pass reads these tables instead of listing kinds itself, so that no construct is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics.model import FIGURE, NUMBER, PLAYER, RefKind, Type, TypeKind

#: Condition under which a value may be absent (`none`): never, by its nature, or depending on what it is computed from.
Absence = Literal["never", "always", "local", "cells", "definition", "number", "owner"]
#: Mutable state that a reference reads: none, the declaration that it names, figures, a local name, or what the called
#: rule or definition reads.
Reading = Literal["nothing", "named", "figures", "local", "called"]


@dataclass(frozen=True, slots=True)
class ReferenceFacts:
    """Facts about all references of a kind.

    `absent` says when there may be no value: `never`, `always`, or depending on the value of the `local`, the `cells`
    of the table, the `definition` or the `owner`; `number`: where the number is no seat's. `constant`: the value is
    known before play. `settable`: `set` can change it. `located`: it is a card in a known zone.
    """

    absent: Absence
    reads: Reading
    constant: bool = False
    settable: bool = False
    located: bool = False


#: Facts for every kind of reference.
REFERENCES: Mapping[RefKind, ReferenceFacts] = {
    "local": ReferenceFacts("local", "local", settable=True),
    "value": ReferenceFacts("never", "nothing", constant=True),
    "option": ReferenceFacts("never", "nothing", constant=True),
    "remember": ReferenceFacts("always", "named", settable=True),
    "score": ReferenceFacts("never", "named"),
    "zone": ReferenceFacts("never", "named"),
    "slot_card": ReferenceFacts("always", "named", located=True),
    "token_count": ReferenceFacts("never", "named"),
    "laid": ReferenceFacts("always", "named"),
    "table": ReferenceFacts("cells", "nothing"),
    "face": ReferenceFacts("never", "nothing"),
    "facekind": ReferenceFacts("never", "nothing"),
    "attribute": ReferenceFacts("always", "nothing"),
    "track": ReferenceFacts("never", "named"),
    "type": ReferenceFacts("never", "nothing"),
    "coverings": ReferenceFacts("never", "nothing"),
    "define": ReferenceFacts("definition", "called"),
    "rule": ReferenceFacts("always", "called"),
    "players": ReferenceFacts("never", "nothing", constant=True),
    "time": ReferenceFacts("never", "nothing"),
    "left": ReferenceFacts("owner", "nothing"),
    "right": ReferenceFacts("owner", "nothing"),
    "holder": ReferenceFacts("always", "figures", settable=True),
    "place": ReferenceFacts("always", "figures", settable=True),
    "laid_at": ReferenceFacts("always", "named"),
    "top": ReferenceFacts("always", "nothing", located=True),
    "bottom": ReferenceFacts("always", "nothing", located=True),
    "size": ReferenceFacts("never", "nothing"),
    "position": ReferenceFacts("never", "nothing"),
    "row": ReferenceFacts("never", "nothing"),
    "column": ReferenceFacts("never", "nothing"),
    "space": ReferenceFacts("never", "nothing"),
    "spaces": ReferenceFacts("never", "nothing"),
    "phase": ReferenceFacts("never", "nothing"),
    "direction": ReferenceFacts("never", "nothing"),
    "step": ReferenceFacts("always", "nothing"),
    "spot": ReferenceFacts("always", "nothing"),
    "side": ReferenceFacts("never", "named"),
    "facing": ReferenceFacts("never", "named"),
    "player": ReferenceFacts("number", "nothing"),
    "least": ReferenceFacts("never", "nothing"),
    "greatest": ReferenceFacts("never", "nothing"),
    "unknown": ReferenceFacts("never", "nothing"),
}

#: Owner of a property: a player, a figure, a figure or a card on a layout, a zone, a zone with an order, a value of a
#: type of fixed size, an area of a lattice, or a track.
Owner = Literal["player", "figure", "figure or card", "zone", "ordered zone", "one of many", "area", "track"]


@dataclass(frozen=True, slots=True)
class Property:
    """A built-in property `name of owner`; `gives` is its type, None if it depends on the owner."""

    name: RefKind
    owner: Owner
    gives: Type | None


#: Argument of a function: a value of a type, an area or the name of a lattice, a card on a layout.
Argument = Type | Literal["area", "board", "card"]


@dataclass(frozen=True, slots=True)
class Function:
    """A built-in function `name(arguments)` with its minimum and maximum number of arguments (None: no maximum).

    Further arguments have the type of the last one in `arguments`. Where `gives` is None, the value is an area of the
    first argument's board.
    """

    name: RefKind
    arguments: tuple[Argument, ...]
    gives: Type | None
    fewest: int
    most: int | None

    def takes(self, number: int) -> bool:
        """Return whether the function can be called with this number of arguments."""
        return self.fewest <= number and (self.most is None or number <= self.most)


#: Built-in properties, used with `of`.
PROPERTIES: Mapping[str, Property] = {
    p.name: p
    for p in (
        Property("left", "player", PLAYER),
        Property("right", "player", PLAYER),
        Property("holder", "figure", PLAYER),
        Property("place", "figure or card", None),
        Property("top", "ordered zone", None),
        Property("bottom", "ordered zone", None),
        Property("size", "zone", NUMBER),
        Property("position", "one of many", NUMBER),
        Property("row", "area", NUMBER),
        Property("column", "area", NUMBER),
        Property("space", "track", NUMBER),
        Property("spaces", "track", NUMBER),
        Property("phase", "track", None),
    )
}

#: Built-in functions.
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

#: Built-in numbers.
NUMBERS: Mapping[str, RefKind] = {"players": "players", "time": "time"}

#: Built-in types by name.
TYPES: Mapping[str, Type] = {"number": NUMBER, "player": PLAYER, "figure": FIGURE, "yes or no": Type("truth")}

#: Sorts of names and values that diagnostics mention; each has a word in every language.
SORTS: frozenset[str] = frozenset(
    {*get_args(TypeKind), *get_args(s.ZoneKind), *s.LATTICES, "facekind", "figure on a board"}
    | {sort for sort, article in s.SORTS.items() if article.named}
    | {"value", "expression", "token"}
) - {"unknown", "place", "direction"}

#: Sorts of declarations whose names are types.
NAMED_TYPES: Mapping[str, TypeKind] = {"enum": "enum", "board": "board", "cards": "cards", "coverings": "coverings"}

#: Names that no declaration may take.
TAKEN = frozenset({*PROPERTIES, *FUNCTIONS, *NUMBERS, "number", "player", "direction", "me", "I"})
