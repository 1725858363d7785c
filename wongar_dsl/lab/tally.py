"""Sums over games: additive, and of integers alone, so that they are the same however the games were shared out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wongar_dsl.lab.columns import BINS, GROUP, SPREADS, Columns, bin_of

#: What stands for the least and the most of nothing.
NOTHING = 1 << 62
#: The lists of a tally: those that are added up, and the ends of the spreads.
_ADDED, _ENDS = ("sums", "squares", "groups", "bins", "marks"), ("least", "most")


@dataclass(frozen=True, slots=True)
class Row:
    """What is counted of one game; see `columns`.

    `row` and `groups` are empty for a game that was stopped unfinished; `spreads` are the numbers of each spread;
    `reached` are the marks that it came to, and `length` how many decisions there were.
    """

    length: int
    row: Sequence[int]
    groups: Mapping[int, Sequence[int]]
    spreads: Sequence[Sequence[int]]
    reached: Sequence[int]

    @property
    def finished(self) -> bool:
        """Whether the game came to its end."""
        return bool(self.row)


@dataclass(slots=True)
class Tally:
    """The sums of many games: of the rows and their squares, of the groups (those who took a choice, then those who
    declined it), the bins of the spreads with the least and the most number of each, and the games by mark."""

    games: int
    ended: int
    sums: list[int]
    squares: list[int]
    groups: list[int]
    bins: list[int]
    least: list[int]
    most: list[int]
    marks: list[int]

    @classmethod
    def empty(cls, columns: Columns) -> Tally:
        """Of no game."""
        width = len(columns.keys)
        groups, spreads = 2 * GROUP * len(columns.choices), len(SPREADS)
        return cls(
            0, 0, [0] * width, [0] * width, [0] * groups, [0] * (spreads * BINS), [NOTHING] * spreads,
            [-NOTHING] * spreads, [0] * columns.marks,
        )  # fmt: skip

    def count(self, game: Row) -> None:
        """Add one game."""
        self.games += 1
        for mark in game.reached:
            self.marks[mark] += 1
        if not game.finished:
            return
        self.ended += 1
        for at, value in enumerate(game.row):
            if value:
                self.sums[at] += value
                self.squares[at] += value * value
        for at, numbers in game.groups.items():
            for further, number in enumerate(numbers):
                self.groups[at + further] += number
        for spread, values in enumerate(game.spreads):
            for value in values:
                self.bins[spread * BINS + bin_of(value)] += 1
                self.least[spread] = min(self.least[spread], value)
                self.most[spread] = max(self.most[spread], value)

    def add(self, other: Tally) -> None:
        """Add the games of another one with the same columns."""
        self.games += other.games
        self.ended += other.ended
        for name in _ADDED:
            own, more = getattr(self, name), getattr(other, name)
            own[:] = map(int.__add__, own, more)
        self.least[:] = map(min, self.least, other.least)
        self.most[:] = map(max, self.most, other.most)

    def copy(self) -> Tally:
        """The same, to be added to."""
        return Tally(self.games, self.ended, **{name: getattr(self, name).copy() for name in (*_ADDED, *_ENDS)})

    def data(self) -> dict[str, Any]:
        """For JSON; `bins` are written as pairs of place and number, since most are 0."""
        sparse = [[at, number] for at, number in enumerate(self.bins) if number]
        return {name: getattr(self, name) for name in ("games", "ended", *_ADDED, *_ENDS)} | {"bins": sparse}

    @classmethod
    def read(cls, data: Any, columns: Columns) -> Tally:
        """From `data`; raises ValueError for what is none, or is of other columns."""
        made = cls.empty(columns)
        if not isinstance(data, dict) or set(data) != set(made.data()):
            raise ValueError(data)
        made.games, made.ended = _numbers([data["games"], data["ended"]], 2)
        for name in {*_ADDED, *_ENDS} - {"bins"}:
            setattr(made, name, _numbers(data[name], len(getattr(made, name))))
        for pair in data["bins"]:
            at, number = _numbers(pair, 2)
            if not 0 <= at < len(made.bins):
                raise ValueError(at)
            made.bins[at] = number
        return made


@dataclass(slots=True)
class Pairs:
    """The differences of pairs of games under the same seeds, of two arms: how many both finished, and for each column
    in common the sum of the differences (the second less the first) and of their squares."""

    games: int
    sums: list[int]
    squares: list[int]

    @classmethod
    def empty(cls, common: Sequence[tuple[int, int]]) -> Pairs:
        """Of no games, for so many columns."""
        return cls(0, [0] * len(common), [0] * len(common))

    def count(self, one: Row, other: Row, common: Sequence[tuple[int, int]]) -> None:
        """Add one pair; `common` are the columns that mean the same in both."""
        if not (one.finished and other.finished):
            return
        self.games += 1
        for at, (first, second) in enumerate(common):
            difference = other.row[second] - one.row[first]
            if difference:
                self.sums[at] += difference
                self.squares[at] += difference * difference

    def add(self, other: Pairs) -> None:
        """Add other pairs of the same two arms."""
        self.games += other.games
        self.sums[:] = map(int.__add__, self.sums, other.sums)
        self.squares[:] = map(int.__add__, self.squares, other.squares)

    def copy(self) -> Pairs:
        """The same, to be added to."""
        return Pairs(self.games, self.sums.copy(), self.squares.copy())

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return {"games": self.games, "sums": self.sums, "squares": self.squares}

    @classmethod
    def read(cls, data: Any, common: Sequence[tuple[int, int]]) -> Pairs:
        """From `data`; raises ValueError for what is none, or is of other columns."""
        if not isinstance(data, dict) or set(data) != {"games", "sums", "squares"}:
            raise ValueError(data)
        [games] = _numbers([data["games"]], 1)
        return cls(games, _numbers(data["sums"], len(common)), _numbers(data["squares"], len(common)))


def in_common(one: Columns, other: Columns) -> tuple[tuple[int, int], ...]:
    """The columns that mean the same in two sets of rules, as their numbers in each."""
    # Parts of a win must be equally large.
    if one.whole != other.whole:
        return ()
    return tuple((at, other.places[key]) for at, key in enumerate(one.keys) if key in other.places)


def _numbers(data: Any, length: int) -> list[int]:
    if not isinstance(data, list) or len(data) != length or not all(type(number) is int for number in data):
        raise ValueError(data)
    return list(data)
