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


def _merged(*tables: Mapping[K, V]) -> Mapping[K, V]:
    """Join tables.  Raises `ValueError` for a duplicate key."""
    merged: dict[K, V] = {}
    for table in tables:
        if merged.keys() & table:
            raise ValueError(f"lowered twice: {merged.keys() & table}")
        merged |= table
    return merged


DISPATCH = Dispatch(
    expressions=_merged(*(part.expressions for part in PARTS)),
    references=_merged(*(part.references for part in PARTS)),
    domains=_merged(*(part.domains for part in PARTS)),
    statements=_merged(*(part.statements for part in PARTS)),
    articles=_merged(*(part.articles for part in PARTS)),
)
