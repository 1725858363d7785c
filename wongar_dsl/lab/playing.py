"""A game by bots, from its deal to its end, each with the luck of its seat; and what each seat gets of the win."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from wongar_dsl import ir
from wongar_dsl.backends import Option, RuleFault
from wongar_dsl.bots import bot, luck, thinking_time, time_luck
from wongar_dsl.engine import Game, State, play_fault
from wongar_dsl.engine.past import Past

Tick = Callable[[], None]


class Moment(NamedTuple):
    """A state, what could be chosen there, and what is: None at the end of a game, and where it is broken off."""

    cells: list[int]
    options: list[Option]
    taken: Option | None


def moments(
    game: Game, kinds: Sequence[str], seed: int, limit: int, tick: Tick, marked: Game | None = None
) -> Iterator[Moment]:
    """Every state of a game by the bots of these kinds, by seat, up to so many decisions.

    The cells are the same list each time: what is given changes with the next one.  With `marked`, play itself goes
    through that game, which notes what it comes to, while what bots try out goes through the other.  `tick` is called
    every now and then.  Raises `PlayFault`.
    """
    marked = marked or game
    backend, bots = marked.backend, [bot(kind) for kind in kinds]
    cells = backend.start(seed)
    past = Past(game, cells.copy())
    try:
        options = backend.advance(cells)
        for number in range(limit):
            if not options:
                break
            tick()
            state, seat = State(game, cells, options), cells[ir.AT_SEAT]
            time = thinking_time(State(marked, cells, options), kinds[seat], time_luck(seed, seat, number))
            move = bots[seat].choose(state, luck(seed, seat, number), past)
            yield Moment(cells, options, move.raw)
            past.add(cells, move.raw, time)
            backend.choose(cells, move.raw, time)
            options = backend.advance(cells)
        yield Moment(cells, options, None)
    except RuleFault as fault:
        raise play_fault(fault) from None


def shares(state: State) -> tuple[float, ...]:
    """What each seat gets of the win; where nobody has won, all have an equal part."""
    seats = range(state.game.seats)
    sharing = state.winners or seats
    return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in seats)
