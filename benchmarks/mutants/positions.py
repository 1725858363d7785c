"""Random games that start at the positions of rule cases.

Games from the setup seldom reach closed maps, empty piles or last turns. A mutant that differs only in such positions
is not equivalent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, product

from benchmarks.mutants.random_games import (
    MUTANT_TIMEOUT_S,
    Endless,
    Games,
    Move,
    Printed,
    Taken,
    drawn,
    go_on,
    limited,
)
from wongar_dsl.compiler.backends.protocol import RuleFault
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine import Game, IllegalMove, State, notation
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.rule_cases.file import Case, CaseError
from wongar_dsl.engine.rule_cases.position_reader import PositionReader
from wongar_dsl.engine.rule_cases.runner import CaseRunner, run_to_play
from wongar_dsl.language.semantics import PLAYER

#: Number of games for each rule case, and the maximum number of decisions in each game.
ROUNDS, MAX_DECISIONS = 3, 60


@dataclass(slots=True)
class LaidOut(Printed):
    """Random game from the position of a case, as written or disturbed, with some of the case's moves first."""

    case: Case | None = None
    disturbed: bool = False
    script: tuple[str, ...] = ()


class Positions(Games):
    """Games that start at the positions of rule cases, in rounds.

    In the first round all moves are random; in the second some moves of the case come first; in further rounds the
    position is also disturbed.

    Games that fail under the original rules are left out.
    """

    longest = MAX_DECISIONS

    def __init__(self, rules: Rules, cases: Sequence[Case], rounds: int = ROUNDS) -> None:
        super().__init__(rules)
        self.cases = [case for case in cases if any(case.positions) and not case.setup]
        self.rounds = rounds

    def _play(self) -> Iterator[Printed]:
        runner = CaseRunner(self.rules.model, self.rules.game)
        generator = Generator(0)
        for turn, case in product(range(self.rounds), self.cases):
            moves = tuple(step.move for step in case.steps if step.move)
            script = moves[: generator.below(len(moves) + 1)] if turn else ()
            try:
                options = tuple((name, runner.setting(name, node)) for name, node in case.options.items())
                played = LaidOut(case.seats, case.seed + turn, [], options, [], case, turn > 1, script)
                with limited(MUTANT_TIMEOUT_S):
                    yield self._through(runner.game(case), played)
            except (RuleFault, Endless, CaseError):
                continue

    def _next(self, state: State, played: Printed, moves: Sequence[Move], generator: Generator) -> Taken:
        assert isinstance(played, LaidOut)
        assert played.case is not None
        number, decision = len(played.taken), state.decision
        if number < len(played.script) and decision is not None:
            text, time = notation.split_time(played.script[number])
            with suppress(IllegalMove):
                move = state.read(PositionReader(state.game, played.case.names).with_seat_numbers(text))
                return decision.options[move.option].name, move.arguments, time or 0
        return drawn(state, moves, generator)

    def _begin(self, game: Game, played: Printed) -> tuple[State, list[object]]:
        assert isinstance(played, LaidOut)
        case = played.case
        assert case is not None
        state = State(game, game.backend.start(played.seed))
        if not run_to_play(game, state, lambda: None):
            raise CaseError("cases.no_play", case.line)
        for position in case.positions:
            PositionReader(game, case.names).lay_out(state, position)
        if played.disturbed:
            disturb(state, Generator(played.seed))
        return state, go_on(state)

    def _seen_otherwise(self, game: Game) -> bool:
        return False


def disturb(state: State, generator: Generator) -> None:
    """Swap the contents of two random copies of a zone: of two players if each has a copy, else of any two."""
    cells = state.cells
    pairs: list[tuple[slice, slice]] = []
    for place in state.game.program.fields:
        if container(place) is None:
            continue
        alike: dict[tuple[int, ...], list[slice]] = {}
        for indices, address in copies(place):
            others = tuple(i for i, kind in zip(indices, place.indices, strict=True) if kind != PLAYER)
            key = others if PLAYER in place.indices else ()
            alike.setdefault(key, []).append(slice(address, address + place.width))
        for group in alike.values():
            pairs += (pair for pair in combinations(group, 2) if cells[pair[0]] != cells[pair[1]])
    if pairs:
        first, second = pairs[generator.below(len(pairs))]
        cells[first], cells[second] = cells[second], cells[first]
