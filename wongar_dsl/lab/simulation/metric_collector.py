"""Collector of the metrics of one game, step by step in Python; the reference for the machine code version."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option
from wongar_dsl.compiler.ir.containers import score_from
from wongar_dsl.lab.statistics.accumulators import GameRow
from wongar_dsl.lab.statistics.metrics import GROUP, PARTS, MetricColumns

NOBODY = -1


class MetricCollector:
    """Metrics of one game.

    Call `record_decision` for each decision, `record_state` for the first state and after each decision, and `row` at
    the end.
    """

    def __init__(self, columns: MetricColumns) -> None:
        self._columns = columns
        width = len(columns.choices)
        self._offered, self._taken, self._forced = [0] * width, [0] * width, [0] * width
        self._had: list[set[int]] = [set() for _ in range(columns.seats)]
        self._took: list[set[int]] = [set() for _ in range(columns.seats)]
        self.length = 0
        self._starter = NOBODY
        # Sole leader and gap, at the start and after each decision; below, the last sole leader and the changes of
        # lead.
        self._leaders: list[int] = []
        self._gaps: list[int] = []
        self._last, self._changes = NOBODY, 0

    def record_decision(self, cells: Sequence[int], options: Iterable[Option], taken: Option) -> None:
        """Record a decision: one of the listed options is taken in a state."""
        decision, seat = cells[ir.AT_DECISION], cells[ir.AT_SEAT]
        if not self.length and not self._columns.at_once[decision]:
            self._starter = seat
        self.length += 1
        slots = self._columns.slots[decision]
        listed: set[int] = set()
        number = 0
        for option in options:
            number += 1
            choice, things = slots[option[0]]
            listed.add(choice)
            for position, first in things:
                if option[position] >= 0:
                    listed.add(first + option[position])
        for choice in listed:
            self._offered[choice] += 1
        choice, things = slots[taken[0]]
        chosen = {choice, *(first + taken[position] for position, first in things if taken[position] >= 0)}
        for choice in chosen:
            self._taken[choice] += 1
            self._forced[choice] += number == 1
        self._had[seat] |= listed
        self._took[seat] |= chosen

    def record_state(self, cells: Sequence[int]) -> None:
        """Record the first state, or the state after a decision."""
        columns = self._columns
        if not columns.has_lead:
            return
        points = [cells[address] for address in columns.scores]
        best, second = sorted(points, reverse=not columns.fewest)[:2]
        leader = points.index(best) if best != second else NOBODY
        self._leaders.append(leader)
        self._gaps.append(abs(best - second))
        if leader != NOBODY:
            self._changes += self._last not in (NOBODY, leader)
            self._last = leader

    def row(self, cells: Sequence[int], bots: Sequence[int], reached: Sequence[int]) -> GameRow:
        """Return the row of a game that ended, or was stopped, in a state.

        `bots` are the numbers of the seats' bots in the list of bots, `reached` the marks reached.
        """
        if cells[ir.AT_DECISION] != ir.OVER:
            return GameRow(self.length, (), {}, (), reached)
        columns, seats = self._columns, range(self._columns.seats)
        winners = [p for p in seats if cells[ir.AT_WINNERS] >> p & 1]
        won = [int(p in winners) for p in seats]
        shares = [columns.win_parts // len(winners) * is_winner for is_winner in won] if winners else won
        points = [cells[index] for index in columns.scores]
        origins = [[score_from(cells, index, o) for o in range(len(columns.origins))] for index in columns.scores]
        starter = self._starter
        row = [*shares, *won, *_by_bot(shares, bots), *(int(p == starter) for p in seats)]
        row += [*points, *_by_bot(points, bots)]
        row += [int(not winners), int(len(winners) > 1), self.length]
        row += (numbers[starter] if starter != NOBODY else 0 for numbers in (shares, won, points) if numbers)
        for of_seat in origins:
            row += of_seat
        row += origins[starter] if origins and starter != NOBODY else [0] * len(columns.origins)
        spreads: list[Sequence[int]] = [(self.length,), points, (), (), ()]
        if columns.has_lead:
            winner = winners[0] if len(winners) == 1 else NOBODY
            decided = self._decided_after(winner)
            row += [self._gaps[-1], self._changes, int(winner != NOBODY), decided]
            places = [self.length * part // PARTS for part in range(PARTS + 1)]
            row += (self._gaps[index] for index in places)
            row += (int(self._leaders[index] == winner != NOBODY) for index in places)
            spreads[2:] = [(self._gaps[-1],), (self._changes,), (decided,) if winner != NOBODY else ()]
        row += [*self._offered, *self._taken, *self._forced]
        return GameRow(self.length, row, self._groups(shares, points), spreads, reached)

    def _decided_after(self, winner: int) -> int:
        """Return after how many thousandths of the decisions the winner led alone for good."""
        if winner == NOBODY:
            return 1000
        last = next((index for index in range(self.length, -1, -1) if self._leaders[index] != winner), -1)
        return min(last + 1, self.length) * 1000 // max(1, self.length)

    def _groups(self, shares: Sequence[int], points: Sequence[int]) -> dict[int, list[int]]:
        groups: dict[int, list[int]] = {}
        for seat, (had, took) in enumerate(zip(self._had, self._took, strict=True)):
            share, score = shares[seat], points[seat] if points else 0
            for choice in had:
                # The group that took the choice precedes the group that declined it.
                place = 2 * GROUP * choice + (0 if choice in took else GROUP)
                group = groups.setdefault(place, [0] * GROUP)
                for further, number in enumerate((1, share, share * share, score, score * score)):
                    group[further] += number
        return groups


def _by_bot(numbers: Sequence[int], bots: Sequence[int]) -> list[int]:
    """Return numbers by seat as numbers by bot."""
    if not numbers:
        return []
    of_bots = [0] * len(numbers)
    for bot, number in zip(bots, numbers, strict=True):
        of_bots[bot] += number
    return of_bots
