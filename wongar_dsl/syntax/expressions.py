"""What stands inside a line of a rule file: words, expressions, domains and types.

Statements and articles are built of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wongar_dsl.syntax.node import Node, Word

# ---- expressions ---------------------------------------------------------------------------------------------------

#: How a domain finds its values.
DomainKind = Literal[
    "all", "kinds", "span", "touching", "within", "from", "after", "along", "reached", "lines", "through"
]  # fmt: skip
#: What is asked of the values of a domain.
QuantifiedKind = Literal[
    "some", "none", "every", "number", "sum", "highest", "lowest", "first", "random", "tally"
]  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Expression(Node):
    """Something that has a value."""


@dataclass(frozen=True, eq=False, slots=True)
class Number(Expression):
    """A whole number."""

    value: int


@dataclass(frozen=True, eq=False, slots=True)
class Truth(Expression):
    """`yes` or `no`."""

    value: bool


@dataclass(frozen=True, eq=False, slots=True)
class Nobody(Expression):
    """`nobody` or `none`: no player, no place, no card."""


@dataclass(frozen=True, eq=False, slots=True)
class Name(Expression):
    """A name: a local one, a value of an enumeration, an option, a zone, a type."""

    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Called(Expression):
    """`name(a, b)`: a definition, a rule that gives something, or a card with parameters."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Indexed(Expression):
    """`name[a, b]`: a table's cell, or one of several zones or remembered values."""

    name: str
    indices: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Of(Expression):
    """`name of x`, also written `my name`: a property of x, or the zone or value that belongs to x."""

    name: str
    owner: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Negation(Expression):
    """`not x`."""

    operand: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Minus(Expression):
    """`-x`."""

    operand: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Binary(Expression):
    """`+ - * div mod` between two numbers."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Logical(Expression):
    """Conditions joined by `and` or `or`."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Compare(Expression):
    """A comparison; `is` and `is not` stand as `=` and `!=`, and also ask for the kind of a card."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Either(Expression):
    """`(a if c otherwise b)`: one of two values."""

    condition: Expression
    then: Expression
    other: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Empty(Expression):
    """`x is empty`, or with `negated` `x is not empty`."""

    zone: Expression
    negated: bool


@dataclass(frozen=True, eq=False, slots=True)
class Domain(Node):
    """What a bound name runs over: `base [clockwise ...] [where c] [with most e]`.

    Of the kinds, `kinds` are those of the cards or tokens in a zone, each once; `lines` are those of a board, `through`
    those through an area; `first` and `second` are the expressions of the kind, `through` is the condition on the way.
    """

    kind: DomainKind
    base: Expression
    first: Expression | None = None
    second: Expression | None = None
    where: Expression | None = None
    extreme: str | None = None
    measure: Expression | None = None
    through: Expression | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Quantified(Expression):
    """A bound name over a domain.

    `value` is the condition of `every`, the summand of `sum`, the weight of `random`.
    """

    kind: QuantifiedKind
    variable: Word
    domain: Domain
    value: Expression | None = None


@dataclass(frozen=True, eq=False, slots=True)
class CountOf(Expression):
    """`count of card in zone`."""

    card: Expression
    zone: Expression


def index_nodes(e: Expression) -> tuple[Expression, ...]:
    """What stands in the brackets of an expression, or after `of`."""
    match e:
        case Of(owner=owner):
            return (owner,)
        case Indexed(indices=indices):
            return indices
    return ()


# ---- types ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class TypeName(Node):
    """A type as written: `number`, `number 0 to 5`, `yes or no`, or the name of an enumeration, board or cards."""

    name: str
    low: Expression | None = None
    high: Expression | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Typed(Node):
    """A parameter: `name: type`."""

    name: Word
    type: TypeName
