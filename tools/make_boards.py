"""Makes the boards of Ubongo: areas that six different sets of pieces cover exactly.

    python tools/make_boards.py           prints the articles for the rule file
    python tools/make_boards.py --write   puts them into rules/ubongo/ubongo.rules

Each of the 36 boards has a side for three pieces and a side for four.  For a side an area is grown square by square,
the next one the likelier the more of its neighbours are there.  It is kept if it looks like a puzzle: in one piece,
without holes, no rectangle, no tails, and no other side has it, however turned or flipped.  Then all sets of pieces of
the right size are tried by exact cover, and six of those that cover it become the sets of the six symbols: rather ones
with few solutions, and no piece in all of them.  The generator is the engine's own, so the result is always the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from wongar_dsl.backends.chance import Generator
from wongar_dsl.model.shapes import Budget, Fitting, Shape, Spot, drawn, shape, ways

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
#: For each side: its name, how many pieces, how many squares.
SIDES = (("easy", 3, (10, 13)), ("hard", 4, (14, 17)))
#: Sets with more solutions than that are taken only where there are no others.
MOST_SOLUTIONS = 4
FRAME = 6
BEGIN = "# ---- Boards, made by make_boards.py; do not change them here "
END = "# ---- End of the boards "

Set = tuple[str, ...]
Area = tuple[Shape, tuple[Set, ...]]


def grown(squares: int, generator: Generator) -> Shape:
    """An area of so many squares, grown at random inside of a frame."""
    there: set[Spot] = {(FRAME // 2, FRAME // 2)}
    while len(there) < squares:
        weights: dict[Spot, int] = {}
        for spot in sorted(there):
            for near in neighbours(spot):
                if near not in there and 0 <= near[0] < FRAME and 0 <= near[1] < FRAME:
                    weights[near] = weights.get(near, 0) + 1
        picks = [spot for spot, n in sorted(weights.items()) for _ in range(n * n)]
        there.add(picks[generator.below(len(picks))])
    return shape(sorted(there))


def neighbours(spot: Spot) -> tuple[Spot, ...]:
    """The four spots beside one."""
    r, c = spot
    return ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))


def has_hole(area: Shape) -> bool:
    """Whether an empty square inside cannot be reached from outside."""
    there = set(area.spots)
    outside, edge = set(), [(-1, -1)]
    while edge:
        spot = edge.pop()
        if spot in outside or spot in there or not (-1 <= spot[0] <= area.height and -1 <= spot[1] <= area.width):
            continue
        outside.add(spot)
        edge.extend(neighbours(spot))
    return len(outside) + len(there) < (area.height + 2) * (area.width + 2)


def looks_like_a_puzzle(area: Shape) -> bool:
    """No rectangle, no hole, not too long, and no square that hangs on a tail of two."""
    there = set(area.spots)
    if len(there) == area.height * area.width or has_hole(area) or min(area.height, area.width) < 3:
        return False
    degree = {spot: sum(n in there for n in neighbours(spot)) for spot in there}
    return not any(degree[s] == 1 and all(degree[n] == 2 for n in neighbours(s) if n in there) for s in there)


def same(area: Shape) -> Shape:
    """One for all ways to turn and flip an area."""
    return min(ways(area), key=lambda way: way.spots)


def six_sets(area: Shape, count: int, generator: Generator) -> tuple[Set, ...] | None:
    """Six sets of `count` pieces that cover an area, in the order of the symbols; None where there are not enough."""
    names = list(PIECES)
    shapes = [drawn(rows.split()) for rows in PIECES.values()]
    pieces = [one for one in shapes if one is not None]
    sizes = [len(one.spots) for one in pieces]
    fitting = Fitting(area, pieces, Budget(10_000_000))
    few: list[tuple[int, ...]] = []
    many: list[tuple[int, ...]] = []
    for chosen in combinations(range(len(pieces)), count):
        if sum(sizes[p] for p in chosen) == len(area.spots):
            solutions = sum(1 for _ in fitting.coverings(chosen))
            if solutions:
                (few if solutions <= MOST_SOLUTIONS else many).append(chosen)
    order = [few[i] for i in shuffled(len(few), generator)] + [many[i] for i in shuffled(len(many), generator)]
    taken: list[tuple[int, ...]] = []
    for chosen in order:
        if len(taken) == len(SYMBOLS):
            break
        # No piece may be in all six sets: the last one must lack what the others share.
        shared = set(chosen).intersection(*map(set, taken)) if taken else set()
        if len(taken) < len(SYMBOLS) - 1 or not shared:
            taken.append(chosen)
    if len(taken) < len(SYMBOLS):
        return None
    return tuple(tuple(names[p] for p in chosen) for chosen in taken)


def shuffled(n: int, generator: Generator) -> list[int]:
    """The numbers below n in a random order."""
    numbers = list(range(n))
    generator.shuffle(numbers)
    return numbers


def make() -> dict[str, list[Area]]:
    """The areas of both sides with their sets, by the name of the side."""
    generator = Generator.of_old(SEED)
    taken: set[Shape] = set()
    made: dict[str, list[Area]] = {}
    for side, count, (least, most) in SIDES:
        areas = made[side] = []
        while len(areas) < BOARDS:
            squares = least + generator.below(most - least + 1)
            area = grown(squares, generator)
            if not looks_like_a_puzzle(area) or same(area) in taken:
                continue
            sets = six_sets(area, count, generator)
            if sets is not None:
                taken.add(same(area))
                areas.append((area, sets))
    return made


def articles(made: dict[str, list[Area]]) -> Iterator[str]:
    """The lines of the rule file."""
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
    return ", ".join(" ".join(one) for one in sets)


def section(text: str) -> tuple[int, int]:
    """Where the boards stand in the text of the rule file: the first and the last line."""
    lines = text.split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith(BEGIN))
    return first, next(i for i, line in enumerate(lines) if line.startswith(END))


def main(arguments: Sequence[str]) -> int:
    """Print the articles, or write them into the rule file."""
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
