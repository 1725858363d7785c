"""Reasons for illegal moves, generated from the rules: the failing part of a condition, with values of the position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from wongar_dsl.base.span import Span
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.lowering.adhoc_expressions import AdHocExpressions
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local
from wongar_dsl.nlg.narration.excerpts import RuleExcerpts
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.narration.option_text import players_as_spoken_of
from wongar_dsl.nlg.prose.content.why_not import Reason, ReasonSearch, line
from wongar_dsl.nlg.prose.context import NotVerbalisable
from wongar_dsl.nlg.prose.game_facts import GameFacts
from wongar_dsl.nlg.words import Text, ValueList
from wongar_dsl.nlg.words.clause import END


@dataclass(frozen=True, slots=True)
class IllegalMoveReason:
    """The reason for an illegal move as a sentence, and its spans: the condition and the part that fails.

    `depth` and `lasting` are those of `Reason`.
    """

    text: str
    places: tuple[Span, ...]
    depth: tuple[int, ...]
    lasting: bool


@dataclass(frozen=True, slots=True)
class _OptionPosition:
    """Evaluator of expressions in a state, for an option."""

    state: State
    queries: AdHocExpressions
    option: ir.OptionSpec

    def value(self, e: s.Expression, given: Mapping[Local, int]) -> int | None:
        """See `DecisionPosition.value` in `why_not`."""
        program, procedure = self.queries.with_expression(self.option, e, tuple(given))
        return self.state.ask(program, procedure, tuple(given.values()))


@lru_cache(maxsize=4)
def queries_of(game: Game) -> AdHocExpressions:
    """Return the cached query compiler for the positions of a game."""
    return AdHocExpressions(game.model, game.seats, game.settings)


def illegal_move_reason(
    narrator: Narrator, state: State, move: Move, check: ir.OptionCheck, reader: int | None
) -> IllegalMoveReason | None:
    """Return the reason why a check of a move fails, addressed to the seat `reader`; None if there are no words."""
    assert state.decision is not None
    game, option = state.game, state.decision.options[move.option]
    queries = queries_of(game)
    conditions = queries.option_conditions(option)
    offered, condition = conditions[option.checks.index(check)]
    parameters = queries.parameters(option)
    position = _OptionPosition(state, queries, option)
    reasons = ReasonSearch(
        game.model,
        narrator.words,
        GameFacts.of(game.model),
        state.decision.rule,
        game.seats,
        position,
        players_as_spoken_of(narrator.words, narrator.names, reader),
    )
    unknown = game.knowledge.unknown(state.cells, state.seat)
    for local, address in queries.enclosing_names(option).items():
        if address in unknown:
            reasons.hide(local)
        else:
            reasons.bind(local, state.cells[address])
    reasons.choose(dict(zip(parameters, move.arguments, strict=True)))
    try:
        if condition is not None:
            # Which of several conditions on hidden information fails would reveal some of it.
            hidden = [c for _, c in conditions if c is not None and position.value(c, reasons.given) is None]
            several_hidden = condition in hidden and len(hidden) > 1
            reason = reasons.of_condition(
                s.Logical(condition.span, "and", tuple(hidden)) if several_hidden else condition
            )
        else:
            assert offered is not None
            reason = reasons.of_argument(offered, reasons.given[game.model.locals[offered.name]])
    except NotVerbalisable:
        return None
    text = line(reason, narrator.words, narrator.scope)
    return None if text is None else IllegalMoveReason(text, _places(check, reason), reason.depth, reason.lasting)


def _places(check: ir.OptionCheck, reason: Reason) -> tuple[Span, ...]:
    return tuple(dict.fromkeys((check.span, reason.node.span)))


def tie_break_text(state: State, narrator: Narrator) -> str:
    """Return the sentence for the ranking line that separated players who were tied before it.

    Empty if the first line decided, if the winners share the victory, or if no ranking determined them.
    """
    article = state.game.model.code.winner
    if article is None or len(article.ranking) < 2 or not state.winners:
        return ""
    tied, winners = list(range(state.game.seats)), list(state.winners)
    for number, values in enumerate(_values(state, article)):
        if values is None:
            return ""
        best = (max if article.ranking[number].extreme == "most" else min)(values[seat] for seat in tied)
        remaining = [seat for seat in tied if values[seat] == best]
        if remaining == winners:
            return _sentence(narrator, state.game, number, tied, values) if number else ""
        tied = remaining
    return ""


def _values(state: State, article: s.Winner) -> Iterator[Sequence[int] | None]:
    """Yield the value of each ranking line by seat; None if it cannot be computed."""
    queries = queries_of(state.game)
    for number in range(len(article.ranking)):
        program, procedure = queries.with_criterion(article, number)
        values = [state.ask(program, procedure, (seat,)) for seat in range(state.game.seats)]
        complete = [value for value in values if value is not None]
        yield complete if len(complete) == len(values) else None


def _sentence(narrator: Narrator, game: Game, number: int, tied: Sequence[int], values: Sequence[int]) -> str:
    article = game.model.code.winner
    assert article is not None
    say, ranked = narrator.words.say, article.ranking[number]
    counts = ValueList(tuple((narrator.player(seat), values[seat]) for seat in tied))
    if isinstance(ranked.measure, s.Called) and narrator.words.has(f"ties.{ranked.measure.name}", narrator.scope):
        return say(f"ties.{ranked.measure.name}", narrator.scope, n=number + 1, counts=counts)
    rule = RuleExcerpts(game, narrator.words).line("winner", ranked)
    return say("ending.tie", None, rule=Text(END.sub("", rule)), counts=counts) if rule else ""
