"""Covering puzzles: the puzzle that a decision asks for, and an editor state for placing the pieces.

A decision is such a puzzle if one of its options takes a covering; also the default answer on time-out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wongar_dsl.engine import Move, State
from wongar_dsl.engine.bots import is_puzzle_decision
from wongar_dsl.engine.match import Match
from wongar_dsl.language.semantics.shapes import (
    LETTERS,
    Shape,
    Spot,
    mirror,
    orientations,
    parse_covering,
    rotate,
    shape,
)


class CoveringFault(NamedTuple):
    """Reason why a drawing is not a covering.

    A piece is `outside` of the area, not among the given ones (`strange`), `missing`, or has another `shape`; or a
    square is `free`.
    """

    kind: Literal["outside", "strange", "free", "missing", "shape"]
    piece: str
    spot: Spot = (0, 0)


@dataclass(frozen=True)
class Puzzle:
    """Area to cover, the pieces by number, the solutions by drawing, and the other moves of the decision."""

    option: str
    area: Shape
    pieces: dict[int, Shape]
    solutions: dict[str, Move]
    others: tuple[Move, ...]

    @classmethod
    def of(cls, state: State) -> Puzzle | None:
        """Return the puzzle that a decision asks for; None if it is no puzzle or has no solution."""
        decision = state.decision
        if decision is None:
            return None
        covering_options = [
            i for i, o in enumerate(decision.options) if [k.kind for _, k in o.parameters] == ["coverings"]
        ]
        if len(covering_options) != 1:
            return None
        kind = decision.options[covering_options[0]].parameters[0][1]
        model = state.game.model
        moves = state.legal_moves()
        solutions = {model.value_name(kind, m.arguments[0]): m for m in moves if m.option == covering_options[0]}
        if not solutions:
            return None
        laid = parse_covering(next(iter(solutions)))
        every = model.shapes[model.coverings[kind.name].pieces]
        return cls(
            decision.options[covering_options[0]].name,
            shape([spot for spots in laid.values() for spot in spots]),
            # Sorted, since the order in a solution would reveal positions.
            {number: every[number] for number in sorted(laid)},
            solutions,
            tuple(m for m in moves if m.option != covering_options[0]),
        )

    def solution(self, text: str) -> Move | None:
        """Return the move for a drawing that is an exact covering, else None."""
        return self.solutions.get(self._rows(text))

    def fault(self, text: str) -> CoveringFault | None:
        """Return the first fault of a drawing, from the top; None for an exact covering."""
        rows = self._rows(text).split("/")
        signs = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row) if sign in LETTERS}
        for spot, sign in signs.items():
            if spot not in self.area.spots:
                return CoveringFault("outside", sign, spot)
            if LETTERS.index(sign) not in self.pieces:
                return CoveringFault("strange", sign, spot)
        for spot in self.area.spots:
            if spot not in signs:
                return CoveringFault("free", "", spot)
        laid = parse_covering("/".join(rows))
        for number, piece in self.pieces.items():
            if number not in laid:
                return CoveringFault("missing", LETTERS[number])
            if shape(laid[number]) not in orientations(piece):
                return CoveringFault("shape", LETTERS[number])
        return None

    def foreign_covering(self, state: State) -> Move:
        """Return a covering of another area, which is wrong here; a solution if there is no other covering."""
        move = next(iter(self.solutions.values()))
        assert state.decision is not None
        kind = state.decision.options[move.option].parameters[0][1]
        solved = {solution.arguments for solution in self.solutions.values()}
        size = state.game.model.size(kind, state.game.seats)
        return next((Move(move.option, (n,)) for n in range(size) if (n,) not in solved), move)

    def _rows(self, text: str) -> str:
        return re.sub(r"[^A-Za-z./]", "", text.removeprefix(self.option))

    @property
    def example(self) -> str:
        """Drawing in the right format; a solution only by coincidence."""
        letters = [LETTERS[number] for number in self.pieces]
        rows = [list("." * self.area.width) for _ in range(self.area.height)]
        for i, (r, c) in enumerate(self.area.spots):
            rows[r][c] = letters[i * len(letters) // len(self.area.spots)]
        return "/".join("".join(row) for row in rows)


def lost_puzzle(match: Match, number: int, current: Puzzle | None) -> Puzzle | None:
    """Return the puzzle of a step that was not solved and is not posed again; else None.

    `current` is the current puzzle of the seat of that step. None while other seats still decide the same puzzle, since
    it may be posed again.
    """
    step, now = match.steps[number], match.state
    if not is_puzzle_decision(step.decision):
        return None
    puzzle = Puzzle.of(State(match.game, match.state_before(number)))
    if puzzle is None or step.move in puzzle.solutions.values():
        return None
    still_posed = now.decision is step.decision and (current is None or current == puzzle)
    return None if still_posed else puzzle


def last_lost_puzzle(match: Match, viewer: int | None, since: int, now: Puzzle | None) -> Puzzle | None:
    """Return the puzzle that the viewer lost with their last decision.

    At the end of the game, this is the last puzzle if they lost it. `since` is the number of steps after that decision,
    `now` the current puzzle.
    """
    if viewer is None:
        return None
    for step in reversed(match.steps[:since]):
        if step.seat != viewer:
            continue
        puzzle = lost_puzzle(match, step.number, now)
        if puzzle is not None or not match.state.over or is_puzzle_decision(step.decision):
            return puzzle
    return None


def default_answer(state: State) -> Move:
    """Return the move that counts when a player's time runs out: the last one without arguments."""
    puzzle = Puzzle.of(state)
    moves = state.legal_moves() if puzzle is None else list(puzzle.others) or state.legal_moves()
    return [m for m in moves if not m.arguments or m is moves[0]][-1]


@dataclass
class PuzzleLayout:
    """Placement in progress: the placed pieces and the held one.

    `orientation` and `at` are the shape and the top left square of the held piece; `orientations` are the last shapes
    of all pieces.
    """

    puzzle: Puzzle
    placed: dict[int, tuple[Spot, ...]] = field(default_factory=dict)
    held: int | None = None
    orientation: Shape = field(init=False)
    at: Spot = (0, 0)
    orientations: dict[int, Shape] = field(init=False)

    def __post_init__(self) -> None:
        self.orientations = dict(self.puzzle.pieces)
        self.orientation = next(iter(self.orientations.values()))
        self.hold_next()

    @classmethod
    def of(cls, puzzle: Puzzle, drawing: str) -> PuzzleLayout:
        """Return the placement of a covering."""
        return cls(puzzle, {number: tuple(spots) for number, spots in parse_covering(drawing).items()})

    # ---- actions ----

    def hold_next(self, step: int = 1) -> None:
        """Hold the next unplaced piece; none if all are placed."""
        unplaced = [n for n in self.puzzle.pieces if n not in self.placed]
        if not unplaced:
            self.held = None
            return
        position = unplaced.index(self.held) if self.held in unplaced else -1 if step > 0 else 0
        self._hold(unplaced[(position + step) % len(unplaced)])

    def hold(self, number: int) -> None:
        """Hold a piece; a placed one is picked up at its position."""
        spots = self.placed.pop(number, None)
        self._hold(number)
        if spots is not None:
            self.orientation = self.orientations[number] = shape(spots)
            self.at = (min(r for r, _ in spots), min(c for _, c in spots))

    def _hold(self, number: int) -> None:
        self.held = number
        self.orientation = self.orientations[number]
        self._stay_inside()

    def _stay_inside(self) -> None:
        r, c = self.at
        last_row = max(0, self.puzzle.area.height - self.orientation.height)
        last_column = max(0, self.puzzle.area.width - self.orientation.width)
        self.at = (max(0, min(r, last_row)), max(0, min(c, last_column)))

    def move(self, down: int, right: int) -> None:
        """Shift the held piece, within the frame of the area."""
        self.at = (self.at[0] + down, self.at[1] + right)
        self._stay_inside()

    def turn(self) -> None:
        """Turn the held piece clockwise by 90 degrees."""
        self._set_orientation(rotate(self.orientation))

    def flip(self) -> None:
        """Mirror the held piece."""
        self._set_orientation(mirror(self.orientation))

    def _set_orientation(self, orientation: Shape) -> None:
        self.orientation = orientation
        if self.held is not None:
            self.orientations[self.held] = orientation
        self._stay_inside()

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The squares under the held piece."""
        r, c = self.at
        return tuple((r + y, c + x) for y, x in self.orientation.spots) if self.held is not None else ()

    @property
    def fits(self) -> bool:
        """True if the held piece can be placed at its position."""
        occupied = {spot for spots in self.placed.values() for spot in spots}
        return all(spot in self.puzzle.area.spots and spot not in occupied for spot in self.spots)

    def lay(self) -> bool:
        """Place the held piece; return False if it does not fit."""
        if self.held is None or not self.fits:
            return False
        self.placed[self.held] = self.spots
        self.hold_next()
        return True

    def pick_up(self) -> bool:
        """Pick up the piece placed last; return False if none is placed."""
        if not self.placed:
            return False
        self.hold(list(self.placed)[-1])
        return True

    @property
    def rows(self) -> list[str]:
        """The placement of the pieces by row, with a letter for each square and a dot for each gap."""
        letters = {spot: LETTERS[n] for n, spots in self.placed.items() for spot in spots}
        area = self.puzzle.area
        return ["".join(letters.get((r, c), ".") for c in range(area.width)) for r in range(area.height)]

    @property
    def solution(self) -> Move | None:
        """The move for the placed pieces if they are an exact covering, else None."""
        return self.puzzle.solutions.get("/".join(self.rows))
