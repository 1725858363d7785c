"""Accumulators over games: additive and integer, so that the result does not depend on how games were divided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wongar_dsl.lab.statistics.metrics import BINS, GROUP, SPREADS, MetricColumns, bin_of

#: Minimum and (negated) maximum of an empty set.
NOTHING = 1 << 62
#: Lists of a tally: those that are added, and the minima and maxima of the spreads.
_ADDED, _ENDS = ("sums", "squares", "groups", "bins", "marks"), ("least", "most")


@dataclass(frozen=True, slots=True)
class GameRow:
    """Metrics of one game; see `metrics`.

    `row` and `groups` are empty for an unfinished game; `spreads` are the values for each distribution; `reached` are
    the marks reached, and `length` is the number of decisions.
    """

    length: int
    row: Sequence[int]
    groups: Mapping[int, Sequence[int]]
    spreads: Sequence[Sequence[int]]
    reached: Sequence[int]

    @property
    def finished(self) -> bool:
        """True if the game reached its end."""
        return bool(self.row)


@dataclass(slots=True)
class Tally:
    """Sums over many games.

    It sums the rows, their squares, and the groups (first the players who took a choice, then those who declined it).
    It also has the histograms of the spreads with minimum and maximum, and the number of games by mark.
    """

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
    def empty(cls, columns: MetricColumns) -> Tally:
        """Return the tally of no games."""
        width = len(columns.keys)
        groups, spreads = 2 * GROUP * len(columns.choices), len(SPREADS)
        return cls(
            0, 0, [0] * width, [0] * width, [0] * groups, [0] * (spreads * BINS), [NOTHING] * spreads,
            [-NOTHING] * spreads, [0] * columns.marks,
        )  # fmt: skip

    def count(self, game: GameRow) -> None:
        """Add one game."""
        self.games += 1
        for mark in game.reached:
            self.marks[mark] += 1
        if not game.finished:
            return
        self.ended += 1
        for index, value in enumerate(game.row):
            if value:
                self.sums[index] += value
                self.squares[index] += value * value
        for index, numbers in game.groups.items():
            for further, number in enumerate(numbers):
                self.groups[index + further] += number
        for spread, values in enumerate(game.spreads):
            for value in values:
                self.bins[spread * BINS + bin_of(value)] += 1
                self.least[spread] = min(self.least[spread], value)
                self.most[spread] = max(self.most[spread], value)

    def add(self, other: Tally) -> None:
        """Add another tally with the same columns."""
        self.games += other.games
        self.ended += other.ended
        for name in _ADDED:
            sums, more = getattr(self, name), getattr(other, name)
            sums[:] = map(int.__add__, sums, more)
        self.least[:] = map(min, self.least, other.least)
        self.most[:] = map(max, self.most, other.most)

    def copy(self) -> Tally:
        """Return an independent copy."""
        return Tally(self.games, self.ended, **{name: getattr(self, name).copy() for name in (*_ADDED, *_ENDS)})

    def data(self) -> dict[str, Any]:
        """Return the tally as JSON data; `bins` are (index, count) pairs, since most are 0."""
        sparse = [[index, number] for index, number in enumerate(self.bins) if number]
        return {name: getattr(self, name) for name in ("games", "ended", *_ADDED, *_ENDS)} | {"bins": sparse}

    @classmethod
    def read(cls, data: Any, columns: MetricColumns) -> Tally:
        """Return the tally from `data`; raise ValueError if it is invalid or has other columns."""
        tally = cls.empty(columns)
        if not isinstance(data, dict) or set(data) != set(tally.data()):
            raise ValueError(data)
        tally.games, tally.ended = _numbers([data["games"], data["ended"]], 2)
        for name in {*_ADDED, *_ENDS} - {"bins"}:
            setattr(tally, name, _numbers(data[name], len(getattr(tally, name))))
        for pair in data["bins"]:
            index, number = _numbers(pair, 2)
            if not 0 <= index < len(tally.bins):
                raise ValueError(index)
            tally.bins[index] = number
        return tally


@dataclass(slots=True)
class PairSums:
    """Paired differences of two arms under the same seeds.

    `games` counts the games that both finished. For each common column there is the sum of the differences (second
    minus first) and of their squares.
    """

    games: int
    sums: list[int]
    squares: list[int]

    @classmethod
    def empty(cls, common: Sequence[tuple[int, int]]) -> PairSums:
        """Return the differences of no games."""
        return cls(0, [0] * len(common), [0] * len(common))

    def count(self, one: GameRow, other: GameRow, common: Sequence[tuple[int, int]]) -> None:
        """Add one pair of games; `common` lists the columns that mean the same in both."""
        if not (one.finished and other.finished):
            return
        self.games += 1
        for index, (first, second) in enumerate(common):
            difference = other.row[second] - one.row[first]
            if difference:
                self.sums[index] += difference
                self.squares[index] += difference * difference

    def add(self, other: PairSums) -> None:
        """Add other pairs of the same two arms."""
        self.games += other.games
        self.sums[:] = map(int.__add__, self.sums, other.sums)
        self.squares[:] = map(int.__add__, self.squares, other.squares)

    def copy(self) -> PairSums:
        """Return an independent copy."""
        return PairSums(self.games, self.sums.copy(), self.squares.copy())

    def data(self) -> dict[str, Any]:
        """Return the differences as JSON data."""
        return {"games": self.games, "sums": self.sums, "squares": self.squares}

    @classmethod
    def read(cls, data: Any, common: Sequence[tuple[int, int]]) -> PairSums:
        """Return the differences from `data`; raise ValueError if it is invalid or has other columns."""
        if not isinstance(data, dict) or set(data) != {"games", "sums", "squares"}:
            raise ValueError(data)
        [games] = _numbers([data["games"]], 1)
        return cls(games, _numbers(data["sums"], len(common)), _numbers(data["squares"], len(common)))


def common_columns(one: MetricColumns, other: MetricColumns) -> tuple[tuple[int, int], ...]:
    """Return the columns that mean the same in two sets of rules, as pairs of indices."""
    # The parts of a win must have the same size.
    if one.win_parts != other.win_parts:
        return ()
    return tuple((index, other.places[key]) for index, key in enumerate(one.keys) if key in other.places)


def _numbers(data: Any, length: int) -> list[int]:
    if not isinstance(data, list) or len(data) != length or not all(type(number) is int for number in data):
        raise ValueError(data)
    return list(data)
