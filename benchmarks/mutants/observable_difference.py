"""Detection of differences between two games that a reader of the rules could notice.

Ignored are messages, values that only messages use, the origin of points, and decisions without a choice. Options at
which the rules fail are ignored too, since a reader knows that they are illegal. Everything else counts: decisions and
their seats, options, the contents and visibility of zones, and the winners.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from benchmarks.mutants.random_games import GAMES, Move, Played, Series, begin, drawn, take, width
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import RuleFault
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.library import Rules
from wongar_dsl.nlg.prose.game_facts import unread_values


@dataclass(slots=True)
class Seen(Played):
    """Random game with a fingerprint of the noticeable state and the moves at each decision."""

    seen: list[int] = field(default_factory=list)
    moves: list[frozenset[Move]] = field(default_factory=list)


class Noticed(Series[Seen]):
    """Games played under some rules, compared by what players notice."""

    def __init__(self, rules: Rules, games: int = GAMES, sound: bool = True) -> None:
        super().__init__(rules, games, sound)
        #: Fields that only messages use.
        self._unread = unread_values(rules.model)

    def _random(self, game: Game, seed: int) -> Seen:
        played, generator = Seen(game.seats, seed), Generator(seed)
        state, _ = begin(game, seed)
        while True:
            moves = list(_moves(state))
            played.seen.append(self._there(state))
            played.moves.append(frozenset(moves))
            if not moves:
                return played
            played.taken.append(drawn(state, moves, generator))
            take(state, played.taken[-1])

    def _same(self, game: Game, played: Seen) -> bool:
        """Return whether a game proceeds as before, as far as players notice."""
        state, _ = begin(game, played.seed)
        before = _Again(self.rules, played)
        number = 0
        while True:
            offered, moves = frozenset(_moves(state)), played.moves[number]
            if self._there(state) == played.seen[number]:
                if _goes_on(state, offered - moves):
                    return False
                if moves - offered and _goes_on(before.at(number), moves - offered):
                    return False
                if number == len(played.taken):
                    return True
                take(state, played.taken[number])
                number += 1
            # A decision without a choice is not noticed.
            elif len(moves) == 1:
                number += 1
            elif len(playable := _goes_on(state, offered)) == 1:
                take(state, (*playable[0], 0))
            else:
                return False

    def _seen_otherwise(self, game: Game) -> bool:
        """Return whether the zones or their visibility differ."""
        return self._kept(game) != self._kept(self.rules.game(game.seats))

    def _kept(self, game: Game) -> list[tuple[str, object]]:
        return [(place.name, place.seen) for place in game.program.fields if place.name not in self._unread]

    def _there(self, state: State) -> int:
        """Return a fingerprint of the noticeable state, without the moves."""
        decision = state.decision
        prompt = (decision.name, state.seat) if decision is not None else state.winners
        fields = (place for place in state.game.program.fields if place.name not in self._unread)
        return hash((prompt, tuple([_cells(state, place) for place in fields])))


class _Again:
    """Replay of a game, advanced only as far as requested."""

    def __init__(self, rules: Rules, played: Seen) -> None:
        self._rules, self._played = rules, played
        self._state: State | None = None
        self._number = 0

    def at(self, number: int) -> State:
        """Return the game at one of its decisions; the numbers must not decrease."""
        if self._state is None:
            self._state, _ = begin(self._rules.game(self._played.seats), self._played.seed)
        for move in self._played.taken[self._number : number]:
            take(self._state, move)
        self._number = number
        return self._state


def _cells(state: State, field: ir.Field) -> tuple[int, ...]:
    cells = state.cells[field.base : field.base + width(field)]
    if field.kind != "score":
        return tuple(cells)
    # Total points of a seat, over all origins.
    each = len(cells) // field.sizes[0]
    return tuple(sum(cells[start : start + each]) for start in range(0, len(cells), each))


def _moves(state: State) -> Iterator[Move]:
    decision = state.decision
    if decision is not None:
        for option in state.game.backend.options(state.cells):
            yield decision.options[option[0]].name, tuple(option[1:])


def _goes_on(state: State, moves: Iterable[Move]) -> list[Move]:
    """Return the moves at which the rules do not fail, as they do if a move needs something that is missing."""
    playable = []
    for move in moves:
        try:
            take(state.copy(), (*move, 0))
        except RuleFault as fault:
            if fault.fault.code == "R0602":
                continue
        playable.append(move)
    return playable
