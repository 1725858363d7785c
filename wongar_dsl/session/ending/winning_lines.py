"""Winning lines: at the end of a game, the straight lines whose areas all belong to one player."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.engine import State
from wongar_dsl.engine.hidden_information.information import is_visible
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import PLAYER


def winning_lines(state: State) -> frozenset[tuple[str, int]]:
    """Return the areas of all completed lines of a length that the rules mention; empty before the end."""
    if not state.over or not state.winners:
        return frozenset()
    return frozenset((board, area) for board, line in _lines(state) for area in line)


def _lines(state: State) -> Iterator[tuple[str, tuple[int, ...]]]:
    model = state.game.model
    lengths = _lengths(state)
    for field in state.game.program.fields if lengths else ():
        if (
            field.kind != "remember"
            or field.type != PLAYER
            or len(field.indices) != 1
            or not is_visible(field, (0,), None)
        ):
            continue
        board = field.indices[0].name
        graph = model.boards.get(board) if field.indices[0].kind == "board" else None
        if graph is None or not graph.directions:
            continue
        for line in (line for length in lengths for line in graph.lines(length)):
            owners = {state.cells[field.at(area)] for area in line}
            if len(owners) == 1 and min(owners) >= 0:
                yield board, line


def _lengths(state: State) -> list[int]:
    """Return the line lengths that the rules mention."""
    domains = (
        node
        for article in state.game.model.merged.articles
        for node in s.walk(article)
        if isinstance(node, s.Domain) and node.kind in ("lines", "through")
    )
    return sorted({domain.first.value for domain in domains if isinstance(domain.first, s.Number)})
