"""Another state that looks the same to a seat: what it cannot see is dealt anew.

What zones hold is dealt anew where it lies, as many to each as there are.  What no zone holds (remembered values,
variables of rules, choices not yet shown), and how much is in a zone where a seat cannot know that, is made by playing
the same public choices again with other chance, until the seat sees the same at every step.  Where that is not found
within `TRIES`, it is taken from a game at the same decision: values that the rules can give, with what was computed
from them.  Nothing of it hangs on what the seat cannot see.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from wongar_dsl import ir
from wongar_dsl.backends import Option, RuleFault
from wongar_dsl.backends.chance import Generator
from wongar_dsl.backends.sampling import any_time, deal, deal_out, draw_from, sizes
from wongar_dsl.backends.sight import Sight, Spot
from wongar_dsl.engine.game import Game, State
from wongar_dsl.engine.past import Choice, Past, onward, run
from wongar_dsl.ir.containers import CONTAINERS
from wongar_dsl.model import Type

#: How often the same choices are played again for one world, and how often any game for one at the same decision.
TRIES = 40
#: How many games at the same decision are tried, and how long one may be.
OTHERS, LONGEST = 12, 400


def determinize(state: State, seat: int | None, generator: Generator, past: Past | None = None) -> State:
    """A state that looks the same to a seat; chance to come is another.

    `past` is how the state came about; without it nothing is known of that.
    """
    return Worlds(state, seat, past).one(generator)


class Worlds:
    """States that look the same to a seat, as many as are wanted."""

    def __init__(self, state: State, seat: int | None, past: Past | None = None) -> None:
        self._state, self._seat, self._past = state, seat, past
        self._knowledge = state.game.knowledge
        self._remembered, self._variables = self._knowledge.loose(state.cells, seat)
        self._uncounted = self._knowledge.uncounted(state.cells, seat)
        self._hopeless = past is None
        self._others: list[list[int]] = []
        self._left = OTHERS

    @cached_property
    def sight(self) -> Sight:
        """What the seat knows."""
        return self._knowledge.sight(self._state.cells, self._seat)

    @property
    def dealt(self) -> bool:
        """Whether all that is hidden lies in zones, so that it is only dealt anew."""
        return not (self._remembered or self._variables or self._uncounted)

    def one(self, generator: Generator) -> State:
        """One of them."""
        return self._dealt_anew(generator) if self.dealt else self._played_again(generator) or self._mixed(generator)

    # ---- what zones hold ----

    def _dealt_anew(self, generator: Generator) -> State:
        new = self._state.copy()
        deal(new.game.backend, new.cells, self.sight, generator)
        return new

    # ---- what no zone holds ----

    def _played_again(self, generator: Generator) -> State | None:
        """A game with the same public choices in which the seat has seen the same at every step."""
        if self._hopeless or self._past is None:
            return None
        for _ in range(TRIES):
            cells = self._again(self._past, generator)
            if cells is not None:
                return State(self._state.game, cells)
        self._hopeless = True
        return None

    def _again(self, past: Past, generator: Generator) -> list[int] | None:
        game, seat = self._state.game, self._seat
        cells = _begun(game, generator)
        try:
            for choice, view in zip((*past, None), past.views(seat), strict=True):
                if onward(game, cells, seat) != view:
                    return None
                if choice is not None:
                    fitting = self._fitting(cells, choice, past)
                    if not fitting:
                        return None
                    time = (
                        any_time(game.backend, cells, choice.time, generator)
                        if self._pending(choice, past)
                        else choice.time
                    )
                    game.backend.choose(cells, fitting[generator.below(len(fitting))], time)
        except RuleFault:
            return None
        return cells

    def _fitting(self, cells: list[int], choice: Choice, past: Past) -> list[Option]:
        """The options that are, as far as the seat knows, the one that was taken."""
        options = self._state.game.backend.options(cells)
        if choice.seat == self._seat:
            return [o for o in options if o == choice.option]
        if self._pending(choice, past) or self._knowledge.silent(choice.decision):
            return options
        unseen = self._knowledge.unseen_arguments(choice.decision, choice.option[0])
        taken = choice.option
        return [
            o
            for o in options
            if o[0] == taken[0] and all(h or a == b for a, b, h in zip(o[1:], taken[1:], unseen, strict=True))
        ]

    def _pending(self, choice: Choice, past: Past) -> bool:
        """Whether a choice is another one's, made at once with others, and not yet shown."""
        game = self._state.game
        return (
            choice.seat != self._seat
            and choice.decision == self._state.cells[ir.AT_DECISION]
            and game.program.decisions[choice.decision].simultaneous
            and any(choice is c for c in past.choices[-game.seats :])
        )

    def _mixed(self, generator: Generator) -> State:
        """The zones dealt anew, and what they do not hold as it stands in some other game at the same decision."""
        new = self._dealt_anew(generator)
        places = [a for s in self._remembered for a in range(s.at, s.at + s.place.width)] + self._variables
        view, options = self._looks(self._state.cells)
        for other in self._at_the_same_decision(generator):
            tried = new.copy()
            for at in places:
                tried.cells[at] = other[at]
            self._count_anew(tried.cells, other, generator)
            try:
                if self._looks(tried.cells) == (view, options):
                    return tried
            except RuleFault:
                continue
        if self._others:
            # None looks the same: knowing too little is better than knowing too much.
            other = self._others[generator.below(len(self._others))]
            for at in places:
                new.cells[at] = other[at]
            self._count_anew(new.cells, other, generator)
        else:
            self._guess(new, generator)
        return new

    def _count_anew(self, cells: list[int], other: list[int] | None, generator: Generator) -> None:
        """Zones that cannot be counted share what is in them as in another game, or as it may come."""
        sorts: dict[Type, list[Spot]] = {}
        for spot in self._uncounted:
            sorts.setdefault(spot.place.type, []).append(spot)
        for spots in sorts.values():
            before = sizes(cells, spots)
            wanted = sizes(other, spots) if other is not None else []
            if sum(wanted) != sum(before):
                wanted = _shared(before, spots, generator)
            deal_out(cells, spots, wanted, generator)

    def _at_the_same_decision(self, generator: Generator) -> Iterator[list[int]]:
        """Other games at the same decision: new ones as long as any are looked for, then those that were found."""
        while self._left:
            self._left -= 1
            other = self._other(generator)
            if other is not None:
                self._others.append(other)
                yield other
        known = list(range(len(self._others)))
        generator.shuffle(known)
        yield from (self._others[number] for number in known)

    def _looks(self, cells: list[int]) -> tuple[object, list[Option]]:
        own = self._seat == cells[ir.AT_SEAT]
        return self._knowledge.view(cells, self._seat), self._state.game.backend.options(cells) if own else []

    def _other(self, generator: Generator) -> list[int] | None:
        """A random game at the same decision of the same seat."""
        game, wanted = self._state.game, self._state.cells[ir.AT_DECISION : ir.AT_SEAT + 1]
        cells = _begun(game, generator)
        try:
            run(game, cells)
            for _ in range(LONGEST):
                if cells[ir.AT_DECISION : ir.AT_SEAT + 1] == wanted:
                    return cells
                options = game.backend.options(cells)
                if not options:
                    return None
                game.backend.choose(cells, options[generator.below(len(options))])
                run(game, cells)
        except RuleFault:
            pass
        return None

    def _guess(self, new: State, generator: Generator) -> None:
        """Any value of its sort for what is remembered, any number of things in a zone, nothing for variables."""
        self._count_anew(new.cells, None, generator)
        for at in self._variables:
            new.cells[at] = 0
        model = new.game.model
        for spot in self._remembered:
            kind = spot.place.type
            values = range(0 if kind.kind == "number" else model.size(kind, new.game.seats))
            if spot.place.name in model.declared.remembered:
                values = model.declared.remembered[spot.place.name].numbers or values
            # Of a number without written bounds nothing is known but that it may differ.
            values = values or range(2)
            new.cells[spot.at] = values[generator.below(len(values))]


def _begun(game: Game, generator: Generator) -> list[int]:
    """Another game before anything was done; its chance is that of no real game."""
    cells = game.backend.start(0)
    draw_from(cells, generator.seed())
    return cells


def _shared(before: list[int], spots: list[Spot], generator: Generator) -> list[int]:
    """As many things as there are, shared at random among places, as far as each has room."""
    total, sizes = sum(before), [0] * len(spots)
    kinds = [(spot.place, CONTAINERS[spot.place.kind]) for spot in spots]
    most = [place.capacity if kind.bounded else 1 if kind.single else total for place, kind in kinds]
    room = [max(n, limit) for n, limit in zip(before, most, strict=True)]
    for _ in range(total):
        free = [number for number, size in enumerate(sizes) if size < room[number]]
        sizes[free[generator.below(len(free))]] += 1
    return sizes
