"""Single game played by action numbers, with answer times and a maximum length."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from wongar_dsl.adapters.actions import Actions
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import Option, RuleFault, run_on
from wongar_dsl.compiler.backends import State as Cells
from wongar_dsl.engine import Game, State, library, play_fault
from wongar_dsl.engine.bots import thinking_time, time_rng

#: Number of actions after which a game is truncated.
MAX_ACTIONS = 5000
#: Seed of the bots whose thinking times are used as answer times in timed games.
PACE_SEED = 0

#: Utility of a game for a seat: its share of the win, or its score.
Utility = Literal["win", "score"]


def game_of(
    rules: str | Path | Game, seats: int | None = None, settings: Mapping[str, int] | None = None
) -> Game:  # fmt: skip
    """Return a game by name or path of its rule file; a `Game` is returned unchanged.

    Raises as `wongar_dsl.load` does.
    """
    if isinstance(rules, Game):
        return rules
    rule_file = library.load(rules)
    return rule_file.game(rule_file.model.players[0] if seats is None else seats, settings)


def payoffs(state: State, utility: Utility = "win") -> tuple[float, ...]:
    """Return the utility of a finished game for each seat.

    For `win` the winners share 1, and the losers share the negative, so that the sum is 0.  All have 0 after a draw and
    before the end.  A single player has 1 or -1.
    """
    if utility == "score":
        return tuple(float(score) for score in state.scores)
    seats, winners = state.game.seats, state.winners
    if not state.over or (not winners and seats > 1):
        return (0.0,) * seats
    if seats == 1:
        return (1.0 if winners else -1.0,)
    shares = (1 / len(winners) if seat in winners else 0.0 for seat in range(seats))
    return tuple((share * seats - 1) / (seats - 1) for share in shares)


def answer_time(state: State, decided: int) -> int:
    """Return the answer time in ms of an agent: the thinking time of a bot if a clock runs, otherwise 0.

    `decided` is the number of earlier decisions, which selects the random number.
    """
    if state.decision is None or state.decision.clock is None:
        return 0
    return thinking_time(state, "", time_rng(PACE_SEED, state.seat, decided))


def simultaneous_seats(game: Game, cells: Cells) -> list[tuple[int, list[Option]]]:
    """Return the seats that act simultaneously, beginning with the current one, with the options of each.

    The options do not depend on choices that others have made and not yet revealed.  Raises `PlayFault`.
    """
    backend, seats = game.backend, list[tuple[int, list[Option]]]()
    decision = cells[ir.AT_DECISION]
    base, width = next((base, width) for d, base, width, _ in game.program.simultaneous_cells if d == decision)
    cells = cells.copy()
    first = base + cells[ir.AT_SEAT] * width
    while cells[ir.AT_DECISION] == decision and (not seats or cells[first]):
        try:
            options = backend.options(cells)
        except RuleFault as fault:
            raise play_fault(fault) from None
        seats.append((cells[ir.AT_SEAT], options))
        backend.choose(cells, options[0])
        try:
            run_on(backend, cells, dice=_stop_at_chance)
        except (RuleFault, _ChoicesRevealed):
            break
    return seats


class _ChoicesRevealed(Exception):
    """Raised when all seats have chosen and the next step draws chance."""


def _stop_at_chance(_: int) -> int:
    raise _ChoicesRevealed


class Episode:
    """Game in progress.  All methods that run the rules raise `PlayFault` if these fail."""

    def __init__(self, game: Game, actions: Actions, seed: int, longest: int = MAX_ACTIONS) -> None:
        """Start the game and run to the first decision."""
        self.actions = actions
        self.state = State(game, game.backend.start(seed))
        #: Arguments chosen so far of an option that is chosen argument by argument.
        self.begun: Option = ()
        #: Number of actions, and of completed decisions.
        self.taken = self.decided = 0
        self._longest = longest
        self._options: list[Option] = []
        self._advance()
        self._update_legal()

    @property
    def over(self) -> bool:
        """True if the game has ended by its rules."""
        return self.state.over

    @property
    def truncated(self) -> bool:
        """True if the game was truncated for its length."""
        return self.taken >= self._longest and not self.state.over

    @property
    def legal(self) -> list[int]:
        """Legal actions in ascending order; empty at the end.  Callers must not modify the list."""
        return self._legal

    def take(self, action: int) -> None:
        """Apply an action.  Raises ValueError for an illegal action; the game has not changed then."""
        if action not in self._legal:
            text = self.actions.text(action) if 0 <= action < self.actions.size else "unknown"
            raise ValueError(f"action {action} ({text}) is not legal")
        option, is_complete = self.actions.decode(action, self.begun)
        if is_complete:
            self._choose(option)
        else:
            self.begun = option
        self.taken += 1
        self._update_legal()

    def _choose(self, option: Option) -> None:
        state = self.state
        cells_before = state.cells.copy()
        time = answer_time(state, self.decided)
        state.game.backend.choose(state.cells, option, time)
        try:
            self._advance()
        except BaseException:
            state.cells[:] = cells_before
            raise
        self.begun = ()
        self.decided += 1

    def _advance(self) -> None:
        try:
            self._options = self.state.game.backend.advance(self.state.cells)
        except RuleFault as fault:
            raise play_fault(fault) from None

    def _update_legal(self) -> None:
        decision = self.state.cells[ir.AT_DECISION]
        over = decision < 0 or self.taken >= self._longest
        self._legal = [] if over else self.actions.legal(decision, self._options, self.begun)
