"""Text of tutorial hints for every front end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from wongar_dsl.engine import IllegalMove, Move
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.excerpts import RuleExcerpts, TextParagraph
from wongar_dsl.nlg.narration.illegal_move import citations
from wongar_dsl.nlg.words.locale import scope_of
from wongar_dsl.session.board.board_refs import BoardArea, areas_of_move
from wongar_dsl.session.tutorial.lesson_check import LEARNER_SLOT
from wongar_dsl.session.tutorial.tutorial import LEARNER, Tutorial, TutorialHint


class TutorialText:
    """Text of the hints of a tutorial for the learner of a match, in the narrator's language."""

    def __init__(self, lesson: Tutorial, match: Match, narrator: Narrator, learner: int = LEARNER) -> None:
        self._lesson, self._match, self._narrator, self._learner = lesson, match, narrator, learner

    @cached_property
    def _excerpts(self) -> RuleExcerpts:
        return RuleExcerpts(self._match.game, self._narrator.words)

    @property
    def _written_for(self) -> frozenset[str]:
        """The names of the game and the variants that the lesson was written for."""
        return frozenset(self._lesson.names or self._match.game.model.names)

    def text(self, hint: TutorialHint) -> str:
        """Return the written text of a hint.

        Empty if there is none, or if a variant or setting has changed the declarations that it is about; then show the
        rules instead.
        """
        message, narrator, scope = _message(hint), self._narrator, self._narrator.scope
        if self._changed(hint) or not narrator.words.has_message(message, scope):
            return ""
        spoken = narrator.spoken_event(hint.event) if hint.event is not None else None
        values = dict(spoken.values) if spoken is not None else {}
        return narrator.words.say(message, scope, **values | {LEARNER_SLOT: narrator.player(self._learner)})

    def _changed(self, hint: TutorialHint) -> list[str]:
        """Return the declarations of the topic and of its text that have changed since the text was written."""
        full_name, listed = self._narrator.words.articles(_message(hint), self._narrator.scope)
        written_for = self._written_for | {*scope_of(full_name).split("/")}
        articles = dict.fromkeys((*hint.topic.articles, *listed))
        return [key for key in articles if self._match.game.is_changed(key, written_for)]

    def _articles(self, hint: TutorialHint) -> tuple[str, ...]:
        """Return the declarations that are shown with a hint: those of its topic, and the changed ones."""
        return tuple(dict.fromkeys((*hint.topic.articles, *self._changed(hint))))

    def rules(self, hint: TutorialHint) -> Iterator[TextParagraph]:
        """Yield the paragraphs of the rulebook on a hint, under their headings."""
        excerpts, articles = self._excerpts, self._articles(hint)
        excerpts.repeat()
        # A value is explained with the rule that uses it; settings are left out if there are other declarations.
        keys = dict.fromkeys(
            article_key for article in articles for article_key in excerpts.changed_articles(article, articles)
        )
        for key in [key for key in keys if not key.startswith("option.")] or keys:
            if excerpts.has(key):
                yield from excerpts.article_text(key)

    def sources(self, hint: TutorialHint) -> list[str]:
        """Return the rulebook passages on a hint; inferred or reconstructed ones only if there are no others."""
        model, articles = self._match.game.model, self._excerpts.cited(self._articles(hint))
        return list(dict.fromkeys(line for article in articles for line in citations(model, article, self._narrator)))

    def suggestion(self, hint: TutorialHint) -> Move | None:
        """Return the move that a hint suggests, if it is legal now and the rules are those that it was written for."""
        changes = frozenset[str]().union(*self._match.game.changes.values())
        if not hint.topic.suggestion or self._match.state.over or changes - self._written_for:
            return None
        try:
            return self._match.state.read(hint.topic.suggestion)
        except IllegalMove:
            return None

    def places(self, hint: TutorialHint) -> tuple[BoardArea, ...]:
        """Return the areas worth a look, those of the suggestion last."""
        boards = self._match.game.model.boards
        areas = [
            (board, graph.areas.index(area))
            for area in hint.topic.places
            for board, graph in boards.items()
            if area in graph.areas
        ]
        move = self.suggestion(hint)
        return tuple(dict.fromkeys((*areas, *(areas_of_move(self._match.state, move) if move is not None else ()))))


def _message(hint: TutorialHint) -> str:
    return f"lesson.{hint.topic.name}"
