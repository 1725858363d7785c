"""Which function lowers which node, and which name: what the modules say of themselves, joined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from wongar_dsl.lower import (
    boards,
    decisions,
    domains,
    events,
    expressions,
    layouts,
    moves,
    procedures,
    quantifiers,
    references,
    scoring,
    simultaneous,
    statements,
    zones,
)
from wongar_dsl.lower.context import Dispatch

K = TypeVar("K")
V = TypeVar("V")

PARTS: tuple[Dispatch, ...] = tuple(
    module.LOWERED
    for module in (
        expressions, references, zones, quantifiers, boards, domains, layouts,
        statements, decisions, simultaneous, moves, scoring, events, procedures,
    )
)  # fmt: skip


def _joined(*tables: Mapping[K, V]) -> Mapping[K, V]:
    """All tables as one; raises `ValueError` where two have the same."""
    found: dict[K, V] = {}
    for table in tables:
        if found.keys() & table:
            raise ValueError(f"lowered twice: {found.keys() & table}")
        found |= table
    return found


DISPATCH = Dispatch(
    expressions=_joined(*(part.expressions for part in PARTS)),
    references=_joined(*(part.references for part in PARTS)),
    domains=_joined(*(part.domains for part in PARTS)),
    statements=_joined(*(part.statements for part in PARTS)),
    articles=_joined(*(part.articles for part in PARTS)),
)
