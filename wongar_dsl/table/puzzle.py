"""Laying pieces on an area: what is asked, and the pieces as they are moved.

Nothing here knows a game or a clock: a decision whose option takes a covering is such a puzzle.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wongar_dsl.engine import Move, State
from wongar_dsl.model.shapes import LETTERS, Shape, Spot, flipped, read_drawing, shape, turned, ways


class Fault(NamedTuple):
    """Why a drawing is no covering: a piece lies `outside` of the area, is none of those to be laid (`strange`), is
    `missing` or has another `shape`, or a square is `free`."""

    kind: Literal["outside", "strange", "free", "missing", "shape"]
    piece: str
    spot: Spot = (0, 0)


@dataclass(frozen=True)
class Puzzle:
    """An area, the pieces for it by their number, the coverings as drawings, and what else can be chosen."""

    option: str
    area: Shape
    pieces: dict[int, Shape]
    solutions: dict[str, Move]
    others: tuple[Move, ...]

    @classmethod
    def of(cls, state: State) -> Puzzle | None:
        """The puzzle that a decision asks for; None where it asks for none, or where there is no solution."""
        decision = state.decision
        if decision is None:
            return None
        asked = [i for i, o in enumerate(decision.options) if [k.kind for _, k in o.parameters] == ["coverings"]]
        if len(asked) != 1:
            return None
        kind = decision.options[asked[0]].parameters[0][1]
        model = state.game.model
        moves = state.legal_moves()
        solutions = {model.value_name(kind, m.arguments[0]): m for m in moves if m.option == asked[0]}
        if not solutions:
            return None
        laid = read_drawing(next(iter(solutions)))
        every = model.shapes[model.coverings[kind.name].pieces]
        return cls(
            decision.options[asked[0]].name,
            shape([spot for spots in laid.values() for spot in spots]),
            {number: every[number] for number in laid},
            solutions,
            tuple(m for m in moves if m.option != asked[0]),
        )

    def solution(self, text: str) -> Move | None:
        """The move for a drawing, if that is an exact covering."""
        return self.solutions.get(self._rows(text))

    def fault(self, text: str) -> Fault | None:
        """What is wrong first with a drawing, from the top; None for an exact covering."""
        rows = self._rows(text).split("/")
        signs = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row) if sign in LETTERS}
        for spot, sign in signs.items():
            if spot not in self.area.spots:
                return Fault("outside", sign, spot)
            if LETTERS.index(sign) not in self.pieces:
                return Fault("strange", sign, spot)
        for spot in self.area.spots:
            if spot not in signs:
                return Fault("free", "", spot)
        laid = read_drawing("/".join(rows))
        for number, piece in self.pieces.items():
            if number not in laid:
                return Fault("missing", LETTERS[number])
            if shape(laid[number]) not in ways(piece):
                return Fault("shape", LETTERS[number])
        return None

    def elsewhere(self, state: State) -> Move:
        """A covering of something else, which cannot be the answer here; an answer where there is no other one."""
        move = next(iter(self.solutions.values()))
        assert state.decision is not None
        kind = state.decision.options[move.option].parameters[0][1]
        known = {solution.arguments for solution in self.solutions.values()}
        size = state.game.model.size(kind, state.game.seats)
        return next((Move(move.option, (n,)) for n in range(size) if (n,) not in known), move)

    def _rows(self, text: str) -> str:
        return re.sub(r"[^A-Za-z./]", "", text.removeprefix(self.option))

    @property
    def example(self) -> str:
        """A text of the right form; no solution, but by luck."""
        letters = [LETTERS[number] for number in self.pieces]
        rows = [list("." * self.area.width) for _ in range(self.area.height)]
        for i, (r, c) in enumerate(self.area.spots):
            rows[r][c] = letters[i * len(letters) // len(self.area.spots)]
        return "/".join("".join(row) for row in rows)


def unanswered(state: State) -> Move:
    """What counts as chosen where somebody has let their time run out: what takes nothing, the last of the list."""
    puzzle = Puzzle.of(state)
    moves = state.legal_moves() if puzzle is None else list(puzzle.others) or state.legal_moves()
    return [m for m in moves if not m.arguments or m is moves[0]][-1]


@dataclass
class Laying:
    """The pieces as they lie, and the one that is held."""

    puzzle: Puzzle
    placed: dict[int, tuple[Spot, ...]] = field(default_factory=dict)
    held: int | None = None
    way: Shape = field(init=False)
    at: Spot = (0, 0)
    ways: dict[int, Shape] = field(init=False)

    def __post_init__(self) -> None:
        self.ways = dict(self.puzzle.pieces)
        self.way = next(iter(self.ways.values()))
        self.hold_next()

    @classmethod
    def of(cls, puzzle: Puzzle, drawing: str) -> Laying:
        """The pieces as they lie in a covering."""
        return cls(puzzle, {number: tuple(spots) for number, spots in read_drawing(drawing).items()})

    # ---- what can be done ----

    def hold_next(self, step: int = 1) -> None:
        """Hold the next piece that is not laid; none where all are."""
        left = [n for n in self.puzzle.pieces if n not in self.placed]
        if not left:
            self.held = None
            return
        there = left.index(self.held) if self.held in left else -1 if step > 0 else 0
        self._hold(left[(there + step) % len(left)])

    def hold(self, number: int) -> None:
        """Hold a piece; one that lies is taken up where it is."""
        spots = self.placed.pop(number, None)
        self._hold(number)
        if spots is not None:
            self.way = self.ways[number] = shape(spots)
            self.at = (min(r for r, _ in spots), min(c for _, c in spots))

    def _hold(self, number: int) -> None:
        self.held = number
        self.way = self.ways[number]
        self._stay_inside()

    def _stay_inside(self) -> None:
        r, c = self.at
        last_row = max(0, self.puzzle.area.height - self.way.height)
        last_column = max(0, self.puzzle.area.width - self.way.width)
        self.at = (max(0, min(r, last_row)), max(0, min(c, last_column)))

    def move(self, down: int, right: int) -> None:
        """Shift the held piece."""
        self.at = (self.at[0] + down, self.at[1] + right)
        self._stay_inside()

    def turn(self) -> None:
        """Turn the held piece clockwise by a quarter."""
        self._become(turned(self.way))

    def flip(self) -> None:
        """Turn the held piece over."""
        self._become(flipped(self.way))

    def _become(self, way: Shape) -> None:
        self.way = way
        if self.held is not None:
            self.ways[self.held] = way
        self._stay_inside()

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Where the held piece is."""
        r, c = self.at
        return tuple((r + y, c + x) for y, x in self.way.spots) if self.held is not None else ()

    @property
    def fits(self) -> bool:
        """Whether the held piece could be laid where it is."""
        taken = {spot for spots in self.placed.values() for spot in spots}
        return all(spot in self.puzzle.area.spots and spot not in taken for spot in self.spots)

    def lay(self) -> bool:
        """Lay the held piece down; False where it does not fit."""
        if self.held is None or not self.fits:
            return False
        self.placed[self.held] = self.spots
        self.hold_next()
        return True

    def take_up(self) -> bool:
        """Take up the piece that was laid last; False where none lies."""
        if not self.placed:
            return False
        self.hold(list(self.placed)[-1])
        return True

    @property
    def drawing(self) -> str | None:
        """The covering, once all pieces lie."""
        if len(self.placed) < len(self.puzzle.pieces):
            return None
        at = {spot: LETTERS[n] for n, spots in self.placed.items() for spot in spots}
        area = self.puzzle.area
        rows = ("".join(at.get((r, c), ".") for c in range(area.width)) for r in range(area.height))
        return "/".join(rows)

    @property
    def solution(self) -> Move | None:
        """The move for what lies there, once that is an exact covering."""
        return self.puzzle.solutions.get(self.drawing or "")
