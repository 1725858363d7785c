"""Conversion of the sums of a run into a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from wongar_dsl.engine.rule_cases import coverage
from wongar_dsl.lab.reports.paired_tests import compare_arms
from wongar_dsl.lab.reports.report_data import (
    ArmReport,
    ArticleFigures,
    BotFigures,
    ChoiceFigures,
    ChoiceGroup,
    DifferenceEstimate,
    Estimate,
    HistogramBin,
    Lead,
    LeadHistory,
    LineFigures,
    OriginFigures,
    Report,
    SeatFigures,
    Spread,
    Sweep,
)  # fmt: skip
from wongar_dsl.lab.simulation.runner import SimulationRun
from wongar_dsl.lab.simulation.simulator import Simulator
from wongar_dsl.lab.statistics import inference
from wongar_dsl.lab.statistics.accumulators import Tally
from wongar_dsl.lab.statistics.metrics import (
    BINS,
    GROUP,
    PARTS,
    SPREADS,
    Measure,
    MetricColumns,
    SpreadName,
    bounds,
    quantile,
)

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
    groups = [_two_groups(sums.tally.groups, number) for number in range(len(columns.choices))]
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


def _two_groups(groups: Sequence[int], number: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return the sums of the players who took a choice, and of those who declined it."""
    start = 2 * GROUP * number
    return groups[start : start + GROUP], groups[start + GROUP : start + 2 * GROUP]


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
