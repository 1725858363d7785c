"""Explanation of a broken tie: the deciding line of the ranking, with its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.engine import Game, State
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.narration.excerpts import RuleExcerpts
from wongar_dsl.nlg.narration.illegal_move_reasons import queries_of
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.words import Text, ValueList
from wongar_dsl.nlg.words.clause import END


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
