"""Why a move cannot be made, said from the rules: what of its conditions fails, with the names of the position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.lower.questions import Questions
from wongar_dsl.model import Local
from wongar_dsl.narration.narrator import Narrator
from wongar_dsl.narration.offering import overall, people
from wongar_dsl.prose.context import Unsayable
from wongar_dsl.prose.reasons import Reason, Reasons, line
from wongar_dsl.text.span import Span


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move cannot be made, as a sentence, and where in the rules that stands: the condition, and the part of it
    that fails."""

    text: str
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Position:
    """What can be asked of a state about an option."""

    state: State
    questions: Questions
    option: ir.OptionSpec

    def value(self, e: s.Expression, given: Mapping[Local, int]) -> int | None:
        """See `Position.value`."""
        program, procedure = self.questions.ask(self.option, e, tuple(given))
        return self.state.ask(program, procedure, tuple(given.values()))


@lru_cache(maxsize=4)
def questions_of(game: Game) -> Questions:
    """What can be asked of the positions of a game; it is kept for the next question."""
    return Questions(game.model, game.seats, game.settings)


def refusal(narrator: Narrator, state: State, move: Move, check: ir.Check, reader: int | None) -> Refusal | None:
    """Why a check of a move fails; `reader` is the seat that is told, and spoken to.  None where there are no words."""
    assert state.decision is not None
    game, option = state.game, state.decision.options[move.option]
    questions = questions_of(game)
    _, offered, condition = questions.needs(option, check)
    parameters = questions.parameters(option)
    reasons = Reasons(
        game.model,
        narrator.words,
        overall(game),
        state.decision.rule,
        game.seats,
        _Position(state, questions, option),
        people(narrator.words, narrator.names, reader),
    )
    unknown = game.knowledge.unknown(state.cells, state.seat)
    for local, address in questions.around(option).items():
        if address in unknown:
            reasons.hide(local)
        else:
            reasons.bind(local, state.cells[address])
    reasons.choose(dict(zip(parameters, move.arguments, strict=True)))
    try:
        if condition is not None:
            reason = reasons.of_condition(condition, parameters)
        else:
            assert offered is not None
            reason = reasons.of_argument(offered, reasons.given[game.model.locals[offered.name]])
    except Unsayable:
        return None
    text = line(reason, narrator.words, narrator.scope)
    return None if text is None else Refusal(text, _places(check, reason))


def _places(check: ir.Check, reason: Reason) -> tuple[Span, ...]:
    return tuple(dict.fromkeys((check.span, reason.node.span)))
