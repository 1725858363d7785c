"""Boards as graphs: which areas touch which, and how far apart they are."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from wongar_dsl import syntax as s
from wongar_dsl.diagnostics import Diagnostic, Label, did_you_mean


@dataclass(frozen=True, slots=True)
class Graph:
    """A board: its areas in reading order, the rows that they are drawn in, and for each area the ones that it touches.

    `touching[a]` lists area indices in reading order.
    """

    areas: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    offset: bool
    touching: tuple[tuple[int, ...], ...]

    def within(self, distance: int) -> tuple[tuple[int, ...], ...]:
        """For each area the others that are at most `distance` steps away, in reading order."""
        result = []
        for start in range(len(self.areas)):
            reached = {start}
            edge = {start}
            for _ in range(distance):
                edge = {b for a in edge for b in self.touching[a]} - reached
                reached |= edge
            result.append(tuple(sorted(reached - {start})))
        return tuple(result)


def build(board: s.Board) -> tuple[Graph, tuple[Diagnostic, ...]]:
    """The graph of a board article, and what is wrong with it."""
    areas = tuple(word.text for row in board.rows for word in row)
    index = {name: i for i, name in enumerate(areas)}
    places: Mapping[str, s.Word] = {word.text: word for row in board.rows for word in row}
    edges: list[set[int]] = [set() for _ in areas]
    found: list[Diagnostic] = []
    if board.offset:
        _offset_edges(board, index, edges)
    said: dict[tuple[str, str], s.Word] = {}
    for line in board.touches:
        for word in (line.area, *line.others):
            if word.text not in index:
                suggestion = did_you_mean(word.text, areas)
                found.append(Diagnostic("R0201", word.span, {"name": word.text}, suggestion=suggestion))
        for word in line.others:
            if line.area.text in index and word.text in index:
                said[line.area.text, word.text] = word
                edges[index[line.area.text]].add(index[word.text])
    for (area, other), word in said.items():
        if index[area] not in edges[index[other]]:
            label = Label(places[other].span, "declared")
            found.append(Diagnostic("R0405", word.span, {"area": area, "other": other}, (label,)))
    for area in areas:
        if not edges[index[area]] and len(areas) > 1:
            found.append(Diagnostic("R0404", places[area].span, {"area": area}))
    rows = tuple(tuple(word.text for word in row) for row in board.rows)
    return Graph(areas, rows, board.offset, tuple(tuple(sorted(e)) for e in edges)), tuple(found)


def _offset_edges(board: s.Board, index: Mapping[str, int], edges: list[set[int]]) -> None:
    """Neighbours in a row, and those at most half an area aside in the next row, rows being centred."""
    # Doubled coordinates keep halves whole.
    placed = [[(2 * i - len(row) + 1, index[w.text]) for i, w in enumerate(row)] for row in board.rows]
    for number, row in enumerate(placed):
        below = placed[number + 1] if number + 1 < len(placed) else []
        pairs = [(a, b) for (_, a), (_, b) in itertools.pairwise(row)]
        pairs += [(a, b) for x, a in row for y, b in below if abs(x - y) <= 1]
        for a, b in pairs:
            edges[a].add(b)
            edges[b].add(a)
