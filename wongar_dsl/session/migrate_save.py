"""Migration of a saved position to changed rules: the position stays, and play continues under the new rules.

The program counter of the old rules has no meaning in the new ones. So the choices of the save are repeated under the
new rules, as far as they ask for them, up to the current decision. There the position is written value by value. If the
old rules are not available, only the choices are repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine import Game, IllegalMove, PlayFault, State
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.match import Match, ResumePoint, Seat
from wongar_dsl.engine.rule_cases.file import CaseError, CaseFailure
from wongar_dsl.engine.rule_cases.position_reader import PositionReader
from wongar_dsl.engine.rule_cases.position_writer import Data, full_position, inline_yaml, position_difference
from wongar_dsl.engine.saves import SaveContents, initial_state, resume_state

#: Maximum number of old decisions skipped at once, and of additional decisions made under the new rules.
MAX_LOOKAHEAD, MAX_EXTRA_MOVES = 12, 200


@dataclass(frozen=True, slots=True)
class Incompatibility:
    """Part of a save that does not fit the new rules: `reason` and `arguments` are for the message.

    `failure` explains what is wrong with the contents of the field `name`; `illegal` why a choice is illegal in
    `state`.
    """

    reason: str
    name: str = ""
    number: int = 0
    failure: CaseFailure | None = None
    illegal: IllegalMove | None = None
    state: State | None = None


class IncompatibleSaveError(Exception):
    """Save that does not fit the new rules; `misfits` lists all reasons."""

    def __init__(self, *misfits: Incompatibility) -> None:
        self.misfits = misfits
        super().__init__(misfits)


def lay_out_position(state: State, position: Mapping[str, object]) -> None:
    """Write a position given by names into a state; raise ValueError if it is invalid."""
    try:
        PositionReader(state.game).lay_out(state, {name: inline_yaml(_data(part)) for name, part in position.items()})
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


def migrate(game: Game, rules_hash: str, saved: SaveContents, seats: Sequence[Seat], old: Match | None) -> Match:
    """Return a match under new rules that starts at a saved position; raise `IncompatibleSaveError` if that is
    impossible.

    `old` is the match under its own rules, or None if these are not available.
    """
    try:
        migration = _SaveMigration(game, saved)
        if old is None:
            migration.all_choices()
        elif old.state.over:
            raise IncompatibleSaveError(Incompatibility("over"))
        else:
            migration.match_decision(old)
        begun = ResumePoint(saved.streams, tuple(migration.steps))
        # Resuming the new save does the same later; this run finds its errors now.
        first = resume_state(game, initial_state(game, saved), begun, lay_out_position)
        if not State(game, first).legal_moves():
            raise IncompatibleSaveError(Incompatibility("no_option"))
    except (PlayFault, ValueError) as error:
        raise IncompatibleSaveError(Incompatibility("fault")) from error
    match = Match(game, seats, saved.seed, rules_hash, first, begun)
    match.thought = saved.thought
    return match


def _position_for(game: Game, cells: list[int], other: Game) -> dict[str, Data]:
    """Return the whole position by names, to be written under `other` rules; without empty zones that these lack."""
    return {
        name: data
        for name, data in full_position(game, cells).items()
        if name in other.fields or not _is_empty(game.fields[name], cells)
    }


def _is_empty(field: ir.Field, cells: list[int]) -> bool:
    zone = container(field)
    return zone is not None and not any(zone.size(cells, address, field.width) for _, address in copies(field))


class _SaveMigration:
    """Game under the new rules on its way to the saved position; `steps` are those of the new save."""

    def __init__(self, game: Game, saved: SaveContents) -> None:
        self.game, self.saved = game, saved
        self.reader = PositionReader(game)
        self.state = State(game, initial_state(game, saved))
        self.state.proceed()
        self.steps: list[Mapping[str, object]] = list(saved.begun)
        try:
            self.state.cells = resume_state(
                game, initial_state(game, saved), ResumePoint(saved.streams, saved.begun), lay_out_position
            )
        except (PlayFault, ValueError):
            # The starting position of the save does not fit the new rules; start with the deal instead.
            self.steps.clear()

    def _take(self, text: str, time: int = 0) -> None:
        """Make a choice; raise `IllegalMove` and leave the state unchanged if it is illegal."""
        self.state.apply(self.state.read(text), time=time)
        self.steps.append({"take": text, "time": time} if time else {"take": text})

    def _pending(self) -> tuple[str, int] | None:
        return (self.state.decision.name, self.state.seat) if self.state.decision is not None else None

    # ---- the choices ----

    def all_choices(self) -> None:
        """Repeat all choices of the save."""
        for number, (text, time) in enumerate(self.saved.choices, 1):
            try:
                self._take(text, time)
            except IllegalMove as error:
                raise IncompatibleSaveError(
                    Incompatibility("choice", text, number, illegal=error, state=self.state)
                ) from None
        if self.state.over:
            raise IncompatibleSaveError(Incompatibility("over"))

    def match_decision(self, old: Match) -> None:
        """Advance to the saved decision and write the position; raise `IncompatibleSaveError` with all misfits."""
        try:
            self._replay_choices(old)
        except IncompatibleSaveError as error:
            raise IncompatibleSaveError(
                *error.misfits, *self._write_fitting_fields(_position_for(old.game, old.state.cells, self.game))
            ) from None
        self._write_position(old)

    def _replay_choices(self, old: Match) -> None:
        """Advance to the saved decision, repeating choices, and making others where the new rules ask for more."""
        expected = [(step.decision.name, step.seat) for step in old.steps]
        assert old.state.decision is not None
        expected.append((old.state.decision.name, old.state.seat))
        number = extra_moves = 0
        while True:
            decision = self._pending()
            if decision is None or extra_moves > MAX_EXTRA_MOVES:
                raise IncompatibleSaveError(Incompatibility("never_asked", expected[-1][0], expected[-1][1] + 1))
            if decision != expected[number]:
                later = range(number + 1, min(number + MAX_LOOKAHEAD, len(expected)))
                match = next((index for index in later if expected[index] == decision), None)
                if match is None:
                    extra_moves += 1
                    self._take_any("")
                    continue
                number = match
            if number == len(old.steps):
                return
            self._take_as(old, number)
            number += 1

    def _take_as(self, old: Match, number: int) -> None:
        """Repeat the choice of a step, if necessary in its old position; if still illegal, make another one."""
        step = old.steps[number]
        try:
            self._take(step.text, step.time)
        except IllegalMove:
            self._write_fitting_fields(_position_for(old.game, old.state_before(number), self.game))
            try:
                self._take(step.text, step.time)
            except IllegalMove:
                self._take_any(step.text.partition("(")[0])

    def _take_any(self, option: str) -> None:
        """Make any choice, of the named option if it is available."""
        texts = [self.state.write(move) for move in self.state.legal_moves()]
        if not texts:
            raise IncompatibleSaveError(Incompatibility("no_option"))
        self._take(next((text for text in texts if text.partition("(")[0] == option), texts[0]))

    # ---- position ----

    def _write_fitting_fields(self, position: Mapping[str, Data]) -> list[Incompatibility]:
        """Write a position field by field; return what does not fit."""
        before, misfits = self.state.cells.copy(), []
        for name, data in position.items():
            trial = self.state.copy()
            part = {name: inline_yaml(data)}
            try:
                self.reader.lay_out(trial, part)
                failures = list(self.reader.compare(trial, part))
                self.state.cells = trial.cells
            except CaseError as error:
                failures = [error.finding]
            misfits += [Incompatibility("place", name, failure=failure) for failure in failures]
        laid = position_difference(self.game, before, self.state.cells)
        if laid:
            self.steps.append({"lay": laid})
        return misfits

    def _write_position(self, old: Match) -> None:
        """Write the whole position of the save, with its random state."""
        misfits = self._write_fitting_fields(_position_for(old.game, old.state.cells, self.game))
        if misfits:
            raise IncompatibleSaveError(*misfits)
        cells = old.state.cells
        self.steps.append({"chance": [cells[ir.AT_CHANCE], cells[ir.AT_STEP], cells[ir.AT_PLAY_CHANCE]]})
