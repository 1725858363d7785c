"""Metrics of a simulated game: a flat row of integers for each game, and the meaning of each number.

The columns depend only on the program. Every metric is computed from data of any backend: the cells of states, the
listed options, the chosen one, and the marks that a run reaches. So machine code can count the same numbers, and rows
from different backends can be added.

**Row of a finished game**, with these sections:

- `wins` (by seat): share of the win, in units of 1 / `win_parts` (least common multiple of 1 to seats);
- `won` (by seat): 1 for a winner;
- `drawn`, `shared`: 1 if there is no winner, or more than one;
- `length`: number of decisions;
- `entrant wins`, `entrant points`: like `wins` and `points`, by the bot's number in the list instead of the seat;
- `starts` (by seat): 1 for the seat that makes the first decision, unless that is simultaneous; `starter wins`,
  `starter won`, `starter points`, `starter origin`: like `wins` and so on, of that seat;
- with a score: `points` (by seat), `origin` (by seat and origin); with two or more seats also `gap` (points between the
  first two at the end), `changes` (how often another seat than the last sole leader takes the sole lead),
  `decided games` (1 if one seat wins), and `decided`: the number of decisions after which the winner leads alone for
  good, in thousandths of `length`, rounded down (1000 if the winner does not lead alone at the end, or if there is no
  single winner); `lead gap` and `lead right` (by part, of `PARTS` and one more): points between the first two after
  `length` * part // `PARTS` decisions, and 1 if one seat wins and leads alone then;
- `offered`, `taken`, `forced` (by choice): number of decisions at which it was listed, taken, and taken as the only
  option.

A **choice** is an option of a decision, or one value of its argument whose type is a sort of cards or an enumeration
(`nobody` is none); it is listed if an option with it is. A seat **leads** alone if all others have fewer points (more,
if `fewest` wins); this is tested before the first decision and after each one.

**Groups** (by choice): the seats that took a choice at least once in a game, and the seats that were offered it and
never took it: their number, the sum and the sum of squares of their shares of the win and of their points.

**Spreads**: histograms of some numbers of a game over the bins of `bin_of`, with minimum and maximum.

**Marks**: number of games, including unfinished ones, in which a run reached each mark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Any, Literal, NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import ORIGINS, score_width
from wongar_dsl.language.semantics import Model, Type

Measure = Literal[
    "wins", "won", "drawn", "shared", "length", "entrant wins", "entrant points", "points", "origin", "gap",
    "changes", "decided games", "decided", "lead gap", "lead right", "starts", "starter wins", "starter won",
    "starter points", "starter origin", "offered", "taken", "forced",
]  # fmt: skip
SpreadName = Literal["length", "points", "gap", "changes", "decided"]
SPREADS: tuple[SpreadName, ...] = ("length", "points", "gap", "changes", "decided")

#: Numbers stored for each of the two groups of a choice: count, shares of the win and squares, points and squares.
GROUP = 5
#: Numbers below `EXACT` have a bin each; above, each octave has `EXACT // 2` bins, up to `TOP`, where the last bin
#: takes the rest.
EXACT, OCTAVES = 64, 11
TOP = EXACT << OCTAVES
_SIDE = EXACT + OCTAVES * (EXACT // 2)
BINS = 2 * _SIDE
#: Number of parts of a game after which the lead is tested.
PARTS = 20
#: Argument types whose values are separate choices.
THINGS = ("cards", "enum")


class MetricKey(NamedTuple):
    """Meaning of a column; equal keys of two sets of rules mean the same.

    `measure` is the section. The other fields are empty or -1 if they do not apply: `seat` (the bot's number in the
    entrants' sections), `origin`, `decision`, `option`, `part` of the decisions, and, for one value of an argument,
    `parameter` and `thing`.
    """

    measure: Measure
    seat: int = -1
    origin: str = ""
    decision: str = ""
    option: str = ""
    parameter: str = ""
    thing: str = ""
    part: int = -1


@dataclass(frozen=True, slots=True)
class ChoiceMetric:
    """Option, or one value of one of its arguments: `thing` is the name of the value, and `number` its index."""

    decision: str
    option: str
    parameter: str = ""
    thing: str = ""
    type: Type | None = None
    number: int = 0


@dataclass(frozen=True)
class MetricColumns:
    """Columns of a program.

    `scores` are the addresses of the seats' points (empty without a score); those of the `origins` follow each. `slots`
    maps each decision and option to the index of its choice, and to its counted arguments: their position in the option
    as backends list it, and the index of the choice for their first value. `at_once` tells for each decision whether it
    is simultaneous.
    """

    seats: int
    scores: tuple[int, ...]
    origins: tuple[str, ...]
    fewest: bool
    choices: tuple[ChoiceMetric, ...]
    slots: tuple[tuple[tuple[int, tuple[tuple[int, int], ...]], ...], ...]
    at_once: tuple[bool, ...]
    marks: int

    @cached_property
    def win_parts(self) -> int:
        """Number of parts of a win."""
        return lcm(*range(1, self.seats + 1))

    @property
    def has_lead(self) -> bool:
        """True if a seat can lead."""
        return bool(self.scores) and self.seats > 1

    @cached_property
    def sections(self) -> dict[Measure, int]:
        """Start index of each section in a row."""
        starts: dict[Measure, int] = {}
        for index, key in enumerate(self.keys):
            starts.setdefault(key.measure, index)
        return starts

    @cached_property
    def keys(self) -> tuple[MetricKey, ...]:
        """Meaning of each number in a row."""
        return tuple(self._keys())

    @cached_property
    def places(self) -> dict[MetricKey, int]:
        """Index of each key in a row."""
        return {key: index for index, key in enumerate(self.keys)}

    def _keys(self) -> Iterator[MetricKey]:
        seats = range(self.seats)
        by_seat: list[Measure] = ["wins", "won", "entrant wins", "starts"]
        plain: list[Measure] = ["drawn", "shared", "length", "starter wins", "starter won"]
        if self.scores:
            by_seat += ["points", "entrant points"]
            plain.append("starter points")
        for measure in by_seat:
            yield from (MetricKey(measure, seat) for seat in seats)
        yield from map(MetricKey, plain)
        yield from (MetricKey("origin", seat, origin) for seat in seats for origin in self.origins)
        yield from (MetricKey("starter origin", -1, origin) for origin in self.origins)
        if self.has_lead:
            of_leads: tuple[Measure, ...] = ("gap", "changes", "decided games", "decided")
            yield from map(MetricKey, of_leads)
            by_part: tuple[Measure, ...] = ("lead gap", "lead right")
            for measure in by_part:
                yield from (MetricKey(measure, part=part) for part in range(PARTS + 1))
        counted: tuple[Measure, ...] = ("offered", "taken", "forced")
        for measure in counted:
            for choice in self.choices:
                yield MetricKey(measure, -1, "", choice.decision, choice.option, choice.parameter, choice.thing)


def columns(model: Model, program: ir.Program) -> MetricColumns:
    """Return the columns of a program, with names from its model."""
    score = program.score
    origins: tuple[str, ...] = ()
    if score is not None and score.width > score_width(0):
        origins = tuple(model.value_name(score.type, i) for i in range(score.width - ORIGINS))
    choices: list[ChoiceMetric] = []
    slots = []
    for decision in program.decisions:
        of_decision = []
        for option in decision.options:
            number, things = len(choices), []
            choices.append(ChoiceMetric(decision.name, option.name))
            for position, (name, kind) in enumerate(option.parameters, 1):
                if kind.kind in THINGS:
                    things.append((position, len(choices)))
                    values = range(model.size(kind, program.seats))
                    names = (model.value_name(kind, i) for i in values)
                    choices += (
                        ChoiceMetric(decision.name, option.name, name, thing, kind, i) for i, thing in enumerate(names)
                    )
            of_decision.append((number, tuple(things)))
        slots.append(tuple(of_decision))
    return MetricColumns(
        program.seats,
        tuple(score.at(p) for p in range(program.seats)) if score is not None else (),
        origins,
        program.fewest,
        tuple(choices),
        tuple(slots),
        tuple(decision.simultaneous for decision in program.decisions),
        len(program.marks),
    )


# ---- bins ----------------------------------------------------------------------------------------------------------


def bin_of(value: int) -> int:
    """Return the bin of a number; bins of negative numbers mirror the others."""
    return _SIDE - 1 - _place(-value - 1) if value < 0 else _SIDE + _place(value)


def _place(value: int) -> int:
    if value < EXACT:
        return value
    if value >= TOP:
        return _SIDE - 1
    octave = value.bit_length() - EXACT.bit_length()
    return EXACT + octave * (EXACT // 2) + ((value >> (octave + 1)) - EXACT // 2)


def bounds(number: int) -> tuple[int, int]:
    """Return the smallest and the largest number in a bin."""
    if number < _SIDE:
        low, high = _bounds(_SIDE - 1 - number)
        return -high - 1, -low - 1
    return _bounds(number - _SIDE)


def _bounds(place: int) -> tuple[int, int]:
    if place < EXACT:
        return place, place
    octave, part = divmod(place - EXACT, EXACT // 2)
    low = (part + EXACT // 2) << (octave + 1)
    return low, low + (1 << (octave + 1)) - 1


def quantile(bins: Sequence[int], numerator: int, denominator: int) -> int:
    """Return the smallest number of the bin that contains this quantile."""
    total = sum(bins)
    rank, seen = -(-total * numerator // denominator), 0
    for number, count in enumerate(bins):
        seen += count
        if count and seen >= rank:
            return bounds(number)[0]
    return 0


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
