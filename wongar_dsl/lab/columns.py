"""Which figures are counted in games of a program: a flat row of integers for each game, and what each number is.

The columns follow from the program alone, and every figure from what any backend has: the cells of states, the options
that are listed, the one that is taken, and the marks that a run comes to.  So machine code can count the very same
numbers, and rows from anywhere may be added.

**A game's row**, for a game that came to its end; each section has one number for each of its columns:

- `wins` (by seat): the share of the win, in parts of `whole` (the least common multiple of 1 to the number of seats);
- `won` (by seat): 1 for a winner;
- `drawn`, `shared`: 1 where nobody wins, where more than one does;
- `length`: how many decisions there were;
- `entrant wins`, `entrant points`: as `wins` and `points`, by the number of the bot in the list, not by the seat;
- `starts` (by seat): 1 for the seat that takes the first decision, unless that is made by all at once; `starter wins`,
  `starter won`, `starter points`, `starter origin`: as `wins` and so on, of that seat;
- with a score: `points` (by seat), `origin` (by seat and origin); with at least two seats also `gap` (between the first
  two at the end), `changes` (how often a seat came to lead alone that was not the last one to do so), `decided games`
  (1 where one seat wins), and `decided`: then, in thousandths of `length`, rounded down, the number of decisions
  after which the winner leads alone for good (`length` where it does not lead alone at the end, or there is none or
  more than one); `lead gap`
  and `lead right` (by part, of `PARTS` and one more): the points between the first two after `length` * part // `PARTS`
  decisions, and 1 where one seat wins and leads alone then;
- `offered`, `taken`, `forced` (by choice): decisions at which it was listed, taken, and taken with nothing else listed.

A **choice** is an option of a decision, or one value of an argument of it whose type is a sort of cards or an
enumeration (`nobody` is none); it is listed where an option with it is.  A seat **leads** alone where all others have
fewer points (more, where `fewest` wins); that is looked at before the first decision and after each.

**Groups** (by choice): of the seats that took a choice at least once in a game, and of those to which it was listed
and that never took it: their number, the sum and the sum of squares of their shares of the win and of their points.

**Spreads**: how often each of some numbers of a game lies in each bin (`bin_of`), with the least and the most.

**Marks**: in how many games, unfinished ones too, a run came to each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Literal, NamedTuple

from wongar_dsl import ir
from wongar_dsl.ir.containers import ORIGINS, score_width
from wongar_dsl.model import Model, Type

Measure = Literal[
    "wins", "won", "drawn", "shared", "length", "entrant wins", "entrant points", "points", "origin", "gap",
    "changes", "decided games", "decided", "lead gap", "lead right", "starts", "starter wins", "starter won",
    "starter points", "starter origin", "offered", "taken", "forced",
]  # fmt: skip
SpreadName = Literal["length", "points", "gap", "changes", "decided"]
SPREADS: tuple[SpreadName, ...] = ("length", "points", "gap", "changes", "decided")

#: The numbers kept of each of two groups of a choice: how many, shares of the win and their squares, points and theirs.
GROUP = 5
#: Numbers up to `EXACT` have a bin each; above, each doubling has half as many, up to `TOP`, where all else is.
EXACT, OCTAVES = 64, 11
TOP = EXACT << OCTAVES
_SIDE = EXACT + OCTAVES * (EXACT // 2)
BINS = 2 * _SIDE
#: In so many parts a game is looked at for who leads.
PARTS = 20
#: Types of arguments whose values are choices of their own.
THINGS = ("cards", "enum")


class Key(NamedTuple):
    """What a column is about: equal keys of two sets of rules mean the same.

    `measure` is the section; the rest is empty, or -1, where it does not matter: `seat` (of the entrants' sections, the
    number of the bot), `origin`, `decision`, `option` and, for one value of an argument, `parameter` and `thing`, and
    `part` of the decisions.
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
class Choice:
    """An option, or one value of one of its arguments: `thing` is the value's name, and `number` its number."""

    decision: str
    option: str
    parameter: str = ""
    thing: str = ""
    type: Type | None = None
    number: int = 0


@dataclass(frozen=True)
class Columns:
    """The columns of a program.

    `scores` are the addresses of the seats' points (empty without a score), behind each of which stand those of the
    `origins`.  `slots` says for each decision and option the number of its choice, and for each of its arguments that
    count where it stands in the option as backends list it, and the number of the choice of its first value.
    `at_once` says of each decision whether all make it at once.
    """

    seats: int
    scores: tuple[int, ...]
    origins: tuple[str, ...]
    fewest: bool
    choices: tuple[Choice, ...]
    slots: tuple[tuple[tuple[int, tuple[tuple[int, int], ...]], ...], ...]
    at_once: tuple[bool, ...]
    marks: int

    @cached_property
    def whole(self) -> int:
        """Of so many parts is a win."""
        return lcm(*range(1, self.seats + 1))

    @property
    def leads(self) -> bool:
        """Whether somebody can lead."""
        return bool(self.scores) and self.seats > 1

    @cached_property
    def sections(self) -> dict[Measure, int]:
        """Where in a row each section begins."""
        starts: dict[Measure, int] = {}
        for at, key in enumerate(self.keys):
            starts.setdefault(key.measure, at)
        return starts

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """What each number of a row is about."""
        return tuple(self._keys())

    @cached_property
    def places(self) -> dict[Key, int]:
        """Where in a row what is counted of something stands."""
        return {key: at for at, key in enumerate(self.keys)}

    def _keys(self) -> Iterator[Key]:
        seats = range(self.seats)
        by_seat: list[Measure] = ["wins", "won", "entrant wins", "starts"]
        plain: list[Measure] = ["drawn", "shared", "length", "starter wins", "starter won"]
        if self.scores:
            by_seat += ["points", "entrant points"]
            plain.append("starter points")
        for measure in by_seat:
            yield from (Key(measure, seat) for seat in seats)
        yield from map(Key, plain)
        yield from (Key("origin", seat, origin) for seat in seats for origin in self.origins)
        yield from (Key("starter origin", -1, origin) for origin in self.origins)
        if self.leads:
            of_leads: tuple[Measure, ...] = ("gap", "changes", "decided games", "decided")
            yield from map(Key, of_leads)
            by_part: tuple[Measure, ...] = ("lead gap", "lead right")
            for measure in by_part:
                yield from (Key(measure, part=part) for part in range(PARTS + 1))
        counted: tuple[Measure, ...] = ("offered", "taken", "forced")
        for measure in counted:
            for choice in self.choices:
                yield Key(measure, -1, "", choice.decision, choice.option, choice.parameter, choice.thing)


def columns(model: Model, program: ir.Program) -> Columns:
    """The columns of a program, with the names that its model has for things."""
    score = program.score
    origins: tuple[str, ...] = ()
    if score is not None and score.width > score_width(0):
        origins = tuple(model.value_name(score.type, i) for i in range(score.width - ORIGINS))
    choices: list[Choice] = []
    slots = []
    for decision in program.decisions:
        of_decision = []
        for option in decision.options:
            number, things = len(choices), []
            choices.append(Choice(decision.name, option.name))
            for at, (name, kind) in enumerate(option.parameters, 1):
                if kind.kind in THINGS:
                    things.append((at, len(choices)))
                    values = range(model.size(kind, program.seats))
                    names = (model.value_name(kind, i) for i in values)
                    choices += (
                        Choice(decision.name, option.name, name, thing, kind, i) for i, thing in enumerate(names)
                    )
            of_decision.append((number, tuple(things)))
        slots.append(tuple(of_decision))
    return Columns(
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
    """The bin of a number; those of negative ones mirror the others."""
    return _SIDE - 1 - _place(-value - 1) if value < 0 else _SIDE + _place(value)


def _place(value: int) -> int:
    if value < EXACT:
        return value
    if value >= TOP:
        return _SIDE - 1
    octave = value.bit_length() - EXACT.bit_length()
    return EXACT + octave * (EXACT // 2) + ((value >> (octave + 1)) - EXACT // 2)


def bounds(number: int) -> tuple[int, int]:
    """The least and the greatest number that a bin is for."""
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
    """The number that such a part of all in the bins does not exceed: of its bin the least."""
    total = sum(bins)
    wanted, seen = -(-total * numerator // denominator), 0
    for number, count in enumerate(bins):
        seen += count
        if count and seen >= wanted:
            return bounds(number)[0]
    return 0
