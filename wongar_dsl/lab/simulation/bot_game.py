"""Games between bots from the deal to the end, with a random stream for each seat, and the win shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, RuleFault
from wongar_dsl.engine import Game, State, play_fault
from wongar_dsl.engine.bots import bot, decision_rng, thinking_time, time_rng
from wongar_dsl.engine.undo.history import ChoiceHistory

Tick = Callable[[], None]


class BotMoment(NamedTuple):
    """State, its options, and the option taken; None at the end of a game or when it is stopped."""

    cells: list[int]
    options: list[Option]
    taken: Option | None


def bot_moments(
    game: Game, kinds: Sequence[str], seed: int, limit: int, tick: Tick, marked: Game | None = None
) -> Iterator[BotMoment]:
    """Yield every state of a game between bots of these kinds, by seat, up to `limit` decisions.

    The cells are one list that changes with the next item. With `marked`, that game is played, and records its marks,
    while the bots search in the other one. `tick` is called regularly. Raise `PlayFault` for a fault in the rules.
    """
    marked = marked or game
    backend, bots = marked.backend, [bot(kind) for kind in kinds]
    cells = backend.start(seed)
    past = ChoiceHistory(game, cells.copy())
    try:
        options = backend.advance(cells)
        for number in range(limit):
            if not options:
                break
            tick()
            state, seat = State(game, cells, options), cells[ir.AT_SEAT]
            time = thinking_time(State(marked, cells, options), kinds[seat], time_rng(seed, seat, number))
            move = bots[seat].choose(state, decision_rng(seed, seat, number), past)
            yield BotMoment(cells, options, move.raw)
            past.add(cells, move.raw, time)
            backend.choose(cells, move.raw, time)
            options = backend.advance(cells)
        yield BotMoment(cells, options, None)
    except RuleFault as fault:
        raise play_fault(fault) from None


def win_shares(state: State) -> tuple[float, ...]:
    """Return the win share of each seat; without a winner all shares are equal."""
    seats = range(state.game.seats)
    sharing = state.winners or seats
    return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in seats)
