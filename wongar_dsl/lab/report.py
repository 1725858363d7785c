"""What a report tells: values only, for whoever says them in words, draws them or writes them as data.

A report has arms: sets of rules, with their settings, that were played under the same seeds.  One arm is the plain
case; `--vs` makes two, a sweep one for each value of an option.  Whatever has a name has the one of the rules (of a
decision, an option, a card, an origin, an article), which catalogs know.  Seats count from 0.

Shares of a win: a whole win is 1, winners share it, and nobody gets any of a game that nobody wins.  All figures are
of games that came to their end; only `Findings.games`, `Findings.unfinished` and articles count all that were played.
Intervals hold with 95 % (`CONFIDENCE`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wongar_dsl.lab.columns import Key, Measure
from wongar_dsl.lab.inference import CONFIDENCE, Effect, Estimate
from wongar_dsl.model import Type

__all__ = [
    "CONFIDENCE", "ArticleFigures", "Bin", "BotFigures", "ChoiceFigures", "Compared", "Comparison", "Course", "Effect",
    "Estimate", "Findings", "Group", "Key", "Lead", "LineFigures", "Measure", "OriginFigures", "Report", "SeatFigures",
    "Spread", "Sweep",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bin:
    """How many games have a number from `low` to `high`, both included."""

    low: int
    high: int
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How a number of each game is spread.

    `quartiles` are the three numbers that a quarter, half and three quarters of the games do not exceed: exact up to
    63, and to one part in 32 above that.  `bins` are in order, without empty ones at both ends.
    """

    mean: Estimate
    deviation: float
    least: int
    most: int
    quartiles: tuple[int, int, int]
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class OriginFigures:
    """The points of a seat that come from one origin."""

    origin: str
    points: Estimate


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """A seat, or, as seat -1, whoever takes the first decision of a game: the share of the wins, how many games it won
    (alone or with others), and its points by origin; None where no points are counted."""

    seat: int
    wins: Estimate
    won: int
    points: Estimate | None
    origins: tuple[OriginFigures, ...]


@dataclass(frozen=True, slots=True)
class BotFigures:
    """One of the bots that went round the seats: its number in the list, its name, and what it came to."""

    number: int
    bot: str
    wins: Estimate
    points: Estimate | None


@dataclass(frozen=True, slots=True)
class Lead:
    """After so many thousandths of the decisions: the points between the first two, and in which share of the games
    with one winner that winner led alone."""

    part: int
    gap: Estimate
    right: Estimate


@dataclass(frozen=True, slots=True)
class Course:
    """How close games with points were, and when they were decided.

    `gap`: points between the first two at the end.  `changes`: how often somebody else came to lead alone; who is
    caught up with and goes ahead again leads on.  `decided`: after how many thousandths of its decisions the winner
    led alone for good (1000: not before the end, or never); only games with one winner count, `decided_games`.
    `lead` is told for 0, 5, ... 100 % of the decisions; all of it is None or empty where no points are counted.
    """

    gap: Spread | None
    changes: Spread | None
    decided: Spread | None
    decided_games: int
    lead: tuple[Lead, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """What became of players who did something in a game: how many there were, counted once a game, their share of
    the wins and their points; None where there were none, or no points are counted."""

    players: int
    wins: Estimate | None
    points: Estimate | None


@dataclass(frozen=True, slots=True)
class ChoiceFigures:
    """An option, or one value of an argument of it (`thing`, number `number` of `type`; empty for the option itself).

    `offered` and `taken` are numbers of decisions, `forced` those at which it was taken and nothing else was there.
    `took` are players who took it at least once in a game, `declined` those who were offered it and never did.
    `wins` and `points` are how much more those had who took it; who takes something may be better off before, so
    this is what goes together, not what causes what.  None where one of the groups is too small to say.
    """

    decision: str
    option: str
    parameter: str
    thing: str
    type: Type | None
    number: int
    offered: int
    taken: int
    forced: int
    took: Group
    declined: Group
    wins: Effect | None
    points: Effect | None


@dataclass(frozen=True, slots=True)
class LineFigures:
    """A line of a rule file on which steps begin: its number, its text without indentation, and in how many games all
    of these steps were reached, also as a share of the games."""

    line: int
    text: str
    games: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class ArticleFigures:
    """What stands in a file of an article of the rules that says what is done: its keyword and name, the file and the
    line where it begins there, in how many games it was come to, and which of its `lines` lines never were (first and
    last of each stretch).  `steps` has these lines one by one."""

    keyword: str
    name: str
    file: str
    line: int
    games: int
    lines: int
    missed: tuple[tuple[int, int], ...]
    steps: tuple[LineFigures, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found out about one arm.

    `rules` is what was asked for, `name` what the rules are called (`game/variant`); `bots` are those of the seats, or,
    where they `rotate`, those that sit on each seat in turn, with `entrants` what each came to (empty where all are
    alike).  `starter` is who takes the first decision, None where all make it at once, and `first` the seat that always
    does, None where that changes.  `drawn` games have no winner, `shared` more than one.  `scored`: points are counted;
    `fewest`: who has the fewest of them wins.  `choices` are all options in the order of the program, each with the
    values of its arguments behind it.
    """

    rules: str
    name: str
    settings: Mapping[str, int]
    bots: tuple[str, ...]
    rotate: bool
    seed: int
    games: int
    unfinished: int
    drawn: int
    shared: int
    scored: bool
    fewest: bool
    seats: tuple[SeatFigures, ...]
    starter: SeatFigures | None
    first: int | None
    entrants: tuple[BotFigures, ...]
    length: Spread | None
    points: Spread | None
    course: Course
    choices: tuple[ChoiceFigures, ...]
    articles: tuple[ArticleFigures, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of two arms: what it is in each, and by how much it differs in the games that both finished.

    `main`: it is a share of wins, which is what counts first.  Those are corrected for their number only, and all
    others for theirs; of a sweep those of all arms together.
    """

    key: Key
    before: float
    after: float
    effect: Effect
    main: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two arms, game by game under the same seeds: numbers into `Report.arms`, how many games both finished, and what
    differs or might: what is the same in all games is left out.  `only_before` and `only_after` are figures that the
    other set of rules does not have."""

    before: int
    after: int
    games: int
    figures: tuple[Compared, ...]
    only_before: tuple[Key, ...]
    only_after: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Which option was gone through: its type and its value in each arm; `usual` is the arm that the others are
    compared with, the one of the rules' own value if it is among them, else the first."""

    option: str
    type: Type
    values: tuple[int, ...]
    usual: int


@dataclass(frozen=True, slots=True)
class Report:
    """All of it.  `asked` is how many games were wanted of each arm, at most so many where `until` told when to stop
    (half of the widest interval of a share of wins); `stopped`: somebody stopped it before that."""

    arms: tuple[Findings, ...]
    comparisons: tuple[Comparison, ...]
    sweep: Sweep | None
    asked: int
    until: float | None
    stopped: bool
