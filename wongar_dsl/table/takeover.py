"""A saved position under other rules: what lies on the table stays as it is, and play goes on by the new rules.

In the middle of which rule a game stands cannot be carried from one set of rules to another.  So the choices of the
save are made again under the new ones, as far as they ask for them, until the decision at hand comes; there everything
is laid out value by value.  Where the old rules are not known any more, the choices are all there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.cases.descriptions import laid_over, whole
from wongar_dsl.cases.file import CaseError, CaseFailure
from wongar_dsl.cases.positions import PositionReader
from wongar_dsl.cases.writer import Data, node
from wongar_dsl.engine import Game, IllegalMove, PlayFault, State
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.engine.match import Begun, Match, Seat
from wongar_dsl.engine.saves import Saved, come_to, dealt
from wongar_dsl.ir.containers import container

#: So far ahead a decision is looked for that the new rules ask for sooner, and so many are made that they ask beside.
AHEAD, BESIDE = 12, 200


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing of a save that has no place under other rules: `reason` and `arguments` are for the message.

    `failure` says what is wrong with what lies in the place `name`, `illegal` why a choice cannot be made in `state`.
    """

    reason: str
    name: str = ""
    number: int = 0
    failure: CaseFailure | None = None
    illegal: IllegalMove | None = None
    state: State | None = None


class MisfitError(Exception):
    """A save that does not fit other rules; `misfits` are all that was found."""

    def __init__(self, *misfits: Misfit) -> None:
        self.misfits = misfits
        super().__init__(misfits)


def lay(state: State, position: Mapping[str, object]) -> None:
    """Lay out a position that is written by names; raises ValueError for one that means nothing."""
    try:
        PositionReader(state.game).lay(state, {name: node(_data(part)) for name, part in position.items()})
    except CaseError as error:
        raise ValueError(str(error)) from None


def _data(part: object) -> Data:
    if isinstance(part, list):
        return [_data(item) for item in part]
    if isinstance(part, dict):
        return {str(key): _data(value) for key, value in part.items()}
    if not isinstance(part, str):
        raise ValueError("a position is made of texts")
    return part


def take_over(game: Game, rules_hash: str, saved: Saved, seats: Sequence[Seat], old: Match | None) -> Match:
    """A match under other rules that begins where a save stands; raises `MisfitError`.

    `old` is the match of the save under its own rules, None where these are not known.
    """
    try:
        taken = _Takeover(game, saved)
        if old is None:
            taken.all_choices()
        elif old.state.over:
            raise MisfitError(Misfit("over"))
        else:
            taken.come_along(old)
        begun = Begun(saved.streams, tuple(taken.steps))
        # What a save will do with it later is done once now.
        first = come_to(game, dealt(game, saved), begun, lay)
        if not State(game, first).legal_moves():
            raise MisfitError(Misfit("no_option"))
    except (PlayFault, ValueError) as error:
        raise MisfitError(Misfit("fault")) from error
    match = Match(game, seats, saved.seed, rules_hash, first, begun)
    match.thought = saved.thought
    return match


def _on_the_table(game: Game, cells: list[int], other: Game) -> dict[str, Data]:
    """All that lies on the table; zones in which nothing lies only where the other rules have them too."""
    return {
        name: data
        for name, data in whole(game, cells).items()
        if name in other.fields or not _is_empty(game.fields[name], cells)
    }


def _is_empty(place: ir.Field, cells: list[int]) -> bool:
    zone = container(place)
    return zone is not None and not any(zone.size(cells, at, place.width) for _, at in copies(place))


class _Takeover:
    """The same game under other rules, as it comes to the position."""

    def __init__(self, game: Game, saved: Saved) -> None:
        self.game, self.saved = game, saved
        self.reader = PositionReader(game)
        self.state = State(game, dealt(game, saved))
        self.state.proceed()
        self.steps: list[Mapping[str, object]] = list(saved.begun)
        try:
            self.state.cells = come_to(game, dealt(game, saved), Begun(saved.streams, saved.begun), lay)
        except (PlayFault, ValueError):
            # How the save itself began is nothing to the new rules; then it is begun with the deal.
            self.steps.clear()

    def _take(self, text: str, time: int = 0) -> None:
        """Make a choice; raises `IllegalMove`, and then nothing has happened."""
        self.state.apply(self.state.read(text), time=time)
        self.steps.append({"take": text, "time": time} if time else {"take": text})

    def _asked(self) -> tuple[str, int] | None:
        return (self.state.decision.name, self.state.seat) if self.state.decision is not None else None

    # ---- the choices ----

    def all_choices(self) -> None:
        """Make all the choices of the save, one after the other."""
        for number, (text, time) in enumerate(self.saved.choices, 1):
            try:
                self._take(text, time)
            except IllegalMove as error:
                raise MisfitError(Misfit("choice", text, number, illegal=error, state=self.state)) from None
        if self.state.over:
            raise MisfitError(Misfit("over"))

    def come_along(self, old: Match) -> None:
        """Come to the decision at hand and lay out what lies there; raises `MisfitError` with all that does not fit."""
        try:
            self._along(old)
        except MisfitError as error:
            raise MisfitError(
                *error.misfits, *self._lay_what_fits(_on_the_table(old.game, old.state.cells, self.game))
            ) from None
        self._lay_out(old)

    def _along(self, old: Match) -> None:
        """Come to the decision at hand: make the choices that the new rules ask for, and others where they ask more."""
        wanted = [(step.decision.name, step.seat) for step in old.steps]
        assert old.state.decision is not None
        wanted.append((old.state.decision.name, old.state.seat))
        number = beside = 0
        while True:
            asked = self._asked()
            if asked is None or beside > BESIDE:
                raise MisfitError(Misfit("never_asked", wanted[-1][0], wanted[-1][1] + 1))
            if asked != wanted[number]:
                later = range(number + 1, min(number + AHEAD, len(wanted)))
                found = next((at for at in later if wanted[at] == asked), None)
                if found is None:
                    beside += 1
                    self._take_any("")
                    continue
                number = found
            if number == len(old.steps):
                return
            self._take_as(old, number)
            number += 1

    def _take_as(self, old: Match, number: int) -> None:
        """Make the choice of a step: in its position, if need be; where the new rules forbid it even there, another."""
        step = old.steps[number]
        try:
            self._take(step.text, step.time)
        except IllegalMove:
            self._lay_what_fits(_on_the_table(old.game, old.before(number), self.game))
            try:
                self._take(step.text, step.time)
            except IllegalMove:
                self._take_any(step.text.partition("(")[0])

    def _take_any(self, option: str) -> None:
        """Make some choice, of an option of a name if it is there."""
        texts = [self.state.write(move) for move in self.state.legal_moves()]
        if not texts:
            raise MisfitError(Misfit("no_option"))
        self._take(next((text for text in texts if text.partition("(")[0] == option), texts[0]))

    # ---- the table ----

    def _lay_what_fits(self, position: Mapping[str, Data]) -> list[Misfit]:
        """Lay out a position, place by place; gives what has no place."""
        before, misfits = self.state.cells.copy(), []
        for name, data in position.items():
            trial = self.state.copy()
            part = {name: node(data)}
            try:
                self.reader.lay(trial, part)
                misfits += [Misfit("place", name, failure=failure) for failure in self.reader.compare(trial, part)]
            except CaseError as error:
                misfits.append(Misfit("place", name, failure=error.finding))
                continue
            self.state.cells = trial.cells
        laid = laid_over(self.game, before, self.state.cells)
        if laid:
            self.steps.append({"lay": laid})
        return misfits

    def _lay_out(self, old: Match) -> None:
        """Lay out all that lies on the table of the save, and let chance go on as it would there."""
        misfits = self._lay_what_fits(_on_the_table(old.game, old.state.cells, self.game))
        if misfits:
            raise MisfitError(*misfits)
        cells = old.state.cells
        self.steps.append({"chance": [cells[ir.AT_CHANCE], cells[ir.AT_STEP], cells[ir.AT_PLAY_CHANCE]]})
