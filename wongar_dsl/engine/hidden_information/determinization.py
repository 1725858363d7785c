"""Determinization: samples states that are consistent with the information of a seat.

Hidden contents of zones are redistributed, keeping the number of cards in each zone. Hidden values outside zones
(remembered values, variables of rules, choices not yet shown) and unknown zone sizes are sampled by a replay. It
repeats the public choices with other random numbers until the seat observes the same at every step. If that fails
`MAX_REPLAYS` times, they are taken from a game of random moves that has reached the same decision, so that values and
results computed from them stay consistent. No sample depends on what the seat cannot see.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, RuleFault, run_on
from wongar_dsl.compiler.backends.bulk import determinize_in_place, distribute, random_answer_time
from wongar_dsl.compiler.backends.protocol import VisibilityMask, ZoneCopy, reseed, zone_sizes
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine.game import Game, State
from wongar_dsl.engine.history import ChoiceHistory, PastChoice, run_from
from wongar_dsl.language.semantics import Type

#: Maximum number of replays of the public choices per sample.
MAX_REPLAYS = 40
#: Maximum number of games of random moves played to reach the same decision, and of decisions in each.
MAX_RANDOM_GAMES, MAX_PLAYOUT = 12, 400


def determinize(state: State, seat: int | None, generator: Generator, past: ChoiceHistory | None = None) -> State:
    """Return a random state in the information set of a seat, with new random numbers for the future.

    `past` is the history that led to the state; without it the history is not used.
    """
    return SampledWorlds(state, seat, past).sample(generator)


class SampledWorlds:
    """Sampler of the states in the information set of a seat."""

    def __init__(self, state: State, seat: int | None, past: ChoiceHistory | None = None) -> None:
        self._state, self._seat, self._past = state, seat, past
        self._knowledge = state.game.knowledge
        self._remembered, self._variables = self._knowledge.hidden_values_outside_zones(state.cells, seat)
        self._uncounted = self._knowledge.hidden_counts(state.cells, seat)
        self._replay_failed = past is None
        self._random_games: list[list[int]] = []
        self._random_games_left = MAX_RANDOM_GAMES

    @cached_property
    def visibility_mask(self) -> VisibilityMask:
        """The seat's information for backends."""
        return self._knowledge.visibility_mask(self._state.cells, self._seat)

    @property
    def only_zones_hidden(self) -> bool:
        """Return whether all hidden information is in zones, so that redistribution is enough."""
        return not (self._remembered or self._variables or self._uncounted)

    def sample(self, generator: Generator) -> State:
        """Sample one state."""
        if self.only_zones_hidden:
            return self._redistributed(generator)
        return self._replayed(generator) or self._with_random_game(generator)

    # ---- redistribution of zones ----

    def _redistributed(self, generator: Generator) -> State:
        new = self._state.copy()
        determinize_in_place(new.game.backend, new.cells, self.visibility_mask, generator)
        return new

    # ---- hidden information outside zones ----

    def _replayed(self, generator: Generator) -> State | None:
        """Replay the public choices until the seat observes the same at every step; None if that fails."""
        if self._replay_failed or self._past is None:
            return None
        for _ in range(MAX_REPLAYS):
            cells = self._replay(self._past, generator)
            if cells is not None:
                return State(self._state.game, cells)
        self._replay_failed = True
        return None

    def _replay(self, past: ChoiceHistory, generator: Generator) -> list[int] | None:
        game, seat = self._state.game, self._seat
        cells = _unstarted(game, generator)
        try:
            for choice, view in zip((*past, None), past.views(seat), strict=True):
                if run_from(game, cells, seat) != view:
                    return None
                if choice is not None:
                    options = self._indistinguishable_options(cells, choice, past)
                    if not options:
                        return None
                    time = choice.time
                    if self._is_hidden_simultaneous(choice, past):
                        time = random_answer_time(game.backend, cells, time, generator)
                    game.backend.choose(cells, options[generator.below(len(options))], time)
        except RuleFault:
            return None
        return cells

    def _indistinguishable_options(self, cells: list[int], choice: PastChoice, past: ChoiceHistory) -> list[Option]:
        """Return the options that the seat cannot distinguish from the one chosen."""
        options = self._state.game.backend.options(cells)
        if choice.seat == self._seat:
            return [o for o in options if o == choice.option]
        if self._is_hidden_simultaneous(choice, past) or self._knowledge.is_hidden_choice(choice.decision):
            return options
        unseen = self._knowledge.argument_secrecy(choice.decision, choice.option[0])
        chosen = choice.option
        return [
            o
            for o in options
            if o[0] == chosen[0] and all(h or a == b for a, b, h in zip(o[1:], chosen[1:], unseen, strict=True))
        ]

    def _is_hidden_simultaneous(self, choice: PastChoice, past: ChoiceHistory) -> bool:
        """Return whether a choice is another seat's simultaneous one that has not been shown yet."""
        game = self._state.game
        return (
            choice.seat != self._seat
            and choice.decision == self._state.cells[ir.AT_DECISION]
            and game.program.decisions[choice.decision].simultaneous
            and any(choice is c for c in past.choices[-game.seats :])
        )

    def _with_random_game(self, generator: Generator) -> State:
        """Redistribute the zones, and take the rest from a random game at the same decision."""
        new = self._redistributed(generator)
        addresses = [a for s in self._remembered for a in range(s.at, s.at + s.field.width)] + self._variables
        view, options = self._view(self._state.cells)
        for sample in self._games_at_same_decision(generator):
            candidate = new.copy()
            for address in addresses:
                candidate.cells[address] = sample[address]
            self._resize_zones(candidate.cells, sample, generator)
            try:
                if self._view(candidate.cells) == (view, options):
                    return candidate
            except RuleFault:
                continue
        if self._random_games:
            # No random game looks the same: too little information is better than too much.
            sample = self._random_games[generator.below(len(self._random_games))]
            for address in addresses:
                new.cells[address] = sample[address]
            self._resize_zones(new.cells, sample, generator)
        else:
            self._guess(new, generator)
        return new

    def _resize_zones(self, cells: list[int], other: list[int] | None, generator: Generator) -> None:
        """Redistribute zones of unknown size, with the sizes in the state `other`, else with random ones."""
        zones_by_type: dict[Type, list[ZoneCopy]] = {}
        for spot in self._uncounted:
            zones_by_type.setdefault(spot.field.type, []).append(spot)
        for spots in zones_by_type.values():
            before = zone_sizes(cells, spots)
            new_sizes = zone_sizes(other, spots) if other is not None else []
            if sum(new_sizes) != sum(before):
                new_sizes = _random_sizes(before, spots, generator)
            distribute(cells, spots, new_sizes, generator)

    def _games_at_same_decision(self, generator: Generator) -> Iterator[list[int]]:
        """Yield random games at the same decision: new ones within the limit, then those found before."""
        while self._random_games_left:
            self._random_games_left -= 1
            sample = self._random_game(generator)
            if sample is not None:
                self._random_games.append(sample)
                yield sample
        order = list(range(len(self._random_games)))
        generator.shuffle(order)
        yield from (self._random_games[number] for number in order)

    def _view(self, cells: list[int]) -> tuple[object, list[Option]]:
        is_deciding = self._seat == cells[ir.AT_SEAT]
        return self._knowledge.view(cells, self._seat), self._state.game.backend.options(cells) if is_deciding else []

    def _random_game(self, generator: Generator) -> list[int] | None:
        """Play a random game up to the same decision of the same seat; None if it is not reached."""
        game, decision_and_seat = self._state.game, self._state.cells[ir.AT_DECISION : ir.AT_SEAT + 1]
        cells = _unstarted(game, generator)
        try:
            run_on(game.backend, cells)
            for _ in range(MAX_PLAYOUT):
                if cells[ir.AT_DECISION : ir.AT_SEAT + 1] == decision_and_seat:
                    return cells
                options = game.backend.options(cells)
                if not options:
                    return None
                game.backend.choose(cells, options[generator.below(len(options))])
                run_on(game.backend, cells)
        except RuleFault:
            pass
        return None

    def _guess(self, new: State, generator: Generator) -> None:
        """Fill in arbitrary values: random remembered values, random zone sizes, 0 for variables."""
        self._resize_zones(new.cells, None, generator)
        for address in self._variables:
            new.cells[address] = 0
        model = new.game.model
        for spot in self._remembered:
            kind = spot.field.type
            values = range(0 if kind.kind == "number" else model.size(kind, new.game.seats))
            if spot.field.name in model.declared.remembered:
                values = model.declared.remembered[spot.field.name].numbers or values
            # Of a number without written bounds nothing is known.
            values = values or range(2)
            new.cells[spot.at] = values[generator.below(len(values))]


def _unstarted(game: Game, generator: Generator) -> list[int]:
    """Return the state before the first step, with new random numbers."""
    cells = game.backend.start(0)
    reseed(cells, generator.seed())
    return cells


def _random_sizes(before: list[int], spots: list[ZoneCopy], generator: Generator) -> list[int]:
    """Distribute the total at random among zones, within their capacities."""
    total, sizes = sum(before), [0] * len(spots)
    kinds = [(spot.field, spot.field.traits) for spot in spots]
    most = [place.capacity if kind.bounded else 1 if kind.single else total for place, kind in kinds]
    room = [max(n, limit) for n, limit in zip(before, most, strict=True)]
    for _ in range(total):
        free = [number for number, size in enumerate(sizes) if size < room[number]]
        sizes[free[generator.below(len(free))]] += 1
    return sizes
