"""Reasons generated from the rules: why a move is illegal, and which line of the ranking broke a tie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from wongar_dsl.base.span import Span
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.lowering.game import AdHocExpressions
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local
from wongar_dsl.nlg.narration.excerpts import RuleExcerpts
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.narration.option_text import players_as_spoken_of
from wongar_dsl.nlg.prose.content.options import ReasonSearch, line
from wongar_dsl.nlg.prose.context import NotVerbalisable
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
    players = players_as_spoken_of(narrator.words, narrator.names, reader)
    reasons = ReasonSearch(game.model, narrator.words, state.decision.rule, game.seats, position, players)
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
    places = tuple(dict.fromkeys((check.span, reason.node.span)))
    return None if text is None else IllegalMoveReason(text, places, reason.depth, reason.lasting)


def tie_break_text(state: State, narrator: Narrator) -> str:
    """Return the sentence for the ranking line that separated players who were tied before it.

    Empty if the first line decided, if the winners share the victory, or if no ranking determined them.
    """
    article = state.game.model.code.winner
    if article is None or len(article.ranking) < 2 or not state.winners:
        return ""
    tied, queries = list(range(state.game.seats)), queries_of(state.game)
    for number, ranked in enumerate(article.ranking):
        program, procedure = queries.with_criterion(article, number)
        answers = (state.ask(program, procedure, (seat,)) for seat in range(state.game.seats))
        values = [value for value in answers if value is not None]
        if len(values) < state.game.seats:
            return ""
        best = (max if ranked.extreme == "most" else min)(values[seat] for seat in tied)
        remaining = [seat for seat in tied if values[seat] == best]
        if remaining == list(state.winners):
            counts = ValueList(tuple((narrator.player(seat), values[seat]) for seat in tied))
            return _tie_sentence(narrator, ranked, number, counts) if number else ""
        tied = remaining
    return ""


def _tie_sentence(narrator: Narrator, ranked: s.RankingLine, number: int, counts: ValueList) -> str:
    say = narrator.words.say
    if isinstance(ranked.measure, s.Called) and narrator.words.has(f"ties.{ranked.measure.name}", narrator.scope):
        return say(f"ties.{ranked.measure.name}", narrator.scope, n=number + 1, counts=counts)
    rule = RuleExcerpts(narrator.game, narrator.words).line("winner", ranked)
    return say("ending.tie", None, rule=Text(END.sub("", rule)), counts=counts) if rule else ""
