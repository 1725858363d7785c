"""Types of values, and what a name in an expression can mean."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl import syntax as s


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value.

    `kind` is `number`, `truth`, `player`, `figure`, `tally`, `none` (the literal `nobody`), `nothing` (no value),
    `unknown` (after an error), or `enum`, `board`, `cards`, `coverings`, `zone`, `track` with the `name` of the
    declaration, or `line`: a straight line of `length` areas on the board `name`.
    """

    kind: str
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


@dataclass(frozen=True, eq=False, slots=True)
class Local:
    """A name inside of a rule: a parameter, a bound name, or the value of a `let`."""

    name: str
    type: Type
    span_node: s.Node


@dataclass(frozen=True, slots=True)
class Ref:
    """What a name in an expression means.

    `kind` is `local`, `value` (a constant of its type: `number` says which), `players`, `option`, `remember`, `score`,
    `zone`, `tokens` (a count in a zone), `table`, `face`, `facekind`, `define`, `rule`, `attribute`, `track`, `type`,
    or the name of a built-in property (`left`, `top`, `size` ...).
    """

    kind: str
    name: str = ""
    number: int = 0
    local: Local | None = None
