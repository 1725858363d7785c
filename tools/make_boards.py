"""Generator of the boards of Ubongo: areas that six different sets of pieces cover exactly.

    python tools/make_boards.py prints the declarations for the rule file
    python tools/make_boards.py --write writes them into rules/ubongo/ubongo.rules

Each of the 36 boards has a side for three pieces and a side for four. For a side an area is grown square by square; a
square with more neighbours in the area is more likely. The area is kept if it looks like a puzzle: connected, without
holes, no rectangle, no tails, and different from all other sides under rotation and reflection. Then all sets of pieces
of the right total size are tried by exact cover. Six of those that cover the area become the sets of the six symbols,
preferring sets with few solutions, and without a piece common to all. The generator is the engine's own, so the result
is always the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from wongar_dsl.compiler.backends.rng import GOLDEN, Generator, old_streams
from wongar_dsl.language.semantics.shapes import (
    ExactCoverSolver,
    Shape,
    Spot,
    WorkBudget,
    orientations,
    parse_drawing,
    shape,
)

SEED = 2005
BOARDS = 36
SYMBOLS = ("mask", "snake", "antelope", "beetle", "drum", "spear")
PIECES = {
    "I2": "xx",
    "I3": "xxx",
    "V3": "xx x.",
    "I4": "xxxx",
    "L4": "xxx x..",
    "O4": "xx xx",
    "S4": ".xx xx.",
    "T4": "xxx .x.",
    "L5": "xxxx x...",
    "P5": "xx xx x.",
    "Y5": "xxxx .x..",
    "Z5": "xx. .x. .xx",
}
#: Each side: its name, number of pieces, and range of squares.
SIDES = (("easy", 3, (10, 13)), ("hard", 4, (14, 17)))
#: Sets with more solutions are used only if there are no others.
MAX_SOLUTIONS = 4
FRAME = 6
BEGIN = "# ---- Boards, made by make_boards.py; do not change them here "
END = "# ---- End of the boards "

Set = tuple[str, ...]
Area = tuple[Shape, tuple[Set, ...]]


def grown(squares: int, generator: Generator) -> Shape:
    """Return an area of `squares` squares, grown at random within a frame."""
    filled: set[Spot] = {(FRAME // 2, FRAME // 2)}
    while len(filled) < squares:
        weights: dict[Spot, int] = {}
        for spot in sorted(filled):
            for near in neighbours(spot):
                if near not in filled and 0 <= near[0] < FRAME and 0 <= near[1] < FRAME:
                    weights[near] = weights.get(near, 0) + 1
        picks = [spot for spot, n in sorted(weights.items()) for _ in range(n * n)]
        filled.add(picks[generator.below(len(picks))])
    return shape(sorted(filled))


def neighbours(spot: Spot) -> tuple[Spot, ...]:
    """Return the four adjacent spots."""
    r, c = spot
    return ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))


def has_hole(area: Shape) -> bool:
    """Return whether an empty square inside cannot be reached from outside."""
    filled = set(area.spots)
    outside, edge = set(), [(-1, -1)]
    while edge:
        spot = edge.pop()
        if spot in outside or spot in filled or not (-1 <= spot[0] <= area.height and -1 <= spot[1] <= area.width):
            continue
        outside.add(spot)
        edge.extend(neighbours(spot))
    return len(outside) + len(filled) < (area.height + 2) * (area.width + 2)


def looks_like_a_puzzle(area: Shape) -> bool:
    """Return whether an area is no rectangle, has no hole, is not too narrow, and has no tail of two squares."""
    filled = set(area.spots)
    if len(filled) == area.height * area.width or has_hole(area) or min(area.height, area.width) < 3:
        return False
    degree = {spot: sum(n in filled for n in neighbours(spot)) for spot in filled}
    return not any(degree[s] == 1 and all(degree[n] == 2 for n in neighbours(s) if n in filled) for s in filled)


def same(area: Shape) -> Shape:
    """Return a canonical form of an area, equal for all rotations and reflections."""
    return min(orientations(area), key=lambda variant: variant.spots)


def six_sets(area: Shape, count: int, generator: Generator) -> tuple[Set, ...] | None:
    """Return six sets of `count` pieces that cover an area, in the order of the symbols; None if there are too few."""
    names = list(PIECES)
    shapes = [parse_drawing(rows.split()) for rows in PIECES.values()]
    pieces = [piece for piece in shapes if piece is not None]
    sizes = [len(piece.spots) for piece in pieces]
    fitting = ExactCoverSolver(area, pieces, WorkBudget(10_000_000))
    few: list[tuple[int, ...]] = []
    many: list[tuple[int, ...]] = []
    for chosen in combinations(range(len(pieces)), count):
        if sum(sizes[p] for p in chosen) == len(area.spots):
            solutions = sum(1 for _ in fitting.coverings(chosen))
            if solutions:
                (few if solutions <= MAX_SOLUTIONS else many).append(chosen)
    order = [few[i] for i in shuffled(len(few), generator)] + [many[i] for i in shuffled(len(many), generator)]
    picked: list[tuple[int, ...]] = []
    for chosen in order:
        if len(picked) == len(SYMBOLS):
            break
        # No piece may be in all six sets: the last set must lack a piece that the others share.
        shared = set(chosen).intersection(*map(set, picked)) if picked else set()
        if len(picked) < len(SYMBOLS) - 1 or not shared:
            picked.append(chosen)
    if len(picked) < len(SYMBOLS):
        return None
    return tuple(tuple(names[p] for p in chosen) for chosen in picked)


def shuffled(n: int, generator: Generator) -> list[int]:
    """Return the numbers below n in random order."""
    numbers = list(range(n))
    generator.shuffle(numbers)
    return numbers


def make() -> dict[str, list[Area]]:
    """Return the areas of both sides with their sets, by the name of the side."""
    generator = Generator(SEED)
    # The boards were made with the increment of old versions, the same for all seeds.
    generator.cursor = old_streams(SEED, False)[0], GOLDEN
    used: set[Shape] = set()
    made: dict[str, list[Area]] = {}
    for side, count, (least, most) in SIDES:
        areas = made[side] = []
        while len(areas) < BOARDS:
            squares = least + generator.below(most - least + 1)
            area = grown(squares, generator)
            if not looks_like_a_puzzle(area) or same(area) in used:
                continue
            sets = six_sets(area, count, generator)
            if sets is not None:
                used.add(same(area))
                areas.append((area, sets))
    return made


def articles(made: dict[str, list[Area]]) -> Iterator[str]:
    """Yield the lines of the rule file."""
    numbers = range(1, BOARDS + 1)
    yield from ("cards tablet", *(f"    tablet_{n}" for n in numbers))
    yield from ('    source reconstruction de "Legetafeln"', "")
    yield f"deck tablets of tablet total {BOARDS}"
    for first in range(1, BOARDS, 6):
        yield "    " + ", ".join(f"1 tablet_{n}" for n in range(first, first + 6))
    yield from ('    source de "Spielmaterial"', "")
    yield "# The area on each side of a board."
    yield from ("table ground_of  easy     hard", *(f"    tablet_{n:<5} easy_{n:<3} hard_{n}" for n in numbers))
    yield from ('    source reconstruction de "Legetafeln"', "")
    yield "shapes piece"
    yield from (f"    {name}  {rows}" for name, rows in PIECES.items())
    yield from ('    source inferred de "Legeteile", "Spielmaterial"', "")
    yield "shapes ground"
    for side, areas in made.items():
        yield from (f"    {side}_{n:<3} {' '.join(area.rows)}" for n, (area, _) in enumerate(areas, 1))
    yield from ('    source reconstruction de "Legetafeln"', "")
    yield f"# The pieces beside the six symbols: {', '.join(SYMBOLS)}."
    yield "coverings solution of ground by piece for symbol"
    for side, areas in made.items():
        yield from (f"    {side}_{n:<3} {_written(sets)}" for n, (_, sets) in enumerate(areas, 1))
    yield '    source reconstruction de "Legetafeln"'


def _written(sets: Sequence[Set]) -> str:
    return ", ".join(" ".join(pieces) for pieces in sets)


def section(text: str) -> tuple[int, int]:
    """Return the first and last line of the boards in the text of the rule file."""
    lines = text.split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith(BEGIN))
    return first, next(i for i, line in enumerate(lines) if line.startswith(END))


def main(arguments: Sequence[str]) -> int:
    """Print the declarations, or write them into the rule file."""
    lines = list(articles(make()))
    if "--write" not in arguments:
        sys.stdout.write("\n".join(lines) + "\n")
        return 0
    path = Path(__file__).parents[1] / "rules" / "ubongo" / "ubongo.rules"
    text = path.read_text(encoding="utf-8")
    first, last = section(text)
    old = text.split("\n")
    path.write_text("\n".join([*old[: first + 1], "", *lines, "", *old[last:]]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
