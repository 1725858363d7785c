"""Types of values, and what a name in an expression can mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wongar_dsl import syntax as s

TypeKind = Literal[
    "number", "truth", "player", "figure", "tally", "none", "nothing", "unknown",
    "enum", "board", "cards", "coverings", "line", "zone", "track", "place", "direction",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value.

    Of the kinds, `none` is that of the literal `nobody`, `nothing` means no value, `unknown` stands after an error.
    `name` is the declaration that the type comes from: an `enum`, `board`, `cards`, `coverings`, `zone` or `track`; of
    a `line`, which is a straight one of `length` areas, its board, and of a `place` (in an event) the part of the
    state.  In rules a direction is a number; where players see it, in the arguments of options and messages, its kind
    is `direction`, and `name` the lattice.
    """

    kind: TypeKind
    name: str = ""
    length: int = 0

    def __str__(self) -> str:
        return self.name or {"truth": "yes or no", "none": "nobody"}.get(self.kind, self.kind)

    @property
    def can_be_none(self) -> bool:
        """Whether a value of this type may also be `nobody`."""
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
    # properties and functions that every game has
    "players", "time", "left", "right", "holder", "place", "laid_at", "top", "bottom", "size", "position", "row",
    "column", "space", "spaces", "phase", "direction", "step", "spot", "side", "facing", "player", "least", "greatest",
    # after an error
    "unknown",
]  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Local:
    """A name inside of a rule: a parameter, a bound name, or the value of a `let`."""

    name: str
    type: Type
    span_node: s.Node


@dataclass(frozen=True, slots=True)
class Ref:
    """What a name in an expression means: what holds for each `kind` stands in `builtins.REFERENCES`.

    `name` is the declaration that is meant, `number` which value a `value` is, `local` which name inside of a rule.
    """

    kind: RefKind
    name: str = ""
    number: int = 0
    local: Local | None = None
