"""Layout of boards as graphs, so that adjacent areas are visibly connected."""

from __future__ import annotations

from itertools import combinations, pairwise

from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.render.component_svg.boards import COLUMNS, BoxMeasures, graph_layout, links_of

BOXES = BoxMeasures(200, 110, 60)


def graph(rows: list[list[str]], links: list[tuple[str, str]], offset: bool = False) -> Graph:
    areas = tuple(area for row in rows for area in row)
    touching: list[set[int]] = [set() for _ in areas]
    for a, b in links:
        touching[areas.index(a)].add(areas.index(b))
        touching[areas.index(b)].add(areas.index(a))
    return Graph(areas, tuple(map(tuple, rows)), offset, tuple(tuple(sorted(t)) for t in touching))


def crossings(board: Graph) -> int:
    """Return the number of line crossings and of lines through boxes.

    The lines are sampled at points, a finer method than that of the layout.
    """
    middles = [BOXES.middle(cell) for cell in graph_layout(board, BOXES)]
    links = list(links_of(board))
    count = 0
    for a, b in links:
        for area, (x, y) in enumerate(middles):
            if area not in (a, b):
                count += any(
                    abs(middles[a][0] + (middles[b][0] - middles[a][0]) * t // 40 - x) < BOXES.width // 2
                    and abs(middles[a][1] + (middles[b][1] - middles[a][1]) * t // 40 - y) < BOXES.height // 2
                    for t in range(41)
                )
    for (a, b), (c, d) in combinations(links, 2):
        if len({a, b, c, d}) == 4:
            count += _cross(middles[a], middles[b], middles[c], middles[d])
    return count


def _cross(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int]) -> bool:
    across = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if across == 0:
        return False
    t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / across
    u = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / across
    return 0 < t < 1 and 0 < u < 1


def test_rows_that_show_the_adjacency_are_kept() -> None:
    rows = [["a", "b", "c"], ["d", "e", "f", "g"]]
    links = [("a", "b"), ("b", "c"), ("a", "d"), ("a", "e"), ("c", "g"), ("f", "g")]
    board = graph(rows, links, offset=True)
    assert [tuple(cell) for cell in graph_layout(board, BOXES)] == [
        (1, 0),
        (3, 0),
        (5, 0),
        (0, 1),
        (2, 1),
        (4, 1),
        (6, 1),
    ]


def test_ring_in_one_row_becomes_a_ring() -> None:
    names = list("abcdefgh")
    board = graph([names], [*pairwise(names), ("h", "a")])
    assert crossings(board) == 0


def test_few_lines_cross_if_rows_hide_the_structure() -> None:
    # A cube, which the rows do not show.
    links = ["ab", "bc", "cd", "da", "ef", "fg", "gh", "he", "ae", "bf", "cg", "dh"]
    board = graph([list("agceh"), list("bdf")], [(link[0], link[1]) for link in links])
    assert crossings(board) <= 2


def test_boxes_do_not_overlap_and_layout_is_deterministic() -> None:
    names = [f"n{i}" for i in range(9)]
    links = [(names[i], names[(i * 5 + 3) % 9]) for i in range(9) if i != (i * 5 + 3) % 9]
    board = graph([names[:6], names[6:]], links)
    cells = graph_layout(board, BOXES)
    assert cells == graph_layout(board, BOXES)
    for first, second in combinations(cells, 2):
        assert first.row != second.row or abs(first.column - second.column) >= 2


def test_large_board_keeps_its_rows_and_wraps_long_ones() -> None:
    names = [f"n{i}" for i in range(2000)]
    board = graph([names], [(names[0], names[-1])])
    assert [cell.row for cell in graph_layout(board, BOXES)] == [i // COLUMNS for i in range(2000)]
