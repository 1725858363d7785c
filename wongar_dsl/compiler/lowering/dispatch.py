"""Dispatch table of lowering: the tables of all modules, joined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from wongar_dsl.compiler.lowering import (
    boards,
    decisions,
    domains,
    effects,
    events,
    expressions,
    layouts,
    names,
    procedures,
    quantifiers,
    scoring,
    simultaneous,
    statements,
    zones,
)
from wongar_dsl.compiler.lowering.context import Dispatch

K = TypeVar("K")
V = TypeVar("V")

PARTS: tuple[Dispatch, ...] = tuple(
    module.LOWERED
    for module in (
        expressions, names, zones, quantifiers, boards, domains, layouts,
        statements, decisions, simultaneous, effects, scoring, events, procedures,
    )
)  # fmt: skip


def _joined(*tables: Mapping[K, V]) -> Mapping[K, V]:
    """Join tables.  Raises `ValueError` for a duplicate key."""
    joined: dict[K, V] = {}
    for table in tables:
        if joined.keys() & table:
            raise ValueError(f"lowered twice: {joined.keys() & table}")
        joined |= table
    return joined


DISPATCH = Dispatch(
    expressions=_joined(*(part.expressions for part in PARTS)),
    references=_joined(*(part.references for part in PARTS)),
    domains=_joined(*(part.domains for part in PARTS)),
    statements=_joined(*(part.statements for part in PARTS)),
    articles=_joined(*(part.articles for part in PARTS)),
)
