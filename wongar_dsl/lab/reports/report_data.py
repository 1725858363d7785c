"""Data model of a simulation report: values only, to be worded, drawn or exported; and how they follow from the sums.

A report has arms: sets of rules, with their settings, that were played with the same seeds. There is normally one arm;
`--vs` makes two, a sweep one for each value of a setting. Names (of a decision, an option, a card, an origin, a
declaration) are those of the rules, which catalogs can translate. Seats count from 0.

Win shares: a whole win is 1, winners share it, and a game without a winner gives 0 to all. Figures cover finished
games; only `ArmReport.games`, `ArmReport.unfinished` and the declarations count all games. Intervals have 95 %
confidence (`inference.CONFIDENCE`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from wongar_dsl.engine.rule_cases import coverage
from wongar_dsl.lab import inference
from wongar_dsl.lab.inference import DifferenceEstimate, Estimate
from wongar_dsl.lab.metrics import (
    BINS,
    GROUP,
    PARTS,
    SPREADS,
    Measure,
    MetricColumns,
    MetricKey,
    SpreadName,
    Tally,
    bounds,
    quantile,
)
from wongar_dsl.lab.runner import SimulationRun
from wongar_dsl.lab.simulator import SimulationResult, Simulator
from wongar_dsl.language.semantics import Type


@dataclass(frozen=True, slots=True)
class HistogramBin:
    """Number of games with a value from `low` to `high`, inclusive; fractional where a bin was split evenly."""

    low: int
    high: int
    count: float


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


#: Minimum size of a group to be compared.
MIN_GROUP_SIZE = 30


def build_report(run: SimulationRun, sweep: Sweep | None = None, stopped: bool = False) -> Report:
    """Return the report of the games played so far in a run."""
    sums = run.totals.whole
    arms = tuple(_arm_report(run.simulator, arm, tally) for arm, tally in enumerate(sums.tallies))
    return Report(arms, compare_arms(run.simulator, sums), sweep, run.requested, run.until, stopped)


@dataclass(frozen=True, slots=True)
class _ArmSums:
    """Sums of an arm, accessed by measure."""

    columns: MetricColumns
    tally: Tally

    def of(self, measure: Measure, offset: int = 0) -> int:
        """Return the sum of a measure, `offset` columns after its first."""
        return self.tally.sums[self.columns.sections[measure] + offset]

    def squares(self, measure: Measure, offset: int = 0) -> int:
        """Return a sum of squares."""
        return self.tally.squares[self.columns.sections[measure] + offset]

    def mean(self, measure: Measure, offset: int = 0, count: int | None = None) -> Estimate:
        """Return the mean over all finished games, or over `count`."""
        number = self.tally.ended if count is None else count
        return inference.mean(self.of(measure, offset), self.squares(measure, offset), number)

    def share(self, measure: Measure, offset: int = 0, count: int | None = None) -> Estimate:
        """Return a win share."""
        number = self.tally.ended if count is None else count
        return inference.share(self.of(measure, offset), self.columns.win_parts, number)


def _arm_report(simulator: Simulator, at: int, tally: Tally) -> ArmReport:
    plan, columns, rules = simulator.plan, simulator.columns[at], simulator.rules[at]
    sums = _ArmSums(columns, tally)
    scored, seats = bool(columns.scores), range(columns.seats)
    width = len(columns.origins)
    starts = [sums.of("starts", seat) for seat in seats]
    starter = None
    if sum(starts):
        starter = SeatFigures(
            -1,
            sums.share("starter wins", count=sum(starts)),
            sums.of("starter won"),
            sums.mean("starter points", count=sum(starts)) if scored else None,
            tuple(
                OriginFigures(origin, sums.mean("starter origin", o, sum(starts)))
                for o, origin in enumerate(columns.origins)
            ),
        )
    different = len(set(plan.bots)) > 1
    return ArmReport(
        plan.arms[at].rules,
        rules.name,
        dict(plan.arms[at].settings),
        plan.bots,
        plan.rotate,
        plan.seed,
        tally.games,
        tally.games - tally.ended,
        sums.of("drawn"),
        sums.of("shared"),
        scored,
        columns.fewest,
        tuple(
            SeatFigures(
                seat,
                sums.share("wins", seat),
                sums.of("won", seat),
                sums.mean("points", seat) if scored else None,
                tuple(
                    OriginFigures(origin, sums.mean("origin", seat * width + o))
                    for o, origin in enumerate(columns.origins)
                ),
            )
            for seat in seats
        ),
        starter,
        next((seat for seat in seats if starts[seat] == tally.ended > 0), None),
        tuple(
            BotFigures(
                number,
                bot,
                sums.share("entrant wins", number),
                sums.mean("entrant points", number) if scored else None,
            )
            for number, bot in enumerate(plan.bots)
            if plan.rotate and different
        ),
        _of_games(sums, "length"),
        _points(sums) if scored else None,
        _lead_history(sums),
        tuple(_choices(sums)),
        tuple(_articles(simulator, at, tally)),
    )


def _spread(tally: Tally, name: SpreadName, total: int, squares: int, count: int) -> Spread | None:
    """Return a distribution of `count` numbers with this sum and sum of squares; None without numbers."""
    index = SPREADS.index(name)
    bins = tally.bins[index * BINS : (index + 1) * BINS]
    if not count:
        return None
    places = [number for number, games in enumerate(bins) if games]
    shown = range(places[0], places[-1] + 1)
    least, most = tally.least[index], tally.most[index]
    quarter, half, rest = (max(least, quantile(bins, part, 4)) for part in (1, 2, 3))
    mean, deviation = inference.mean(total, squares, count), inference.standard_deviation(total, squares, count)
    return Spread(
        mean, deviation, least, most, (quarter, half, rest), tuple(HistogramBin(*bounds(n), bins[n]) for n in shown)
    )


def _of_games(sums: _ArmSums, name: Literal["length", "gap", "changes"]) -> Spread | None:
    """Return the distribution of one number of each game that is also a column."""
    return _spread(sums.tally, name, sums.of(name), sums.squares(name), sums.tally.ended)


def _points(sums: _ArmSums) -> Spread | None:
    """Return the distribution of the points of all seats together."""
    seats = range(sums.columns.seats)
    total, squares = (sum(part("points", seat) for seat in seats) for part in (sums.of, sums.squares))
    count = sums.tally.ended * len(seats)
    return _spread(sums.tally, "points", total, squares, count)


def _lead_history(sums: _ArmSums) -> LeadHistory:
    if not sums.columns.has_lead:
        return LeadHistory(None, None, None, 0, ())
    tally, decided = sums.tally, sums.of("decided games")
    # A game without a single winner counts as decided after 1000 thousandths in the row.
    rest = tally.ended - decided
    total, squares = sums.of("decided") - 1000 * rest, sums.squares("decided") - 1_000_000 * rest
    lead = tuple(
        Lead(
            1000 * part // PARTS,
            sums.mean("lead gap", part),
            inference.share(sums.of("lead right", part), 1, decided),
        )
        for part in range(PARTS + 1)
    )
    return LeadHistory(
        _of_games(sums, "gap"),
        _of_games(sums, "changes"),
        _spread(tally, "decided", total, squares, decided),
        decided,
        lead if tally.ended else (),
    )


# ---- choices -------------------------------------------------------------------------------------------------------


def _choices(sums: _ArmSums) -> Iterator[ChoiceFigures]:
    columns = sums.columns
    # The sums of the players who took a choice precede those of the players who declined it.
    parts = [sums.tally.groups[start : start + GROUP] for start in range(0, len(sums.tally.groups), GROUP)]
    groups = list(zip(parts[::2], parts[1::2], strict=True))
    wins = _corrected([_group_difference(two, 1, columns.win_parts) for two in groups])
    points = _corrected([_group_difference(two, 3, 1) if columns.scores else None for two in groups])
    for number, (choice, (took, declined)) in enumerate(zip(columns.choices, groups, strict=True)):
        yield ChoiceFigures(
            choice.decision,
            choice.option,
            choice.parameter,
            choice.thing,
            choice.type,
            choice.number,
            sums.of("offered", number),
            sums.of("taken", number),
            sums.of("forced", number),
            _group(columns, took),
            _group(columns, declined),
            wins[number],
            points[number],
        )


def _group(columns: MetricColumns, numbers: Sequence[int]) -> ChoiceGroup:
    players, wins, _, points, squares = numbers
    if not players:
        return ChoiceGroup(0, None, None)
    scored = inference.mean(points, squares, players) if columns.scores else None
    return ChoiceGroup(players, inference.share(wins, columns.win_parts, players), scored)


def _group_difference(two: tuple[Sequence[int], Sequence[int]], at: int, whole: int) -> DifferenceEstimate | None:
    """Return the difference between the players who took a choice and those who declined it.

    `at` is the index of the sum. None if a group is too small.
    """
    took, declined = ((numbers[0], numbers[at], numbers[at + 1]) for numbers in two)
    if min(took[0], declined[0]) < MIN_GROUP_SIZE:
        return None
    return inference.mean_difference(declined, took, whole)


def _corrected(effects: Sequence[DifferenceEstimate | None]) -> list[DifferenceEstimate | None]:
    """Return the effects with Holm's correction."""
    corrected = iter(inference.holm_corrected([effect for effect in effects if effect is not None]))
    return [next(corrected) if effect is not None else None for effect in effects]


# ---- declarations --------------------------------------------------------------------------------------------------


def _articles(simulator: Simulator, at: int, tally: Tally) -> Iterator[ArticleFigures]:
    rules, program = simulator.rules[at], simulator.marked[at].program
    games: dict[coverage.RulePosition, int] = {}
    for span, number in zip(program.marks, tally.marks, strict=True):
        position = coverage.mark_position(span)
        games[position] = max(number, games.get(position, 0))
    covered = {position for position, number in games.items() if number}
    for source in rules.sources:
        for part in coverage.covered_parts(rules.model, source, covered):
            article, text = part.article, source.text.split("\n")
            in_source = article.span.source.text == source.text
            games_by_line = {
                line: [games.get(position, 0) for position in positions] for line, positions in part.positions.items()
            }
            yield ArticleFigures(
                article.keyword,
                article.name.text,
                source.name,
                article.span.line if in_source else min(part.positions),
                max(max(numbers) for numbers in games_by_line.values()),
                part.lines,
                tuple((missed.first, missed.last) for missed in part.missed),
                tuple(
                    LineFigures(line, text[line - 1].strip(), least, inference.share(least, 1, tally.games))
                    for line, least in ((line, min(numbers)) for line, numbers in games_by_line.items())
                ),
            )


#: Main metrics: the win shares, corrected separately from all others.
STARTER: Measure = "starter wins"
MAIN: tuple[Measure, ...] = ("wins", STARTER)
#: All compared metrics; the other columns depend on these.
COMPARED: tuple[Measure, ...] = (
    *MAIN, "drawn", "shared", "points", "starter points", "origin", "length", "gap", "changes", "decided", "offered",
    "taken",
)  # fmt: skip


def compare_arms(simulator: Simulator, result: SimulationResult) -> tuple[Comparison, ...]:
    """Return the comparison of each arm with the baseline arm."""
    baseline = simulator.plan.baseline
    others = [index for index in range(len(simulator.plan.arms)) if index != baseline]
    uncorrected = [
        _effects(simulator, result, number) if result.pairs[number].games > 1 else {} for number in range(len(others))
    ]
    effects = _corrected_by_kind(uncorrected)
    columns = simulator.columns
    return tuple(
        Comparison(
            baseline,
            other,
            result.pairs[number].games,
            tuple(
                ComparedFigure(
                    key,
                    _mean(columns[baseline], result.tallies[baseline], key),
                    _mean(columns[other], result.tallies[other], key),
                    effect,
                    key.measure in MAIN,
                )
                for key, effect in effects[number].items()
            ),
            _only(columns[baseline], columns[other]),
            _only(columns[other], columns[baseline]),
        )
        for number, other in enumerate(others)
    )


def _effects(simulator: Simulator, result: SimulationResult, number: int) -> dict[MetricKey, DifferenceEstimate]:
    """Return the effects by column between the baseline and another arm; identical columns only if they are main."""
    columns, pairs = simulator.columns[simulator.plan.baseline], result.pairs[number]
    # If the first decision is simultaneous, there is no starter.
    begun = any(map(_has_starter, simulator.columns, result.tallies))
    main = [measure for measure in MAIN if begun or measure != STARTER]
    effects = {}
    for (index, _), sum_, squares in zip(simulator.common[number], pairs.sums, pairs.squares, strict=True):
        key = columns.keys[index]
        if key.measure in main or (key.measure in COMPARED and squares):
            effects[key] = inference.paired_difference(sum_, squares, pairs.games, _unit_parts(columns, key))
    return effects


def _has_starter(columns: MetricColumns, tally: Tally) -> bool:
    """Return whether any game began with a decision of a single seat."""
    start = columns.sections["starts"]
    return any(tally.sums[start : start + columns.seats])


def _corrected_by_kind(
    effects_by_arm: list[dict[MetricKey, DifferenceEstimate]],
) -> list[dict[MetricKey, DifferenceEstimate]]:
    """Return the effects with Holm's correction, separately for the main ones and all others."""
    corrected: list[dict[MetricKey, DifferenceEstimate]] = [dict(effects) for effects in effects_by_arm]
    for main in (True, False):
        keys = [(arm, key) for arm, effects in enumerate(effects_by_arm) for key in effects]
        keys = [(arm, key) for arm, key in keys if (key.measure in MAIN) == main]
        effects_in_order = inference.holm_corrected([effects_by_arm[arm][key] for arm, key in keys])
        for (arm, key), effect in zip(keys, effects_in_order, strict=True):
            corrected[arm][key] = effect
    return corrected


def _unit_parts(columns: MetricColumns, key: MetricKey) -> int:
    """Return the number of parts of one unit in a column."""
    return columns.win_parts if key.measure in MAIN else 1000 if key.measure == "decided" else 1


def _mean(columns: MetricColumns, tally: Tally, key: MetricKey) -> float:
    """Return the mean of a column."""
    if not tally.ended:
        return 0.0
    return tally.sums[columns.places[key]] / (tally.ended * _unit_parts(columns, key))


def _only(one: MetricColumns, other: MetricColumns) -> tuple[MetricKey, ...]:
    """Return the compared columns that only the first set of rules has."""
    return tuple(key for key in one.keys if key.measure in COMPARED and key not in other.places)
