"""Data model of a simulation report: values only, to be worded, drawn or exported.

A report has arms: sets of rules, with their settings, that were played with the same seeds. There is normally one arm;
`--vs` makes two, a sweep one for each value of a setting. Names (of a decision, an option, a card, an origin, a
declaration) are those of the rules, which catalogs can translate. Seats count from 0.

Win shares: a whole win is 1, winners share it, and a game without a winner gives 0 to all. Figures cover finished
games; only `ArmReport.games`, `ArmReport.unfinished` and the declarations count all games. Intervals have 95 %
confidence (`CONFIDENCE`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wongar_dsl.lab.statistics.inference import CONFIDENCE, DifferenceEstimate, Estimate
from wongar_dsl.lab.statistics.metrics import Measure, MetricKey
from wongar_dsl.language.semantics import Type

__all__ = [
    "CONFIDENCE",
    "ArmReport",
    "ArticleFigures",
    "BotFigures",
    "ChoiceFigures",
    "ChoiceGroup",
    "ComparedFigure",
    "Comparison",
    "DifferenceEstimate",
    "Estimate",
    "HistogramBin",
    "Lead",
    "LeadHistory",
    "LineFigures",
    "Measure",
    "MetricKey",
    "OriginFigures",
    "Report",
    "SeatFigures",
    "Spread",
    "Sweep",
]


@dataclass(frozen=True, slots=True)
class HistogramBin:
    """Number of games with a value from `low` to `high`, inclusive."""

    low: int
    high: int
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Distribution of a number of each game.

    `quartiles` are exact up to 63, and to one part in 32 above. `bins` are in order, without empty ones at both ends.
    """

    mean: Estimate
    deviation: float
    least: int
    most: int
    quartiles: tuple[int, int, int]
    bins: tuple[HistogramBin, ...]


@dataclass(frozen=True, slots=True)
class OriginFigures:
    """Points of a seat from one origin."""

    origin: str
    points: Estimate


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """Figures of a seat, or, for seat -1, of the starter of each game.

    `won` counts games won alone or shared; `points` is None if no points are counted.
    """

    seat: int
    wins: Estimate
    won: int
    points: Estimate | None
    origins: tuple[OriginFigures, ...]


@dataclass(frozen=True, slots=True)
class BotFigures:
    """Figures of a bot that rotated over the seats; `number` is its index in the list."""

    number: int
    bot: str
    wins: Estimate
    points: Estimate | None


@dataclass(frozen=True, slots=True)
class Lead:
    """Lead after `part` thousandths of the decisions.

    `gap` is the difference in points between the first two; `right` the share of the games with one winner in which
    that winner led alone.
    """

    part: int
    gap: Estimate
    right: Estimate


@dataclass(frozen=True, slots=True)
class LeadHistory:
    """Closeness of games with points, and when they were decided.

    `gap`: points between the first two at the end. `changes`: how often a new sole leader emerged; a leader who is
    caught up with and moves ahead again is not new. `decided`: thousandths of the decisions after which the winner led
    alone for good (1000: at the very end or never), in the `decided_games` with one winner. `lead` has entries for 0,
    5, ... 100 % of the decisions. Everything is None or empty if no points are counted.
    """

    gap: Spread | None
    changes: Spread | None
    decided: Spread | None
    decided_games: int
    lead: tuple[Lead, ...]


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Results of the players who did something in a game.

    `players` counts each once per game; the win share and points are None without players, or if no points are counted.
    """

    players: int
    wins: Estimate | None
    points: Estimate | None


@dataclass(frozen=True, slots=True)
class ChoiceFigures:
    """Figures of an option, or of one value of its argument.

    `thing` is that value, with index `number` of `type`; it is empty for the option itself. `offered` and `taken` count
    decisions, `forced` those at which it was the only option. `took` are the players who took it at least once in a
    game, `declined` those who were offered it and never did. `wins` and `points` are the differences between these
    groups: a correlation, not a cause, as players who take an option may have been better off before. They are None if
    a group is too small.
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
    took: ChoiceGroup
    declined: ChoiceGroup
    wins: DifferenceEstimate | None
    points: DifferenceEstimate | None


@dataclass(frozen=True, slots=True)
class LineFigures:
    """Coverage of a line of a rule file on which steps begin.

    `games` counts the games that reached all steps of the line, `share` is their share.
    """

    line: int
    text: str
    games: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class ArticleFigures:
    """Coverage of the part of a declaration in one file.

    `line` is its first line, `games` counts the games that reached it. `lines` counts its executable lines, `missed`
    has the ranges (first, last) that were never reached, and `steps` the figures of each line.
    """

    keyword: str
    name: str
    file: str
    line: int
    games: int
    lines: int
    missed: tuple[tuple[int, int], ...]
    steps: tuple[LineFigures, ...]


@dataclass(frozen=True, slots=True)
class ArmReport:
    """Results of one arm.

    `rules` is the requested name, `name` the full name (`game/variant`). `bots` are those of the seats, or, if they
    `rotate`, those that take each seat in turn, with `entrants` for the figures of each (empty if all are equal).
    `starter` makes the first decision, None if it is simultaneous; `first` is the seat that always does, None if it
    varies. `drawn` games have no winner, `shared` ones several. `scored`: points are counted; `fewest`: the fewest
    points win. `choices` are all options in program order, each followed by the values of its arguments.
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
    lead_history: LeadHistory
    choices: tuple[ChoiceFigures, ...]
    articles: tuple[ArticleFigures, ...]


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """Figure in two arms, and its difference in the games that both finished.

    `main` marks win shares, which matter most. They are corrected for multiple comparisons among themselves, all other
    figures likewise; in a sweep, over all arms together.
    """

    key: MetricKey
    before: float
    after: float
    effect: DifferenceEstimate
    main: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of two arms, game by game with the same seeds.

    `before` and `after` index `Report.arms`; `games` counts the games that both finished. Figures that are equal in all
    games are left out. `only_before` and `only_after` are figures that the other set of rules does not have.
    """

    before: int
    after: int
    games: int
    figures: tuple[ComparedFigure, ...]
    only_before: tuple[MetricKey, ...]
    only_after: tuple[MetricKey, ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Swept setting: its type, and its value in each arm.

    `baseline` is the index of the arm with the rules' default value if it is included, else that of the first.
    """

    option: str
    type: Type
    values: tuple[int, ...]
    baseline: int


@dataclass(frozen=True, slots=True)
class Report:
    """Complete report.

    `requested` is the number of games per arm, or the maximum if `until` (half the widest interval of a win share) ends
    the run; `stopped`: the user stopped it earlier.
    """

    arms: tuple[ArmReport, ...]
    comparisons: tuple[Comparison, ...]
    sweep: Sweep | None
    requested: int
    until: float | None
    stopped: bool
