"""A game as a tree: positions in which somebody chooses, or several at once, or chance goes on by one throw.

What seats know with perfect recall is kept as text: what changed in what they see, what they were told, what they
could choose, and what they chose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Self

import numpy as np

from wongar_dsl import ir
from wongar_dsl.adapters import bounds
from wongar_dsl.adapters.actions import Actions
from wongar_dsl.adapters.observations import Observations, Vector
from wongar_dsl.adapters.play import LONGEST, Utility, asked_together, game_of, taken_time, worth
from wongar_dsl.backends import Option, RawEvent, RuleFault, run_on
from wongar_dsl.backends import State as Cells
from wongar_dsl.backends.courses import Open, scripted
from wongar_dsl.engine import State, play_fault

Source = tuple[str | Path, int | None, tuple[tuple[str, int], ...], int, Utility]
"""What a tree is made of: rules, seats, settings, the greatest length, and what the end is worth."""


@dataclass(frozen=True, slots=True)
class Position:
    """A node of the tree; it never changes.

    `cells` is the last state in which somebody decided.  `sides` is how many outcomes chance has, 0 where it
    does not decide; then the state that goes on is `onward`, and `thrown` are the outcomes so far.  `begun` is what is
    chosen already of an option that is chosen argument by argument.  `legal` are the actions of each seat, `asked` the
    seats that choose, in their order.  `known` is what each seat knows, `seen` what it saw last.
    """

    cells: tuple[int, ...]
    onward: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()
    sides: int = 0
    begun: Option = ()
    taken: int = 0
    decided: int = 0
    legal: tuple[tuple[int, ...], ...] = ()
    asked: tuple[int, ...] = ()
    known: tuple[str, ...] = ()
    seen: tuple[bytes, ...] = ()

    def __deepcopy__(self, _: object) -> Self:
        return self


class Tree:
    """All courses of a game; `tree_of` makes it, once for all that ask in the same way."""

    def __init__(self, made_of: Source) -> None:
        rules, seats, settings, self.longest, self.utility = self._made_of = made_of
        self.game = game = game_of(rules, seats, dict(settings))
        self.actions = Actions(game)
        self.observations = Observations(game)
        #: How many outcomes chance has at the most, in one throw.
        self.sides = bounds.sides(game, bounds.things(game))
        self._together = frozenset(
            number for number, decision in enumerate(game.program.decisions) if decision.simultaneous
        ) - self.actions.in_parts  # fmt: skip
        #: Whether several choose at once anywhere.
        self.simultaneous = bool(self._together)

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., Tree], Source]:
        return tree_of, self._made_of

    # ---- where one can be ----

    def root(self) -> Position:
        """Where every course begins."""
        cells = self.game.backend.start(0)
        # Chance is decided from outside: the state's own streams would only tell equal positions apart.
        cells[ir.AT_CHANCE] = cells[ir.AT_PLAY_CHANCE] = cells[ir.AT_STEP] = 0
        blank = cells.copy()
        blank[ir.AT_DECISION], blank[ir.AT_SEAT] = ir.READY, -1
        nothing = Position(tuple(blank), known=("",) * self.game.seats, seen=(b"",) * self.game.seats)
        return self._gone_on(nothing, cells, ())

    def over(self, position: Position) -> bool:
        """Whether a course has ended, by its rules or because it is too long."""
        return position.cells[ir.AT_DECISION] == ir.OVER or (not position.sides and position.taken >= self.longest)

    def returns(self, position: Position) -> tuple[float, ...]:
        """What a position is worth to each seat; nothing before the end."""
        if not self.over(position):
            return (0.0,) * self.game.seats
        return worth(State(self.game, list(position.cells)), self.utility)

    def together(self, position: Position) -> bool:
        """Whether those who choose do so at once."""
        return bool(position.asked) and position.cells[ir.AT_DECISION] in self._together

    def observe(self, position: Position, seat: int | None) -> Vector:
        """What a seat sees (None: everybody), of the last state in which somebody decided."""
        return self.observations.observe(position.cells, seat)

    # ---- how it goes on ----

    def throw(self, position: Position, outcome: int) -> Position:
        """Where an outcome of chance leads to."""
        return self._gone_on(position, list(position.onward), (*position.thrown, outcome))

    def take(self, position: Position, action: int) -> Position:
        """Where an action of the seat that chooses leads to."""
        seat = position.asked[0]
        known = _told(position.known, {seat: f">{action}"})
        option, whole = self.actions.taken(action, position.begun)
        if not whole:
            legal = tuple(self._legal(position.cells, option))
            after = replace(position, begun=option, taken=position.taken + 1, known=known)
            return replace(after, legal=self._by_seat({seat: legal}))
        cells = list(position.cells)
        self._choose(cells, option, position.decided)
        made = replace(position, begun=(), taken=position.taken + 1, decided=position.decided + 1, known=known)
        return self._gone_on(made, cells, ())

    def take_together(self, position: Position, actions: Sequence[int]) -> Position:
        """Where the actions of all seats lead to; those of seats that are not asked count for nothing."""
        cells, decided = list(position.cells), position.decided
        for seat in position.asked:
            if seat != position.asked[0]:
                self._on_to_the_next(cells)
            self._choose(cells, self.actions.taken(actions[seat])[0], decided)
            decided += 1
        known = _told(position.known, {seat: f">{actions[seat]}" for seat in position.asked})
        made = replace(position, taken=position.taken + 1, decided=decided, known=known)
        return self._gone_on(made, cells, ())

    def _on_to_the_next(self, cells: Cells) -> None:
        """From one who has chosen to the next who does so at once."""
        try:
            run_on(self.game.backend, cells)
        except RuleFault as fault:
            raise play_fault(fault) from None

    def _choose(self, cells: Cells, option: Option, decided: int) -> None:
        self.game.backend.choose(cells, option, taken_time(State(self.game, cells), decided))

    def _gone_on(self, position: Position, cells: Cells, thrown: tuple[int, ...]) -> Position:
        """Run on from cells, with the outcomes of chance that are known, to where somebody must decide."""
        onward, events = tuple(cells), list[RawEvent]()
        try:
            run_on(self.game.backend, cells, events, scripted(thrown))
        except Open as opened:
            if opened.sides > self.sides:
                raise ValueError(f"a throw has {opened.sides} outcomes, where the rules show {self.sides}") from None
            nobody = ((),) * self.game.seats
            return replace(position, onward=onward, thrown=thrown, sides=opened.sides, legal=nobody, asked=())
        except RuleFault as fault:
            raise play_fault(fault) from None
        after = replace(position, cells=tuple(cells), onward=(), thrown=(), sides=0)
        return self._come_to(after, cells, events)

    def _come_to(self, position: Position, cells: Cells, events: list[RawEvent]) -> Position:
        """A position in which somebody decides, or the last one, with what everybody learns there."""
        number = cells[ir.AT_DECISION]
        if number == ir.OVER or position.taken >= self.longest:
            by_seat: dict[int, tuple[int, ...]] = {}
        elif number in self._together:
            options = asked_together(self.game, cells)
            by_seat = {seat: tuple(self.actions.legal(number, offered)) for seat, offered in options}
        else:
            by_seat = {cells[ir.AT_SEAT]: tuple(self._legal(cells, ()))}
        seats = range(self.game.seats)
        seen = [self.observations.observe(cells, seat) for seat in seats]
        learned = {}
        for seat in seats:
            told = self.game.knowledge.told(events, seat)
            changed = _changes(position.seen[seat], seen[seat])
            offered = ",".join(map(str, by_seat[seat])) if seat in by_seat else ""
            learned[seat] = f"\n{changed}{told if told else ''}{'?' + offered if offered else ''}"
        return replace(
            position,
            legal=self._by_seat(by_seat),
            asked=tuple(by_seat),
            known=_told(position.known, learned),
            seen=tuple(one.tobytes() for one in seen),
        )

    def _legal(self, cells: Sequence[int], begun: Option) -> list[int]:
        try:
            options = self.game.backend.options(list(cells))
        except RuleFault as fault:
            raise play_fault(fault) from None
        return self.actions.legal(cells[ir.AT_DECISION], options, begun)

    def _by_seat(self, legal: dict[int, tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        return tuple(legal.get(seat, ()) for seat in range(self.game.seats))


def _told(known: tuple[str, ...], more: dict[int, str]) -> tuple[str, ...]:
    return tuple(text + more.get(seat, "") for seat, text in enumerate(known))


def _changes(before: bytes, now: Vector) -> str:
    """What is otherwise in a vector than it was."""
    then = np.frombuffer(before, dtype=np.int32) if before else np.zeros_like(now)
    changed = np.flatnonzero(then != now)
    return " ".join(f"{number}={value}" for number, value in zip(changed.tolist(), now[changed].tolist(), strict=True))


def tree_of(
    rules: str | Path,
    seats: int | None = None,
    settings: tuple[tuple[str, int], ...] = (),
    longest: int = LONGEST,
    utility: Utility = "win",
) -> Tree:
    """The tree of a game by name or by the path of its rule file; raises as `wongar_dsl.load` does."""
    return _made((rules, seats, settings, longest, utility))


@lru_cache(maxsize=64)
def _made(source: Source) -> Tree:
    return Tree(source)
