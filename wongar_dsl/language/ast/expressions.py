"""Expressions, domains and types: the nodes inside a line of a rule file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from wongar_dsl.language.ast.node import Node, Word

# ---- expressions ---------------------------------------------------------------------------------------------------

#: Ways in which a domain produces its values.
DomainKind = Literal[
    "all", "kinds", "span", "touching", "within", "from", "after", "along", "reached", "lines", "through"
]  # fmt: skip
#: Operators over the values of a domain.
QuantifiedKind = Literal[
    "some", "none", "every", "number", "sum", "highest", "lowest", "first", "random", "tally"
]  # fmt: skip

Arithmetic = Literal["+", "-", "*", "div", "mod"]
Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
#: The negation of each comparison.
OPPOSITE: Mapping[Comparison, Comparison] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
#: Selection of the values with the most, or the fewest, of a measure.
Extreme = Literal["most", "fewest"]


@dataclass(frozen=True, eq=False, slots=True)
class ExpressionNode(Node):
    """Base class of expressions; passes use the union `Expression`, which lists its members."""


@dataclass(frozen=True, eq=False, slots=True)
class Number(ExpressionNode):
    """A whole number."""

    value: int


@dataclass(frozen=True, eq=False, slots=True)
class Truth(ExpressionNode):
    """`yes` or `no`."""

    value: bool


@dataclass(frozen=True, eq=False, slots=True)
class Nobody(ExpressionNode):
    """`nobody` or `none`: no player, no place, no card."""


@dataclass(frozen=True, eq=False, slots=True)
class Name(ExpressionNode):
    """A name: a local one, a value of an enumeration, an option, a zone, a type."""

    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Called(ExpressionNode):
    """`name(a, b)`: a definition, a rule that gives something, or a card with parameters."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Indexed(ExpressionNode):
    """`name[a, b]`: a table's cell, or one of several zones or remembered values."""

    name: str
    indices: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Of(ExpressionNode):
    """`name of x`, also written `my name`: a property of x, or the zone or value that belongs to x."""

    name: str
    owner: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Negation(ExpressionNode):
    """`not x`."""

    operand: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Minus(ExpressionNode):
    """`-x`."""

    operand: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Binary(ExpressionNode):
    """An operator between two numbers."""

    operator: Arithmetic
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Logical(ExpressionNode):
    """Conditions joined by `and` or `or`."""

    operator: Literal["and", "or"]
    operands: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Compare(ExpressionNode):
    """A comparison; `is` and `is not` stand as `=` and `!=`, and also ask for the kind of a card."""

    operator: Comparison
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Conditional(ExpressionNode):
    """`(a if c otherwise b)`: one of two values."""

    condition: Expression
    then: Expression
    other: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Empty(ExpressionNode):
    """`x is empty`, or with `negated` `x is not empty`."""

    zone: Expression
    negated: bool


@dataclass(frozen=True, eq=False, slots=True)
class Domain(Node):
    """The values of a bound name: `base [clockwise ...] [where c] [with most e]`.

    Kinds: `kinds` are those of the cards or tokens in a zone, each once; `lines` those of a board, `through` those
    through an area. `first` and `second` are the operands of the kind; the field `through` is the condition along the
    path.
    """

    kind: DomainKind
    base: Expression
    first: Expression | None = None
    second: Expression | None = None
    where: Expression | None = None
    extreme: Extreme | None = None
    measure: Expression | None = None
    through: Expression | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Quantified(ExpressionNode):
    """A bound name over a domain.

    `value` is the condition of `every`, the summand of `sum`, the weight of `random`.
    """

    kind: QuantifiedKind
    variable: Word
    domain: Domain
    value: Expression | None = None


@dataclass(frozen=True, eq=False, slots=True)
class CountOf(ExpressionNode):
    """`count of card in zone`."""

    card: Expression
    zone: Expression


#: Any expression. A `match` that must handle all of them ends in `assert_never`.
Expression = (
    Number | Truth | Nobody | Name | Called | Indexed | Of | Negation | Minus | Binary | Logical | Compare | Conditional
    | Empty | Quantified | CountOf
)  # fmt: skip


def written_number(e: Expression) -> int | None:
    """Return the number that an expression writes out, None if it has to be computed."""
    match e:
        case Number(value=value):
            return value
        case Minus(operand=Number(value=value)):
            return -value
    return None


def constant_number(e: Expression) -> int | None:
    """Fold an expression of written numbers; return None if it depends on anything else."""
    match e:
        case Binary(operator="+" | "-" | "*" as operator, left=left, right=right):
            first, second = constant_number(left), constant_number(right)
            if first is None or second is None:
                return None
            return first + second if operator == "+" else first - second if operator == "-" else first * second
        case Minus(operand=operand):
            number = constant_number(operand)
            return None if number is None else -number
    return written_number(e)


def index_nodes(e: Expression) -> tuple[Expression, ...]:
    """Return the expressions in the brackets of `e`, or after its `of`."""
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
