"""Boards as graphs: adjacency, directions and distances of areas."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from wongar_dsl.base.diagnostics import Diagnostic, Label
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.language import ast as s

#: Number of directions on squares and on hexagons.
SQUARE, HEXAGON = 8, 6
#: Names of the directions; those of squares are words of the rule language.
SQUARE_WAYS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
HEXAGON_WAYS = ("northeast", "east", "southeast", "southwest", "west", "northwest")


@dataclass(frozen=True, slots=True)
class Graph:
    """A board as a graph: its areas in reading order, the rows they are drawn in, and the neighbours of each.

    `touching[a]` lists area indices in reading order. On a lattice, of squares or hexagons, `steps[a][d]` is the next
    area in direction d, -1 beyond the edge, and `spots[a]` the column and row of an area, from 1 at the bottom left; on
    other boards both are empty. Directions count clockwise: eight on squares, from north; six on hexagons, from the
    north-east.

    With `offset` the rows of a board that is no lattice are centred.
    """

    areas: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    offset: bool
    touching: tuple[tuple[int, ...], ...]
    steps: tuple[tuple[int, ...], ...] = ()
    spots: tuple[tuple[int, int], ...] = ()

    @property
    def directions(self) -> int:
        """Number of directions: 8, 6, or 0 if the board is no lattice."""
        return len(self.steps[0]) if self.steps else 0

    @property
    def direction_names(self) -> tuple[str, ...]:
        """Names of the directions."""
        return SQUARE_WAYS if self.directions == SQUARE else HEXAGON_WAYS if self.directions == HEXAGON else ()

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Drawing position of each area: column from the left in half areas, and row from the top.

        Hexagons lie where they touch. Other boards use their rows, which are centred if the board is offset.
        """
        if self.directions == HEXAGON:
            columns = [2 * x + y for x, y in self.spots]
            left, top = min(columns), max(y for _, y in self.spots)
            return tuple((column - left, top - y) for column, (_, y) in zip(columns, self.spots, strict=True))
        most = max(map(len, self.rows))
        return tuple(
            (2 * column + (most - len(row) if self.offset else 0), number)
            for number, row in enumerate(self.rows)
            for column in range(len(row))
        )

    def ray(self, area: int, direction: int) -> tuple[int, ...]:
        """Return the areas in a direction, from the next one to the edge."""
        areas = []
        while (area := self.steps[area][direction]) >= 0:
            areas.append(area)
        return tuple(areas)

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """Return all straight lines of `length` areas, each once."""
        lines = []
        for area in range(len(self.areas)):
            for direction in range(self.directions // 2):
                line = (area, *self.ray(area, direction)[: length - 1])
                if len(line) == length:
                    lines.append(line)
        return tuple(lines)

    def line_directions(self, length: int) -> frozenset[int]:
        """Return the directions, of each pair of opposites the first, that have straight lines of `length` areas."""
        return frozenset(
            direction
            for direction in range(self.directions // 2)
            if any(len(self.ray(area, direction)) >= length - 1 for area in range(len(self.areas)))
        )

    def lines_through(self, length: int) -> tuple[tuple[int, ...], ...]:
        """Return for each area the numbers of the straight lines of `length` areas through it."""
        through: list[list[int]] = [[] for _ in self.areas]
        for number, line in enumerate(self.lines(length)):
            for area in line:
                through[area].append(number)
        return tuple(map(tuple, through))

    def within(self, distance: int) -> tuple[tuple[int, ...], ...]:
        """Return for each area the other areas at most `distance` steps away, in reading order."""
        result = []
        for start in range(len(self.areas)):
            reached = {start}
            edge = {start}
            for _ in range(min(distance, len(self.areas))):
                edge = {b for a in edge for b in self.touching[a]} - reached
                reached |= edge
            result.append(tuple(sorted(reached - {start})))
        return tuple(result)


def build(board: s.Board) -> tuple[Graph, tuple[Diagnostic, ...]]:
    """Return the graph of a board declaration, and the mistakes in it."""
    if board.lattice is not None:
        return _lattice(*board.lattice, board.diagonal), ()
    areas = tuple(word.text for row in board.rows for word in row)
    index = {name: i for i, name in enumerate(areas)}
    places: Mapping[str, s.Word] = {word.text: word for row in board.rows for word in row}
    edges: list[set[int]] = [set() for _ in areas]
    diagnostics: list[Diagnostic] = []
    if board.offset:
        _offset_edges(board, index, edges)
    declared: dict[tuple[str, str], s.Word] = {}
    for line in board.touches:
        for word in (line.area, *line.others):
            if word.text not in index:
                suggestion = did_you_mean(word.text, areas)
                diagnostics.append(Diagnostic("R0201", word.span, {"name": word.text}, suggestion=suggestion))
        for word in line.others:
            if line.area.text in index and word.text in index:
                declared[line.area.text, word.text] = word
                edges[index[line.area.text]].add(index[word.text])
    for (area, neighbour), word in declared.items():
        if index[area] not in edges[index[neighbour]]:
            label = Label(places[neighbour].span, "declared")
            diagnostics.append(Diagnostic("R0405", word.span, {"area": area, "other": neighbour}, (label,)))
    pointed_at = {neighbour for _, neighbour in declared}
    for area in areas:
        if not edges[index[area]] and len(areas) > 1 and area not in pointed_at:
            diagnostics.append(Diagnostic("R0404", places[area].span, {"area": area}))
    rows = tuple(tuple(word.text for word in row) for row in board.rows)
    return Graph(areas, rows, board.offset, tuple(tuple(sorted(e)) for e in edges)), tuple(diagnostics)


def _offset_edges(board: s.Board, index: Mapping[str, int], edges: list[set[int]]) -> None:
    """Add the edges within each row, and between areas of adjacent centred rows at most half an area apart."""
    # Doubled coordinates keep halves whole.
    placed = [[(2 * i - len(row) + 1, index[w.text]) for i, w in enumerate(row)] for row in board.rows]
    for number, row in enumerate(placed):
        below = placed[number + 1] if number + 1 < len(placed) else []
        pairs = [(a, b) for (_, a), (_, b) in itertools.pairwise(row)]
        pairs += [(a, b) for x, a in row for y, b in below if abs(x - y) <= 1]
        for a, b in pairs:
            edges[a].add(b)
            edges[b].add(a)


_SQUARE = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
_HEXAGON = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))


@lru_cache(maxsize=8)
def _lattice(kind: str, width: int, height: int, diagonal: bool) -> Graph:
    """Build a lattice: squares `a1` ... as on a chessboard, hexagons in slanting rows or around a middle."""
    if kind == "round":
        # The middle is at (radius + 1, radius + 1).
        reach = range(1, 2 * width + 2)
        rows = [[(q, r) for q in reach if abs(q + r - 2 * width - 2) <= width] for r in reversed(reach)]
    else:
        rows = [[(x, y) for x in range(1, width + 1)] for y in range(height, 0, -1)]
    spots = [spot for row in rows for spot in row]
    index = {spot: i for i, spot in enumerate(spots)}
    offsets = _SQUARE if kind == "square" else _HEXAGON
    steps = tuple(tuple(index.get((x + dx, y + dy), -1) for dx, dy in offsets) for x, y in spots)
    near = range(8) if diagonal and kind == "square" else range(0, 8, 2) if kind == "square" else range(6)
    touching = tuple(tuple(sorted(row[d] for d in near if row[d] >= 0)) for row in steps)
    names = [[_spot_name(kind, spot) for spot in row] for row in rows]
    return Graph(tuple(n for row in names for n in row), tuple(map(tuple, names)), False, touching, steps, tuple(spots))


def is_lattice_name(name: str) -> bool:
    """Return whether a lattice could have an area or a direction of this name."""
    return name in SQUARE_WAYS or re.fullmatch(r"h\d+_\d+|[a-z]{1,2}\d+", name) is not None


def _spot_name(kind: str, spot: tuple[int, int]) -> str:
    x, y = spot
    if kind == "round":
        return f"h{x}_{y}"
    letters = ""
    while x > 0:
        x, rest = divmod(x - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return f"{letters}{y}"
