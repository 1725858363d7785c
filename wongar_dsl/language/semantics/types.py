"""Types of values, and kinds of references that a name in an expression can have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wongar_dsl.language import ast as s

TypeKind = Literal[
    "number", "truth", "player", "figure", "tally", "none", "nothing", "unknown",
    "enum", "board", "cards", "coverings", "line", "zone", "track", "place", "direction",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value.

    Kinds: `none` is the type of the literal `nobody`, `nothing` that of no value, `unknown` is used after an error.

    `name` is the declaration that the type comes from: an `enum`, `board`, `cards`, `coverings`, `zone` or `track`. For
    a `line`, a straight one of `length` areas, it is the board; for a `place` (in an event) the part of the state. In
    rules a direction is a number. Where players see it, in the arguments of options and messages, its kind is
    `direction` and `name` is the lattice.
    """

    kind: TypeKind
    name: str = ""
    length: int = 0

    def __str__(self) -> str:
        return self.name or {"truth": "yes or no", "none": "nobody"}.get(self.kind, self.kind)

    @property
    def can_be_none(self) -> bool:
        """Return whether a value of this type may also be absent (`none`)."""
        return self.kind in ("player", "enum", "board", "cards", "coverings", "figure")


NUMBER = Type("number")
TRUTH = Type("truth")
PLAYER = Type("player")
FIGURE = Type("figure")
TALLY = Type("tally")
NONE = Type("none")
NOTHING = Type("nothing")
UNKNOWN = Type("unknown")

RefKind = Literal[
    # names of the rules
    "local", "value", "option", "remember", "score", "zone", "slot", "tokens", "laid", "table", "face", "facekind",
    "attribute", "track", "type", "coverings", "define", "rule",
    # built-in properties and functions
    "players", "time", "left", "right", "holder", "place", "laid_at", "top", "bottom", "size", "position", "row",
    "column", "space", "spaces", "phase", "direction", "step", "spot", "side", "facing", "player", "least", "greatest",
    # after an error
    "unknown",
]  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Local:
    """A local name: a parameter, a bound name, or the value of a `let`."""

    name: str
    type: Type
    span_node: s.Node


@dataclass(frozen=True, slots=True)
class Ref:
    """The meaning of a name in an expression; `builtins.REFERENCES` has the facts about each `kind`.

    `name` is the declaration, `number` the value of an enumeration or the like, `local` the local name.
    """

    kind: RefKind
    name: str = ""
    number: int = 0
    local: Local | None = None
