"""Game tree with sequential, simultaneous and chance nodes, for OpenSpiel.

The information state of a seat with perfect recall is text: changes of its observation, messages to it, its legal
actions and its choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Self

import numpy as np

from wongar_dsl.adapters.actions import Actions, max_chance_outcomes, max_component_count
from wongar_dsl.adapters.episode import MAX_ACTIONS, Utility, answer_time, game_of, payoffs, simultaneous_seats
from wongar_dsl.adapters.observations import Observations, Vector
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, RawEvent, RuleFault, run_on
from wongar_dsl.compiler.backends import State as Cells
from wongar_dsl.compiler.backends.bulk import ScriptEnded, scripted
from wongar_dsl.engine import State, play_fault

#: Arguments of a tree: rules, seats, settings, maximum length, and utility.
Source = tuple[str | Path, int | None, tuple[tuple[str, int], ...], int, Utility]


@dataclass(frozen=True, slots=True)
class TreePosition:
    """Immutable node of the tree.

    `cells` is the state at the last decision.  At a chance node `sides` is the number of outcomes (otherwise 0),
    `before_rolls` is the state from which the rules run, and `rolls` are the outcomes since then.  `begun` is the part
    of an option that is already chosen.  `taken` counts actions, `decided` complete decisions.  `legal` are the legal
    actions of each seat, `acting` the seats to act.  `information` is the information state of each seat (text), and
    `last_observations` are the bytes of its last observation vector.
    """

    cells: tuple[int, ...]
    before_rolls: tuple[int, ...] = ()
    rolls: tuple[int, ...] = ()
    sides: int = 0
    begun: Option = ()
    taken: int = 0
    decided: int = 0
    legal: tuple[tuple[int, ...], ...] = ()
    acting: tuple[int, ...] = ()
    information: tuple[str, ...] = ()
    last_observations: tuple[bytes, ...] = ()

    def __deepcopy__(self, _: object) -> Self:
        return self


class GameTree:
    """Game tree, created by `tree_of`, which caches trees by their arguments."""

    def __init__(self, source: Source) -> None:
        rules, seats, settings, self.longest, self.utility = self._source = source
        self.game = game = game_of(rules, seats, dict(settings))
        self.actions = Actions(game)
        self.observations = Observations(game)
        #: Maximum number of outcomes of one throw.
        self.sides = max_chance_outcomes(game, max_component_count(game))
        self._simultaneous_decisions = frozenset(
            number for number, decision in enumerate(game.program.decisions) if decision.simultaneous
        ) - self.actions.multi_step_decisions  # fmt: skip
        #: True if there are simultaneous nodes.
        self.simultaneous = bool(self._simultaneous_decisions)

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., GameTree], Source]:
        return tree_of, self._source

    # ---- nodes ----

    def root(self) -> TreePosition:
        """Return the root of the tree."""
        cells = self.game.backend.start(0)
        # Chance is decided from outside.  The random streams of the state would only make equal positions differ.
        cells[ir.AT_CHANCE] = cells[ir.AT_PLAY_CHANCE] = cells[ir.AT_STEP] = 0
        blank = cells.copy()
        blank[ir.AT_DECISION], blank[ir.AT_SEAT] = ir.READY, -1
        before_start = TreePosition(
            tuple(blank), information=("",) * self.game.seats, last_observations=(b"",) * self.game.seats
        )
        return self._run_to_next_node(before_start, cells, ())

    def over(self, position: TreePosition) -> bool:
        """Return whether the game has ended or reached its maximum length."""
        return position.cells[ir.AT_DECISION] == ir.OVER or (not position.sides and position.taken >= self.longest)

    def returns(self, position: TreePosition) -> tuple[float, ...]:
        """Return the utility of a position for each seat; 0 before the end."""
        if not self.over(position):
            return (0.0,) * self.game.seats
        return payoffs(State(self.game, list(position.cells)), self.utility)

    def is_simultaneous(self, position: TreePosition) -> bool:
        """Return whether the seats to act choose simultaneously."""
        return bool(position.acting) and position.cells[ir.AT_DECISION] in self._simultaneous_decisions

    def observe(self, position: TreePosition, seat: int | None) -> Vector:
        """Return the observation of a seat (None: what all seats see) at the last decision."""
        return self.observations.observe(position.cells, seat)

    # ---- edges ----

    def chance_successor(self, position: TreePosition, outcome: int) -> TreePosition:
        """Return the position after an outcome of chance."""
        return self._run_to_next_node(position, list(position.before_rolls), (*position.rolls, outcome))

    def successor(self, position: TreePosition, action: int) -> TreePosition:
        """Return the position after an action of the seat to act."""
        seat = position.acting[0]
        info = _appended(position.information, {seat: f">{action}"})
        option, is_complete = self.actions.decode(action, position.begun)
        if not is_complete:
            legal = tuple(self._legal(position.cells, option))
            after = replace(position, begun=option, taken=position.taken + 1, information=info)
            return replace(after, legal=self._by_seat({seat: legal}))
        cells = list(position.cells)
        self._choose(cells, option, position.decided)
        chosen = replace(position, begun=(), taken=position.taken + 1, decided=position.decided + 1, information=info)
        return self._run_to_next_node(chosen, cells, ())

    def joint_successor(self, position: TreePosition, actions: Sequence[int]) -> TreePosition:
        """Return the position after simultaneous actions; actions of seats that are not asked are ignored."""
        cells, decided = list(position.cells), position.decided
        for seat in position.acting:
            if seat != position.acting[0]:
                self._advance_seat(cells)
            self._choose(cells, self.actions.decode(actions[seat])[0], decided)
            decided += 1
        info = _appended(position.information, {seat: f">{actions[seat]}" for seat in position.acting})
        chosen = replace(position, taken=position.taken + 1, decided=decided, information=info)
        return self._run_to_next_node(chosen, cells, ())

    def _advance_seat(self, cells: Cells) -> None:
        """Advance to the next seat of a simultaneous decision."""
        try:
            run_on(self.game.backend, cells)
        except RuleFault as fault:
            raise play_fault(fault) from None

    def _choose(self, cells: Cells, option: Option, decided: int) -> None:
        self.game.backend.choose(cells, option, answer_time(State(self.game, cells), decided))

    def _run_to_next_node(self, position: TreePosition, cells: Cells, rolls: tuple[int, ...]) -> TreePosition:
        """Run from `cells` with the given outcomes of chance to the next chance or decision node."""
        start, events = tuple(cells), list[RawEvent]()
        try:
            run_on(self.game.backend, cells, events, scripted(rolls))
        except ScriptEnded as pending:
            if pending.sides > self.sides:
                raise ValueError(f"a throw has {pending.sides} outcomes, where the rules show {self.sides}") from None
            none = ((),) * self.game.seats
            return replace(position, before_rolls=start, rolls=rolls, sides=pending.sides, legal=none, acting=())
        except RuleFault as fault:
            raise play_fault(fault) from None
        after = replace(position, cells=tuple(cells), before_rolls=(), rolls=(), sides=0)
        return self._decision_or_end(after, cells, events)

    def _decision_or_end(self, position: TreePosition, cells: Cells, events: list[RawEvent]) -> TreePosition:
        """Return a decision or terminal position, and add to each seat's information state."""
        number = cells[ir.AT_DECISION]
        if number == ir.OVER or position.taken >= self.longest:
            by_seat: dict[int, tuple[int, ...]] = {}
        elif number in self._simultaneous_decisions:
            options = simultaneous_seats(self.game, cells)
            by_seat = {seat: tuple(self.actions.legal(number, offered)) for seat, offered in options}
        else:
            by_seat = {cells[ir.AT_SEAT]: tuple(self._legal(cells, ()))}
        seats = range(self.game.seats)
        last_observations = [self.observations.observe(cells, seat) for seat in seats]
        new_information = {}
        for seat in seats:
            messages = self.game.knowledge.visible_events(events, seat)
            changed = _changes(position.last_observations[seat], last_observations[seat])
            offered = ",".join(map(str, by_seat[seat])) if seat in by_seat else ""
            new_information[seat] = f"\n{changed}{messages if messages else ''}{'?' + offered if offered else ''}"
        return replace(
            position,
            legal=self._by_seat(by_seat),
            acting=tuple(by_seat),
            information=_appended(position.information, new_information),
            last_observations=tuple(vector.tobytes() for vector in last_observations),
        )

    def _legal(self, cells: Sequence[int], begun: Option) -> list[int]:
        try:
            options = self.game.backend.options(list(cells))
        except RuleFault as fault:
            raise play_fault(fault) from None
        return self.actions.legal(cells[ir.AT_DECISION], options, begun)

    def _by_seat(self, legal: dict[int, tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        return tuple(legal.get(seat, ()) for seat in range(self.game.seats))


def _appended(texts: tuple[str, ...], additions: dict[int, str]) -> tuple[str, ...]:
    return tuple(text + additions.get(seat, "") for seat, text in enumerate(texts))


def _changes(before: bytes, now: Vector) -> str:
    """Return the changed entries of an observation as text."""
    previous = np.frombuffer(before, dtype=np.int32) if before else np.zeros_like(now)
    changed = np.flatnonzero(previous != now)
    return " ".join(f"{number}={value}" for number, value in zip(changed.tolist(), now[changed].tolist(), strict=True))


def tree_of(
    rules: str | Path,
    seats: int | None = None,
    settings: tuple[tuple[str, int], ...] = (),
    longest: int = MAX_ACTIONS,
    utility: Utility = "win",
) -> GameTree:
    """Return the cached tree of a game, given its name or the path of its rule file.

    Raises as `wongar_dsl.load` does.
    """
    return _cached_tree((rules, seats, settings, longest, utility))


@lru_cache(maxsize=64)
def _cached_tree(source: Source) -> GameTree:
    return GameTree(source)
