"""How a tie at the end of a game was broken: the line of the ranking that decided, and what it counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl import syntax as s
from wongar_dsl.engine import Game, State
from wongar_dsl.narration.excerpts import Excerpts
from wongar_dsl.narration.narrator import Narrator
from wongar_dsl.narration.refusals import questions_of
from wongar_dsl.words import Tally, Text
from wongar_dsl.words.clause import END


def tie_broken(state: State, narrator: Narrator) -> str:
    """The sentence for the line of the ranking that parted players who were equal before it.

    Empty where the first line decided, where the winners share the victory, and where no ranking found them.
    """
    article = state.game.model.code.winner
    if article is None or len(article.ranking) < 2 or not state.winners:
        return ""
    tied, winners = list(range(state.game.seats)), list(state.winners)
    for number, values in enumerate(_values(state, article)):
        if values is None:
            return ""
        best = (max if article.ranking[number].extreme == "most" else min)(values[seat] for seat in tied)
        left = [seat for seat in tied if values[seat] == best]
        if left == winners:
            return _told(narrator, state.game, number, tied, values) if number else ""
        tied = left
    return ""


def _values(state: State, article: s.Winner) -> Iterator[Sequence[int] | None]:
    """What each line of the ranking counts for each seat; None where that cannot be worked out."""
    questions = questions_of(state.game)
    for number in range(len(article.ranking)):
        program, procedure = questions.measure(article, number)
        values = [state.ask(program, procedure, (seat,)) for seat in range(state.game.seats)]
        known = [value for value in values if value is not None]
        yield known if len(known) == len(values) else None


def _told(narrator: Narrator, game: Game, number: int, tied: Sequence[int], values: Sequence[int]) -> str:
    article = game.model.code.winner
    assert article is not None
    say, ranked = narrator.words.say, article.ranking[number]
    counts = Tally(tuple((narrator.player(seat), values[seat]) for seat in tied))
    if isinstance(ranked.measure, s.Called) and narrator.words.has(f"ties.{ranked.measure.name}", narrator.scope):
        return say(f"ties.{ranked.measure.name}", narrator.scope, n=number + 1, counts=counts)
    rule = Excerpts(game, narrator.words).line("winner", ranked)
    return say("ending.tie", None, rule=Text(END.sub("", rule)), counts=counts) if rule else ""
