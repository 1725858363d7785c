"""One game as toolkits play it: action by action, with the time that answers take, and an end to games without one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from wongar_dsl import ir, library
from wongar_dsl.adapters.actions import Actions
from wongar_dsl.backends import Option, RuleFault, run_on
from wongar_dsl.backends import State as Cells
from wongar_dsl.bots import thinking_time, time_luck
from wongar_dsl.engine import Game, State, play_fault

#: After so many actions a game is broken off.
LONGEST = 5000
#: Where a clock runs, every answer takes as long as the bots of a game with this seed would take for it.
PACE_SEED = 0

#: What a game is worth to a seat: its share of the win, or its score.
Utility = Literal["win", "score"]


def game_of(
    rules: str | Path | Game, seats: int | None = None, settings: Mapping[str, int] | None = None
) -> Game:  # fmt: skip
    """A game by name, by the path of its rule file, or as it is; raises as `wongar_dsl.load` does."""
    if isinstance(rules, Game):
        return rules
    found = library.load(rules)
    return found.game(found.model.players[0] if seats is None else seats, settings)


def worth(state: State, utility: Utility = "win") -> tuple[float, ...]:
    """What the end of a game is worth to each seat.

    For `win`, the winners share it: who wins alone has 1, who loses -1 shared among all others, so that the sum is 0;
    nobody has anything after a draw, or before the end.  Who plays alone has 1 or -1.
    """
    if utility == "score":
        return tuple(float(number) for number in state.scores)
    seats, winners = state.game.seats, state.winners
    if not state.over or (not winners and seats > 1):
        return (0.0,) * seats
    if seats == 1:
        return (1.0 if winners else -1.0,)
    shares = (1 / len(winners) if seat in winners else 0.0 for seat in range(seats))
    return tuple((share * seats - 1) / (seats - 1) for share in shares)


def taken_time(state: State, decided: int) -> int:
    """How long the answer takes that is given after so many others: as long as a bot would, where a clock runs."""
    if state.decision is None or state.decision.clock is None:
        return 0
    return thinking_time(state, "", time_luck(PACE_SEED, state.seat, decided))


def asked_together(game: Game, cells: Cells) -> list[tuple[int, list[Option]]]:
    """The seats that choose at once with the one that decides in a state, itself the first, and the options of each.

    What one of them can choose does not hang on what others have chosen and not yet shown.  Raises `PlayFault`.
    """
    backend, found = game.backend, list[tuple[int, list[Option]]]()
    number = cells[ir.AT_DECISION]
    base, width = next((base, width) for d, base, width, _ in game.program.sealed if d == number)
    cells = cells.copy()
    first = base + cells[ir.AT_SEAT] * width
    while cells[ir.AT_DECISION] == number and (not found or cells[first]):
        try:
            options = backend.options(cells)
        except RuleFault as fault:
            raise play_fault(fault) from None
        found.append((cells[ir.AT_SEAT], options))
        backend.choose(cells, options[0])
        try:
            run_on(backend, cells, dice=_nobody_rolls)
        except (RuleFault, _Shown):
            break
    return found


class _Shown(Exception):
    """All have chosen, and chance goes on."""


def _nobody_rolls(_: int) -> int:
    raise _Shown


class Play:
    """A game under way."""

    def __init__(self, game: Game, actions: Actions, seed: int, longest: int = LONGEST) -> None:
        """Raises `PlayFault` where the rules go wrong, here and in each step."""
        self.actions = actions
        self.state = State(game, game.backend.start(seed))
        #: What is chosen already of an option that is chosen argument by argument.
        self.begun: Option = ()
        #: How many actions were taken, and how many decisions made.
        self.taken = self.decided = 0
        self._longest = longest
        self._options: list[Option] = []
        self._go_on()
        self._list()

    @property
    def over(self) -> bool:
        """Whether the game has ended by its rules."""
        return self.state.over

    @property
    def broken_off(self) -> bool:
        """Whether it was broken off because it is too long."""
        return self.taken >= self._longest and not self.state.over

    @property
    def legal(self) -> list[int]:
        """The actions of the seat that decides, in ascending order; none at the end.  Not to be changed."""
        return self._legal

    def take(self, action: int) -> None:
        """Take an action; raises ValueError for one that is not legal, which changes nothing."""
        if action not in self._legal:
            shown = self.actions.text(action) if 0 <= action < self.actions.size else "unknown"
            raise ValueError(f"action {action} ({shown}) is not legal")
        option, whole = self.actions.taken(action, self.begun)
        if whole:
            self._choose(option)
        else:
            self.begun = option
        self.taken += 1
        self._list()

    def _choose(self, option: Option) -> None:
        state = self.state
        before = state.cells.copy()
        time = taken_time(state, self.decided)
        state.game.backend.choose(state.cells, option, time)
        try:
            self._go_on()
        except BaseException:
            state.cells[:] = before
            raise
        self.begun = ()
        self.decided += 1

    def _go_on(self) -> None:
        """Run to the next decision."""
        try:
            self._options = self.state.game.backend.advance(self.state.cells)
        except RuleFault as fault:
            raise play_fault(fault) from None

    def _list(self) -> None:
        number = self.state.cells[ir.AT_DECISION]
        over = number < 0 or self.taken >= self._longest
        self._legal = [] if over else self.actions.legal(number, self._options, self.begun)
