"""Whether two games differ in anything that somebody who has read the rules could notice.

What is only told makes no difference, nor what only messages speak of, nor where points are listed; nor that somebody
is asked who has no choice; nor an option at which the rules break off: whoever reads them knows that it cannot be
taken.  All else does: who is asked what, what can be chosen, what lies where and who may see it, and who wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from benchmarks.mutants.playing import GAMES, Move, Played, Series, begin, drawn, take, width
from wongar_dsl import ir
from wongar_dsl.backends.chance import Generator
from wongar_dsl.backends.protocol import RuleFault
from wongar_dsl.engine import Game, State
from wongar_dsl.library import Rules
from wongar_dsl.prose.overall import untold


@dataclass(slots=True)
class Seen(Played):
    """A random game with what there is to be noticed at each decision, and the moves there."""

    seen: list[int] = field(default_factory=list)
    moves: list[frozenset[Move]] = field(default_factory=list)


class Noticed(Series[Seen]):
    """Games played with some rules, as players notice them."""

    def __init__(self, rules: Rules, games: int = GAMES, sound: bool = True) -> None:
        super().__init__(rules, games, sound)
        #: What only messages speak of, nobody notices.
        self._unread = untold(rules.model)

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
        """Whether a game goes as it did, as far as anybody notices."""
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
            # Who has no choice does not notice that somebody asks.
            elif len(moves) == 1:
                number += 1
            elif len(left := _goes_on(state, offered)) == 1:
                take(state, (*left[0], 0))
            else:
                return False

    def _seen_otherwise(self, game: Game) -> bool:
        """Whether there is anything else, or others may see it."""
        return self._kept(game) != self._kept(self.rules.game(game.seats))

    def _kept(self, game: Game) -> list[tuple[str, object]]:
        return [(place.name, place.seen) for place in game.program.fields if place.name not in self._unread]

    def _there(self, state: State) -> int:
        """A fingerprint of what there is to be noticed besides the moves."""
        decision = state.decision
        asked = (decision.name, state.seat) if decision is not None else state.winners
        fields = (place for place in state.game.program.fields if place.name not in self._unread)
        return hash((asked, tuple([_cells(state, place) for place in fields])))


class _Again:
    """A game played once more as it was, as far as anybody asks."""

    def __init__(self, rules: Rules, played: Seen) -> None:
        self._rules, self._played = rules, played
        self._state: State | None = None
        self._number = 0

    def at(self, number: int) -> State:
        """The game at one of its decisions; each one asked for comes after those before."""
        if self._state is None:
            self._state, _ = begin(self._rules.game(self._played.seats), self._played.seed)
        for move in self._played.taken[self._number : number]:
            take(self._state, move)
        self._number = number
        return self._state


def _cells(state: State, place: ir.Field) -> tuple[int, ...]:
    cells = state.cells[place.base : place.base + width(place)]
    if place.kind != "score":
        return tuple(cells)
    # How many points somebody has, wherever they come from.
    each = len(cells) // place.sizes[0]
    return tuple(sum(cells[at : at + each]) for at in range(0, len(cells), each))


def _moves(state: State) -> Iterator[Move]:
    decision = state.decision
    if decision is not None:
        for option in state.game.backend.options(state.cells):
            yield decision.options[option[0]].name, tuple(option[1:])


def _goes_on(state: State, moves: Iterable[Move]) -> list[Move]:
    """The moves at which the rules do not break off, as they do where a move takes away what is not there."""
    found = []
    for move in moves:
        try:
            take(state.copy(), (*move, 0))
        except RuleFault as fault:
            if fault.fault.code == "R0602":
                continue
        found.append(move)
    return found
