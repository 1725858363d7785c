"""Alias analysis: cells that computed addresses can refer to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir.program import Field, Program

#: Maximum number of possible addresses in a set; a larger set is treated as any address.
MAX_ADDRESSES = 24

#: Set of possible numbers: all `first + k * step` with k >= 0, for each of these pairs.
AddressSet = frozenset[tuple[int, int]]
ANY: AddressSet = frozenset({(0, 1)})


def possible_addresses(e: ir.Expr, variables: Mapping[int, AddressSet]) -> AddressSet:
    """Return the possible values of an expression, given those of the variables."""
    match e:
        case ir.Const(value=value):
            return frozenset({(value, 0)})
        case ir.Var(number=number):
            return variables.get(number, frozenset())
        case ir.Bin(operator="+", left=left, right=right):
            a, b = possible_addresses(left, variables), possible_addresses(right, variables)
            sums = frozenset((x + y, gcd(s, t)) for x, s in a for y, t in b)
            return sums if len(sums) <= MAX_ADDRESSES else ANY
        case ir.Bin(operator="*", left=left, right=ir.Const(value=factor)) if factor >= 0:
            return frozenset((x * factor, s * factor) for x, s in possible_addresses(left, variables))
    return ANY


def fields_at(program: Program, at: AddressSet) -> Iterator[tuple[Field | None, int, int]]:
    """Yield the fields that an address can lie in, each with its first address and step.

    The field is None if the address is outside of all fields.
    """
    for first, step in at:
        for field in program.fields:
            size = field.width
            for n in field.sizes:
                size *= n
            if field.base <= first < field.base + size:
                yield field, first, step
                break
        else:
            yield None, first, step
